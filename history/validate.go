package history

import "fmt"

// Validate reports what is wrong with a history that was put together by hand, nil if nothing is:
// histories that Read, a Builder or a Recorder made are valid. It takes one pass over the
// operations.
func (h *History) Validate() error {
	bad := func(format string, args ...any) error {
		return &Error{File: h.Source, What: fmt.Sprintf("not a valid history: "+format, args...), Hint: "make histories with Read, a Builder or a Recorder"}
	}
	switch {
	case h.Values == nil:
		return bad("it has no table of values")
	case len(h.Origins) != len(h.Ops):
		return bad("%d origins for %d operations", len(h.Origins), len(h.Ops))
	case h.IDs != nil && len(h.IDs) != len(h.Ops):
		return bad("%d ids for %d operations", len(h.IDs), len(h.Ops))
	case h.Revisions != nil && len(h.Revisions) != len(h.Ops):
		return bad("%d revisions for %d operations", len(h.Revisions), len(h.Ops))
	case h.HasInitial && !h.Values.has(h.Initial):
		return bad("its initial state is value %d of %d", h.Initial, h.Values.Len())
	}
	if err := h.validAside(bad); err != nil {
		return err
	}
	if i, rank := h.sharedRank(); i >= 0 {
		return bad("operation %d has a call or return at %d, where there is another: ranks are distinct", i, rank)
	}
	for _, e := range h.Edges {
		if e.Before < 0 || int(e.Before) >= len(h.Ops) || e.After < 0 || int(e.After) >= len(h.Ops) || e.Before == e.After {
			return bad("an order between operations %d and %d of %d", e.Before, e.After, len(h.Ops))
		}
	}
	return nil
}

// validAside is validOps for all operations, many side by side.
func (h *History) validAside(bad func(format string, args ...any) error) error {
	if len(h.Ops) <= eachAside {
		return h.validOps(0, len(h.Ops), bad)
	}
	wrong := make([]error, len(h.Ops)/eachAside+1) // by where a range of operations begins
	aside(len(h.Ops), func(from, to int) { wrong[from/eachAside] = h.validOps(from, to, bad) })
	for _, err := range wrong {
		if err != nil {
			return err
		}
	}
	return nil
}

// validOps reports what is wrong first with the operations from one position to another.
func (h *History) validOps(from, to int, bad func(format string, args ...any) error) error {
	latest := Rank(-1)
	if from > 0 {
		latest = h.Ops[from-1].Call
	}
	for i := from; i < to; i++ {
		o := &h.Ops[i]
		switch {
		case o.Call <= latest:
			return bad("operation %d has the call %d, and the one before it %d", i, o.Call, latest)
		case o.Return <= o.Call:
			return bad("operation %d returns at %d, and was called at %d", i, o.Return, o.Call)
		case o.Process < 0 || int(o.Process) >= len(h.Processes):
			return bad("operation %d is of process %d of %d", i, o.Process, len(h.Processes))
		case o.Pending() && !o.Unknown:
			return bad("operation %d never returned, and has a known result", i)
		case !h.Values.has(o.F) || !h.Values.has(o.Arg) || !o.Unknown && !h.Values.has(o.Result) || o.Key != NoKey && !h.Values.has(o.Key):
			return bad("operation %d has a value that is not among its %d values", i, h.Values.Len())
		case h.Revisions != nil && h.Revisions[i] != nil && !h.Values.has(h.Revisions[i].Chain):
			return bad("operation %d has a chain that is not among its %d values", i, h.Values.Len())
		}
		latest = o.Call
	}
	return nil
}

// sharedRank returns the first operation with a call or return of a rank that an operation before
// it has, too; -1 if all ranks are distinct. Engines compare ranks in either direction, so two of
// one rank would be ordered by some and concurrent for others.
func (h *History) sharedRank() (OpID, Rank) {
	most := Rank(0)
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Return != Never {
			most = max(most, o.Return)
		} else {
			most = max(most, o.Call)
		}
	}
	if int(most) > sparseRanks*(len(h.Ops)+1) { // no reader makes such ranks
		seen := make(map[Rank]bool, 2*len(h.Ops))
		return firstShared(h.Ops, func(r Rank) bool {
			before := seen[r]
			seen[r] = true
			return before
		})
	}
	var few [32]uint64
	seen := few[:]
	if int(most/64) >= len(few) {
		seen = make([]uint64, most/64+1)
	}
	return firstShared(h.Ops, func(r Rank) bool {
		word, bit := &seen[r/64], uint64(1)<<(r%64)
		before := *word&bit != 0
		*word |= bit
		return before
	})
}

// firstShared returns the first operation with a rank that was met before.
func firstShared(ops []Op, meet func(r Rank) bool) (OpID, Rank) {
	for i := range ops {
		if o := &ops[i]; meet(o.Call) {
			return OpID(i), o.Call
		} else if o.Return != Never && meet(o.Return) {
			return OpID(i), o.Return
		}
	}
	return -1, 0
}

// has reports whether v is a value of the table.
func (t *Values) has(v Value) bool { return v >= 0 && int(v) < len(t.data) }
