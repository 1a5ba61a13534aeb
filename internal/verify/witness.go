package verify

import (
	"cmp"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify/base"
)

// Witness checks that order proves b's partition linearizable: it names every completed operation
// once, pending ones at most once, nothing else; it extends the order of the history; and the
// specification accepts it. Operations are positions in the partition. It returns nil or what is
// wrong. Cost: one step of the machine per operation, and where the specification leaves several
// states, at most one per operation and possible state.
func Witness(b *model.Instance, order []history.OpID) error {
	if err := base.Complete(b.Partition, order); err != nil {
		return err
	}
	if len(order) < model.BesideFrom {
		if err := base.InOrder(b.Partition, order); err != nil {
			return err
		}
		return accepted(b, order)
	}
	var refused error
	replayed := engine.Aside(func() { refused = accepted(b, order) })
	err := base.InOrder(b.Partition, order)
	replayed()
	return cmp.Or(err, refused)
}

// accepted replays order on a fresh machine, step by step as long as each leaves one state only.
func accepted(b *model.Instance, order []history.OpID) error {
	m := b.Judge()
	if r, ok := m.(model.Runner); ok && r.Run(order) == len(order) {
		return nil
	}
	s := m.Init()
	f, _ := m.(model.Forgetter) // what is left behind is not needed again
	next := make([]model.State, 0, 4)
	for k, i := range order {
		if f != nil && k&255 == 255 {
			s = f.Forget(s)
		}
		next = m.Step(s, i, next[:0])
		switch len(next) {
		case 0:
			return refusal(b, m, s, order[k], k)
		case 1:
			s = next[0]
		default:
			return acceptedSomehow(b, order)
		}
	}
	return nil
}

func refusal(b *model.Instance, m model.Machine, s model.State, op history.OpID, place int) error {
	return base.Under("specification", base.Faultf(base.Op(b.Partition, op), "%s refuses it at place %d in state %s",
		b.Spec.Info().Name, place, m.Describe(s)))
}

// acceptedSomehow replays order where operations may leave several states: depth first, since a
// specification that leaves much open has far more states at a place than one needs, and never
// twice from the same state at the same place.
func acceptedSomehow(b *model.Instance, order []history.OpID) error {
	type point struct {
		place int
		state model.State
	}
	m := b.Judge()
	dead := map[point]bool{}
	// of all places so far, those still to be tried, next one last
	states := []model.State{m.Init()}
	from := []int{0}          // where those of each place start
	stuck := point{place: -1} // as far as it went
	var next []model.State
	for {
		k, top := len(from)-1, len(states)-1
		if top < from[k] {
			if k == 0 {
				return refusal(b, m, stuck.state, order[stuck.place], stuck.place)
			}
			from = from[:k]
			dead[point{k - 1, states[top]}] = true
			states = states[:top]
			continue
		}
		if k == len(order) {
			return nil
		}
		s := states[top]
		if dead[point{k, s}] {
			states = states[:top]
			continue
		}
		if next = m.Step(s, order[k], next[:0]); len(next) == 0 && k > stuck.place {
			stuck = point{k, s}
		}
		from = append(from, len(states))
		for i := len(next) - 1; i >= 0; i-- {
			states = append(states, next[i])
		}
	}
}

// Merged checks that order, over positions of the history, extends the order of h and holds all
// completed operations: what remains to be checked of the witnesses of several partitions once each
// is accepted.
func Merged(h *history.History, order []history.OpID) error {
	whole := model.Whole(h)
	if err := base.Complete(whole, order); err != nil {
		return err
	}
	return base.InOrder(whole, order)
}
