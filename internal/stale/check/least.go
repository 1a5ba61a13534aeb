package check

// Least bounds.
//
// What: for each object the least bound with the answer yes; certified by an order at that bound,
// and a core at the one below. Bounds of lateness are tried from 0 up, those of time halved.

import (
	"context"
	"math"
	"time"

	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/solve"
	"github.com/linsat/linsat/internal/stale/verify"
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

// asker asks about one object.
type asker struct {
	ctx  context.Context
	h    *stale.History
	k    int
	kind stale.Kind
}

func (a *asker) at(bound int64, core bool) (stale.Question, solve.Answer) {
	q := stale.Question{Kind: a.kind, Bound: bound}
	return q, solve.Decide(a.ctx, a.h, &a.h.Objects[a.k], q, core)
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
	for k := range h.Objects {
		a := &asker{ctx, h, k, kind}
		found, core := a.least(l, k, v, &orders[k])
		if found.By != "monitor" {
			l.By = found.By
		}
		if k == 0 || worse(l.Bounds[k], l.Bounds[l.Worst]) {
			l.Worst, below = k, core
			if l.Bounds[k].Low == stale.Never {
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
	case len(h.From.Edges) > 0:
		l.Verdict, l.Unclear, l.Certified = Unknown, explicit, false
	default:
		l.Verdict = Holds
		l.Certificate = &stale.Certificate{Question: l.Question.String(), Orders: orders}
		l.Certified = l.Certified && bound.Known()
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

// least finds the least bound of object k, and has order and core judged.
func (a *asker) least(l *Least, k int, v *verify.Verifier, order *stale.Order) (solve.Answer, *stale.Core) {
	b := &l.Bounds[k]
	*b = stale.Bound{High: stale.Never}
	best, found := stale.Question{}, solve.Answer{}
	// try returns whether the answer at a bound is known.
	try := func(bound int64) bool {
		q, now := a.at(bound, false)
		switch {
		case now.Holds:
			best, found, b.High = q, now, bound
		case now.Fails:
			b.Low = max(b.Low, bound+1)
		default:
			l.Unclear = now.Unclear
			return false
		}
		return true
	}
	known := try(0)
	if known && b.Low > 0 {
		if _, all := a.at(a.most(), true); all.Fails {
			*b = stale.Bound{Low: stale.Never, High: stale.Never}
			core := coreOf(&a.h.Objects[k], &all)
			l.judge(a.ctx, v.Core(a.ctx, stale.Question{Kind: a.kind, Bound: a.most()}, core))
			return all, core
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
		return found, nil
	}
	*order = orderOf(a.h, k, best, &found)
	l.judge(a.ctx, v.Order(k, best, order))
	if b.Low == 0 || !b.Known() {
		return found, nil
	}
	q, below := a.at(b.Low-1, true)
	core := coreOf(&a.h.Objects[k], &below)
	l.judge(a.ctx, v.Core(a.ctx, q, core))
	return found, core
}
