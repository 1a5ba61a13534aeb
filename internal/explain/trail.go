package explain

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// lit is a literal of the prover: twice the number of a variable, plus one if negated.
type lit int32

func (l lit) not() lit { return l ^ 1 }

// clause is an instance of an axiom.
type clause struct {
	axiom proof.Axiom
	args  []history.OpID
	given []proof.Literal
	lits  []lit
}

// cause is why a literal holds.
type cause uint8

const (
	assumed    cause = iota
	realTime         // a fact of real time
	explicit         // explicit order
	transitive       // through a third operation
	byClause
)

type entry struct {
	l   lit
	why cause
	of  int32 // the clause; the operation in between
}

// trail is the state of the prover: the literals that hold, each with its cause, in the order in
// which they were derived. Operations are numbered from 0 among those of the window, in the order
// of their calls.
type trail struct {
	w     *proof.Window
	ops   []history.OpID // number → position
	at    []int32        // position → number, -1
	n     int32
	other []proof.Literal // variables beyond the order
	index map[proof.Literal]int32

	value   []int8 // by variable: 1 true, -1 false, 0 open
	placed  []int32
	cost    []int32 // by variable: about how many steps it took
	entries []entry
	order   int // entries up to here have been closed transitively
	units   int // entries up to here have been propagated through clauses
	clauses []clause
	occurs  [][]int32 // by literal: clauses in which it is
	closed  bool      // real time is transitive by itself
}

func newTrail(w *proof.Window) *trail {
	t := &trail{w: w, index: map[proof.Literal]int32{}, at: make([]int32, len(w.Partition.Ops)),
		closed: w.Ordered == nil}
	for i := range w.Partition.Ops {
		t.at[i] = -1
		if !w.Gone[i] {
			t.at[i] = int32(len(t.ops))
			t.ops = append(t.ops, history.OpID(i))
		}
	}
	t.n = int32(len(t.ops))
	t.grow(int(t.n * t.n))
	return t
}

func (t *trail) grow(variables int) {
	more := variables - len(t.value)
	if more <= 0 {
		return
	}
	t.value = append(t.value, make([]int8, more)...)
	t.placed = append(t.placed, make([]int32, more)...)
	t.cost = append(t.cost, make([]int32, more)...)
	t.occurs = append(t.occurs, make([][]int32, 2*more)...)
}

// before is the literal a<b, by number.
func (t *trail) before(a, b int32) lit {
	if a < b {
		return lit(2 * (a*t.n + b))
	}
	return lit(2*(b*t.n+a)) + 1
}

// lit returns the literal of a statement about the window.
func (t *trail) lit(l proof.Literal) lit {
	if l.Kind == proof.OrderKind {
		a, b := l.Ends()
		return t.before(t.at[a], t.at[b])
	}
	sign := lit(0)
	if l.Not {
		sign, l.Not = 1, false
	}
	v, ok := t.index[l]
	if !ok {
		v = t.n*t.n + int32(len(t.other))
		t.index[l] = v
		t.other = append(t.other, l)
		t.grow(int(v) + 1)
	}
	return lit(2*v) + sign
}

// statement is the opposite of lit.
func (t *trail) statement(l lit) proof.Literal {
	v := int32(l / 2)
	if v < t.n*t.n {
		a, b := t.ops[v/t.n], t.ops[v%t.n]
		if l&1 != 0 {
			a, b = b, a
		}
		return proof.LessThan(a, b)
	}
	s := t.other[v-t.n*t.n]
	s.Not = l&1 != 0
	return s
}

func (t *trail) holds(l lit) bool {
	v := t.value[l/2]
	return v > 0 && l&1 == 0 || v < 0 && l&1 != 0
}

func (t *trail) open(l lit) bool { return t.value[l/2] == 0 }

// less reports whether a<b is known, by number.
func (t *trail) less(a, b int32) bool { return t.holds(t.before(a, b)) }

func (t *trail) set(l lit, why cause, of int32) {
	v := l / 2
	t.value[v] = 1 - 2*int8(l&1)
	t.placed[v] = int32(len(t.entries))
	t.entries = append(t.entries, entry{l, why, of})
	cost := int32(1)
	for _, a := range t.antecedents(len(t.entries) - 1) {
		cost = min(cost+t.cost[a/2], 1<<20)
	}
	t.cost[v] = cost
}

func (t *trail) undo(to int) {
	for i := to; i < len(t.entries); i++ {
		t.value[t.entries[i].l/2] = 0
	}
	t.entries = t.entries[:to]
	t.order, t.units = min(t.order, to), min(t.units, to)
}

// antecedents are the literals that entry i follows from; all hold.
func (t *trail) antecedents(i int) []lit {
	e := t.entries[i]
	switch e.why {
	case transitive:
		a, b := t.ends(e.l)
		return []lit{t.before(a, e.of), t.before(e.of, b)}
	case byClause:
		c := t.clauses[e.of].lits
		out := make([]lit, 0, len(c))
		for _, l := range c {
			if l != e.l {
				out = append(out, l.not())
			}
		}
		return out
	}
	return nil
}

// ends are a and b of the order literal a<b.
func (t *trail) ends(l lit) (a, b int32) {
	v := int32(l / 2)
	a, b = v/t.n, v%t.n
	if l&1 != 0 {
		a, b = b, a
	}
	return a, b
}

// step is entry i as a step of an argument.
func (t *trail) step(i int) proof.Step {
	e := t.entries[i]
	s := proof.Step{So: t.statement(e.l)}
	switch e.why {
	case realTime, explicit:
		a, b := t.ends(e.l)
		s.Axiom, s.Args = proof.RT, []history.OpID{t.ops[a], t.ops[b]}
		if e.why == explicit {
			s.Axiom = proof.EDGE
		}
	case transitive:
		a, b := t.ends(e.l)
		s.Axiom, s.Args = proof.TR, []history.OpID{t.ops[a], t.ops[e.of], t.ops[b]}
	case byClause:
		c := &t.clauses[e.of]
		s.Axiom, s.Args, s.Given = c.axiom, c.args, c.given
	}
	return s
}

// contradiction is what propagation ends in: a step without conclusion, and the literals that it
// follows from.
type contradiction struct {
	step proof.Step
	from []lit
}

// add adds a clause; what follows from it follows at once.
func (t *trail) add(c clause) *contradiction {
	k := int32(len(t.clauses))
	t.clauses = append(t.clauses, c)
	for _, l := range c.lits {
		t.occurs[l] = append(t.occurs[l], k)
	}
	return t.look(k)
}

// look propagates through clause k.
func (t *trail) look(k int32) *contradiction {
	c := &t.clauses[k]
	unit := lit(-1)
	for _, l := range c.lits {
		switch v := t.value[l/2]; {
		case v == 0 && unit >= 0:
			return nil
		case v == 0:
			unit = l
		case t.holds(l):
			return nil
		}
	}
	if unit >= 0 {
		t.set(unit, byClause, k)
		return nil
	}
	conflict := &contradiction{step: proof.Step{Axiom: c.axiom, Args: c.args, Given: c.given}}
	for _, l := range c.lits {
		conflict.from = append(conflict.from, l.not())
	}
	return conflict
}

// realTimeOrder sets the facts of real time and explicit order.
func (t *trail) realTimeOrder() *contradiction {
	for a := range t.n {
		for b := range t.n {
			l := t.before(a, b)
			switch {
			case a == b || !t.open(l):
			case t.w.Precedes(t.ops[a], t.ops[b]):
				t.set(l, realTime, 0)
			case !t.w.Given(t.ops[a], t.ops[b]):
			case !t.w.Optional[t.ops[a]] && !t.w.Optional[t.ops[b]]:
				t.set(l, explicit, 0)
			default:
				if c := t.given(t.ops[a], t.ops[b]); c != nil {
					return c
				}
			}
		}
	}
	return t.propagate()
}

// given adds what explicit order says of operations that may not take effect.
func (t *trail) given(a, b history.OpID) *contradiction {
	args := []history.OpID{a, b}
	literals, err := t.w.Instance(proof.EDGE, args, nil)
	if err != nil {
		return nil // true anyway
	}
	c := clause{axiom: proof.EDGE, args: args}
	for _, l := range literals {
		c.lits = append(c.lits, t.lit(l))
	}
	return t.add(c)
}

// propagate draws all conclusions, those of the specification's axioms first.
func (t *trail) propagate() *contradiction {
	for {
		switch {
		case t.units < len(t.entries):
			l := t.entries[t.units].l.not()
			t.units++
			for _, k := range t.occurs[l] {
				if c := t.look(k); c != nil {
					return c
				}
			}
		case t.order < len(t.entries):
			e := t.entries[t.order]
			t.order++
			if int32(e.l/2) < t.n*t.n && !(t.closed && e.why == realTime) {
				if c := t.close(e.l); c != nil {
					return c
				}
			}
		default:
			return nil
		}
	}
}

// close draws what follows from a<b and one other fact of order.
func (t *trail) close(l lit) *contradiction {
	a, b := t.ends(l)
	for c := range t.n {
		if c == a || c == b {
			continue
		}
		if t.less(b, c) {
			if k := t.through(a, b, c); k != nil {
				return k
			}
		}
		if t.less(c, a) {
			if k := t.through(c, a, b); k != nil {
				return k
			}
		}
	}
	return nil
}

func (t *trail) through(a, b, c int32) *contradiction {
	l := t.before(a, c)
	switch {
	case t.open(l):
		t.set(l, transitive, b)
	case !t.holds(l):
		return &contradiction{proof.Step{Axiom: proof.TR, Args: []history.OpID{t.ops[a], t.ops[b], t.ops[c]}},
			[]lit{t.before(a, b), t.before(b, c), l.not()}}
	}
	return nil
}
