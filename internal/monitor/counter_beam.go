package monitor

// Counters: a linearization by a beam of configurations.
//
// What: walks over the returns of a counter and keeps, for every value that the counter may have
// then, a few configurations: which of the open operations have not taken effect. Where all of them
// die, the walk goes back and keeps more from there on. If none was ever left out, there is no
// linearization.
//
// Source: the configurations are those of Lowe (CCPE'17): an operation takes effect no sooner than
// the next return needs it. The beam by value is ours.
//
// What we changed. Additions of the same amount that show no value are interchangeable: of those,
// the one that returns first takes effect first, and one that never returns last. (In a
// linearization with x, y the other way round, y being open already, the two change places: both
// are called by then, and x, which returns later, returns after y.) A read takes effect as soon as
// it sees the value of the counter. Of two configurations of one value that differ in reads only,
// the one with fewer reads left makes the other superfluous.
//
// Additions that show no value take effect as late as possible. Such an addition changes places
// with any other that follows it, and with returns other than its own; so in some linearization
// every one of them is followed by others and then by an observation (a chain), or returns next.
// Of a chain the order does not matter, but for reads that are seen on the way and take effect
// there: a chain goes through the amounts from the largest to the least, and begins with what
// returns next. A configuration is at rest after an observation or after what had to return; only
// there does an addition take effect because it returns next, and only there does a beam end.
//
// The beam is by value because a counter goes up and down between two returns, by as much as the
// operations that are open allow, and the reads say where it must have been, not when. The few
// configurations that are best whatever their value lie close to each other, and die together. Of
// one value, the best ones have many additions left, and reads and tickets whose values are near or
// that return late. An observation that could not return when the beam died weighs more from then
// on (as do constraints that failed in Boussemart et al., ECAI'04), so that what is kept lets it
// take effect sooner. The first time, a beam as wide as before is tried. A return for which there
// are many configurations is not searched to the end: those that need few operations come first.
//
// Invariants: left holds open operations only; the sum is that of what took effect; a configuration
// that was rejected, replaced or not expanded for lack of room sets narrow.
//
// Cost: values × width configurations a return, each with a successor for every amount and ticket.

import (
	"math"
	mathbits "math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// opSet is a set of open operations, by slot.
type opSet [beamWords]uint64

func (s *opSet) has(slot uint8) bool { return s[slot>>6]>>(slot&63)&1 != 0 }
func (s *opSet) flip(slot uint8)     { s[slot>>6] ^= 1 << (slot & 63) }

// beamState is a configuration.
type beamState struct {
	sum   int64
	left  opSet              // open operations that have not taken effect
	used  [beamAmounts]int32 // operations without return that have, by amount
	path  stepID             // the last operation that took effect, in steps
	fresh stepID             // the same in newSteps, -1 if it took effect before this return
	// see rate; unrated before it is needed
	rating int32
	chain  amountID // the amount of the last addition; atRest if there is none to be continued
}

// atRest is the chain of a configuration whose last step was an observation or due.
const atRest = -1

const unrated = math.MinInt32

// beamStep is an operation that took effect, and the one before it.
type beamStep struct {
	op     history.OpID
	before stepID
}

// amountID numbers the different deltas.
type amountID int32

// openOp is an open operation of the counter that returns.
type openOp struct {
	op     history.OpID
	slot   uint8
	sees   bool
	open   bool     // false for operations without return, which have no slot
	amount amountID // number of its delta
	delta  int64
	value  int64
}

// wanted is the value that an open observation waits for, and what each step away from it costs.
type wanted struct {
	value  int64
	weight int32
}

// beamLists holds configurations by value.
type beamLists struct {
	states []beamState
	next   []int32 // by state: the number of the next one of its value, plus one
	todo   []bool  // by state: it has not been expanded
	heads  []int32 // by value: the number of the first one, plus one
	counts []int32 // by value
	values []int32 // that have one
}

func (l *beamLists) reset() {
	for _, v := range l.values {
		l.heads[v], l.counts[v] = 0, 0
	}
	l.states, l.next, l.todo, l.values = l.states[:0], l.next[:0], l.todo[:0], l.values[:0]
}

// beamMark is a beam that was kept.
type beamMark struct {
	layer, called, steps int
	beam                 []beamState
	open                 []openOp
	free                 []uint8
	avail                [beamAmounts]int32
	narrow               bool
}

// beamSearch is a search in progress.
type beamSearch struct {
	*engine.Account
	theory  *model.CountingTheory
	ops     []history.Op
	returns []history.OpID
	deltas  []int64 // by amount
	amount  map[int64]amountID
	pending [][]history.OpID // by amount: operations without return, by call
	spare   []amountID       // the amounts that have some
	low     int64            // the least value, of which the number is 0
	numbers map[int64]int32  // of the values where there are few of many
	reads   []opSet          // by value: open reads that see it

	layer, called int
	open          []openOp // by return
	free          []uint8
	avail         [beamAmounts]int32 // by place in spare: operations called so far
	observing     opSet              // open operations that show a value
	reading       opSet              // those that are reads
	wanted        [64 * beamWords]wanted
	beam          []beamState
	child         beamState // the successor that is being made
	seen, goals   beamLists
	queue         []int32
	tickets       []opSet // by value: open tickets that see it
	at            [64 * beamWords]openOp
	additions     [][]uint8  // by amount: open ones that show no value, by return
	adding        []amountID // the amounts that have open operations or some without return
	spareOf       []int32    // by amount: its place in spare, -1 without
	steps         []beamStep // of the beam
	newSteps      []beamStep // since the last return
	kept          []beamMark
	width, widest int32
	// of the configurations of a return, for one that is kept of a value: see policy.go
	expanded, enough int
	words            int     // of opSet in use
	blame            []int32 // how often the beam died because one could not return
	narrow           bool    // a configuration was left out
}

// newBeamSearch goes on after c. It returns nil where operations without return add too many
// different amounts.
func newBeamSearch(c *summation) *beamSearch {
	t, ops := c.t, c.ops
	b := &beamSearch{Account: c.Account, theory: t, ops: ops, returns: c.returns, amount: map[int64]amountID{},
		blame: make([]int32, len(ops))}
	low, high := t.Init[0], t.Init[0]
	for _, d := range t.Delta {
		low, high = low+min(d, 0), high+max(d, 0)
		if _, known := b.amount[d]; !known {
			b.amount[d] = 0
			b.deltas = append(b.deltas, d)
		}
	}
	slices.Sort(b.deltas)
	slices.Reverse(b.deltas)
	for k, d := range b.deltas {
		b.amount[d] = amountID(k)
	}
	b.pending = make([][]history.OpID, len(b.deltas))
	for i := range ops {
		if d := t.Delta[i]; d != 0 && ops[i].Pending() {
			k := b.amount[d]
			if len(b.pending[k]) == 0 {
				b.spare = append(b.spare, k)
			}
			b.pending[k] = append(b.pending[k], history.OpID(i))
		}
	}
	if len(b.spare) > beamAmounts {
		return nil
	}
	b.additions, b.spareOf = make([][]uint8, len(b.deltas)), make([]int32, len(b.deltas))
	for k := range b.spareOf {
		b.spareOf[k] = int32(slices.Index(b.spare, amountID(k)))
	}
	size := 0
	if b.low = low; high-low >= 0 && high-low < int64(16*len(ops)+4096) {
		size = int(high-low) + 1
	} else {
		b.numbers = map[int64]int32{}
	}
	b.reads, b.tickets = make([]opSet, size), make([]opSet, size)
	for _, l := range []*beamLists{&b.seen, &b.goals} {
		l.heads, l.counts = make([]int32, size), make([]int32, size)
	}
	for k := range 64 * beamWords {
		b.free = append(b.free, uint8(64*beamWords-1-k))
	}
	b.beam = []beamState{{sum: t.Init[0], path: -1, fresh: -1, chain: atRest}}
	b.width, b.widest, b.expanded, b.enough = beamWidth, beamWidest, beamExpanded, beamEnough
	return b
}

// place returns the number of a value, -1 for one that the counter cannot have.
func (b *beamSearch) place(value int64) int32 {
	if b.numbers == nil {
		if k := value - b.low; 0 <= k && k < int64(len(b.reads)) {
			return int32(k)
		}
		return -1
	}
	k, known := b.numbers[value]
	if !known {
		k = int32(len(b.reads))
		b.numbers[value] = k
		b.reads, b.tickets = append(b.reads, opSet{}), append(b.tickets, opSet{})
		for _, l := range []*beamLists{&b.seen, &b.goals} {
			l.heads, l.counts = append(l.heads, 0), append(l.counts, 0)
		}
	}
	return k
}

// answer walks to the end, unless the search has to stop.
func (b *beamSearch) answer() engine.Answer {
	front, level := 0, 0
	for b.layer < len(b.returns) {
		if b.layer%beamStretch == 0 {
			b.keep()
		}
		if b.layer > front {
			level, b.width = 0, min(beamWidth, b.widest)
		}
		more, ok := b.pass()
		switch {
		case !ok:
			return engine.Answer{Cause: engine.Undecided, Detail: tooManySums}
		case more:
			continue
		case !b.narrow:
			return engine.Answer{Verdict: engine.NotLinearizable}
		}
		front = max(front, b.layer+beamStretch)
		b.blame[b.returns[b.layer]]++
		if level++; !b.back(level) {
			return engine.Answer{Cause: engine.Undecided, Detail: tooManySums}
		}
	}
	witness := []history.OpID{}
	for at := b.beam[0].path; at >= 0; at = b.steps[at].before {
		witness = append(witness, b.steps[at].op)
	}
	slices.Reverse(witness)
	return engine.Answer{Verdict: engine.Linearizable, Witness: witness}
}

// keep keeps the beam.
func (b *beamSearch) keep() {
	if n := len(b.kept); n > 0 && b.kept[n-1].layer == b.layer {
		return
	}
	if len(b.kept) == beamKept {
		b.kept = append(b.kept[:0], b.kept[1:]...)
	}
	b.kept = append(b.kept, beamMark{b.layer, b.called, len(b.steps), slices.Clone(b.beam), slices.Clone(b.open),
		slices.Clone(b.free), b.avail, b.narrow})
}

// back goes back by more stretches at each level, to go on with a beam that is wider, but for the
// first time. It returns false if the beam is as wide as it may get.
func (b *beamSearch) back(level int) bool {
	if level > 1 {
		b.width *= beamWider
	}
	if b.width > b.widest {
		return false
	}
	for _, o := range b.open {
		b.forget(&o)
	}
	at := max(0, len(b.kept)-1<<level)
	s := &b.kept[at]
	b.kept = b.kept[:at+1]
	b.layer, b.called, b.steps, b.avail, b.narrow = s.layer, s.called, b.steps[:s.steps], s.avail, s.narrow
	b.beam, b.open, b.free = append(b.beam[:0], s.beam...), append(b.open[:0], s.open...), append(b.free[:0], s.free...)
	for _, o := range b.open {
		b.learn(&o)
	}
	return true
}

// learn notes what an operation that is open shows.
func (b *beamSearch) learn(o *openOp) {
	b.at[o.slot] = *o
	if !o.sees {
		return
	}
	b.observing.flip(o.slot)
	k := b.place(o.value)
	if o.delta == 0 {
		b.reading.flip(o.slot)
		if k >= 0 {
			b.reads[k].flip(o.slot)
		}
	} else if k >= 0 {
		b.tickets[k].flip(o.slot)
	}
}

// forget undoes learn.
func (b *beamSearch) forget(o *openOp) { b.learn(o) }

// call opens what is called before a return. It returns false if too many are open.
func (b *beamSearch) call(rank history.Rank) bool {
	for ; b.called < len(b.ops) && b.ops[b.called].Call <= rank; b.called++ {
		i := history.OpID(b.called)
		d := b.theory.Delta[i]
		if b.ops[i].Pending() {
			if d != 0 {
				b.avail[b.spareOf[b.amount[d]]]++
			}
			continue
		}
		if len(b.free) == 0 {
			return false
		}
		o := openOp{op: i, slot: b.free[len(b.free)-1], sees: b.theory.Observes[i], open: true, amount: b.amount[d],
			delta: d, value: b.theory.Observed[i]}
		b.free = b.free[:len(b.free)-1]
		b.words = max(b.words, int(o.slot)>>6+1)
		b.open = inorder.Insert(b.open, o, func(x, y openOp) int {
			return int(b.ops[x.op].Return - b.ops[y.op].Return)
		})
		b.learn(&o)
		for k := range b.beam {
			s := &b.beam[k]
			s.left.flip(o.slot)
			if d == 0 && (!o.sees || o.value == s.sum) {
				s.fresh = b.take(s.fresh, o.op)
				s.left.flip(o.slot)
			}
		}
	}
	return true
}

// take adds an operation that takes effect to newSteps, and returns its number there.
func (b *beamSearch) take(fresh stepID, op history.OpID) stepID {
	b.newSteps = append(b.newSteps, beamStep{op, fresh})
	return stepID(len(b.newSteps) - 1)
}

// pass passes the next return. more reports whether a configuration survives it, ok whether the
// search may go on.
func (b *beamSearch) pass() (more, ok bool) {
	if !b.call(b.ops[b.returns[b.layer]].Return) {
		return false, false
	}
	due := b.open[0]
	if slices.ContainsFunc(b.beam, func(s beamState) bool { return s.left.has(due.slot) }) {
		if more, ok := b.reach(&due); !more || !ok {
			return more, ok
		}
	}
	b.forget(&due)
	b.open = b.open[:copy(b.open, b.open[1:])]
	b.free = append(b.free, due.slot)
	for k := range b.beam {
		s := &b.beam[k]
		s.path, s.fresh, s.chain = b.write(s.path, s.fresh), -1, atRest
	}
	b.newSteps = b.newSteps[:0]
	b.layer++
	return true, true
}

// reach turns the beam into configurations in which due has taken effect.
func (b *beamSearch) reach(due *openOp) (more, ok bool) {
	b.prepare()
	b.seen.reset()
	b.goals.reset()
	b.queue = b.queue[:0]
	for k := range b.beam {
		s := &b.beam[k]
		s.rating = unrated
		if v := b.place(s.sum); !s.left.has(due.slot) {
			b.put(&b.goals, s, v)
		} else if at := b.put(&b.seen, s, v); at >= 0 {
			b.queue = append(b.queue, at)
		}
	}
	for k := 0; k < len(b.queue); k++ {
		if k > b.expanded*int(b.width) && len(b.goals.states) > b.enough*int(b.width) {
			b.narrow = true
			break
		}
		if at := b.queue[k]; b.seen.todo[at] {
			b.seen.todo[at] = false
			if !b.Step() {
				return false, false
			}
			b.expand(at, due)
		}
	}
	b.beam = append(b.beam[:0], b.goals.states...)
	return len(b.beam) > 0, true
}

// write adds what took effect since the last return to the steps of the beam.
func (b *beamSearch) write(path, fresh stepID) stepID {
	if fresh < 0 {
		return path
	}
	path = b.write(path, b.newSteps[fresh].before)
	b.steps = append(b.steps, beamStep{b.newSteps[fresh].op, path})
	return stepID(len(b.steps) - 1)
}

// prepare lists the open operations by what they add, and weighs them.
func (b *beamSearch) prepare() {
	for _, amount := range b.adding {
		b.additions[amount] = b.additions[amount][:0]
	}
	b.adding = b.adding[:0]
	for k, amount := range b.spare {
		if b.avail[k] > 0 {
			b.adding = append(b.adding, amount)
		}
	}
	soon := int32(len(b.open))
	for k := range b.open {
		o := &b.open[k]
		if o.sees {
			weight := 1 + (beamSoon-1)*(soon-int32(k))/soon
			b.wanted[o.slot] = wanted{o.value, beamAway * weight * (1 + beamBlame*b.blame[o.op])}
			continue
		}
		if o.delta == 0 {
			continue
		}
		if len(b.additions[o.amount]) == 0 && (b.spareOf[o.amount] < 0 || b.avail[b.spareOf[o.amount]] == 0) {
			b.adding = append(b.adding, o.amount)
		}
		b.additions[o.amount] = append(b.additions[o.amount], o.slot)
	}
	slices.Sort(b.adding)
}

// expand makes the successors of a configuration in which due has not taken effect.
func (b *beamSearch) expand(at int32, due *openOp) {
	s := b.seen.states[at]
	for _, amount := range b.adding {
		if amount < s.chain || s.chain != atRest && !due.sees && amount == due.amount {
			continue
		}
		next := -1
		for _, slot := range b.additions[amount] {
			if s.left.has(slot) {
				next = int(slot)
				break
			}
		}
		if next >= 0 {
			b.successor(&s, &b.at[next], due.slot)
		} else if k := b.spareOf[amount]; k >= 0 && s.used[k] < b.avail[k] {
			op := b.pending[amount][s.used[k]]
			s.used[k]++
			b.successor(&s, &openOp{op: op, delta: b.deltas[amount], amount: amount}, due.slot)
			s.used[k]--
		}
	}
	tickets := &b.tickets[b.place(s.sum)]
	for w := range b.words {
		for m := tickets[w] & s.left[w]; m != 0; m &= m - 1 {
			b.successor(&s, &b.at[w<<6+mathbits.TrailingZeros64(m)], due.slot)
		}
	}
}

// successor lets an operation take effect in s, then the reads that see the new value.
func (b *beamSearch) successor(s *beamState, o *openOp, due uint8) {
	child := &b.child
	*child = *s
	child.sum += o.delta
	child.chain = o.amount
	child.rating = unrated
	if o.open {
		child.left.flip(o.slot)
		if o.sees || o.slot == due {
			child.chain = atRest
		}
	}
	v := b.place(child.sum)
	reads, taken := &b.reads[v], opSet{}
	for w := range b.words {
		if taken[w] = reads[w] & child.left[w]; taken[w] != 0 {
			child.left[w] &^= taken[w]
			child.chain = atRest
		}
	}
	list, goal := &b.seen, !child.left.has(due)
	if goal {
		list = &b.goals
	}
	at := b.put(list, child, v)
	if at < 0 {
		return
	}
	fresh := b.take(s.fresh, o.op)
	for w := range b.words {
		for m := taken[w]; m != 0; m &= m - 1 {
			fresh = b.take(fresh, b.at[w<<6+mathbits.TrailingZeros64(m)].op)
		}
	}
	list.states[at].fresh = fresh
	if !goal {
		b.queue = append(b.queue, at)
	}
}
