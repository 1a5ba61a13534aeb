package specs

// Queues, stacks and priority queues are bound in two steps: what monitors look at is known as soon
// as the operations are resolved, and what only other engines and explanations need comes later, if
// at all.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// discipline is what distinguishes queue, stack and priority queue.
type discipline struct {
	order   model.Discipline
	element element
	// leaving sorts the initial state, next to leave first; nil if it is sorted already.
	leaving func(c *contents)
	machine func(c *contents) model.Machine
	refusal func(c *contents, m model.Machine, s model.State, op history.OpID) string
}

// resolvedCollection is a queue, stack or priority queue whose operations are resolved.
type resolvedCollection struct {
	*contents
	theory *model.CollectionTheory // nil if there are operations that it does not have
}

// bindCollection binds a partition that holds one queue, stack or priority queue.
func bindCollection(s *table, p *model.Partition) (*model.Instance, error) {
	r, err := prepareCollection(s, p)
	if err != nil {
		return nil, err
	}
	return r.Bind(), nil
}

// prepareCollection resolves the operations of such a partition, which is all that its theory
// needs.
func prepareCollection(s *table, p *model.Partition) (model.Prepared, error) {
	d := s.discipline
	c, err := newContents(s, p, d.element)
	if err != nil {
		return nil, err
	}
	if d.leaving != nil {
		d.leaving(c)
	}
	if err := c.resolveAll(); err != nil {
		return nil, err
	}
	r := &resolvedCollection{contents: c}
	switch {
	case !c.odd:
		r.theory = &model.CollectionTheory{Discipline: d.order, Object: make([]model.CellID, len(p.Ops)), Does: c.does,
			Value: c.value, Initial: [][]int32{c.initial}, Values: len(c.numbers.values)}
		if d.order == model.ByPriority {
			r.theory.Rank = c.rank
		}
	case d.order == model.ByPriority:
		c.orderLists()
	}
	return r, nil
}

// Outline implements model.Outlined.
func (r *resolvedCollection) Outline() *model.Instance {
	if r.theory == nil {
		return nil
	}
	return &model.Instance{Spec: r.spec, Partition: r.part, Theory: r.theory}
}

// Bind implements model.Prepared.
func (r *resolvedCollection) Bind() *model.Instance {
	c, d := r.contents, r.spec.discipline
	b := c.instance()
	b.NewMachine = func() model.Machine { return d.machine(c) }
	b.Refusal = func(m model.Machine, s model.State, op history.OpID) string { return d.refusal(c, m, s, op) }
	if r.theory != nil {
		b.Theory = r.theory
		return b
	}
	c.counted(b, func(moves *model.CollectionTheory) []bool {
		if moves.Discipline = d.order; d.order == model.ByPriority {
			moves.Rank = c.rank
		}
		return nil
	})
	return b
}
