package history

import "fmt"

// Validate reports what is wrong with a history that was put together by hand, nil if nothing is:
// histories that Read, a Builder or a Recorder made are valid. It takes one pass over the
// operations.
func (h *History) Validate() error {
	bad := h.invalid
	switch {
	case h == nil:
		return &Error{What: "there is no history"}
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
	distinct, err := h.validAside()
	if err != nil {
		return err
	}
	if !distinct {
		if i, rank := h.sharedRank(); i >= 0 {
			return bad("operation %d has a call or return at %d, where there is another: ranks are distinct", i, rank)
		}
	}
	for _, e := range h.Edges {
		if e.Before < 0 || int(e.Before) >= len(h.Ops) || e.After < 0 || int(e.After) >= len(h.Ops) ||
			e.Before == e.After {
			return bad("an order between operations %d and %d of %d", e.Before, e.After, len(h.Ops))
		}
	}
	return nil
}

func (h *History) invalid(format string, args ...any) error {
	return &Error{File: h.Source, What: fmt.Sprintf("not a valid history: "+format, args...),
		Hint: "make histories with Read, a Builder or a Recorder"}
}

// validAside is validOps for all operations, many side by side. It reports whether their ranks are
// certainly distinct.
func (h *History) validAside() (distinct bool, err error) {
	n := len(h.Ops)
	if n <= eachAside {
		var room [32]uint64
		met := newRankSet(n, room[:])
		err := h.validOps(0, n, &met)
		return met.distinct(), err
	}
	type part struct {
		met   rankSet
		wrong error
	}
	parts := make([]part, n/eachAside+1) // by where a range of operations begins
	aside(n, func(from, to int) {
		part := &parts[from/eachAside]
		part.met = newRankSet(n, nil)
		part.wrong = h.validOps(from, to, &part.met)
	})
	var all rankSet
	for k := range parts {
		if parts[k].wrong != nil {
			return false, parts[k].wrong
		}
		all.add(&parts[k].met)
	}
	return all.distinct(), nil
}

// validOps reports what is wrong first with the operations from one position to another, apart from
// ranks that occur twice, and notes their ranks.
func (h *History) validOps(from, to int, met *rankSet) error {
	bad := h.invalid
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
		case !h.Values.has(o.F) || !h.Values.has(o.Arg) || !o.Unknown && !h.Values.has(o.Result) || o.Key != NoKey &&
			!h.Values.has(o.Key):
			return bad("operation %d has a value that is not among its %d values", i, h.Values.Len())
		case h.Revisions != nil && h.Revisions[i] != nil && !h.Values.has(h.Revisions[i].Chain):
			return bad("operation %d has a chain that is not among its %d values", i, h.Values.Len())
		}
		latest = o.Call
		met.note(o.Call)
		if !o.Pending() {
			met.note(o.Return)
		}
	}
	return nil
}

// has reports whether v is a value of the table.
func (t *Values) has(v Value) bool { return v >= 0 && int(v) < len(t.data) }
