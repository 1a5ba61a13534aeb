package search

// What: decides quasi-linearizability under classes (Round-Up, Definition 4), where the order
// between classes is free in ρ″, for small parts of any specification with classes and any factor.
//
// A move linearizes the next operation of ρ′, or applies the next content of ρ″. How the two
// sequences are interleaved says nothing about either, so a content is applied only after its
// operation was linearized, and every debt is an owed content with its rank: the place at which it
// is applied, counted within its class, may differ from it by the bound. As under slots, contents
// of equal kind are applied in the order of their ranks.
//
// Configuration, moves of ρ′, causality and drains are those of slots.go; the memo keeps the ranks
// in the key, since neither earlier nor later ones are better.
//
// Cost: the lag between the classes is unbounded, so there may be as many configurations as pairs
// of a set of linearized and a set of applied operations: see maxClasses.

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// maxClasses is how many operations a part may have.
const maxClasses = 12

const applying = -1 // as op of a move that applies a content

type classRun struct {
	*slotRun
	filled []int32 // by group: contents applied
}

// classes decides a part under the classes meaning.
func (e *Engine) classes(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	if n := p.Instance.Partition.Len(); n > maxClasses {
		return engine.Answer{Cause: engine.Unsupported, Detail: "search judges the classes meaning of small parts only"}, nil
	}
	return e.relaxed(ctx, p, m, func(r *slotRun) (outcome, func() (before, after []int32, drains int)) {
		c := &classRun{slotRun: r, filled: make([]int32, len(r.groups))}
		r.add = func(v, turns int32) { r.moves = append(r.moves, slotMove{op: v, turns: turns}) }
		return c.search(), c.orders
	})
}

func (c *classRun) search() outcome {
	o := c.enter()
	for o == opened || o == failed && len(c.frames) > 0 {
		if o == failed && len(c.trail) > c.frames[len(c.frames)-1].mark {
			c.undo()
		}
		o = c.proceed()
	}
	return o
}

func (c *classRun) enter() outcome {
	c.nodes++
	if c.byReturn.next[c.n] == c.n && c.debts == 0 && c.leftover() < 0 {
		return found
	}
	if c.late() || c.visited() {
		return failed
	}
	c.frames = append(c.frames, slotFrame{mark: len(c.trail), first: len(c.moves), next: len(c.moves)})
	c.apply()
	work := c.gather()
	for _, v := range c.ready {
		c.place(v, c.add)
	}
	if !c.toil(work) {
		return gaveUp
	}
	return opened
}

// late says that some content can't be applied early enough any more.
func (c *classRun) late() bool {
	for g := range c.groups {
		for _, d := range c.owed[g] {
			if c.filled[g]-d.deadline >= c.groups[g].bound {
				return true
			}
		}
	}
	return false
}

// visited says whether the configuration was visited before, and notes it.
func (c *classRun) visited() bool {
	key, ranks := c.key()
	key = append(key, -6)
	return c.memo.visited(append(key, ranks...), nil)
}

// apply appends the moves that apply a content. A deadline is a rank here.
func (c *classRun) apply() {
	for g := range c.groups {
		for k, d := range c.owed[g] {
			if k > 0 && c.owed[g][k-1].kind == d.kind {
				continue
			}
			place := c.filled[g] + 1
			if d.deadline-place <= c.groups[g].bound && c.agrees(d.kind) {
				c.moves = append(c.moves, slotMove{op: applying, fill: d.kind})
			}
		}
	}
}

func (c *classRun) agrees(kind int32) bool {
	op := c.sample[kind]
	return c.shelves == nil || c.shelves[c.shelved[op]].allows(op, c.drains[c.object[op]] == op)
}

func (c *classRun) proceed() outcome {
	f := &c.frames[len(c.frames)-1]
	for ; f.next < len(c.moves); f.next, f.succ = f.next+1, 0 {
		m := c.moves[f.next]
		if f.succ == 0 && !c.step() {
			return gaveUp
		}
		if m.op != applying {
			if f.succ > 0 {
				continue
			}
			f.succ++
			c.make(m, c.state)
			return c.enter()
		}
		code := c.lookup(c.state, c.sample[m.fill])
		for {
			t, ok := c.transitions.next(code, f.succ)
			if !ok {
				break
			}
			f.succ++
			if op := c.sample[m.fill]; op >= c.n && t == c.state && c.drains[c.object[op]] == op {
				continue // a drain takes something
			}
			c.make(m, t)
			return c.enter()
		}
	}
	c.moves = c.moves[:f.first]
	c.frames = c.frames[:len(c.frames)-1]
	return failed
}

// make makes a move after which the object is in state t.
func (c *classRun) make(m slotMove, t model.State) {
	s := slotStep{slotMove: m, before: c.state, shelf: -1}
	if m.op != applying {
		g := c.group[m.op]
		c.linearize(m.op, m.turns)
		c.places[g]++
		c.owed[g].add(debt{m.turns, c.places[g]})
		c.debts++
	} else {
		op := c.sample[m.fill]
		g := c.group[op]
		k, _ := c.owed[g].find(m.fill)
		s.served = c.owed[g][k]
		c.owed[g].remove(s.served)
		c.debts--
		c.filled[g]++
		if c.shelves != nil {
			s.shelf = c.shelves[c.shelved[op]].apply(op)
		}
		c.state = t
	}
	c.trail = append(c.trail, s)
}

// undo takes the last move back.
func (c *classRun) undo() {
	s := &c.trail[len(c.trail)-1]
	if s.op != applying {
		g := c.group[s.op]
		c.owed[g].remove(debt{s.turns, c.places[g]})
		c.debts--
		c.places[g]--
		c.unlinearize(s.op, s.turns)
	} else {
		op := c.sample[s.fill]
		g := c.group[op]
		c.state = s.before
		if c.shelves != nil {
			c.shelves[c.shelved[op]].undo(op, s.shelf)
		}
		c.filled[g]--
		c.owed[g].add(s.served)
		c.debts++
	}
	c.trail = c.trail[:len(c.trail)-1]
}

// orders returns ρ′, ρ″ and the number of drains.
func (c *classRun) orders() (before, after []int32, drains int) {
	of := make(map[int32][]int32, len(c.sample))
	for _, s := range c.trail {
		if s.op == applying {
			after = append(after, of[s.fill][0])
			of[s.fill] = of[s.fill][1:]
			continue
		}
		v := s.op
		if v >= c.n {
			v = c.n + int32(drains)
			drains++
		}
		before = append(before, v)
		of[s.turns] = append(of[s.turns], v)
	}
	return before, after, drains
}
