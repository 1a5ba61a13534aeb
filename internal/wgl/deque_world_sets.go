package wgl

// What: the items and sets of worlds of deque_worlds.go. Sets are bits by world. Worlds are added
// as copies of others, and now and then those that are no more or alike are left out.
//
// Source: ours.
//
// Invariant: an item without a set is in all worlds.
//
// Cost: adding and leaving out take worlds × items that are not in all worlds.

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
)

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
