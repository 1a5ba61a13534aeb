package proof

// Axioms of registers. A register has one value at a time; src(r,w) means that w was the last
// operation before r to leave a value in it (INIT: the state at the start; PAST: an operation
// before the window).
//
// An operation with one mode has that mode when it takes effect; one with several has a literal for
// each. Every mode that tests the value has a source (SRC) that came before (SB), took effect and
// left a fitting value (SI), with no other value left in between (BT). These axioms define a
// register. INV, HALL and COUNT follow from them, but would take many steps and case splits:
//
//   - INV: the values that can be in the cell from a to b are those that a leaves, closed under
//     everything that is not known to be outside. If b can go in no mode from any of them, the
//     given literals contradict each other.
//   - HALL: in each of k gaps, one after the other, the value becomes v, so k different operations
//     leave v in these gaps.
//   - COUNT: between two operations that take v away, in whatever order they come, another
//     operation must put v back.

import (
	"errors"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// guard returns the literal that i has its mode k.
func guard(t *model.RegisterTheory, i history.OpID, k int32) Literal {
	if len(t.Of(i)) == 1 {
		return TakesEffect(i)
	}
	return GoesIn(i, k)
}

func leavesBy(t *model.RegisterTheory, i history.OpID, k int32) int32 { return t.Of(i)[k].Leaves }

// allowsIn reports whether mode k of operation r may find value v.
func allowsIn(t *model.RegisterTheory, r history.OpID, k, v int32) bool { return t.Of(r)[k].Allows(v) }

// compatible reports whether some value fits both modes.
func compatible(a, b model.Mode) bool {
	switch {
	case a.Test == model.Is:
		return b.Allows(a.V)
	case b.Test == model.Is:
		return a.Allows(b.V)
	}
	return true
}

func (w *Window) mode(t *model.RegisterTheory, i history.OpID, k int32) error {
	if !w.is(i) || k < 0 || int(k) >= len(t.Of(i)) {
		return fmt.Errorf("operation %s has no mode %d in the window", OperationName(i), k)
	}
	return nil
}

// cells returns an instance of an axiom of cells.
func (w *Window) cells(t *model.RegisterTheory, axiom Axiom, args []history.OpID, given []Literal) ([]Literal, error) {
	want := map[Axiom]int{SRC: 2, SB: 2, SI: 3, BT: 5, PP: 4}[axiom]
	if want > 0 && len(args) != want {
		return nil, fmt.Errorf("it has %d arguments, not %d", len(args), want)
	}
	switch axiom {
	case MODE:
		return w.modes(t, args)
	case INV:
		return w.invariant(t, args, given)
	case HALL:
		return w.becomes(t, args, given)
	case COUNT:
		return w.taken(t, args, given)
	case SRC:
		return w.sources(t, args[0], int32(args[1]))
	case SB:
		if err := w.operations(args, 2); err != nil {
			return nil, err
		}
		if args[0] == args[1] || t.Object[args[0]] != t.Object[args[1]] {
			return nil, errors.New("the operation is not a possible source")
		}
		c := clause{w: w}
		c.unless(SourceOf(args[0], args[1]))
		c.or(LessThan(args[1], args[0]))
		return c.result()
	case SI:
		return w.wrote(t, args[0], int32(args[1]), args[2])
	case BT:
		return w.overwrites(t, args)
	case PP:
		r, j, q, k := args[0], int32(args[1]), args[2], int32(args[3])
		if err := errors.Join(w.mode(t, r, j), w.mode(t, q, k)); err != nil {
			return nil, err
		}
		if !w.Unknown || r == q || t.Object[r] != t.Object[q] || compatible(t.Of(r)[j], t.Of(q)[k]) {
			return nil, errors.New("both modes may have found the same value")
		}
		c := clause{w: w}
		c.unless(SourceOf(r, Before), SourceOf(q, Before), guard(t, r, j), guard(t, q, k))
		return c.result()
	}
	return nil, fmt.Errorf("registers have no axiom %s", axiom)
}

func (w *Window) modes(t *model.RegisterTheory, args []history.OpID) ([]Literal, error) {
	if len(args) == 0 || len(args) > 3 || !w.is(args[0]) {
		return nil, errors.New("the arguments are not operations of the window")
	}
	p := args[0]
	n := int32(len(t.Of(p)))
	for _, k := range args[1:] {
		if err := w.mode(t, p, int32(k)); err != nil {
			return nil, err
		}
	}
	c := clause{w: w}
	switch {
	case n == 1 || len(args) == 3 && args[1] == args[2]:
		return nil, ErrSaysNothing
	case len(args) == 1:
		c.unless(TakesEffect(p))
		for k := range n {
			c.or(guard(t, p, k))
		}
	case len(args) == 2:
		c.unless(guard(t, p, int32(args[1])))
		c.or(TakesEffect(p))
	default:
		c.unless(guard(t, p, int32(args[1])), guard(t, p, int32(args[2])))
	}
	return c.result()
}

// sources lists the operations that may have left what r finds in mode j.
func (w *Window) sources(t *model.RegisterTheory, r history.OpID, j int32) ([]Literal, error) {
	if err := w.mode(t, r, j); err != nil {
		return nil, err
	}
	if t.Of(r)[j].Test == model.Any {
		return nil, ErrSaysNothing
	}
	c := clause{w: w}
	c.unless(guard(t, r, j))
	switch {
	case w.Unknown:
		c.or(SourceOf(r, Before))
	case allowsIn(t, r, j, t.Init[t.Object[r]]):
		c.or(SourceOf(r, Initial))
	}
	for _, x := range w.members[t.Object[r]] {
		if x != r && mayLeave(t, x, func(v int32) bool { return allowsIn(t, r, j, v) }) {
			c.or(SourceOf(r, x))
		}
	}
	return c.result()
}

// mayLeave reports whether some mode of x leaves a value that suits.
func mayLeave(t *model.RegisterTheory, x history.OpID, suits func(v int32) bool) bool {
	for _, m := range t.Of(x) {
		if m.Leaves != model.Keep && suits(m.Leaves) {
			return true
		}
	}
	return false
}

func (w *Window) wrote(t *model.RegisterTheory, r history.OpID, j int32, x history.OpID) ([]Literal, error) {
	if err := w.mode(t, r, j); err != nil {
		return nil, err
	}
	if !w.is(x) || x == r || t.Object[x] != t.Object[r] {
		return nil, errors.New("the operation is not a possible source")
	}
	c := clause{w: w}
	c.unless(SourceOf(r, x), guard(t, r, j))
	for k, m := range t.Of(x) {
		if m.Leaves != model.Keep && allowsIn(t, r, j, m.Leaves) {
			c.or(guard(t, x, int32(k)))
		}
	}
	return c.result()
}

func (w *Window) overwrites(t *model.RegisterTheory, args []history.OpID) ([]Literal, error) {
	r, j, s, x, k := args[0], int32(args[1]), args[2], args[3], int32(args[4])
	if err := errors.Join(w.mode(t, r, j), w.mode(t, x, k)); err != nil {
		return nil, err
	}
	start := s == Initial && !w.Unknown || s == Before && w.Unknown
	if !start && !w.is(s) || r == s || x == r || x == s || t.Object[x] != t.Object[r] || s >= 0 &&
		t.Object[s] != t.Object[r] {
		return nil, errors.New("the arguments are not three operations on one register")
	}
	if v := leavesBy(t, x, k); v == model.Keep || allowsIn(t, r, j, v) {
		return nil, errors.New("the value that it leaves fits")
	}
	c := clause{w: w}
	c.unless(SourceOf(r, s), guard(t, r, j), guard(t, x, k))
	if s >= 0 {
		c.or(LessThan(x, s))
	}
	c.or(LessThan(r, x))
	return c.result()
}
