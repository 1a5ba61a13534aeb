package portfolio

import (
	"context"
	"sync"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/result"
)

// What happens once a partition is refuted: the answer is known, and the other partitions, or under
// All the other engines, are still at work.
//
// They leave some of the time that is left, but no more than the explanation may take. And should
// one of them not notice that the time is up, the answer is what was reported to
// Options.Violation.

// known is the refuted partition that comes first among those that are known.
type known struct {
	sync.Mutex
	is     bool
	part   int
	timers []func()
}

// report tells that partition i is refuted, if it is: as the answer so far, or under First as the
// answer.
func (p *Portfolio) report(ctx context.Context, stop context.CancelCauseFunc, r result.Result, i int) {
	x, k := &p.parts[i], &p.known
	switch {
	case x.Verdict != engine.NotLinearizable:
		return
	case p.o.First:
		stop(engine.ErrAnswered)
		return
	}
	k.Lock()
	defer k.Unlock()
	if !k.is {
		k.timers = append(k.timers, p.leaveTime(ctx, stop))
	}
	if k.is && k.part < i {
		return
	}
	k.is, k.part = true, i
	x.refute(&r)
	r.Effort, r.PartitionVerdicts = x.Effort, []result.PartitionVerdict{x.verdict(x.of)}
	if p.o.Violation != nil {
		p.o.Violation(r)
	}
}

// release gives up what leaveTime has planned.
func (k *known) release() {
	k.Lock()
	defer k.Unlock()
	for _, giveUp := range k.timers {
		giveUp()
	}
}

// leaveTime stops what is at work before the time is up, so that there is some for the explanation.
// What it returns gives up that plan.
func (p *Portfolio) leaveTime(ctx context.Context, stop context.CancelCauseFunc) (giveUp func()) {
	deadline, limited := ctx.Deadline()
	if !limited || p.o.Explain == 0 {
		return func() {}
	}
	left := time.Until(deadline)
	t := time.AfterFunc(left-min(left/leaveShare, p.o.Explain), func() { stop(context.DeadlineExceeded) })
	return func() { t.Stop() }
}
