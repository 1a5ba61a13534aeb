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
	if t, ok := b.Axiomatic().(*model.RegisterTheory); ok {
		if q != nil {
			return nil, ErrUnsupported
		}
		newRegisters(f, p, t).build()
	} else {
		t, back := b.Collection()
		c := &collection{f: f, part: p, theory: t, back: back, meaning: quasi.Slots}
		if t == nil || q != nil && !c.under(b, q) || !c.build() {
			return nil, ErrUnsupported
		}
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
	var bounds [2][model.Peek + 1]int32 // by end and action
	acts := map[model.ClassID][2]int{}
	class := map[[2]int]model.ClassID{}
	// alike reports whether an action has one class, and a class one action.
	alike := func(end int, does model.Action, k model.ClassID) bool {
		act := [2]int{end, int(does)}
		if known, ok := class[act]; ok && known != k {
			return false
		}
		if class[act] = k; k == model.NoClass {
			return true
		}
		if known, ok := acts[k]; ok && known != act {
			return false
		}
		acts[k] = act
		if int(k) < len(q.Factor) {
			bounds[end][does] = q.Factor[k]
		}
		return true
	}
	for i, k := range b.Class {
		if !alike(c.back.Of(history.OpID(i)), c.theory.Does[i], k) {
			return false
		}
	}
	// What is drained moves as removals do, of a deque those at the front.
	info := b.Spec.Info()
	for k := range info.Classes {
		if slices.Contains(info.Classes[k].Operations, info.Drain) && !alike(0, model.Remove, model.ClassID(k)) {
			return false
		}
	}
	c.meaning, c.drain, c.causal = q.Meaning, q.Drain && b.Items.Delta != nil, q.Causal
	for end := range bounds {
		if bounds[end][model.Insert] != 0 || bounds[end][model.Peek] != 0 {
			return false
		}
		c.bounds[end] = bounds[end][model.Remove]
	}
	return q.Meaning == quasi.Slots || c.back == nil && !slices.Contains(c.theory.Does, model.Peek)
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
