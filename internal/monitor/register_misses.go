package monitor

// Operations that change nothing, put into the order of a cell.
//
// What: operations that say at most which value they did not find are put into the order that the
// chains have (register_chains.go). The order is one of many, and a few of them may have no place
// in it: a value is held there all the time that they are open. Then a chain that can stand after
// that value as well, or in front of what follows it, is moved there.
//
// Source: ours. Of 300,000 operations with compare-and-swap, 80,000 say only what they did not
// find, and some fifty have no place at first; two or three rounds find one for each.
//
// Why not exact: which chain stands in the way of what is a question of all of them together. Where
// the rounds are over, the cell stays undecided.
//
// Invariant: a chain x moves behind chains only if the first return in x comes after the last call
// in each of them, so no operation comes after one that it precedes.
//
// Cost: a round writes the order anew, O(n); for each operation without a place it looks at up to
// maxPassed chains.

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// fillMoved puts the operations that change nothing into the order of the current cell, and moves
// chains for those that have no place. It reports whether all have one.
func (k *cells) fillMoved(initial int32) bool {
	for round := range mostMoves {
		if k.begins || !k.makeRoom(round) {
			return false
		}
		k.emit()
		if k.fill(initial) {
			return true
		}
	}
	return false
}

// makeRoom moves a chain for each operation without a place, where it finds one: another one in
// each round, since what makes room for one operation may take the place of another. Where a chain
// was moved, others wait for the next round. It reports whether any was moved.
func (k *cells) makeRoom(round int) (moved bool) {
	from := 0 // no chain before this one is moved
	for _, x := range k.blocked {
		z, _ := slices.BinarySearch(k.begin, x.k) // the chain behind the one that holds the value
		if z--; z < from {
			continue
		}
		if b, to := k.movable(z, from, k.ops[x.op].Return, round); b >= 0 {
			chain := k.line[b]
			if b < to {
				copy(k.line[b:to], k.line[b+1:to+1])
			} else {
				copy(k.line[to+1:b+1], k.line[to:b])
			}
			k.line[to] = chain
			from, moved = max(b, to)+1, true
		}
	}
	return moved
}

// movable returns a chain near chain z, which holds a value, that can stand directly behind z and
// begins before rank end, and its place there; -1 if there is none. Of several it returns one by
// its number, counted round and round.
func (k *cells) movable(z, from int, end history.Rank, number int) (chain, to int) {
	at := func(j int) *zone { return &k.zones[k.line[j].what] }
	latest := at(z).s
	if latest >= end {
		return -1, 0
	}
	var found []int
	for b := z - 1; b >= from && z-b <= maxPassed; b-- {
		x := at(b)
		if x.f > latest && x.s < end && x.root >= 0 {
			found = append(found, b)
		}
		latest = max(latest, x.s)
	}
	earliest := history.Never
	for b := z + 1; b < len(k.line) && b-z <= maxPassed; b++ {
		x := at(b)
		if x.s < earliest && x.root >= 0 && k.ops[x.root].Call < end {
			found = append(found, b)
		}
		earliest = min(earliest, x.f)
	}
	if len(found) == 0 {
		return -1, 0
	}
	if chain = found[number%len(found)]; chain < z {
		return chain, z
	}
	return chain, z + 1
}

// fill finds places in the witness of the current cell for the operations that change nothing, each
// at the first moment that suits it, or else before operations that can be delayed. It reports
// whether all have a place; if not, another witness might have.
func (k *cells) fill(initial int32) bool {
	k.extra, k.blocked = k.extra[:0], k.blocked[:0]
	n := 0
	for _, i := range k.own {
		if d := k.accesses[i].effect; d == idle || d == misses {
			n++
		}
	}
	if n == 0 {
		return true
	}
	// The value in front of every position, and the next position with another one.
	k.value, k.after = sized(k.value, len(k.witness)+1), sized(k.after, len(k.witness)+1)
	value, next := k.value, k.after
	value[0] = initial
	for j, i := range k.witness {
		value[j+1] = value[j]
		if m := &k.accesses[i]; m.effect == puts || m.effect == swaps {
			value[j+1] = m.w
		}
	}
	next[len(k.witness)] = position(len(value))
	for j := len(k.witness) - 1; j >= 0; j-- {
		next[j] = next[j+1]
		if value[j+1] != value[j] {
			next[j] = position(j) + 1
		}
	}
	k.moment = sized(k.moment, len(k.witness)) // of every position
	moment := k.moment
	at := history.Rank(-1)
	for j, i := range k.witness {
		at = max(at, k.ops[i].Call)
		moment[j] = at
	}
	k.put = filled(k.put, len(k.witness)+1, history.Never)
	early := false // some operation is placed before its moment
	j := position(0)
	for _, i := range k.own { // ascending by call
		m, o := &k.accesses[i], &k.ops[i]
		if m.effect != idle && m.effect != misses {
			continue
		}
		for int(j) < len(moment) && moment[j] <= o.Call {
			j++
		}
		place := j
		if m.effect == misses && value[place] == m.v {
			if after := next[place]; int(after) < len(value) && moment[after-1] < o.Return {
				place = after
			} else if place = k.before(j, o.Call, m.v); place < 0 {
				k.blocked = append(k.blocked, insert{k: j, op: i})
				continue
			}
			early = early || place < j
		}
		at := o.Call
		if place > 0 {
			at = max(at, moment[place-1])
		}
		k.extra = append(k.extra, insert{place, at, i})
		k.put[place] = min(k.put[place], o.Return)
	}
	return len(k.blocked) == 0 && (!early || k.inOrder(k.complete()))
}

// before finds a position before j with a value other than v such that the operations from there to
// j, and those put in there, may all come later than one called at call; -1 if there is none.
func (k *cells) before(j position, call history.Rank, v int32) position {
	for j > 0 && k.ops[k.witness[j-1]].Return > call && k.put[j] > call {
		if j--; k.value[j] != v {
			return j
		}
	}
	return -1
}

// inOrder reports whether no operation of the list comes after one that it precedes.
func (k *cells) inOrder(list []history.OpID) bool {
	latest := history.Rank(-1)
	for _, i := range list {
		if k.ops[i].Return < latest {
			return false
		}
		latest = max(latest, k.ops[i].Call)
	}
	return true
}
