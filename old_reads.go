package linsat

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/check"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/quasi"
)

// aboutReads reports whether the question is how old reads may be.
func (k *checking) aboutReads() bool {
	if k.quasi == nil || k.spec == nil {
		return false
	}
	info := k.spec.Info()
	return model.ReadsAlone(&info)
}

// oldReads answers it.
func (k *checking) oldReads(ctx context.Context, h *history.History) (result.Result, error) {
	begun := time.Now()
	x, err := stale.Of(k.spec, h)
	if err != nil {
		return result.Result{}, err
	}
	r := result.Result{Spec: k.spec, Quasi: k.quasi, Partitions: len(x.Objects), Partitioning: model.ByKey}
	found := &check.Answer{}
	if k.free != nil {
		least := check.AskLeast(ctx, x, stale.Late)
		found = &least.Answer
		b := stale.Bound{}
		if len(least.Bounds) > 0 {
			b = least.Bounds[least.Worst]
		}
		r.Least = &result.Least{Low: narrow(b.Low), High: narrow(b.High), Certified: least.Certified}
		if q := *k.quasi; b.Known() {
			q.Factor = quasi.Factor{narrow(b.Low)}
			r.Quasi = &q
		}
	} else {
		found = check.Ask(ctx, x, stale.Question{Bound: int64(k.quasi.Factor[0])})
	}
	if found.Refused != nil {
		return r, found.Refused
	}
	switch found.Verdict {
	case check.Holds:
		r.Verdict = engine.Linearizable
		if len(found.Certificate.Orders) == 1 {
			r.Witness = found.Certificate.Orders[0].Operations
		}
	case check.Fails:
		r.Verdict = engine.NotLinearizable
	default:
		r.Cause, r.Detail = engine.Undecided, found.Unclear
		if ctx.Err() != nil {
			r.Cause = engine.CauseOf(ctx)
		}
	}
	r.OldReads = found.Certificate
	if found.By != "" {
		r.Engines = []string{found.By}
	}
	if r.Certified = found.Certified; !r.Certified {
		r.Uncertified = "the verifier could not judge it within its limits"
	}
	r.Took = time.Since(begun)
	return r, nil
}

// verifyOldReads checks a certificate of it.
func (k *checking) verifyOldReads(ctx context.Context, h *history.History, c *stale.Certificate) error {
	x, err := stale.Of(k.spec, h)
	if err != nil {
		return err
	}
	asked := stale.Question{Bound: int64(k.quasi.Factor[0])}.String()
	if err = fmt.Errorf("it is about %s, and the question is %s", c.Question, asked); c.Question == asked {
		err = verify.New(x).Check(ctx, c)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &Refusal{Why: err.Error()}
}

func narrow(b int64) int32 { return int32(min(b, math.MaxInt32)) }
