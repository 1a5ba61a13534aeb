// Package randomtxn makes small histories of transactions at random, for tests of isolation.
package randomtxn

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
)

// History returns 1 to most transactions (at most 64) on 1 to 3 registers and lists: some open,
// some aborted, with values that repeat in every third history. They commit one after the other,
// and in each history deviate from that in one way: they see only the first of those before them,
// or any of them with what these saw (and perhaps with all that write what they write), or any of
// them, or each read any of them; sometimes they read garbage. In two of three histories time and
// sessions follow the commits.
func History(rng *rand.Rand, most int) *isolation.History {
	objects := make([]isolation.Object, 1+max(rng.IntN(3), rng.IntN(3)))
	g := &generator{rng: rng, h: &isolation.History{Objects: objects}}
	g.repeats, g.plain = rng.IntN(3) == 0, rng.IntN(3) == 0
	g.way, g.often = way(rng.IntN(int(ways))), 1+rng.IntN(4)
	lists := rng.IntN(3) // none, all, some
	for n := range g.h.Objects {
		list := lists == 1 || lists == 2 && rng.IntN(2) == 0
		g.h.Objects[n] = isolation.Object{Name: string(rune('x' + n)), List: list}
	}
	for range 1 + max(rng.IntN(most), rng.IntN(most), rng.IntN(most)) {
		g.commit()
	}
	g.times()
	for v := range g.next + 4 { // 0 is the initial one of registers
		g.h.Values = append(g.h.Values, strconv.Itoa(int(v)))
	}
	return g.h
}

// generator keeps what transactions left.
type generator struct {
	rng     *rand.Rand
	h       *isolation.History
	repeats bool
	plain   bool // each transaction reads all objects, or writes one
	way     way
	often   int             // of 4 transactions: those that deviate
	effects []isolation.Txn // those that take effect, in the order of their commits
	visible []uint64        // to them, as bits of places in effects
	next    int32
}

// way is how transactions deviate from an order.
type way int

const (
	serial   way = iota
	stale        // the first ones are visible
	closed       // any, with those visible to them
	parallel     // the same, and those that write what they write
	any          // any
	single       // to each read any
	ways
)

// set returns a set of transactions that x sees, which commits now.
func (g *generator) set(x *isolation.Txn) uint64 {
	n := len(g.effects)
	all := uint64(1)<<n - 1
	if g.rng.IntN(4) >= g.often {
		return all
	}
	switch g.way {
	case stale:
		return uint64(1)<<g.rng.IntN(n+1) - 1
	case any, single:
		return g.rng.Uint64() & all
	case closed, parallel:
		set := g.rng.Uint64() & all
		for k := range n {
			if g.way == parallel && conflict(x, &g.effects[k]) {
				set |= 1 << k
			}
			if set&(1<<k) != 0 {
				set |= g.visible[k]
			}
		}
		return set
	}
	return all
}

// conflict reports whether two transactions write one object.
func conflict(x, y *isolation.Txn) bool {
	for _, a := range x.Accesses {
		for _, b := range y.Accesses {
			if a.Kind != isolation.Read && b.Kind != isolation.Read && a.Object == b.Object {
				return true
			}
		}
	}
	return false
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// access adds an access of an object to x; what it reads is found out later.
func (g *generator) access(x *isolation.Txn, object int32, reads bool) {
	a := isolation.Access{Object: object}
	switch {
	case reads && x.Status != isolation.Committed:
		return
	case reads:
	case g.h.Objects[object].List:
		a.Kind, a.Value = isolation.Append, g.value()
	default:
		a.Kind, a.Value = isolation.Write, g.value()
	}
	x.Accesses = append(x.Accesses, a)
}

// commit adds a transaction. Half of them begin with a read of everything.
func (g *generator) commit() {
	x := isolation.Txn{Op: history.OpID(len(g.h.Txns))}
	effect := true
	switch g.rng.IntN(12) {
	case 0:
		x.Status, effect = isolation.Aborted, g.rng.IntN(8) == 0 // somebody sees it all the same
	case 1:
		x.Status, effect = isolation.Open, g.rng.IntN(2) == 0
	}
	all, more := g.rng.IntN(2) == 0, 0
	switch {
	case g.plain:
		more = b2i(!all)
	case all:
		more = g.rng.IntN(3)
	default:
		more = 1 + g.rng.IntN(4)
	}
	for n := range g.h.Objects {
		if all {
			g.access(&x, int32(n), true)
		}
	}
	for range more {
		g.access(&x, int32(g.rng.IntN(len(g.h.Objects))), !g.plain && g.rng.IntN(3) == 0)
	}
	visible := g.set(&x)
	for k := range x.Accesses {
		if a := &x.Accesses[k]; a.Kind == isolation.Read {
			if g.way == single {
				visible = g.set(&x)
			}
			g.read(a, visible, x.Accesses[:k])
		}
	}
	g.h.Txns = append(g.h.Txns, x)
	if effect {
		g.effects, g.visible = append(g.effects, x), append(g.visible, visible)
	}
}

func (g *generator) value() int32 {
	if g.repeats {
		return int32(g.rng.IntN(4))
	}
	g.next++
	return g.next
}

// read is a read of an object after what is visible and what the transaction did itself. It shows
// all that was appended up to the last visible append.
func (g *generator) read(a *isolation.Access, visible uint64, own []isolation.Access) {
	var all []int32 // that was written or appended
	shown := 0
	add := func(accesses []isolation.Access, see bool) {
		for _, w := range accesses {
			if w.Kind != isolation.Read && w.Object == a.Object && (see || g.h.Objects[a.Object].List) {
				if all = append(all, w.Value); see {
					shown = len(all)
				}
			}
		}
	}
	for k := range g.effects {
		add(g.effects[k].Accesses, visible&(1<<k) != 0)
	}
	all = all[:shown]
	add(own, g.rng.IntN(60) > 0)
	all = all[:shown]
	garbage := g.rng.IntN(60) == 0
	if g.h.Objects[a.Object].List {
		if garbage && len(all) > 0 {
			if all = slices.Clone(all[:1+g.rng.IntN(len(all))]); g.rng.IntN(2) == 0 {
				all[g.rng.IntN(len(all))] = int32(g.rng.IntN(int(g.next) + 2))
			}
		}
		a.List = all
		return
	}
	if a.Value = g.h.Objects[a.Object].Initial; shown > 0 {
		a.Value = all[shown-1]
	}
	if garbage {
		a.Value = int32(g.rng.IntN(int(g.next) + 2))
	}
}

// times gives the transactions times and sessions, and sorts them by call.
func (g *generator) times() {
	const apart = 10
	n := len(g.h.Txns)
	moments := make([]int, n)
	for i := range moments {
		moments[i] = i
	}
	if g.rng.IntN(3) == 0 {
		moments = g.rng.Perm(n)
	}
	wide := 1 + g.rng.IntN(3*apart)
	if g.rng.IntN(3) == 0 { // nearly all overlap
		wide = n * apart
	}
	type span struct{ call, ret, txn int }
	spans := make([]span, n)
	for i, m := range moments {
		spans[i] = span{apart*m - g.rng.IntN(wide), apart*m + 1 + g.rng.IntN(wide), i}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.call - b.call })
	free := make([]int, 1+g.rng.IntN(3)) // sessions: when the last one returned
	for s := range free {
		free[s] = -4 * apart
	}
	var events []int
	sorted := make([]isolation.Txn, n)
	for k := range spans {
		p := &spans[k]
		x := g.h.Txns[p.txn]
		session := g.rng.IntN(len(free))
		if p.call <= free[session] {
			session = len(free)
			free = append(free, 0)
		}
		if free[session] = p.ret; x.Status == isolation.Open {
			free[session] = math.MaxInt
		}
		x.Session = int32(session)
		sorted[k] = x
		events = append(events, 2*p.call, 2*p.ret+1)
	}
	slices.Sort(events)
	rank := func(event int, taken map[int]int) history.Rank {
		at, _ := slices.BinarySearch(events, event)
		taken[at]++
		return history.Rank(at + taken[at] - 1)
	}
	taken := map[int]int{}
	for k := range sorted {
		sorted[k].Op = history.OpID(k)
		sorted[k].Call, sorted[k].Return = rank(2*spans[k].call, taken), rank(2*spans[k].ret+1, taken)
		if sorted[k].Status == isolation.Open {
			sorted[k].Return = history.Never
		}
	}
	slices.SortFunc(sorted, func(a, b isolation.Txn) int { return int(a.Call - b.Call) })
	g.h.Txns = sorted
}
