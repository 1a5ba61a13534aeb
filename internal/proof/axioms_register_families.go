package proof

// The families of axioms of registers, INV, HALL and COUNT: given literals that contradict each
// other (see axioms_register.go).

import (
	"errors"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// possible calls yield with every mode of x that is not known to be wrong, until it returns false.
func (f *facts) possible(t *model.RegisterTheory, x history.OpID, yield func(m model.Mode) bool) bool {
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

// certainly reports whether x takes effect and is holds for all its possible modes.
func (f *facts) certainly(t *model.RegisterTheory, x history.OpID, is func(m model.Mode) bool) bool {
	return f.w.is(x) && f.has(TakesEffect(x)) && f.possible(t, x, is)
}

// values is a set of values; the last entry stands for all values that no operation names.
type values []bool

func (s values) add(v int32) bool {
	if s[v] {
		return false
	}
	s[v] = true
	return true
}

// found adds the values that a mode leaves behind, starting from any of from, and reports whether
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

// Reach returns the values that can be in the cell right before b, starting from what a leaves (a
// may be Init), as far as the given literals tell; the last entry stands for all values that no
// operation names. It is nil if the literals do not imply that a comes first and both take effect.
func (w *Window) Reach(t *model.RegisterTheory, a, b history.OpID, given []Literal) ([]bool, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	return w.reach(t, f, a, b), nil
}

func (w *Window) reach(t *model.RegisterTheory, f *facts, a, b history.OpID) values {
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
	var between []history.OpID
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

func (w *Window) invariant(t *model.RegisterTheory, args []history.OpID, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	if len(args) != 2 {
		return nil, errors.New("the arguments are not two operations, the first of which may be the start")
	}
	now := w.reach(t, f, args[0], args[1])
	if now == nil {
		return nil, errors.New("the given literals do not imply that both take effect, one after the other")
	}
	if !f.possible(t, args[1], func(m model.Mode) bool {
		for v, there := range now {
			if there && m.Allows(int32(v)) {
				return false
			}
		}
		return true
	}) {
		return nil, errors.New("the register can hold a fitting value")
	}
	return refuted(given), nil
}

// needs returns the value that b certainly finds.
func (f *facts) needs(t *model.RegisterTheory, b history.OpID) (v int32, ok bool) {
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

// avoids reports whether the value right after a is certainly not v.
func (f *facts) avoids(t *model.RegisterTheory, a history.OpID, v int32) bool {
	return f.certainly(t, a, func(m model.Mode) bool {
		return m.Leaves != v && (m.Leaves != model.Keep || !m.Allows(v))
	})
}

// becomes is HALL.
func (w *Window) becomes(t *model.RegisterTheory, args []history.OpID, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	gaps := len(args) / 2
	if gaps == 0 || len(args)%2 != 0 || !w.is(args[1]) {
		return nil, errors.New("the arguments are not pairs of operations")
	}
	v, ok := f.needs(t, args[1])
	if !ok {
		return nil, errors.New("it is not certain which value the first operation finds")
	}
	cell := t.Object[args[1]]
	for g := range gaps {
		a, b := args[2*g], args[2*g+1]
		if !w.is(b) || t.Object[b] != cell {
			return nil, errors.New("a pair of operations is not a gap")
		}
		if u, ok := f.needs(t, b); !ok || u != v {
			return nil, errors.New("not all operations need the same value")
		}
		if a == Initial {
			if g > 0 || w.Unknown || t.Init[cell] == v {
				return nil, errors.New("the first gap does not begin at the start")
			}
			continue
		}
		if !w.is(a) || t.Object[a] != cell || !f.avoids(t, a, v) || a == b || !f.less(a, b) {
			return nil, errors.New("the register may hold the value when the gap begins")
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

// fits reports whether x may lie in one of the gaps, which are one after the other.
func (f *facts) fits(gaps []history.OpID, x history.OpID) bool {
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

// taken is COUNT of registers.
func (w *Window) taken(t *model.RegisterTheory, args []history.OpID, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	if len(args) < 3 || !w.is(args[2]) {
		return nil, errors.New("no operation is named")
	}
	from, to, takings := args[0], args[1], args[2:]
	v, ok := f.needs(t, takings[0])
	if !ok {
		return nil, errors.New("it is not certain which value the operations change")
	}
	cell := t.Object[takings[0]]
	there := 1 // how often the value may be v without an operation that leaves v
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
		return nil, errors.New("the beginning of the count is not an operation of the window")
	}
	if to != NoOp && (!w.is(to) || t.Object[to] != cell) {
		return nil, errors.New("the end of the count is not an operation of the window")
	}
	seen := map[history.OpID]bool{}
	for _, x := range takings {
		if !w.is(x) || seen[x] || x == from || t.Object[x] != cell {
			return nil, errors.New("the operations are not distinct operations on one register")
		}
		seen[x] = true
		if !f.certainly(t, x, func(m model.Mode) bool {
			return m.Test == model.Is && m.V == v && m.Leaves != model.Keep && m.Leaves != v
		}) {
			return nil, errors.New("an operation does not certainly change the value")
		}
		if from >= 0 && !f.less(from, x) || to != NoOp && x != to && !f.less(x, to) {
			return nil, errors.New("an operation is not certainly within the range of the count")
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
		return nil, errors.New("the register can get the value back often enough")
	}
	return refuted(given), nil
}
