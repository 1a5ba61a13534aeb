package portfolio

import (
	"cmp"
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/verify"
)

// merge makes one result of the partitions' answers: a refuted partition refutes the whole, and
// the first one in the order of partitions is reported; then what stayed unknown counts, then the
// witnesses are put together. ctx is that in which the partitions were decided.
func (p *Portfolio) merge(ctx context.Context, r result.Result, q *Question, parts []part) (result.Result, error) {
	answered := map[string]int{}
	undecided := -1
	r.PartitionVerdicts = make([]result.PartitionVerdict, len(parts))
	for i := range parts {
		x := &parts[i]
		r.PartitionVerdicts[i] = x.verdict(x.of)
		r.Asked = addAsked(r.Asked, x.asked)
		r.Effort = r.Effort.Add(x.Effort)
		r.Drains += x.Drains
		switch x.Verdict {
		case engine.NotLinearizable:
			if r.Verdict != engine.NotLinearizable {
				x.refute(&r)
			}
		case engine.Linearizable:
			answered[x.engine]++
		default:
			r.SMT = cmp.Or(r.SMT, x.smt)
			if undecided < 0 || weight(x.decision) > weight(parts[undecided].decision) {
				undecided = i
			}
		}
	}
	if r.Verdict == engine.NotLinearizable {
		return r, nil
	}
	r.Engines = result.ByNumber(answered)
	if undecided >= 0 {
		x := &parts[undecided]
		r.Partition, r.Bound, r.Cause, r.Detail = x.of, x.Instance, x.Cause, x.Detail
		if r.Cause == engine.NoCause || r.Cause == engine.Cancelled {
			r.Cause = engine.CauseOf(ctx)
		}
		return r, nil
	}
	conclude(&r, engine.Linearizable)
	if q.Quasi != nil && len(parts) == 1 {
		r.Witness, r.Rearranged = parts[0].Witness, parts[0].Rearranged
		return r, nil
	}
	r.Witness = mergeWitness(q.History, r.PartitionVerdicts)
	if err := verify.Merged(q.History, r.Witness); err != nil {
		return result.Result{}, &engine.Disagreement{Because: "the merged witness is refused: " + err.Error()}
	}
	return r, nil
}

// refute makes r the violation in x.
func (x *part) refute(r *result.Result) {
	conclude(r, engine.NotLinearizable)
	r.Partition, r.Bound, r.Bind, r.Engines = x.of, x.Instance, x.decision.bind, []string{x.engine}
	r.Failure, r.Reached, r.Given = x.Failure, x.Reached, x.Proof
}
