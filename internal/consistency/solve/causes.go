package solve

// What: an order of causes of one operation, of an object of any kind, that the specification
// allows (consistency.Causes).
//
// How: depth first, one cause after the other, each behind those of its process. What is met again
// with the same causes done in the same state is not tried again.
//
// Cost: exponential in how many causes have no order; few operations only.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/model"
)

// Causes looks for orders of causes, of at most 64 operations. Sets of operations are masks.
type Causes struct {
	Own      []uint64 // by operation: those before it in its process
	machines []model.Machine
}

// NewCauses binds the specification to what each operation knows.
func NewCauses(s model.Spec, h *history.History, q *consistency.Question) (*Causes, error) {
	c := &Causes{make([]uint64, len(h.Ops)), make([]model.Machine, len(h.Ops))}
	for j := range h.Ops {
		b, err := s.Bind(model.Whole(q.Known(h, history.OpID(j))))
		if err != nil {
			return nil, err
		}
		c.machines[j] = b.NewMachine()
		for i := range j {
			if h.Ops[i].Process == h.Ops[j].Process {
				c.Own[j] |= 1 << i
			}
		}
	}
	return c, nil
}

// Order returns an order of all of with and some of may that ends with op. Of two operations of
// which the second is in later of the first the second does not come before the first. known is
// false if that takes too many steps.
func (c *Causes) Order(ctx context.Context, op history.OpID, with, may uint64, later []uint64, steps int) (
	order []history.OpID, known bool) {
	type place struct {
		done  uint64
		state model.State
	}
	m, met := c.machines[op], map[place]bool{}
	var try func(at place) bool
	try = func(at place) bool {
		if met[at] || len(met) > steps || len(met)&255 == 255 && ctx.Err() != nil {
			return false
		}
		met[at] = true
		if with&^at.done == 0 && len(m.Step(at.state, op, nil)) > 0 {
			order = append(order, op)
			return true
		}
		for i := range c.Own {
			bit := uint64(1) << i
			if (with|may)&^at.done&bit == 0 || c.Own[i]&^at.done != 0 || later[i]&at.done != 0 {
				continue
			}
			for _, s := range m.Step(at.state, history.OpID(i), nil) {
				order = append(order, history.OpID(i))
				if try(place{at.done | bit, s}) {
					return true
				}
				order = order[:len(order)-1]
			}
		}
		return false
	}
	if try(place{0, m.Init()}) {
		return order, true
	}
	return nil, len(met) <= steps && ctx.Err() == nil
}
