package cdcl

// Conflict-driven clause learning with a proof.
//
// Source: Marques-Silva and Sakallah, GRASP (ICCAD 1996); Moskewicz et al., Chaff (DAC 2001): two
// watched literals, activities; Eén and Sörensson, An Extensible SAT-solver (SAT 2003); Audemard
// and Simon, Predicting Learnt Clauses Quality in Modern SAT Solvers (IJCAI 2009): clauses are
// dropped by the number of their levels; Luby, Sinclair and Zuckerman (IPL 1993): restarts.
//
// Proof: every learned clause is a lemma. Its hints are the reasons of the variables between the
// clause and the conflict, in the order in which these were assigned, and the conflict: supposing
// the clause false, they propagate in this order. A literal that holds without any decision is a
// lemma of its own, so that hints stay short. At the end lemmas that the empty clause does not need
// are left out.
//
// Invariants: the two literals watched come first in a clause; a reason has the literal that it
// implies in front; the reasons of a lemma's variables end in the lemma itself (else it panics).
//
// Cost: exponential in the worst case; stops at maxProof.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/proof"
)

// Formula is what is to be refuted: clauses over variables 1..Vars.
type Formula interface {
	Vars() int
	Len() int
	Clause(k int) []int32
}

// Status is the outcome of Refute.
type Status uint8

// The outcomes.
const (
	Stopped   Status = iota // the context is done, or the proof became too large
	Refuted                 // with the lemmas
	Satisfied               // there is a model
)

// Refute looks for a refutation of f, or for a model: model[v] is the value of variable v.
func Refute(ctx context.Context, f Formula) (s Status, lemmas []proof.Lemma, model []bool) {
	r := newRefuter(ctx, f)
	if r == nil {
		return Stopped, nil, nil
	}
	switch s = r.run(ctx); s {
	case Refuted:
		return s, trim(f.Len(), r.lemmas), nil
	case Satisfied:
		model = make([]bool, f.Vars()+1)
		for v := range model {
			model[v] = r.value[index(int32(v))] > 0
		}
	}
	return s, nil, model
}

// clause is a clause of the formula, or a learned one.
type clause struct {
	lits   []int32
	id     int32 // in the proof
	levels int32 // different levels when it was learned; 0 for clauses of the formula
}

// watch is a clause to look at when a literal becomes false, unless other holds.
type watch struct {
	clause int32
	other  int32
}

const none = int32(-1)

type refuter struct {
	clauses []clause
	learned int       // clauses learned and kept
	watches [][]watch // by index of the literal that became false
	value   []int8    // by index of literal
	level   []int32   // by variable
	reason  []int32   // by variable: a clause, or none
	at      []int32   // by variable: position in the trail
	unit    []int32   // by variable that holds at level 0: the lemma that says so
	phase   []bool    // by variable: its last value
	trail   []int32
	heads   []int // positions in the trail where levels begin
	next    int   // trail before it is propagated

	heap     heap
	bump     float64
	seen     []bool
	touched  []int32
	work     []int32
	stamp    []int32 // by level, for counting levels
	stampNow int32

	lemmas  []proof.Lemma
	first   int32 // number of the first lemma
	size    int   // numbers in the proof
	refuted bool
}

// index numbers literals from 0.
func index(l int32) int {
	if l < 0 {
		return int(-2*l) + 1
	}
	return int(2 * l)
}

func variable(l int32) int32 {
	if l < 0 {
		return -l
	}
	return l
}

// newRefuter reads the formula. It returns nil if ctx is done.
func newRefuter(ctx context.Context, f Formula) *refuter {
	n := f.Vars() + 1
	r := &refuter{watches: make([][]watch, 2*n), value: make([]int8, 2*n), level: make([]int32, n),
		reason: make([]int32, n), at: make([]int32, n),
		unit: make([]int32, n), phase: make([]bool, n), seen: make([]bool, n), stamp: make([]int32, n+1), bump: 1,
		first: int32(f.Len()) + 1}
	r.heap.init(n)
	total := 0
	for k := range f.Len() {
		total += len(f.Clause(k))
	}
	room := make([]int32, 0, total)
	r.clauses = make([]clause, 0, f.Len())
	for k := range f.Len() {
		if k%readEvery == 0 && ctx.Err() != nil {
			return nil
		}
		start := len(room)
		room = append(room, f.Clause(k)...)
		lits := room[start:]
		lits = inorder.Distinct(lits)
		room = room[:start+len(lits)]
		if slices.ContainsFunc(lits, func(l int32) bool { _, both := slices.BinarySearch(lits, -l); return both }) {
			continue
		}
		r.add(clause{lits: lits[:len(lits):len(lits)], id: int32(k) + 1})
	}
	return r
}

// add adds a clause of the formula, at level 0 before anything is propagated.
func (r *refuter) add(c clause) {
	switch len(c.lits) {
	case 0:
		r.conclude(c)
	case 1:
		l := c.lits[0]
		switch r.value[index(l)] {
		case 0:
			r.unit[variable(l)] = c.id
			r.assign(l, none)
		case -1:
			r.conclude(c)
		}
	default:
		r.attach(c)
	}
}

func (r *refuter) attach(c clause) int32 {
	k := int32(len(r.clauses))
	r.clauses = append(r.clauses, c)
	r.watches[index(c.lits[0])] = append(r.watches[index(c.lits[0])], watch{k, c.lits[1]})
	r.watches[index(c.lits[1])] = append(r.watches[index(c.lits[1])], watch{k, c.lits[0]})
	return k
}

// lemma adds a lemma and returns its number.
func (r *refuter) lemma(lits, hints []int32) int32 {
	r.lemmas = append(r.lemmas, proof.Lemma{Clause: slices.Clone(lits), Hints: slices.Clone(hints)})
	r.size += len(lits) + len(hints)
	return r.first + int32(len(r.lemmas)) - 1
}

// conclude adds the empty clause: c is false at level 0.
func (r *refuter) conclude(c clause) {
	if r.refuted {
		return
	}
	r.refuted = true
	r.work = r.work[:0]
	for _, l := range c.lits {
		r.work = append(r.work, r.unit[variable(l)])
	}
	r.lemma(nil, append(r.work, c.id))
}

// assign makes l true. At level 0, that is a lemma.
func (r *refuter) assign(l, reason int32) {
	v := variable(l)
	r.value[index(l)], r.value[index(-l)] = 1, -1
	r.level[v], r.reason[v], r.at[v] = int32(len(r.heads)), reason, int32(len(r.trail))
	r.trail = append(r.trail, l)
	if len(r.heads) == 0 && reason != none {
		c := &r.clauses[reason]
		r.work = r.work[:0]
		for _, m := range c.lits {
			if m != l {
				r.work = append(r.work, r.unit[variable(m)])
			}
		}
		r.unit[v] = r.lemma([]int32{l}, append(r.work, c.id))
	}
}

// propagate assigns what follows, and returns a clause that is false, or none.
func (r *refuter) propagate() int32 {
	for r.next < len(r.trail) {
		l := -r.trail[r.next] // became false
		r.next++
		list := r.watches[index(l)]
		kept := list[:0]
		for k := 0; k < len(list); k++ {
			w := list[k]
			if r.value[index(w.other)] > 0 {
				kept = append(kept, w)
				continue
			}
			lits := r.clauses[w.clause].lits
			if lits == nil {
				continue // dropped
			}
			if lits[0] == l {
				lits[0], lits[1] = lits[1], l
			}
			if lits[0] != w.other && r.value[index(lits[0])] > 0 {
				kept = append(kept, watch{w.clause, lits[0]})
				continue
			}
			moved := false
			for j := 2; j < len(lits); j++ {
				if r.value[index(lits[j])] >= 0 {
					lits[1], lits[j] = lits[j], l
					r.watches[index(lits[1])] = append(r.watches[index(lits[1])], watch{w.clause, lits[0]})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			kept = append(kept, watch{w.clause, lits[0]})
			if r.value[index(lits[0])] < 0 {
				kept = append(kept, list[k+1:]...)
				r.watches[index(l)] = kept
				return w.clause
			}
			r.assign(lits[0], w.clause)
		}
		r.watches[index(l)] = kept
	}
	return none
}

// run decides the formula.
func (r *refuter) run(ctx context.Context) Status {
	conflicts, restart, run := 0, restartEvery, 1
	reduce := reduceFirst
	for {
		if r.refuted {
			return Refuted
		}
		if c := r.propagate(); c != none {
			if conflicts++; conflicts%pollEvery == 0 && ctx.Err() != nil || r.size > maxProof {
				return Stopped
			}
			if len(r.heads) == 0 {
				r.conclude(r.clauses[c])
				continue
			}
			r.learn(c)
			restart--
			continue
		}
		switch {
		case restart <= 0:
			run++
			restart = restartEvery * luby(run)
			r.undo(0)
			if r.learned > reduce {
				r.reduce()
				reduce += reduceMore
			}
			if ctx.Err() != nil {
				return Stopped
			}
			continue
		}
		v := r.heap.pop(func(v int32) bool { return r.value[index(v)] == 0 })
		if v == 0 {
			return Satisfied
		}
		if !r.phase[v] {
			v = -v
		}
		r.heads = append(r.heads, len(r.trail))
		r.assign(v, none)
	}
}

// undo goes back to a level.
func (r *refuter) undo(level int) {
	if len(r.heads) <= level {
		return
	}
	for _, l := range r.trail[r.heads[level]:] {
		v := variable(l)
		r.value[index(l)], r.value[index(-l)] = 0, 0
		r.phase[v] = l > 0
		r.heap.push(v)
	}
	r.trail = r.trail[:r.heads[level]]
	r.heads = r.heads[:level]
	r.next = len(r.trail)
}

// learn learns a clause from a false one, and goes back to where it implies a literal.
func (r *refuter) learn(conflict int32) {
	now := int32(len(r.heads))
	lits := []int32{0}
	open, k, c := 0, len(r.trail)-1, conflict
	for {
		for _, l := range r.clauses[c].lits {
			v := variable(l)
			if r.seen[v] || r.level[v] == 0 || r.value[index(l)] > 0 {
				continue
			}
			r.seen[v] = true
			r.touched = append(r.touched, v)
			r.activate(v)
			if r.level[v] == now {
				open++
			} else {
				lits = append(lits, l)
			}
		}
		for !r.seen[variable(r.trail[k])] {
			k--
		}
		l := r.trail[k]
		k--
		if open--; open == 0 {
			lits[0] = -l
			break
		}
		c = r.reason[variable(l)]
	}
	lits = r.minimal(lits)
	for _, v := range r.touched {
		r.seen[v] = false
	}
	r.touched = r.touched[:0]
	id := r.lemma(lits, r.hints(conflict, lits))
	back := 0
	for i := 1; i < len(lits); i++ {
		if at := int(r.level[variable(lits[i])]); at > back {
			back = at
			lits[1], lits[i] = lits[i], lits[1]
		}
	}
	levels := r.levels(lits)
	r.undo(back)
	r.bump /= decay
	if len(lits) == 1 {
		r.unit[variable(lits[0])] = id
		r.assign(lits[0], none)
		return
	}
	r.learned++
	r.assign(lits[0], r.attach(clause{lits, id, levels}))
}

// minimal leaves out literals that the others imply: those whose reason has only literals that are
// in the clause, or left out themselves.
func (r *refuter) minimal(lits []int32) []int32 {
	kept := lits[:1]
	for _, l := range lits[1:] {
		if !r.implied(l) {
			kept = append(kept, l)
		}
	}
	return kept
}

func (r *refuter) implied(l int32) bool {
	if r.reason[variable(l)] == none {
		return false
	}
	mark := len(r.touched)
	stack := append(r.work[:0], variable(l))
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, m := range r.clauses[r.reason[v]].lits {
			u := variable(m)
			switch {
			case u == v || r.seen[u] || r.level[u] == 0:
			case r.reason[u] == none:
				for _, t := range r.touched[mark:] {
					r.seen[t] = false
				}
				r.touched = r.touched[:mark]
				r.work = stack
				return false
			default:
				r.seen[u] = true
				r.touched = append(r.touched, u)
				stack = append(stack, u)
			}
		}
	}
	r.work = stack
	return true
}

// hints returns the clauses by which a learned clause follows.
func (r *refuter) hints(conflict int32, lits []int32) []int32 {
	for _, l := range lits {
		r.seen[variable(l)] = true
		r.touched = append(r.touched, variable(l))
	}
	var units, between []int32
	look := func(c int32) {
		for _, l := range r.clauses[c].lits {
			v := variable(l)
			if r.seen[v] {
				continue
			}
			r.seen[v] = true
			r.touched = append(r.touched, v)
			if r.level[v] == 0 {
				units = append(units, r.unit[v])
			} else {
				between = append(between, v)
			}
		}
	}
	look(conflict)
	for k := 0; k < len(between); k++ {
		c := r.reason[between[k]]
		if c == none {
			panic("a learned clause does not follow from its reasons")
		}
		look(c)
	}
	for _, v := range r.touched {
		r.seen[v] = false
	}
	r.touched = r.touched[:0]
	slices.SortFunc(between, func(x, y int32) int { return int(r.at[x]) - int(r.at[y]) })
	for _, v := range between {
		units = append(units, r.clauses[r.reason[v]].id)
	}
	return append(units, r.clauses[conflict].id)
}

// levels counts the levels of a clause.
func (r *refuter) levels(lits []int32) int32 {
	r.stampNow++
	n := int32(0)
	for _, l := range lits {
		if at := r.level[variable(l)]; r.stamp[at] != r.stampNow {
			r.stamp[at] = r.stampNow
			n++
		}
	}
	return n
}

// reduce drops half of the learned clauses, those of many levels first. It is called at level 0.
func (r *refuter) reduce() {
	var all []int32
	for k := range r.clauses {
		if c := &r.clauses[k]; c.lits != nil && c.levels > keptGlue {
			all = append(all, int32(k))
		}
	}
	slices.SortStableFunc(all, func(x, y int32) int { return int(r.clauses[y].levels) - int(r.clauses[x].levels) })
	for _, k := range all[:len(all)/2] {
		r.clauses[k].lits = nil
		r.learned--
	}
}

// activate raises the activity of a variable.
func (r *refuter) activate(v int32) {
	if r.heap.raise(v, r.bump) > rescaleAt {
		r.heap.scale(1 / rescaleAt)
		r.bump /= rescaleAt
	}
}

// luby is the i-th number of the sequence 1 1 2 1 1 2 4 …, from 1.
func luby(i int) int {
	size := 1
	for size < i {
		size = 2*size + 1
	}
	for size != i {
		size /= 2
		if i > size {
			i -= size
		}
	}
	return (size + 1) / 2
}

// trim leaves out lemmas that the last one does not need, and numbers the others anew.
func trim(clauses int, lemmas []proof.Lemma) []proof.Lemma {
	needed := make([]bool, len(lemmas))
	needed[len(lemmas)-1] = true
	kept := 0
	for k := len(lemmas) - 1; k >= 0; k-- {
		if !needed[k] {
			continue
		}
		kept++
		for _, h := range lemmas[k].Hints {
			if i := int(h) - 1 - clauses; i >= 0 {
				needed[i] = true
			}
		}
	}
	number := make([]int32, len(lemmas))
	out := make([]proof.Lemma, 0, kept)
	for k := range lemmas {
		if !needed[k] {
			continue
		}
		for j, h := range lemmas[k].Hints {
			if i := int(h) - 1 - clauses; i >= 0 {
				lemmas[k].Hints[j] = number[i]
			}
		}
		out = append(out, lemmas[k])
		number[k] = int32(clauses + len(out))
	}
	return out
}
