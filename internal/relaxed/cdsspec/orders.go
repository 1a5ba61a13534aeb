package cdsspec

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"reflect"

	"github.com/linsat/linsat/internal/deep"
)

// The sequential histories of an execution are the topological orders of its calls. Section 5.3 has
// three modes: an order at random, some order passes, all orders pass.
//
// What we changed: objects whose calls are not ordered with each other are decided separately, and
// two prefixes that hold the same calls and leave the same states are one. A state is known by a
// prefix that leads to it: it is made anew by replay, since the code of a specification changes
// states in place and nothing copies them.
//
// Invariant: what can follow a prefix depends only on the set of its calls and on the states.
// orders_test.go compares all modes with the definition over all topological orders.
// Cost: the number of pairs (set, states) times the length of a replay, at most maxReplayed calls;
// after that the mode that looks for one order asks linsat's engines.

// Mode is which topological orders must pass.
type Mode uint8

// Modes.
const (
	Loose  Mode = iota // some order
	Strict             // all orders
	Random             // one, drawn with a seed
)

// Trial is what replaying orders showed.
type Trial struct {
	Passed  bool
	Decided bool // false: too many orders
	// Order are the nodes in an order that shows it: it passes (Loose, Random), or its last node
	// fails. With Loose the failing one is a longest.
	Order   []int
	Failure *Failure
	Engine  string // of linsat, if one decided
}

// Try replays the orders that the mode asks for. There must be no cycle.
func Try(ctx context.Context, o *Ordering, mode Mode, seed uint64) (Trial, error) {
	return try(ctx, o, mode, seed, maxReplayed)
}

func try(ctx context.Context, o *Ordering, mode Mode, seed uint64, limit int) (Trial, error) {
	whole := Trial{Passed: true, Decided: true}
	for _, part := range o.parts() {
		t, err := tryPart(ctx, o, part, mode, seed, limit)
		if err != nil {
			return t, err
		}
		if t.Decided && !t.Passed {
			return t, nil
		}
		whole.Decided = whole.Decided && t.Decided
		whole.Order = append(whole.Order, t.Order...)
		whole.Engine = max(whole.Engine, t.Engine)
	}
	whole.Passed = whole.Decided
	return whole, nil
}

func tryPart(ctx context.Context, o *Ordering, part uint64, mode Mode, seed uint64, limit int) (Trial, error) {
	s := &orders{replayer: replayer{o: o}, part: part, left: limit, seen: map[uint64][]prefix{}}
	order, total := s.draw(nil)
	if mode == Random || total {
		if mode == Random {
			order, _ = s.draw(rand.New(rand.NewPCG(seed, 0)))
		}
		f, passed := s.all(order)
		if s.fault != nil {
			return Trial{}, s.fault
		}
		if f != nil {
			order = order[:passed+1]
		}
		return Trial{Passed: f == nil, Decided: true, Order: order, Failure: f}, nil
	}
	done := s.search(nil, 0, mode == Strict)
	switch {
	case s.fault != nil:
		return Trial{}, s.fault
	case done && mode == Strict:
		return Trial{Decided: true, Order: s.longest, Failure: s.failure}, nil
	case done:
		return Trial{Passed: true, Decided: true, Order: s.longest}, nil
	case s.left > 0 && mode == Strict:
		return Trial{Passed: true, Decided: true, Order: order}, nil
	case s.left > 0:
		return Trial{Decided: true, Order: s.longest, Failure: s.failure}, nil
	case mode == Loose:
		return s.ask(ctx)
	}
	return Trial{}, nil
}

// parts returns the sets of nodes that can be decided separately: no order leads from one object of
// one set to one of another.
func (o *Ordering) parts() []uint64 {
	var parts []uint64
	byObject := make([]uint64, len(o.Objects))
	for i := range o.Nodes {
		byObject[o.Nodes[i].Object] |= 1 << i
	}
	for _, nodes := range byObject {
		if nodes == 0 {
			continue
		}
		near := nodes
		for m := nodes; m != 0; m &= m - 1 {
			near |= o.Before[bits.TrailingZeros64(m)]
		}
		for m := ^uint64(0) >> (64 - len(o.Nodes)) &^ nodes; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros64(m); o.Before[i]&nodes != 0 {
				near |= byObject[o.Nodes[i].Object]
			}
		}
		kept := parts[:0]
		for _, p := range parts {
			if p&near != 0 {
				nodes |= p
			} else {
				kept = append(kept, p)
			}
		}
		parts = append(kept, nodes)
	}
	return parts
}

type orders struct {
	replayer
	part    uint64
	left    int // calls that may still be replayed
	seen    map[uint64][]prefix
	longest []int // of all prefixes so far
	failure *Failure
}

// prefix is a set of nodes that were replayed, and the states that they left.
type prefix struct {
	nodes uint64
	state []any
}

// ready returns the nodes that can follow a set.
func (s *orders) ready(done uint64) uint64 {
	var ready uint64
	for m := s.part &^ done; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); s.o.Before[i]&s.part&^done == 0 {
			ready |= 1 << i
		}
	}
	return ready
}

// draw returns an order, and reports whether there is no other. Without a source it takes the first
// node each time.
func (s *orders) draw(source *rand.Rand) (order []int, total bool) {
	total = true
	for done := uint64(0); ; {
		ready := s.ready(done)
		if ready == 0 {
			return order, total
		}
		n := bits.OnesCount64(ready)
		total = total && n == 1
		if source != nil {
			for range source.IntN(n) {
				ready &= ready - 1
			}
		}
		i := bits.TrailingZeros64(ready)
		order = append(order, i)
		done |= 1 << i
	}
}

// search looks for an order that fails (strict), or for one that passes. It reports whether it
// found it: longest then is that order.
func (s *orders) search(path []int, done uint64, strict bool) bool {
	ready := s.ready(done)
	if ready == 0 && !strict {
		s.longest, s.failure = append([]int(nil), path...), nil
		return true
	}
	for m := ready; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		longer := append(path[:len(path):len(path)], i)
		if s.left -= len(longer); s.left <= 0 {
			return false
		}
		f, _ := s.all(longer)
		if s.fault != nil {
			return false
		}
		if f != nil {
			if strict || len(longer) > len(s.longest) {
				s.longest, s.failure = longer, f
			}
			if strict {
				return true
			}
			continue
		}
		if s.known(done | 1<<i) {
			continue
		}
		if s.search(longer, done|1<<i, strict) {
			return true
		}
		if s.fault != nil || s.left <= 0 {
			return false
		}
	}
	return false
}

// known reports whether the set was reached with these states before, and notes it.
func (s *orders) known(nodes uint64) bool {
	hash, _ := deep.Hash(s.state)
	hash ^= nodes * 0x9e3779b97f4a7c15
	for _, p := range s.seen[hash] {
		if p.nodes == nodes && reflect.DeepEqual(p.state, s.state) {
			return true
		}
	}
	s.seen[hash] = append(s.seen[hash], prefix{nodes, s.state})
	return false
}
