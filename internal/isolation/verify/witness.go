package verify

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// order is a commit order that is compatible with the given one.
type order struct {
	*reader
	level  isolation.Level
	events []int32 // as in the witness
	txns   []int32 // those that take effect, by commit
	at     []int32 // by transaction: its place in txns, or absent
}

// absent is the place of what is not in the order, and begun of what has only started there. That
// of the initial transaction is before all.
const (
	absent = -2
	begun  = -3
)

// witnessed checks that w shows that h is at a level.
func witnessed(ctx context.Context, h *isolation.History, l isolation.Level, w *isolation.Witness) error {
	o := &order{reader: newReader(h), level: l, events: w.Events}
	for _, check := range []func() error{o.complete, o.given} {
		if err := check(); err != nil {
			return err
		}
	}
	switch l.Model {
	case isolation.Serializable, isolation.Snapshot, isolation.Prefix:
		return base.Under(l.Model.String(), o.replay(ctx))
	}
	f, err := o.explain(ctx, w.Sources)
	if err != nil {
		return base.Under("sources", err)
	}
	switch l.Model {
	case isolation.ReadCommitted:
		return base.Under(l.Model.String(), f.seen(ctx, true))
	case isolation.ReadAtomic:
		if err := f.seen(ctx, false); err != nil {
			return base.Under(l.Model.String(), err)
		}
		return base.Under(l.Model.String(), f.seenGiven())
	}
	return base.Under(l.Model.String(), f.reached(ctx))
}

// complete checks that the order has all that committed, nothing that aborted, and each once.
func (o *order) complete() error {
	o.at = make([]int32, len(o.h.Txns))
	for t := range o.at {
		o.at[t] = absent
	}
	for k, e := range o.events {
		t := e
		if e < 0 {
			t = ^e
		}
		switch {
		case int(t) >= len(o.h.Txns):
			return base.Under("complete", base.Faultf(o.txn(t), "event %d names it, and there is none", k))
		case e < 0 && !twoEvents(o.level):
			return base.Under("complete", base.Faultf(o.txn(t), "event %d is its start: there is none", k))
		case e < 0 && o.at[t] != absent:
			return base.Under("complete", base.Faultf(o.txn(t), "event %d is its start, after it or its commit", k))
		case e < 0:
			o.at[t] = begun
			continue
		case o.at[t] >= 0:
			return base.Under("complete", base.Faultf(o.txn(t), "it commits twice, the second time at event %d", k))
		case o.h.Txns[t].Status == isolation.Aborted:
			return base.Under("complete", base.Faultf(o.txn(t), "it aborted, but commits at event %d", k))
		case twoEvents(o.level) && o.at[t] != begun:
			return base.Under("complete", base.Faultf(o.txn(t), "it commits at event %d without a start before", k))
		}
		o.at[t] = int32(len(o.txns))
		o.txns = append(o.txns, t)
	}
	for t := range o.at {
		if o.at[t] == begun || o.at[t] == absent && o.h.Txns[t].Status == isolation.Committed {
			return base.Under("complete", base.Faultf(o.txn(int32(t)), "it does not commit in the witness"))
		}
	}
	return nil
}

// given checks that no transaction starts before the commit of one that is given before it.
func (o *order) given() error {
	if o.level.Given == isolation.NoOrder {
		return nil
	}
	latest, by := history.Rank(-1), int32(0) // the latest call of what started
	session := map[int32]int32{}             // by session what was called last, of what started
	for _, e := range o.events {
		t := max(e, ^e)
		x := &o.h.Txns[t]
		if e >= 0 {
			last, known := session[x.Session]
			switch {
			case o.level.Given == isolation.RealTime && x.Return < latest:
				return base.Under("real-time", base.Faultf(o.txn(t, by),
					"the first returned before the second was called, but the second starts before the first commits"))
			case known && x.Call < o.h.Txns[last].Call:
				return base.Under("session", base.Faultf(o.txn(t, last),
					"the first comes first in their session, but the second starts before the first commits"))
			}
		}
		if e < 0 || !twoEvents(o.level) {
			if x.Call > latest {
				latest, by = x.Call, t
			}
			if last, known := session[x.Session]; !known || x.Call > o.h.Txns[last].Call {
				session[x.Session] = t
			}
		}
	}
	return nil
}

// commit returns where a transaction commits; the initial one is before all.
func (o *order) commit(t int32) int32 {
	if t == isolation.Initial {
		return -1
	}
	return o.at[t]
}
