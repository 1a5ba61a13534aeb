package localize

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// trie is the interleaving tree built from the schedules that explore.Exhaustive runs, nothing
// merged.
type trie struct {
	explicit
	decisions []int32
	events    []*explore.Event // by child; nil for a data choice
	kids      []*trie
	classes   map[string]string // of the leaves, by the rest of the schedule
}

func (n *trie) child(d int32) *trie {
	if i := slices.Index(n.decisions, d); i >= 0 {
		return n.kids[i]
	}
	kid := &trie{classes: map[string]string{}}
	n.decisions = append(n.decisions, d)
	n.events = append(n.events, nil)
	n.kids = append(n.kids, kid)
	n.children = append(n.children, &kid.explicit)
	return kid
}

func (n *trie) size() int {
	size := 1
	for _, kid := range n.kids {
		size += kid.size()
	}
	return size
}

// build runs every schedule, and fills the tree; it returns nil if there are too many.
func build(t *testing.T, c *explore.Case, most int, fails func(class string) bool) *trie {
	root := &trie{classes: map[string]string{}}
	stats, err := explore.Run(c.Program(), explore.Exhaustive(), explore.Options{Trace: true, MaxRuns: most},
		func(e *explore.Execution) bool {
			class := string(e.Class(nil))
			events := concurrent(e.Events)
			at := root
			for i, d := range e.Schedule {
				at.classes[e.Schedule[i:].String()] = class
				kid := at.child(d)
				if d >= 0 {
					event := events[0]
					events = events[1:]
					k := slices.Index(at.decisions, d)
					if at.events[k] == nil || schedule.Inside(&event.Access).Last {
						at.events[k] = &event
					}
				}
				at = kid
			}
			at.classes[""] = class
			at.fails = fails(class)
			return true
		})
	require.NoError(t, err)
	if !stats.Complete {
		return nil
	}
	return root
}

// race is the way of racing by what the events say: names, kinds, first and last accesses.
func (n *trie) race(i, j int) Race {
	a, b := n.events[i], n.events[j]
	if a == nil || b == nil {
		return Coin
	}
	writes := func(e *explore.Event) bool {
		kind := schedule.Inside(&e.Access).Kind
		return kind != schedule.Read && kind != schedule.Await && kind != schedule.Local
	}
	one, other := schedule.Inside(&a.Access), schedule.Inside(&b.Access)
	same := false
	for _, x := range [...]int32{one.Loc, one.Loc2} {
		for _, y := range [...]int32{other.Loc, other.Loc2} {
			same = same || x >= 0 && x == y
		}
	}
	same = same || strings.HasPrefix(a.Name, "array[") && strings.HasPrefix(b.Name, "array[")
	switch {
	case same && (writes(a) || writes(b)):
		return Data
	case one.Last && other.First || one.First && other.Last:
		return Order
	}
	return Commuting
}

// decisive is the strongest race with a child of another kind, white, black or mixed.
func (n *trie) decisive(taken int) Race {
	kind := func(c *trie) int {
		w, b := c.leaves()
		switch {
		case b == 0:
			return 0
		case w == 0:
			return 1
		}
		return 2
	}
	best := Commuting
	for i := range n.kids {
		if i != taken && kind(n.kids[i]) != kind(n.kids[taken]) {
			best = max(best, n.race(taken, i))
		}
	}
	return best
}

// TestAgainstExhaustive compares labels, counts, sequences and the trace that is chosen with the
// tree of all schedules, on random programs, and checks that accesses that are said to commute do.
func TestAgainstExhaustive(t *testing.T) {
	programs, budget := 80, 8
	if testenv.Full() {
		programs, budget = 1500, 8
	}
	compared, merged, critical, commuting, chosen, racing := 0, 0, 0, 0, 0, 0
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 60))
		c := randomCase(r, budget)
		salt := byte(r.IntN(256))
		share := uint64(2 + r.IntN(6))
		fails := func(class string) bool {
			h := fnv.New64a()
			h.Write(append([]byte(class), salt))
			return h.Sum64()>>7%share == 0
		}
		root := build(t, c, 3000, fails)
		if root == nil {
			continue
		}
		compared++
		f := &finder{ctx: context.Background(), c: c}
		f.classify = func(e *explore.Execution) (outcome, error) {
			return outcome{fails: fails(string(e.Class(nil)))}, nil
		}
		result, err := f.search()
		require.NoError(t, err, "seed %d", seed)
		require.True(t, result.Complete)
		g := result.g
		if len(g.nodes) < root.size() {
			merged++
		}

		full, races := map[string]uint64{}, map[string]uint64{}
		best, any := cost{}, false
		var walk func(n *trie, at int32, s, only Sequence, late int, k cost, last int32, schedule explore.Schedule)
		walk = func(n *trie, at int32, s, only Sequence, late int, k cost, last int32, schedule explore.Schedule) {
			label := n.byDefinition()
			require.Equal(t, label, g.nodes[at].label, "seed %d after %s", seed, schedule)
			w, b := n.leaves()
			require.Equal(t, uint64(w+b), g.nodes[at].traces, "seed %d", seed)
			require.Equal(t, uint64(b), g.nodes[at].failing, "seed %d", seed)
			require.Len(t, g.nodes[at].edges, len(n.kids), "seed %d", seed)
			if len(n.kids) == 0 {
				if !n.fails {
					return
				}
				require.True(t, s.WellFormed() || len(s) == 0 && g.nodes[0].label == Black, "seed %d", seed)
				full[s.String()]++
				races[only.String()]++
				k.late = late
				if !any || k.compare(best) < 0 {
					best, any = k, true
				}
				return
			}
			isCritical := len(n.kids) > 1 && (label == Grey || label == WhiteGrey || label == BlackGrey)
			for i, kid := range n.kids {
				e := slices.IndexFunc(g.nodes[at].edges, func(e edge) bool { return e.decision == n.decisions[i] })
				require.GreaterOrEqual(t, e, 0, "seed %d", seed)
				s2, only2, late2, k2, last2 := s, only, late, k, last
				if isCritical {
					s2 = append(s[:len(s):len(s)], label)
					how := n.decisive(i)
					require.Equal(t, how, g.decisive(&g.nodes[at], e), "seed %d after %s", seed, schedule)
					if how == Commuting {
						k2.commuting++
						late2 = 1
					} else {
						only2 = append(only[:len(only):len(only)], label)
						k2.races++
						late2 = 0
					}
					critical++
				}
				if n.decisions[i] >= 0 {
					k2.steps++
					if n.decisions[i] != last && slices.Contains(n.decisions, last) {
						k2.preemptions++
					}
					last2 = n.decisions[i]
				}
				walk(kid, g.nodes[at].edges[e].child, s2, only2, late2, k2, last2, append(schedule, n.decisions[i]))
			}
			// What is said to commute does: either order leads to the same histories by the same
			// rests of schedules.
			for i := range n.kids {
				for j := range i {
					x, y := n.kids[i], n.kids[j]
					// a coin stands between
					if n.race(i, j) != Commuting || x.decisions[0] < 0 || y.decisions[0] < 0 {
						continue
					}
					x = x.kids[slices.Index(x.decisions, n.decisions[j])]
					y = y.kids[slices.Index(y.decisions, n.decisions[i])]
					require.Equal(t, x.classes, y.classes, "seed %d after %s: %s, %s", seed, schedule, n.events[i].Name,
						n.events[j].Name)
					commuting++
				}
			}
		}
		walk(root, 0, nil, nil, 0, cost{}, -1, nil)
		require.Equal(t, full, counts(result.Patterns(false)), "seed %d", seed)
		require.Equal(t, races, counts(result.Patterns(true)), "seed %d", seed)
		if path := g.choose(nil, false); any && root.byDefinition() != Black {
			chosen++
			require.NotNil(t, path, "seed %d", seed)
			require.Equal(t, best, costOf(g, path), "seed %d", seed)
			require.Zero(t, best.late, "seed %d: a failing trace whose last critical node is a race exists", seed)
			if best.races > 0 {
				racing++
			}
		}
		for text := range full {
			if text == "" {
				continue
			}
			want, err := ParseSequence(text)
			require.NoError(t, err)
			path := g.choose(want, false)
			require.NotNil(t, path, "seed %d: %s", seed, text)
			require.Equal(t, text, sequenceOf(g, path).String())
		}
	}
	t.Logf("%d programs, %d with merged states, %d critical nodes, %d pairs that commute, %d failing traces chosen, "+
		"%d of them by races", compared, merged, critical, commuting, chosen, racing)
	require.Greater(t, compared, programs/2)
	require.Greater(t, merged, compared/3)
	require.Greater(t, commuting, 10*compared)
	require.Greater(t, chosen, compared/4)
	require.Equal(t, chosen, racing)
}

func counts(patterns []Pattern) map[string]uint64 {
	m := map[string]uint64{}
	for _, p := range patterns {
		m[p.Sequence.String()] = p.Traces
	}
	return m
}

// costOf adds up the cost of a path from the root.
func costOf(g *graph, path []int) cost {
	var k cost
	at, last := int32(0), int32(-1)
	for _, i := range path {
		n := &g.nodes[at]
		if n.critical() {
			if g.decisive(n, i) == Commuting {
				k.commuting++
				k.late = 1
			} else {
				k.races++
				k.late = 0
			}
		}
		if d := n.edges[i].decision; d >= 0 {
			k.steps++
			if d != last && n.runs(last) {
				k.preemptions++
			}
			last = d
		}
		at = n.edges[i].child
	}
	return k
}

func sequenceOf(g *graph, path []int) Sequence {
	var s Sequence
	at := int32(0)
	for _, i := range path {
		if n := &g.nodes[at]; n.critical() {
			s = append(s, n.label)
		}
		at = g.nodes[at].edges[i].child
	}
	return s
}

// TestMergingPays: the same labels from far fewer executions.
func TestMergingPays(t *testing.T) {
	counter := &explore.Object{Name: "counters", New: func(m *mem.Memory) explore.Instance {
		x, y := mem.NewInt64(m, "x", 0), mem.NewInt64(m, "y", 0)
		return func(f string, _ any) any {
			v := map[string]*mem.Int64{"x": x, "y": y}[f]
			for range 3 {
				v.Store(v.Load() + 1)
			}
			return v.Load()
		}
	}}
	c := &explore.Case{Object: counter, Threads: [][]explore.Call{{{F: "x"}}, {{F: "y"}}}}
	runs := map[bool]int{}
	for _, unmerged := range []bool{false, true} {
		f := &finder{ctx: context.Background(), c: c, options: Options{Unmerged: unmerged}}
		f.classify = func(*explore.Execution) (outcome, error) { return outcome{}, nil }
		r, err := f.search()
		require.NoError(t, err)
		require.Equal(t, uint64(3432), r.Traces)
		require.Equal(t, White, r.Root)
		runs[unmerged] = r.Runs
	}
	require.Equal(t, 3432, runs[true])
	require.Less(t, runs[false], 60, fmt.Sprint(runs))
}
