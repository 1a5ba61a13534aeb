package cdsspec

import (
	"context"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"sync"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/deep"
	"github.com/linsat/linsat/spec"
)

// ask puts the question whether some order passes to linsat: a history in which all calls are
// concurrent but for the explicit order of the points, and a specification whose states are
// numbered. State n is what replaying the n-th prefix leaves.
func (s *orders) ask(ctx context.Context) (Trial, error) {
	var nodes []int
	for m := s.part; m != 0; m &= m - 1 {
		nodes = append(nodes, bits.TrailingZeros64(m))
	}
	n := &numbered{o: s.o, known: map[uint64][]int64{}, prefixes: [][]int{nil},
		states: [][]any{make([]any, len(s.o.Objects))}}
	sp, err := spec.Define(spec.Definition[int64]{
		Name: "annotated",
		Step: func(state int64, c spec.Call) []spec.Outcome[int64] {
			if next, ok := n.step(state, nodes[spec.As[int](c.Arg)]); ok {
				return []spec.Outcome[int64]{{Next: next, AnyOutput: true}}
			}
			return nil
		},
	})
	if err != nil {
		return Trial{}, err
	}
	h, err := concurrent(nodes, s.o)
	if err != nil {
		return Trial{}, err
	}
	r, err := linsat.Check(ctx, sp, h)
	if n.fault != nil {
		return Trial{}, n.fault
	}
	if err != nil {
		return Trial{}, err
	}
	t := Trial{Passed: r.Verdict == linsat.Linearizable, Decided: r.Verdict != linsat.Unknown, Engine: "linsat"}
	if len(r.Engines) > 0 {
		t.Engine = r.Engines[0]
	}
	if t.Passed {
		for _, op := range r.Witness {
			i, _ := h.Values.AsInt(h.Ops[op].Arg)
			t.Order = append(t.Order, nodes[i])
		}
		if f, _ := s.all(t.Order); f != nil || len(t.Order) != len(nodes) {
			return Trial{}, fmt.Errorf("cdsspec: engine %s gives an order that does not pass", t.Engine)
		}
		return t, nil
	}
	t.Order, t.Failure = s.longest, s.failure
	return t, nil
}

// concurrent returns the history of the nodes.
func concurrent(nodes []int, o *Ordering) (*history.History, error) {
	b := history.NewBuilder()
	f := b.Values.String("call")
	for i, n := range nodes {
		if _, err := b.Add(history.Record{
			Process: b.ProcessInt(int64(i)), F: f, Key: history.NoKey, Arg: b.Values.Int(int64(i)),
			Result: history.Nil, Return: 1, ID: fmt.Sprint(n),
		}); err != nil {
			return nil, err
		}
	}
	for i, n := range nodes {
		for j, m := range nodes {
			if o.Before[m]>>n&1 != 0 {
				if err := b.Edge(i, j, 0); err != nil {
					return nil, err
				}
			}
		}
	}
	return b.Finish()
}

// numbered numbers the states that prefixes lead to. Engines may ask it from many goroutines.
type numbered struct {
	sync.Mutex
	o        *Ordering
	known    map[uint64][]int64 // hash of the states → numbers
	prefixes [][]int
	states   [][]any
	fault    *Fault
}

// step returns the number of the state that a node leaves, and whether it passes.
func (n *numbered) step(state int64, node int) (int64, bool) {
	n.Lock()
	defer n.Unlock()
	r := replayer{o: n.o}
	path := append(slices.Clone(n.prefixes[state]), node)
	f, _ := r.all(path)
	if r.fault != nil {
		n.fault = r.fault
		return 0, false
	}
	if f != nil {
		return 0, false
	}
	hash, _ := deep.Hash(r.state)
	for _, k := range n.known[hash] {
		if reflect.DeepEqual(n.states[k], r.state) {
			return k, true
		}
	}
	k := int64(len(n.prefixes))
	n.known[hash] = append(n.known[hash], k)
	n.prefixes, n.states = append(n.prefixes, path), append(n.states, r.state)
	return k, true
}
