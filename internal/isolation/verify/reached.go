package verify

// Witnesses of causal consistency and of parallel snapshot isolation.
//
// What: a transaction is visible to i if it reaches i by the given order, reads-from and, under
// parallel snapshot isolation, the commit order of those that write one object. No writer of x
// that is visible to a reader of x commits after the one that it reads from.
//
// Why it is right: under causal consistency that is the axiom. Under parallel snapshot isolation
// visibility has to contain these, and what it has to contain is enough: it is a partial order,
// since all of it agrees with the commit order, and less of it makes reads no harder to explain.
//
// How: for blocks of 512 transactions, in the order of the commits, which of them reach each later
// one, as bits. What returns before a call is a chain of barriers: one holds what reaches the first
// n by return. A block is passed over, or ended early, where no read is from a transaction that has
// a later writer between it and the reader.
//
// Cost: n²/512 lines of 64 bytes, and for reads as many, at most.

import (
	"context"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// line is which of a block are in a set.
type line [lineWords]uint64

func (l *line) or(m *line) {
	for k := range l {
		l[k] |= m[k]
	}
}

// reaching is the graph whose paths are visibility. Transactions are places in the commit order.
type reaching struct {
	*explained
	direct []int32 // what reaches transactions directly; of the one at k up to until[k]
	until  []int32
	// returned are those that return, in that order, and before[k] how many of them do before k is
	// called; nil without real time.
	returned, before []int32
	chains           [][]int32 // by object: who writes it, ascending
	// last is by block the last place of a read from a transaction before some writer of the block,
	// which comes before the reader.
	last []int32

	lines    []line
	barriers []line  // by number of those that returned
	number   []int32 // by object: that of its writers in the block, from 1, or 0
	writers  []line
}

// reached checks each read against what is visible to its transaction.
func (f *explained) reached(ctx context.Context) error {
	n := len(f.txns)
	g := &reaching{explained: f, chains: make([][]int32, len(f.h.Objects)), last: make([]int32, n/lineBits+1),
		lines: make([]line, n), number: make([]int32, len(f.h.Objects))}
	g.connect()
	if f.level.Given == isolation.RealTime {
		g.time()
	}
	latest := int32(0)
	for b := range g.last {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		latest = max(latest, g.last[b])
		if err := g.block(int32(b)*lineBits, latest); err != nil {
			return err
		}
	}
	return nil
}

// connect fills in what reaches transactions directly, but for time.
func (g *reaching) connect() {
	inSession := make([]int32, len(g.txns)) // the one before in the session, or -1
	all := g.bySession()
	for k, i := range all {
		inSession[g.at[i]] = -1
		if k > 0 && g.h.Txns[all[k-1]].Session == g.h.Txns[i].Session {
			inSession[g.at[i]] = g.at[all[k-1]]
		}
	}
	for k, i := range g.txns {
		k := int32(k)
		if g.level.Given >= isolation.SessionOrder && inSession[k] >= 0 {
			g.direct = append(g.direct, inSession[k])
		}
		for _, r := range g.readsOf(i) {
			s, chain := g.commit(r.source), g.chains[r.object]
			if s >= 0 {
				g.direct = append(g.direct, s)
			}
			if next, same := slices.BinarySearch(chain, s); next < len(chain) && !same {
				g.early(chain[next], k)
			} else if next+1 < len(chain) {
				g.early(chain[next+1], k)
			}
		}
		for _, w := range g.writesOf(i) {
			chain := g.chains[w.object]
			if n := len(chain); n > 0 && g.level.Model == isolation.ParallelSnapshot {
				g.direct = append(g.direct, chain[n-1])
			}
			g.chains[w.object] = append(chain, k)
		}
		g.until = append(g.until, int32(len(g.direct)))
	}
}

// early notes that a read at k is from one that a writer at w comes after, w < k.
func (g *reaching) early(w, k int32) { g.last[w/lineBits] = max(g.last[w/lineBits], k) }

// time fills in what returned before what.
func (g *reaching) time() {
	for _, i := range g.byReturn() {
		g.returned = append(g.returned, g.at[i])
	}
	g.before = make([]int32, len(g.txns))
	g.barriers = make([]line, len(g.txns)+1)
	n := 0
	for _, i := range g.byCall() {
		for n < len(g.txns) && g.h.Txns[g.txns[g.returned[n]]].Return < g.h.Txns[i].Call {
			n++
		}
		g.before[g.at[i]] = int32(n)
	}
}

// block checks reads as far as until against the writers of the block that begins at start.
func (g *reaching) block(start, until int32) error {
	if until <= start {
		return nil
	}
	end := min(start+lineBits, int32(len(g.txns)))
	g.writers = g.writers[:0]
	for k := start; k < end; k++ {
		for _, w := range g.writesOf(g.txns[k]) {
			if g.number[w.object] == 0 {
				g.writers = append(g.writers, line{})
				g.number[w.object] = int32(len(g.writers))
			}
			g.writers[g.number[w.object]-1].set(k - start)
		}
	}
	defer func() {
		for k := start; k < end; k++ {
			for _, w := range g.writesOf(g.txns[k]) {
				g.number[w.object] = 0
			}
		}
	}()
	barriers := int32(0) // those that are known
	for k := start; k <= until; k++ {
		var l line
		for _, s := range part(g.direct, g.until, k) {
			if s >= start {
				l.or(&g.lines[s])
			}
		}
		if g.before != nil {
			for ; barriers < g.before[k]; barriers++ {
				g.barriers[barriers+1] = g.barriers[barriers]
				if s := g.returned[barriers]; s >= start {
					g.barriers[barriers+1].or(&g.lines[s])
				}
			}
			l.or(&g.barriers[g.before[k]])
		}
		if k > start {
			if err := g.check(k, start, &l); err != nil {
				return err
			}
		}
		if k < end {
			l.set(k - start)
		}
		g.lines[k] = l
	}
	return nil
}

// check checks the reads at place k, given what of the block at start is visible there.
func (g *reaching) check(k, start int32, visible *line) error {
	for _, r := range g.readsOf(g.txns[k]) {
		number, s := g.number[r.object], g.commit(r.source)
		if number == 0 || s >= start+lineBits {
			continue
		}
		if w := visible.first(&g.writers[number-1], s+1-start); w >= 0 {
			return base.Faultf(g.what(isolation.Place{Txn: g.txns[k], Access: r.access}),
				"it is from %s, and %s, which writes %s too, commits later and is visible", g.txn(r.source),
				g.txn(g.txns[start+w]), g.object(r.object))
		}
	}
	return nil
}

func (l *line) set(k int32) { l[k/64] |= 1 << (k % 64) }

// first returns the first one, from the given one on, that is in both lines, or -1.
func (l *line) first(m *line, from int32) int32 {
	from = max(from, 0)
	for w := from / 64; w < lineWords; w++ {
		both := l[w] & m[w]
		if w == from/64 {
			both &= ^uint64(0) << (from % 64)
		}
		if both != 0 {
			return w*64 + int32(bits.TrailingZeros64(both))
		}
	}
	return -1
}
