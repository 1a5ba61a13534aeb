package solve

// What is left open, decided by a solver.
//
// What: a variable for each pair of writers whose order is open, for each source of a read that is
// left, and for each open transaction that may take effect. Each gives edges. Cycles are
// excluded as the solver's answers have them; a false variable is the order of the graph, which the
// solver tries first. Where the source of a read was open, what an answer overwrites is excluded
// when it is met, too.
//
// Source: SAT modulo acyclicity with lazily added cycles; PolySI and VeriStrong have a theory
// solver instead. gini has none, and none is needed: most answers have few cycles.
//
// Invariant: every clause follows from isolation.Rule, so that a refutation can be
// proved from them (prove.go).

import (
	"context"
	"slices"

	iso "github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/solver"
)

// openEdge is an edge that is there if all of its literals are true.
type openEdge struct {
	u, v    int32
	lits    []solver.Lit
	because why
}

// choosing is what a solver has to decide.
type choosing struct {
	*order
	given   iso.Order
	s       solver.Solver
	free    solver.Lit              // of clauses that say nothing
	orders  map[[2]int32]solver.Lit // by a and b: a comes before b
	sources map[statement]solver.Lit
	effects map[int32]solver.Lit
	edges   []openEdge
	readers map[[2]int32]solver.Lit // by a and b: a reads before b commits
	objects map[pair]bool           // whose edges are there
	met     map[pairRead]bool
	// what the solver was given, for the proof
	cycles  [][]macro
	visible []visible
	clauses []iso.Clause

	base int32 // edges of the graph that are known
}

// asChosen stands for the clause of an edge that is a variable itself.
const asChosen iso.Rule = 255

// pairRead is a read, its source, and who would overwrite it.
type pairRead struct{ read, from, w int32 }

func newChoosing(o *order, given iso.Order, s solver.Solver) *choosing {
	c := &choosing{order: o, given: given, s: s, orders: map[[2]int32]solver.Lit{}, sources: map[statement]solver.Lit{},
		effects: map[int32]solver.Lit{},
		readers: map[[2]int32]solver.Lit{}, objects: map[pair]bool{},
		met: map[pairRead]bool{}, base: int32(len(o.g.whys))}
	c.free = s.NewVar()
	for _, p := range o.pairs {
		c.pair(p.object, p.a, p.b)
	}
	for i := range o.uncertain {
		if o.uncertain[i] {
			c.uncertainPairs(int32(i))
		}
	}
	for n, k := range o.open {
		c.sourcesOf(k, o.left[n])
	}
	c.overwritesAhead()
	return c
}

// before returns the literal that a comes before b, which write one object.
func (c *choosing) before(a, b int32) solver.Lit {
	if l, known := c.orders[[2]int32{a, b}]; known {
		return l
	}
	l := c.s.NewVar()
	c.s.Add([]solver.Lit{-l, c.free}) // gini tries first the sign that is more frequent
	if p := c.reach.position; p[c.g.commit(a)] < p[c.g.commit(b)] {
		l = -l
	}
	c.orders[[2]int32{a, b}], c.orders[[2]int32{b, a}] = l, -l
	return l
}

// effect returns the literal that i takes effect; ok is false if that is known.
func (c *choosing) effect(i int32) (l solver.Lit, ok bool) {
	if i == iso.Initial || !c.uncertain[i] {
		return 0, false
	}
	if l, ok = c.effects[i]; !ok {
		l = c.s.NewVar()
		c.effects[i] = l
	}
	return l, true
}

// pair adds the edges of two writers of an object.
func (c *choosing) pair(object, a, b int32) {
	if a > b {
		a, b = b, a
	}
	if p := (pair{object, a, b}); !c.objects[p] {
		c.objects[p] = true
		c.side(object, a, b)
		c.side(object, b, a)
	}
}

// side adds the edges if a comes before b.
func (c *choosing) side(object, a, b int32) {
	lits := []solver.Lit{c.before(a, b)}
	for _, i := range []int32{a, b} {
		if e, ok := c.effect(i); ok {
			lits = append(lits, e)
		}
	}
	to, because := c.g.commit(b), why{rule: asChosen, t: a, w: b, object: object}
	if c.model == iso.Snapshot {
		to, because.rule = c.g.start(b), iso.RuleConflict
	}
	c.edges = append(c.edges, openEdge{c.g.commit(a), to, lits, because})
	if !c.readsBefore() {
		return
	}
	for _, k := range c.slots[c.slot(a, object)].readers {
		if r := &c.reads[k]; r.place.Txn != b {
			c.edges = append(c.edges, openEdge{c.g.start(r.place.Txn), c.g.commit(b), lits,
				why{rule: iso.RuleOverwritten, place: r.place, t: a, w: b, object: object}})
		}
	}
}

// uncertainPairs adds the edges of an open transaction that may take effect, if it does.
func (c *choosing) uncertainPairs(i int32) {
	e, _ := c.effect(i)
	for n := c.own[i]; n < c.own[i+1]; n++ {
		x := c.slots[n].object
		for _, w := range c.writers[x] {
			if w != i {
				c.pair(x, w, i)
			}
		}
		for _, k := range c.slots[c.start[x]].readers {
			if r := &c.reads[k]; c.readsBefore() && r.place.Txn != i {
				c.edges = append(c.edges, openEdge{c.g.start(r.place.Txn), c.g.commit(i), []solver.Lit{e},
					why{rule: iso.RuleOverwritten, place: r.place, t: iso.Initial, w: i, object: x}})
			}
		}
	}
}

// sourcesOf adds that a read is from one of those that are left.
func (c *choosing) sourcesOf(k int32, left []int32) {
	r := &c.reads[k]
	var one []solver.Lit
	for _, s := range left {
		l := c.s.NewVar()
		c.sources[statement{kind: isFrom, a: k, b: s}] = l
		one = append(one, l)
		if s == iso.Initial {
			continue
		}
		c.edges = append(c.edges, openEdge{c.g.commit(s), c.g.start(r.place.Txn), []solver.Lit{l},
			why{rule: iso.RuleWritten, place: r.place, t: s, w: -1, object: r.object}})
		if e, ok := c.effect(s); ok {
			c.s.Add([]solver.Lit{-l, e})
			c.clauses = append(c.clauses,
				iso.Clause{Rule: iso.RuleEffect, Places: []iso.Place{r.place}, Txns: []int32{s}})
		}
	}
	c.s.Add(one)
	c.clauses = append(c.clauses, iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{r.place}})
}

// overwritesAhead adds that nobody comes between a source that is left and its read, for those whom
// nothing keeps from it; where there are too many, answers have to show who does.
func (c *choosing) overwritesAhead() {
	if !c.readsBefore() {
		return
	}
	var all []pairRead
	for n, k := range c.order.open {
		i := c.reads[k].place.Txn
		for _, s := range c.left[n] {
			for _, w := range c.writers[c.reads[k].object] {
				u := c.g.commit(w)
				earlier := s != iso.Initial && c.reach.has(u, c.g.commit(s))
				if w != s && w != i && !earlier && !c.reach.has(c.g.start(i), u) {
					all = append(all, pairRead{k, s, w})
				}
			}
			if len(all) > mostOverwrites {
				return
			}
		}
	}
	for _, n := range all {
		c.met[n] = true
		c.excludeOverwritten(n.read, n.from, n.w)
	}
}

// exclude excludes a cycle of open edges, which have numbers from base on, and of known ones.
func (c *choosing) exclude(cycle []step) {
	var clause []solver.Lit
	for _, s := range cycle {
		if s.age >= c.base {
			for _, l := range c.edges[s.age-c.base].lits {
				if !slices.Contains(clause, -l) {
					clause = append(clause, -l)
				}
			}
		}
	}
	c.s.Add(clause)
	c.cycles = append(c.cycles, c.macrosOf(cycle))
}

// macrosOf notes a cycle for a proof: known edges between open ones are one step.
func (c *choosing) macrosOf(cycle []step) (list []macro) {
	for _, s := range cycle {
		m := macro{from: s.from, to: s.to, age: -1}
		if s.age >= c.base {
			m.because, m.age = c.edges[s.age-c.base].because, s.age
		} else if n := len(list); n > 0 && list[n-1].age < 0 {
			list[n-1].to = s.to
			continue
		}
		list = append(list, m)
	}
	if n := len(list); n > 1 && list[0].age < 0 && list[n-1].age < 0 {
		list[0].from = list[n-1].from
		list = list[:n-1]
	}
	return list
}

// answer is a commit order that a solver found.
type answer struct {
	events  []int32
	sources map[int32]int32
	effect  func(i int32) bool
}

// solve asks the solver until its answer is an order. refuted is true if there is none.
func (c *choosing) solve(ctx context.Context) (a *answer, refuted bool) {
	for {
		if some, none := ask(ctx, c.s); !some {
			return nil, none
		}
		g := c.active()
		sorted := g.topological()
		if sorted == nil {
			if !c.excludeCycles(ctx, g) {
				return nil, false
			}
			continue
		}
		a := &answer{events: sorted, sources: map[int32]int32{}, effect: c.takes}
		for n, k := range c.order.open {
			for _, s := range c.left[n] {
				if c.s.Value(c.sources[statement{kind: isFrom, a: k, b: s}]) {
					a.sources[k] = s
					break
				}
			}
		}
		if !c.overwritten(g, a) {
			return a, false
		}
		if c.unclear != "" {
			return nil, false
		}
	}
}

// ask asks a solver: some if it has an answer, none if there is no answer.
func ask(ctx context.Context, s solver.Solver) (some, none bool) {
	status := s.Solve(ctx)
	return status == solver.Satisfiable && ctx.Err() == nil, status == solver.Unsatisfiable
}

// takes reports whether a transaction takes effect in the solver's answer.
func (c *choosing) takes(i int32) bool {
	if c.gone[i] {
		return false
	}
	e, ok := c.effect(i)
	return !ok || c.s.Value(e)
}

// active returns the graph with the edges of the solver's answer.
func (c *choosing) active() *graph {
	g := &graph{two: c.g.two, events: c.g.events, out: make([][]edge, len(c.g.out)), whys: c.g.whys}
	for u := range c.g.out {
		g.out[u] = slices.Clip(c.g.out[u])
	}
	for n := range c.edges {
		e := &c.edges[n]
		if !slices.ContainsFunc(e.lits, func(l solver.Lit) bool { return !c.s.Value(l) }) {
			g.out[e.u] = append(g.out[e.u], edge{e.v, c.base + int32(n)})
		}
	}
	return g
}

// excludeCycles excludes some cycles of an answer: through open edges that go back in the order of
// the graph, those of the fewest open edges. It is false if it finds none.
func (c *choosing) excludeCycles(ctx context.Context, g *graph) (some bool) {
	of, _ := g.components()
	done, tried := make([]bool, len(c.edges)), map[int32]int{}
	for u := range g.out {
		for _, e := range g.out[u] {
			back := e.age >= c.base && of[u] == of[e.to] && c.reach.position[u] > c.reach.position[e.to]
			if !back || done[e.age-c.base] || tried[of[u]] == cyclesOfModel || ctx.Err() != nil {
				continue
			}
			tried[of[u]]++
			cycle := append(c.fewestOpen(g, of, e.to, int32(u)), step{int32(u), e.to, e.age})
			for _, s := range cycle {
				if s.age >= c.base {
					done[s.age-c.base] = true
				}
			}
			c.exclude(cycle)
			some = true
		}
	}
	return some
}

// fewestOpen returns a path of the fewest open edges within a component.
func (c *choosing) fewestOpen(g *graph, of []int32, from, to int32) (way []step) {
	type reached struct {
		by   step
		open int32 // open edges on the way there, plus one
	}
	at := map[int32]reached{from: {open: 1}}
	for now, later := []int32{from}, []int32(nil); ; now, later = later, now[:0] {
		for k := 0; k < len(now); k++ {
			u := now[k]
			if u == to {
				for ; u != from; u = way[len(way)-1].from {
					way = append(way, at[u].by)
				}
				slices.Reverse(way)
				return way
			}
			for _, e := range g.out[u] {
				open := at[u].open
				if e.age >= c.base {
					open++
				}
				if of[e.to] != of[u] || at[e.to].open > 0 && at[e.to].open <= open {
					continue
				}
				at[e.to] = reached{step{u, e.to, e.age}, open}
				if e.age >= c.base {
					later = append(later, e.to)
				} else {
					now = append(now, e.to)
				}
			}
		}
	}
}

// overwritten excludes what an answer overwrites between an open source and its read, or shows too
// early, and reports whether it does.
func (c *choosing) overwritten(g *graph, a *answer) (some bool) {
	if !c.readsBefore() {
		return c.seenTooMuchIn(g, a)
	}
	position := make([]int32, len(g.out))
	for n, u := range a.events {
		position[u] = int32(n)
	}
	for k, s := range a.sources {
		r := &c.reads[k]
		for _, w := range c.writers[r.object] {
			if w == s || w == r.place.Txn || !c.takes(w) ||
				position[c.g.commit(w)] > position[c.g.start(r.place.Txn)] ||
				s != iso.Initial && position[c.g.commit(w)] < position[c.g.commit(s)] {
				continue
			}
			if n := (pairRead{k, s, w}); !c.met[n] {
				c.met[n], some = true, true
				c.excludeOverwritten(k, s, w)
			}
		}
	}
	return some
}

// excludeOverwritten adds that w does not come between s and a read of it.
func (c *choosing) excludeOverwritten(k, s, w int32) {
	r := &c.reads[k]
	clause := []solver.Lit{-c.sources[statement{kind: isFrom, a: k, b: s}], c.readBefore(r.place.Txn, w)}
	if e, ok := c.effect(w); ok {
		clause = append(clause, -e)
	}
	if s != iso.Initial {
		c.pair(r.object, s, w)
		clause = append(clause, c.before(w, s))
	}
	c.s.Add(clause)
}

// readBefore returns the literal that i reads before w commits.
func (c *choosing) readBefore(i, w int32) solver.Lit {
	l, known := c.readers[[2]int32{i, w}]
	if !known {
		l = c.s.NewVar()
		c.readers[[2]int32{i, w}] = l
		c.edges = append(c.edges, openEdge{c.g.start(i), c.g.commit(w), []solver.Lit{l},
			why{rule: asChosen, t: i, w: w, object: -1}})
	}
	return l
}

// visible is what RuleVisible excludes: a read is from s, which w overwrites, and a way leads from
// w to the reader.
type visible struct {
	read, s, w int32
	way        []macro
}

// seenTooMuchIn excludes what the reads of an answer see under parallel snapshot isolation although
// it overwrites what they read, and reports whether there is any.
func (c *choosing) seenTooMuchIn(g *graph, a *answer) (some bool) {
	seen := newReach(g, a.events, nil, c.limit)
	if seen == nil {
		c.unclear = tooManyOrders
		return true
	}
	found := 0
	for k := range c.reads {
		r := &c.reads[k]
		s, ok := a.sources[int32(k)]
		if !ok {
			s = c.order.sourceOf(int32(k))
		}
		i := r.place.Txn
		for _, w := range c.overwriters(r) {
			if w == s || w == i || !c.takes(w) || !seen.has(w, i) || s != iso.Initial && !seen.has(s, w) {
				continue
			}
			some = true
			var clause []solver.Lit
			if ok {
				clause = append(clause, -c.sources[statement{kind: isFrom, a: int32(k), b: s}])
			}
			if l, open := c.orders[[2]int32{s, w}]; open {
				clause = append(clause, -l)
			}
			way := g.path(w, i, always, nil)
			for _, x := range way {
				if x.age >= c.base {
					for _, l := range c.edges[x.age-c.base].lits {
						clause = append(clause, -l)
					}
				}
			}
			if e, open := c.effect(w); open {
				clause = append(clause, -e)
			}
			c.s.Add(clause)
			c.visible = append(c.visible, visible{int32(k), s, w, c.steps(way)})
			if found++; found == cyclesOfModel {
				return true
			}
		}
	}
	return some
}

// steps notes a path for a proof, each open edge with its reason.
func (c *choosing) steps(way []step) []macro {
	return macros(c.h, c.g, c.given, way, func(age int32) why {
		if age >= c.base {
			return c.edges[age-c.base].because
		}
		return c.g.whys[age]
	})
}
