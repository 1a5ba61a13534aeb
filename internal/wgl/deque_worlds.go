package wgl

// What: many linearizations of a deque at once, for histories that are nearly sequential, but in
// which some operations last long. Each completed operation takes effect at its return, unless that
// is illegal or it lasted long. A removal that is not legal may become so by open operations that
// take effect just before it (insertions of what it removes, removals of what lies above). An
// operation that lasted may, when it returns, have taken effect under what was inserted since its
// call: just before an item there was inserted. Each such choice is a world. So an operation that
// took effect at its call is noticed when it matters, or when it returns.
//
// Worlds share their items: each item has a bit for each world in which it is there. A return
// that needs no choice takes a few operations on words. Of worlds with the same contents, in which
// the same open operations took effect, one is kept; if there are too many, those with the fewest
// operations between their call and return are.
//
// Source: ours. It is a beam search over the just-in-time configurations of Lowe (CCPE'17), in bit
// slices. That it fails proves nothing.
//
// Invariants: what a world says took effect is legal in the order of dequeWorlds.sequence. Moments
// of items ascend towards the end at which they were inserted.
//
// Cost: returns × items looked at × worlds / 64, and worlds × items that are not in all worlds for
// each return with a choice.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// dequeWorlds is the search.
type dequeWorlds struct {
	*engine.Account
	repair   *repair
	lane     *lane
	start    []placed
	first    int               // layer
	in       []bool            // whether an operation is in start
	were     []uint64          // dead before the layer
	most     int               // worlds
	items    []worldItem       // 0 is the head
	unused   []int32           // items
	worlds   []world           // by bit
	dead     []uint64          // worlds that are no more
	deaths   int               // how many
	taken    [maxLane][]uint64 // by operation that is open: where it took effect; nil for nowhere
	log      []worldEvent
	children []worldChild
	power    []uint64
	layer    int32
	// scratch
	need, left, mask []uint64
	above            []int32
	removes          []int32
	takes            []worldTake
	spare            [][]uint64
}

// worldItem is an item that is in the contents of some worlds.
type worldItem struct {
	near  [2]int32 // the next towards either end
	in    []uint64 // bits of worlds; nil for all
	value int32
	end   int8 // at which it was inserted
	op    history.OpID
	at    history.Rank // when
}

// world is a way to go on: what took effect out of turn, and how unlikely that is.
type world struct{ log, cost int32 }

// worldEvent is an operation that took effect out of turn in some worlds.
type worldEvent struct {
	last   int32 // the one before, -1 for none
	op     history.OpID
	before history.OpID // the operation that inserted what came next; none: just before the layer
	layer  int32
}

// worldTake is an operation that takes effect before the one that inserted an item; none: before
// the layer.
type worldTake struct {
	op     int32
	before history.OpID
}

// none is no operation.
const none = -1

// worldChild is a world that splits off.
type worldChild struct {
	of      int32
	cost    int32
	under   int32        // item under which the operation inserts; none
	out     []int32      // items that are taken out
	takes   []worldTake  // operations that take effect, in order
	first   history.OpID // the operation of the layer comes before the one that inserted this
	settled bool         // the operation of the layer has taken effect
}

// newDequeWorlds makes a search from a layer on, after a legal sequence. It is nil if there are
// operations that only look.
func newDequeWorlds(r *repair, start []placed, layer, most int, budget *engine.Account) *dequeWorlds {
	s := &dequeWorlds{Account: budget, repair: r, lane: r.lane, start: start, first: layer, most: most, in: make([]bool, len(r.ops))}
	for i := range r.lane.ops {
		if r.lane.ops[i].does == model.Peek {
			return nil
		}
	}
	s.items = make([]worldItem, 1)
	s.worlds = []world{{none, 0}}
	s.dead = make([]uint64, 1)
	for _, p := range start {
		x := &r.ops[p.op]
		s.in[p.op] = true
		switch top := s.outermost(x.end); {
		case x.does == model.Insert:
			s.beside(0, 1-x.end, worldItem{value: x.value, op: p.op, end: x.end, at: p.at})
		case x.does == model.Remove && x.value != model.Nothing && top != 0:
			s.drop(top)
		}
	}
	for _, p := range start {
		if x := &r.ops[p.op]; x.ret > s.returnOf(layer-1) {
			s.take(x.bit, 0)
		}
	}
	s.power = []uint64{1}
	return s
}

// returnOf returns the rank of the return that ends a layer, -1 for that before the first.
func (s *dequeWorlds) returnOf(layer int) history.Rank {
	if layer < 0 {
		return -1
	}
	return s.lane.ops[s.lane.returns[layer]].ret
}

// bytes estimates the memory.
func (s *dequeWorlds) bytes() int64 {
	return int64(cap(s.items))*int64(64+len(s.dead)*8) + int64(cap(s.log))*16 + int64(len(s.start))*16
}

// search answers found, failed where no world is left, undecided where there are too many, or
// gaveUp.
func (s *dequeWorlds) search() outcome {
	for j := s.first; j < len(s.lane.returns); j++ {
		s.layer = int32(j)
		if !s.Spend(int64(1 + len(s.dead))) {
			return gaveUp
		}
		s.next()
		switch {
		case s.deaths == len(s.worlds):
			return failed
		case len(s.log) > (worldEvents+eventsEach*(j-s.first))*(s.most/mostWorlds):
			return undecided
		}
	}
	return found
}

// next passes a layer.
func (s *dequeWorlds) next() {
	r := s.lane.returns[s.layer]
	o := &s.lane.ops[r]
	open := s.lane.open.Of(s.layer)
	for _, i := range open {
		if x := &s.lane.ops[i]; x.does == model.Remove && x.value == model.Nothing && i != r {
			s.seeEmpty(i)
		}
	}
	need := s.need[:0]
	for k, d := range s.dead {
		need = append(need, ^d)
		if t := s.taken[o.bit]; t != nil {
			need[k] &^= t[k]
		}
	}
	if n := len(s.worlds) & 63; n > 0 {
		need[len(need)-1] &= 1<<n - 1
	}
	s.need = need
	s.children = s.children[:0]
	if o.does == model.Insert {
		s.insertedBefore(o, r)
	} else {
		if o.value != model.Nothing {
			s.removedBefore(o, r)
		}
		s.demand(o)
	}
	parents := len(s.worlds)
	if len(s.children) > 0 {
		s.split(o, r)
	}
	s.were = append(s.were[:0], s.dead...)
	s.effect(o)
	if s.taken[o.bit] != nil {
		s.spare = append(s.spare, s.taken[o.bit])
		s.taken[o.bit] = nil
	}
	if s.deaths < len(s.worlds) && (len(s.worlds) > parents || s.deaths > 0 && s.deaths >= len(s.worlds)/2) {
		s.compact()
	}
}

// seeEmpty lets an operation that finds nothing take effect where there is nothing.
func (s *dequeWorlds) seeEmpty(i int32) {
	left := s.left[:0]
	for _, d := range s.dead {
		left = append(left, ^d)
	}
	if n := len(s.worlds) & 63; n > 0 {
		left[len(left)-1] &= 1<<n - 1
	}
	s.left = left
	for x := s.outermost(0); x != 0; x = s.items[x].near[1] {
		if s.items[x].in == nil {
			return
		}
		any := uint64(0)
		for k, b := range s.items[x].in {
			left[k] &^= b
			any |= left[k]
		}
		if any == 0 {
			return
		}
	}
	bit := s.lane.ops[i].bit
	each(left, func(w int32) {
		if !s.took(bit, w) {
			s.take(bit, w)
			s.record(w, i, none)
		}
	})
}

// effect lets the operation of the layer take effect where it did not.
func (s *dequeWorlds) effect(o *laneOp) {
	if o.does == model.Insert {
		any, all := uint64(0), true
		for k, b := range s.need {
			any |= b
			alive := ^s.dead[k]
			if n := len(s.worlds) - k*64; n < 64 {
				alive &= 1<<n - 1
			}
			all = all && b == alive
		}
		if any == 0 {
			return
		}
		x := worldItem{value: o.value, op: o.op, end: o.end, at: o.ret}
		if !all {
			x.in = s.bits(s.need)
		}
		s.beside(0, 1-o.end, x)
		return
	}
	left := s.need
	any := uint64(0)
	for _, b := range left {
		any |= b
	}
	for x, next := s.outermost(o.end), int32(0); x != 0 && any != 0; x = next {
		it := &s.items[x]
		next = it.near[1-o.end]
		if it.in == nil {
			it.in = s.bits(nil)
		}
		gone := uint64(0)
		any = 0
		for k := range left {
			hit := left[k] & it.in[k]
			if it.value == o.value || o.wild() {
				it.in[k] &^= hit
			} else {
				s.kill(k, hit)
			}
			left[k] &^= hit
			any |= left[k]
			rest := it.in[k] &^ s.dead[k]
			if n := len(s.worlds) - k*64; n < 64 {
				rest &= 1<<max(n, 0) - 1
			}
			gone |= rest
		}
		if gone == 0 {
			s.drop(x)
		}
	}
	if o.value != model.Nothing && any != 0 {
		for k := range left {
			s.kill(k, left[k])
		}
	}
}

// sequence returns what takes effect in the likeliest world, of all or before the layer that was
// reached.
func (s *dequeWorlds) sequence(all bool) []placed {
	dead := s.were
	until := int(s.layer)
	if all {
		dead = s.dead
		until++
	}
	best := int32(none)
	for w := range int32(len(s.worlds)) {
		if dead[w>>6]>>(w&63)&1 == 0 && (best == none || s.worlds[w].cost < s.worlds[best].cost) {
			best = w
		}
	}
	var events []worldEvent
	for e := s.worlds[best].log; e >= 0; e = s.log[e].last {
		events = append(events, s.log[e])
	}
	slices.Reverse(events)
	n := history.OpID(len(s.repair.ops)) - 1
	before, after, moment := make([]history.OpID, n+1), make([]history.OpID, n+1), make([]history.Rank, n+1)
	before[n], after[n] = n, n
	in := slices.Clone(s.in)
	put := func(o, next history.OpID, at history.Rank) {
		p := before[next]
		after[p], before[o], after[o], before[next] = o, p, next, o
		in[o], moment[o] = true, at
	}
	for _, p := range s.start {
		put(p.op, n, p.at)
	}
	for j := s.first; j < until; j++ {
		r := s.lane.ops[s.lane.returns[j]].op
		at := s.returnOf(j)
		for len(events) > 0 && events[0].layer == int32(j) {
			e := events[0]
			events = events[1:]
			if e.before == none {
				put(e.op, n, at)
			} else {
				put(e.op, e.before, moment[e.before])
			}
		}
		if !in[r] {
			put(r, n, at)
		}
	}
	var sequence []placed
	for o := after[n]; o != n; o = after[o] {
		sequence = append(sequence, placed{moment[o], o})
	}
	return sequence
}
