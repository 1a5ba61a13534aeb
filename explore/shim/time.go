package shim

import (
	"time"

	"github.com/linsat/linsat/explore/shim/internal/core"
)

// epoch is when the modelled time begins.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Now is time.Now. In an execution time passes only where something waits for it.
func Now() time.Time {
	if x := core.Running(); x != nil {
		return epoch.Add(time.Duration(x.Clock))
	}
	return time.Now()
}

// Since is time.Since.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// Until is time.Until.
func Until(t time.Time) time.Duration { return t.Sub(Now()) }

// Sleep is time.Sleep: in an execution the goroutine lets the others run first.
func Sleep(d time.Duration) {
	x := core.Running()
	if x == nil {
		time.Sleep(d)
		return
	}
	x.Clock += max(int64(d), 0)
	x.Yield()
}

// After is time.After: in an execution the time may come at any moment.
func After(d time.Duration) <-chan time.Time {
	x := core.Running()
	if x == nil {
		return Made(time.After(d))
	}
	ch := Made(make(chan time.Time, 1))
	at := Now().Add(d)
	x.Spawn(func() { To(ch).Send(at) })
	return ch
}
