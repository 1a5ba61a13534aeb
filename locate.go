package linsat

import (
	"context"
	"slices"
	"sort"
	"time"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/search"
	"github.com/linsat/linsat/spec"
)

// defaultLocate bounds the time spent on saying where a history goes wrong, once it is known that it does.
const defaultLocate = 2 * time.Second

// locateTime is what the options leave for that.
func (c *config) locateTime() time.Duration {
	switch {
	case c.locateFor != nil:
		return *c.locateFor
	case c.argueFor > 0:
		return defaultLocate
	}
	return 0
}

// frontierSteps bounds the search for the configurations just before the failing return.
const frontierSteps = 1 << 18

// locate finds the shortest violating prefix of a part that is known not to be linearizable, for
// engines that only know the verdict. Prefixes (what is open at the cut is pending, with unknown results)
// of linearizable histories are linearizable, so the cuts at returns are bisected with whatever engines
// the configuration has. It returns nil if that did not finish.
//
// Invariant: the prefix at returns[low-1] is linearizable, that at returns[high] is not.
func (c *config) locate(ctx context.Context, s spec.Spec, p *spec.Part) *check.Failure {
	ctx, stop := context.WithTimeout(ctx, c.locateTime())
	defer stop()
	var returns []int32 // operations by return
	for i := range p.Ops {
		if !p.Ops[i].Pending() {
			returns = append(returns, int32(i))
		}
	}
	slices.SortFunc(returns, func(a, b int32) int { return int(p.Ops[a].Return) - int(p.Ops[b].Return) })
	var longest []int32
	found := false
	undecided := false
	at := sort.Search(len(returns), func(k int) bool {
		if undecided {
			return true
		}
		b, err := s.Bind(p.Prefix(p.Ops[returns[k]].Return))
		if err != nil {
			undecided = true
			return true
		}
		v, err := c.judge(ctx, &check.Problem{Bound: b}, nil)
		switch {
		case err != nil || v.Verdict == check.Unknown:
			undecided = true
			return true
		case v.Verdict == check.Linearizable:
			longest = v.Witness
			return false
		}
		found = true
		return true
	})
	if undecided || !found || at == len(returns) {
		return nil
	}
	op := returns[at]
	f := &check.Failure{Op: op, Cut: p.Ops[op].Return, Longest: longest}
	// What was possible just before that return only the search can say; on the prefix alone it often can.
	if b, err := s.Bind(p.Prefix(f.Cut)); err == nil {
		a, err := search.New().Check(ctx, &check.Problem{Bound: b}, check.NewMeter(frontierSteps, 0))
		if err == nil && a.Failure != nil && a.Failure.Op == op {
			f.Frontier, f.Complete = a.Failure.Frontier, a.Failure.Complete
		}
	}
	return f
}
