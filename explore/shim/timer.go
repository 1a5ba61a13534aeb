package shim

import (
	"time"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Timer is time.Timer. In an execution a goroutine waits for its time to come: schedule.Clock says
// when it may. What it sends is gone once it was stopped or reset, as in Go since version 1.23.
type Timer struct {
	C <-chan time.Time

	real   *time.Timer
	ch     chan time.Time
	f      func()
	period time.Duration  // of a ticker
	state  core.Cell[int] // how often it was started, negative while it is stopped
	alarm  schedule.Alarm // when its time comes
	number uint64         // of the execution in which a goroutine waits for that
	idle   *bool          // whether it does
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

// at makes an access to the timer, and to its channel if it has one; a gate is one that waits.
func (t *Timer) at(x *schedule.Running, kind schedule.Kind, gate schedule.Gate) (ch *channel) {
	loc := t.state.In(x, nil, "timer", func() int { return -1 })
	loc2 := schedule.NoLocation
	if t.ch != nil {
		ch = find(x, t.ch)
		if loc2 = ch.loc; x.Selects != schedule.NoLocation {
			loc2 = x.Selects
		}
	}
	x.Point(kind, loc, loc2, gate)
	return ch
}

// stop stops the timer, and takes back what it has sent.
func (t *Timer) stop(ch *channel) (active bool) {
	active = t.state.V >= 0
	if active {
		t.state.V = -t.state.V - 1
	}
	t.alarm.Stop()
	if ch != nil && len(ch.buffer) > 0 {
		ch.buffer, active = nil, true
		ch.received++
	}
	return active
}

// text describes the timer in traces.
func (t *Timer) text(x *schedule.Running) string {
	switch {
	case !x.Tracing():
		return ""
	case t.state.V >= 0:
		return "set"
	}
	return "not set"
}

// Stop stops the timer, and reports whether its time had not come.
func (t *Timer) Stop() bool {
	x := core.Running()
	if x == nil {
		return t.real.Stop()
	}
	ch := t.at(x, schedule.Update, nil)
	before := t.text(x)
	active := t.stop(ch)
	x.Traced(before, t.text(x))
	return active
}

// Reset starts the timer again, and reports whether its time had not come.
func (t *Timer) Reset(d time.Duration) bool {
	x := core.Running()
	if x == nil {
		return t.real.Reset(d)
	}
	ch := t.at(x, schedule.Update, nil)
	before := t.text(x)
	active := t.stop(ch)
	t.state.V = -t.state.V
	core.ReleaseMerge(t.state.At())
	t.alarm.Set(x.Clock(), after(x, d))
	if t.period > 0 { // a tick that nobody takes is lost
		t.alarm.Repeats(int64(t.period), func() bool { return len(ch.buffer) == ch.room })
	}
	x.Traced(before, t.text(x))
	if t.number != x.Number {
		t.number = x.Number
		t.idle = x.Spawn(t.wait)
		*t.idle = true
	}
	return active
}

// wait waits for the time to come, for a channel again and again.
func (t *Timer) wait() {
	x := core.Running()
	for {
		ch := t.at(x, schedule.Acquire, &t.alarm)
		core.Acquire(t.state.At())
		rang := t.alarm.Ring(x.Thread())
		if t.period > 0 {
			t.alarm.Set(x.Clock(), rang+int64(t.period))
		} else {
			t.stop(nil)
		}
		x.Traced("set", "its time comes")
		if ch == nil {
			break
		}
		ch.offer(moment(x.Clock().Now(x.Thread())))
	}
	t.number = 0
	*t.idle = false
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

// Ticker is time.Ticker.
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
	if core.Running() == nil {
		t.real.Reset(d)
		return
	}
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	t.timer.period = d
	t.timer.Reset(d)
}
