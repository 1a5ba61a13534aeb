// Package randomorder makes small partitions with explicit order at random, for tests, and says by
// definition whether their operations can be ordered.
package randomorder

import (
	"math/rand/v2"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Partition returns 2 to 6 operations, some of them pending, with up to as many edges.
func Partition(rng *rand.Rand) *model.Partition {
	n := 2 + rng.IntN(5)
	ranks := rng.Perm(2 * n)
	p := &model.Partition{Ops: make([]history.Op, n)}
	for i := range p.Ops {
		o := &p.Ops[i]
		o.Call, o.Return = history.Rank(min(ranks[2*i], ranks[2*i+1])), history.Rank(max(ranks[2*i], ranks[2*i+1]))
		if rng.IntN(6) == 0 {
			o.Return = history.Never
		}
	}
	for range rng.IntN(n + 1) {
		if x, y := history.OpID(rng.IntN(n)), history.OpID(rng.IntN(n)); x != y {
			p.Edges = append(p.Edges, history.Edge{Before: x, After: y})
		}
	}
	return p
}

// Orderable reports whether the completed operations have an order that extends that of time and
// edges between them. It tries all orders.
func Orderable(p *model.Partition) bool {
	taken := make([]bool, p.Len())
	var goOn func(left int) bool
	goOn = func(left int) bool {
		if left == 0 {
			return true
		}
		for i := range history.OpID(p.Len()) {
			if taken[i] || p.Ops[i].Pending() || !first(p, taken, i) {
				continue
			}
			taken[i] = true
			if goOn(left - 1) {
				return true
			}
			taken[i] = false
		}
		return false
	}
	left := 0
	for i := range p.Ops {
		if !p.Ops[i].Pending() {
			left++
		}
	}
	return goOn(left)
}

// first reports whether nothing that is left comes before operation i.
func first(p *model.Partition, taken []bool, i history.OpID) bool {
	for j := range history.OpID(p.Len()) {
		if !taken[j] && p.Ops[j].Return < p.Ops[i].Call {
			return false
		}
	}
	for _, e := range p.Edges {
		if e.After == i && !taken[e.Before] && !p.Ops[e.Before].Pending() {
			return false
		}
	}
	return true
}
