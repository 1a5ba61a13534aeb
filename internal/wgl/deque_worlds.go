package wgl

// What: many linearizations of a deque at once, for histories that are nearly sequential, but in
// which some operations last long. Each completed operation takes effect at its return, unless that
// is illegal or it lasted long. A removal that is not legal may become so by open operations that
// take effect just before it (insertions of what it removes, removals of what lies above). An
// operation that lasted may, when it returns, have taken effect under what was inserted since its
// call: just before an item there was inserted. Each such choice is a world. So an operation that
// took effect at its call is noticed when it matters, or when it returns.
//
// Worlds share their items: of each item, a bit for each world says whether it is there. A return
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
	"cmp"
	"math/bits"
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
	first   history.OpID // the operation of the layer takes effect before the one that inserted this item; none
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

// put puts an item between two; front is towards the front.
func (s *dequeWorlds) put(back, front int32, x worldItem) int32 {
	x.near = [2]int32{front, back}
	i := int32(len(s.items))
	if n := len(s.unused); n > 0 {
		i = s.unused[n-1]
		s.unused = s.unused[:n-1]
		s.items[i] = x
	} else {
		s.items = append(s.items, x)
	}
	s.items[back].near[0], s.items[front].near[1] = i, i
	return i
}

// beside puts an item next to another on the side of an end.
func (s *dequeWorlds) beside(i int32, end int8, x worldItem) int32 {
	if end == 0 {
		return s.put(i, s.items[i].near[0], x)
	}
	return s.put(s.items[i].near[1], i, x)
}

// outermost returns the item nearest to an end, 0 for none.
func (s *dequeWorlds) outermost(end int8) int32 { return s.items[0].near[1-end] }

// has reports whether an item is there in a world.
func (s *dequeWorlds) has(i, w int32) bool {
	in := s.items[i].in
	return in == nil || in[w>>6]>>(w&63)&1 == 1
}

// bits returns a set of worlds like another one, nil for all.
func (s *dequeWorlds) bits(from []uint64) []uint64 {
	var b []uint64
	if n := len(s.spare); n > 0 && cap(s.spare[n-1]) >= len(s.dead) {
		b = s.spare[n-1][:len(s.dead)]
		s.spare = s.spare[:n-1]
	} else {
		b = make([]uint64, len(s.dead))
	}
	if from == nil {
		for k := range b {
			b[k] = ^uint64(0)
		}
	} else {
		copy(b, from)
	}
	return b
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

// took reports whether an open operation took effect in a world.
func (s *dequeWorlds) took(bit uint8, w int32) bool {
	t := s.taken[bit]
	return t != nil && t[w>>6]>>(w&63)&1 == 1
}

// take says that an open operation took effect in a world.
func (s *dequeWorlds) take(bit uint8, w int32) {
	if s.taken[bit] == nil {
		s.taken[bit] = s.bits(nil)
		clear(s.taken[bit])
	}
	s.taken[bit][w>>6] |= 1 << (w & 63)
}

// record notes in a world that an operation took effect out of turn.
func (s *dequeWorlds) record(w, op int32, before history.OpID) {
	s.log = append(s.log, worldEvent{s.worlds[w].log, s.lane.ops[op].op, before, s.layer})
	s.worlds[w].log = int32(len(s.log) - 1)
}

// each calls f with the bits.
func each(set []uint64, f func(w int32)) {
	for k, b := range set {
		for ; b != 0; b &= b - 1 {
			f(int32(k<<6 + bits.TrailingZeros64(b)))
		}
	}
}

// insertedBefore lists the worlds in which an insertion took effect under what was inserted since
// its call.
func (s *dequeWorlds) insertedBefore(o *laneOp, r int32) {
	x := s.outermost(o.end)
	if x == 0 || s.items[x].end != o.end || s.items[x].at <= o.call {
		return
	}
	el := append(s.left[:0], s.need...)
	s.left = el
	s.above = slices.Grow(s.above[:0], len(s.worlds))[:len(s.worlds)]
	for w := range s.above {
		s.above[w] = none
	}
	for ; x != 0; x = s.items[x].near[1-o.end] {
		it := &s.items[x]
		recent := it.end == o.end && it.at > o.call
		any := uint64(0)
		for k := range el {
			in := ^uint64(0)
			if it.in != nil {
				in = it.in[k]
			}
			if !recent {
				el[k] &^= in
			} else if it.value != o.value {
				for b := el[k] & in; b != 0; b &= b - 1 {
					w := int32(k<<6 + bits.TrailingZeros64(b))
					s.above[w] = int32(len(s.children))
					s.children = append(s.children, worldChild{of: w, cost: costBetween, under: x, first: it.op, settled: true})
				}
			}
			any |= el[k]
		}
		if any == 0 {
			break
		}
	}
	for _, c := range s.above {
		if c != none {
			s.children[c].cost = 0
		}
	}
}

// removedBefore lists the worlds in which a removal took out what is under what was inserted since
// its call.
func (s *dequeWorlds) removedBefore(o *laneOp, r int32) {
	x := s.outermost(o.end)
	if x == 0 || s.items[x].end != o.end || s.items[x].at <= o.call {
		return
	}
	each(s.need, func(w int32) {
		above := int32(0)
		for x := s.outermost(o.end); x != 0; x = s.items[x].near[1-o.end] {
			if !s.has(x, w) {
				continue
			}
			if above != 0 {
				s.chain(w, r, x, above, 0)
			}
			if it := &s.items[x]; it.end != o.end || it.at <= o.call {
				return
			}
			above = x
		}
	})
}

// chain lists the ways in which an operation took out what is under an item, after open operations
// did.
func (s *dequeWorlds) chain(w, r, x, above int32, used uint64) {
	o, it := &s.lane.ops[r], &s.items[above]
	for x != 0 && !s.has(x, w) {
		x = s.items[x].near[1-o.end]
	}
	if x == 0 || s.items[x].end != o.end && s.items[x].at >= it.at {
		return
	}
	s.removes = append(s.removes, x)
	if s.items[x].value == o.value || o.wild() {
		c := int32(costBetween)
		if y := &s.items[x]; y.end != o.end || y.at <= o.call {
			c = 0
		}
		if s.items[x].value == it.value {
			c = 0
		}
		s.children = append(s.children, worldChild{of: w, cost: c, under: none, first: it.op, settled: true,
			out: slices.Clone(s.removes), takes: slices.Clone(s.takes)})
	} else {
		for _, i := range s.lane.open.Of(s.layer) {
			p := &s.lane.ops[i]
			if i == r || used>>p.bit&1 == 1 || p.does == model.Insert || p.end != o.end || p.value != s.items[x].value || p.call >= it.at || s.took(p.bit, w) {
				continue
			}
			s.takes = append(s.takes, worldTake{i, it.op})
			s.chain(w, r, s.items[x].near[1-o.end], above, used|1<<p.bit)
			s.takes = s.takes[:len(s.takes)-1]
		}
	}
	s.removes = s.removes[:len(s.removes)-1]
}

// demand lists the worlds in which open operations make a removal legal.
func (s *dequeWorlds) demand(o *laneOp) {
	left := append(s.left[:0], s.need...)
	s.left = left
	for x := s.outermost(o.end); x != 0; x = s.items[x].near[1-o.end] {
		it := &s.items[x]
		any := uint64(0)
		for k := range left {
			in := ^uint64(0)
			if it.in != nil {
				in = it.in[k]
			}
			if it.value != o.value {
				for b := left[k] & in; b != 0; b &= b - 1 {
					s.makeLegal(int32(k<<6+bits.TrailingZeros64(b)), o, [2]int32{s.outermost(0), s.outermost(1)}, 0)
				}
			}
			left[k] &^= in
			any |= left[k]
		}
		if any == 0 {
			return
		}
	}
	if o.value != model.Nothing {
		each(left, func(w int32) { s.makeLegal(w, o, [2]int32{}, 0) })
	}
}

// makeLegal lists the ways in which open operations make a removal legal in a world. The contents
// are between two items.
func (s *dequeWorlds) makeLegal(w int32, o *laneOp, from [2]int32, used uint64) {
	for e := range int8(2) {
		for from[e] != 0 && (!s.has(from[e], w) || slices.Contains(s.removes, from[e])) {
			from[e] = s.items[from[e]].near[1-e]
		}
	}
	emit := func() {
		s.children = append(s.children, worldChild{of: w, under: none, first: none,
			out: slices.Clone(s.removes), takes: slices.Clone(s.takes)})
	}
	top := from[o.end]
	switch {
	case top == 0 && o.value == model.Nothing:
		emit()
		return
	case top != 0 && s.items[top].value == o.value:
		s.removes = append(s.removes, top)
		emit()
		s.removes = s.removes[:len(s.removes)-1]
		return
	}
	try := func(i int32) {
		x := &s.lane.ops[i]
		if x == o || used>>x.bit&1 == 1 || s.took(x.bit, w) {
			return
		}
		before := history.OpID(none)
		switch {
		case x.does == model.Insert:
			if x.value != o.value || o.value == model.Nothing {
				return
			}
			if x.end != o.end && top != 0 {
				if !s.recent(w, x, 0) {
					return
				}
				before = s.items[top].op
			}
			s.takes = append(s.takes, worldTake{i, before})
			emit()
			s.takes = s.takes[:len(s.takes)-1]
		case top != 0:
			u := top
			if x.end != o.end && o.value == model.Nothing {
				u = from[x.end]
			}
			if x.value != s.items[u].value && !x.wild() {
				return
			}
			if x.end != o.end && u != from[x.end] {
				if !s.recent(w, x, u) {
					return
				}
				out := s.items[u].near[x.end]
				for !s.has(out, w) || slices.Contains(s.removes, out) {
					out = s.items[out].near[x.end]
				}
				if s.items[u].end != x.end && s.items[u].at >= s.items[out].at {
					return
				}
				before = s.items[out].op
			}
			s.takes = append(s.takes, worldTake{i, before})
			s.removes = append(s.removes, u)
			s.makeLegal(w, o, from, used|1<<x.bit)
			s.removes = s.removes[:len(s.removes)-1]
			s.takes = s.takes[:len(s.takes)-1]
		}
	}
	for _, i := range s.lane.open.Of(s.layer) {
		try(i)
	}
	for _, i := range s.lane.pending {
		if s.lane.ops[i].call > o.ret {
			break
		}
		try(i)
	}
}

// recent reports whether all items from the end of an operation up to another item were inserted
// there since its call.
func (s *dequeWorlds) recent(w int32, o *laneOp, until int32) bool {
	for x := s.outermost(o.end); x != until; x = s.items[x].near[1-o.end] {
		if it := &s.items[x]; s.has(x, w) && !slices.Contains(s.removes, x) && (it.end != o.end || it.at <= o.call) {
			return false
		}
	}
	return true
}

// widen makes room for more worlds.
func (s *dequeWorlds) widen(words int) {
	more := words - len(s.dead)
	if more <= 0 {
		return
	}
	zeros := make([]uint64, more)
	s.dead = append(s.dead, zeros...)
	for x := s.outermost(0); x != 0; x = s.items[x].near[1] {
		if s.items[x].in != nil {
			s.items[x].in = append(s.items[x].in, zeros...)
		}
	}
	for b := range s.taken {
		if s.taken[b] != nil {
			s.taken[b] = append(s.taken[b], zeros...)
		}
	}
	s.need = append(s.need, zeros...)
}

// split adds the children, each a copy of its parent but for what it chose.
func (s *dequeWorlds) split(o *laneOp, r int32) {
	from := int32(len(s.worlds))
	for i := range s.children {
		c := &s.children[i]
		s.worlds = append(s.worlds, s.worlds[c.of])
		s.worlds[len(s.worlds)-1].cost += c.cost
	}
	s.widen((len(s.worlds) + 63) / 64)
	inherit := func(in []uint64) {
		for i := range s.children {
			w, p := from+int32(i), s.children[i].of
			in[w>>6] = in[w>>6]&^(1<<(w&63)) | in[p>>6]>>(p&63)&1<<(w&63)
		}
	}
	for x := s.outermost(0); x != 0; x = s.items[x].near[1] {
		if s.items[x].in != nil {
			inherit(s.items[x].in)
		}
	}
	for b := range s.taken {
		if s.taken[b] != nil {
			inherit(s.taken[b])
		}
	}
	under, in := int32(none), int32(0)
	for i := range s.children {
		c, w := &s.children[i], from+int32(i)
		for _, x := range c.out {
			if s.items[x].in == nil {
				s.items[x].in = s.bits(nil)
			}
			s.items[x].in[w>>6] &^= 1 << (w & 63)
		}
		for _, t := range c.takes {
			s.take(s.lane.ops[t.op].bit, w)
			s.record(w, t.op, t.before)
		}
		if !c.settled {
			// The removal takes effect with these; its item is out already.
			s.record(w, r, none)
			continue
		}
		if c.under != none {
			if c.under != under {
				in = s.beside(c.under, 1-o.end, worldItem{value: o.value, op: o.op, end: o.end, at: s.items[c.under].at, in: s.bits(s.dead)})
				clear(s.items[in].in)
				under = c.under
			}
			s.items[in].in[w>>6] |= 1 << (w & 63)
		}
		s.record(w, r, c.first)
	}
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

// kill ends worlds of a word.
func (s *dequeWorlds) kill(k int, hit uint64) {
	s.dead[k] |= hit
	s.deaths += bits.OnesCount64(hit)
}

// drop forgets an item.
func (s *dequeWorlds) drop(x int32) {
	it := &s.items[x]
	s.items[it.near[0]].near[1], s.items[it.near[1]].near[0] = it.near[1], it.near[0]
	if it.in != nil {
		s.spare = append(s.spare, it.in)
		it.in = nil
	}
	s.unused = append(s.unused, x)
}

// compact keeps the likeliest worlds, one of those that are alike.
func (s *dequeWorlds) compact() {
	n := len(s.worlds)
	hashes := make([]uint64, n)
	pending, length := uint64(0), 0
	flush := func() {
		if length == 0 {
			return
		}
		for len(s.power) <= length {
			s.power = append(s.power, s.power[len(s.power)-1]*0x9e3779b97f4a7c15)
		}
		for w := range hashes {
			hashes[w] = hashes[w]*s.power[length] + pending
		}
		pending, length = 0, 0
	}
	for x := s.outermost(0); x != 0; x = s.items[x].near[1] {
		it := &s.items[x]
		v := hashOfItem(0, it.value)
		if it.in == nil {
			pending = pending*0x9e3779b97f4a7c15 + v
			length++
			continue
		}
		flush()
		each(it.in, func(w int32) {
			if int(w) < n {
				hashes[w] = hashes[w]*0x9e3779b97f4a7c15 + v
			}
		})
	}
	flush()
	for b, t := range s.taken {
		if t != nil {
			each(t, func(w int32) {
				if int(w) < n {
					hashes[w] += hashOfItem(-1-b, 0)
				}
			})
		}
	}
	kept := make([]int32, 0, n)
	for w := range int32(n) {
		if s.dead[w>>6]>>(w&63)&1 == 0 {
			kept = append(kept, w)
		}
	}
	slices.SortStableFunc(kept, func(a, b int32) int { return cmp.Or(int(s.worlds[a].cost-s.worlds[b].cost), int(b-a)) })
	seen := make(map[uint64]bool, n)
	k := 0
	for _, w := range kept {
		if !seen[hashes[w]] {
			seen[hashes[w]] = true
			kept[k] = w
			k++
		}
	}
	kept = kept[:k]
	if k > s.most {
		slices.SortFunc(kept, func(a, b int32) int {
			return cmp.Or(int(s.worlds[a].cost-s.worlds[b].cost), int(a-b))
		})
		k = s.most
		kept = kept[:k]
	}
	slices.Sort(kept)
	s.Steps += int64(k)
	words := (k + 63) / 64
	worlds := make([]world, k)
	for i, w := range kept {
		worlds[i] = s.worlds[w]
	}
	gather := func(in []uint64) (none, all bool) {
		out := s.mask[:0]
		ones := 0
		for i := 0; i < k; i += 64 {
			b := uint64(0)
			for j, w := range kept[i:min(k, i+64)] {
				b |= in[w>>6] >> (w & 63) & 1 << j
			}
			ones += bits.OnesCount64(b)
			out = append(out, b)
		}
		s.mask = out
		copy(in, out)
		return ones == 0, ones == k
	}
	for x, next := s.outermost(0), int32(0); x != 0; x = next {
		it := &s.items[x]
		next = it.near[1]
		if it.in == nil {
			continue
		}
		no, all := gather(it.in)
		switch it.in = it.in[:words]; {
		case no:
			s.drop(x)
		case all:
			s.spare = append(s.spare, it.in)
			it.in = nil
		}
	}
	for b, t := range s.taken {
		if t != nil {
			no, _ := gather(t)
			if s.taken[b] = t[:words]; no {
				s.taken[b] = nil
			}
		}
	}
	s.worlds = worlds
	s.dead = s.dead[:words]
	clear(s.dead)
	s.deaths = 0
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
