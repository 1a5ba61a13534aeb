package wgl

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tally counts what the random tests have met, so that they can insist on having met everything.
type tally struct{ yes, no, pendingUsed, completeFrontiers, galloped, words, wordsRefuted int }

// judge compares the engine with brute force on one partition: verdict, witness, failure,
// invariants.
func judge(t require.TestingT, p *model.Partition, s model.Spec, seen *tally) {
	b, err := s.Bind(p)
	require.NoError(t, err)
	want, _ := oracle.Linearizable(b)

	r, answer := start(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NotNil(t, r, "%+v", answer)
	r.inspect = func() { checkInvariants(t, r) }
	got := r.search()
	require.NoError(t, r.broken)
	require.NotEqual(t, gaveUp, got, "cause %v", r.Cause)
	require.Equal(t, want, got == found, "brute force says %v\n%s", want, randomspec.Show(p))
	judgeWord(t, r, got, seen)
	if got == found {
		seen.yes++
		require.NoError(t, oracle.Replay(b, r.linearization()), "witness %v\n%s", r.linearization(), randomspec.Show(p))
		seen.pendingUsed += len(r.linearization()) - len(r.Returns)
	} else {
		r.undo(0)
		checkInvariants(t, r)
		require.Equal(t, r.Machine.Init(), r.state)
		require.Empty(t, r.frames)
		require.Empty(t, r.pendingClosure)
		require.Empty(t, r.blocked)
		require.Empty(t, r.cands)
	}

	full, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	require.Equal(t, map[bool]engine.Verdict{true: engine.Linearizable, false: engine.NotLinearizable}[want], full.Verdict)
	mostConflicts := defaultPlan.plain
	if r.counted != nil {
		mostConflicts = int64(len(r.Returns))
	}
	if r.conflicts < mostConflicts { // the first phase ends
		require.Equal(t, r.Steps, full.Effort.Steps)
	}
	require.Equal(t, full.Verdict == engine.NotLinearizable, full.Failure != nil)
	if full.Verdict == engine.Linearizable {
		require.NoError(t, oracle.Replay(b, full.Witness))
		return
	}
	seen.no++
	judgeFailure(t, p, s, full.Failure, seen)
	if int(r.deepest) < int(r.Layer[full.Failure.Op]) {
		seen.galloped++
	}
}

// judgeWord compares the search on one word with a run that has ended: it visits the same nodes in
// the same order.
func judgeWord(t require.TestingT, r *run, got outcome, seen *tally) {
	answer, ok := New(VerdictOnly()).searchWord(context.Background(), r.Instance, nil)
	if !ok {
		return
	}
	seen.words++
	require.Zero(t, r.Classes)
	require.Equal(t, engine.Effort{Steps: r.Steps, States: int64(r.Top) + 1, Nodes: r.nodes}, answer.Effort, randomspec.Show(r.Instance.Partition))
	if got == found {
		require.Equal(t, engine.Linearizable, answer.Verdict)
		require.Equal(t, r.linearization(), answer.Witness, randomspec.Show(r.Instance.Partition))
		return
	}
	seen.wordsRefuted++
	require.Equal(t, engine.NotLinearizable, answer.Verdict)
}

// judgeFailure compares the shortest violating prefix and what was possible before it with brute
// force.
func judgeFailure(t require.TestingT, p *model.Partition, s model.Spec, f *engine.Failure, seen *tally) {
	returns := []history.OpID{}
	for i := range p.Ops {
		if !p.Ops[i].Pending() {
			returns = append(returns, history.OpID(i))
		}
	}
	slices.SortFunc(returns, func(a, b history.OpID) int { return int(p.Ops[a].Return - p.Ops[b].Return) })
	bind := func(q *model.Partition) *model.Instance {
		b, err := s.Bind(q)
		require.NoError(t, err)
		return b
	}
	for _, v := range returns {
		prefix := bind(p.Prefix(p.Ops[v].Return))
		if len(oracle.Configurations(prefix, prefix.NewMachine(), prefix.Partition.Len())) == 0 {
			require.Equal(t, v, f.Op, "the shortest violating prefix ends with the return of %d\n%s", v, randomspec.Show(p))
			break
		}
		require.NotEqual(t, v, f.Op, "the prefix is linearizable\n%s", randomspec.Show(p))
	}
	require.Equal(t, p.Ops[f.Op].Return, f.Cut)
	before := bind(p.Prefix(f.Cut - 1))
	require.NoError(t, oracle.Replay(before, f.Longest), "longest\n%s", randomspec.Show(p))

	// Some specifications keep of a state only what the results of the partition can tell: the
	// victim's too.
	q, n := beforeReturn(p, f.Op, f.Cut)
	require.Equal(t, before.Partition.Ops, q.Ops[:n])
	ways := possible(bind(q), n)
	// what is open then demands others that return later
	maps.DeleteFunc(ways, func(_ string, w usage) bool {
		return slices.ContainsFunc(q.Demands, func(e history.Edge) bool {
			return (slices.Contains(w.used, e.After) || !q.Ops[e.After].Pending()) && !slices.Contains(w.used, e.Before)
		})
	})
	require.NotEmpty(t, f.Frontier)
	require.LessOrEqual(t, len(f.Frontier), maxFrontier)
	listed := map[string]bool{}
	for _, c := range f.Frontier {
		name := usage{c.Linearized, c.State}.name()
		require.Contains(t, ways, name, "%s is not possible before operation %d returns\n%s", name, f.Op, randomspec.Show(p))
		require.False(t, listed[name], "%s twice", name)
		listed[name] = true
		require.NotEmpty(t, c.Refusals)
		require.Equal(t, f.Op, c.Refusals[0].Op)
		for _, r := range c.Refusals {
			require.NotEmpty(t, r.Why, "%+v of %d\n%s", c, f.Op, randomspec.Show(p))
		}
	}
	if !f.Complete {
		return
	}
	seen.completeFrontiers++
	// Every possible configuration is a listed one with the same state and perhaps more operations.
	for name, w := range ways {
		covered := false
		for _, c := range f.Frontier {
			covered = covered || coveredBy(before, w, c)
		}
		require.True(t, covered, "%s is possible before %d returns, but not in %v\n%s", name, f.Op, f.Frontier, randomspec.Show(p))
	}
}

// coveredBy reports whether configuration c is the named one with perhaps fewer operations, up to
// interchangeable ones.
func coveredBy(b *model.Instance, w usage, c engine.Configuration) bool {
	left := map[int32]int{}
	for _, v := range w.used {
		left[b.EquivID[v]]++
	}
	for _, v := range c.Linearized {
		left[b.EquivID[v]]--
		if left[b.EquivID[v]] < 0 {
			return false
		}
	}
	return w.state == c.State
}

// usage is a configuration after all completed operations.
type usage struct {
	used  []history.OpID
	state string
}

func (w usage) name() string { return fmt.Sprintf("%v %s", w.used, w.state) }

// possible lists, by brute force, the pending operations used and the state after every total order
// of all completed and some pending ones of the first n operations that the specification accepts.
func possible(b *model.Instance, n int) map[string]usage {
	p, m := b.Partition, b.NewMachine()
	type point struct {
		done  uint64
		state model.State
	}
	precedes := func(a, c int) bool {
		return p.Ops[a].Return < p.Ops[c].Call || slices.Contains(p.Edges, history.Edge{Before: history.OpID(a), After: history.OpID(c)})
	}
	seen, out := map[point]bool{}, map[string]usage{}
	var visit func(x point)
	visit = func(x point) {
		if seen[x] {
			return
		}
		seen[x] = true
		var used []history.OpID
		complete := true
		for i := range n {
			done := x.done>>i&1 == 1
			if p.Ops[i].Pending() && done {
				used = append(used, history.OpID(i))
			}
			complete = complete && (done || p.Ops[i].Pending())
		}
		if complete {
			w := usage{used, m.Describe(x.state)}
			out[w.name()] = w
		}
		for i := range n {
			if x.done>>i&1 == 1 {
				continue
			}
			ok := true
			for k := range n {
				if x.done>>k&1 == 1 {
					ok = ok && !precedes(i, k)
				} else if k != i && !p.Ops[k].Pending() {
					ok = ok && !precedes(k, i)
				}
			}
			if !ok {
				continue
			}
			for _, s := range m.Step(x.state, history.OpID(i), nil) {
				visit(point{x.done | 1<<i, s})
			}
		}
	}
	visit(point{0, m.Init()})
	return out
}

// checkInvariants recomputes from the trail what a configuration says.
func checkInvariants(t require.TestingT, r *run) {
	n := history.OpID(len(r.Ops))
	done := map[history.OpID]bool{}
	used := make([]int32, r.Classes)
	layer := int32(0)
	for _, m := range r.trail {
		switch {
		case m.op < 0:
			require.True(t, done[r.Returns[layer]], "return %d was passed too early", layer)
			layer++
		default:
			require.False(t, done[m.op], "operation %d is taken twice", m.op)
			done[m.op] = true
			if !r.Completed(m.op) {
				require.Equal(t, r.Members.Of(r.Class[m.op])[used[r.Class[m.op]]], m.op)
				used[r.Class[m.op]]++
			}
		}
	}
	require.Equal(t, layer, r.depth)
	require.Equal(t, used, r.used)
	if int(r.depth) < len(r.Returns) {
		require.False(t, done[r.Returns[r.depth]], "the return at hand could be passed")
	}
	open, bits := []history.OpID{}, make([]uint64, r.Words)
	for _, v := range r.Returns[r.depth:] {
		if r.From[v] <= r.depth {
			open = append(open, v)
			if done[v] {
				bits[r.Bit[v]>>6] |= 1 << (r.Bit[v] & 63)
			}
		}
	}
	require.Equal(t, bits, r.mask)
	listed := []history.OpID{}
	for v := r.next[n]; v != n; v = r.next[v] {
		require.Equal(t, v, r.next[r.prev[v]])
		listed = append(listed, v)
	}
	require.Equal(t, open, listed)
	avail := make([]int32, r.Classes)
	for v := range n {
		if c := r.Class[v]; c >= 0 && r.From[v] <= r.depth {
			avail[c]++
		}
	}
	require.Equal(t, avail, r.avail)
	for c, k := range used {
		require.LessOrEqual(t, k, avail[c])
		require.Zero(t, r.usage[c])
	}
	for k := range r.frames {
		require.True(t, r.frames[k].reason.atMost(r.used))
	}
}

func TestRandomMachinesAgreeWithTheDefinition(t *testing.T) {
	var seen tally
	for seed := range uint64(testenv.Scale(6000, 40000)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := randomspec.New(rng, rng.IntN(2) == 0)
		p := model.Whole(randomspec.History(rng, s, 1+rng.IntN(9), max(0, rng.IntN(12)-7)))
		if rng.IntN(3) == 0 {
			p = randomspec.Forget(rng, p)
		}
		testkit.WithSeed(t, seed, func() { judge(t, p, s, &seen) })
	}
	t.Logf("%+v", seen)
	for _, n := range []int{seen.yes, seen.no, seen.pendingUsed, seen.completeFrontiers, seen.galloped} {
		assert.Greater(t, n, 50, "%+v", seen)
	}
}

// Larger tables with many pending operations: there the learned nogoods matter.
func TestManyPendingOperationsAgreeWithTheDefinition(t *testing.T) {
	yes, no, learned := 0, 0, 0
	var seen tally
	for seed := range uint64(testenv.Scale(4000, 40000)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := randomspec.New(rng, rng.IntN(3) > 0)
		s.Distinct = s.Distinct && rng.IntN(2) == 0
		p := model.Whole(randomspec.History(rng, s, 9+rng.IntN(6), max(0, rng.IntN(20)-8)))
		testkit.WithSeed(t, seed, func() {
			b, err := s.Bind(p)
			require.NoError(t, err)
			want, _ := oracle.Linearizable(b)
			r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
			got := r.search()
			require.Equal(t, want, got == found, "brute force says %v\n%s", want, randomspec.Show(p))
			if got == found {
				yes++
				require.NoError(t, oracle.Replay(b, r.linearization()))
			} else {
				no++
			}
			if len(r.memo.arena) > 1 {
				learned++
				if p.Len() < 12 {
					judge(t, p, s, &seen)
				}
			}
		})
	}
	t.Logf("%d yes, %d no, conditional nogoods in %d", yes, no, learned)
	for _, n := range []int{yes, no, learned} {
		assert.Greater(t, n, 50)
	}
}

func TestSpecificationsAgreeWithTheDefinition(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		if name == "max-priority-queue" {
			continue // the generator knows it by the other order only
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen tally
			for seed := range uint64(testenv.Scale(500, 20000)) {
				rng := rand.New(rand.NewPCG(seed, 2))
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 5 + int(seed%4), NoEdges: seed%3 != 0})
				require.NoError(t, err)
				p := model.Whole(h)
				if seed%4 == 0 {
					p = randomspec.Forget(rng, p)
				}
				testkit.WithSeed(t, seed, func() { judge(t, p, s, &seen) })
			}
			t.Logf("%+v", seen)
			assert.Greater(t, seen.yes, testenv.MoreThan(20))
			assert.Greater(t, seen.no, testenv.MoreThan(20))
		})
	}
}
