package guest

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// Whether operations that are said to touch nothing in common commute, tried on pairs that follow
// each other closely, in the states that Probe meets. What is not found: pairs and states that are
// not met there.

// commutes tries an operation with some that follow it. It panics with a *Fault.
func (m *Machine[S]) commutes(s model.State, op history.OpID) {
	for other := op + 1; other <= op+pairedWith && int(other) < m.Partition.Len(); other++ {
		if m.Touches[op] == nil || m.Touches[other] == nil || slices.ContainsFunc(m.Touches[op], func(k int32) bool {
			return slices.Contains(m.Touches[other], k)
		}) {
			continue
		}
		first, second := m.Step(s, op, nil), m.Step(s, other, nil)
		one, sameOther := m.after(first, other, len(second) > 0)
		two, same := m.after(second, op, len(first) > 0)
		why := ""
		switch {
		case !sameOther:
			why = "decides whether that one is allowed"
		case !same:
			why = "is allowed or not depending on whether that one came before"
		case !slices.Equal(one, two):
			why = "leaves other states before that one than after it"
		default:
			continue
		}
		f := m.fault("Pieces", op, m.Attempt(m.states[s]))
		f.Untrue = fmt.Sprintf("it has no piece in common with operation %s, and %s", m.fault("", other, "").Operation,
			why)
		panic(&f)
	}
}

// after returns what an operation leaves in some states, ascending, and whether it is allowed in
// each of them, or in none.
func (m *Machine[S]) after(in []model.State, op history.OpID, allowed bool) (out []model.State, same bool) {
	for _, s := range in {
		before := len(out)
		if out = m.Step(s, op, out); len(out) > before != allowed {
			return nil, false
		}
	}
	return inorder.Distinct(out), true
}
