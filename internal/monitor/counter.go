package monitor

// Counters: sums that contradict what was observed.
//
// What: an observation says that what took effect before it adds up to a number. What returned
// before it was called certainly did; of what was open meanwhile, any part may have. Where no part
// adds up to what is missing, there is no linearization. The same from one observation to a later
// one. A counter that only goes up does not come back to a number, so one observation may leave out
// what another one found. What that does not refute goes to the beam (counter_beam.go).
//
// Source: the sums are the axiom SUM (package proof), over everything that real time leaves open.
//
// Invariant: a conflict that is found is one for the verifier, which adds up again.
//
// Cost: O(n c) for c operations open at once, each with as many words as the sums of c operations
// have values / 64.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wide"
)

// checkCounter decides a partition that is one counter, or leaves it open.
func checkCounter(ctx context.Context, p *engine.Problem, t *model.CountingTheory, m *engine.Budget) engine.Answer {
	part := p.Instance.Partition
	switch {
	case len(part.Edges) > 0:
		return engine.Answer{Cause: engine.Unsupported, Detail: "explicit order"}
	case len(t.Init) != 1:
		return engine.Answer{Cause: engine.Unsupported, Detail: "several counters"}
	case !t.Exact():
		return engine.Answer{Cause: engine.Unsupported, Detail: "a counter may leave the range of 64-bit integers"}
	}
	need := int64(len(part.Ops)) * counterBytes
	defer m.Grow(-need)
	if !m.Grow(need) {
		return engine.Answer{Cause: engine.Memory}
	}
	account := &engine.Account{Ctx: ctx, Budget: m, Limit: math.MaxInt64}
	defer account.Close()
	c := newSummation(t, part.Ops, account)
	if no := c.alone(); no != nil {
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: no, Effort: engine.Effort{Steps: account.Steps}}
	}
	if no := c.skips(); no != nil {
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: no, Effort: engine.Effort{Steps: account.Steps}}
	}
	if a := c.supply(m); a.Verdict != engine.Unknown || a.Cause != engine.Undecided {
		a.Effort.Steps += account.Steps
		return a
	}
	account.Limit = account.Steps + beamSteps + beamEach*int64(len(part.Ops))
	a := engine.Answer{Cause: engine.Undecided, Detail: tooManySums}
	if b := newBeamSearch(c); b != nil {
		a = b.answer()
	}
	if a.Verdict == engine.Unknown && a.Cause == engine.Undecided {
		account.Limit = math.MaxInt64
		if no := c.pairs(); no != nil {
			a = engine.Answer{Verdict: engine.NotLinearizable, Proof: no}
		}
	}
	if account.Cause != engine.NoCause && account.Cause != engine.Steps {
		a = engine.Answer{Cause: account.Cause}
	}
	a.Effort = engine.Effort{Steps: account.Steps}
	return a
}

// tooManySums is why a counter is left open.
const tooManySums = "too many sums of what may have taken effect"

// summation adds up what observations of a counter leave open.
type summation struct {
	*engine.Account
	t       *model.CountingTheory
	ops     []history.Op
	returns []history.OpID // completed operations by return
	pending []history.OpID // operations that never returned and add something, by call
	ranges  []sumRange     // of the first so many of pending
	huge    bool           // all amounts together leave int64: nothing is said then
	sum     int64
	free    []history.OpID
	sums    []uint64
}

func newSummation(t *model.CountingTheory, ops []history.Op, account *engine.Account) *summation {
	c := &summation{Account: account, t: t, ops: ops, ranges: make([]sumRange, 1)}
	total, byReturn := wide.Int{}, make([]ranked, 0, len(ops))
	for i := range ops {
		if total = total.Add(t.Delta[i]); t.Delta[i] < 0 {
			total = total.Sub(t.Delta[i]).Sub(t.Delta[i])
		}
		if !ops[i].Pending() {
			byReturn = append(byReturn, ranked{ops[i].Return, int32(i)})
		} else if t.Delta[i] != 0 {
			c.pending = append(c.pending, history.OpID(i))
			c.ranges = append(c.ranges, c.ranges[len(c.ranges)-1].with(t.Delta[i]))
		}
	}
	c.huge = wide.Of(math.MaxInt64).Less(total)
	sortRanked(byReturn, nil)
	c.returns = make([]history.OpID, len(byReturn))
	for k, r := range byReturn {
		c.returns[k] = history.OpID(r.what)
	}
	return c
}

// alone looks for an observation that contradicts the initial value.
func (c *summation) alone() *proof.SumConflict {
	sum, returned, called := c.t.Init[0], 0, 0
	var open []history.OpID // called before r, and not returned by then
	for r := range c.ops {
		o := &c.ops[r]
		if !c.t.Observes[r] || o.Pending() {
			continue
		}
		for ; returned < len(c.returns) && c.ops[c.returns[returned]].Return < o.Call; returned++ {
			sum += c.t.Delta[c.returns[returned]] // before r, whatever the order
		}
		open = slices.DeleteFunc(open, func(x history.OpID) bool { return c.ops[x].Return < o.Call })
		for ; called < len(c.ops) && c.ops[called].Call <= o.Call; called++ {
			if x := history.OpID(called); c.t.Delta[x] != 0 && c.ops[x].Return >= o.Call && !c.ops[x].Pending() {
				open = append(open, x)
			}
		}
		c.free = append(c.free[:0], open...)
		for x := called; x < len(c.ops) && c.ops[x].Call <= o.Return; x++ {
			if c.t.Delta[x] != 0 && !c.ops[x].Pending() {
				c.free = append(c.free, history.OpID(x))
			}
		}
		if !c.Toil(int64(len(c.free))) {
			return nil
		}
		if !c.reaches(sum, history.OpID(r)) {
			return &proof.SumConflict{After: proof.Initial, Op: history.OpID(r)}
		}
	}
	return nil
}

// skips looks for an observation that leaves out what another one found, or changes the same
// number, of a counter that only goes up, or only down.
func (c *summation) skips() *proof.SumConflict {
	up, down := false, false
	for _, d := range c.t.Delta {
		up, down = up || d > 0, down || d < 0
	}
	if up == down {
		return nil
	}
	var seen []history.OpID // observations in the order in which they must come
	for _, r := range c.returns {
		if c.t.Observes[r] {
			seen = append(seen, r)
		}
	}
	slices.SortFunc(seen, func(x, y history.OpID) int {
		a, b := c.t.Observed[x], c.t.Observed[y]
		if down {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(a, b), cmp.Compare(max(c.t.Delta[x], -c.t.Delta[x]),
			max(c.t.Delta[y], -c.t.Delta[y])))
	})
	last := history.OpID(-1) // the last that changes it
	for _, r := range seen {
		if last >= 0 {
			found, from := wide.Of(c.t.Observed[r]), wide.Of(c.t.Observed[last])
			left := from.Add(c.t.Delta[last])
			if (up && found.Less(left) || down && left.Less(found)) && (found != from || c.t.Delta[r] != 0) {
				return &proof.SumConflict{After: last, Op: r}
			}
		}
		if c.t.Delta[r] != 0 {
			last = r
		}
	}
	return nil
}

// pairs looks for an observation that contradicts an earlier one.
func (c *summation) pairs() *proof.SumConflict {
	var seen []history.OpID // observations by return
	longest := history.Rank(0)
	for _, r := range c.returns {
		if c.t.Observes[r] {
			seen = append(seen, r)
		}
		longest = max(longest, c.ops[r].Return-c.ops[r].Call)
	}
	for _, r := range seen {
		before, _ := slices.BinarySearchFunc(seen, c.ops[r].Call, func(q history.OpID, call history.Rank) int {
			return cmp.Compare(c.ops[q].Return, call)
		})
		for _, q := range seen[max(0, before-counterPairs):before] {
			if !c.between(q, r, c.ops[q].Call-longest) {
				continue
			}
			if !c.reaches(c.sum, r) {
				return &proof.SumConflict{After: q, Op: r}
			}
			if c.Cause != engine.NoCause {
				return nil
			}
		}
	}
	return nil
}

// between adds up what certainly comes between two observations, into sum, and lists in free what
// else may. No operation that was called before the first moment was open at the call of q. It
// returns false if that takes too long.
func (c *summation) between(q, r history.OpID, first history.Rank) bool {
	from, _ := slices.BinarySearchFunc(c.ops, first, func(o history.Op, call history.Rank) int {
		return cmp.Compare(o.Call, call)
	})
	to, _ := slices.BinarySearchFunc(c.ops, c.ops[r].Return+1, func(o history.Op, call history.Rank) int {
		return cmp.Compare(o.Call, call)
	})
	if to-from > counterWindow || !c.Toil(int64(to-from)) {
		return false
	}
	c.sum, c.free = c.t.Observed[q]+c.t.Delta[q], c.free[:0]
	for x := history.OpID(from); x < history.OpID(to); x++ {
		switch o := &c.ops[x]; {
		case c.t.Delta[x] == 0 || o.Pending() || o.Return < c.ops[q].Call || x == q:
		case c.ops[q].Return < o.Call && o.Return < c.ops[r].Call:
			c.sum += c.t.Delta[x]
		default:
			c.free = append(c.free, x)
		}
	}
	return true
}

// sumRange is the range of the sums of some amounts.
type sumRange struct {
	low, high      int64
	units, largest int64 // how many amounts of 1 and -1, and the largest without its sign
}

// with adds an amount.
func (r sumRange) with(d int64) sumRange {
	r.low, r.high, r.largest = r.low+min(d, 0), r.high+max(d, 0), max(r.largest, d, -d)
	if d == 1 || d == -1 {
		r.units++
	}
	return r
}

// gapless reports whether every number in the range is a sum, for certain. If the amounts of 1 and
// -1 are at least as many as any other amount, less 1, the sums have no gaps: with each amount, two
// ranges without gaps overlap or touch.
func (r sumRange) gapless() bool { return r.largest <= r.units+1 }

// reaches reports whether sum and some of what is free, and of what never returned and was called
// in time, can add up to what r observed; also where there are too many sums to say.
func (c *summation) reaches(sum int64, r history.OpID) bool {
	if c.huge {
		return true
	}
	late, _ := slices.BinarySearchFunc(c.pending, c.ops[r].Return+1, func(x history.OpID, call history.Rank) int {
		return cmp.Compare(c.ops[x].Call, call)
	})
	pending, reach := c.pending[:late], c.ranges[late]
	for _, x := range c.free {
		if x != r {
			reach = reach.with(c.t.Delta[x])
		}
	}
	low, high := reach.low, reach.high
	missing, exact := wide.Of(c.t.Observed[r]).Sub(sum).Int64()
	switch {
	case !exact || missing < low || missing > high:
		return false
	case reach.gapless() || high-low >= counterWindow:
		return true
	}
	words := int(high-low)>>6 + 1
	if len(c.sums) < words {
		c.sums = make([]uint64, counterWindow/64)
	}
	sums := c.sums[:words]
	clear(sums)
	sums[0] = 1 // counted from the least sum
	add := func(d int64) {
		by := int(max(d, -d))
		for w := words - 1; w >= by>>6; w-- {
			more := sums[w-by>>6] << (by & 63)
			if w > by>>6 && by&63 != 0 {
				more |= sums[w-by>>6-1] >> (64 - by&63)
			}
			sums[w] |= more
		}
	}
	for _, x := range c.free {
		if x != r {
			add(c.t.Delta[x])
		}
	}
	for _, x := range pending {
		add(c.t.Delta[x])
	}
	above := missing - low
	return sums[above>>6]>>(above&63)&1 != 0
}
