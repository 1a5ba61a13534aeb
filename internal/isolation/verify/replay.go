package verify

// Witnesses of serializability, snapshot isolation and prefix consistency, replayed.
//
// What: goes through the events with one state. A start reads, and finds what the commits before
// left; a commit writes. Under serializability both are one event. Under snapshot isolation no
// transaction commits between the start and the commit of another that writes one object with it.
//
// Why it is right: the axioms of isolation.Level speak of the commits alone. Given events, i sees
// those whose commits come before its start s(i): each that is given before i or that i reads from
// does, so all does that comes before such a one; and the last of them that writes x is what i
// reads x from: whatever else of them writes x is before it. Under snapshot isolation what writes
// what i writes and commits before i does so before s(i), and again so does all that comes before
// that. Conversely, given a commit order that satisfies the axioms, put s(i) behind the last commit
// of those that they name: what is before s(i) is what they say i sees.
//
// Cost: linear in the history.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// replay checks that what is read is what was committed last.
func (o *order) replay(ctx context.Context) error {
	value := make([]int32, len(o.h.Objects))
	lists := make([][]int32, len(o.h.Objects))
	writer := make([]int32, len(o.h.Objects)) // who wrote an object last, and at which event
	when := make([]int32, len(o.h.Objects))
	for x := range value {
		value[x], writer[x], when[x] = o.h.Objects[x].Initial, isolation.Initial, -1
	}
	start := make([]int32, len(o.h.Txns))
	for k, e := range o.events {
		if k&1023 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t := max(e, ^e)
		if e < 0 || !twoEvents(o.level) {
			start[t] = int32(k)
			if err := o.outside(t, func(r read, a *isolation.Access) error {
				switch x := a.Object; {
				case o.h.Objects[x].List && !slices.Equal(r.part, lists[x]):
					return base.Faultf(o.what(isolation.Place{Txn: t, Access: r.access}),
						"others had appended %s by then, the last of them %s", o.list(lists[x]), o.txn(writer[x]))
				case !o.h.Objects[x].List && a.Value != value[x]:
					return base.Faultf(o.what(isolation.Place{Txn: t, Access: r.access}),
						"%s had written %s last by then", o.txn(writer[x]), o.h.Values[value[x]])
				}
				return nil
			}); err != nil {
				return err
			}
		}
		if e < 0 {
			continue
		}
		for _, a := range o.h.Txns[t].Accesses {
			x := a.Object
			switch {
			case a.Kind == isolation.Read:
				continue
			case o.level.Model == isolation.Snapshot && writer[x] != t && when[x] > start[t]:
				return base.Faultf(o.txn(t, writer[x]),
					"both write %s, and the second commits between start and commit of the first", o.object(x))
			case a.Kind == isolation.Append:
				lists[x] = append(lists[x], a.Value)
			default:
				value[x] = a.Value
			}
			writer[x], when[x] = t, int32(k)
		}
	}
	return nil
}

// outside calls f for what a transaction reads of others, and refuses what contradicts the
// transaction itself. What an open one read is not known.
func (o *order) outside(t int32, f func(r read, a *isolation.Access) error) error {
	if o.h.Txns[t].Status != isolation.Committed {
		return nil
	}
	return o.each(t, func(r read) error {
		switch r.shows {
		case itself:
			return nil
		case conflict:
			return base.Under("internal", base.Faultf(o.what(isolation.Place{Txn: t, Access: r.access}),
				"it wrote something else before"))
		}
		return f(r, &o.h.Txns[t].Accesses[r.access])
	})
}
