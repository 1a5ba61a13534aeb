package lineup

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// straight is a program of loads, stores and updates without branches.
type straight [][]schedule.Access

func randomStraight(r *rand.Rand) straight {
	p := make(straight, 2+r.IntN(2))
	for t := range p {
		for range 1 + r.IntN(5-len(p)) {
			kind := []schedule.Kind{schedule.Read, schedule.Read, schedule.Write, schedule.Write, schedule.Write,
				schedule.Update}[r.IntN(6)]
			p[t] = append(p[t], schedule.Access{Loc: int32(r.IntN(2)), Loc2: schedule.NoLocation, Thread: int32(t),
				Kind: kind, Op: int32(t)})
		}
	}
	return p
}

// interleavings calls visit with every interleaving.
func (p straight) interleavings(visit func([]schedule.Access)) {
	at := make([]int, len(p))
	var run []schedule.Access
	var walk func()
	walk = func() {
		done := true
		for t := range p {
			if at[t] < len(p[t]) {
				done = false
				run = append(run, p[t][at[t]])
				at[t]++
				walk()
				at[t]--
				run = run[:len(run)-1]
			}
		}
		if done {
			visit(run)
		}
	}
	walk()
}

// place is an access of a program; {-1, loc} stands for the initial value of a location.
type place [2]int

// buffered reports whether a machine with store buffers has an execution of the program whose
// values no interleaving explains: the order of threads, who reads from whom, and the order of
// stores are not acyclic together.
func (p straight) buffered() bool {
	at, buffers := make([]int, len(p)), make([][]place, len(p))
	orders := [2][]place{{{-1, 0}}, {{-1, 1}}} // stores to each location as they reach memory
	from := map[place]place{}
	var walk func() bool
	walk = func() bool {
		done := true
		for t := range p {
			if len(buffers[t]) > 0 { // the oldest store reaches memory
				done = false
				s := buffers[t][0]
				loc := p[s[0]][s[1]].Loc
				buffers[t], orders[loc] = buffers[t][1:], append(orders[loc], s)
				found := walk()
				orders[loc] = orders[loc][:len(orders[loc])-1]
				buffers[t] = append([]place{s}, buffers[t]...)
				if found {
					return true
				}
			}
			if at[t] == len(p[t]) {
				continue
			}
			a, here := p[t][at[t]], place{t, at[t]}
			if a.Kind == schedule.Update && len(buffers[t]) > 0 {
				continue
			}
			done = false
			source := orders[a.Loc][len(orders[a.Loc])-1]
			for _, s := range buffers[t] {
				if p[s[0]][s[1]].Loc == a.Loc {
					source = s
				}
			}
			at[t]++
			saved := buffers[t]
			if a.Kind == schedule.Write {
				buffers[t] = append(slices.Clone(saved), here)
			} else {
				from[here] = source
			}
			if a.Kind == schedule.Update {
				orders[a.Loc] = append(orders[a.Loc], here)
			}
			found := walk()
			if a.Kind == schedule.Update {
				orders[a.Loc] = orders[a.Loc][:len(orders[a.Loc])-1]
			}
			delete(from, here)
			buffers[t] = saved
			at[t]--
			if found {
				return true
			}
		}
		return done && !p.explained(from, orders)
	}
	return walk()
}

func (p straight) explained(from map[place]place, orders [2][]place) bool {
	numbers := map[place]int{}
	for t := range p {
		for i := range p[t] {
			numbers[place{t, i}] = len(numbers)
		}
	}
	later := make([]set, len(numbers))
	for i := range later {
		later[i] = newSet(len(numbers))
	}
	edge := func(a, b place) {
		if a[0] >= 0 && a != b {
			later[numbers[a]].add(numbers[b])
		}
	}
	for t := range p {
		for i := 1; i < len(p[t]); i++ {
			edge(place{t, i - 1}, place{t, i})
		}
	}
	for _, order := range orders {
		for i := 1; i < len(order); i++ {
			edge(order[i-1], order[i])
		}
	}
	for load, store := range from {
		edge(store, load)
		order := orders[p[load[0]][load[1]].Loc]
		if next := slices.Index(order, store) + 1; next < len(order) {
			edge(load, order[next])
		}
	}
	return acyclic(later)
}

// TestStoreBuffers compares with a machine that has them: some interleaving is warned of if and
// only if the machine leaves sequential consistency.
func TestStoreBuffers(t *testing.T) {
	rounds := testenv.Scale(800, 20000)
	weak := 0
	for seed := range uint64(rounds) {
		p := randomStraight(rand.New(rand.NewPCG(seed, 11)))
		warned := false
		p.interleavings(func(run []schedule.Access) { warned = warned || storeBuffers(run) })
		want := p.buffered()
		require.Equal(t, want, warned, "seed %d: %v", seed, p)
		if want {
			weak++
		}
	}
	assert.Greater(t, weak, testenv.MoreThan(rounds/100))
	assert.Less(t, weak, rounds*19/20)
}

// TestLitmus: the known programs, by their usual names.
func TestLitmus(t *testing.T) {
	w, r, u := schedule.Write, schedule.Read, schedule.Update
	for _, c := range []struct {
		name    string
		threads [][]any // kind, location, kind, location, ...
		weak    bool
	}{
		{"store buffering", [][]any{{w, 0, r, 1}, {w, 1, r, 0}}, true},
		{"with fences", [][]any{{u, 0, r, 1}, {u, 1, r, 0}}, false},
		{"with one fence", [][]any{{u, 0, r, 1}, {w, 1, r, 0}}, true},
		{"message passing", [][]any{{w, 0, w, 1}, {r, 1, r, 0}}, false},
		{"load buffering", [][]any{{r, 0, w, 1}, {r, 1, w, 0}}, false},
		{"forwarding", [][]any{{w, 0, r, 0, r, 1}, {w, 1, r, 1, r, 0}}, true},
		{"n6", [][]any{{w, 0, r, 0, r, 1}, {w, 1, w, 0}}, true},
		{"write to read causality", [][]any{{w, 0}, {r, 0, w, 1}, {r, 1, r, 0}}, false},
		{"a store apart", [][]any{{w, 1, r, 0}, {w, 0, r, 1}, {w, 1}}, true},
	} {
		p := make(straight, len(c.threads))
		for k, words := range c.threads {
			for i := 0; i < len(words); i += 2 {
				p[k] = append(p[k], schedule.Access{Kind: words[i].(schedule.Kind), Loc: int32(words[i+1].(int)),
					Loc2: schedule.NoLocation, Thread: int32(k), Op: int32(k)})
			}
		}
		warned := false
		p.interleavings(func(run []schedule.Access) { warned = warned || storeBuffers(run) })
		assert.Equal(t, c.weak, p.buffered(), c.name)
		assert.Equal(t, c.weak, warned, c.name)
	}
}

// TestSerializable compares with all serial orders of the transactions.
func TestSerializable(t *testing.T) {
	yes := 0
	const rounds = 3000
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 12))
		var run []schedule.Access
		op := map[int32]int32{}
		for range 2 + r.IntN(7) {
			thread := int32(r.IntN(3))
			if r.IntN(3) == 0 {
				op[thread]++
			}
			kind := []schedule.Kind{schedule.Read, schedule.Write}[r.IntN(2)]
			run = append(run, schedule.Access{Loc: int32(r.IntN(3)), Loc2: schedule.NoLocation, Thread: thread,
				Kind: kind, Op: thread*100 + op[thread]})
		}
		want := serialOrder(run)
		require.Equal(t, want, serializable(run), "seed %d", seed)
		if want {
			yes++
		}
	}
	assert.Greater(t, yes, testenv.MoreThan(rounds/10))
	assert.Less(t, yes, rounds*9/10)
}

// serialOrder reports whether the transactions can be put in an order that keeps that of threads
// and of conflicting accesses.
func serialOrder(run []schedule.Access) bool {
	var ops []int32
	for i := range run {
		if !slices.Contains(ops, run[i].Op) {
			ops = append(ops, run[i].Op)
		}
	}
	var order []int32
	var walk func() bool
	walk = func() bool {
		if len(order) == len(ops) {
			for j := range run {
				for i := range j {
					a, b := &run[i], &run[j]
					if (a.Thread == b.Thread || a.Conflicts(b)) &&
						slices.Index(order, a.Op) > slices.Index(order, b.Op) {
						return false
					}
				}
			}
			return true
		}
		for _, o := range ops {
			if !slices.Contains(order, o) {
				order = append(order, o)
				if walk() {
					return true
				}
				order = order[:len(order)-1]
			}
		}
		return false
	}
	return walk()
}

// TestDataRaces: by a lock, an atomic flag, or nothing.
func TestDataRaces(t *testing.T) {
	object := &explore.Object{Name: "x", New: func(m *mem.Memory) explore.Instance {
		x, flag, lock, rw := mem.NewVar(m, "x", 0), mem.NewAtomic(m, "flag", false), mem.NewMutex(m, "lock"),
			mem.NewRWMutex(m, "rw")
		return func(f string, _ any) any {
			switch f {
			case "bare":
				x.Store(1)
			case "look":
				return x.Load()
			case "locked":
				lock.Lock()
				x.Store(x.Load() + 1)
				lock.Unlock()
			case "publish":
				x.Store(1)
				flag.Store(true)
			case "consume":
				if flag.Load() {
					return x.Load()
				}
			case "writer":
				rw.Lock()
				x.Store(1)
				rw.Unlock()
			case "reader":
				rw.RLock()
				x.Load()
				rw.RUnlock()
			case "intruder":
				rw.RLock()
				x.Store(2)
				rw.RUnlock()
			}
			return nil
		}
	}}
	for _, c := range []struct {
		threads [][]explore.Call
		races   bool
	}{
		{threads("bare", "look"), true}, {threads("bare", "bare"), true}, {threads("look", "look"), false},
		{threads("locked", "locked"), false}, {threads("locked", "look"), true},
		{threads("publish", "consume"), false}, {threads("publish", "consume publish"), true},
		{threads("writer", "reader", "writer"), false}, {threads("reader", "intruder"), true},
		{threads("writer", "intruder"), false},
	} {
		s := &accessing{Strategy: schedule.Exhaustive()}
		races := false
		_, err := explore.Run((&explore.Case{Object: object, Threads: c.threads}).Program(), s, explore.Options{},
			func(*explore.Execution) bool {
				races = races || len(dataRaces(s.accesses)) > 0
				return true
			})
		require.NoError(t, err)
		assert.Equal(t, c.races, races, "%v", c.threads)
	}
}

// TestCompare: an unlocked counter loses updates; the executions that do not are no violations.
func TestCompare(t *testing.T) {
	racy := &explore.Object{Name: "racy", New: func(m *mem.Memory) explore.Instance {
		n := mem.NewVar(m, "n", 0)
		return func(f string, _ any) any {
			if f == "get" {
				return n.Load()
			}
			n.Store(n.Load() + 1)
			return nil
		}
	}, Ops: []explore.Call{{F: "inc"}, {F: "get"}}}
	k, err := Compare(context.Background(), racy, 2, 2, 10, Options{Seed: 1})
	require.NoError(t, err)
	assert.Equal(t, 10, k.Tests)
	assert.Equal(t, []string{"n"}, k.Variables)
	assert.Greater(t, k.Races.Runs, k.Bad)
	assert.Positive(t, k.Races.Benign)
	assert.Positive(t, k.Atomicity.Runs)
	assert.LessOrEqual(t, k.Bad, k.Atomicity.Runs-k.Atomicity.Benign, "a lost update is not serializable")
	s, err := RandomCheck(context.Background(), racy, 2, 2, 10, Options{Seed: 1})
	require.NoError(t, err)
	assert.Equal(t, s.Failed, k.Failed)
	var b bytes.Buffer
	require.NoError(t, WriteComparison(&b, []*Comparison{k}))
	assert.Contains(t, b.String(), "racy")
}
