package solve

// Epochs: from one boundary (order.go) to the next.
//
// What: tries what can be placed next, those first that have the fewest others near behind them,
// and remembers from where nothing led on.
//
// Invariant: of each of the last bound+1 clusters placed in the epoch, as many as must be near
// behind it and are left fit into the places that are left for them.
//
// Cost: exponential in what overlaps, at worst; steps bounds it.

import "github.com/linsat/linsat/history"

// epoch is a search between two boundaries.
type epoch struct {
	from        int // where it begins in the order
	set         [2]uint64
	dead        map[[2]uint64]struct{}
	maxE, maxL  history.Rank // up to which ends and last calls were looked at
	interrupted bool
}

// several places clusters from a boundary to the next one.
func (o *orderer) several() outcome {
	o.epoch = epoch{from: len(o.order), dead: map[[2]uint64]struct{}{}, maxE: start, maxL: start}
	switch {
	case o.lead():
		return placed
	case o.interrupted:
		return stopped
	}
	return impossible
}

// relevant lists the clusters left at the last boundary that the epoch looked at.
func (o *orderer) relevant() []int32 {
	var list []int32
	for k, n := o.ends.first(), int32(len(o.list)); k != n; k = o.ends.next[k] {
		if o.list[k].end <= o.maxE || o.list[k].last <= o.maxL {
			list = append(list, k)
		}
	}
	return list
}

// lead reports whether a boundary can be reached from here.
func (o *orderer) lead() bool {
	if o.steps--; o.steps < 0 || o.steps&1023 == 0 && o.ctx.Err() != nil {
		o.interrupted = true
		return false
	}
	key, here := o.set, len(o.order)
	urgent, open := history.Never, false
	for p := here - 1; p >= max(o.from, here-1-o.bound); p-- {
		places := p + o.bound - here + 1
		behind := o.before(o.list[o.order[p]].last, -1, places)
		if behind == 0 {
			continue
		}
		open = true
		if behind > places {
			return false
		}
		if behind == places {
			urgent = min(urgent, o.list[o.order[p]].last)
		}
		key[0] += mix(uint64(o.order[p])<<32 | uint64(places))
		key[1] += mix(uint64(places)<<32 | uint64(o.order[p]) | 1<<63)
	}
	if here > o.from && !open {
		return true
	}
	if _, known := o.dead[key]; known {
		return false
	}
	n := int32(len(o.list))
	first := o.ends.first()
	for y := o.lasts.first(); y != n; y = o.lasts.next[y] {
		c := &o.list[y]
		o.maxL = max(o.maxL, c.last)
		if o.before(c.last, y, o.bound) > o.bound {
			if o.before(c.last, -1, o.bound+1) > o.bound+1 {
				break // also of those that are called later
			}
			continue
		}
		next := first
		if next == y {
			next = o.ends.next[y]
		}
		if next != n && o.list[next].end < c.call || c.end >= urgent {
			continue
		}
		o.place(y)
		o.toggle(y)
		if o.lead() {
			return true
		}
		o.takeBack()
		o.toggle(y)
		if o.interrupted {
			return false
		}
	}
	o.dead[key] = struct{}{}
	return false
}

func (o *orderer) toggle(k int32) {
	o.set[0] ^= mix(uint64(k))
	o.set[1] ^= mix(uint64(k) | 1<<62)
}

// before counts the clusters other than y that are left and end before r, at most one more than
// most.
func (o *orderer) before(r history.Rank, y int32, most int) int {
	count := 0
	for x, n := o.ends.first(), int32(len(o.list)); x != n && count <= most; x = o.ends.next[x] {
		o.maxE = max(o.maxE, o.list[x].end)
		if o.list[x].end >= r {
			break
		}
		if x != y {
			count++
		}
	}
	return count
}

// mix spreads numbers [SplitMix64; Steele, Lea, Flood, OOPSLA 2014].
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
