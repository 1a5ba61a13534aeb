package explain

// What: a quick refutation of a partition of which few operations returned, and about whose
// specification nothing is known but its steps.
//
// Source: ours, over the just-in-time linearization of Lowe (CCPE'17), breadth first.
//
// What we changed: an operation that never returned may take effect again and again, so a
// configuration is a state and which of the open operations have taken effect. That has more
// linearizations, so its refutation is one of the partition.
//
// Invariant: after a return, the front holds every configuration in which a linearization of what
// returned so far can be.
//
// Cost: the states that are reached times the operations, up to reusedSteps steps and reusedBytes.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// configuration is a state and which of the operations that return have taken effect.
type configuration struct {
	done  uint64
	state model.State
}

// reused reports whether the weakened partition is refuted even so.
func (f *finder) reused(weakening *proof.Weakening) bool {
	weak, _, err := Weaken(f.b, weakening)
	if err != nil || len(weak.Partition.Edges) > 0 {
		return false
	}
	ops := weak.Partition.Ops
	var returns, open []history.OpID
	kinds := map[int32]bool{} // of what never returned, the first one of each kind, by call
	for i := range history.OpID(len(ops)) {
		switch kind := weak.EquivID[i]; {
		case !ops[i].Pending():
			returns = append(returns, i)
		case !kinds[kind]:
			kinds[kind] = true
			open = append(open, i)
		}
	}
	if len(returns) == 0 || len(returns) > 64 {
		return false
	}
	slices.SortFunc(returns, func(x, y history.OpID) int { return int(ops[x].Return - ops[y].Return) })
	m := weak.NewMachine()
	front := map[configuration]bool{{0, m.Init()}: true}
	steps := 0
	for k, v := range returns {
		if f.ctx.Err() != nil {
			return false
		}
		var todo []configuration
		for c := range front {
			todo = append(todo, c)
		}
		var next []model.State
		for len(todo) > 0 {
			c := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			try := func(i history.OpID, done uint64) {
				next = m.Step(c.state, i, next[:0])
				steps++
				for _, s := range next {
					if to := (configuration{done, s}); !front[to] {
						front[to] = true
						todo = append(todo, to)
					}
				}
			}
			for _, i := range open {
				if ops[i].Call < ops[v].Return {
					try(i, c.done)
				}
			}
			for j, i := range returns[k:] {
				if bit := uint64(1) << (k + j); c.done&bit == 0 && ops[i].Call < ops[v].Return {
					try(i, c.done|bit)
				}
			}
			if steps > reusedSteps || len(front) > reusedStates || m.Bytes() > reusedBytes || f.ctx.Err() != nil {
				return false
			}
		}
		for c := range front {
			if c.done>>k&1 == 0 {
				delete(front, c)
			}
		}
		if len(front) == 0 {
			return true
		}
	}
	return false
}
