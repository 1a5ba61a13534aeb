package encode

// Registers, cas-registers, maps by key, sets by element, locks: which write a read saw.
//
// What: every test (a mode that demands a value) gets its value from a source: a writer that leaves
// a fitting one, with no effective writer of an unfitting one in between, or the initial value. The
// axioms are
//
//	source       a test that applies has one of its candidates
//	SB, SI       the source comes before, and goes in a mode that leaves a fitting value
//	between      a writer that leaves an unfitting value is before the source or after the test
//
// (The literature calls the source variables reads-from. Only writers of different values matter;
// equal ones are harmless.)
//
// Windows: let m be the latest called of the operations that certainly write and returned before
// the test r was called. The last writer before r, whichever it is, does not return before m's
// call, so only such writers are candidates; if it is not m, it comes after m. The source may be
// assumed to be the last writer, since that is one of the candidates. So "between" is only needed
// for writers open at, or called after, the later of m's and the source's call: all others come
// before m by real time. This also holds for pending sources called long ago, and keeps them
// affordable.
//
// Invariants: the mode literal of a completed operation with only one mode is True; a pending
// operation takes effect iff it has one of its modes. The candidates of a test always include the
// true source.
//
// Cost: candidates × writers open at once for every test.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// The axioms of registers.
const (
	source       cnf.Axiom = "a value comes from somewhere"
	sourceBefore cnf.Axiom = "a value is written before it is seen"
	sourceFits   cnf.Axiom = "a source leaves the value that is seen"
	between      cnf.Axiom = "no other value is written in between"
)

type registers struct {
	theory *model.RegisterTheory
	part   *model.Partition
	modes  [][]model.Mode // by operation of the partition; none: dropped

	b       *cnf.Builder
	lits    [][]cnf.Lit      // by kept operation, one for each of its modes
	writers [][]history.OpID // by cell, kept operations that may write
	fits    []cnf.Lit
}

func newRegisters(t *model.RegisterTheory, part *model.Partition) *registers {
	return &registers{theory: t, part: part, modes: make([][]model.Mode, part.Len())}
}

func (c *registers) of(i history.OpID) []model.Mode   { return c.modes[c.b.Keep[i]] }
func (c *registers) cell(i history.OpID) model.CellID { return c.theory.Object[c.b.Keep[i]] }

// Outcomes implements cnf.Encoding.
func (c *registers) Outcomes(b *cnf.Builder) {
	c.b = b
	c.lits = make([][]cnf.Lit, b.Order.N)
	all := make([]cnf.Lit, 0, b.Order.N)
	for i := range b.Order.N {
		k := len(c.of(i))
		pending := c.part.Ops[b.Keep[i]].Pending()
		start := len(all)
		b.Effect(i, pending)
		switch {
		case k == 1:
			all = append(all, b.In[i])
		default:
			for range k {
				all = append(all, b.Fresh())
			}
			modes := all[start:]
			b.AtMostOne(cnf.Outcome, cnf.By(i), modes)
			b.Imply(cnf.Outcome, cnf.By(i), []cnf.Lit{b.In[i]}, modes...)
			for _, m := range modes {
				b.Clause(cnf.Outcome, cnf.By(i), -m, b.In[i])
			}
		}
		c.lits[i] = all[start:len(all):len(all)]
	}
}

// writes reports whether operation i may write, and whether it must write when it takes effect.
func (c *registers) writes(i history.OpID) (may, must bool) {
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

// Axioms implements cnf.Encoding.
func (c *registers) Axioms(b *cnf.Builder) {
	b.Index()
	c.writers = make([][]history.OpID, len(c.theory.Init))
	var certain []history.OpID // operations that take effect and write, by return
	for i := range b.Order.N {
		may, must := c.writes(i)
		if may {
			c.writers[c.cell(i)] = append(c.writers[c.cell(i)], i)
		}
		if must && b.In[i] == cnf.True {
			certain = append(certain, i)
		}
	}
	slices.SortFunc(certain, func(x, y history.OpID) int { return int(b.Order.Return[x]) - int(b.Order.Return[y]) })
	latest := make([]history.OpID, len(c.theory.Init)) // by cell: the returned one called last
	for i := range latest {
		latest[i] = -1
		if b.Boundary != nil { // tests before this segment belong to an earlier one
			latest[i] = b.Boundary.Start
		}
	}
	for r := range b.Order.N {
		for len(certain) > 0 && b.Order.Return[certain[0]] < b.Order.Call[r] {
			m := certain[0]
			certain = certain[1:]
			latest[c.cell(m)] = max(latest[c.cell(m)], m)
		}
		for k, m := range c.of(r) {
			if m.Test != model.Any {
				c.test(r, m, c.lits[r][k], latest[c.cell(r)])
			}
			if !b.Alive(1) {
				return
			}
		}
	}
}

// candidate is a writer that may be the source of a test; -1 is the initial value.
type candidate struct {
	writer history.OpID
	seen   cnf.Lit // the test gets its value from it
}

// test emits the axioms for one test of r, which applies if the literal holds. m is the edge of the
// window, -1 if there is none.
func (c *registers) test(r history.OpID, mode model.Mode, applies cnf.Lit, m history.OpID) {
	b := c.b
	var from []candidate
	window := func(w history.OpID) {
		if w != r && b.Order.Before(w, r) != cnf.False && len(c.leaving(w, mode, true)) > 0 {
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
		some := make([]cnf.Lit, len(from))
		for i := range from {
			some[i] = b.Fresh()
			from[i].seen = some[i]
		}
		b.Imply(source, cnf.By(r), []cnf.Lit{applies}, some...)
	}
	for _, f := range from {
		if !b.Alive(1) {
			return
		}
		w, edge := f.writer, m
		if w >= 0 {
			b.Clause(sourceBefore, cnf.By(r, w), -f.seen, b.Order.Before(w, r))
			b.Imply(sourceFits, cnf.By(r, w), []cnf.Lit{f.seen}, c.leaving(w, mode, true)...)
			if m >= 0 && m != w {
				b.Clause(between, cnf.By(r, w, m), -f.seen, b.Order.Before(m, w))
			}
			edge = max(m, w)
		}
		c.around(r, edge, func(x history.OpID) {
			if x == w || x == r || x == m {
				return
			}
			precedes := cnf.False
			if w >= 0 {
				precedes = b.Order.Before(x, w)
			}
			after := b.Order.Before(r, x)
			if precedes == cnf.True || after == cnf.True {
				return
			}
			for _, l := range c.leaving(x, mode, false) {
				b.Clause(between, cnf.By(r, w, x), -f.seen, -l, precedes, after)
			}
		})
	}
}

// around calls f for the writers of r's cell that are open at, or called after, the call of edge
// (all for -1) and called before r returns.
func (c *registers) around(r, edge history.OpID, f func(w history.OpID)) {
	cell := c.cell(r)
	writers := c.writers[cell]
	if edge >= 0 {
		for _, w := range c.b.Order.Open(edge) {
			if c.cell(w) == cell {
				if may, _ := c.writes(w); may {
					f(w)
				}
			}
		}
		first, _ := slices.BinarySearch(writers, edge)
		writers = writers[first:]
	}
	end := sort.Search(len(writers), func(i int) bool { return writers[i] > c.b.Order.Last[r] })
	for _, w := range writers[:end] {
		f(w)
	}
	c.b.Alive(int64(end))
}

// leaving returns literals one of which holds iff w leaves a value that the test accepts (or does
// not accept); the slice is valid until the next call.
func (c *registers) leaving(w history.OpID, test model.Mode, accepted bool) []cnf.Lit {
	c.fits = c.fits[:0]
	modes := c.of(w)
	c.b.Alive(int64(len(modes)))
	for k, m := range modes {
		if m.Leaves != model.Keep && test.Allows(m.Leaves) == accepted {
			c.fits = append(c.fits, c.lits[w][k])
		}
	}
	if len(c.fits) == len(modes) {
		c.fits = append(c.fits[:0], c.b.In[w])
	}
	return c.fits
}
