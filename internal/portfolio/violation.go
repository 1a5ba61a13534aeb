package portfolio

import (
	"context"
	"sync"
	"time"
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

// violation reports the refutation of a partition as the answer so far.
func (p *Portfolio) violation(ctx context.Context, stop context.CancelCauseFunc, o Outcome, part int,
	all *deciding, d decision) {
	k := &p.known
	k.Lock()
	defer k.Unlock()
	if !k.is {
		k.timers = append(k.timers, p.leaveTime(ctx, stop))
	}
	if k.is && k.part < part {
		return
	}
	k.is, k.part = true, part
	o.Verdict, o.Partition, o.Instance, o.Failure, o.Effort = d.Verdict, all.parts[part], all.bounds[part],
		d.Failure, d.Effort
	o.Engines, o.Bind = []string{d.engine}, d.bind
	o.PartitionVerdicts = []PartitionVerdict{d.verdict(o.Partition)}
	if p.o.Violation != nil {
		p.o.Violation(o)
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
