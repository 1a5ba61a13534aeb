package linsat

import (
	"context"
	"sync"
	"time"

	"github.com/linsat/linsat/internal/model"
)

// What happens once a part is refuted: the answer is known, and the other parts, or under All the
// other engines, are still at work.
//
// They leave the last quarter of the time that is left, but no more than reasons may take, for the
// reasons of the no. And should one of them not notice that the time is up, the answer is what was
// noted.

// noted is the refuted part that comes first among those that are known.
type noted struct {
	sync.Mutex
	known  bool
	part   int
	timers []func()
}

// note keeps the refutation of a part as the answer of a check that is ended from outside.
func (c *config) note(ctx context.Context, stop context.CancelCauseFunc, r Result, part int, b *model.Instance, v verdict) {
	n := &c.noted
	n.Lock()
	defer n.Unlock()
	if !n.known {
		n.timers = append(n.timers, c.leaveTime(ctx, stop))
	}
	if n.known && n.part < part {
		return
	}
	n.known, n.part = true, part
	r.Verdict, r.Part, r.Instance, r.Failure, r.Effort = v.Verdict, b.Partition, b, v.Failure, v.Effort
	r.Engines, r.Uncertified = []string{v.engine}, NotAsked
	r.Judged = []PartVerdict{{b.Partition, v.Verdict, v.Cause, v.Detail, v.engine}}
	c.decided.Store(&r)
}

// giveUp lets go of what leaveTime has planned.
func (n *noted) giveUp() {
	n.Lock()
	defer n.Unlock()
	for _, giveUp := range n.timers {
		giveUp()
	}
}

// leaveTime stops what is at work before the time is up, so that reasons can be looked for. What it
// returns gives up that plan.
func (c *config) leaveTime(ctx context.Context, stop context.CancelCauseFunc) (giveUp func()) {
	deadline, limited := ctx.Deadline()
	if !limited || c.argueFor == 0 {
		return func() {}
	}
	left := time.Until(deadline)
	t := time.AfterFunc(left-min(left/4, c.argueFor), func() { stop(context.DeadlineExceeded) })
	return func() { t.Stop() }
}
