//go:build !linsat_native

package c11

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/relaxed/axioms"
	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// candidate is a graph that is being guessed: values for reads first, then rf, then mo.
type candidate struct {
	p      *randomProgram
	id     []int // numbers of the threads: those that main starts come first
	g      graph.Graph
	values [graph.MaxThreads][]int // of reads and writes
	most   int                     // the largest value that is guessed
	cycles bool                    // with load buffering
	place  []graph.Ref
	found  map[string]bool
	tried  int
}

// byDefinition returns the complete graphs of a program, by key: those of all candidates that
// satisfy the axioms.
func byDefinition(p *randomProgram, cycles bool) (map[string]bool, int) {
	c := &candidate{p: p, most: 2, cycles: cycles, found: map[string]bool{}}
	for _, of := range p.threads {
		for _, s := range of {
			if s.op == doAdd {
				c.most++
			}
		}
	}
	for i := range 2*p.locs + 1 {
		c.place = append(c.place, graph.At(0, i))
	}
	c.g.MO = make([][]graph.Ref, p.locs)
	c.id = make([]int, len(p.threads))
	next := 1
	for _, byMain := range []bool{true, false} {
		for i := range p.threads {
			if byMain == (i == 0 || p.within[i-1] < 0) {
				c.id[i] = next
				next++
			}
		}
	}
	c.guess(0, 0)
	return c.found, c.tried
}

// guess gives values to the reads of what comes from a step on.
func (c *candidate) guess(thread, n int) {
	if thread == len(c.p.threads) {
		c.readFrom(1, 0)
		return
	}
	born := &c.g.Births[c.id[thread]]
	switch {
	case n > 0:
	case thread == 0 || c.p.within[thread-1] < 0:
		*born = graph.Birth{Made: true}
	case !born.Made: // its parent has ended before
		c.guess(thread+1, 0)
		return
	}
	of := c.p.threads[thread]
	if n == c.p.within[thread] {
		child := &c.g.Births[c.id[thread+1]]
		*child = graph.Birth{Made: true, Parent: c.id[thread], After: len(c.g.Threads[c.id[thread]])}
		defer func() { *child = graph.Birth{} }()
	}
	if n == len(of) {
		c.guess(thread+1, 0)
		return
	}
	s := &of[n]
	read := graph.Event{Kind: graph.Read, Order: s.order, Loc: int32(s.loc)}
	write := graph.Event{Kind: graph.Write, Order: s.order, Loc: int32(s.loc)}
	update := func(v, to int) {
		r, w := read, write
		r.RMW, w.RMW = true, true
		c.with(c.id[thread], []graph.Event{r, w}, []int{v, to}, func() { c.guess(thread, n+1) })
	}
	switch s.op {
	case doStore:
		c.with(c.id[thread], []graph.Event{write}, []int{s.value}, func() { c.guess(thread, n+1) })
		return
	case doFence:
		fence := graph.Event{Kind: graph.Fence, Order: s.order}
		c.with(c.id[thread], []graph.Event{fence}, []int{0}, func() { c.guess(thread, n+1) })
		return
	case doChoose:
		for v := range 2 {
			store := graph.Event{Kind: graph.Write, Order: Relaxed, Loc: int32(s.loc)}
			c.with(c.id[thread], []graph.Event{{Kind: graph.Choice, Arg: int32(v), Of: 2}, store}, []int{0, v}, func() {
				c.guess(thread, n+1)
			})
		}
		return
	}
	for v := range c.most + 1 {
		switch s.op {
		case doLoad:
			c.with(c.id[thread], []graph.Event{read}, []int{v}, func() {
				if v == 2 && s.value == 2 {
					c.guess(thread+1, 0)
				} else {
					c.guess(thread, n+1)
				}
			})
		case doAwait:
			if v == s.value {
				c.with(c.id[thread], []graph.Event{read}, []int{v}, func() { c.guess(thread, n+1) })
			}
		case doSwap:
			update(v, s.value)
		case doAdd:
			update(v, v+1)
		case doCAS, doWeak:
			if v == s.from {
				update(v, s.value)
			}
			if v != s.from || s.op == doWeak {
				r := read
				r.Order, r.Spurious = s.failure, v == s.from
				c.with(c.id[thread], []graph.Event{r}, []int{v}, func() { c.guess(thread, n+1) })
			}
		}
	}
}

// with adds events of a thread for as long as next runs.
func (c *candidate) with(thread int, events []graph.Event, values []int, next func()) {
	n := len(c.g.Threads[thread])
	c.g.Threads[thread] = append(c.g.Threads[thread], events...)
	c.values[thread] = append(c.values[thread], values...)
	next()
	c.g.Threads[thread] = c.g.Threads[thread][:n]
	c.values[thread] = c.values[thread][:n]
}

// readFrom gives a write of its value to every read from a place on.
func (c *candidate) readFrom(thread, i int) {
	if thread > len(c.p.threads) {
		c.order(1, 0)
		return
	}
	if i == len(c.g.Threads[thread]) {
		c.readFrom(thread+1, 0)
		return
	}
	e := &c.g.Threads[thread][i]
	if e.Kind != graph.Read {
		c.readFrom(thread, i+1)
		return
	}
	v := c.values[thread][i]
	if v == 0 {
		e.RF = graph.Init
		c.readFrom(thread, i+1)
	}
	for t := range c.g.Threads {
		for j := range c.g.Threads[t] {
			if w := &c.g.Threads[t][j]; w.Kind == graph.Write && w.Loc == e.Loc && c.values[t][j] == v {
				e.RF = graph.At(t, j)
				c.readFrom(thread, i+1)
			}
		}
	}
}

// order places every write from one on in mo, and checks the axioms.
func (c *candidate) order(thread, i int) {
	if thread > len(c.p.threads) {
		c.tried++
		if m := axioms.Of(&c.g); m.Consistent() || c.cycles && m.Buffers() {
			c.found[string(c.g.Key(nil, c.place))] = true
		}
		return
	}
	if i == len(c.g.Threads[thread]) {
		c.order(thread+1, 0)
		return
	}
	e := &c.g.Threads[thread][i]
	if e.Kind != graph.Write {
		c.order(thread, i+1)
		return
	}
	before := c.g.MO[e.Loc]
	for p := range len(before) + 1 {
		with := make([]graph.Ref, 0, len(before)+1)
		with = append(append(append(with, before[:p]...), graph.At(thread, i)), before[p:]...)
		c.g.MO[e.Loc] = with
		c.order(thread, i+1)
	}
	c.g.MO[e.Loc] = before
}

// TestSearchIsTheDefinition compares the graphs of the search with those of all candidates that
// satisfy the axioms, in tiny random programs.
func TestSearchIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ops := []int{doLoad, doLoad, doStore, doStore, doSwap, doCAS, doWeak, doAdd, doFence, doFence, doAwait, doChoose}
	total, tried := 0, 0
	for n := range testenv.Scale(25, 3000) {
		threads := 2 + r.IntN(2)
		p := draw(r, threads, 1+r.IntN(2), 5-threads, ops)
		p.joins = false
		if n%2 == 1 {
			p.nest(n)
		}
		want, candidates := byDefinition(&p, false)
		got, _ := graphs(t, p.run, byTrust)
		for k := range want {
			require.Contains(t, got, k, "program %d\n%smissing of %d, found %d", n, p.String(), len(want), len(got))
		}
		for k, text := range got {
			require.Contains(t, want, k, "program %d\n%sinconsistent:\n%s", n, p.String(), text)
		}
		total, tried = total+len(got), tried+candidates
	}
	t.Logf("%d graphs of %d candidates", total, tried)
}
