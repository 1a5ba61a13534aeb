package schedule

import (
	"encoding/json"
	"errors"
	"math/bits"
)

// What: the state of a search by DPOR as text, with which another process goes on where it ended;
// and which share of the schedules has been run.
//
// Source: Kilby, Slaney, Thiébaux and Walsh, "Estimating Search Tree Size", AAAI 2006: the branches
// of each step on the way to the current one count the same.
//
// Invariant: a search is kept only between two executions, when its next one has been chosen.
// Accesses mean the same in each process, since the program does the same every time.

// kept is a search by DPOR.
type kept struct {
	Steps     []dporStep
	Choices   []dporChoice
	BySource  bool
	Fresh     int
	Threads   int
	Slept     []Access
	Forest    forest
	Width     int // of clocks
	Clocks    []int32
	Reversals []pair
	Before    []int32
}

// Keep returns the state of a search that the end of the time has stopped; nil where it cannot be
// gone on with.
func Keep(s Public) []byte {
	d, ok := s.(*dpor)
	if !ok || !d.begun {
		return nil
	}
	r := &d.races
	text, err := json.Marshal(kept{d.steps, d.choices, d.bySource, d.fresh, d.threads, d.slept, d.forest, r.threads,
		r.clocks, r.kept, r.before})
	if err != nil {
		return nil
	}
	return text
}

// Resume returns the search that Keep has written.
func Resume(text []byte) (Strategy, error) {
	var k kept
	if err := json.Unmarshal(text, &k); err != nil {
		return nil, err
	}
	if len(k.Steps) == 0 && len(k.Choices) == 0 || k.Threads <= 0 || len(k.Slept) < len(k.Steps)*k.Threads {
		return nil, errors.New("no search by DPOR")
	}
	d := &dpor{intervals: true, steps: k.Steps, choices: k.Choices, bySource: k.BySource, fresh: k.Fresh,
		threads: k.Threads, slept: k.Slept, forest: k.Forest}
	d.races.threads, d.races.clocks, d.races.kept, d.races.before = k.Width, k.Clocks, k.Reversals, k.Before
	return d, nil
}

// Share returns which part of the schedules that a search knows of has been run, as far as it can
// be said; 0 for another strategy. More of them become known on the way.
func Share(s Public) (run float64) {
	d, ok := s.(*dpor)
	if !ok {
		return 0
	}
	part := 1.0
	branch := func(done, left int) {
		part /= float64(done + 1 + left)
		run += part * float64(done)
	}
	c := 0
	for i := 0; ; i++ {
		for ; c < len(d.choices) && d.choices[c].Steps == i; c++ {
			branch(d.choices[c].Value, d.choices[c].N-d.choices[c].Value-1)
		}
		if i == len(d.steps) {
			return run
		}
		step := &d.steps[i]
		left := bits.OnesCount64(step.Backtrack &^ step.Sleep &^ (1 << uint(step.Thread)))
		for n := step.Next; n != 0; n = d.forest.Nodes[n].Next {
			left++
		}
		branch(step.Taken, left)
	}
}
