package encode

// Cells: registers, cas-registers, maps by key, sets by element, locks.
//
// What: every test (a mode that demands a value) gets its value from a source: a writer that leaves
// a fitting one, with no effective writer of an unfitting one in between, or the initial value. The
// axioms are
//
//	source       a test that applies has one of its candidates
//	SB, SI       the source comes before, and goes in a mode that leaves a fitting value
//	between      a writer that leaves an unfitting value is before the source or after the test
//
// (encodings.md calls the source variables reads-from; different-valued writers only, equal ones
// are harmless.)
//
// Windows: let m be the latest called of the operations that certainly write and returned before
// the test r was called. The last writer before r, whoever it is, does not return before m's call,
// so only such writers are candidates, and if it is not m it comes after m. That the source is the
// last writer may be asked for, since it is one of the candidates; so "between" is only needed for
// writers open at, or called after, the later one of m's and the source's call: all others come
// before m by real time. This holds for pending sources, called long ago, too, and is what keeps
// them affordable.
//
// Invariants: mode literals are yes for the only mode of a completed operation; a pending operation
// takes effect iff it goes in one of its modes. Candidates of one test are never empty of the true
// source.
//
// Cost: candidates × writers open at once for every test.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/internal/model"
)

// The axioms of cells.
const (
	source       axiom = "a value comes from somewhere"
	sourceBefore axiom = "a value is written before it is seen"
	sourceFits   axiom = "a source leaves the value that is seen"
	between      axiom = "no other value is written in between"
)

type cells struct {
	theory *model.RegisterTheory
	part   *model.Partition
	modes  [][]model.Mode // by operation of the part; none: dropped

	b       *builder
	lits    [][]lit   // by kept operation, one for each of its modes
	writers [][]int32 // by cell, kept operations that may write
	fits    []lit
}

func newCells(t *model.RegisterTheory, part *model.Partition) *cells {
	return &cells{theory: t, part: part, modes: make([][]model.Mode, part.Len())}
}

func (c *cells) of(i int32) []model.Mode { return c.modes[c.b.keep[i]] }
func (c *cells) cell(i int32) int32      { return c.theory.Object[c.b.keep[i]] }

// outcomes implements encoding.
func (c *cells) outcomes(b *builder) {
	c.b = b
	c.lits = make([][]lit, b.order.n)
	all := make([]lit, 0, b.order.n)
	for i := range b.order.n {
		k := len(c.of(i))
		pending := c.part.Ops[b.keep[i]].Pending()
		start := len(all)
		b.effect(i, pending)
		switch {
		case k == 1:
			all = append(all, b.in[i])
		default:
			for range k {
				all = append(all, b.fresh())
			}
			modes := all[start:]
			b.atMostOne(outcome, by(i), modes)
			b.imply(outcome, by(i), []lit{b.in[i]}, modes...)
			for _, m := range modes {
				b.clause(outcome, by(i), -m, b.in[i])
			}
		}
		c.lits[i] = all[start:len(all):len(all)]
	}
}

// writes says whether operation i may, and whether it must write when it takes effect.
func (c *cells) writes(i int32) (may, must bool) {
	must = true
	for _, m := range c.of(i) {
		if m.Leaves == model.Keep {
			must = false
		} else {
			may = true
		}
	}
	return may, may && must
}

// axioms implements encoding.
func (c *cells) axioms(b *builder) {
	b.order.index()
	c.writers = make([][]int32, len(c.theory.Init))
	var certain []int32 // operations that take effect and write, by return
	for i := range b.order.n {
		may, must := c.writes(i)
		if may {
			c.writers[c.cell(i)] = append(c.writers[c.cell(i)], i)
		}
		if must && b.in[i] == yes {
			certain = append(certain, i)
		}
	}
	slices.SortFunc(certain, func(x, y int32) int { return int(b.order.ret[x]) - int(b.order.ret[y]) })
	latest := make([]int32, len(c.theory.Init)) // the latest called of those that returned, by cell
	for i := range latest {
		latest[i] = -1
		if b.ends != nil { // what tests before this piece began is not its business
			latest[i] = b.ends.start
		}
	}
	for r := range b.order.n {
		for len(certain) > 0 && b.order.ret[certain[0]] < b.order.call[r] {
			m := certain[0]
			certain = certain[1:]
			latest[c.cell(m)] = max(latest[c.cell(m)], m)
		}
		for k, m := range c.of(r) {
			if m.Test != model.Any {
				c.test(r, m, c.lits[r][k], latest[c.cell(r)])
			}
			if !b.alive(1) {
				return
			}
		}
	}
}

// candidate is a writer that may be the source of a test, or -1 for the initial value.
type candidate struct {
	writer int32
	seen   lit // the test has its value from there
}

// test emits the axioms for one test of r that applies if the literal does. m is the window's edge,
// -1 without one.
func (c *cells) test(r int32, mode model.Mode, applies lit, m int32) {
	b := c.b
	var from []candidate
	window := func(w int32) {
		if w != r && b.order.before(w, r) != no && len(c.leaving(w, mode, true)) > 0 {
			from = append(from, candidate{writer: w})
		}
	}
	c.around(r, m, window)
	if m < 0 && mode.Allows(c.theory.Init[c.cell(r)]) {
		from = append(from, candidate{writer: -1})
	}
	if len(from) == 1 {
		from[0].seen = applies
	} else {
		some := make([]lit, len(from))
		for i := range from {
			some[i] = b.fresh()
			from[i].seen = some[i]
		}
		b.imply(source, by(r), []lit{applies}, some...)
	}
	for _, f := range from {
		if !b.alive(1) {
			return
		}
		w, edge := f.writer, m
		if w >= 0 {
			b.clause(sourceBefore, by(r, w), -f.seen, b.order.before(w, r))
			b.imply(sourceFits, by(r, w), []lit{f.seen}, c.leaving(w, mode, true)...)
			if m >= 0 && m != w {
				b.clause(between, by(r, w, m), -f.seen, b.order.before(m, w))
			}
			edge = max(m, w)
		}
		c.around(r, edge, func(x int32) {
			if x == w || x == r || x == m {
				return
			}
			precedes := no
			if w >= 0 {
				precedes = b.order.before(x, w)
			}
			after := b.order.before(r, x)
			if precedes == yes || after == yes {
				return
			}
			for _, l := range c.leaving(x, mode, false) {
				b.clause(between, by(r, w, x), -f.seen, -l, precedes, after)
			}
		})
	}
}

// around calls f for the writers of r's cell that are open at, or called after, the call of edge
// (all for -1) and called before r returns.
func (c *cells) around(r, edge int32, f func(w int32)) {
	cell := c.cell(r)
	writers := c.writers[cell]
	if edge >= 0 {
		for _, w := range c.b.order.open(edge) {
			if c.cell(w) == cell {
				if may, _ := c.writes(w); may {
					f(w)
				}
			}
		}
		first, _ := slices.BinarySearch(writers, edge)
		writers = writers[first:]
	}
	end := sort.Search(len(writers), func(i int) bool { return writers[i] > c.b.order.hi[r] })
	for _, w := range writers[:end] {
		f(w)
	}
	c.b.alive(int64(end))
}

// leaving returns literals one of which holds iff w leaves a value that the test accepts (or does
// not accept); the slice is valid until the next call.
func (c *cells) leaving(w int32, test model.Mode, accepted bool) []lit {
	c.fits = c.fits[:0]
	modes := c.of(w)
	c.b.alive(int64(len(modes)))
	for k, m := range modes {
		if m.Leaves != model.Keep && test.Allows(m.Leaves) == accepted {
			c.fits = append(c.fits, c.lits[w][k])
		}
	}
	if len(c.fits) == len(modes) {
		c.fits = append(c.fits[:0], c.b.in[w])
	}
	return c.fits
}
