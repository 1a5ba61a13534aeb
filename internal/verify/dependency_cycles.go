package verify

// Refutations of transactions by dependencies and cycles of them.
//
// What: judges proof.DependencyCycles. Every dependency becomes a clause, made from what the
// operations read and wrote (model.Transactions), from the raw intervals and from the given order;
// the lemmas have to refute the clauses.
//
// Why it is right: take a linearization, and put pending operations that do not take effect at its
// end. The clauses hold of its order, of the writer from which each read took its value, and of who
// took effect. A read of a register that its transaction did not write before finds what the last
// one before it wrote, so nobody who wrote the register comes between. A write that returned before
// another was called cannot be the last one before a read if that other one returned before the
// reader was called. An order has no cycle.
//
// Cost: O(n) and the accesses for the first dependency of a register, the writes of the register
// for each source, and the lemmas (clausal.Formula.Check).

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/verify/clausal"
)

// dependencies are the clauses of a proof.
type dependencies struct {
	b       *model.Instance
	ops     []history.Op
	t       *model.Transactions
	f       *clausal.Formula
	number  map[statement]clausal.Lit
	writers map[model.RegisterID][]history.OpID // by register, ascending
	given   map[history.Edge]bool
}

// statement is what a variable says: that a comes before b, that a read from b, or that a takes
// effect.
type statement struct {
	what     string
	register model.RegisterID
	a, b     history.OpID
}

// dependencyCycles checks that d refutes b's partition.
func dependencyCycles(ctx context.Context, b *model.Instance, d *proof.DependencyCycles) error {
	if b.Transactions == nil {
		return base.Faultf("", "a partition of %s has no transactions on several registers", b.Spec.Info().Name)
	}
	x := &dependencies{b: b, ops: b.Partition.Ops, t: b.Transactions, f: clausal.NewFormula(),
		number: map[statement]clausal.Lit{}, writers: map[model.RegisterID][]history.OpID{}}
	for k := range d.Dependencies {
		if k&1023 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := x.add(&d.Dependencies[k]); err != nil {
			return base.Under(d.Dependencies[k].Rule.String(), err)
		}
		if !x.f.Step(1) {
			return clausal.ErrTooLarge
		}
	}
	return x.f.Check(ctx, d.Lemmas)
}

// add adds the clause of a dependency.
func (x *dependencies) add(d *proof.Dependency) error {
	start := d.Rule == proof.DependencyOverwritten // whose second operation may be the start
	for k, i := range d.Ops {
		if int(i) >= len(x.ops) || i < 0 && !(start && k == 1 && i == proof.Initial) {
			return base.Faultf(base.Op(x.b.Partition, i), "there is no such operation")
		}
		if d.Rule != proof.DependencyCycle && slices.Contains(d.Ops[:k], i) {
			return base.Faultf(base.Op(x.b.Partition, i), "it is named twice")
		}
	}
	if want := dependencyOps(d.Rule); len(d.Ops) != want && (want > 0 || len(d.Ops) < 2) {
		return base.Faultf("", "it takes %d operations, or two and more of a cycle, got %d", want, len(d.Ops))
	}
	lits, err := x.literals(d)
	if err != nil {
		return err
	}
	if slices.Contains(lits, clausal.True) {
		return base.Faultf(base.Op(x.b.Partition, d.Ops...), "it says nothing: time alone satisfies it")
	}
	x.f.Add(clausal.Axiom(d.Rule.String()), clausal.By(d.Ops[:min(3, len(d.Ops))]...), lits...)
	return nil
}

// dependencyOps returns of how many operations a rule is, 0 for any number.
func dependencyOps(r proof.DependencyRule) int {
	switch r {
	case proof.DependencySource, proof.DependencyContradicts:
		return 1
	case proof.DependencyOverwritten:
		return 3
	case proof.DependencyCycle:
		return 0
	}
	return 2
}

// literals returns the clause of a dependency. The error says why it does not hold.
func (x *dependencies) literals(d *proof.Dependency) (lits []clausal.Lit, err error) {
	switch d.Rule {
	case proof.DependencyCycle:
		for k, a := range d.Ops {
			b := d.Ops[(k+1)%len(d.Ops)]
			if a == b {
				return nil, base.Faultf(base.Op(x.b.Partition, a), "it comes twice in a row")
			}
			lits = append(lits, -x.before(a, b))
		}
		return lits, nil
	case proof.DependencyContradicts:
		if !x.contradicts(d.Ops[0]) {
			return nil, base.Faultf(base.Op(x.b.Partition, d.Ops[0]), "it does not contradict itself")
		}
		return []clausal.Lit{-x.effect(d.Ops[0])}, nil
	case proof.DependencyGiven:
		a, b := d.Ops[0], d.Ops[1]
		if !x.gives(a, b) {
			return nil, base.Faultf(base.Op(x.b.Partition, a, b), "the history does not give that order")
		}
		return []clausal.Lit{-x.effect(a), -x.effect(b), x.before(a, b)}, nil
	}
	if d.Register < 0 || int(d.Register) >= len(x.t.Init) {
		return nil, base.Faultf("", "there is no register %d", d.Register)
	}
	r := d.Ops[0]
	value, reads := x.reads(r, d.Register)
	if !reads {
		return nil, base.Faultf(base.Op(x.b.Partition, r), "it does not read %s before it writes it",
			x.t.Register(d.Register))
	}
	if d.Rule == proof.DependencySource {
		return x.sources(r, d.Register, value), nil
	}
	s := d.Ops[1]
	from := x.literal(statement{"from", d.Register, r, s})
	switch d.Rule {
	case proof.DependencyWritten:
		return []clausal.Lit{-from, x.before(s, r)}, nil
	case proof.DependencyEffective:
		return []clausal.Lit{-from, x.effect(s)}, nil
	case proof.DependencyOverwritten:
		w := d.Ops[2]
		if _, writes := x.writes(w, d.Register); !writes {
			return nil, base.Faultf(base.Op(x.b.Partition, w), "it does not write %s", x.t.Register(d.Register))
		}
		return []clausal.Lit{-from, -x.effect(w), x.before(w, s), x.before(r, w)}, nil
	}
	return nil, base.Faultf("", "there is no rule %v of dependencies", d.Rule)
}

// sources returns the clause that r, if it takes effect, read a register from one of those that can
// have written the value.
func (x *dependencies) sources(r history.OpID, register model.RegisterID, value int32) []clausal.Lit {
	last := history.Rank(-1) // the latest call of a write that returned before r was called
	for _, w := range x.writersOf(register) {
		if w != r && x.precedes(w, r) {
			last = max(last, x.ops[w].Call)
		}
	}
	lits := []clausal.Lit{-x.effect(r)}
	if last < 0 && x.t.Init[register] == value {
		lits = append(lits, x.literal(statement{"from", register, r, proof.Initial}))
	}
	for _, s := range x.writersOf(register) {
		if v, _ := x.writes(s, register); s != r && v == value && !x.precedes(r, s) && x.ops[s].Return >= last {
			lits = append(lits, x.literal(statement{"from", register, r, s}))
		}
	}
	return lits
}

// writersOf lists the operations that leave a register written, if they take effect.
func (x *dependencies) writersOf(register model.RegisterID) []history.OpID {
	if all, known := x.writers[register]; known {
		return all
	}
	var all []history.OpID
	for i := range x.ops {
		if _, writes := x.writes(history.OpID(i), register); writes && !x.contradicts(history.OpID(i)) {
			all = append(all, history.OpID(i))
		}
	}
	x.writers[register] = all
	return all
}

// writes returns the last value that an operation writes to a register.
func (x *dependencies) writes(i history.OpID, register model.RegisterID) (value int32, writes bool) {
	for _, a := range x.t.Of(i) {
		if a.Register == register && a.Does == model.Writes {
			value, writes = a.Value, true
		}
	}
	return value, writes
}

// reads returns the value that an operation sees in a register before it writes it.
func (x *dependencies) reads(i history.OpID, register model.RegisterID) (value int32, reads bool) {
	for _, a := range x.t.Of(i) {
		if a.Register != register {
			continue
		}
		switch a.Does {
		case model.Writes:
			return 0, false
		case model.Sees:
			return a.Value, true
		}
	}
	return 0, false
}

// contradicts reports whether an operation sees a value in a register that is not the one it saw or
// wrote last.
func (x *dependencies) contradicts(i history.OpID) bool {
	now := map[model.RegisterID]int32{}
	for _, a := range x.t.Of(i) {
		if v, known := now[a.Register]; known && a.Does == model.Sees && v != a.Value {
			return true
		}
		if a.Does != model.Reads {
			now[a.Register] = a.Value
		}
	}
	return false
}

// gives reports whether the history gives that a comes before b.
func (x *dependencies) gives(a, b history.OpID) bool {
	if x.given == nil {
		x.given = map[history.Edge]bool{}
		for _, e := range x.b.Partition.Edges {
			x.given[e] = true
		}
	}
	return x.given[history.Edge{Before: a, After: b}]
}

func (x *dependencies) precedes(a, b history.OpID) bool { return x.ops[a].Return < x.ops[b].Call }

// before returns the literal "a comes before b"; the start comes before all.
func (x *dependencies) before(a, b history.OpID) clausal.Lit {
	switch {
	case a == proof.Initial || b != proof.Initial && x.precedes(a, b):
		return clausal.True
	case b == proof.Initial || x.precedes(b, a):
		return clausal.False
	case a < b:
		return x.literal(statement{what: "before", a: a, b: b})
	}
	return -x.literal(statement{what: "before", a: b, b: a})
}

// effect returns the literal "i takes effect".
func (x *dependencies) effect(i history.OpID) clausal.Lit {
	if !x.ops[i].Pending() {
		return clausal.True
	}
	return x.literal(statement{what: "effect", a: i})
}

// literal returns the variable of a statement.
func (x *dependencies) literal(s statement) clausal.Lit {
	l, known := x.number[s]
	if !known {
		l = x.f.Fresh(1)
		x.number[s] = l
	}
	return l
}
