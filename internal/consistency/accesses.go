package consistency

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Accesses is a history as reads and writes of registers: those of a register, of the keys of a
// map, of the elements of a set.
type Accesses struct {
	History *history.History
	Ops     []Access // parallel to History.Ops
	Initial []int32  // by object: its value at the start
	Names   []string // by object: "key x", "" if there is one
	// Updates is the first operation that reads and writes at once, or might have written if it had
	// read something else; -1 if there is none.
	Updates history.OpID
}

// Access is what an operation reads and writes. One of which the result is not known reads nothing.
// Values are numbered apart for each object.
type Access struct {
	Process, Object int32
	Reads, Writes   bool
	Found, Left     int32 // what it read, and what it wrote
	Pending         bool
}

// NoAccesses is the error about operations that are no reads and writes.
type NoAccesses struct {
	Op  history.OpID // the first that is neither, -1 if that is not known
	Why string
}

func (e *NoAccesses) Error() string { return e.Why }

// Of makes accesses of the operations of h. It returns a *NoAccesses if that cannot be done, and
// other errors about the history.
func Of(s model.Spec, h *history.History) (*Accesses, error) {
	alone := *h
	alone.Edges, alone.Revisions = nil, nil // they would join keys, and order nothing here
	a := &Accesses{History: h, Ops: make([]Access, len(h.Ops)), Updates: -1}
	for _, p := range model.Split(s, &alone, model.ByKey) {
		b, err := s.Bind(p)
		if err != nil {
			return nil, err
		}
		c := b.Registers()
		if c == nil || c.FromInit || c.Name != nil {
			return nil, &NoAccesses{-1, fmt.Sprintf("the operations of %s are not all reads or writes", s.Info().Name)}
		}
		for range c.Init {
			a.Names = append(a.Names, p.Title(s.Info()))
		}
		hidden, err := s.Bind(withoutResults(p))
		if err != nil {
			return nil, err
		}
		does := hidden.Registers()
		first := int32(len(a.Initial))
		a.Initial = append(a.Initial, c.Init...)
		for i := range history.OpID(p.Len()) {
			modes := c.Of(i)
			if len(modes) != 1 || modes[0].Test == model.Not {
				return nil, &NoAccesses{p.Global(i), "what it does depends on the value that it finds"}
			}
			m, o := modes[0], &p.Ops[i]
			x := Access{Process: o.Process, Object: first + int32(c.Object[i]), Reads: m.Test == model.Is, Found: m.V,
				Writes: m.Leaves != model.Keep, Left: m.Leaves, Pending: o.Pending()}
			if x.Reads && x.Pending {
				return nil, &NoAccesses{p.Global(i), "it may have changed what it found, or not"}
			}
			may := does.Of(i)
			update := x.Reads && x.Writes || len(may) != 1 || may[0].Test != model.Any ||
				(may[0].Leaves != model.Keep) != x.Writes
			if update && (a.Updates < 0 || p.Global(i) < a.Updates) {
				a.Updates = p.Global(i)
			}
			a.Ops[p.Global(i)] = x
		}
	}
	return a, nil
}

// withoutResults returns a partition of which no result is known.
func withoutResults(p *model.Partition) *model.Partition {
	q := *p
	q.Ops = slices.Clone(p.Ops)
	for i := range q.Ops {
		o := &q.Ops[i]
		o.Result, o.Unknown, o.NoResult = history.Nil, true, false
	}
	return &q
}
