package clausal

import (
	"errors"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// ErrUnsupported is the error where no formula is known.
var ErrUnsupported = errors.New("no formula is known for this")

// Build returns a formula that can be satisfied exactly if b's partition can be explained: if it is
// linearizable where q is nil, quasi-linearizable under q otherwise. The error is ErrUnsupported or
// ErrTooLarge.
func Build(b *model.Instance, q *quasi.Question) (*Formula, error) {
	p := b.Partition
	if len(p.Demands) > 0 || p.Drains > 0 || len(b.Items.Bulk) > 0 {
		return nil, ErrUnsupported
	}
	f := NewFormula()
	switch t := b.Axiomatic().(type) {
	case *model.RegisterTheory:
		if q != nil {
			return nil, ErrUnsupported
		}
		newRegisters(f, p, t).build()
	case *model.CollectionTheory:
		c := &collection{f: f, part: p, theory: t}
		if q == nil {
			c.meaning = quasi.Slots
		} else if !c.under(b, q) {
			return nil, ErrUnsupported
		}
		if !c.build() {
			return nil, ErrUnsupported
		}
	default:
		return nil, ErrUnsupported
	}
	if !f.Step(0) {
		return nil, ErrTooLarge
	}
	return f, nil
}

// under reads the question; it returns false where no formula is known.
func (c *collection) under(b *model.Instance, q *quasi.Question) bool {
	if b.Class == nil {
		return false
	}
	var bounds [3]int32
	class, known := [3]model.ClassID{model.NoClass, model.NoClass, model.NoClass}, [3]bool{}
	for i, k := range b.Class {
		does := c.theory.Does[i]
		if known[does] && class[does] != k {
			return false
		}
		class[does], known[does] = k, true
		if k >= 0 && int(k) < len(q.Factor) {
			bounds[does] = q.Factor[k]
		}
	}
	// What is drained moves as removals do.
	info := b.Spec.Info()
	for k := range info.Classes {
		if !slices.Contains(info.Classes[k].Operations, info.Drain) {
			continue
		}
		if known[model.Remove] && class[model.Remove] != model.ClassID(k) {
			return false
		}
		class[model.Remove], bounds[model.Remove] = model.ClassID(k), q.Factor[k]
	}
	for does, k := range class {
		if k != model.NoClass && (k == class[(does+1)%3] || k == class[(does+2)%3]) {
			return false
		}
	}
	c.meaning, c.drain, c.causal, c.bound = q.Meaning, q.Drain && b.Items.Delta != nil, q.Causal, bounds[model.Remove]
	peeks := slices.Contains(c.theory.Does, model.Peek)
	return bounds[model.Insert] == 0 && (!peeks || bounds[model.Peek] == 0 && q.Meaning == quasi.Slots)
}

// effects returns the literal "it takes effect" of every operation.
func effects(f *Formula, ops []history.Op) []Lit {
	in := make([]Lit, len(ops))
	for i := range ops {
		if in[i] = True; ops[i].Pending() {
			in[i] = f.Fresh(1)
		}
	}
	return in
}

// given adds the explicit order between operations that take effect.
func (o *Order) given(edges []history.Edge, in []Lit) {
	for _, e := range edges {
		o.f.Add(explicit, By(e.Before, e.After), -in[e.Before], -in[e.After], o.Before(e.Before, e.After))
	}
}
