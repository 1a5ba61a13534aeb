package verify

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/verify/base"
)

// Verifier judges what is said of the objects of a history. Of the history it takes what stale.Of
// makes.
type Verifier struct {
	h       *stale.History
	places  []int32 // by operation of the history: its place in its object, or in Silent
	objects []int32 // by operation: its object, silent, or nowhere
}

// New returns a verifier of what is said of h.
func New(h *stale.History) *Verifier {
	v := &Verifier{h, make([]int32, len(h.From.Ops)), make([]int32, len(h.From.Ops))}
	for i := range v.objects {
		v.objects[i] = nowhere
	}
	for k := range h.Objects {
		for i := range h.Objects[k].Ops {
			id := h.Objects[k].Ops[i].ID
			v.places[id], v.objects[id] = int32(i), int32(k)
		}
	}
	for i := range h.Silent {
		v.places[h.Silent[i].ID], v.objects[h.Silent[i].ID] = int32(i), silent
	}
	return v
}

// Check checks that c shows what it says.
func (v *Verifier) Check(ctx context.Context, c *stale.Certificate) error {
	q, err := stale.ParseQuestion(c.Question)
	switch {
	case err != nil:
		return err
	case q.Kind == stale.Moved && v.h.Timed() != nil:
		return v.h.Timed()
	case c.Core != nil && len(c.Orders) > 0:
		return base.Faultf("", "a certificate has %d orders or a core, not both", len(c.Orders))
	case c.Core != nil:
		return v.Core(ctx, q, c.Core)
	case len(c.Orders) != len(v.h.Objects):
		return base.Faultf("", "%d orders for %d objects", len(c.Orders), len(v.h.Objects))
	}
	for k := range c.Orders {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := v.Order(k, q, &c.Orders[k]); err != nil {
			return err
		}
	}
	return v.Joined(q, c.Orders)
}

// judged is an object under a question.
type judged struct {
	*Verifier
	o *stale.Object
	q stale.Question
}

// precedes reports whether a must come before b. A read that is moved is called earlier by the
// bound; among regular reads there is no order.
func (j *judged) precedes(a, b *stale.Op) bool {
	switch {
	case a.Return >= b.Call, j.regular() && a.Read && b.Read:
		return false
	case j.q.Kind == stale.Moved && j.q.Bound > 0 && b.Read:
		from, to := j.h.From.Origins[a.ID].ReturnTime, j.h.From.Origins[b.ID].CallTime
		return from < to && uint64(to)-uint64(from) > uint64(j.q.Bound)
	}
	return true
}

func (j *judged) regular() bool {
	return j.q.Kind == stale.Regular || j.q.Kind == stale.WeaklyRegular
}

// name names an operation in errors.
func (j *judged) name(id history.OpID) string {
	if id < 0 || int(id) >= len(j.h.From.Ops) {
		return "an operation that there is not"
	}
	return "#" + j.h.From.ID(id)
}

// find returns the place in the object of an operation of the history.
func (j *judged) find(id history.OpID) (int32, error) {
	if id >= 0 && int(id) < len(j.places) {
		if at := j.places[id]; int(at) < len(j.o.Ops) && j.o.Ops[at].ID == id {
			return at, nil
		}
	}
	return 0, base.Faultf(j.name(id), "it is not one of %s", j.title())
}

func (j *judged) title() string {
	if j.o.Name == "" {
		return "the object"
	}
	return j.o.Name
}

// readsAndWrites checks that the operations are what regular questions are about.
func (j *judged) readsAndWrites() error {
	for i := range j.o.Ops {
		if o := &j.o.Ops[i]; len(o.Modes) != 1 || !o.Read && (o.Modes[0].Test != model.Any || o.Modes[0].Leaves < 0) {
			return base.Faultf(j.name(o.ID), "it is neither a read nor a write")
		}
	}
	return nil
}
