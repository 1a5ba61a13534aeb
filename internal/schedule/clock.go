package schedule

import (
	"math"
	"slices"
	"sort"
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
	Cut bool
	// Waits says that an alarm was set.
	Waits  bool
	base   int64
	passed []passage
	alarms []*Alarm
	looked int // how many times time had passed when Look was called last
	// the threads that sleep before their next access, although they need not wait
	asleep uint64
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
	// of one that comes again and again: nothing comes of that as long as idle reports true
	every int64
	idle  func() bool
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
	a.set, a.at, a.since, c.Waits = true, at, len(c.passed), true
}

// Repeats says that an alarm that is set comes again and again, for nothing as long as idle reports
// true. Then time does not stop for it, if goroutines take none: it comes with the next one of
// which something comes if they come at one moment, and otherwise when it would have after that.
func (a *Alarm) Repeats(every int64, idle func() bool) { a.every, a.idle = every, idle }

func (a *Alarm) idles() bool { return a.clock.Skew == 0 && a.idle != nil && a.idle() }

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
	passed := a.clock.passed
	first := sort.Search(len(passed), func(i int) bool { return a.at <= a.until(passed[i].base) })
	if first == len(passed) {
		return math.MaxInt32
	}
	return passed[first].access
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
	next, waits := c.next(false)
	if !waits && polled {
		next, waits = c.next(true)
	}
	switch {
	case !waits && !polled:
		return false
	case !waits:
		c.passTo(access, later(c.base, min(max(c.base, leastPause), mostPause)))
		return false
	case enough:
		c.Cut = true
		return false
	}
	for _, at := range c.late.sleeps {
		if at > c.base {
			next = min(next, at)
		}
	}
	for _, a := range c.alarms {
		if a.at < next && a.idles() {
			a.at = later(a.at, (next-a.at+a.every-1)/a.every*a.every)
		}
	}
	c.passTo(access, next)
	return true
}

// next returns when the next alarm comes, with those of which nothing comes or without.
func (c *Clock) next(idle bool) (at int64, found bool) {
	at = math.MaxInt64
	for _, a := range c.alarms {
		if idle || !a.idles() {
			at, found = min(at, a.at), true
		}
	}
	return at, found
}

// Awaits reports whether an alarm was set before time passed that often: unlike those that are set
// again and again, it comes some time.
func (c *Clock) Awaits(passes int) bool {
	return slices.ContainsFunc(c.alarms, func(a *Alarm) bool {
		return a.since <= len(c.passed)-passes && !a.idles()
	})
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
		if (!passes || a.since <= first) && !a.idles() {
			return false
		}
	}
	return !passes || c.looked <= first
}
