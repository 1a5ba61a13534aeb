//go:build !linsat_native

package cdsspec

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/internal/relaxed/cdsspec"
	"github.com/linsat/linsat/spec"
)

// Mode is which sequential histories of an execution must pass: all those that the ordering points
// leave open, some, or one.
type Mode = cdsspec.Mode

// Modes. Loose asks for some sequential history that passes, Strict for all. Random replays one,
// drawn with Options.Seed.
const (
	Loose  = cdsspec.Loose
	Strict = cdsspec.Strict
	Random = cdsspec.Random
)

// Verdict is what an execution shows.
type Verdict = cdsspec.Verdict

// Verdicts, in the order in which a Report prefers them.
const (
	Passed            = cdsspec.Passed
	DataRace          = cdsspec.DataRace
	UninitializedLoad = cdsspec.UninitializedLoad
	Panicked          = cdsspec.Panicked        // the program panics: an assertion of a driver
	Correctness       = cdsspec.Correctness     // a pre- or post-condition does not hold
	Synchronization   = cdsspec.Synchronization // a rule of HappensBefore does not hold
	Cycle             = cdsspec.Cycle           // the ordering points do not order the calls
	Endless           = cdsspec.Endless         // a thread waits for what never comes
	Bounded           = cdsspec.Bounded         // a thread made too many accesses
	Undecided         = cdsspec.Undecided       // too many sequential histories
	Blocked           = cdsspec.Blocked         // a thread gave up (Assume)
)

// Finding is what one execution shows. Its Text says why, and shows the execution.
type Finding = cdsspec.Finding

// Options of a Check.
type Options struct {
	c11.Options
	Mode Mode
	Seed uint64 // of mode Random
	// First stops at the first execution that does not pass (one that is Blocked does).
	First bool
	// Points makes CheckHistories use the ordering points as well.
	Points bool
}

// Report is what a Check found.
type Report struct {
	// Verdict is the first of the verdicts after Passed that some execution shows, or Passed.
	// Blocked counts only if no execution passed.
	Verdict  Verdict
	Stats    c11.Stats
	Counts   map[Verdict]int
	Findings []*Finding // the first of each verdict but Passed, in the order of the verdicts
	// Unused is what of the specification no execution has used.
	Unused []string
}

// Check runs every execution of the program and checks the calls that it annotates. The error is
// for annotations that make no sense, a specification that panics, and a search that fails.
func Check(ctx context.Context, p c11.Program, o Options) (*Report, error) {
	k := cdsspec.NewChecker(o.Mode, o.Seed)
	r, err := check(ctx, p, o, k.Check)
	if err == nil {
		r.Unused = k.Unused()
	}
	return r, err
}

// Operation is a call as a specification that linsat ships knows it.
type Operation = cdsspec.Operation

// CheckHistories runs every execution of the program and checks its outermost calls as histories
// against s, a specification that linsat ships or that spec.Define made. record says which
// operation a call is. It needs Begin and End, and nothing else of a specification. Call a is
// before call b if its end happens before the beginning of b, and with Options.Points if the
// ordering points say so.
//
// Verdict Correctness is a history that is not linearizable. Synchronization is one that is, and in
// which a call needs another one that does not happen before it: the result of the one is wrong
// without the other, in every linearization it comes after it, and the beginning of the other does
// not happen before its end.
func CheckHistories(ctx context.Context, p c11.Program, s spec.Spec, record func(method string, args,
	result any) Operation, o Options) (*Report, error) {
	if s == nil || record == nil {
		return nil, errors.New("cdsspec: the specification is nil, or the function that records")
	}
	return check(ctx, p, o, cdsspec.NewPlain(s, record, o.Points).Check)
}

func check(ctx context.Context, p c11.Program, o Options, look func(ctx context.Context, g *c11.Graph) (*Finding,
	error)) (*Report, error) {
	if ctx == nil || p == nil {
		return nil, errors.New("cdsspec: the context or the program is nil")
	}
	r := &Report{Counts: map[Verdict]int{}}
	first := map[Verdict]*Finding{}
	var failed error
	number := 0
	stats, err := c11.Run(p, o.Options, func(g *c11.Graph) bool {
		number++
		f, err := look(ctx, g)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			failed = fmt.Errorf("execution %d: %w", number, err)
			return false
		}
		r.Counts[f.Verdict]++
		if f.Verdict != Passed && first[f.Verdict] == nil {
			f.Number = number
			f.Keep()
			first[f.Verdict] = f
		}
		return !o.First || f.Verdict == Passed || f.Verdict == Blocked
	})
	if failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	r.Stats, r.Verdict = stats, Passed
	for v := DataRace; v <= Blocked; v++ {
		if f := first[v]; f != nil {
			r.Findings = append(r.Findings, f)
			if r.Verdict == Passed && (v != Blocked || r.Counts[Passed] == 0) {
				r.Verdict = v
			}
		}
	}
	return r, nil
}

// Text returns the report for people, with the first finding in full.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d executions", r.Verdict, r.Stats.Graphs)
	if !r.Stats.All {
		b.WriteString(", not all that there are")
	}
	b.WriteByte('\n')
	for v := range Blocked + 1 {
		if n := r.Counts[v]; n > 0 {
			fmt.Fprintf(&b, "  %d %s\n", n, v)
		}
	}
	for _, u := range r.Unused {
		fmt.Fprintf(&b, "note: %s\n", u)
	}
	for _, f := range r.Findings {
		if f.Verdict == r.Verdict {
			b.WriteString(f.Text())
		}
	}
	return b.String()
}
