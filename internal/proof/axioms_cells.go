package proof

// Axioms of Cells. A cell has one value at a time; src(r,w) means that w was the last to leave a
// value before r in the cell (INIT: nobody, the state at the start; PAST: nobody in the window).
//
// An operation with one mode goes in it when it takes effect; one with several has a literal for
// each. Every mode that tests the value has a source (SRC) that came before (SB), took effect and
// left a value that fits (SI), with no other value put in between (BT). That is all there is to a
// cell. INV, HALL and COUNT follow, but would take many steps and case splits:
//
//   - INV: the values that can be in the cell from a to b are those that a leaves, closed under
//     everything that is not known to be outside. If b can go in no mode from any of them, the
//     given literals contradict each other.
//   - HALL: in each of k gaps, one after the other, the value becomes v, so k different operations
//     leave v in these gaps.
//   - COUNT: between two takings of v somebody must put v back, in whatever order they come.

import (
	"errors"
	"fmt"

	"github.com/linsat/linsat/internal/model"
)

// guard is the literal that says that i goes in its mode k.
func guard(t *model.RegisterTheory, i, k int32) Literal {
	if len(t.Of(i)) == 1 {
		return TakesEffect(i)
	}
	return GoesIn(i, k)
}

func leavesBy(t *model.RegisterTheory, i, k int32) int32 { return t.Of(i)[k].Leaves }

// allowsIn says whether mode k of operation r may find value v.
func allowsIn(t *model.RegisterTheory, r, k, v int32) bool { return t.Of(r)[k].Allows(v) }

// compatible says whether some value suits both modes.
func compatible(a, b model.Mode) bool {
	switch {
	case a.Test == model.Is:
		return b.Allows(a.V)
	case b.Test == model.Is:
		return a.Allows(b.V)
	}
	return true
}

func (w *Window) mode(t *model.RegisterTheory, i, k int32) error {
	if !w.is(i) || k < 0 || int(k) >= len(t.Of(i)) {
		return fmt.Errorf("operation %s has no mode %d in the window", operation(i), k)
	}
	return nil
}

// cells returns an instance of an axiom of cells.
func (w *Window) cells(t *model.RegisterTheory, axiom Axiom, args []int32, given []Literal) ([]Literal, error) {
	want := map[Axiom]int{SRC: 2, SB: 2, SI: 3, BT: 5, PP: 4}[axiom]
	if want > 0 && len(args) != want {
		return nil, fmt.Errorf("%d arguments, not %d", len(args), want)
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
		return w.sources(t, args[0], args[1])
	case SB:
		if err := w.operations(args, 2); err != nil {
			return nil, err
		}
		if args[0] == args[1] || t.Object[args[0]] != t.Object[args[1]] {
			return nil, errors.New("no source")
		}
		c := clause{w: w}
		c.unless(SourceOf(args[0], args[1]))
		c.or(LessThan(args[1], args[0]))
		return c.result()
	case SI:
		return w.wrote(t, args[0], args[1], args[2])
	case BT:
		return w.overwrites(t, args)
	case PP:
		r, j, q, k := args[0], args[1], args[2], args[3]
		if err := errors.Join(w.mode(t, r, j), w.mode(t, q, k)); err != nil {
			return nil, err
		}
		if !w.Unknown || r == q || t.Object[r] != t.Object[q] || compatible(t.Of(r)[j], t.Of(q)[k]) {
			return nil, errors.New("both may have found the same")
		}
		c := clause{w: w}
		c.unless(SourceOf(r, Before), SourceOf(q, Before), guard(t, r, j), guard(t, q, k))
		return c.result()
	}
	return nil, fmt.Errorf("cells know no axiom %s", axiom)
}

func (w *Window) modes(t *model.RegisterTheory, args []int32) ([]Literal, error) {
	if len(args) == 0 || len(args) > 3 || !w.is(args[0]) {
		return nil, errors.New("no operation of the window")
	}
	p := args[0]
	n := int32(len(t.Of(p)))
	for _, k := range args[1:] {
		if err := w.mode(t, p, k); err != nil {
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
		c.unless(guard(t, p, args[1]))
		c.or(TakesEffect(p))
	default:
		c.unless(guard(t, p, args[1]), guard(t, p, args[2]))
	}
	return c.result()
}

// sources lists who may have left what r finds in mode j.
func (w *Window) sources(t *model.RegisterTheory, r, j int32) ([]Literal, error) {
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

// mayLeave says whether some mode of x leaves a value that suits.
func mayLeave(t *model.RegisterTheory, x int32, suits func(v int32) bool) bool {
	for _, m := range t.Of(x) {
		if m.Leaves != model.Keep && suits(m.Leaves) {
			return true
		}
	}
	return false
}

func (w *Window) wrote(t *model.RegisterTheory, r, j, x int32) ([]Literal, error) {
	if err := w.mode(t, r, j); err != nil {
		return nil, err
	}
	if !w.is(x) || x == r || t.Object[x] != t.Object[r] {
		return nil, errors.New("no source")
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

func (w *Window) overwrites(t *model.RegisterTheory, args []int32) ([]Literal, error) {
	r, j, s, x, k := args[0], args[1], args[2], args[3], args[4]
	if err := errors.Join(w.mode(t, r, j), w.mode(t, x, k)); err != nil {
		return nil, err
	}
	nobody := s == Initial && !w.Unknown || s == Before && w.Unknown
	if !nobody && !w.is(s) || r == s || x == r || x == s || t.Object[x] != t.Object[r] || s >= 0 && t.Object[s] != t.Object[r] {
		return nil, errors.New("not three operations on one cell")
	}
	if v := leavesBy(t, x, k); v == model.Keep || allowsIn(t, r, j, v) {
		return nil, errors.New("what it leaves fits")
	}
	c := clause{w: w}
	c.unless(SourceOf(r, s), guard(t, r, j), guard(t, x, k))
	if s >= 0 {
		c.or(LessThan(x, s))
	}
	c.or(LessThan(r, x))
	return c.result()
}

// possible calls yield with every mode of x that is not known to be wrong, until it returns false.
func (f *facts) possible(t *model.RegisterTheory, x int32, yield func(m model.Mode) bool) bool {
	if f.out(x) {
		return true
	}
	for k, m := range t.Of(x) {
		if !f.has(guard(t, x, int32(k)).Negated()) && !yield(m) {
			return false
		}
	}
	return true
}

// certainly says whether x takes effect and all its possible modes are as told.
func (f *facts) certainly(t *model.RegisterTheory, x int32, is func(m model.Mode) bool) bool {
	return f.w.is(x) && f.has(TakesEffect(x)) && f.possible(t, x, is)
}

// values is a set of values; the last stands for all that no operation names.
type values []bool

func (s values) add(v int32) bool {
	if s[v] {
		return false
	}
	s[v] = true
	return true
}

// found adds the values that a mode leaves behind, starting from any of from, and says whether
// there are new ones.
func (s values) found(m model.Mode, from values) bool {
	grown := false
	for v, there := range from {
		if !there || !m.Allows(int32(v)) {
			continue
		}
		if m.Leaves != model.Keep {
			return s.add(m.Leaves) || grown
		}
		grown = s.add(int32(v)) || grown
	}
	return grown
}

// Reach returns the values that can be in the cell right before b, from what a leaves on (a may be
// Init), as far as the given literals tell; the last entry stands for all values that no operation
// names. It is nil if they do not say that a comes first and both take effect.
func (w *Window) Reach(t *model.RegisterTheory, a, b int32, given []Literal) ([]bool, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	return w.reach(t, f, a, b), nil
}

func (w *Window) reach(t *model.RegisterTheory, f *facts, a, b int32) values {
	if !w.is(b) || !f.has(TakesEffect(b)) {
		return nil
	}
	now := make(values, t.Values+1)
	if a == Initial {
		if w.Unknown {
			return nil
		}
		now.add(t.Init[t.Object[b]])
	} else {
		if !w.is(a) || a == b || t.Object[a] != t.Object[b] || !f.has(TakesEffect(a)) || !f.less(a, b) {
			return nil
		}
		anything := make(values, t.Values+1)
		for v := range anything {
			anything[v] = true
		}
		f.possible(t, a, func(m model.Mode) bool {
			now.found(m, anything)
			return true
		})
	}
	var between []int32
	for _, x := range w.members[t.Object[b]] {
		if x != a && x != b && !f.less(b, x) && (a < 0 || !f.less(x, a)) {
			between = append(between, x)
		}
	}
	for grown := true; grown; {
		grown = false
		for _, x := range between {
			f.possible(t, x, func(m model.Mode) bool {
				grown = now.found(m, now) || grown
				return true
			})
		}
	}
	return now
}

func (w *Window) invariant(t *model.RegisterTheory, args []int32, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	if len(args) != 2 {
		return nil, errors.New("not from one operation to another")
	}
	now := w.reach(t, f, args[0], args[1])
	if now == nil {
		return nil, errors.New("not known to take effect, the one after the other")
	}
	if !f.possible(t, args[1], func(m model.Mode) bool {
		for v, there := range now {
			if there && m.Allows(int32(v)) {
				return false
			}
		}
		return true
	}) {
		return nil, errors.New("a value that fits can be there")
	}
	return refuted(given), nil
}

// needs returns the value that b certainly finds.
func (f *facts) needs(t *model.RegisterTheory, b int32) (v int32, ok bool) {
	v = model.Keep
	ok = f.certainly(t, b, func(m model.Mode) bool {
		first := v == model.Keep
		if m.Test == model.Is && first {
			v = m.V
		}
		return m.Test == model.Is && m.V == v
	})
	return v, ok && v != model.Keep
}

// avoids says whether the value right after a is certainly not v.
func (f *facts) avoids(t *model.RegisterTheory, a, v int32) bool {
	return f.certainly(t, a, func(m model.Mode) bool { return m.Leaves != v && (m.Leaves != model.Keep || !m.Allows(v)) })
}

// becomes is HALL.
func (w *Window) becomes(t *model.RegisterTheory, args []int32, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	gaps := len(args) / 2
	if gaps == 0 || len(args)%2 != 0 || !w.is(args[1]) {
		return nil, errors.New("no gaps")
	}
	v, ok := f.needs(t, args[1])
	if !ok {
		return nil, errors.New("it is not certain what the first one needs")
	}
	cell := t.Object[args[1]]
	for g := range gaps {
		a, b := args[2*g], args[2*g+1]
		if !w.is(b) || t.Object[b] != cell {
			return nil, errors.New("no gap")
		}
		if u, ok := f.needs(t, b); !ok || u != v {
			return nil, errors.New("not all need the same value")
		}
		if a == Initial {
			if g > 0 || w.Unknown || t.Init[cell] == v {
				return nil, errors.New("the gap does not start at the start")
			}
			continue
		}
		if !w.is(a) || t.Object[a] != cell || !f.avoids(t, a, v) || a == b || !f.less(a, b) {
			return nil, errors.New("the value may be there when the gap starts")
		}
		if last := args[max(0, 2*g-1)]; g > 0 && a != last && !f.less(last, a) {
			return nil, errors.New("the gaps are not one after the other")
		}
	}
	writers := 0
	for _, x := range w.members[cell] {
		if !f.possible(t, x, func(m model.Mode) bool { return m.Leaves != v }) && f.fits(args, x) {
			writers++
		}
	}
	if writers >= gaps {
		return nil, fmt.Errorf("%d operations can fill %d gaps", writers, gaps)
	}
	return refuted(given), nil
}

// fits says whether x may lie in one of the gaps, which are one after the other.
func (f *facts) fits(gaps []int32, x int32) bool {
	from := 0 // the first gap that may hold it
	for g := 0; 2*g < len(gaps); g++ {
		if b := gaps[2*g+1]; b == x || f.less(b, x) {
			from = g + 1
		}
	}
	if 2*from == len(gaps) {
		return false
	}
	to := len(gaps)/2 - 1
	for g := to; g >= 0; g-- {
		if a := gaps[2*g]; a >= 0 && (a == x || f.less(x, a)) {
			to = g - 1
		}
	}
	return from <= to
}

// taken is COUNT of cells.
func (w *Window) taken(t *model.RegisterTheory, args []int32, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	if len(args) < 3 || !w.is(args[2]) {
		return nil, errors.New("nothing is taken")
	}
	from, to, takings := args[0], args[1], args[2:]
	v, ok := f.needs(t, takings[0])
	if !ok {
		return nil, errors.New("it is not certain what is taken")
	}
	cell := t.Object[takings[0]]
	there := 1 // how often the value may be v without anybody making it so
	switch {
	case from == Initial && !w.Unknown:
		if t.Init[cell] != v {
			there = 0
		}
	case from == Before && w.Unknown:
	case w.is(from) && t.Object[from] == cell:
		if f.avoids(t, from, v) {
			there = 0
		}
	default:
		return nil, errors.New("no start")
	}
	if to != NoOp && (!w.is(to) || t.Object[to] != cell) {
		return nil, errors.New("no end")
	}
	seen := map[int32]bool{}
	for _, x := range takings {
		if !w.is(x) || seen[x] || x == from || t.Object[x] != cell {
			return nil, errors.New("not different takings from one cell")
		}
		seen[x] = true
		if !f.certainly(t, x, func(m model.Mode) bool {
			return m.Test == model.Is && m.V == v && m.Leaves != model.Keep && m.Leaves != v
		}) {
			return nil, errors.New("it does not certainly take the value away")
		}
		if from >= 0 && !f.less(from, x) || to != NoOp && x != to && !f.less(x, to) {
			return nil, errors.New("a taking is outside")
		}
	}
	for _, x := range w.members[cell] {
		if x == from || x == to || from >= 0 && f.less(x, from) || to != NoOp && f.less(to, x) {
			continue
		}
		if !f.possible(t, x, func(m model.Mode) bool { return m.Leaves != v }) {
			there++
		}
	}
	if there >= len(takings) {
		return nil, errors.New("it can be put back often enough")
	}
	return refuted(given), nil
}
