package gen

import (
	"strconv"

	"github.com/linsat/linsat/history"
)

// ownedLock is a lock with an owner. In a long run, a process that acquires it releases it later,
// and does not stop while holding it.
type ownedLock struct {
	fenced  bool
	limit   int64 // how often its owner may hold it
	decided bool
	// arguments name the owners in a small history; otherwise the processes are the owners
	named bool
	owner string
	count int64
	token int64
}

// unlimited is the limit of a lock that its owner may acquire any number of times.
const unlimited = 1 << 30

func newOwnedLock(kind string) object {
	o := &ownedLock{fenced: kind == "fenced-mutex", limit: 1}
	if kind == "reentrant-mutex" {
		o.limit = unlimited
	}
	return o
}

// keeps reports whether the lock would stay held for ever if the process stopped during this action
// of a long run.
func (o *ownedLock) keeps(a *action) bool {
	return o.count > 0 && o.owner == process(a) && (a.f != "release" || o.count > 1)
}

func process(a *action) string { return strconv.Itoa(int(a.proc)) }

func (o *ownedLock) pick(d *draw, a *action) bool {
	if d.free {
		if !o.decided {
			o.decided, o.named = true, d.coin(0.5)
		}
		a.f = [3]string{"acquire", "release", "tryacquire"}[d.r.IntN(3)]
		if o.named {
			name := d.t.String([2]string{"a", "b"}[d.r.IntN(2)])
			switch {
			case d.coin(0.1):
				a.arg = d.t.Map([]history.Value{d.t.String("owner"), history.Nil})
			case d.coin(0.2):
				a.arg = d.t.Map([]history.Value{d.t.String("owner"), name})
			default:
				a.arg = name
			}
		}
		return true
	}
	if o.count > 0 && o.owner == process(a) {
		if o.count < min(o.limit, 3) && d.left >= d.owed+2 && d.coin(0.3) {
			a.f = "acquire"
			d.owed++
			return true
		}
		a.f = "release"
		d.owed--
		return true
	}
	last := d.left == 1 && d.owed == 0 // no other process will wait for it
	if d.left < d.owed+2 && !last {
		return false
	}
	d.owed++
	a.f = "acquire"
	if last || d.coin(0.3) {
		a.f = "tryacquire"
	}
	return true
}

// caller returns the owner that acts. If the argument does not name it, it is any owner that other
// actions name.
func (o *ownedLock) caller(d *draw, a *action) string {
	name := a.arg
	if pairs, isMap := d.t.AsMap(a.arg); isMap {
		name = pairs[1]
	}
	if text, ok := d.t.AsString(name); ok {
		return text
	}
	if o.named {
		return [2]string{"a", "b"}[d.r.IntN(2)]
	}
	return process(a)
}

func (o *ownedLock) apply(d *draw, a *action) bool {
	by := o.caller(d, a)
	mine := o.count > 0 && o.owner == by
	if a.f == "release" {
		switch {
		case !mine:
			a.result = history.False
			return true
		case d.free && d.coin(0.3):
			a.result = history.True
		}
		o.count--
		return true
	}
	if o.count > 0 && !(mine && o.count < o.limit) {
		if a.f == "acquire" {
			return false
		}
		if !d.free {
			d.owed--
		}
		a.result = history.False
		return true
	}
	o.owner = by
	if o.count++; o.count == 1 {
		o.token += 1 + d.r.Int64N(2)
	}
	switch {
	case o.fenced && (!d.free || d.coin(0.7)):
		a.result = d.t.Int(o.token)
	case a.f == "tryacquire":
		a.result = history.True
	}
	return true
}

// crash lets releases take effect and nothing else, so that a run never gets stuck.
func (o *ownedLock) crash(d *draw, a *action) bool {
	if a.f == "release" {
		return true
	}
	d.owed--
	return false
}

func (o *ownedLock) guess(d *draw, a *action) history.Value {
	switch {
	case o.fenced && a.f != "release" && d.coin(0.7):
		return d.t.Int(1 + d.r.Int64N(4))
	case a.f == "acquire":
		return history.Nil
	}
	return d.bool()
}

func (o *ownedLock) start(d *draw) (history.Value, bool) {
	var pairs []history.Value
	put := func(name string, v history.Value) { pairs = append(pairs, d.t.String(name), v) }
	if o.limit > 1 || o.fenced {
		o.limit = 2
		put("limit", d.t.Int(2))
	}
	if o.fenced {
		o.token = 1 + d.r.Int64N(2)
		put("fence", d.t.Int(o.token))
	}
	if d.free && (d.coin(0.5) || len(pairs) == 0) {
		o.decided, o.named = true, true
		o.owner, o.count = "a", 1
		put("owner", d.t.String(o.owner))
	}
	return d.t.Map(pairs), len(pairs) > 0
}
