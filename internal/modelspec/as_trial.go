package modelspec

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// What: whether a model and the specification that it is said to be (As) allow the same sequences,
// on a sample.
//
// How: both run along sequences of operations of the history. After every allowed beginning, the
// next operation is allowed by both or by none; one that none allows is left out. The sequences are
// the operations by return and by call, the same with some moved and some left out, and short ones
// in random orders. Where results may be forgotten, some are, which leads to states that the
// history does not have. Of a model with Accept, operations of unknown outcome are left out.
//
// A difference is a fault, for certain. Without one, nothing is proved.
//
// Cost: at most trialSteps steps on each side for each call of try and TryCore.

// trial is a model beside a specification, on the same operations.
type trial struct {
	name   string       // of the specification
	sides  [2]trialSide // the model, the specification
	order  []int        // all operations, by return
	called []int        // the same by call
	untrue func(i int, state, what string) error
	rng    *rand.Rand
	skips  func(i int) bool // operations that are left out
	ctx    context.Context
	left   *int // steps
}

// trialSide is one of both.
type trialSide struct {
	instance *model.Instance
	machine  model.Machine
	at       map[int]history.OpID // operation → position in the partition
	states   []model.State
	next     []model.State
}

// try tests the model and the specification on the beginning of the history, with all results and
// with some.
func (e *Equated[S, I, O]) try(ctx context.Context) error {
	return e.tryOn(ctx, e.first(trialOperations))
}

// first returns the first n operations, by call.
func (e *Equated[S, I, O]) first(n int) []int {
	ops := make([]int, min(n, len(e.as.Ops)))
	for k := range ops {
		ops[k] = int(e.as.Origins[k].Position)
	}
	return ops
}

// tryOn tests them on some operations.
func (e *Equated[S, I, O]) tryOn(ctx context.Context, ops []int) error {
	left := trialSteps
	for _, forget := range []bool{false, true} {
		if forget && e.model.Step == nil { // Open may know less of results than the specification
			continue
		}
		t, err := e.trial(ops, forget)
		if err == nil {
			t.ctx, t.left = ctx, &left
			err = t.all()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// trial binds some operations on both sides. With forget, half of their results are forgotten.
func (e *Equated[S, I, O]) trial(ops []int, forget bool) (*trial, error) {
	t := &trial{name: e.model.As.Spec.Info().Name, untrue: e.untrue, rng: rand.New(rand.NewPCG(uint64(len(ops)), 1))}
	t.skips = func(i int) bool { return e.model.Step == nil && (e.ops[i].Pending || e.ops[i].Unknown) }
	forgotten := make([]bool, len(e.ops))
	for i := range forgotten {
		forgotten[i] = forget && t.rng.IntN(2) == 0
	}
	type bound struct {
		spec model.Spec
		h    *history.History
		at   []history.OpID
	}
	for k, s := range []bound{{e.Spec, e.history.Load(), e.ofModel}, {model.Full(e.model.As.Spec), e.as, e.ofAs}} {
		positions := make([]history.OpID, len(ops))
		for j, i := range ops {
			positions[j] = s.at[i]
		}
		slices.Sort(positions)
		p := model.Whole(s.h).Select(positions, "")
		p.TheoryLater = true
		side := &t.sides[k]
		side.at = map[int]history.OpID{}
		for j := range p.Ops {
			i := int(s.h.Origins[p.Global(history.OpID(j))].Position)
			side.at[i] = history.OpID(j)
			if o := &p.Ops[j]; forgotten[i] && !o.Pending() {
				o.Unknown, o.Result = true, history.Nil
			}
		}
		b, err := s.spec.Bind(p)
		if err != nil {
			return nil, err
		}
		side.instance, side.machine = b, b.NewMachine()
	}
	of := t.sides[1].instance.Partition.Ops
	t.called = slices.Clone(ops)
	op := func(i int) *history.Op { return &of[t.sides[1].at[i]] }
	sort.Slice(t.called, func(i, j int) bool { return op(t.called[i]).Call < op(t.called[j]).Call })
	t.order = slices.Clone(t.called)
	sort.SliceStable(t.order, func(i, j int) bool { return op(t.order[i]).Return < op(t.order[j]).Return })
	return t, nil
}

// all tries sequences: some of most of the operations, and short ones after each.
func (t *trial) all() error {
	for run := range trialRuns {
		for k := range t.sides { // what it remembers of the last sequence is not needed again
			t.sides[k].machine = t.sides[k].instance.NewMachine()
		}
		order := t.order
		switch {
		case run == 1:
			order = t.called
		case run > 1:
			order = t.moved(order)
		}
		if err := t.along(order); err != nil {
			return err
		}
		for range trialShorts {
			n := min(len(t.order), trialShort)
			from := 0
			if t.rng.IntN(2) == 0 {
				from = t.rng.IntN(len(t.order) - n + 1)
			}
			short := slices.Clone(t.called[from : from+n])
			t.rng.Shuffle(n, func(i, j int) { short[i], short[j] = short[j], short[i] })
			if err := t.along(short); err != nil {
				return err
			}
		}
	}
	return nil
}

// moved returns most operations of an order, some at other places.
func (t *trial) moved(order []int) []int {
	type placed struct{ op, place int }
	var all []placed
	for k, i := range order {
		if t.rng.IntN(8) > 0 {
			if t.rng.IntN(2) == 0 {
				k += t.rng.IntN(trialShort)
			}
			all = append(all, placed{i, k})
		}
	}
	compare := func(a, b placed) int { return cmp.Compare(a.place, b.place) }
	sort.SliceStable(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	out := make([]int, len(all))
	for k, p := range all {
		out[k] = p.op
	}
	return out
}

// along runs both along a sequence.
func (t *trial) along(order []int) error {
	for k := range t.sides {
		s := &t.sides[k]
		s.states = append(s.states[:0], s.machine.Init())
	}
	for place, i := range order {
		if t.skips(i) {
			continue
		}
		if *t.left -= max(len(t.sides[0].states), len(t.sides[1].states)); *t.left < 0 {
			return nil
		}
		if err := context.Cause(t.ctx); err != nil {
			return err
		}
		mine, theirs := t.sides[0].step(i), t.sides[1].step(i)
		if mine != theirs {
			return t.differ(i, mine)
		}
		if !mine {
			continue
		}
		for k := range t.sides {
			s := &t.sides[k]
			if s.states, s.next = s.next, s.states; len(s.states) > trialStates {
				return nil
			}
			if f, ok := s.machine.(model.Forgetter); ok && len(s.states) == 1 && place&63 == 63 {
				s.states[0] = f.Forget(s.states[0])
			}
		}
	}
	return nil
}

// step finds the states that an operation may leave, and reports whether there is one.
func (s *trialSide) step(i int) bool {
	s.next = s.next[:0]
	for _, from := range s.states {
		s.next = s.machine.Step(from, s.at[i], s.next)
	}
	s.next = inorder.Distinct(s.next)
	return len(s.next) > 0
}

// differ is the fault that one side alone allows an operation.
func (t *trial) differ(i int, mine bool) error {
	allows, refuses, side := t.name, "the model", &t.sides[0]
	if mine {
		allows, refuses, side = refuses, allows, &t.sides[1]
	}
	what := fmt.Sprintf("%s allows it, and %s does not", allows, refuses)
	if r := side.instance.Refusal; r != nil {
		if why := r(side.machine, side.states[0], side.at[i]); why != "" {
			what += fmt.Sprintf(" (in state %s: %s)", side.machine.Describe(side.states[0]), why)
		}
	}
	state := t.sides[0].machine.Describe(t.sides[0].states[0])
	return t.untrue(i, state, what)
}
