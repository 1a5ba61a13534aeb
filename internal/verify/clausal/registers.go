package clausal

// Registers, as clauses: what an operation finds was left by the last operation before it that left
// something.
//
// Cost: a clause for each operation that may have been the last before another one, and each third
// one that may lie between.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// The axioms of registers.
const (
	outcome Axiom = "an operation that takes effect has one outcome"
	source  Axiom = "what is found was left by some operation, or was there at the start"
	latest  Axiom = "what is found is what was left last"
	fits    Axiom = "what is found fits"
)

// registers builds the formula.
type registers struct {
	f      *Formula
	part   *model.Partition
	theory *model.RegisterTheory

	in     []Lit
	o      *Order
	mode   [][]Lit // by operation and mode
	writes []Lit   // by operation: it leaves something
	cells  [][]history.OpID
}

func newRegisters(f *Formula, p *model.Partition, t *model.RegisterTheory) *registers {
	return &registers{f: f, part: p, theory: t}
}

func (r *registers) build() {
	f, ops := r.f, r.part.Ops
	r.in = effects(f, ops)
	r.o = f.Order(ops)
	r.o.given(r.part.Edges, r.in)
	r.mode, r.writes, r.cells = make([][]Lit, len(ops)), make([]Lit, len(ops)),
		make([][]history.OpID, len(r.theory.Init))
	for i := range ops {
		r.outcomes(history.OpID(i))
	}
	for i := range ops {
		if r.sources(history.OpID(i)); !f.Step(1) {
			return
		}
	}
}

// outcomes adds the modes of operation i.
func (r *registers) outcomes(i history.OpID) {
	f, modes := r.f, r.theory.Of(i)
	cell := r.theory.Object[i]
	r.cells[cell] = append(r.cells[cell], i)
	if len(modes) == 1 {
		if r.mode[i], r.writes[i] = []Lit{r.in[i]}, False; modes[0].Leaves != model.Keep {
			r.writes[i] = r.in[i]
		}
		return
	}
	some := []Lit{-r.in[i]}
	var writing []Lit
	for k := range modes {
		l := f.Fresh(1)
		r.mode[i] = append(r.mode[i], l)
		f.Add(outcome, By(i), -l, r.in[i])
		some = append(some, l)
		if modes[k].Leaves != model.Keep {
			writing = append(writing, l)
		}
	}
	f.Add(outcome, By(i), some...)
	f.AtMostOne(outcome, By(i), r.mode[i])
	switch len(writing) {
	case 0:
		r.writes[i] = False
	case len(modes):
		r.writes[i] = r.in[i]
	default:
		r.writes[i] = f.Fresh(1)
		for _, l := range writing {
			f.Add(outcome, By(i), -l, r.writes[i])
		}
		f.Add(outcome, By(i), append(writing, -r.writes[i])...)
	}
}

// sources adds where operation i found what it found.
func (r *registers) sources(i history.OpID) {
	f, ops := r.f, r.part.Ops
	tests := false
	for _, m := range r.theory.Of(i) {
		tests = tests || m.Test != model.Any
	}
	if !tests {
		return
	}
	cell := r.cells[r.theory.Object[i]]
	// What returned before this was overwritten before i was called.
	overwritten := history.Rank(-1)
	for _, x := range cell {
		if x != i && r.writes[x] == True && ops[x].Return < ops[i].Call {
			overwritten = max(overwritten, ops[x].Call)
		}
	}
	some := []Lit{-r.in[i]}
	if overwritten < 0 {
		is := f.Fresh(1)
		some = append(some, is)
		for k, m := range r.theory.Of(i) {
			if !m.Allows(r.theory.Init[r.theory.Object[i]]) {
				f.Add(fits, By(i), -is, -r.mode[i][k])
			}
		}
		for _, x := range cell {
			if x != i {
				f.Add(latest, By(i, x), -is, -r.writes[x], r.o.Before(i, x))
			}
		}
	}
	for _, j := range cell {
		before := r.o.Before(j, i)
		if j == i || r.writes[j] == False || before == False || ops[j].Return < overwritten || !r.mayFit(i, j) {
			continue
		}
		is := f.Fresh(1)
		some = append(some, is)
		f.Add(source, By(i, j), -is, r.writes[j])
		f.Add(source, By(i, j), -is, before)
		for k, m := range r.theory.Of(i) {
			for b, left := range r.theory.Of(j) {
				if left.Leaves != model.Keep && !m.Allows(left.Leaves) {
					f.Add(fits, By(i, j), -is, -r.mode[i][k], -r.mode[j][b])
				}
			}
		}
		for _, x := range cell {
			if x != i && x != j {
				f.Add(latest, By(i, j, x), -is, -r.writes[x], r.o.Before(x, j), r.o.Before(i, x))
			}
		}
		if !f.Step(len(cell)) {
			return
		}
	}
	f.Add(source, By(i), some...)
}

// mayFit reports whether some outcome of i fits some outcome of j.
func (r *registers) mayFit(i, j history.OpID) bool {
	for _, left := range r.theory.Of(j) {
		for _, m := range r.theory.Of(i) {
			if left.Leaves != model.Keep && m.Allows(left.Leaves) {
				return true
			}
		}
	}
	return false
}
