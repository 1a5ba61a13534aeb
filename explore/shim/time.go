package shim

import (
	"time"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// epoch is when the modelled time begins.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// moment is a time of an execution.
func moment(at int64) time.Time { return epoch.Add(time.Duration(at)) }

// Now is time.Now. In an execution time passes only where something waits for it.
func Now() time.Time {
	if x := core.Running(); x != nil {
		return moment(x.Clock().Look(x.Thread()))
	}
	return time.Now()
}

// Since is time.Since.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// Until is time.Until.
func Until(t time.Time) time.Duration { return t.Sub(Now()) }

// Sleep is time.Sleep: in an execution until time passes. If the others may take so long, the
// goroutine goes on, or lets them run first, as it always does after it has slept a few times.
func Sleep(d time.Duration) { sleep(d, false) }

// Nap is Sleep in each round of a loop that waits and does nothing else, of those that go on.
func Nap(d time.Duration) { sleep(d, true) }

func sleep(d time.Duration, nap bool) {
	x := core.Running()
	if x == nil {
		time.Sleep(d)
		return
	}
	var until schedule.Alarm
	clock := x.Clock()
	at := after(x, d)
	until.Set(clock, at)
	if x.Thread() == schedule.Main || clock.Soon(at) {
		until.Ring(x.Thread())
		switch {
		case nap:
			x.Spin()
			return
		case x.Thread() != schedule.Main && clock.Early(x.Thread()) && x.Choose(2) == 1:
			return // the others have taken as long
		}
		clock.Slept(x.Thread(), at)
		x.Yield()
		return
	}
	if nap {
		until.Repeats(int64(d), x.Nap())
	}
	x.Point(schedule.Await, x.Sleeps, schedule.NoLocation, &until)
	until.Ring(x.Thread())
	x.Traced(d.String(), d.String())
}

// after returns the time that is so much later.
func after(x *schedule.Running, d time.Duration) int64 {
	now := x.Clock().Now(x.Thread())
	if d <= 0 {
		return now
	}
	if at := now + int64(d); at > 0 {
		return at
	}
	return schedule.AnyMoment
}

// After is time.After.
func After(d time.Duration) <-chan time.Time {
	if core.Running() == nil {
		return Made(time.After(d))
	}
	return NewTimer(d).C
}
