//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
)

// Whole processes on a million operations: what reading takes beside reading the bytes with a
// validating parser, and what reasons add to a verdict.

const (
	mostParsing = 3   // the whole process takes at most so many times the validating parser
	mostReasons = 1.3 // and with reasons so many times without
)

// readingTable compares the whole process on JSON Lines, verdict only, with reading the file and
// validating every line with encoding/json, decoding nothing.
func (o options) readingTable(w io.Writer) (wrong []string, err error) {
	fmt.Fprintf(w,
		"| JSON Lines | operations | verdict | linsat, whole process | bytes read and validated | linsat / "+
			"validating, clock (user time) | goal | |\n|---|--:|---|--:|--:|--:|---|---|\n")
	for _, spec := range []string{"queue", "stack"} {
		if !o.only.MatchString(spec + ", reading, 1M") {
			continue
		}
		q, file, err := o.million(gen.Options{Spec: spec, Operations: 1_000_000, Processes: 16, Seed: 1})
		if err != nil {
			return wrong, err
		}
		var mine, parser taken
		for range o.runs {
			p, err := execute(6*o.timeout, o.linsat, "solve", "--core", "none", file)
			if err != nil {
				return wrong, err
			}
			if bad := agree([]question{q}, "linsat", []engine.Verdict{verdictOf(p)}, nil); bad != "" {
				return append(wrong, bad), nil
			}
			mine.add(spent{wall: p.wall, cpu: p.cpu})
			s, err := validate(file)
			if err != nil {
				return wrong, err
			}
			parser.add(s)
		}
		os.Remove(file)
		clock, user := median(mine.wall).Seconds()/median(parser.wall).Seconds(),
			median(mine.cpu).Seconds()/median(parser.cpu).Seconds()
		fmt.Fprintf(w, "| %s | %d | %v | %s | %s | %.3g (%.3g) | at most %d | %s |\n", spec, len(q.h.Ops), q.want,
			mine.String(), parser.String(), clock, user, mostParsing, keptIf(clock <= mostParsing, user <= mostParsing))
	}
	return wrong, nil
}

// validate reads a file and validates each of its lines.
func validate(file string) (spent, error) {
	start, used := time.Now(), userTime()
	text, err := os.ReadFile(file)
	if err != nil {
		return spent{}, err
	}
	for line := range bytes.Lines(text) {
		if !json.Valid(line) {
			return spent{}, fmt.Errorf("%s: a line is not JSON", file)
		}
	}
	return spent{wall: time.Since(start), cpu: userTime() - used}, nil
}

// reasonsTable compares violations with core, argument and location with the verdict alone.
func (o options) reasonsTable(w io.Writer) (wrong []string, err error) {
	fmt.Fprintf(w,
		"| violation, swap | operations | verdict | verdict alone | with core, argument and location | ratio, clock "+
			"(user time) | goal | |\n|---|--:|---|--:|--:|--:|---|---|\n")
	for _, spec := range []string{"queue", "stack", "set", "kv", "priority-queue", "deque", "counter"} {
		if !o.only.MatchString(spec + ", reasons, 1M") {
			continue
		}
		options := gen.Options{Spec: spec, Operations: 1_000_000, Processes: 16, Seed: 1, Violation: gen.Swap}
		if spec == "kv" {
			options.Keys = 24
		}
		q, file, err := o.million(options)
		if err != nil {
			return wrong, err
		}
		var alone, reasoned taken
		verdict := engine.Unknown
		for range o.runs {
			for _, side := range []struct {
				core string
				t    *taken
			}{{"none", &alone}, {"one", &reasoned}} {
				p, err := execute(6*o.timeout, o.linsat, "solve", "--core", side.core, file)
				if err != nil {
					return wrong, err
				}
				verdict = verdictOf(p)
				if bad := agree([]question{q}, "linsat", []engine.Verdict{verdict}, nil); bad != "" {
					return append(wrong, bad), nil
				}
				side.t.add(spent{wall: p.wall, cpu: p.cpu})
			}
		}
		os.Remove(file)
		clock, user := median(reasoned.wall).Seconds()/median(alone.wall).Seconds(),
			median(reasoned.cpu).Seconds()/median(alone.cpu).Seconds()
		fmt.Fprintf(w, "| %s | %d | %v | %s | %s | %.3g (%.3g) | at most %g | %s |\n", spec, len(q.h.Ops), verdict,
			alone.String(), reasoned.String(), clock, user, mostReasons,
			keptIf(clock <= mostReasons, user <= mostReasons))
	}
	return wrong, nil
}

func keptIf(clock, user bool) string {
	switch {
	case clock && user:
		return "kept"
	case user:
		return "kept in user time only"
	}
	return "missed"
}

// million generates a history and writes it as JSON Lines.
func (o options) million(options gen.Options) (q question, file string, err error) {
	qs, err := generated(options)()
	if err != nil {
		return q, "", err
	}
	file, err = store(o.dir, "history.jsonl", func(f *os.File) error { return history.WriteJSONL(f, qs[0].h) })
	return qs[0], file, err
}
