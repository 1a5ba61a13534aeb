//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
)

// everyOperations and everyProcesses are the size of the histories of every specification.
const (
	everyOperations = 100_000
	everyProcesses  = 16
)

// every decides a long history of each shipped specification, correct and with each violation that
// it has, by the whole program with all reasons. A line is a specification. It returns the wrong
// verdicts.
func (o options) every(w io.Writer) (wrong []string, err error) {
	violations := append([]gen.Violation{gen.NoViolation}, gen.Violations()...)
	fmt.Fprintf(w,
		"\nEvery specification, %s operations, %d processes, whole processes with core, argument and location; user "+
			"time of one run, at most %v by the clock. \"yes\" is linearizable, \"no\" not; what is not certified "+
			"says so.\n\n| specification |",
		thousands(everyOperations), everyProcesses, 6*o.timeout)
	for _, v := range violations {
		title := string(v)
		if v == gen.NoViolation {
			title = "correct"
		}
		fmt.Fprintf(w, " %s |", title)
	}
	fmt.Fprintf(w, " memory, at most |\n|---|%s--:|\n", strings.Repeat("---|", len(violations)))
	for _, s := range specs.All() {
		name := s.Info().Name
		if !o.only.MatchString("every " + name) {
			continue
		}
		fmt.Fprintf(w, "| %s |", name)
		resident := int64(0)
		for _, v := range violations {
			text, used, bad, err := o.everyCell(name, v, everyOperations)
			if err != nil {
				return wrong, fmt.Errorf("%s, %s: %w", name, v, err)
			}
			if bad != "" {
				wrong = append(wrong, fmt.Sprintf("%s, %s: %s", name, v, bad))
			}
			resident = max(resident, used)
			fmt.Fprintf(w, " %s |", text)
		}
		fmt.Fprintf(w, " %d MB |\n", resident>>20)
	}
	return wrong, nil
}

// everyCell decides one history; text is "–" if there is none with this violation.
func (o options) everyCell(name string, v gen.Violation, operations int) (text string, resident int64,
	wrong string, err error) {
	c, err := gen.Generate(gen.Options{Spec: name, Operations: operations, Processes: everyProcesses,
		Violation: v, Seed: 3})
	if err != nil {
		return "–", 0, "", nil
	}
	file, err := store(o.dir, "every.jsonl", func(f *os.File) error { return history.WriteJSONL(f, c.History) })
	if err != nil {
		return "", 0, "", err
	}
	defer os.Remove(file)
	p, err := execute(7*o.timeout, o.linsat, "solve", "--format", "json", "--timeout", (6 * o.timeout).String(), file)
	if err != nil {
		return "", 0, "", err
	}
	verdict := verdictOf(p)
	wrong = agree([]question{{name, c.History, known(c.Known)}}, "linsat", []engine.Verdict{verdict}, nil)
	if verdict == engine.Unknown {
		return "unknown", p.resident, wrong, nil
	}
	text = fmt.Sprintf("%s %s", yesNo(verdict == engine.Linearizable), figures(p.cpu.Round(time.Millisecond)))
	if !strings.Contains(p.out, `"certified":true`) {
		text += ", not certified"
	}
	return text, p.resident, wrong, nil
}
