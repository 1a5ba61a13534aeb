package guest

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/deep"
	"github.com/linsat/linsat/internal/model"
)

// Whether states that are taken for one are one to the code, on samples.
//
// What: states are equal by the caller's Equal, or by their contents. An equality that is not
// reflexive or not symmetric, or that takes states for one in which operations differ, makes
// verdicts wrong, so it ends the check with a *Fault.
//
// How: when a step leaves a state that equals a known one and a function can tell them apart, Equal
// is asked the other way round, and some operations are tried in both. They have to be allowed in
// both or in none, and to leave equal states. A new state is compared both ways with some that are
// known.
//
// What is not found: states and operations that are not sampled.
//
// Cost: the first mergesAlways states that a machine meets and one of sampleEvery later ones; for
// those that differ keptSamples operations, in both states.

// met looks at the states that op left in a call of the code: dst has their numbers from from on,
// and those from known on are new. It panics with a *Fault.
func (m *Machine[S]) met(op history.OpID, dst []model.State, from int, known model.State) {
	if m.Plain {
		return
	}
	if m.merges++; m.merges > mergesAlways && m.merges%sampleEvery != 0 {
		return
	}
	for _, k := range dst[from:] {
		s := m.states[k]
		if k >= known {
			for j := range min(k, keptSamples) {
				if m.OwnEqual {
					m.symmetric(m.states[k-1-j], s)
				}
			}
			continue
		}
		for _, n := range m.next {
			if m.Same(s, n) {
				m.one(op, s, n)
			}
		}
	}
}

// one looks whether two states that are taken for one are one. It panics with a *Fault.
func (m *Machine[S]) one(op history.OpID, a, b S) {
	if told(a, b) {
		m.symmetric(a, b)
		m.alike(op, a, b)
	}
}

// told reports whether a function of contents and pointers can tell two states apart.
func told(a, b any) bool {
	one, here, _ := deep.Identity(a)
	two, there, _ := deep.Identity(b)
	return one != two || here != there
}

// symmetric compares two states both ways. It panics with a *Fault.
func (g *Code[S]) symmetric(a, b S) {
	one, two := g.Same(a, b), g.Same(b, a)
	if one == two {
		return
	}
	if two {
		a, b = b, a
	}
	f := g.fault("Equal", -1, g.Attempt(a))
	f.Untrue = fmt.Sprintf("it equals state %s, which does not equal it", g.Attempt(b))
	panic(&f)
}

// alike tries operations in two states that are taken for one: those after op, and some of all. It
// panics with a *Fault.
func (m *Machine[S]) alike(op history.OpID, a, b S) {
	n := history.OpID(m.Partition.Len())
	for k := range min(n, keptSamples) {
		other := (op + 1 + k) % n
		if k%2 == 1 && n > keptSamples {
			other = (op + 1 + k*history.OpID(m.merges)) % n
		}
		x, y, ok := m.both(a, b, other)
		if !ok {
			continue
		}
		why := "is allowed in one of them alone"
		if len(x) > 0 == (len(y) > 0) {
			if m.among(x, y) && m.among(y, x) {
				continue
			}
			why = "leaves states that differ"
		}
		f := m.fault("Equal", -1, m.Attempt(a))
		f.Untrue = fmt.Sprintf("it equals state %s, and operation %s %s", m.Attempt(b),
			m.fault("", other, "").Operation, why)
		if !m.OwnEqual {
			f.Untrue += "; without Equal, states of the same contents are equal: give the model an Equal that tells " +
				"their pointers apart"
		}
		panic(&f)
	}
}

// both returns what an operation leaves in two states. It is not ok if the code panics: in the
// order of time, the operation may never come in such a state.
func (g *Code[S]) both(a, b S, op history.OpID) (x, y []S, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return g.Next(a, op, nil), g.Next(b, op, nil), true
}

// among reports whether each state equals one of the others.
func (g *Code[S]) among(states, others []S) bool {
	if len(states) > mostCompared {
		return true
	}
	return !slices.ContainsFunc(states, func(s S) bool {
		return !slices.ContainsFunc(others, func(t S) bool { return g.Same(s, t) })
	})
}

// unfound is a panic about a state that is not found again.
func (g *Code[S]) unfound(s S) any {
	if !g.OwnEqual {
		return notItself
	}
	f := g.fault("Equal", -1, g.Attempt(s))
	switch {
	case !g.Same(s, s):
		f.Untrue = "that state does not equal itself"
	case g.OwnHash:
		f.Func, f.Impure = "Hash", "it returned one number, and, asked again, another"
	default:
		f.Impure = "it found the state equal to others, and, asked again, not"
	}
	return &f
}

// itself panics with a *Fault if Equal says that a state does not equal itself.
func (g *Code[S]) itself(s S) {
	if g.OwnEqual && !g.Same(s, s) {
		panic(g.unfound(s))
	}
}
