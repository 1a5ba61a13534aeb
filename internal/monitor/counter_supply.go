package monitor

// Counters that only go up, with many additions of unknown outcome: what these supply is carried as
// one sum.
//
// What: walks over the returns of a counter, as the beam does, and keeps the configurations. What
// the counter shows less what it had at first, and less the additions that returned and have taken
// effect, is what additions of unknown outcome have supplied. So a configuration needs the value
// and the open operations that are left. In the first walk, the supply is any sum that some of the
// additions called by then have; it forgets which of them were used before, so it only refutes. In
// the others each configuration knows how many of each amount it has used, and a few of those that
// are alike are kept; they only accept. One of these prefers configurations that have used few
// additions for what they were supplied, and so few of the small amounts, which fit everywhere: for
// counters with much to spare. The next keeps what makes others superfluous: for those with little.
//
// Additions take effect as late as possible: when they return, or before a read. The next value to
// be seen is the least that an open read has. Some of the open additions come before that, of one
// amount the ones that return first, and what is still missing is supplied. If the supply can be
// any number up to a largest one, a configuration is superfluous beside one of no greater value
// that has no other operation left: where the former takes an addition that the latter has behind
// it, the latter is supplied as much more, and its supply stays no larger.
//
// Source: ours; the configurations are Lowe's (CCPE'17).
//
// Invariant: left holds open operations; nothing follows a configuration in which a read of a
// smaller value than the sum is left, or to come.
//
// Cost: configurations of a return × sets of open additions that fit, by amount.

import (
	"cmp"
	"math"
	mathbits "math/bits"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
)

// supplied is a configuration.
type supplied struct {
	sum  int64
	rest int64              // what the additions in left add
	left opSet              // open operations that have not taken effect
	used [beamAmounts]int32 // operations without return that have, by amount; 0 in the first walk
	uses int32              // the sum of used
	path stepID             // the last operation that took effect, in steps
}

// supplySearch is a walk in progress.
type supplySearch struct {
	*summation
	supplyWidth
	mean    int64 // of the amounts of operations without return
	account *engine.Account
	amounts []int64          // of operations without return, the largest first
	without [][]history.OpID // by amount: operations without return, by call
	avail   [beamAmounts]int32
	sums    []uint64 // which sums operations without return have that were called
	limits  []int64  // by operation: the least value that it or one called later sees
	called  int
	added   int64 // the initial value and all completed additions that were called
	free    []uint8
	open    []openOp // by return
	adds    []openOp // open additions by amount, the largest first, then by return
	reads   []openOp // open reads by value
	due     openOp
	given   []supplied // the configurations before a return
	states  supplyList // in which due has not taken effect
	goals   supplyList
	trace   []history.OpID // what took effect since the configuration that is expanded
	steps   []beamStep
	ways    int // to supply one amount, that are left to try
	gapless bool
}

// supplyWidth is how many configurations a walk keeps: of those that are alike, 0 in the first
// walk; and of a return, 0 for all that others do not make superfluous.
type supplyWidth struct{ alike, beam int }

// supplyList holds configurations of one moment.
type supplyList struct {
	all  []supplied
	rich []int32 // those that make others superfluous
	last map[supplyKey]int32
	next []int32 // by configuration: another one that is alike, -1 for none
}

// supplyKey is what configurations that are alike share.
type supplyKey struct {
	sum  int64
	left opSet
}

func (l *supplyList) reset() {
	clear(l.last)
	l.all, l.rich, l.next = l.all[:0], l.rich[:0], l.next[:0]
}

// supply decides a counter by walks that keep more and more, or leaves it open.
func (c *summation) supply(m *engine.Budget) engine.Answer {
	a := engine.Answer{Cause: engine.Undecided, Detail: tooManySums}
	for _, width := range supplyWidths {
		walk := &engine.Account{Ctx: c.Ctx, Budget: m, Limit: beamSteps + beamEach*int64(len(c.ops))}
		s := newSupplySearch(c, width, walk)
		if s == nil {
			break
		}
		walk.Footprint = s.bytes
		a.Verdict = s.walk()
		walk.Close()
		a.Effort.Steps += walk.Steps
		switch {
		case a.Verdict == engine.Linearizable:
			a.Witness = s.witness()
			fallthrough
		case a.Verdict == engine.NotLinearizable:
			a.Cause, a.Detail = engine.NoCause, ""
			return a
		case walk.Cause != engine.NoCause && walk.Cause != engine.Steps:
			a.Cause, a.Detail = walk.Cause, ""
			return a
		}
	}
	return a
}

// newSupplySearch returns nil where the search does not know the counter.
func newSupplySearch(c *summation, width supplyWidth, account *engine.Account) *supplySearch {
	t := c.t
	if len(c.pending) == 0 || c.huge {
		return nil
	}
	s := &supplySearch{summation: c, supplyWidth: width, account: account, limits: make([]int64, len(c.ops)+1),
		added: t.Init[0]}
	s.limits[len(c.ops)] = math.MaxInt64
	for i := len(c.ops) - 1; i >= 0; i-- {
		if s.limits[i] = s.limits[i+1]; t.Observes[i] && !c.ops[i].Pending() {
			s.limits[i] = min(s.limits[i], t.Observed[i])
		}
		if t.Delta[i] < 0 || t.Delta[i] > 0 && t.Observes[i] && !c.ops[i].Pending() {
			return nil
		}
	}
	most := int64(0)
	for _, x := range c.pending {
		most += t.Delta[x]
		if !slices.Contains(s.amounts, t.Delta[x]) {
			s.amounts = append(s.amounts, t.Delta[x])
		}
	}
	if most >= supplySums || len(s.amounts) > beamAmounts {
		return nil
	}
	s.mean = (most + int64(len(c.pending)) - 1) / int64(len(c.pending))
	slices.Sort(s.amounts)
	slices.Reverse(s.amounts)
	s.without = make([][]history.OpID, len(s.amounts))
	for _, x := range c.pending {
		k := slices.Index(s.amounts, t.Delta[x])
		s.without[k] = append(s.without[k], x)
	}
	s.sums = make([]uint64, most>>6+1)
	s.sums[0] = 1
	for k := range 64 * beamWords {
		s.free = append(s.free, uint8(64*beamWords-1-k))
	}
	s.states.last, s.goals.last = map[supplyKey]int32{}, map[supplyKey]int32{}
	s.states.all = []supplied{{sum: t.Init[0], path: -1}}
	return s
}

// walk walks to the end, or until no configuration is left or there are too many.
func (s *supplySearch) walk() engine.Verdict {
	for _, r := range s.returns {
		if !s.call(s.ops[r].Return) || !s.pass() {
			return engine.Unknown
		}
		if len(s.states.all) == 0 {
			if s.exact() {
				return engine.Unknown
			}
			return engine.NotLinearizable
		}
	}
	if s.exact() {
		return engine.Linearizable
	}
	return engine.Unknown
}

// exact reports whether a walk knows what was used: it is not the first.
func (s *supplySearch) exact() bool { return s.alike > 0 }

// bytes estimates the memory of the search.
func (s *supplySearch) bytes() int64 {
	return int64(cap(s.steps)+len(s.sums)+len(s.limits))*8 + int64(cap(s.given)+cap(s.states.all)+cap(s.goals.all))*160
}

// witness returns the order of a configuration in which everything has taken effect.
func (s *supplySearch) witness() []history.OpID {
	order := []history.OpID{}
	for at := s.states.all[0].path; at >= 0; at = s.steps[at].before {
		order = append(order, s.steps[at].op)
	}
	slices.Reverse(order)
	return order
}

// call opens what is called before a return. It returns false if too many are open.
func (s *supplySearch) call(rank history.Rank) bool {
	for ; s.called < len(s.ops) && s.ops[s.called].Call <= rank; s.called++ {
		i := history.OpID(s.called)
		d := s.t.Delta[i]
		if s.ops[i].Pending() {
			if d != 0 {
				s.avail[slices.Index(s.amounts, d)]++
				s.reachMore(uint(d))
			}
			continue
		}
		if len(s.free) == 0 {
			return false
		}
		o := openOp{op: i, slot: s.free[len(s.free)-1], sees: s.t.Observes[i], open: true, delta: d,
			value: s.t.Observed[i]}
		s.free = s.free[:len(s.free)-1]
		s.open = inorder.Insert(s.open, o, func(x, y openOp) int {
			return int(s.ops[x.op].Return - s.ops[y.op].Return)
		})
		s.added += d
		for k := range s.states.all {
			x := &s.states.all[k]
			if d == 0 && (!o.sees || o.value == x.sum) {
				x.path = s.write(x.path, i)
				continue
			}
			x.left.flip(o.slot)
			x.rest += d
		}
	}
	return true
}

// reachMore notes that one more operation without return may supply d.
func (s *supplySearch) reachMore(d uint) {
	by, rest := int(d>>6), d&63
	for w := len(s.sums) - 1; w >= by; w-- {
		more := s.sums[w-by] << rest
		if w > by && rest != 0 {
			more |= s.sums[w-by-1] >> (64 - rest)
		}
		s.sums[w] |= more
	}
}

// write appends an operation to the steps after a path, unless in the first walk.
func (s *supplySearch) write(path stepID, op history.OpID) stepID {
	if !s.exact() {
		return -1
	}
	s.steps = append(s.steps, beamStep{op, path})
	return stepID(len(s.steps) - 1)
}

// pass passes the next return. It returns false if the search has to stop.
func (s *supplySearch) pass() bool {
	s.due = s.open[0]
	s.adds, s.reads = s.adds[:0], s.reads[:0]
	for _, o := range s.open {
		switch {
		case o.delta > 0:
			s.adds = append(s.adds, o)
		case o.sees:
			s.reads = append(s.reads, o)
		}
	}
	sort.SliceStable(s.adds, func(i, j int) bool { return s.adds[i].delta > s.adds[j].delta })
	sort.SliceStable(s.reads, func(i, j int) bool { return s.reads[i].value < s.reads[j].value })
	s.gapless = s.reachesAll()
	given := append(s.given[:0], s.states.all...)
	s.given = given
	s.states.reset()
	s.goals.reset()
	for k := range given {
		s.place(&given[k], nil)
	}
	for k := 0; k < len(s.states.all); k++ {
		if !s.account.Step() || len(s.states.all)+len(s.goals.all) > supplyStates {
			return false
		}
		x := s.states.all[k]
		s.expand(&x)
	}
	s.states, s.goals = s.goals, s.states
	s.narrow()
	s.open = s.open[:copy(s.open, s.open[1:])]
	s.free = append(s.free, s.due.slot)
	return true
}

// reachesAll reports whether what was called can supply any sum up to the largest, and so will with
// what is called later.
func (s *supplySearch) reachesAll() bool {
	total := int64(0)
	for k, n := range s.avail[:len(s.amounts)] {
		total += int64(n) * s.amounts[k]
	}
	set := 0
	for _, w := range s.sums {
		set += mathbits.OnesCount64(w)
	}
	return int64(set) == total+1 && total+1 >= s.amounts[0]
}

// rich reports whether half of what a configuration has not used can supply any sum up to some
// dozens; in the first walk, whether anything can.
func (s *supplySearch) rich(x *supplied) bool {
	if !s.gapless || !s.exact() {
		return s.gapless
	}
	all := int64(0)
	for k := len(s.amounts) - 1; k >= 0; k-- {
		if n := int64(s.avail[k]-x.used[k]) / 2; n > 0 && s.amounts[k] <= all+1 {
			all += n * s.amounts[k]
		}
	}
	return all >= supplyRich
}

// expand makes the successors of a configuration in which due has not taken effect.
func (s *supplySearch) expand(x *supplied) {
	value := s.limits[s.called]
	for _, o := range s.reads {
		if x.left.has(o.slot) {
			if o.value < x.sum {
				return
			}
			if o.value <= value {
				s.choose(0, *x, o.value)
			}
			value = min(value, o.value)
			break
		}
	}
	if s.due.delta > 0 && x.sum+s.due.delta <= value {
		y := *x
		s.take(&y, &s.due)
		s.arrive(&y)
		s.trace = s.trace[:0]
	}
}

// take lets an addition take effect.
func (s *supplySearch) take(x *supplied, o *openOp) {
	x.sum += o.delta
	x.rest -= o.delta
	x.left.flip(o.slot)
	s.trace = append(s.trace, o.op)
}

// choose lets some additions from place i on take effect, and then supplies what is missing to a
// value.
func (s *supplySearch) choose(i int, x supplied, value int64) {
	for i < len(s.adds) && !x.left.has(s.adds[i].slot) {
		i++
	}
	if i == len(s.adds) {
		s.ways = supplyWays
		s.supply(0, x, value-x.sum)
		return
	}
	o := &s.adds[i]
	if x.sum+o.delta <= value {
		y, n := x, len(s.trace)
		s.take(&y, o)
		s.choose(i+1, y, value)
		s.trace = s.trace[:n]
	}
	for i < len(s.adds) && s.adds[i].delta == o.delta {
		i++
	}
	// The additions from i on, and none of those before that are left.
	s.choose(i, x, value)
}

// supply adds what is missing by operations without return, of the k-th amount on.
func (s *supplySearch) supply(k int, x supplied, missing int64) {
	switch {
	case missing == 0:
		s.arrive(&x)
		s.ways--
		return
	case !s.exact():
		x.sum += missing
		if all := x.sum - s.added + x.rest; all>>6 < int64(len(s.sums)) && s.sums[all>>6]>>(all&63)&1 != 0 {
			s.arrive(&x)
		}
		return
	case k == len(s.amounts):
		return
	}
	n, before := len(s.trace), x.used[k]
	most := int32(min(missing/s.amounts[k], int64(s.avail[k]-before)))
	for by := most; by >= 0 && s.ways > 0; by-- {
		y := x
		y.used[k] += by
		y.uses += by
		y.sum += int64(by) * s.amounts[k]
		s.trace = append(s.trace[:n], s.without[k][before:before+by]...)
		s.supply(k+1, y, missing-int64(by)*s.amounts[k])
	}
	s.trace = s.trace[:n]
}

// arrive lets the reads see the value that was reached, and keeps the configuration.
func (s *supplySearch) arrive(x *supplied) {
	n, y := len(s.trace), *x
	for k := range s.reads {
		if o := &s.reads[k]; o.value == y.sum && y.left.has(o.slot) {
			y.left.flip(o.slot)
			s.trace = append(s.trace, o.op)
		}
	}
	s.place(&y, s.trace)
	s.trace = s.trace[:n]
}

// place keeps a configuration in its list, unless others make it superfluous, with what took effect
// to come to it.
func (s *supplySearch) place(x *supplied, trace []history.OpID) {
	l := &s.goals
	if x.left.has(s.due.slot) {
		l = &s.states
	}
	for _, k := range l.rich {
		if o := &l.all[k]; o.sum <= x.sum && o.left.within(&x.left) && s.thrift(o) >= s.thrift(x) {
			return
		}
	}
	key := supplyKey{x.sum, x.left}
	first, some := l.last[key]
	if !some {
		first = -1
	}
	alike, worst := 0, first
	for k := first; k >= 0; k = l.next[k] {
		if !s.exact() || l.all[k].used == x.used {
			return
		}
		if alike++; l.all[k].uses > l.all[worst].uses {
			worst = k
		}
	}
	if s.exact() && alike >= s.alike {
		if l == &s.goals && x.uses < l.all[worst].uses {
			for _, op := range trace {
				x.path = s.write(x.path, op)
			}
			l.all[worst] = *x
		}
		return
	}
	for _, op := range trace {
		x.path = s.write(x.path, op)
	}
	at := int32(len(l.all))
	if s.rich(x) {
		l.rich = append(l.rich, at)
	}
	l.all, l.next = append(l.all, *x), append(l.next, first)
	l.last[key] = at
}

// thrift is the more, the fewer operations without return a configuration has used for what it has
// been supplied: it has more of the small amounts left, which can supply whatever is missing later.
// It is 0 in a walk without a beam.
func (s *supplySearch) thrift(x *supplied) int64 {
	if s.beam == 0 {
		return 0
	}
	return x.sum + x.rest - s.mean*int64(x.uses)
}

// narrow leaves a beam of the configurations after a return: half of it those with the most thrift,
// half those with the least left to take effect.
func (s *supplySearch) narrow() {
	all := s.states.all
	if s.beam == 0 || len(all) <= s.beam {
		return
	}
	sort.SliceStable(all, func(i, j int) bool { return s.thrift(&all[j]) < s.thrift(&all[i]) })
	half := all[s.beam/2:]
	sort.SliceStable(half, func(i, j int) bool {
		x, y := &half[i], &half[j]
		return cmp.Or(cmp.Compare(x.rest, y.rest), cmp.Compare(x.sum, y.sum)) < 0
	})
	s.states.all = all[:s.beam]
}

// within reports whether x has all of s.
func (s *opSet) within(x *opSet) bool {
	for w := range s {
		if s[w]&^x[w] != 0 {
			return false
		}
	}
	return true
}
