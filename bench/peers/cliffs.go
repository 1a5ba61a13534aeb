//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
)

// cliff is a history of a shape that a recording may have and that took long once, with the time in
// which the whole program is to decide it, certified.
type cliff struct {
	name  string
	load  func(o options) (question, error)
	quasi int // the bound that is asked about, 0 for linearizability
	goal  time.Duration
}

// neverInserted is a value that no generated or recorded history has.
const neverInserted = 1 << 30

// cliffMemory bounds the resident memory of linsat; a peer is stopped at twice that.
const cliffMemory = 1 << 30

// cliffs lists the histories, each linearizable one with a violation beside it.
func cliffs() []cliff {
	var all []cliff
	add := func(name string, quasi int, goal time.Duration, o gen.Options, violations ...gen.Violation) {
		o.Seed = 3
		for _, v := range append([]gen.Violation{gen.NoViolation}, violations...) {
			o, title := o, fmt.Sprintf("%s, %s, %d processes", name, thousands(o.Operations), o.Processes)
			if o.Values > 0 {
				title += fmt.Sprintf(", %d values", o.Values)
			}
			if o.PendingRate > 0 {
				title += fmt.Sprintf(", %g %% never returned", 100*o.PendingRate)
			}
			if o.Violation = v; v != gen.NoViolation {
				title += ", " + string(v)
			}
			if quasi > 0 {
				title += fmt.Sprintf("; quasi %d?", quasi)
			}
			all = append(all, cliff{name: title, quasi: quasi, goal: goal, load: func(options) (question, error) {
				qs, err := generated(o)()
				if err != nil {
					return question{}, err
				}
				return qs[0], nil
			}})
		}
	}
	ms := time.Millisecond
	add("queue", 0, 500*ms, gen.Options{Spec: "queue", Operations: 20_000, Processes: 16, Values: 4},
		gen.Swap, gen.Lost)
	add("queue", 0, 3000*ms, gen.Options{Spec: "queue", Operations: 100_000, Processes: 16, Values: 4},
		gen.Swap, gen.Lost)
	add("stack", 0, 100*ms, gen.Options{Spec: "stack", Operations: 1000, Processes: 16, Values: 4},
		gen.Swap, gen.Duplicate)
	add("stack", 0, 2000*ms, gen.Options{Spec: "stack", Operations: 20_000, Processes: 16, Values: 4},
		gen.Swap, gen.Duplicate)
	add("deque", 0, 500*ms, gen.Options{Spec: "deque", Operations: 10_000, Processes: 16}, gen.Swap, gen.Lost)
	add("deque", 0, 500*ms, gen.Options{Spec: "deque", Operations: 10_000, Processes: 4}, gen.Swap)
	add("deque", 0, 500*ms, gen.Options{Spec: "deque", Operations: 2000, Processes: 8, Values: 5},
		gen.Swap, gen.Duplicate)
	add("deque", 0, 3000*ms, gen.Options{Spec: "deque", Operations: 100_000, Processes: 16}, gen.Swap, gen.Lost)
	add("counter", 0, 100*ms, gen.Options{Spec: "counter", Operations: 10_000, Processes: 64}, gen.Swap)
	add("counter", 0, 1000*ms, gen.Options{Spec: "counter", Operations: 100_000, Processes: 64}, gen.Swap)
	add("kv", 0, 1000*ms, gen.Options{Spec: "kv", Operations: 20_000, Processes: 16, PendingRate: 0.02},
		gen.NeverWritten, gen.Stale, gen.Swap)
	add("stack", 2, 1000*ms, gen.Options{Spec: "stack", Operations: 5000, Processes: 8, Relax: 2}, gen.Swap)
	add("queue", 2, 1000*ms, gen.Options{Spec: "queue", Operations: 20_000, Processes: 8, Values: 8, Relax: 2},
		gen.Swap)
	for _, r := range []struct {
		object             string
		values, operations int
	}{{"stack", 4, 20_000}, {"stack", 4, 100_000}, {"deque", 0, 20_000}, {"deque", 0, 100_000}, {"deque", 4, 100_000},
		{"queue", 4, 100_000}} {
		for _, wrong := range []bool{false, true} {
			values := fmt.Sprintf("%d values", r.values)
			if r.values == 0 {
				values = "distinct values"
			}
			title := fmt.Sprintf("%s, recorded, %s, 8 goroutines, %s", r.object, thousands(r.operations), values)
			if wrong {
				title += ", a value never inserted"
			}
			all = append(all, cliff{name: title, goal: 2 * time.Second, load: func(o options) (question, error) {
				return recorded(o, r.object, r.operations, r.values, wrong)
			}})
		}
	}
	return all
}

// recorded runs goroutines on an object; wrong changes the result of the last removal that found
// something to a value that nothing inserts.
func recorded(o options, object string, operations, values int, wrong bool) (question, error) {
	command := exec.Command("go", "run", "./examples/recorded/record", "-object", object, "-goroutines", "8",
		"-operations", fmt.Sprint(operations), "-values", fmt.Sprint(values), "-yield", "0.01")
	command.Dir, command.Stderr = o.root, os.Stderr
	text, err := command.Output()
	if err != nil {
		return question{}, fmt.Errorf("recording: %w", err)
	}
	h, err := history.Read(bytes.NewReader(text), history.ReadOptions{})
	if err != nil {
		return question{}, err
	}
	q := question{object, h, engine.Linearizable}
	if !wrong {
		return q, nil
	}
	never := h.Values.Int(neverInserted)
	for i := len(h.Ops) - 1; i >= 0; i-- {
		if op := &h.Ops[i]; op.Arg == history.Nil && !op.Unknown && op.Result != history.Nil {
			op.Result, q.want = never, engine.NotLinearizable
			break
		}
	}
	return q, nil
}

// cliffTable decides all cliffs whose names match, by the whole program, and lets those peers try
// that take the input. It returns the wrong verdicts.
func (o options) cliffTable(w io.Writer) (wrong []string, err error) {
	fmt.Fprintf(w,
		"Whole processes with certificates (--core any), which the goal is for, and with core, argument and "+
			"location; clock (user time), medians of %d runs, at most %v; peers once, at most %v and %d MB.\n\n",
		o.runs, 6*o.timeout, o.timeout, 2*cliffMemory>>20)
	fmt.Fprintf(w,
		"| history | operations | verdict | linsat | with reasons | memory | certified | goal | | Porcupine | "+
			"fastlin | FPTLin | PolyLin |\n|---|--:|---|--:|--:|--:|---|--:|---|--:|--:|--:|--:|\n")
	for _, c := range cliffs() {
		if !o.only.MatchString(c.name) {
			continue
		}
		bad, err := o.cliffLine(w, c)
		if err != nil {
			return wrong, fmt.Errorf("%s: %w", c.name, err)
		}
		if bad != "" {
			wrong = append(wrong, c.name+": "+bad)
		}
	}
	return wrong, nil
}

func (o options) cliffLine(w io.Writer, c cliff) (wrong string, err error) {
	q, err := c.load(o)
	if err != nil {
		return "", err
	}
	file, err := store(o.dir, "cliff.jsonl", func(f *os.File) error { return history.WriteJSONL(f, q.h) })
	if err != nil {
		return "", err
	}
	defer os.Remove(file)
	args := []string{"solve", "--format", "json", "--timeout", (6 * o.timeout).String()}
	if c.quasi > 0 {
		args = append(args, "--quasi", fmt.Sprint(c.quasi))
	}
	var mine, reasoned taken
	var resident int64
	sure, verdict := true, engine.Unknown
	for range o.runs {
		for _, side := range []struct {
			core string
			t    *taken
		}{{"any", &mine}, {"one", &reasoned}} {
			p, err := execute(7*o.timeout, o.linsat, append(args, "--core", side.core, file)...)
			if err != nil {
				return "", err
			}
			verdict = verdictOf(p)
			if bad := agree([]question{q}, "linsat", []engine.Verdict{verdict}, nil); bad != "" {
				return bad, nil
			}
			side.t.add(spent{wall: p.wall, cpu: p.cpu, verdicts: []engine.Verdict{verdict}})
			resident, sure = max(resident, p.resident), sure && strings.Contains(p.out, `"certified":true`)
		}
	}
	met := "kept"
	switch wall := median(mine.wall); {
	case verdict == engine.Unknown:
		met = "missed: no answer"
	case !sure:
		met = "missed: not certified"
	case resident >= cliffMemory:
		met = "missed: memory"
	case wall >= c.goal && median(mine.cpu) < c.goal:
		met = "kept in user time only"
	case wall >= c.goal:
		met = fmt.Sprintf("missed, by a factor of %.2g", wall.Seconds()/c.goal.Seconds())
	}
	fmt.Fprintf(w, "| %s | %d | %v | %s | %s | %d MB | %s | %v | %s |", c.name, len(q.h.Ops), verdict, mine.String(),
		reasoned.String(), resident>>20, yesNo(sure), c.goal, met)
	for _, p := range peers(o) {
		text, said := o.peer(p, q, c.quasi, file)
		if said != engine.Unknown && verdict != engine.Unknown && said != verdict {
			text += fmt.Sprintf(", wrong: %v", said)
			if q.want == engine.Unknown {
				wrong = fmt.Sprintf("linsat says %v, %s %v", verdict, p.name, said)
			}
		}
		fmt.Fprintf(w, " %s |", text)
	}
	fmt.Fprintln(w)
	return wrong, nil
}

// peer is another tool that decides histories.
type peer struct {
	name, program string
	// translate returns the history in the peer's format, or why the peer does not take it.
	translate func(h *history.History) (text, refusal string)
}

// peers lists the peers; one without a program was not found. Porcupine is this program itself.
func peers(o options) []peer {
	self, err := os.Executable()
	if err != nil {
		self = ""
	}
	return []peer{{"Porcupine", self, nil}, {"fastlin", o.fastlin, distinctText}, {"FPTLin", o.fptlin, fptlinText},
		{"PolyLin", o.polylin, polylinText}}
}

// peer lets a peer decide a history and returns its time, or why there is none, and its verdict.
func (o options) peer(p peer, q question, quasi int, file string) (text string, said engine.Verdict) {
	if quasi > 0 {
		return "not asked: quasi", engine.Unknown
	}
	if p.program == "" {
		return "not found", engine.Unknown
	}
	args := []string{"-porcupine", file, "-timeout", o.timeout.String()}
	if p.translate != nil {
		input, refusal := p.translate(q.h)
		if refusal != "" {
			return refusal, engine.Unknown
		}
		translated, err := store(o.dir, "history.log", func(f *os.File) error {
			_, err := f.WriteString(input)
			return err
		})
		if err != nil {
			return err.Error(), engine.Unknown
		}
		defer os.Remove(translated)
		args = []string{"-t", translated}
	} else if _, err := modelFor(q.h, false); err != nil {
		return "no model", engine.Unknown
	}
	limit := o.timeout
	if p.translate == nil {
		limit *= 2 // it stops by itself, and reading is not counted
	}
	run, err := executeWithin(limit, 2*cliffMemory, p.program, args...)
	switch {
	case err != nil && run.resident >= 2*cliffMemory:
		return fmt.Sprintf("> %d MB", 2*cliffMemory>>20), engine.Unknown
	case err != nil:
		return fmt.Sprintf("> %v", o.timeout), engine.Unknown
	}
	var answer int
	var seconds float64
	if _, err := fmt.Sscan(run.out, &answer, &seconds); err != nil {
		return fmt.Sprintf("says %q, exit %d", strings.TrimSpace(run.out), run.code), engine.Unknown
	}
	switch text = figures(time.Duration(seconds * float64(time.Second))); answer {
	case 1:
		return text, engine.Linearizable
	case 0:
		return text, engine.NotLinearizable
	}
	return "> " + text, engine.Unknown
}

// porcupineAlone decides a file with Porcupine and prints what the other programs print: 1 or 0, -1
// for no answer, and the seconds that its algorithm took.
func porcupineAlone(w io.Writer, file string, timeout time.Duration) error {
	h, err := history.ReadFile(file, history.ReadOptions{})
	if err != nil {
		return err
	}
	q := question{filepath.Base(file), h, engine.Unknown}
	t, err := theirs([]question{q}, false, timeout)
	if err != nil {
		return err
	}
	s, err := measure(t, []question{q}, false)
	if err != nil {
		return err
	}
	answer := map[engine.Verdict]int{engine.Linearizable: 1, engine.NotLinearizable: 0,
		engine.Unknown: -1}[s.verdicts[0]]
	_, err = fmt.Fprintln(w, answer, s.wall.Seconds())
	return err
}
