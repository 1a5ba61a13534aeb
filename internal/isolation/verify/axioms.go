package verify

// Witnesses of read committed and read atomic.
//
// What: each read of x by i from s is compared with the latest by commit of the writers of x that i
// has read from, earlier (read committed) or anywhere, or that are given before i (read atomic).
//
// Why it is right: that is the axiom of isolation.Level, as a latest writer that is s or before it
// has all others before s.
//
// Cost: for each transaction and each one that it reads from, the writes of the one or the reads of
// the other, whichever are fewer; and linear in the history for the given order.

import (
	"cmp"
	"context"
	"slices"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// latest keeps for objects which transaction wrote them last by commit, of those that were added
// after the last call of forget.
type latest struct {
	f     *explained
	round int32
	since []int32 // by object: the round of by
	by    []int32
}

func (f *explained) latest() *latest {
	return &latest{f: f, round: 1, since: make([]int32, len(f.h.Objects)), by: make([]int32, len(f.h.Objects))}
}

func (l *latest) forget() { l.round++ }

func (l *latest) add(x, t int32) {
	if l.since[x] != l.round || l.f.at[l.by[x]] < l.f.at[t] {
		l.since[x], l.by[x] = l.round, t
	}
}

// addAll adds t to all objects that it writes.
func (l *latest) addAll(t int32) {
	for _, w := range l.f.writesOf(t) {
		l.add(w.object, t)
	}
}

// check checks that read r of i is from the latest writer or a later one.
func (l *latest) check(i int32, r from, why string) error {
	x, s := r.object, r.source
	if l.since[x] != l.round || l.f.at[l.by[x]] <= l.f.commit(s) {
		return nil
	}
	return base.Faultf(l.f.what(isolation.Place{Txn: i, Access: r.access}),
		"it is from %s, and %s, which writes %s too, commits later and is %s", l.f.txn(s), l.f.txn(l.by[x]),
		l.f.object(x), why)
}

// seen checks each read against what i reads from: earlier, or anywhere.
func (f *explained) seen(ctx context.Context, earlier bool) error {
	l, known := f.latest(), make([]int32, len(f.h.Txns)) // by source: its last reader, plus 1
	for k, i := range f.txns {
		if k&1023 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l.forget()
		reads := f.readsOf(i)
		add := func(from int) {
			s := reads[from].source
			if s == isolation.Initial || known[s] == i+1 {
				return
			}
			known[s] = i + 1
			if !earlier {
				from = 0
			}
			if len(f.writesOf(s)) <= len(reads)-from {
				l.addAll(s)
				return
			}
			for _, r := range reads[from:] {
				if _, writes := f.write(s, r.object); writes {
					l.add(r.object, s)
				}
			}
		}
		if !earlier {
			for k := range reads {
				add(k)
			}
		}
		for k, r := range reads {
			if err := l.check(i, r, "read as well"); err != nil {
				return err
			}
			if earlier {
				add(k)
			}
		}
	}
	return nil
}

// seenGiven checks each read against those that are given before i.
func (f *explained) seenGiven() error {
	if f.level.Given == isolation.NoOrder {
		return nil
	}
	checkAll := func(l *latest, i int32, why string) error {
		for _, r := range f.readsOf(i) {
			if err := l.check(i, r, why); err != nil {
				return err
			}
		}
		return nil
	}
	l, session := f.latest(), int32(-1)
	for _, i := range f.bySession() {
		if f.h.Txns[i].Session != session {
			session = f.h.Txns[i].Session
			l.forget()
		}
		if err := checkAll(l, i, "before in the session"); err != nil {
			return err
		}
		l.addAll(i)
	}
	if f.level.Given < isolation.RealTime {
		return nil
	}
	l.forget()
	returned := f.byReturn()
	for _, i := range f.byCall() {
		for len(returned) > 0 && f.h.Txns[returned[0]].Return < f.h.Txns[i].Call {
			l.addAll(returned[0])
			returned = returned[1:]
		}
		if err := checkAll(l, i, "before in time"); err != nil {
			return err
		}
	}
	return nil
}

// byCall, byReturn and bySession list those that take effect, sessions by call.
func (o *order) byCall() []int32 {
	all := slices.Clone(o.txns)
	slices.SortFunc(all, func(a, b int32) int { return cmp.Compare(o.h.Txns[a].Call, o.h.Txns[b].Call) })
	return all
}

func (o *order) byReturn() []int32 {
	all := slices.Clone(o.txns)
	slices.SortFunc(all, func(a, b int32) int { return cmp.Compare(o.h.Txns[a].Return, o.h.Txns[b].Return) })
	return all
}

func (o *order) bySession() []int32 {
	all := o.byCall()
	slices.SortStableFunc(all, func(a, b int32) int { return cmp.Compare(o.h.Txns[a].Session, o.h.Txns[b].Session) })
	return all
}
