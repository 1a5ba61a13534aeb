package monitor

// Which configurations of a counter are kept (counter_beam.go): of one value the best, without
// those that others make superfluous.

import (
	"math"
	mathbits "math/bits"
)

// put adds a configuration to the list of v, the number of its value, unless others make it
// superfluous or are better and fill the list. It returns its place there, or -1.
func (b *beamSearch) put(l *beamLists, s *beamState, v int32) int32 {
	for at := l.heads[v]; at != 0; at = l.next[at-1] {
		if fewer, more := b.compare(s, &l.states[at-1]); more {
			return -1
		} else if fewer {
			l.states[at-1], l.todo[at-1] = *s, true
			return at - 1
		}
	}
	if l.counts[v] < b.width {
		if l.counts[v]++; l.counts[v] == 1 {
			l.values = append(l.values, v)
		}
		l.states, l.next, l.todo = append(l.states, *s), append(l.next, l.heads[v]), append(l.todo, true)
		l.heads[v] = int32(len(l.states))
		return l.heads[v] - 1
	}
	b.narrow = true
	worst, rating := int32(-1), int32(math.MinInt32)
	for at := l.heads[v]; at != 0; at = l.next[at-1] {
		x := &l.states[at-1]
		if x.rating == unrated {
			x.rating = b.rate(x, math.MaxInt32)
		}
		if x.rating > rating {
			worst, rating = at-1, x.rating
		}
	}
	if s.rating = b.rate(s, rating); s.rating >= rating {
		return -1
	}
	l.states[worst], l.todo[worst] = *s, true
	return worst
}

// compare compares configurations of one value whose tickets are the same: s has no more reads left
// than x and no fewer additions (better), or the other way round (worse).
func (b *beamSearch) compare(s, x *beamState) (better, worse bool) {
	better, worse = s.chain <= x.chain, s.chain >= x.chain
	for w := range b.words {
		different := s.left[w] ^ x.left[w]
		if different == 0 {
			continue
		}
		reading, observing := b.reading[w], b.observing[w]
		if different&observing&^reading != 0 {
			return false, false
		}
		// What makes s better: reads left in x, additions left in s.
		good, bad := x.left[w]&reading|s.left[w]&^observing, s.left[w]&reading|x.left[w]&^observing
		better, worse = better && different&bad == 0, worse && different&good == 0
		if !better && !worse {
			return false, false
		}
	}
	for k := range b.spare {
		better, worse = better && s.used[k] <= x.used[k], worse && s.used[k] >= x.used[k]
	}
	return better, worse
}

// rate returns how much is left to do in a configuration; the least is best. It stops where that is
// enough or more.
func (b *beamSearch) rate(s *beamState, enough int32) int32 {
	additions := int32(0)
	for w, left := range s.left[:b.words] {
		additions += int32(mathbits.OnesCount64(left &^ b.observing[w]))
	}
	for k := range b.spare {
		additions -= s.used[k]
	}
	r := -beamSoon * beamLazy * additions
	for w, left := range s.left[:b.words] {
		for m := left & b.observing[w]; m != 0; m &= m - 1 {
			o := &b.wanted[w<<6+mathbits.TrailingZeros64(m)]
			away := o.value - s.sum
			if r += o.weight * int32(min(max(away, -away), beamFar)); r >= enough {
				return r
			}
		}
	}
	return r
}
