package search

import (
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// solution is what the dual problem says of a part.
type solution struct {
	status status
	bound  *proof.DualBound // of a refutation
	path   []hop            // of a linearization
	bounds *bounds          // where the multipliers did not decide
}

type status uint8

const (
	stoppedEarly status = iota
	refuted
	linearizable
	undecided
)

// hop is an edge of a path: pending operations, each with the state that it leaves, then at most one completed
// operation and whatever is taken or passed at once, up to a configuration.
type hop struct {
	pending []pendingStep
	layer   int32
	mask    uint64
	state   model.State
	last    bool // the configuration is the end
}

// solve makes the relaxation and moves multipliers on it so many times at most.
func (s *space) solve(b *budget, updates int) (found solution) {
	x := s.relax(b)
	if x == nil {
		return solution{status: stoppedEarly}
	}
	if x.dead >= 0 {
		return solution{status: refuted, bound: &proof.DualBound{}}
	}
	p := newPricing(x)
	found.status = p.settleOn(updates)
	switch found.status {
	case linearizable:
		found.path = p.hops()
	case refuted:
		found.bound = p.refutation()
	case undecided:
		found.bounds = newBounds(p)
	}
	return found
}

// hops returns the cheapest path.
func (p *pricing) hops() []hop {
	path := make([]hop, 0, len(p.path))
	for k := len(p.path) - 1; k >= 0; k-- {
		e := p.path[k]
		to := p.to[e]
		path = append(path, hop{p.chains[p.start[p.by[e]]:p.start[p.by[e]+1]], p.layers[to], p.masks[to], p.state[to], to == p.goal()})
	}
	return path
}
