package dual

// What: the one question that the search asks: does the dual problem decide the partition?
//
// Source: Lagrangian relaxation (doc.go).
//
// Invariants: a path uses no more operations than there are; multipliers of a refutation are those
// that package verify needs.
//
// Cost: the relaxation once, then the updates.

import (
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Solution is the answer of the dual problem.
type Solution struct {
	Status     Outcome
	Refutation *proof.DualBound // if Refuted
	Path       []Hop            // if Linearizable
	Bounds     *Bounds          // if Undecided
}

// Outcome is how solving ended.
type Outcome uint8

const (
	Stopped      Outcome = iota // by a limit, or the graph got too large
	Refuted                     // the partition is not linearizable
	Linearizable                // Path is a linearization
	Undecided                   // Bounds holds what was learned
	Paused                      // it has spent what it may, and can go on
)

// Hop is an edge of a path: pending operations, each with the state that it leaves, then at most
// one completed operation and whatever is taken or passed at once, up to a configuration.
type Hop struct {
	Pending []Step
	Layer   layout.LayerID
	Mask    uint64
	State   model.State
	Last    bool // the configuration is the end
}

// Solver is the dual problem of a partition while it is solved.
type Solver struct {
	graph *relaxation
	*multipliers
}

// Solver begins to solve.
func (s *Space) Solver(b *engine.Account) *Solver { return &Solver{graph: s.newRelaxation(b)} }

// GoOn makes the relaxation and moves multipliers on it, so many times in all at most, and pauses
// after about so many steps.
func (s *Solver) GoOn(steps int64, updates int) (found Solution) {
	until := s.graph.Steps + min(steps, math.MaxInt64-s.graph.Steps)
	if s.multipliers == nil {
		switch found.Status = s.graph.makeLayers(until); found.Status {
		case Refuted:
			found.Refutation = &proof.DualBound{}
			return found
		case Stopped, Paused:
			return found
		}
		s.multipliers = newMultipliers(s.graph)
	}
	switch found.Status = s.optimize(updates, until); found.Status {
	case Linearizable:
		found.Path = s.hops()
	case Refuted:
		found.Refutation = s.refutation()
	case Undecided:
		found.Bounds = newBounds(s.multipliers)
	}
	return found
}

// hops returns the cheapest path.
func (p *multipliers) hops() []Hop {
	path := make([]Hop, 0, len(p.path))
	for k := len(p.path) - 1; k >= 0; k-- {
		e := p.path[k]
		to := p.to[e]
		path = append(path, Hop{p.chains[p.start[p.by[e]]:p.start[p.by[e]+1]], p.layers[to], p.masks[to], p.state[to],
			to == p.goal()})
	}
	return path
}
