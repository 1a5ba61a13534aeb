package schedule

import (
	"math"
	"slices"
)

// Clock is the modelled time of an execution.
//
// What: time passes where no goroutine can go on, or each that can has asked to let the others run:
// then the next alarm's time has come. Goroutines take no time, but as far as Skew says they may:
// an alarm that is not later than so much after the last pause may come at any moment.
//
// Source: the rule of Go's testing/synctest (time passes when every goroutine of the bubble is
// durably blocked); the bounded delay of timed automata (Alur and Dill, TCS 126, 1994), as Skew.
//
// What we changed, and why: a goroutine that is late sees a later time than others, which see it
// once they do something that depends on what it did (Lamport, CACM 21(7), 1978). So which time
// code sees does not depend on the order of independent accesses.
//
// Invariants: base is the time when time passed last; no goroutine's time is before it, or after
// base + Skew. With no Skew, whether an alarm's time has come depends on what happened before time
// passed, which is everything before that, and on nothing else: a strategy need not look for
// another order of the two (Access.Since).
//
// Cost: a few comparisons for each access once a goroutine was late, and none before.
type Clock struct {
	Skew int64 // in nanoseconds; AnyMoment: without a bound
	// Cut says that time would have passed once more, and the execution ended instead.
	Cut    bool
	base   int64
	passed []passage
	alarms []*Alarm
	looked int // how many times time had passed when Look was called last
	late   lateness
}

// AnyMoment as Clock.Skew is time that passes at any moment.
const AnyMoment = math.MaxInt64

// passage is that time passed, before the access of that number.
type passage struct {
	base   int64
	access int
}

// Alarm is a moment that something waits for.
type Alarm struct {
	clock *Clock
	set   bool
	at    int64
	early int // how often it came although some goroutine could have gone on
	since int // how many times time had passed when it was set
}

// Look returns the time of a thread, for code that may depend on it.
func (c *Clock) Look(thread int) int64 {
	c.looked = len(c.passed)
	return c.Now(thread)
}

// Now returns the time of a thread.
func (c *Clock) Now(thread int) int64 { return max(c.base, c.late.of(thread)) }

// Set sets an alarm, in place of when it was set to. One that was set in another execution is new.
func (a *Alarm) Set(c *Clock, at int64) {
	if a.clock != c {
		*a = Alarm{clock: c}
	}
	if !a.set {
		c.alarms = append(c.alarms, a)
	}
	a.set, a.at, a.since = true, at, len(c.passed)
}

// Stop takes an alarm back.
func (a *Alarm) Stop() {
	if a.set {
		a.set = false
		a.clock.alarms = slices.DeleteFunc(a.clock.alarms, func(b *Alarm) bool { return a == b })
	}
}

// Ring is what happens in a thread when an alarm's time has come. It returns when that was.
func (a *Alarm) Ring(thread int) int64 {
	c := a.clock
	switch {
	case thread == Main:
		c.base = max(c.base, a.at)
	case a.at > c.base:
		a.early++
		c.late.comes(thread, a.at)
	}
	a.Stop()
	return a.at
}

// Open reports whether the time of an alarm that is set may have come.
func (a *Alarm) Open() bool { return a.set && a.at <= a.until(a.clock.base) }

// until returns up to when the alarm may come if time passed last at base.
func (a *Alarm) until(base int64) int64 {
	if a.early == mostEarly {
		return base
	}
	return later(base, a.clock.Skew)
}

// Since returns how many accesses had been made before the alarm's time could come.
func (a *Alarm) Since() int {
	if a.at <= a.until(0) {
		return 0
	}
	for _, p := range a.clock.passed {
		if a.at <= a.until(p.base) {
			return p.access
		}
	}
	return math.MaxInt32
}

// Soon reports whether a time is one to which goroutines may take.
func (c *Clock) Soon(at int64) bool { return at <= later(c.base, c.Skew) }

// later adds what may be without a bound.
func later(at, by int64) int64 {
	if by > math.MaxInt64-at {
		return math.MaxInt64
	}
	return at + by
}

// Pass has time pass before the access of that number, and reports whether an alarm's time has come
// by that. If there is no alarm, those that poll see the time pass, each time as much as has passed
// so far: so whoever waits for a moment sees it come, however far off it is. enough says that time
// has passed often enough.
func (c *Clock) Pass(access int, polled, enough bool) bool {
	switch {
	case len(c.alarms) == 0 && !polled:
		return false
	case len(c.alarms) == 0:
		c.passTo(access, later(c.base, min(max(c.base, leastPause), mostPause)))
		return false
	case enough:
		c.Cut = true
		return false
	}
	next := c.alarms[0].at
	for _, a := range c.alarms {
		next = min(next, a.at)
	}
	for _, at := range c.late.sleeps {
		if at > c.base {
			next = min(next, at)
		}
	}
	c.passTo(access, next)
	return true
}

func (c *Clock) passTo(access int, at int64) {
	c.base = max(c.base, at)
	c.passed = append(c.passed, passage{c.base, access})
}

// Settled reports whether nothing that has happened since the access of that number can change by
// time that passes: no alarm has been set before, and none looks at the clock.
func (c *Clock) Settled(access int) bool {
	first, _ := slices.BinarySearchFunc(c.passed, access, func(p passage, access int) int {
		return p.access - access
	})
	passes := first < len(c.passed)
	for _, a := range c.alarms {
		if !passes || a.since <= first {
			return false
		}
	}
	return !passes || c.looked <= first
}
