package certify

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// Witness checks that order proves b's part linearizable: it names every completed
// operation once, pending ones at most once, nothing else; it extends the order of the
// history; and the specification accepts it. Operations are positions in the part.
// It returns nil or what is wrong. Cost: one step of the machine per operation and possible state.
func Witness(b *spec.Bound, order []int32) error {
	if err := complete(b.Part, order); err != nil {
		return err
	}
	if err := inOrder(b.Part, order); err != nil {
		return err
	}
	return accepted(b, order)
}

// complete checks that order is a set of operations of p that holds all completed ones.
func complete(p *spec.Part, order []int32) error {
	taken := make([]bool, p.Len())
	for k, i := range order {
		if i < 0 || int(i) >= p.Len() {
			return fmt.Errorf("place %d names operation %d of %d", k, i, p.Len())
		}
		if taken[i] {
			return fmt.Errorf("operation %s takes effect twice", p.ID(i))
		}
		taken[i] = true
	}
	for i := range taken {
		if !taken[i] && !p.Ops[i].Pending() {
			return fmt.Errorf("operation %s is missing", p.ID(int32(i)))
		}
	}
	return nil
}

// inOrder checks that no operation stands behind one that it precedes. With
// distinct ranks that is: the latest call so far is before the next one's return.
func inOrder(p *spec.Part, order []int32) error {
	latest := int32(-1)
	for k, i := range order {
		if p.Ops[i].Return < latest {
			return fmt.Errorf("operation %s at place %d returned before an earlier one was called", p.ID(i), k)
		}
		latest = max(latest, p.Ops[i].Call)
	}
	if len(p.Edges) == 0 {
		return nil
	}
	place := make([]int, p.Len())
	for k, i := range order {
		place[i] = k + 1
	}
	for _, e := range p.Edges {
		if place[e.Before] > 0 && place[e.After] > 0 && place[e.Before] > place[e.After] {
			return fmt.Errorf("operation %s comes after %s, against the given order", p.ID(e.Before), p.ID(e.After))
		}
	}
	return nil
}

// accepted replays order on a fresh machine, with all states that are possible at each place.
func accepted(b *spec.Bound, order []int32) error {
	m := b.NewMachine()
	states := []spec.State{m.Init()}
	var next []spec.State
	for k, i := range order {
		next = next[:0]
		for _, s := range states {
			next = m.Step(s, i, next)
		}
		if len(next) == 0 {
			return fmt.Errorf("%s refuses operation %s at place %d in state %s", b.Spec.Info().Name, b.Part.ID(i), k, m.Describe(states[0]))
		}
		next = distinct(next)
		states, next = next, states
	}
	return nil
}

func distinct(states []spec.State) []spec.State {
	if len(states) < 2 {
		return states
	}
	seen := make(map[spec.State]bool, len(states))
	out := states[:0]
	for _, s := range states {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// Merged checks that order, over positions of the history, extends the order of h and holds all completed operations:
// what remains to be checked of the witnesses of several parts once each is accepted.
func Merged(h *history.History, order []int32) error {
	whole := spec.Whole(h)
	if err := complete(whole, order); err != nil {
		return err
	}
	return inOrder(whole, order)
}
