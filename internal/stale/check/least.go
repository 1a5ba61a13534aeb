package check

// Least bounds.
//
// What: for each object, or objects that a stated order joins, the least bound with the answer yes;
// certified by an order at that bound, and a core at the one below. Bounds of lateness are tried
// from 0 up, those of time halved.

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/internal/verify/base"
)

// Least is the least bounds of a history.
type Least struct {
	// Answer is at the greatest of them. Its certificate is of a yes, or of a no at every bound.
	Answer
	Bounds []stale.Bound // by object
	Worst  int           // the first object with the greatest
	// Below is a core at the bound below that of Worst; nil if that is 0 or Never, or not known.
	Below *stale.Core
}

// asker asks about one unit.
type asker struct {
	ctx  context.Context
	h    *stale.History
	v    *verify.Verifier
	u    *unit
	kind stale.Kind
}

func (a *asker) at(bound int64, core bool) (stale.Question, said) {
	q := stale.Question{Kind: a.kind, Bound: bound}
	return q, decide(a.ctx, a.h, a.v, a.u, q, core)
}

// judged is what the verifier says of a core.
func (a *asker) judged(q stale.Question, core *stale.Core) error {
	err := a.v.Core(a.ctx, q, core)
	if errors.Is(err, base.ErrTooLarge) && byLemmas(a.ctx, a.v, q, core) {
		err = a.v.Core(a.ctx, q, core)
	}
	return err
}

// most is the bound that is none.
func (a *asker) most() int64 {
	if a.kind == stale.Late {
		return stale.Unbounded
	}
	return math.MaxInt64
}

// AskLeast asks for the least bounds of a kind of question.
func AskLeast(ctx context.Context, h *stale.History, kind stale.Kind) *Least {
	begun := time.Now()
	l := &Least{Bounds: make([]stale.Bound, len(h.Objects))}
	l.By, l.Certified = "monitor", true
	v := verify.New(h)
	orders := make([]stale.Order, len(h.Objects))
	var never, below *stale.Core
	units := unitsOf(h)
	for n := range units {
		u := &units[n]
		a := &asker{ctx, h, v, u, kind}
		found, bound, core := a.least(l)
		if found.by != "" && found.by != "monitor" {
			l.By = found.by
		}
		for m, k := range u.objects {
			l.Bounds[k] = bound
			if found.holds {
				orders[k] = found.orders[m]
			}
		}
		if k := u.objects[0]; n == 0 || worse(bound, l.Bounds[l.Worst]) {
			l.Worst, below = k, core
			if bound.Low == stale.Never {
				never, below = core, nil
			}
		}
	}
	l.Took, l.Below = time.Since(begun), below
	bound := stale.Bound{}
	if len(l.Bounds) > 0 {
		bound = l.Bounds[l.Worst]
	}
	l.Question = stale.Question{Kind: kind, Bound: bound.High}
	switch {
	case never != nil:
		l.Verdict, l.Question.Bound = Fails, (&asker{kind: kind}).most()
		l.Certificate = &stale.Certificate{Question: l.Question.String(), Core: never}
	case bound.High == stale.Never:
		l.Verdict = Unknown
		if l.Certified = false; l.Unclear == "" {
			l.Unclear = "the search took too many steps"
		}
	default:
		l.Verdict = Holds
		l.Certificate = &stale.Certificate{Question: l.Question.String(), Orders: orders}
		l.Certified = l.Certified && bound.Known()
		l.judge(ctx, v.Joined(l.Question, orders))
	}
	return l
}

// worse reports whether a bound is above another one.
func worse(a, b stale.Bound) bool {
	if a.High != b.High {
		return a.High > b.High
	}
	return a.Low > b.Low
}

// least finds the least bound of the unit, and has orders and core judged.
func (a *asker) least(l *Least) (best said, b stale.Bound, core *stale.Core) {
	b = stale.Bound{High: stale.Never}
	asked := stale.Question{}
	// try returns whether the answer at a bound is known.
	try := func(bound int64) bool {
		q, now := a.at(bound, false)
		switch {
		case now.holds:
			asked, best, b.High = q, now, bound
		case now.fails:
			b.Low = max(b.Low, bound+1)
		default:
			l.Unclear = now.unclear
			return false
		}
		return true
	}
	known := try(0)
	if known && b.Low > 0 {
		if q, all := a.at(a.most(), true); all.fails {
			l.judge(a.ctx, a.judged(q, all.core))
			return all, stale.Bound{Low: stale.Never, High: stale.Never}, all.core
		}
	}
	for known && b.High == stale.Never && a.ctx.Err() == nil {
		next := b.Low
		if a.kind == stale.Moved || next > few {
			next = min(2*next, a.most())
		}
		known = try(next)
	}
	for known && b.Low < b.High && b.High != stale.Never && a.ctx.Err() == nil {
		known = try(b.Low + (b.High-b.Low)/2)
	}
	if b.High == stale.Never {
		return best, b, nil
	}
	for m, k := range a.u.objects {
		l.judge(a.ctx, a.v.Order(k, asked, &best.orders[m]))
	}
	if b.Low == 0 || !b.Known() {
		return best, b, nil
	}
	q, below := a.at(b.Low-1, true)
	l.judge(a.ctx, a.judged(q, below.core))
	return best, b, below.core
}
