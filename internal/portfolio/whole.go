package portfolio

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
)

// unsplit runs the monitors on the unpartitioned history, which pays when partitions are many and
// tiny. ok is false if they do not decide it. A violation is decided again in all partitions, or
// under First in the partition that the refutation is about.
func (p *Portfolio) unsplit(ctx context.Context, r result.Result, q *Question, b *engine.Budget) (whole result.Result,
	ok bool, err error) {
	x := part{of: model.Whole(q.History)}
	if x.Instance, err = engine.Bind(q.Spec, x.of); err != nil {
		return r, false, err
	}
	x.decision, err = sequential(ctx, &x.Task, b, p.team()[:1])
	switch {
	case err != nil || x.Verdict == engine.Unknown:
		return r, false, err
	case x.Verdict == engine.NotLinearizable && p.o.First:
		return p.partOf(ctx, r, q, refutedOperation(x.Instance, x.Proof), b)
	case x.Verdict == engine.NotLinearizable:
		return r, false, nil
	}
	r.Partitions = 1
	whole, err = p.merge(ctx, r, q, []part{x})
	return whole, true, err
}

// partOf decides the partition of one operation of the history; ok is false unless it is refuted.
func (p *Portfolio) partOf(ctx context.Context, r result.Result, q *Question, op history.OpID,
	b *engine.Budget) (violation result.Result, ok bool, err error) {
	split := model.Split(q.Spec, q.History, p.o.Partitioning)
	at := slices.IndexFunc(split, func(p *model.Partition) bool {
		_, found := slices.BinarySearch(p.Index, op)
		return found
	})
	if at < 0 {
		return r, false, nil
	}
	x := part{of: split[at]}
	if x.Instance, err = engine.Bind(q.Spec, x.of); err != nil {
		return r, false, err
	}
	if err := p.decide(ctx, &x, b, false); err != nil || x.Verdict != engine.NotLinearizable {
		return r, false, err
	}
	r.Partitions = len(split)
	violation, err = p.merge(ctx, r, q, []part{x})
	return violation, true, err
}

// refutedOperation returns an operation that a proof about b's partition names, or -1.
func refutedOperation(b *model.Instance, p proof.Proof) history.OpID {
	if p == nil {
		return -1
	}
	if named := p.Operations(b); len(named) > 0 {
		return named[0]
	}
	return -1
}
