package verify

import (
	"context"

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

// Trace checks a refutation as Displacement does and returns what each step rests on: positions
// that earlier steps or the history give. A value that is never inserted or removed twice rests on
// none.
func Trace(b *model.Instance, r *quasi.Question, refutation *proof.Displacement) ([][]Position, error) {
	t := &trace{said: map[Position]int{}, uses: make([][]Position, 1, len(refutation.Steps)+1)}
	if err := checkSteps(context.Background(), b, r, refutation, t); err != nil {
		return nil, err
	}
	return t.uses[:len(refutation.Steps)], nil
}

// trace collects what the steps rest on.
type trace struct {
	// the last step that gave this end; keys without At and Step, operations by number
	said map[Position]int
	uses [][]Position
}

func (t *trace) next() {
	if t != nil {
		t.uses = append(t.uses, nil)
	}
}

// narrows records that the current step gives an end.
func (t *trace) narrows(op history.OpID, place, upper bool) {
	if t != nil {
		t.said[Position{Op: op, Place: place, Upper: upper}] = len(t.uses) - 1
	}
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
