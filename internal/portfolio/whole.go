package portfolio

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
)

// takesWhole reports whether the monitors are asked about the unpartitioned history first.
func (p *Portfolio) takesWhole(q *Question) bool {
	return p.o.Engines == Auto && p.o.Partitioning == model.ByKey && q.Quasi == nil && !p.o.Sequential &&
		specs.ManySmallPartitions(q.Spec, q.History)
}

// whole runs the monitors on the unpartitioned history, which pays when partitions are many and
// tiny. ok is false if they do not decide it. A violation is decided again in all partitions, or
// under First in the partition that the refutation is about.
func (p *Portfolio) whole(ctx context.Context, o Outcome, q *Question, b *engine.Budget) (whole Outcome,
	ok bool, err error) {
	all := model.Whole(q.History)
	bound, err := engine.Bind(q.Spec, all)
	if err != nil {
		return o, false, err
	}
	d, err := sequential(ctx, p.team()[:1], &engine.Task{Instance: bound}, b)
	switch {
	case err != nil || d.Verdict == engine.Unknown:
		return o, false, err
	case d.Verdict == engine.NotLinearizable && p.o.First:
		return p.partOf(ctx, o, q, refutedOperation(bound, d.Proof), b)
	case d.Verdict == engine.NotLinearizable:
		return o, false, nil
	}
	o.Partitions, o.Effort = 1, d.Effort
	o.Verdict, o.Engines, o.Witness = engine.Linearizable, []string{d.engine}, d.Witness
	o.Answers = []PartitionAnswer{{all, d.Witness, nil, 0}}
	o.PartitionVerdicts = []PartitionVerdict{d.verdict(all)}
	return o, true, nil
}

// partOf decides the partition of one operation of the history; ok is false unless it is refuted.
func (p *Portfolio) partOf(ctx context.Context, o Outcome, q *Question, op history.OpID,
	b *engine.Budget) (violation Outcome, ok bool, err error) {
	parts := model.Split(q.Spec, q.History, p.o.Partitioning)
	at := slices.IndexFunc(parts, func(p *model.Partition) bool {
		_, found := slices.BinarySearch(p.Index, op)
		return found
	})
	if at < 0 {
		return o, false, nil
	}
	bound, err := engine.Bind(q.Spec, parts[at])
	if err != nil {
		return o, false, err
	}
	d, err := p.partition(ctx, &engine.Task{Instance: bound}, b)
	if err != nil || d.Verdict != engine.NotLinearizable {
		return o, false, err
	}
	o.Partitions = len(parts)
	violation, err = p.merge(ctx, o, q, parts[at:at+1], []*model.Instance{bound}, []decision{d})
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
