package txn

// What is not known of a history of transactions, as clauses about the order of its linearization.
//
// What: a read of a value comes from one of those that can have written it. From the writer on, up
// to the read, nobody else writes the register. The variables are
//
//	before(a, b)      a comes before b; for pairs that time does not order
//	from(i, r, s)     i read register r from s, or from the start
//	effect(p)         the pending operation p takes effect
//
// and the clauses, which proof.DependencyRule names,
//
//	source        i takes effect → it reads r from one that can have written the value
//	written       from(i, r, s) → before(s, i)
//	effective     from(i, r, s) → effect(s)
//	overwritten   from(i, r, s) and effect(w) → before(w, s) or before(i, w)
//	given         effect(a) and effect(b) → before(a, b), where the history gives that order
//
// An order without a cycle that satisfies them is a linearization; what is pending and no source
// need not take effect. Cycles are excluded when they are met (prune.go, sat.go).
//
// Source: polygraphs are Papadimitriou's (JACM 1979); Cobra (OSDI 2020) and PolySI (VLDB 2023)
// solve them by SAT. VeriStrong adds a choice of the writer where values repeat. What we changed:
// one variable for each pair of operations that some clause is about, not one for each pair of
// writers with all the edges that follow; pending operations; and time decides most pairs before
// they get a variable:
//
//   - let w be a write of r that is last before i: of the writes that returned before i was called,
//     it was called last. Who returned before w was called can neither be read by i nor come
//     between: w would have to come before the source, and so would it.
//   - who returned before s was called comes before s, and who was called after i returned, after
//     i.
//
// Cost: for each read, sources × writes of the register that overlap the time from the last write
// before it to its return.

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// lit is a literal as in DIMACS, or a constant.
type lit = int32

const (
	yes lit = math.MaxInt32
	no      = -yes
)

// kind is what a variable says.
type kind uint8

const (
	isBefore kind = iota
	isFrom
	isEffect
)

// variable is a statement about operations: before(a, b) with a < b; from(a, register, b);
// effect(a).
type variable struct {
	kind     kind
	register model.RegisterID
	a, b     history.OpID
}

// clause is an instance of a rule. The literals are those of the polygraph from and to, all of
// them, also those that time makes constant.
type clause struct {
	rule     proof.DependencyRule
	register model.RegisterID
	ops      [3]history.OpID // as in proof.Dependency; unused ones are proof.NoOp
	from, to int32
}

// polygraph is the clauses of a partition.
type polygraph struct {
	*transactions
	time    *timeline
	vars    []variable // from 1
	number  map[variable]lit
	lits    []lit
	clauses []clause
	// broken is a clause that nothing satisfies, -1 for none.
	broken int32
}

// writers are the writes of one register, or of one value to it, for looking them up by time.
type writers struct {
	returned []history.OpID // by call
	latest   []history.Rank // the last return among returned up to here
	pending  []history.OpID
}

func (w *writers) add(i history.OpID, o *history.Op) {
	if o.Pending() {
		w.pending = append(w.pending, i)
		return
	}
	last := o.Return
	if n := len(w.latest); n > 0 {
		last = max(last, w.latest[n-1])
	}
	w.returned, w.latest = append(w.returned, i), append(w.latest, last)
}

// between calls f with those that neither returned before after nor were called after until.
func (w *writers) between(ops []history.Op, after, until history.Rank, f func(i history.OpID)) {
	k := sort.Search(len(w.returned), func(k int) bool { return ops[w.returned[k]].Call > until })
	for k--; k >= 0 && w.latest[k] >= after; k-- {
		if i := w.returned[k]; ops[i].Return >= after {
			f(i)
		}
	}
	for _, i := range w.pending {
		if ops[i].Call <= until {
			f(i)
		}
	}
}

// lastCalls tells for a register which write is last before some time.
type lastCalls struct {
	returns []history.Rank // of the writes that return, ascending
	latest  []history.Rank // the latest call of those up to here
}

func newLastCalls(all []write, ops []history.Op) (l lastCalls) {
	var byReturn []history.OpID
	for _, w := range all {
		if !ops[w.op].Pending() {
			byReturn = append(byReturn, w.op)
		}
	}
	slices.SortFunc(byReturn, func(a, b history.OpID) int { return cmp.Compare(ops[a].Return, ops[b].Return) })
	call := history.Rank(-1)
	for _, i := range byReturn {
		call = max(call, ops[i].Call)
		l.returns, l.latest = append(l.returns, ops[i].Return), append(l.latest, call)
	}
	return l
}

// before returns the latest call of the writes that returned before rank; -1 for none.
func (l *lastCalls) before(rank history.Rank) history.Rank {
	k, _ := slices.BinarySearch(l.returns, rank)
	if k == 0 {
		return -1
	}
	return l.latest[k-1]
}

// build makes the clauses; within reports whether there is room for so many more.
func build(x *transactions, within func(clauses int) bool) (p *polygraph, ok bool) {
	p = &polygraph{transactions: x, time: newTimeline(x), vars: make([]variable, 1), number: map[variable]lit{},
		broken: -1}
	for _, i := range x.broken {
		p.add(proof.DependencyContradicts, -1, []history.OpID{i}, -p.effect(i))
	}
	byRegister, byValue := make([]writers, len(x.writes)), map[key]*writers{}
	last := make([]lastCalls, len(x.writes))
	for r, all := range x.writes {
		for _, w := range all {
			k := key{model.RegisterID(r), w.value}
			if byValue[k] == nil {
				byValue[k] = &writers{}
			}
			byRegister[r].add(w.op, &x.ops[w.op])
			byValue[k].add(w.op, &x.ops[w.op])
		}
		last[r] = newLastCalls(all, x.ops)
	}
	for i := range x.ops {
		if !x.gone[i] {
			p.effect(history.OpID(i)) // it has a variable, also where no clause is about it
		}
	}
	var sources []history.OpID
	for _, r := range x.reads {
		o := &x.ops[r.op]
		since := last[r.register].before(o.Call)
		sources = sources[:0]
		if since < 0 && x.init[r.register] == r.value {
			sources = append(sources, proof.Initial)
		}
		if same := byValue[key{r.register, r.value}]; same != nil {
			same.between(x.ops, since, o.Return, func(s history.OpID) {
				if s != r.op {
					sources = append(sources, s)
				}
			})
		}
		p.source(r, sources)
		for _, s := range sources {
			after := since
			if s >= 0 {
				after = max(after, x.ops[s].Call)
			}
			byRegister[r.register].between(x.ops, after, o.Return, func(w history.OpID) {
				if w != s && w != r.op {
					p.overwritten(r, s, w)
				}
			})
		}
		if !within(len(p.clauses)) {
			return nil, false
		}
	}
	for _, e := range x.part.Edges {
		if !x.gone[e.Before] && !x.gone[e.After] {
			p.add(proof.DependencyGiven, -1, []history.OpID{e.Before, e.After}, -p.effect(e.Before),
				-p.effect(e.After), p.before(e.Before, e.After))
		}
	}
	return p, true
}

// source adds that a read has a source, and what follows from each.
func (p *polygraph) source(r read, sources []history.OpID) {
	lits := make([]lit, 0, len(sources)+1)
	lits = append(lits, -p.effect(r.op))
	slices.Sort(sources) // as the verifier lists them: the start first, then by call
	for _, s := range sources {
		lits = append(lits, p.from(r, s))
	}
	p.add(proof.DependencySource, r.register, []history.OpID{r.op}, lits...)
	for _, s := range sources {
		if s < 0 {
			continue
		}
		p.add(proof.DependencyWritten, r.register, []history.OpID{r.op, s}, -p.from(r, s), p.before(s, r.op))
		p.add(proof.DependencyEffective, r.register, []history.OpID{r.op, s}, -p.from(r, s), p.effect(s))
	}
}

// overwritten adds that w does not come between s and a read.
func (p *polygraph) overwritten(r read, s, w history.OpID) {
	p.add(proof.DependencyOverwritten, r.register, []history.OpID{r.op, s, w}, -p.from(r, s), -p.effect(w),
		p.before(w, s), p.before(r.op, w))
}

// add adds a clause, unless a literal is true.
func (p *polygraph) add(rule proof.DependencyRule, register model.RegisterID, ops []history.OpID, lits ...lit) {
	from := int32(len(p.lits))
	open := false
	for _, l := range lits {
		if l == yes {
			return
		}
		open = open || l != no
	}
	if !open {
		p.broken = int32(len(p.clauses))
	}
	p.lits = append(p.lits, lits...)
	c := clause{rule: rule, register: register, ops: [3]history.OpID{proof.NoOp, proof.NoOp, proof.NoOp}, from: from,
		to: int32(len(p.lits))}
	copy(c.ops[:], ops)
	p.clauses = append(p.clauses, c)
}

// of returns the literals of a clause.
func (p *polygraph) of(c int32) []lit { return p.lits[p.clauses[c].from:p.clauses[c].to] }

// literal returns the literal of a statement. Not inlined: it has many callers.
//
//go:noinline
func (p *polygraph) literal(v variable) lit {
	l, known := p.number[v]
	if !known {
		l = lit(len(p.vars))
		p.vars = append(p.vars, v)
		p.number[v] = l
	}
	return l
}

// before returns the literal that a comes before b.
func (p *polygraph) before(a, b history.OpID) lit {
	switch {
	case a == proof.Initial, b >= 0 && p.time.precedes(a, b):
		return yes
	case b == proof.Initial, p.time.precedes(b, a):
		return no
	case a < b:
		return p.literal(variable{kind: isBefore, a: a, b: b})
	}
	return -p.literal(variable{kind: isBefore, a: b, b: a})
}

// from returns the literal that a read is from s.
func (p *polygraph) from(r read, s history.OpID) lit {
	return p.literal(variable{kind: isFrom, register: r.register, a: r.op, b: s})
}

// effect returns the literal that an operation takes effect.
func (p *polygraph) effect(i history.OpID) lit {
	if !p.ops[i].Pending() {
		return yes
	}
	return p.literal(variable{kind: isEffect, a: i})
}

// ends returns the operations of a literal about order: the first comes before the second.
func (p *polygraph) ends(l lit) (a, b history.OpID) {
	if l < 0 {
		return p.vars[-l].b, p.vars[-l].a
	}
	return p.vars[l].a, p.vars[l].b
}
