package dual

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Solution is what the dual problem says of a partition.
type Solution struct {
	Status     Outcome
	Refutation *proof.DualBound // of a refutation
	Path       []Hop            // of a linearization
	Bounds     *Bounds          // where the multipliers did not decide
}

type Outcome uint8

const (
	Stopped Outcome = iota
	Refuted
	Linearizable
	Undecided
)

// Hop is an edge of a path: pending operations, each with the state that it leaves, then at most one completed
// operation and whatever is taken or passed at once, up to a configuration.
type Hop struct {
	Pending []Step
	Layer   int32
	Mask    uint64
	State   model.State
	Last    bool // the configuration is the end
}

// Solve makes the relaxation and moves multipliers on it so many times at most.
func (s *Space) Solve(b *engine.Account, updates int) (found Solution) {
	x := s.relax(b)
	if x == nil {
		return Solution{Status: Stopped}
	}
	if x.dead >= 0 {
		return Solution{Status: Refuted, Refutation: &proof.DualBound{}}
	}
	p := newMultipliers(x)
	found.Status = p.optimize(updates)
	switch found.Status {
	case Linearizable:
		found.Path = p.hops()
	case Refuted:
		found.Refutation = p.refutation()
	case Undecided:
		found.Bounds = newBounds(p)
	}
	return found
}

// hops returns the cheapest path.
func (p *multipliers) hops() []Hop {
	path := make([]Hop, 0, len(p.path))
	for k := len(p.path) - 1; k >= 0; k-- {
		e := p.path[k]
		to := p.to[e]
		path = append(path, Hop{p.chains[p.start[p.by[e]]:p.start[p.by[e]+1]], p.layers[to], p.masks[to], p.state[to], to == p.Goal()})
	}
	return path
}
