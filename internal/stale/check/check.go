// Package check asks about reads that return old values, of whole histories and for the least
// bound, and has every answer judged by the verifier.
package check

import (
	"context"
	"errors"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/solve"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/internal/verify/base"
)

// Verdict is an answer to a question.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	Holds
	Fails
)

// Answer is what is known of a question.
type Answer struct {
	Question stale.Question
	Verdict  Verdict
	// Certificate is of the answer; nil without one.
	Certificate *stale.Certificate
	// Refused is why the verifier does not accept what is said; nil if it does.
	Refused   error
	Certified bool
	Unclear   string // why it is not decided
	By        string
	Took      time.Duration
}

// Ask asks a question about h: whether the answer is yes for every object.
func Ask(ctx context.Context, h *stale.History, q stale.Question) *Answer {
	begun := time.Now()
	a := &Answer{Question: q, Verdict: Holds, By: "monitor"}
	v := verify.New(h)
	orders := make([]stale.Order, len(h.Objects))
	units := unitsOf(h)
	for k := range units {
		found := decide(ctx, h, v, &units[k], q, true)
		if found.by != "monitor" {
			a.By = found.by
		}
		switch {
		case found.fails:
			a.Verdict, a.By, a.Unclear = Fails, found.by, ""
			a.Certificate = &stale.Certificate{Question: q.String(), Core: found.core}
		case !found.holds:
			a.Verdict, a.Unclear = Unknown, found.unclear
		}
		if a.Verdict == Fails {
			break
		}
		for n, o := range units[k].objects {
			orders[o] = found.orders[n]
		}
	}
	if a.Verdict == Holds {
		a.Certificate = &stale.Certificate{Question: q.String(), Orders: orders}
	}
	if a.Certificate != nil {
		a.Certified = true
		err := v.Check(ctx, a.Certificate)
		if errors.Is(err, base.ErrTooLarge) && byLemmas(ctx, v, q, a.Certificate.Core) {
			err = v.Check(ctx, a.Certificate)
		}
		a.judge(ctx, err)
	}
	a.Took = time.Since(begun)
	return a
}

// judge notes what the verifier says.
func (a *Answer) judge(ctx context.Context, err error) {
	if err == nil {
		return
	}
	if a.Certified = false; ctx.Err() == nil && !errors.Is(err, base.ErrTooLarge) {
		a.Refused = err
	}
}

// coreOf names the operations of a core.
func coreOf(o *stale.Object, found *solve.Answer) *stale.Core {
	core := &stale.Core{Object: o.Name}
	for _, i := range found.Core {
		core.Operations = append(core.Operations, o.Ops[i].ID)
	}
	return core
}

// orderOf names the operations of an order, and says how late its reads are.
func orderOf(h *stale.History, k int, q stale.Question, found *solve.Answer) stale.Order {
	o := &h.Objects[k]
	out := stale.Order{Object: o.Name}
	for i, w := range found.Sources {
		if o.Ops[i].Read {
			source := stale.Source{Read: o.Ops[i].ID, Write: -1}
			if w >= 0 {
				source.Write = o.Ops[w].ID
			}
			out.Sources = append(out.Sources, source)
		}
	}
	if found.Order != nil {
		out.Operations = make([]history.OpID, len(found.Order))
	}
	for t, i := range found.Order {
		out.Operations[t] = o.Ops[i].ID
	}
	if q.Kind == stale.Late && q.Bound > 0 {
		out.Late = late(o, found.Order)
	}
	return out
}

// late says how late the reads of an order are.
func late(o *stale.Object, order []int32) (late []stale.Lateness) {
	versions := []int32{o.Initial}
	for _, i := range order {
		op := &o.Ops[i]
		newest := len(versions) - 1
		for _, m := range op.Modes {
			switch {
			case op.Read:
				by := 0
				for by < newest && !m.Allows(versions[newest-by]) {
					by++
				}
				if by > 0 {
					late = append(late, stale.Lateness{Read: op.ID, By: int32(by)})
				}
			case !m.Allows(versions[newest]):
				continue
			case m.Leaves != model.Keep:
				versions = append(versions, m.Leaves)
			}
			break
		}
	}
	return late
}
