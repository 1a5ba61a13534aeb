package gen

import (
	"math"
	"slices"

	"github.com/linsat/linsat/history"
)

// counter is an integer with additions, or a ticket dispenser.
type counter struct {
	unowned
	n int64
	// near an end of int64, or 0. Additions near an end have no results: the value before may be
	// out of range.
	init int64
	// if not 0, additions are multiples of it, and the counter only goes up or only down
	scale int64
}

// rare are the less usual operations of a counter.
var rare = []string{"getanddec", "incandget", "decandget", "write", "swap", "cas", "compareandexchange"}

func (o *counter) pick(d *draw, a *action) bool {
	if d.all && o.init == 0 && d.coin(0.4) {
		a.f = rare[d.r.IntN(len(rare))]
		switch n := d.t.Int(d.r.Int64N(5)); a.f {
		case "write", "swap":
			a.arg = n
		case "cas", "compareandexchange":
			a.arg = d.t.List([]history.Value{d.t.Int(o.n - d.r.Int64N(2)), n})
		}
		return true
	}
	switch k := d.r.IntN(8); {
	case k < 3:
		a.f = "inc"
	case k < 4:
		a.f = "dec"
	case k < 5:
		a.f = "getandinc"
	default:
		a.f = "read"
	}
	if (a.f == "inc" || a.f == "dec") && d.coin(0.3) {
		a.arg = d.t.Int(1 + d.r.Int64N(3))
	}
	if o.scale != 0 && a.f != "read" {
		a.f, a.arg = "inc", d.t.Int(o.scale*(1+d.r.Int64N(3)))
		if o.init > 0 {
			a.f = "dec"
		}
	}
	return true
}

func (o *counter) apply(d *draw, a *action) bool {
	by := int64(1)
	if n, ok := d.t.AsInt(a.arg); ok {
		by = n
	}
	before := o.n
	switch a.f {
	case "inc", "incandget":
		o.n += by
	case "dec", "decandget", "getanddec":
		o.n -= by
	case "getandinc":
		o.n++
	case "write", "swap":
		o.n = by
	case "cas", "compareandexchange":
		pair, _ := d.t.AsList(a.arg)
		old, _ := d.t.AsInt(pair[0])
		if old == before {
			o.n, _ = d.t.AsInt(pair[1])
		}
		if a.result = d.t.Int(before); a.f == "cas" || d.coin(0.2) {
			a.result = d.t.Bool(old == before)
		}
		return true
	}
	switch a.f {
	case "inc", "dec":
		if a.result = d.done(); d.all && o.init == 0 && d.coin(0.5) {
			a.result = d.t.Int(o.n)
		}
	case "incandget", "decandget":
		a.result = d.t.Int(o.n)
	case "write":
		a.result = d.done()
	default:
		a.result = d.t.Int(before)
	}
	return true
}

func (o *counter) guess(d *draw, a *action) history.Value {
	switch {
	case a.f == "write" || (a.f == "inc" || a.f == "dec") && !(d.all && o.init == 0 && d.coin(0.7)):
		return history.Nil
	case a.f == "cas":
		return d.bool()
	}
	switch {
	case o.scale != 0 && o.init < 0:
		return d.t.Int(o.init + o.scale*d.r.Int64N(4))
	case o.scale != 0:
		return d.t.Int(o.init - o.scale*d.r.Int64N(4))
	case o.init != 0:
		return d.t.Int(o.init + d.r.Int64N(6) - 1) // may wrap around
	}
	return d.t.Int(d.r.Int64N(6) - 1)
}

func (o *counter) start(d *draw) (history.Value, bool) {
	o.n = d.r.Int64N(4)
	if d.ends > 0 { // the operations add 3 at most, or 3 times the scale
		room := 3 * int64(d.ends)
		o.init = [2]int64{math.MinInt64, math.MaxInt64}[d.r.IntN(2)]
		switch {
		case d.coin(0.5):
			o.scale = int64(math.MaxUint64 / uint64(room))
		case o.init < 0:
			o.init += room
		default:
			o.init -= room
		}
		o.n = o.init
	}
	return d.t.Int(o.n), true
}

// ids returns a new id each time.
type ids struct{ unowned }

func (o *ids) pick(_ *draw, a *action) bool {
	a.f = "generate"
	return true
}

func (o *ids) apply(d *draw, a *action) bool {
	d.fresh++
	a.result = d.t.Int(d.number(d.fresh))
	return true
}

func (o *ids) guess(d *draw, _ *action) history.Value {
	return d.t.Int(d.number(1 + d.r.Int64N(max(4, d.fresh))))
}

func (o *ids) start(d *draw) (history.Value, bool) {
	d.fresh++
	return d.t.List([]history.Value{d.t.Int(d.number(d.fresh))}), true
}

// logbook is a list of values that only grows.
type logbook struct {
	unowned
	values []history.Value
}

func (o *logbook) pick(d *draw, a *action) bool {
	if d.coin(0.6) {
		a.f, a.arg = "append", d.value()
		return true
	}
	a.f = "read"
	switch {
	case !d.free: // near the end, so that results stay short
		a.arg = d.t.Int(max(0, int64(len(o.values))-d.r.Int64N(4)))
	case d.coin(0.6):
		a.arg = d.t.Int(d.r.Int64N(3))
	}
	if d.free && d.all && d.coin(0.5) { // at most so many
		from, _ := d.t.AsInt(a.arg)
		a.arg = d.t.List([]history.Value{d.t.Int(from), d.t.Int(d.r.Int64N(3))})
	}
	return true
}

// from lists the values that a read of the argument finds.
func (o *logbook) from(d *draw, arg history.Value) []history.Value {
	most := len(o.values)
	if pair, ok := d.t.AsList(arg); ok {
		n, _ := d.t.AsInt(pair[1])
		arg, most = pair[0], int(n)
	}
	from, _ := d.t.AsInt(arg)
	rest := o.values[min(int(from), len(o.values)):]
	return rest[:min(most, len(rest))]
}

func (o *logbook) apply(d *draw, a *action) bool {
	if a.f == "append" {
		if !d.free || d.coin(0.6) {
			a.result = d.t.Int(int64(len(o.values)))
		} else {
			a.result = d.done()
		}
		o.values = append(o.values, a.arg)
		return true
	}
	a.result = d.t.List(o.from(d, a.arg))
	return true
}

func (o *logbook) guess(d *draw, a *action) history.Value {
	if a.f == "append" {
		return d.t.Int(d.r.Int64N(4))
	}
	rest := slices.Clone(o.from(d, a.arg))
	if len(rest) > 1 && d.coin(0.5) {
		i := d.r.IntN(len(rest) - 1)
		rest[i], rest[i+1] = rest[i+1], rest[i]
		return d.t.List(rest)
	}
	return d.t.List(rest[:d.r.IntN(len(rest)+1)])
}

func (o *logbook) start(d *draw) (history.Value, bool) {
	o.values = append(o.values, d.value())
	return d.t.List(o.values), true
}

// lock is a mutex, a semaphore, or a readers-writer lock. In a long run, a process that acquires it
// releases it later, does not stop while holding it, and uses no second lock.
type lock struct {
	kind     string
	capacity int64 // permits at the start
	permits  int64 // permits left; a mutex has one
	readers  int64
	writer   bool
	holds    map[int32]hold // by process, in a long run
}

func newLock(kind string) object {
	return &lock{kind: kind, capacity: 1, permits: 1, holds: map[int32]hold{}}
}

// hold is what a process must release.
type hold struct {
	release string
	n       int64
}

func (o *lock) pick(d *draw, a *action) bool {
	if d.free {
		names := map[string][]string{"mutex": {"acquire", "release", "tryacquire"},
			"semaphore": {"acquire", "release", "tryacquire"},
			"rwmutex":   {"rlock", "runlock", "lock", "unlock", "tryrlock", "trylock"}}[o.kind]
		a.f = names[d.r.IntN(len(names))]
		if o.kind == "semaphore" && d.coin(0.3) {
			a.arg = d.t.Int(1 + d.r.Int64N(2))
		}
		return true
	}
	if h, held := o.holds[a.proc]; held {
		a.f = h.release
		if h.n > 1 {
			a.arg = d.t.Int(h.n)
		}
		d.owed--
		return true
	}
	last := d.left == 1 && d.owed == 0 // no process waits or will wait
	if d.left < d.owed+2 && !last {
		return false
	}
	d.owed++
	try := last || d.coin(0.3)
	switch {
	case o.kind != "rwmutex" && try:
		a.f = "tryacquire"
	case o.kind != "rwmutex":
		a.f = "acquire"
	case try:
		a.f = [2]string{"tryrlock", "trylock"}[d.r.IntN(2)]
	default:
		a.f = [3]string{"rlock", "rlock", "lock"}[d.r.IntN(3)]
	}
	if o.kind == "semaphore" && o.capacity > 1 && d.coin(0.3) {
		a.arg = d.t.Int(1 + d.r.Int64N(o.capacity))
	}
	return true
}

func (o *lock) apply(d *draw, a *action) bool {
	n := int64(1)
	if k, ok := d.t.AsInt(a.arg); ok {
		n = k
	}
	try, h := false, hold{n: n}
	switch a.f {
	case "release":
		if o.kind == "mutex" && o.permits > 0 {
			return false
		}
		o.permits += n
	case "runlock":
		if o.readers == 0 {
			return false
		}
		o.readers--
	case "unlock":
		if !o.writer {
			return false
		}
		o.writer = false
	case "tryacquire", "tryrlock", "trylock":
		try = true
		fallthrough
	default:
		got := false
		switch a.f {
		case "acquire", "tryacquire":
			if got = o.permits >= n; got {
				o.permits -= n
			}
			h.release = "release"
		case "rlock", "tryrlock":
			if got = !o.writer; got {
				o.readers++
			}
			h.release = "runlock"
		default:
			if got = !o.writer && o.readers == 0; got {
				o.writer = true
			}
			h.release = "unlock"
		}
		if a.result = d.done(); try {
			a.result = d.t.Bool(got)
		}
		switch {
		case got:
			o.holds[a.proc] = h
		case try:
			d.owed--
		}
		return got || try
	}
	a.result = d.done()
	delete(o.holds, a.proc)
	return true
}

// crash lets releases take effect and nothing else, so that a run never gets stuck.
func (o *lock) crash(d *draw, a *action) bool {
	switch a.f {
	case "release", "runlock", "unlock":
		return true
	}
	d.owed--
	return false
}

func (o *lock) guess(d *draw, a *action) history.Value {
	switch a.f {
	case "tryacquire", "tryrlock", "trylock":
		return d.bool()
	}
	return history.Nil
}

func (o *lock) start(d *draw) (history.Value, bool) {
	switch o.kind {
	case "semaphore":
		o.capacity = 1 + d.r.Int64N(3)
		o.permits = o.capacity
		return d.t.Int(o.capacity), true
	case "mutex":
		if d.free {
			o.permits = 0
			return history.True, true
		}
	case "rwmutex":
		if d.free && d.coin(0.5) {
			o.writer = true
			return history.True, true
		}
		if d.free {
			o.readers = 1 + d.r.Int64N(2)
			return d.t.Int(o.readers), true
		}
	}
	return history.Nil, false
}
