package shim

import (
	"time"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Timer is time.Timer. In an execution its time may come at any moment after it was started, but
// not more than mostTicks times, or one that starts itself again would never end. What it sends is
// gone once it was stopped or reset, as in Go since version 1.23.
type Timer struct {
	C <-chan time.Time

	real  *time.Timer
	ch    chan time.Time
	f     func()
	state core.Cell[int] // how often it was started, negative while it is stopped
	d     time.Duration

	number uint64 // of the execution
	fired  int    // how often its time has come there
}

// NewTimer is time.NewTimer.
func NewTimer(d time.Duration) *Timer {
	if core.Running() == nil {
		real := time.NewTimer(d)
		return &Timer{C: real.C, real: real}
	}
	ch := Made(make(chan time.Time, 1))
	t := &Timer{C: ch, ch: ch}
	t.Reset(d)
	return t
}

// AfterFunc is time.AfterFunc.
func AfterFunc(d time.Duration, f func()) *Timer {
	if core.Running() == nil {
		return &Timer{real: time.AfterFunc(d, core.Astray(f))}
	}
	t := &Timer{f: f}
	t.Reset(d)
	return t
}

// at makes an access to the timer, and to its channel if it has one.
func (t *Timer) at(x *schedule.Running) (ch *channel) {
	loc := t.state.In(x, nil, "timer", func() int { return -1 })
	loc2 := schedule.NoLocation
	if t.ch != nil {
		ch = find(x, t.ch)
		if loc2 = ch.loc; x.Selects != schedule.NoLocation {
			loc2 = x.Selects
		}
	}
	x.Point(schedule.Update, loc, loc2, nil)
	return ch
}

// stop stops the timer, and takes back what it has sent.
func (t *Timer) stop(ch *channel) (active bool) {
	active = t.state.V >= 0
	if active {
		t.state.V = -t.state.V - 1
	}
	if ch != nil && len(ch.buffer) > 0 {
		ch.buffer, active = nil, true
		ch.received++
	}
	return active
}

// Stop stops the timer, and reports whether its time had not come.
func (t *Timer) Stop() bool {
	x := core.Running()
	if x == nil {
		return t.real.Stop()
	}
	ch := t.at(x)
	before := t.state.V
	active := t.stop(ch)
	x.Traced(before, t.state.V)
	return active
}

// Reset starts the timer again, and reports whether its time had not come.
func (t *Timer) Reset(d time.Duration) bool {
	x := core.Running()
	if x == nil {
		return t.real.Reset(d)
	}
	ch := t.at(x)
	before := t.state.V
	active := t.stop(ch)
	t.state.V = -t.state.V
	t.d = d
	x.Traced(before, t.state.V)
	started := t.state.V
	if t.number != x.Number {
		t.number, t.fired = x.Number, 0
	}
	if t.fired < mostTicks {
		x.Spawn(func() { t.fire(started) })
	}
	return active
}

// fire is when the time has come, unless the timer was stopped or started again.
func (t *Timer) fire(started int) {
	x := core.Running()
	ch := t.at(x)
	if t.state.V != started {
		x.Failed()
		x.Traced(t.state.V, t.state.V)
		return
	}
	x.Clock += max(int64(t.d), 0)
	t.stop(nil)
	x.Traced(started, t.state.V)
	t.fired++
	if ch != nil {
		ch.offer(Now())
		return
	}
	t.f()
}

// offer sends a value if there is room for it.
func (ch *channel) offer(v any) {
	if waiting(ch.receivers) == nil && len(ch.buffer) == ch.room {
		return
	}
	slot := ch.slot(&ch.sent)
	if p := waiting(ch.receivers); p != nil {
		p.slot = slot
		ch.received++
		p.complete(ch, false, v, true)
	} else {
		ch.buffer = append(ch.buffer, v)
	}
}

// Ticker is time.Ticker. In an execution it ticks up to mostTicks times, at any moments.
type Ticker struct {
	C <-chan time.Time

	real  *time.Ticker
	timer *Timer
}

// NewTicker is time.NewTicker.
func NewTicker(d time.Duration) *Ticker {
	if core.Running() == nil {
		real := time.NewTicker(d)
		return &Ticker{C: real.C, real: real}
	}
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	ch := Made(make(chan time.Time, 1))
	t := &Ticker{C: ch, timer: &Timer{C: ch, ch: ch}}
	t.Reset(d)
	return t
}

// Tick is time.Tick.
func Tick(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}

// Stop stops the ticker.
func (t *Ticker) Stop() {
	if core.Running() == nil {
		t.real.Stop()
		return
	}
	t.timer.Stop()
}

// Reset starts the ticker again.
func (t *Ticker) Reset(d time.Duration) {
	x := core.Running()
	if x == nil {
		t.real.Reset(d)
		return
	}
	ch := t.timer.at(x)
	before := t.timer.state.V
	t.timer.stop(ch)
	t.timer.state.V = -t.timer.state.V
	x.Traced(before, t.timer.state.V)
	started := t.timer.state.V
	x.Spawn(func() {
		for range mostTicks {
			x := core.Running()
			ch := t.timer.at(x)
			x.Traced(t.timer.state.V, t.timer.state.V)
			if t.timer.state.V != started {
				return
			}
			x.Clock += int64(d)
			ch.offer(Now())
		}
	})
}
