package portfolio

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/quasi/completion"
	quasimonitor "github.com/linsat/linsat/internal/quasi/monitor"
	quasisearch "github.com/linsat/linsat/internal/quasi/search"
)

// What: under a factor, operations that never returned are what takes longest: the monitor knows
// few of them, and for the search and the clauses each may have any place and any value. So a
// history in which they are settled by a guess (package completion) is decided first.
//
// Invariant: only "linearizable" is concluded, and the verifier replays it on the given history.
//
// Cost: completedSteps and completedEach for each operation, if the guess does not help.

// completed looks for a witness of q in a completion of its history; Unknown if it finds none.
func (p *Portfolio) completed(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	part, index := completion.Of(ctx, q.Instance)
	if part == nil {
		return decision{}, nil
	}
	instance, err := engine.Bind(q.Instance.Spec, part)
	if err != nil {
		return decision{}, err
	}
	n := int64(part.Len())
	task := &engine.Task{Instance: instance, Quasi: q.Quasi}
	d, err := inOrder(ctx, task, b.Share(completedSteps+completedEach*n), quasimonitor.New(), quasisearch.New())
	if err != nil || d.Verdict != engine.Linearizable {
		return decision{}, err
	}
	given := func(order []history.OpID) []history.OpID {
		for k, i := range order {
			if int(i) < len(index) {
				order[k] = index[i]
			} else {
				order[k] = history.OpID(q.Instance.Partition.Len() + int(i) - len(index))
			}
		}
		return order
	}
	d.Witness, d.Rearranged = given(d.Witness), given(d.Rearranged)
	if replay(q, d.Answer) != nil {
		return decision{}, nil
	}
	return d, nil
}
