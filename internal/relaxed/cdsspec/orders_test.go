package cdsspec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Random call graphs over registers and queues, and the definition of the modes: all topological
// orders of all calls, without parts, memo or replay.

type small struct{ items []int }

var (
	smallQueue = &Structure{Name: "queue", Init: func() any { return &small{} }}
	enqueue    = &Method{Of: smallQueue, Name: "Enq", Points: []string{"p"},
		Effect: func(s, args, _ any) { q := s.(*small); q.items = append(q.items, args.(int)) }}
	dequeue = &Method{Of: smallQueue, Name: "Deq", Points: []string{"p"},
		Pre: func(s, _, result any) bool {
			q := s.(*small)
			return result == 0 && len(q.items) == 0 || len(q.items) > 0 && q.items[0] == result
		},
		Effect: func(s, _, result any) {
			if result != 0 {
				q := s.(*small)
				q.items = q.items[1:]
			}
		}}
	length = &Method{Of: smallQueue, Name: "Len", Points: []string{"p"},
		Post: func(s, _, result any) bool { return len(s.(*small).items) == result }}
)

// randomCalls orders calls of up to two objects, most of which follow some sequential history.
func randomCalls(rng *rand.Rand) *Ordering {
	n := 1 + rng.IntN(7)
	o := &Ordering{Before: make([]uint64, n), Reach: make([]uint64, n)}
	for i := range 1 + rng.IntN(2) {
		o.Objects = append(o.Objects, Object{smallQueue, i})
	}
	model := make([][]int, len(o.Objects))
	for i := range n {
		object := rng.IntN(len(o.Objects))
		c := Call{Method: []*Method{enqueue, enqueue, dequeue, dequeue, length}[rng.IntN(5)], Outer: -1,
			Args: nil, Result: nil}
		q := &model[object]
		switch c.Method {
		case enqueue:
			c.Args = 1 + rng.IntN(2)
			*q = append(*q, c.Args.(int))
		case dequeue:
			c.Result = 0
			if len(*q) > 0 {
				c.Result, *q = (*q)[0], (*q)[1:]
			}
			if rng.IntN(12) == 0 {
				c.Result = rng.IntN(3)
			}
		case length:
			c.Result = len(*q)
			if rng.IntN(12) == 0 {
				c.Result = rng.IntN(3)
			}
		}
		o.Calls = append(o.Calls, c)
		o.Place = append(o.Place, i)
		o.Nodes = append(o.Nodes, Node{Calls: []int{i}, Object: object})
	}
	density, cross := rng.IntN(5), rng.IntN(3)
	for b := range n {
		for a := range b {
			if (o.Nodes[a].Object == o.Nodes[b].Object || cross == 0) && rng.IntN(5) < density {
				o.Before[b] |= 1 << a
				o.Reach[a] |= 1 << b
			}
		}
	}
	// numbers say nothing about the order
	perm := rng.Perm(n)
	p := &Ordering{Before: make([]uint64, n), Reach: make([]uint64, n), Objects: o.Objects, Calls: make([]Call, n),
		Nodes: make([]Node, n), Place: o.Place}
	for i, j := range perm {
		p.Calls[j] = o.Calls[i]
		p.Nodes[j] = Node{Calls: []int{j}, Object: o.Nodes[i].Object}
		for a := range n {
			if o.Before[i]>>a&1 != 0 {
				p.Before[j] |= 1 << perm[a]
				p.Reach[perm[a]] |= 1 << j
			}
		}
	}
	p.close()
	return p
}

// byDefinition counts the topological orders, and those that pass.
func byDefinition(o *Ordering) (orders, pass int) {
	var extend func(order []int, done uint64)
	extend = func(order []int, done uint64) {
		if len(order) == len(o.Nodes) {
			orders++
			if passes(o, order) {
				pass++
			}
			return
		}
		for i := range o.Nodes {
			if done>>i&1 == 0 && o.Before[i]&^done == 0 {
				extend(append(order, i), done|1<<i)
			}
		}
	}
	extend(nil, 0)
	return
}

// passes replays an order on plain slices.
func passes(o *Ordering, order []int) bool {
	model := make([][]int, len(o.Objects))
	for _, i := range order {
		c, q := &o.Calls[i], &model[o.Nodes[i].Object]
		switch c.Method {
		case enqueue:
			*q = append(slices.Clone(*q), c.Args.(int))
		case dequeue:
			if c.Result == 0 {
				if len(*q) > 0 {
					return false
				}
			} else if len(*q) == 0 || (*q)[0] != c.Result {
				return false
			} else {
				*q = (*q)[1:]
			}
		case length:
			if len(*q) != c.Result {
				return false
			}
		}
	}
	return true
}

// TestModesByDefinition compares all modes, and the question to linsat's engines, with all
// topological orders.
func TestModesByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tried := 6000
	if testing.Short() {
		tried = 600
	}
	mixed, asked := 0, 0
	for n := range tried {
		o := randomCalls(rng)
		orders, pass := byDefinition(o)
		require.Positive(t, orders)
		if pass > 0 && pass < orders {
			mixed++
		}
		for _, mode := range []Mode{Loose, Strict} {
			trial, err := Try(context.Background(), o, mode, 0)
			require.NoError(t, err)
			require.True(t, trial.Decided)
			want := pass > 0
			if mode == Strict {
				want = pass == orders
			}
			require.Equal(t, want, trial.Passed, "mode %d, %d of %d orders pass: %s", mode, pass, orders, describe(o))
			shown(t, o, trial)
		}
		trial, err := Try(context.Background(), o, Random, uint64(n))
		require.NoError(t, err)
		shown(t, o, trial)
		if trial.Passed {
			require.Positive(t, pass)
		} else {
			require.Less(t, pass, orders)
		}
		if n%8 == 0 {
			trial, err := try(context.Background(), o, Loose, 0, 0)
			require.NoError(t, err)
			require.True(t, trial.Decided)
			require.Equal(t, pass > 0, trial.Passed, "asked: %s", describe(o))
			if trial.Engine != "" {
				asked++
			}
		}
	}
	assert.Greater(t, mixed, tried/20)
	assert.Greater(t, asked, tried/40)
}

// shown checks that the order of a trial shows what it says.
func shown(t *testing.T, o *Ordering, trial Trial) {
	t.Helper()
	if trial.Passed {
		require.Len(t, trial.Order, len(o.Nodes))
		require.True(t, passes(o, trial.Order))
	} else if trial.Failure != nil {
		last := len(trial.Order) - 1
		require.Equal(t, trial.Order[last], o.Place[trial.Failure.Call])
		require.True(t, passes(o, trial.Order[:last]))
		require.False(t, passes(o, trial.Order))
	}
	done := map[int]bool{}
	for _, n := range trial.Order {
		for a := range o.Nodes {
			if o.Before[n]>>a&1 != 0 {
				require.True(t, done[a], "%d before its predecessor %d", n, a)
			}
		}
		done[n] = true
	}
}

func describe(o *Ordering) string {
	s := ""
	for i := range o.Calls {
		s += fmt.Sprintf("%d: %s of %d after %b\n", i, &o.Calls[i], o.Nodes[i].Object, o.Before[i])
	}
	return s
}

// TestRandomOrdersDiffer: a seed gives one order, other seeds others.
func TestRandomOrdersDiffer(t *testing.T) {
	o := &Ordering{Before: make([]uint64, 5), Reach: make([]uint64, 5), Objects: []Object{{smallQueue, 0}}}
	for i := range 5 {
		o.Calls = append(o.Calls, Call{Method: enqueue, Outer: -1, Args: i})
		o.Place = append(o.Place, i)
		o.Nodes = append(o.Nodes, Node{Calls: []int{i}})
	}
	seen := map[string]bool{}
	for seed := range uint64(50) {
		a, err := Try(context.Background(), o, Random, seed)
		require.NoError(t, err)
		b, err := Try(context.Background(), o, Random, seed)
		require.NoError(t, err)
		require.Equal(t, a.Order, b.Order)
		seen[fmt.Sprint(a.Order)] = true
	}
	assert.Greater(t, len(seen), 20)
}

// TestUndecided: what takes too many steps is not called passed, except where an engine decides.
func TestUndecided(t *testing.T) {
	o := &Ordering{Before: make([]uint64, 12), Reach: make([]uint64, 12), Objects: []Object{{smallQueue, 0}}}
	for i := range 12 {
		o.Calls = append(o.Calls, Call{Method: enqueue, Outer: -1, Args: i})
		o.Place = append(o.Place, i)
		o.Nodes = append(o.Nodes, Node{Calls: []int{i}})
	}
	trial, err := try(context.Background(), o, Strict, 0, 1000)
	require.NoError(t, err)
	assert.False(t, trial.Decided)
	assert.False(t, trial.Passed)
	trial, err = try(context.Background(), o, Loose, 0, 10)
	require.NoError(t, err)
	assert.True(t, trial.Passed)
	assert.NotEmpty(t, trial.Engine)
}
