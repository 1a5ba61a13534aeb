package portfolio

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify"
)

// merge makes one outcome of the partitions' answers: a refuted partition refutes the whole, and
// the first one in the order of partitions is reported; then what stayed unknown counts, then the
// witnesses are put together. ctx is that in which the partitions were decided.
func (p *Portfolio) merge(ctx context.Context, o Outcome, q *Question, parts []*model.Partition,
	bounds []*model.Instance, decisions []decision) (Outcome, error) {
	answered := map[string]int{}
	undecided := -1
	o.PartitionVerdicts = make([]PartitionVerdict, len(parts))
	for i, d := range decisions {
		o.PartitionVerdicts[i] = d.verdict(parts[i])
		o.Unanswered = addUnanswered(o.Unanswered, d.unanswered)
		o.Effort = o.Effort.Add(d.Effort)
		o.Drains += d.Drains
		switch d.Verdict {
		case engine.NotLinearizable:
			if o.Verdict != engine.NotLinearizable {
				o.Verdict, o.Partition, o.Instance, o.Failure, o.Reached, o.Proof = d.Verdict, parts[i], bounds[i],
					d.Failure, d.Reached, d.Proof
				o.Engines, o.Bind = []string{d.engine}, d.bind
			}
		case engine.Linearizable:
			answered[d.engine]++
		default:
			if undecided < 0 || weight(d) > weight(decisions[undecided]) {
				undecided = i
			}
		}
	}
	if o.Verdict == engine.NotLinearizable {
		return o, nil
	}
	o.Engines = slices.SortedFunc(maps.Keys(answered), func(a, b string) int {
		return cmp.Or(cmp.Compare(answered[b], answered[a]), cmp.Compare(a, b))
	})
	if undecided >= 0 {
		d := decisions[undecided]
		o.Partition, o.Instance, o.Cause, o.Detail = parts[undecided], bounds[undecided], d.Cause, d.Detail
		if o.Cause == engine.NoCause || o.Cause == engine.Cancelled {
			o.Cause = engine.CauseOf(ctx)
		}
		return o, nil
	}
	o.Verdict = engine.Linearizable
	o.Answers = make([]PartitionAnswer, 0, len(parts))
	for i, d := range decisions {
		o.Answers = append(o.Answers, PartitionAnswer{parts[i], d.Witness, d.Rearranged, d.Drains})
	}
	if q.Quasi != nil && len(parts) == 1 {
		o.Witness, o.Rearranged = decisions[0].Witness, decisions[0].Rearranged
		return o, nil
	}
	o.Witness = mergeWitness(q.History, o.Answers)
	if err := verify.Merged(q.History, o.Witness); err != nil {
		return Outcome{}, &engine.Disagreement{Because: "the merged witness is refused: " + err.Error()}
	}
	return o, nil
}

// DecidedBy lists the engines and techniques that the verdict comes from, as "search/few": of a
// violation the one that refuted the first refuted partition, else by number of partitions, most
// first.
func DecidedBy(all []PartitionVerdict) []string {
	of := map[string]int{}
	for _, v := range all {
		switch v.Verdict {
		case engine.NotLinearizable:
			return []string{v.By}
		case engine.Linearizable:
			of[v.By]++
		}
	}
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
	})
}
