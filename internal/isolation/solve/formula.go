package solve

import (
	"math"

	iso "github.com/linsat/linsat/internal/isolation"
)

// lit is a literal as in DIMACS, or a constant.
type lit = int32

const (
	yes lit = math.MaxInt32
	no      = -yes
)

// statement is what a variable of a refutation says (isolation.Refutation).
type statement struct {
	kind statementKind
	// events of isBefore, a < b; a read and a transaction of isFrom; a transaction of isEffect;
	// of isPlaced a transaction, how many elements stand before its own, and the list
	a, b, c int32
}

type statementKind uint8

const (
	isBefore statementKind = iota
	isFrom
	isEffect
	isPlaced
)

// formula is the clauses of a refutation, with their literals.
type formula struct {
	d       *digest
	g       *graph
	clauses []iso.Clause
	lits    [][]lit
	vars    []statement // from 1
	number  map[statement]lit
	reads   map[iso.Place]int32
}

func newFormula(d *digest, g *graph) *formula {
	f := &formula{d: d, g: g, vars: make([]statement, 1), number: map[statement]lit{}, reads: map[iso.Place]int32{}}
	for k := range d.reads {
		f.reads[d.reads[k].place] = int32(k)
	}
	return f
}

// variable returns the variable of a statement. Not inlined: it has many callers.
//
//go:noinline
func (f *formula) variable(s statement) lit {
	l, known := f.number[s]
	if !known {
		l = lit(len(f.vars))
		f.vars = append(f.vars, s)
		f.number[s] = l
	}
	return l
}

// before returns the literal that event u comes before v; Initial is the start of all.
func (f *formula) before(u, v int32) lit {
	switch {
	case u == iso.Initial:
		return yes
	case v == iso.Initial:
		return no
	case u < v:
		return f.variable(statement{kind: isBefore, a: u, b: v})
	}
	return -f.variable(statement{kind: isBefore, a: v, b: u})
}

// commit is the event of a commit, Initial of the start of all.
func (f *formula) commit(i int32) int32 {
	if i == iso.Initial {
		return i
	}
	return f.g.commit(i)
}

// from returns the literal that a read is from s.
func (f *formula) from(p iso.Place, s int32) lit {
	k := f.reads[p]
	if f.d.lists[f.d.reads[k].object].repeats {
		return f.ends(&f.d.reads[k], s)
	}
	if len(f.d.reads[k].from) == 1 {
		if f.d.reads[k].from[0] == s {
			return yes
		}
		return no
	}
	return f.variable(statement{kind: isFrom, a: k, b: s})
}

// effect returns the literal that a transaction takes effect.
func (f *formula) effect(i int32) lit {
	if i == iso.Initial || f.d.h.Txns[i].Status == iso.Committed {
		return yes
	}
	return f.variable(statement{kind: isEffect, a: i})
}

// add adds a clause, which must not have a literal that is true.
func (f *formula) add(c iso.Clause) {
	lits := f.literals(&c)
	kept := lits[:0]
	for _, l := range lits {
		if l != no {
			kept = append(kept, l)
		}
	}
	f.clauses, f.lits = append(f.clauses, c), append(f.lits, kept)
}

// literals returns the literals of a clause, constants among them.
func (f *formula) literals(c *iso.Clause) (lits []lit) {
	effects := map[int32]bool{}
	needs := func(all ...int32) {
		for _, i := range all {
			if !effects[i] {
				effects[i] = true
				lits = append(lits, -f.effect(i))
			}
		}
	}
	start := func(i int32) int32 { return f.g.start(i) }
	var p iso.Place
	if len(c.Places) > 0 {
		p = c.Places[0]
	}
	switch c.Rule {
	case iso.RuleSource:
		if k, known := f.reads[p]; known && f.d.wrong == nil {
			for _, s := range f.d.reads[k].from {
				lits = append(lits, f.from(p, s))
			}
		}
	case iso.RuleEffect:
		if f.d.h.Objects[f.object(p)].List {
			return append(lits, f.effect(c.Txns[0]))
		}
		lits = append(lits, -f.from(p, c.Txns[0]), f.effect(c.Txns[0]))
	case iso.RuleWritten:
		lits = append(lits, -f.from(p, c.Txns[0]), f.before(f.commit(c.Txns[0]), start(p.Txn)))
	case iso.RuleOwn:
		lits = append(lits, f.before(start(c.Txns[0]), f.commit(c.Txns[0])))
	case iso.RuleGiven:
		needs(c.Txns...)
		lits = append(lits, f.before(f.commit(c.Txns[0]), start(c.Txns[1])))
	case iso.RuleVersion:
		lits = append(lits, f.before(f.commit(c.Txns[0]), f.commit(c.Txns[1])))
	case iso.RuleUnseen:
		needs(c.Txns[1])
		lits = append(lits, f.before(f.commit(c.Txns[0]), f.commit(c.Txns[1])))
	case iso.RuleOverwritten:
		t, w := c.Txns[0], c.Txns[1]
		needs(w)
		lits = append(lits, -f.from(p, t), f.before(f.commit(w), f.commit(t)), f.before(start(p.Txn), f.commit(w)))
	case iso.RuleConflict:
		a, b := c.Txns[0], c.Txns[1]
		needs(a, b)
		lits = append(lits, f.before(f.commit(a), start(b)), f.before(f.commit(b), start(a)))
	case iso.RuleSeen, iso.RuleReached:
		t, w := c.Txns[0], c.Txns[1]
		needs(w)
		at := w
		for _, h := range c.Hops {
			if h.Kind == iso.Given {
				needs(at, h.To)
			}
			at = h.To
		}
		lits = append(lits, -f.from(p, t))
		at = w
		for _, h := range c.Hops {
			if h.Kind == iso.Reads {
				lits = append(lits, -f.from(h.Place, at))
			}
			at = h.To
		}
		lits = append(lits, f.before(f.commit(w), f.commit(t)))
	case iso.RuleVisible:
		rest := f.visible(c, needs)
		lits = append(lits, rest...)
	case iso.RulePlaced, iso.RulePlaces, iso.RuleHidden, iso.RuleStands:
		return f.ofPlaces(c, p)
	case iso.RuleCycle:
		for k, u := range c.Events {
			lits = append(lits, -f.before(f.event(u), f.event(c.Events[(k+1)%len(c.Events)])))
		}
	}
	return lits
}

// visible returns the literals of a clause of RuleVisible; needs gets who has to take effect.
func (f *formula) visible(c *iso.Clause, needs func(...int32)) (rest []lit) {
	at := c.Txns[0]
	for _, h := range c.Hops {
		switch h.Kind {
		case iso.Given:
			needs(at, h.To)
		case iso.Reads:
			rest = append(rest, -f.from(h.Place, at))
		case iso.Writes:
			needs(at, h.To)
			rest = append(rest, -f.before(f.commit(at), f.commit(h.To)))
		case iso.Overwrites:
			needs(h.To)
			rest = append(rest, -f.from(h.Place, h.From))
			if h.From != iso.Initial {
				rest = append(rest, -f.before(f.commit(h.From), f.commit(h.To)))
			}
		}
		at = h.To
	}
	return rest
}

// object returns the object of a place.
func (f *formula) object(p iso.Place) int32 { return f.d.h.Txns[p.Txn].Accesses[p.Access].Object }

// event returns the event that certificates give a number.
func (f *formula) event(name int32) int32 {
	if f.g.two {
		return name
	}
	return name / 2
}
