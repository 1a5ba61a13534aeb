package testkit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/stretchr/testify/require"
)

// JudgeFailure compares the shortest violating prefix and what was possible before it, at most so
// many configurations, with brute force. It reports whether these are all.
func JudgeFailure(t require.TestingT, p *model.Partition, s model.Spec, f *engine.Failure, most int) (complete bool) {
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
			require.Equal(t, v, f.Op, "the shortest violating prefix ends with the return of %d\n%s", v,
				randomspec.Show(p))
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
	require.LessOrEqual(t, len(f.Frontier), most)
	listed := map[string]bool{}
	for _, c := range f.Frontier {
		name := usage{c.Linearized, c.State}.name()
		require.Contains(t, ways, name, "%s is not possible before operation %d returns\n%s", name, f.Op,
			randomspec.Show(p))
		require.False(t, listed[name], "%s twice", name)
		listed[name] = true
		require.NotEmpty(t, c.Refusals)
		require.Equal(t, f.Op, c.Refusals[0].Op)
		for _, r := range c.Refusals {
			require.NotEmpty(t, r.Why, "%+v of %d\n%s", c, f.Op, randomspec.Show(p))
		}
	}
	if !f.Complete {
		return false
	}
	// Every possible configuration is a listed one with the same state and perhaps more operations.
	for name, w := range ways {
		covered := false
		for _, c := range f.Frontier {
			covered = covered || coveredBy(before, w, c)
		}
		require.True(t, covered, "%s is possible before %d returns, but not in %v\n%s", name, f.Op, f.Frontier,
			randomspec.Show(p))
	}
	return true
}

// beforeReturn returns the prefix of p that ends right before the victim's return, its first n
// operations, followed by a copy of the victim as it was observed.
func beforeReturn(p *model.Partition, victim history.OpID, cut history.Rank) (q *model.Partition, n int) {
	q = p.Prefix(cut - 1)
	n = q.Len()
	index := make([]history.OpID, n+1)
	for i := range n {
		index[i] = q.Global(history.OpID(i))
	}
	index[n] = q.Global(victim)
	probe := p.Ops[victim]
	probe.Call = cut
	q.Index, q.Ops = index, append(slices.Clip(q.Ops), probe)
	return q, n
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
		return p.Ops[a].Return < p.Ops[c].Call ||
			slices.Contains(p.Edges, history.Edge{Before: history.OpID(a), After: history.OpID(c)})
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
