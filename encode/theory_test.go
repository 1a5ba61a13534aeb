package encode

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

// Theories are compared with their own meaning here: a machine that executes modes, collections and
// counters straight from the words in spec/theory.go, judged by the oracle.

func newSolver() solver.Solver { return gini.New() }

// toy is a machine whose states are any comparable values.
type toy struct {
	states []any
	number map[any]model.State
	init   any
	step   func(s any, op history.OpID) []any
}

func (t *toy) of(s any) model.State {
	k, ok := t.number[s]
	if !ok {
		k = model.State(len(t.states))
		t.states = append(t.states, s)
		t.number[s] = k
	}
	return k
}

func (t *toy) Init() model.State { return t.of(t.init) }

func (t *toy) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	for _, x := range t.step(t.states[s], op) {
		if k := t.of(x); !slices.Contains(dst, k) {
			dst = append(dst, k)
		}
	}
	return dst
}

func (t *toy) Describe(s model.State) string { return fmt.Sprint(t.states[s]) }
func (t *toy) Bytes() int64                  { return 0 }

// vector is a comparable list.
type vector struct {
	n    int
	v    [48]int32
	more string // what comes after those, four bytes each
}

func vectorOf(s []int32) vector {
	x := vector{n: len(s)}
	k := copy(x.v[:], s)
	var more []byte
	for _, v := range s[k:] {
		more = binary.LittleEndian.AppendUint32(more, uint32(v))
	}
	x.more = string(more)
	return x
}

func (x vector) slice() []int32 {
	s := slices.Clone(x.v[:min(x.n, len(x.v))])
	for k := 0; k < len(x.more); k += 4 {
		s = append(s, int32(binary.LittleEndian.Uint32([]byte(x.more[k:k+4]))))
	}
	return s
}

func cellsMachine(c *model.RegisterTheory) model.Machine {
	return &toy{number: map[any]model.State{}, init: vectorOf(c.Init), step: func(s any, op history.OpID) []any {
		var out []any
		for _, m := range c.Of(op) {
			v := s.(vector)
			if m.Allows(v.v[c.Object[op]]) {
				if m.Leaves != model.Keep {
					v.v[c.Object[op]] = m.Leaves
				}
				out = append(out, v)
			}
		}
		return out
	}}
}

func collectionMachine(c *model.CollectionTheory) model.Machine {
	// The state lists (object, value), in order of insertion.
	var init []int32
	for k, values := range c.Initial {
		values = slices.Clone(values)
		if c.Discipline == model.LIFO {
			slices.Reverse(values)
		}
		for _, v := range values {
			init = append(init, int32(k), v)
		}
	}
	return &toy{number: map[any]model.State{}, init: vectorOf(init), step: func(s any, op history.OpID) []any {
		l := s.(vector).slice()
		if c.Does[op] == model.Insert {
			return []any{vectorOf(append(l, int32(c.Object[op]), c.Value[op]))}
		}
		var own []int // places of this object's values
		for i := 0; i < len(l); i += 2 {
			if l[i] == int32(c.Object[op]) {
				own = append(own, i)
			}
		}
		if len(own) == 0 {
			if c.Value[op] < 0 {
				return []any{s}
			}
			return nil
		}
		var next []int
		switch c.Discipline {
		case model.FIFO:
			next = own[:1]
		case model.LIFO:
			next = own[len(own)-1:]
		default:
			best := c.Rank[l[own[0]+1]]
			for _, i := range own {
				best = min(best, c.Rank[l[i+1]])
			}
			for _, i := range own {
				if c.Rank[l[i+1]] == best {
					next = append(next, i)
				}
			}
		}
		var out []any
		for _, i := range next {
			if v := c.Value[op]; v != model.Anything && v != l[i+1] {
				continue
			}
			if c.Does[op] == model.Peek {
				out = append(out, s)
			} else {
				out = append(out, vectorOf(slices.Delete(slices.Clone(l), i, i+2)))
			}
		}
		return out
	}}
}

func countingMachine(c *model.CountingTheory) model.Machine {
	init := vector{n: len(c.Init)}
	for i, v := range c.Init {
		init.v[i] = int32(v)
	}
	return &toy{number: map[any]model.State{}, init: init, step: func(s any, op history.OpID) []any {
		v := s.(vector)
		if c.Observes[op] && int64(v.v[c.Object[op]]) != c.Observed[op] {
			return nil
		}
		v.v[c.Object[op]] += int32(c.Delta[op])
		return []any{v}
	}}
}

// timing is a random partition without meaning, and the order in which its operations really took
// effect.
type timing struct {
	part *model.Partition
	real []history.OpID // positions; operations that never took effect are missing
}

// newTiming makes n operations, each taking effect at some time within its interval. Ends of
// operations may share a time.
func newTiming(r *rand.Rand, n, width int, pending, edges float64) timing {
	type op struct{ call, at, ret int }
	ops := make([]op, n)
	for i := range ops {
		at := r.IntN(4 * n)
		ops[i] = op{at - r.IntN(width), at, at + r.IntN(width)}
	}
	sort.SliceStable(ops, func(i, j int) bool { return ops[i].call < ops[j].call })
	type event struct{ time, kind, op int }
	var events []event
	for i, o := range ops {
		events = append(events, event{o.call, 0, i}, event{o.ret, 1, i})
	}
	sort.Slice(events, func(i, j int) bool {
		a, b := events[i], events[j]
		return a.time < b.time || a.time == b.time && (a.kind < b.kind || a.kind == b.kind && a.op < b.op)
	})
	p := &model.Partition{Ops: make([]history.Op, n), History: &history.History{Origins: make([]history.Origin, n),
		Values: history.NewBuilder().Values}}
	t := timing{part: p}
	for rank, e := range events {
		if e.kind == 0 {
			p.Ops[e.op].Call = history.Rank(rank)
		} else {
			p.Ops[e.op].Return = history.Rank(rank)
		}
	}
	for i := range p.Ops {
		p.History.Origins[i].Position = int32(i)
		taken := true
		if r.Float64() < pending {
			p.Ops[i].Return, p.Ops[i].Unknown = history.Never, true
			taken = r.IntN(2) == 0
			if taken && r.IntN(2) == 0 {
				ops[i].at += r.IntN(4 * n)
			}
		}
		if taken {
			t.real = append(t.real, history.OpID(i))
		}
	}
	if r.IntN(2) == 0 { // some take effect outside their interval
		for i := range ops {
			if r.IntN(n) == 0 {
				ops[i].at += r.IntN(4*n) - 2*n
			}
		}
	}
	shuffled := slices.Clone(t.real)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	sort.SliceStable(shuffled, func(i, j int) bool { return ops[shuffled[i]].at < ops[shuffled[j]].at })
	t.real = shuffled
	if r.Float64() < edges {
		place := make([]int, n)
		for i := range place {
			place[i] = 4*n + i
		}
		for k, i := range t.real {
			place[i] = k
		}
		for range 1 + r.IntN(4) {
			a, b := history.OpID(r.IntN(n)), history.OpID(r.IntN(n))
			if place[a] > place[b] {
				a, b = b, a
			}
			if a != b {
				p.Edges = append(p.Edges, history.Edge{Before: a, After: b})
			}
		}
		sort.Slice(p.Edges, func(i, j int) bool { return p.Edges[i].After < p.Edges[j].After })
	}
	return t
}

// size draws how many operations a history has: mostly few.
func size(r *rand.Rand) int {
	if r.IntN(8) == 0 {
		return 9 + r.IntN(3)
	}
	return 3 + r.IntN(6)
}

// sigs numbers operations by what show says of them.
func sigs(n int, show func(i int) string) []int32 {
	seen := map[string]int32{}
	out := make([]int32, n)
	for i := range out {
		k, ok := seen[show(i)]
		if !ok {
			k = int32(len(seen))
			seen[show(i)] = k
		}
		out[i] = k
	}
	return out
}

// agree checks one partition: the verdict against the oracle, the witness by replay.
func agree(t *testing.T, b *model.Instance, what func() string) engine.Verdict {
	t.Helper()
	answer, err := newSAT(newSolver).Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err, what())
	want := engine.NotLinearizable
	if ok, _ := oracle.Linearizable(b); ok {
		want = engine.Linearizable
	}
	if want != answer.Verdict {
		require.Equal(t, want, answer.Verdict, "%s %s %s", answer.Cause, answer.Detail, what())
	}
	if want == engine.Linearizable {
		if err := oracle.Replay(b, answer.Witness); err != nil {
			require.NoError(t, err, what())
		}
	}
	return want
}

func describe(seed uint64, b *model.Instance, show func(i int) string) string {
	s := fmt.Sprintf("seed %d\n", seed)
	for i, o := range b.Partition.Ops {
		s += fmt.Sprintf("  #%d [%d,%d] %s\n", i, o.Call, o.Return, show(i))
	}
	return s + fmt.Sprint("  edges ", b.Partition.Edges)
}

// compare runs a generator over many seeds and asks for both verdicts.
func compare(t *testing.T, make func(r *rand.Rand) (*model.Instance, func(i int) string)) {
	t.Helper()
	var verdicts [3]int
	n := testenv.Scale(600, 8000)
	for seed := range uint64(n) {
		b, show := make(rand.New(rand.NewPCG(seed, 7)))
		verdicts[agree(t, b, func() string { return describe(seed, b, show) })]++
	}
	t.Logf("%d linearizable, %d not", verdicts[engine.Linearizable], verdicts[engine.NotLinearizable])
	require.Greater(t, verdicts[engine.Linearizable], testenv.MoreThan(n/20))
	require.Greater(t, verdicts[engine.NotLinearizable], testenv.MoreThan(n/20))
}

// part makes a partition of operations given as call, return (0: pending) and edges.
func part(ops [][2]history.Rank, edges ...history.Edge) *model.Partition {
	p := &model.Partition{History: &history.History{Origins: make([]history.Origin, len(ops)),
		Values: history.NewBuilder().Values}, Edges: edges}
	for i, o := range ops {
		p.History.Origins[i].Position = int32(i)
		if o[1] == 0 {
			o[1] = history.Never
		}
		p.Ops = append(p.Ops, history.Op{Call: o[0], Return: o[1], Unknown: o[1] == history.Never})
	}
	return p
}

// An edge out of a pending insertion that turns out to have been taken: the removal must follow it,
// the edge says the opposite. (Once the order was fixed after a clause spoke of its variable, and
// the clause never learnt of it.)
func TestExplicitOrderOfATakenInsertionHolds(t *testing.T) {
	c := &model.CollectionTheory{Object: []model.CellID{0, 0}, Does: []model.Action{model.Insert, model.Remove},
		Value: []int32{0, 0}, Initial: [][]int32{nil}, Values: 1}
	b := &model.Instance{Partition: part([][2]history.Rank{{0, 0}, {1, 2}}, history.Edge{Before: 1, After: 0}),
		Theory: c, EquivID: []int32{0, 1},
		NewMachine: func() model.Machine { return collectionMachine(c) }}
	require.Equal(t, engine.NotLinearizable, agree(t, b, func() string { return "" }))
}

// An edge out of a pending operation that did not take effect orders nothing: write 1 comes before
// the pending write by real time, that one before the read of 0 by an edge, and yet the read of 0
// may come first of all. If the pending write is needed, it may not.
func TestExplicitOrderOfAnAbsentInsertionDoesNotHold(t *testing.T) {
	c := &model.RegisterTheory{Object: make([]model.CellID, 6), Init: []int32{0}, Values: 3,
		First: []int32{0, 1, 2, 3, 4, 5, 7},
		Modes: []model.Mode{is(0, model.Keep), {Leaves: 1}, {Leaves: 2}, is(1, model.Keep), is(2, 0), is(0, model.Keep),
			is(1, model.Keep)}}
	b := &model.Instance{Partition: part([][2]history.Rank{{0, 7}, {1, 2}, {3, 0}, {4, 5}, {8, 0}, {9, 10}},
		history.Edge{Before: 2, After: 0}), Theory: c,
		EquivID: []int32{0, 1, 2, 3, 4, 5}, NewMachine: func() model.Machine { return cellsMachine(c) }}
	require.Equal(t, engine.Linearizable, agree(t, b, func() string { return "" }))
	c.Modes[6] = is(0, model.Keep)
	require.Equal(t, engine.NotLinearizable, agree(t, b, func() string { return "" }))
	b.Partition.Edges = nil
	require.Equal(t, engine.Linearizable, agree(t, b, func() string { return "" }))
}
