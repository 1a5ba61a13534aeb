package monitor

// Registers by chains.
//
// What: decides one cell in which each value is left by at most one operation, and every operation
// except blind writes says what it found.
// Source: the zones of Gibbons & Korach (Testing Shared Memories, SICOMP 26(4), 1997), extended to
// compare-and-swap: a blind write (or the initial value), those who see it, the swap that takes it,
// those who see what that leaves, and so on are a chain, which stands together in every
// linearization. f is the first return in a chain and s the last call: if f < s the cell holds
// values of the chain from f to s (a forward zone), else all operations of the chain overlap from s
// to f (a backward zone). The cell is linearizable exactly if
//
//	(1) every value found is left by one operation, taken by at most one, and by none from itself;
//	(2) within a chain no operation precedes one that must come first;
//	(3) forward zones do not overlap;
//	(4) no backward zone lies inside a forward one.
//
// What we changed: if the initial value comes back, but all changes are swaps and none is pending
// (a map whose updates say what they found), a chain starts with a swap that finds the initial
// value and ends with one that leaves it; if none does, it lasts for ever. An operation that sees
// the initial value is then a chain of its own. A blind write with a returning initial value is
// ambiguous. Operations that only say which value they did not find are inserted into the finished
// order, which some of them change (register_misses.go), or refute the cell if that value is held
// all the time; between these two cases they are undecided.
//
// Pending operations: those that only look are dropped; those that leave a value are kept exactly
// if a kept or completed operation finds it.
//
// Invariant of the order: forward zones stand at their f, backward ones at their s, or just after a
// forward zone that contains it. Cost: O(n) plus two sorts of ranks.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// noOp stands for no operation in lists of operations.
const noOp history.OpID = -9

// zone is a chain with its bounds and the operations that attain them.
type zone struct {
	root     history.OpID // operation, or proof.Initial
	f, s     history.Rank
	fOp, sOp history.OpID
}

// chains is the state of the procedure for one cell. Entries by value are those of the values of
// that cell.
type chains struct {
	evidence proof.Proof

	origins []int32        // by value: how many operations leave it, counting the start
	owner   []history.OpID // by value: the operation that leaves it
	found   []bool         // by value: an operation that takes effect found it
	begins  bool           // the initial value comes back: chains begin where it is found

	first []history.OpID // by operation, the start last: the first to see what it leaves
	next  []history.OpID // by operation: the next one that sees the same
	taker []history.OpID // by operation, the start last: the swap that takes the value it leaves
	zones []zone

	line, backwards []ranked
	begin           []position // by chain of line: its position in the order
	spare           []ranked   // for sorting
}

func (k *cells) refuted(rule proof.RegisterRule, ops ...history.OpID) finding {
	k.evidence = &proof.RegisterConflict{Rule: rule, Ops: ops}
	return cellNo
}

func (k *cells) decideChains(ctx context.Context, initial int32) (finding, string) {
	if o := k.origin(initial); o != cellYes {
		return o, "values that are left by several operations"
	}
	if o := k.link(initial); o != cellYes {
		return o, ""
	}
	if ctx.Err() != nil {
		return cellOpen, ""
	}
	if o := k.walk(initial); o != cellYes {
		return o, ""
	}
	if o := k.place(); o != cellYes {
		return o, ""
	}
	if ctx.Err() != nil {
		return cellOpen, ""
	}
	k.emit()
	if k.fill(initial) {
		return cellYes, ""
	}
	if o := k.missed(); o != cellOpen {
		return o, ""
	}
	if k.fillMoved(initial) {
		return cellYes, ""
	}
	return cellOpen, "operations that say only what they did not find"
}

// origin finds the operation that leaves each value found, and the pending operations needed for
// that.
func (k *cells) origin(initial int32) finding {
	k.origins = sized(k.origins, k.c.Values)
	k.owner = sized(k.owner, k.c.Values)
	k.found = sized(k.found, k.c.Values)
	forget := func(v int32) { k.origins[v], k.owner[v], k.found[v] = 0, noOp, false }
	for _, i := range k.own { // other cells may have the same values
		switch m := &k.accesses[i]; m.effect {
		case swaps:
			forget(m.v)
			forget(m.w)
		case puts:
			forget(m.w)
		case sees, misses:
			forget(m.v)
		}
	}
	k.origins[initial], k.owner[initial], k.found[initial] = 1, proof.Initial, false
	blind, pending := false, false
	for _, i := range k.own {
		m := &k.accesses[i]
		switch m.effect {
		case wrong:
			return k.refuted(proof.RegisterNoMode, i)
		case puts, swaps:
			k.origins[m.w]++
			if m.w != initial {
				k.owner[m.w] = i
			}
			blind = blind || m.effect == puts
			pending = pending || !m.taken
		}
	}
	for _, i := range k.own {
		if m := &k.accesses[i]; m.taken && (m.effect == sees || m.effect == swaps) {
			if by := k.need(i); by != noOp {
				return k.refuted(proof.RegisterUnwritten, by)
			}
		}
	}
	k.begins = false
	for _, i := range k.own {
		m := &k.accesses[i]
		if m.effect == misses || !m.taken || m.effect != sees && m.effect != swaps || k.origins[m.v] < 2 {
			continue
		}
		if m.v != initial || blind || pending {
			return cellAmbiguous
		}
		k.begins = true
	}
	return cellYes
}

// need marks the value that i finds, and the pending operations needed for it. It returns the
// operation that finds a value which no operation leaves, or noOp.
func (k *cells) need(i history.OpID) history.OpID {
	for {
		v := k.accesses[i].v
		switch {
		case k.origins[v] == 0:
			return i
		case k.found[v]:
			return noOp
		}
		k.found[v] = true
		by := k.owner[v]
		if k.origins[v] > 1 || by == proof.Initial || k.accesses[by].taken {
			return noOp
		}
		k.accesses[by].taken = true
		if k.accesses[by].effect == puts {
			return noOp
		}
		i = by
	}
}

// link lists, for each operation, the operations that see and the one that takes the value it
// leaves.
func (k *cells) link(initial int32) finding {
	n := len(k.ops)
	k.first, k.taker, k.next = sized(k.first, n+1), sized(k.taker, n+1), sized(k.next, n)
	k.first[n], k.taker[n] = noOp, noOp
	for _, i := range k.own {
		k.first[i], k.taker[i] = noOp, noOp
	}
	for j := len(k.own) - 1; j >= 0; j-- { // so that the lists ascend
		i := k.own[j]
		m := &k.accesses[i]
		if !m.taken || m.effect != sees && m.effect != swaps || k.begins && m.v == initial {
			continue
		}
		by := k.owner[m.v]
		if by == proof.Initial {
			by = history.OpID(n)
		}
		if m.effect == sees {
			k.next[i] = k.first[by]
			k.first[by] = i
			continue
		}
		if other := k.taker[by]; other != noOp {
			return k.refuted(proof.RegisterTwoTakers, i, other)
		}
		k.taker[by] = i
	}
	return cellYes
}

// walk follows every chain, checks its order and records its zone.
func (k *cells) walk(initial int32) finding {
	k.zones = k.zones[:0]
	steps, met := 0, 0
	for _, i := range k.own {
		m := &k.accesses[i]
		if !m.taken {
			continue
		}
		root := m.effect == puts
		if m.effect == swaps {
			steps++
			root = k.begins && m.v == initial
		}
		if k.begins && m.effect == sees && m.v == initial {
			k.zones = append(k.zones, zone{i, k.ops[i].Return, k.ops[i].Call, i, i})
		}
		if !root {
			continue
		}
		o := k.chain(i, &met)
		if o != cellYes {
			return o
		}
	}
	if n := len(k.ops); !k.begins && (k.first[n] != noOp || k.taker[n] != noOp) {
		if o := k.chain(proof.Initial, &met); o != cellYes {
			return o
		}
	}
	if steps == met {
		return cellYes
	}
	return k.circle()
}

// circle finds a swap that no chain reaches: its value comes from itself.
func (k *cells) circle() finding {
	reached := make([]bool, len(k.ops))
	for _, z := range k.zones {
		i := z.root
		if i == proof.Initial {
			i = history.OpID(len(k.ops))
		}
		for ; i != noOp; i = k.taker[i] {
			if int(i) < len(reached) {
				reached[i] = true
			}
		}
	}
	for _, i := range k.own {
		if m := &k.accesses[i]; m.taken && m.effect == swaps && !reached[i] {
			return k.refuted(proof.RegisterCircle, i)
		}
	}
	panic("monitor: swaps were counted wrong")
}

// chain walks the chain from root; met counts its swaps.
func (k *cells) chain(root history.OpID, met *int) finding {
	z := zone{root: root, f: -1, fOp: root}
	at := root
	latest, latestOp := history.Rank(-2), proof.Initial // call among those that must come first
	if root == proof.Initial {
		at = history.OpID(len(k.ops))
	} else {
		o := &k.ops[root]
		z.f = o.Return
		latest, latestOp = o.Call, root
		if k.accesses[root].effect == swaps {
			*met++
		}
	}
	for {
		// The operations that see it come in any order.
		before, beforeOp := latest, latestOp
		for i := k.first[at]; i != noOp; i = k.next[i] {
			o := &k.ops[i]
			if o.Return < before {
				return k.refuted(proof.RegisterBackwards, beforeOp, i)
			}
			if o.Return < z.f {
				z.f, z.fOp = o.Return, i
			}
			if o.Call > latest {
				latest, latestOp = o.Call, i
			}
		}
		i := k.taker[at]
		if i == noOp {
			break
		}
		*met++
		o := &k.ops[i]
		if o.Return < latest {
			return k.refuted(proof.RegisterBackwards, latestOp, i)
		}
		if o.Return < z.f {
			z.f, z.fOp = o.Return, i
		}
		if o.Call > latest {
			latest, latestOp = o.Call, i
		}
		at = i
	}
	z.s, z.sOp = latest, latestOp
	if k.begins && k.accesses[at].w != k.c.Init[k.c.Object[root]] { // nothing ends it
		z.s, z.sOp = history.Never, proof.NoOp
	}
	k.zones = append(k.zones, z)
	return cellYes
}

// place gives every zone its position, or finds two overlapping zones.
func (k *cells) place() finding {
	k.line = k.line[:0]
	k.backwards = k.backwards[:0]
	for j, z := range k.zones {
		if z.f < z.s {
			k.line = append(k.line, ranked{z.f + 1, int32(j)}) // + 1: the start is at -1
		} else {
			k.backwards = append(k.backwards, ranked{z.s + 2, int32(j)})
		}
	}
	k.spare = sortRanked(k.line, k.spare)
	for j := 1; j < len(k.line); j++ {
		a, b := &k.zones[k.line[j-1].what], &k.zones[k.line[j].what]
		if b.f < a.s {
			return k.entangled(a, b)
		}
	}
	k.spare = sortRanked(k.backwards, k.spare)
	forward := -1 // the last forward zone that starts before
	forwards := len(k.line)
	for _, b := range k.backwards {
		z := &k.zones[b.what]
		for forward+1 < forwards && k.zones[k.line[forward+1].what].f < z.s {
			forward++
		}
		at := max(z.s, -1) + 1
		if forward >= 0 {
			if a := &k.zones[k.line[forward].what]; z.s < a.s {
				if z.f < a.s {
					return k.entangled(a, z)
				}
				at = a.s + 1
			}
		}
		k.line = append(k.line, ranked{at, b.what})
	}
	k.spare = sortRanked(k.line, k.spare)
	return cellYes
}

// entangled refutes two zones, each of which has an operation that precedes one of the other.
func (k *cells) entangled(a, b *zone) finding {
	return k.refuted(proof.RegisterEntangled, a.fOp, a.sOp, b.fOp, b.sOp)
}

// emit writes the order of the cell.
func (k *cells) emit() {
	k.witness, k.begin = k.witness[:0], k.begin[:0]
	for _, r := range k.line {
		k.begin = append(k.begin, position(len(k.witness)))
		at := k.zones[r.what].root
		if at == proof.Initial {
			at = history.OpID(len(k.ops))
		} else {
			k.witness = append(k.witness, at)
		}
		for {
			for i := k.first[at]; i != noOp; i = k.next[i] {
				k.witness = append(k.witness, i)
			}
			if at = k.taker[at]; at == noOp {
				break
			}
			k.witness = append(k.witness, at)
		}
	}
}

// missed refutes operations that did not find a value although the cell held it from before their
// calls until after their returns; or it leaves the cell undecided.
func (k *cells) missed() finding {
	if k.begins {
		return cellOpen
	}
	for _, i := range k.own {
		m, o := &k.accesses[i], &k.ops[i]
		if m.effect != misses || k.origins[m.v] != 1 {
			continue
		}
		at := k.owner[m.v]
		from, last := at, noOp
		f, s := history.Rank(-1), history.Rank(-2)
		if at == proof.Initial {
			at = history.OpID(len(k.ops))
		} else {
			if !k.accesses[at].taken || k.accesses[at].w != m.v { // or it goes in another outcome
				continue
			}
			f = k.ops[at].Return
		}
		for j := k.first[at]; j != noOp; j = k.next[j] {
			if k.ops[j].Return < f {
				f, from = k.ops[j].Return, j
			}
			if k.ops[j].Call > s {
				s, last = k.ops[j].Call, j
			}
		}
		if j := k.taker[at]; j != noOp && k.ops[j].Call > s {
			s, last = k.ops[j].Call, j
		}
		if last != noOp && f < o.Call && o.Return < s {
			return k.refuted(proof.RegisterBetween, from, i, last)
		}
	}
	return cellOpen
}
