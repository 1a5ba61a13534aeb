package history

import "math"

// Clocks that differ.
//
// What: if every time may be wrong by ε, an operation lasts from its call - ε to its return + ε.
// Operations of different processes are in order only if these intervals are; those of one process
// stay in their own order, which its clock does not change.
//
// How: events are ranked by the wider times, as though every operation had a process of its own,
// and neighbours of one process whose intervals now touch get an edge, as explicit order does. So
// the order is exactly the closure of both, also where it is no interval order any more (a1<b1 and
// a2<b2 of two processes, with a1∥b2 and a2∥b1): to cut intervals at those of the same process
// would order operations of others that are not in order.
//
// Invariant: that of order.go. Checked against the definition in uncertainty_test.go.
//
// Cost: that of edges where a process calls within 2ε of its last return, and there the monitors do
// not answer; nothing elsewhere.

// SetUncertainty says that every time may be too early or too late by so much, in the unit of the
// times: 0, the default, for times of one clock. Operations of different processes are in order if
// one returned more than twice that before the other was called; those of one process always are.
// Finish refuses it for events without times, of which the order is known.
func (b *Builder) SetUncertainty(by int64) { b.options.Uncertainty = by }

// uncertain returns the ordering under the uncertainty of the times, of records that are in
// sequence.
func (b *Builder) uncertain(exact *ordering) (*ordering, error) {
	by := b.options.Uncertainty
	if by < 0 {
		return nil, &Error{What: "the uncertainty of the times is negative",
			Hint: "state by how much a time may be wrong, 0 for one clock"}
	}
	if b.untimed && by == 0 {
		by = math.MaxInt64 / 2
	} else if b.untimed || b.counting || b.clock > 0 {
		return nil, &Error{What: "the history has no times to be uncertain of: its events are in a known order",
			Hint: "leave the uncertainty out, or state times of calls and returns"}
	}
	wide := make([]Record, len(b.records))
	names := make([]string, len(wide))
	for i := range wide {
		wide[i] = b.records[i]
		r := &wide[i]
		r.Process, r.Call = int32(i), earlier(r.Call, by)
		if !r.Pending && r.Return != noTime {
			r.Return = later(r.Return, by)
		}
	}
	o := newOrdering(wide)
	if err := o.sequence(names); err != nil {
		return nil, err
	}
	o.rank()
	for i, p := range exact.prev {
		if p >= 0 && wide[p].Return >= wide[i].Call {
			o.edges = append(o.edges, recordEdge{p, int32(i)})
		}
	}
	return o, nil
}

func earlier(t, by int64) int64 {
	if t < math.MinInt64+by {
		return math.MinInt64
	}
	return t - by
}

func later(t, by int64) int64 {
	if t > math.MaxInt64-1-by {
		return math.MaxInt64 - 1
	}
	return t + by
}
