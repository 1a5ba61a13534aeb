package wgl

// What: after a violation was found, where and why: the shortest prefix of the partition that is
// not linearizable, and the configurations that are possible just before the return that ends it.
//
// Source: ours; galloping search (Bentley and Yao, IPL 1976).
//
// What we changed. The return at which the search gets stuck need not end the shortest prefix:
// results of operations that were still open there have been used. In the prefix they are unknown,
// so it may be linearizable. A longer prefix is never easier. The prefix before the deepest layer
// that was reached is linearizable, and the whole is not; from there the search gallops, then
// bisects, and binds each prefix anew.
//
// The configurations before that return are enumerated (dfs.go) on the prefix that ends right
// before it. There the operation that returns, the victim, is pending too and its result unknown. A
// copy of the victim with its own result is appended, only to ask why a state refuses it.
// Configurations are listed up to irrelevant differences: a pending operation is used only if that
// leads to another state, or to this one when no smaller usage does; of interchangeable operations,
// to which the victim never belongs, those called first are used.
//
// Invariant: the verdict does not depend on any of this. If a limit is reached, Failure is missing
// or its frontier is not complete.
//
// Cost: about as many steps as the decision (at least minFailureSteps), and half of the remaining
// time; moreFrontier steps to look for more configurations once there is one.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

// failureSearch looks for the shortest violating prefix.
type failureSearch struct {
	ctx      context.Context
	bound    *model.Instance
	meter    *engine.Budget
	returns  []history.OpID
	possible int   // the prefix before the end of this layer is linearizable
	left     int64 // steps
	// begin returns a run, with its rules
	begin Beginning
}

// Failure says where and why a partition that is not linearizable fails: after a search that
// reached a layer, the deepest, in so many steps. It returns nil if the limits were reached before
// the shortest prefix was known.
func Failure(ctx context.Context, b *model.Instance, m *engine.Budget, returns []history.OpID, deepest int, steps int64,
	begin Beginning) *engine.Failure {
	return newFailureSearch(ctx, b, m, returns, deepest, steps, begin).failure()
}

// newFailureSearch starts from a search that found a violation: the deepest layer that it reached,
// and its steps.
func newFailureSearch(ctx context.Context, b *model.Instance, m *engine.Budget, returns []history.OpID, deepest int,
	steps int64, begin Beginning) *failureSearch {
	return &failureSearch{begin: begin, ctx: ctx, bound: b, meter: m, returns: returns, possible: deepest,
		left: max(minFailureSteps, steps)}
}

// failure returns nil if the limits were reached before the shortest prefix was known.
func (m *failureSearch) failure() *engine.Failure {
	if deadline, ok := m.ctx.Deadline(); ok {
		ctx, cancel := context.WithTimeout(m.ctx, time.Until(deadline)/2)
		defer cancel()
		m.ctx = ctx
	}
	layer, ok := m.shortest()
	if !ok {
		return nil
	}
	for ; layer >= 0; layer-- {
		victim := m.returns[layer]
		f := &engine.Failure{Op: victim, Cut: m.bound.Partition.Ops[victim].Return}
		if !m.demanding(layer) {
			m.frontier(f)
			return f
		}
		if m.heed(f) {
			return f
		}
	}
	return nil
}

// shortest returns the first layer whose prefix is not linearizable.
func (m *failureSearch) shortest() (layer int, ok bool) {
	lo, hi := m.possible, len(m.returns)-1
	stride, bisect := 0, false
	for lo < hi {
		k := min(lo+stride, hi-1)
		if bisect {
			k = (lo + hi) / 2
		}
		cut := m.bound.Partition.Ops[m.returns[k]].Return
		switch m.prefix(cut) {
		case Found:
			lo = k + 1
			stride = 2*stride + 1
		case Failed:
			hi, bisect = k, true
		default:
			return 0, false
		}
	}
	return lo, true
}

// prefix decides the prefix up to a return.
func (m *failureSearch) prefix(cut history.Rank) Outcome {
	p := m.bound.Partition.Prefix(cut)
	o, _ := m.run(p, p.Len(), -1, nil)
	return o
}

// run searches the first n operations of a partition within the remaining budget. The operation
// apart, if it is not -1, is interchangeable with no other, and neither are operations that
// explicit order ties to it. prepare may change the run before it starts.
func (m *failureSearch) run(p *model.Partition, n int, apart history.OpID, prepare func(*Run)) (Outcome, *Run) {
	r := m.newRun(p, n, apart)
	if r == nil {
		return GaveUp, nil
	}
	if prepare != nil {
		prepare(r)
	}
	o := r.Search()
	r.Close()
	m.left -= r.Steps
	return o, r
}

// newRun lays out the first n operations of a partition; nil if the limits do not allow it.
func (m *failureSearch) newRun(p *model.Partition, n int, apart history.OpID) *Run {
	b := engine.Account{Ctx: m.ctx, Budget: m.meter, Limit: m.left, Uncounted: true}
	if !b.Look() || !b.Grow(layout.Bytes(n, len(p.Edges))) {
		b.Close()
		return nil
	}
	bound, err := m.bound.Spec.Bind(p)
	if err != nil { // a component of what was bound before
		b.Close()
		return nil
	}
	if apart >= 0 {
		other := *bound
		other.EquivID = slices.Clone(bound.EquivID)
		other.EquivID[apart] = slices.Max(bound.EquivID) + 1
		other.ReadOnly = slices.Clone(bound.ReadOnly)
		other.ReadOnly[apart] = false // otherwise the order around it would be ignored
		bound = &other
	}
	r := m.begin(layout.New(bound, n), b)
	r.MayForget(m.meter, 1)
	return r
}

// frontier fills in the configurations just before f.Op returns.
func (m *failureSearch) frontier(f *engine.Failure) {
	p, n := beforeReturn(m.bound.Partition, f.Op, f.Cut)
	var ways []way
	o, r := m.run(p, n, f.Op, func(r *Run) {
		r.atEnd = func(l closureState) bool {
			w := way{state: l.state}
			for _, s := range r.Trail {
				if s.Op >= 0 && !r.Completed(s.Op) {
					w.used = append(w.used, s.Op)
				}
			}
			if ways == nil {
				f.Longest = r.Linearization()
				r.Limit = min(r.Limit, r.Steps+moreFrontier)
			}
			w.used = append(w.used, r.operationsOf(l)...)
			slices.Sort(w.used)
			ways = append(ways, w)
			return len(ways) < maxEnumerated
		}
	})
	m.report(f, r, ways, o == Failed, history.OpID(n))
}

// report describes configurations in f; all says that there are no others. Operation probe of r is
// the copy of the victim.
func (m *failureSearch) report(f *engine.Failure, r *Run, ways []way, all bool, probe history.OpID) {
	ways = leastWays(ways)
	f.Complete = all && len(ways) <= MaxFrontier
	for _, w := range chooseWays(ways) {
		f.Frontier = append(f.Frontier, r.explain(w, f.Op, probe))
	}
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
	q.Index = index
	probe := p.Ops[victim]
	probe.Call = cut
	q.Ops = append(slices.Clip(q.Ops), probe)
	return q, n
}

// operationsOf returns the pending operations that lead to a state of the closure of the frame on
// top.
func (r *Run) operationsOf(l closureState) []history.OpID {
	var out []history.OpID
	for ; l.parent >= 0; l = r.pendingClosure[l.parent] {
		out = append(out, r.Members.Of(l.class)[r.Used[l.class]+r.usage[l.class]])
		r.usage[l.class]++
	}
	for _, v := range out {
		r.usage[r.Class[v]]--
	}
	return out
}

// leastWays omits every configuration for which another one reaches the same state with a subset of
// its operations.
func leastWays(ways []way) []way {
	var out []way
	for i, w := range ways {
		least := true
		for k, v := range ways {
			if k != i && v.state == w.state && subset(v.used, w.used) && (len(v.used) < len(w.used) || k < i) {
				least = false
				break
			}
		}
		if least {
			out = append(out, w)
		}
	}
	return out
}

// subset reports whether all elements of a are in b; both ascend.
func subset(a, b []history.OpID) bool {
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			return false
		}
	}
	return true
}

// chooseWays selects the configurations to report: one of every state first.
func chooseWays(ways []way) []way {
	var first, rest []way
	met := map[model.State]bool{}
	for _, w := range ways {
		if met[w.state] {
			rest = append(rest, w)
		} else {
			met[w.state] = true
			first = append(first, w)
		}
	}
	all := append(first, rest...)
	return all[:min(len(all), MaxFrontier)]
}

// explain describes a configuration, and why the victim (probe is its copy) and other open
// operations cannot come next.
func (r *Run) explain(w way, victim, probe history.OpID) engine.Configuration {
	c := engine.Configuration{Linearized: w.used, State: r.Machine.Describe(w.state)}
	_, used := slices.BinarySearch(w.used, victim)
	partition := r.Instance.Partition
	why := "it would not have returned " + partition.History.Values.Format(partition.Ops[probe].Result)
	if !used {
		why = r.refusal(w, victim, probe)
	}
	c.Refusals = append(c.Refusals, engine.Refusal{Op: victim, Why: why})
	for i := range r.Ops {
		v := history.OpID(i)
		if _, used := slices.BinarySearch(w.used, v); used || v == victim || r.Completed(v) ||
			r.Lookup(w.state, v) != transition.None {
			continue
		}
		if c.Refusals = append(c.Refusals,
			engine.Refusal{Op: v, Why: r.refusal(w, v, v)}); len(c.Refusals) > maxRefusals {
			break
		}
	}
	return c
}

// refusal returns why v, applied as operation probe, cannot come next.
func (r *Run) refusal(w way, v, probe history.OpID) string {
	if r.Lookup(w.state, probe) != transition.None { // the state allows it
		for _, e := range r.Instance.Partition.Edges {
			_, before := slices.BinarySearch(w.used, e.Before)
			_, after := slices.BinarySearch(w.used, e.After)
			switch {
			case e.Before == v && (after || r.Completed(e.After)):
				return fmt.Sprintf("the explicit order puts it before %s, which has taken effect",
					r.Instance.Partition.ID(e.After))
			case e.After == v && !before && !r.Completed(e.Before):
				return fmt.Sprintf("the explicit order puts it after %s, which has not taken effect",
					r.Instance.Partition.ID(e.Before))
			}
		}
		return "the explicit order leaves no place for it"
	}
	if r.Instance.Refusal != nil {
		return r.Instance.Refusal(r.Machine, w.state, probe)
	}
	return "it is not allowed in this state"
}

// demanding reports whether some operation that is open just before a return requires another one.
func (m *failureSearch) demanding(layer int) bool {
	return len(m.bound.Partition.Prefix(m.bound.Partition.Ops[m.returns[layer]].Return-1).Demands) > 0
}

// heed fills in what was possible just before the return of f.Op if open operations require others.
// ok is false if nothing was possible, so that an earlier return is the one to report.
func (m *failureSearch) heed(f *engine.Failure) (ok bool) {
	p, n := beforeReturn(m.bound.Partition, f.Op, f.Cut)
	r := m.newRun(p, n, f.Op)
	if r == nil {
		return true
	}
	r.Limit = min(r.Limit, demandedSteps)
	ways, longest, complete := enumerate(r, history.OpID(n))
	r.Close()
	m.left -= r.Steps
	if complete && len(ways) == 0 {
		return false
	}
	f.Longest = slices.Clip(longest)
	m.report(f, r, ways, complete, history.OpID(n))
	return true
}
