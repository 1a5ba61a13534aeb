package linsattest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/spec"
)

// Check calls f with a new Run, runs the processes that it adds as goroutines, and fails t if the
// recorded history is not linearizable; again with other seeds for the time of -linsat.duration.
// f makes a new object each time. s is the object's specification. Options are those of
// linsat.Check; linsat.Quasi relaxes the question.
//
// Without a specification, where s is nil, the object must agree with itself: its operations are
// run one after the other, in every order, and what they did there is what they may do (Line-Up).
// So keep programs small. A program without operations is only run: it fails by a panic, by what
// its goroutines and Run.Finally assert with t, and where it waits for ever.
//
// A failure shows the argument for the least part of the history that it found with the same
// contradiction, and names the files of history and page. A panic of an operation, an operation
// that does not return within -linsat.hang, and a history that is not decided fail t, too. If no
// two operations overlapped in any run, a warning is logged.
//
// Under `linsat test` the same function runs under every schedule instead, or under those of the
// strategy that the command is given. It must then do the same every time, apart from the order in
// which its processes run.
func Check(t testing.TB, s spec.Spec, f func(r *Run), options ...linsat.Option) {
	t.Helper()
	if shimrun.Asked() != nil {
		explored(t, s, f, options)
		return
	}
	c := newCheck(s, options)
	if v := c.repeat(t, f); v != nil {
		t.Fatalf("%s", v.describe(t, c))
	}
	t.Log(c.summary())
	if c.unlearned != "" {
		t.Logf("warning: no history was judged: %s", c.unlearned)
	}
	if c.overlapped == 0 && c.operations > 1 {
		t.Logf("warning: no two operations overlapped, so this test says nothing of concurrency; use more processes " +
			"and operations, and GOMAXPROCS above 1")
	}
}

// Control is Check for an object with a deliberate fault: it fails t unless a run is not
// linearizable, within the time of -linsat.duration. It shows that the test of the object itself
// can find something.
func Control(t testing.TB, s spec.Spec, f func(r *Run), options ...linsat.Option) {
	t.Helper()
	if shimrun.Asked() != nil {
		exploredControl(t, s, f, options)
		return
	}
	c := newCheck(s, options)
	if v := c.repeat(t, f); v != nil {
		t.Logf("found, as it should be, after %s", c.summary())
		return
	}
	t.Fatalf(
		"the deliberate fault was not found in %s; use more processes and operations, or a longer -linsat.duration",
		c.summary())
}

// check is a check in progress.
type check struct {
	spec    spec.Spec // nil: it is learned
	options []linsat.Option

	runs, operations, overlapped int
	deciding                     time.Duration
	learned                      *learned
	learning                     time.Duration
	unlearned                    string // why nothing can be
}

// violation is a history that is not linearizable.
type violation struct {
	spec    spec.Spec
	seed    uint64
	history *history.History
	result  linsat.Result
}

func newCheck(s spec.Spec, options []linsat.Option) *check {
	first := []linsat.Option{linsat.Timeout(decideTime), linsat.Explain(linsat.ExplainOptions{Time: argueTime})}
	if s == nil {
		first[1] = ofSerialRuns
	}
	return &check{spec: s, options: append(first, options...)}
}

// repeat runs f until a violation or the end of the time. What is wrong otherwise fails t at once.
func (c *check) repeat(t testing.TB, f func(r *Run)) *violation {
	t.Helper()
	seed := *seed
	for seed == 0 {
		seed = rand.Uint64()
	}
	failed := t.Failed()
	for begun, end := time.Now(), until(t, time.Now()); c.runs == 0 || time.Now().Before(end); {
		v, err := c.once(seed, f)
		if c.runs++; err == nil && t.Failed() && !failed {
			err = fmt.Errorf("the test has failed in run %d", c.runs)
		}
		if err != nil {
			t.Fatalf("%v\nseed: -linsat.seed %d", err, seed)
		}
		if v != nil {
			return v
		}
		// What was learned is of this seed. Half of the time is for that.
		if c.learned == nil || time.Since(begun) >= serialShare*c.learning {
			seed++
			c.learned = nil
		}
	}
	return nil
}

// once runs f once. The error says what else than a violation is wrong.
func (c *check) once(seed uint64, f func(r *Run)) (*violation, error) {
	r := newRun(seed)
	if r.whole = c.spec == nil; r.whole {
		r.Note("without a specification") // a history of a note alone is one
	} else {
		r.recorder.SetSpec(c.spec.Info().Name)
	}
	f(r)
	if len(r.processes) == 0 {
		return nil, fmt.Errorf("no process was added: the function must call Run.Go")
	}
	panics, waiting := r.start(*hang)
	faults := panics
	if !r.mayBlock {
		faults = append(faults, waiting...)
	}
	h, err := r.recorder.History()
	if err != nil && len(faults) > 0 {
		return nil, fmt.Errorf("%s", clip(faults))
	}
	if err != nil {
		return nil, fmt.Errorf("the recording is not a history: %w", err)
	}
	c.operations += len(h.Ops)
	c.overlapped += overlapping(h)
	s := c.spec
	if s == nil {
		if len(h.Ops) == 0 {
			return nil, faulty(faults)
		}
		if s, err = c.learn(seed, f); s == nil {
			return nil, errors.Join(faulty(faults), err)
		}
	}
	began := time.Now()
	result, err := linsat.Check(context.Background(), s, h, c.options...)
	c.deciding += time.Since(began)
	switch {
	case err != nil:
		return nil, err
	case result.Verdict == linsat.NotLinearizable:
		return &violation{s, seed, h, result}, c.settled(seed, f)
	case len(faults) > 0:
		what := "the history up to there is linearizable"
		if result.Verdict == linsat.Unknown {
			what = "the history up to there is undecided"
		}
		if len(waiting) > 0 {
			what += "; goroutines of the run are left behind"
		}
		return nil, fmt.Errorf("%s\n%s", clip(faults), what)
	case result.Verdict == linsat.Unknown:
		return nil,
			fmt.Errorf(
				"a history of %d operations is undecided (%v: %s); use fewer operations in a run, or linsat.Timeout",
				len(h.Ops), result.Cause, result.Detail)
	}
	return nil, nil
}

// faulty is the error of a run of which nothing else is judged.
func faulty(faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return errors.New(clip(faults))
}

// overlapping counts the operations that were called while another one was open.
func overlapping(h *history.History) int {
	n := 0
	var latest history.Rank = -1 // return among the operations so far
	for i := range h.Ops {
		if i > 0 && h.Ops[i].Call < latest {
			n++
		}
		latest = max(latest, h.Ops[i].Return)
	}
	return n
}

// summary says what was covered.
func (c *check) summary() string {
	if c.operations == 0 {
		return fmt.Sprintf("%d runs, of which none failed", c.runs)
	}
	return fmt.Sprintf(
		"%d runs with %d operations, of which %d were called while another one was open; deciding took %v",
		c.runs, c.operations, c.overlapped, c.deciding.Round(time.Millisecond))
}
