package portfolio

import (
	"context"
	"sort"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// The least bound of one partition.
//
// What: bounds are asked upwards, in growing steps, until one is accepted, and then in between. The
// bounds just below the least one are by far the hardest to decide, and some are not decided at
// all, while those a little above are accepted at once. So each question has a little time only; a
// bound that is not decided is passed over, and comes again, with more time, once nothing else is
// left to ask.
//
// Invariant: what is refused is below the least bound, and what is accepted is not.

// bracket encloses the least bound of a partition.
type bracket struct {
	*minimiser
	b        *model.Instance
	refused  int32 // the greatest bound known to be refused
	accepted int32 // the least bound known to be accepted; quasi.Unbounded before there is one
	yes      *decision
	no       *decision // at refused, if it was refused here
	next     int32     // to be asked while nothing is accepted
	step     int32
	passed   map[int32]bool // bounds that were not decided; true if more time will not help
	patience time.Duration  // for a question; 0 for no limit
	beamed   bool           // a beam was tried at all bounds that come next
	effort   engine.Effort  // of all questions
}

// partition raises the bound as far as b needs. Its answer is that at the bound where b is
// accepted, or what the last question got, with the effort of all.
func (m *minimiser) partition(ctx context.Context, b *model.Instance) (decision, error) {
	x := &bracket{minimiser: m, b: b, refused: m.least.Low - 1, accepted: quasi.Unbounded, next: m.least.Low, step: 1,
		passed: map[int32]bool{}}
	if !m.p.o.Sequential {
		x.patience = leastPatience + time.Duration(b.Partition.Len())*leastPatienceEach
	}
	if err := x.byItself(ctx); err != nil {
		return decision{}, err
	}
	if err := x.byCompletion(ctx); err != nil {
		return decision{}, err
	}
	if deadline, limited := ctx.Deadline(); limited {
		var enough context.CancelFunc
		ctx, enough = context.WithDeadline(ctx, deadline.Add(-time.Until(deadline)/leaveToStop))
		defer enough()
	}
	for asked := 0; ctx.Err() == nil; {
		if asked++; asked == beamAfter && x.yes == nil && x.refused != quasi.Unbounded && x.p.beams() {
			x.beamed = true
			if err := x.rises(ctx); err != nil {
				return decision{}, err
			}
		}
		k, more := x.question()
		if !more {
			if more = x.again(); !more {
				break
			}
			continue
		}
		if err := x.ask(ctx, k); err != nil {
			return decision{}, err
		}
	}
	d := x.known(ctx)
	d.Effort = x.effort
	return d, nil
}

// known is what is known of the partition in the end.
func (x *bracket) known(ctx context.Context) decision {
	switch {
	case x.yes != nil:
		x.least.High = max(x.least.High, x.accepted)
		return *x.yes
	case x.no != nil && x.refused == quasi.Unbounded:
		x.least.High = quasi.Unbounded
		return *x.no
	}
	if x.least.High = quasi.Unbounded; ctx.Err() != nil {
		x.stopped = engine.Stopped(ctx)
	}
	return decision{Answer: x.stopped}
}

// largest is a bound beyond which nothing changes: no operation can move by more places than there
// are operations and left-over items.
func (x *bracket) largest() int32 { return int32(x.b.Partition.Len() + x.b.Items.Stored) }

// question returns the next bound to ask, if there is one that was not passed over.
func (x *bracket) question() (k int32, more bool) {
	if x.refused == quasi.Unbounded || x.accepted <= x.least.Low || x.accepted-1 == x.refused {
		return 0, false
	}
	if x.yes == nil {
		if _, asked := x.passed[x.next]; asked && x.next == quasi.Unbounded {
			return 0, false
		}
		return x.next, true
	}
	// The middle of the widest gap between bounds that are known or were passed over.
	widest, from := int32(1), x.refused
	for at := x.refused + 1; at <= x.accepted; at++ {
		if _, passed := x.passed[at]; passed || at == x.accepted {
			if at-from > widest {
				widest, k = at-from, from+(at-from)/2
			}
			from = at
		}
	}
	return k, widest > 1
}

// again gives more time to the bounds that were passed over, and reports whether there are any to
// which it may help.
func (x *bracket) again() bool {
	some := false
	for k, settled := range x.passed {
		if !settled && k > x.refused && (k < x.accepted || x.yes == nil) {
			delete(x.passed, k)
			some = true
		}
	}
	if x.patience *= leastPatienceGrows; some && x.yes == nil {
		x.next, x.step = x.refused+1, 1
	}
	return some && x.accepted > x.least.Low && x.accepted-1 > x.refused
}

// ask asks about a bound.
func (x *bracket) ask(parent context.Context, k int32) error {
	ctx, stop := x.limited(parent)
	defer stop()
	at := x.at(k)
	asked := part{of: x.b.Partition, Task: engine.Task{Instance: x.b, Quasi: &at}, beamed: x.beamed,
		moves: x.refused >= 0}
	if err := x.p.decide(ctx, &asked, x.budget, false); err != nil {
		return err
	}
	d := asked.decision
	x.effort = x.effort.Add(d.Effort)
	switch d.Verdict {
	case engine.Linearizable:
		x.accept(d, min(k, x.largest()))
	case engine.NotLinearizable:
		x.refuseAt(d, k)
	default:
		x.stopped, x.passed[k] = d.Answer, ctx.Err() == nil
	}
	if x.yes == nil && k == x.next && k != quasi.Unbounded {
		if x.next, x.step = k+x.step, 2*x.step; x.next >= x.largest() {
			x.next = quasi.Unbounded
		}
	}
	return nil
}

// limited is ctx with the time for a question.
func (x *bracket) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if x.patience == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, x.patience)
}

func (x *bracket) accept(d decision, k int32) {
	x.yes, x.accepted = &d, k
	x.tell(k)
}

func (x *bracket) refuseAt(d decision, k int32) {
	x.no, x.refused = &d, k
	x.refuse(x.b, d.Answer, k)
	x.tell(x.accepted)
}

// byItself asks an engine that finds least bounds by itself, if one takes the partition.
func (x *bracket) byItself(parent context.Context) error {
	at := x.at(0)
	bounded := at // with the bounds on sets, which only refuse more
	at.Sets = nil
	q := &engine.Task{Instance: x.b, Quasi: &at}
	for _, e := range x.p.team() {
		minimizer, ok := e.Decider.(engine.Minimizer)
		if !ok || x.p.o.Engines == All {
			continue
		}
		ctx, stop := x.limited(parent)
		l, err := minimizer.Least(ctx, q, x.q.Free, x.budget)
		stop()
		if err != nil {
			return err
		}
		x.effort = x.effort.Add(l.Effort)
		if l.No != nil && l.Low > 0 {
			low := l.Low - 1
			if l.None() {
				low = quasi.Unbounded
			}
			if low > x.refused {
				x.refuseAt(decision{Answer: *l.No, engine: e.Name()}, low)
				x.next = max(x.next, low+1)
			}
		}
		if l.Yes != nil && !l.None() {
			d := decision{Answer: *l.Yes, engine: e.Name()}
			at.Factor, bounded.Factor = x.at(l.High).Factor, x.at(l.High).Factor
			if err := replayed(q, &d); err != nil {
				return err
			}
			if len(bounded.Sets) == 0 || replay(&engine.Task{Instance: x.b, Quasi: &bounded}, d.Answer) == nil {
				x.accept(d, l.High)
			}
		}
	}
	return nil
}

// byCompletion looks for an upper bound in a completion of the partition, with no bound to begin
// with: it is how far the operations of what it finds move.
func (x *bracket) byCompletion(ctx context.Context) error {
	if x.yes != nil || x.refused == quasi.Unbounded || !x.p.beams() || engine.LeftOut("completed") {
		return nil
	}
	at := x.at(x.largest())
	task := &engine.Task{Instance: x.b, Quasi: &at}
	d, err := x.p.completed(ctx, task, x.budget)
	if x.effort = x.effort.Add(d.Effort); err != nil || d.Verdict != engine.Linearizable {
		return err
	}
	low := max(x.refused+1, x.least.Low)
	k := low + int32(sort.Search(int(x.largest()-low), func(k int) bool {
		at := x.at(low + int32(k))
		return replay(&engine.Task{Instance: x.b, Quasi: &at}, d.Answer) == nil
	}))
	x.accept(d, k)
	return nil
}
