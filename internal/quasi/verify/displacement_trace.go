package verify

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
)

// Position is one end of the window of a slot or place, as known when a step is checked.
type Position struct {
	Op    history.OpID // as in proof.DisplacementStep
	Place bool
	Upper bool
	At    int32
	// the step that gave this end; -1: the history, by counting
	Step int
}

// Trace checks a refutation as Displacement does. It returns the refutation with every number
// tightened to what follows from the positions that the step rests on, ended at the first empty
// window, and these positions: earlier steps or the history give them. A value that is never
// inserted or removed twice rests on none.
func Trace(b *model.Instance, r *quasi.Question, refutation *proof.Displacement) (tight *proof.Displacement,
	uses [][]Position, err error) {
	t := &trace{said: map[Position]int{}}
	if err := checkSteps(context.Background(), b, r, refutation, t); err != nil {
		return nil, nil, err
	}
	if len(t.steps) == 0 { // a flaw
		return refutation, make([][]Position, 1), nil
	}
	return &proof.Displacement{Bound: refutation.Bound, Steps: t.steps}, t.uses, nil
}

// trace collects the steps and what they rest on.
type trace struct {
	// the last step that gave this end; keys without At and Step, operations by number
	said  map[Position]int
	steps []proof.DisplacementStep
	uses  [][]Position
}

// begin starts a step.
func (t *trace) begin(s proof.DisplacementStep) {
	if t != nil {
		t.steps, t.uses = append(t.steps, s), append(t.uses, nil)
	}
}

// tight returns the tightened step, s if nothing is recorded.
func (t *trace) tight(s proof.DisplacementStep) proof.DisplacementStep {
	if t != nil {
		s = t.steps[len(t.steps)-1]
	}
	return s
}

// reach records how far the current step narrows a window.
func (t *trace) reach(value int32) {
	if t != nil {
		t.steps[len(t.steps)-1].Value = value
	}
}

// narrows records that the current step gives an end.
func (t *trace) narrows(op history.OpID, place, upper bool) {
	if t != nil {
		t.said[Position{Op: op, Place: place, Upper: upper}] = len(t.steps) - 1
	}
}

// rests is how many positions the current step rests on so far.
func (t *trace) rests() int {
	if t == nil {
		return 0
	}
	return len(t.uses[len(t.uses)-1])
}

// uses records that the current step rests on an end of a window.
func (j *displacementChecker) uses(op history.OpID, window *[2][]int32, upper bool) {
	if j.trace == nil {
		return
	}
	p := Position{Op: op, Place: window == &j.place, Upper: upper}
	step, said := j.trace.said[p]
	if !said {
		step = -1
	}
	p.Step, p.At = step, window[0][op]
	if upper {
		p.At = window[1][op]
	}
	if j.initial(op) {
		p.Op = history.OpID(j.n) - 1 - op
	}
	at := len(j.trace.uses) - 1
	j.trace.uses[at] = append(j.trace.uses[at], p)
}

// pack tightens a step that counts the operations whose positions were recorded after the first
// ones: k of them from an edge on narrow the window to k positions beyond that edge. The others are
// dropped.
func (t *trace) pack(first int) {
	if t == nil {
		return
	}
	s, uses := &t.steps[len(t.steps)-1], t.uses[len(t.uses)-1]
	sign := int32(1)
	if s.Upper {
		sign = -1
	}
	var ats []int32
	for _, p := range uses[first:] {
		if p.Upper == s.Upper {
			ats = append(ats, sign*p.At)
		}
	}
	slices.Sort(ats)
	for k, at := range ats {
		if counted := int32(len(ats) - k); at+counted > sign*s.Value {
			s.Edge, s.Value = sign*at, sign*(at+counted)
		}
	}
	near := map[history.OpID]bool{}
	for _, p := range uses[first:] {
		near[p.Op] = near[p.Op] || p.Upper == s.Upper && sign*p.At >= sign*s.Edge
	}
	t.uses[len(t.uses)-1] = append(uses[:first], slices.DeleteFunc(uses[first:], func(p Position) bool {
		return !near[p.Op]
	})...)
}

// hull tightens a contradiction of more windows than there are positions.
func (t *trace) hull() {
	if t == nil {
		return
	}
	s, uses := &t.steps[len(t.steps)-1], t.uses[len(t.uses)-1]
	s.Edge, s.Value = uses[0].At, uses[1].At
	for _, p := range uses {
		if p.Upper {
			s.Value = max(s.Value, p.At)
		} else {
			s.Edge = min(s.Edge, p.At)
		}
	}
}
