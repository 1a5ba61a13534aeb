package monitor

// Objects that have sums: the total of a bank, the balance of each account.
//
// What: each is a counter that the object has to respect as well, so what contradicts one of them
// contradicts the history. Where all add up, nothing is known: that a transfer leaves one account
// and reaches the other is in no single one.
//
// Source: ours; the sums of counters, over views (model.View).
//
// Invariant: a conflict that is found is one for the verifier, which adds up again.
//
// Cost: that of counter.go for each view, without its beam.

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// checkSums refutes a partition by one of its sums, or leaves it open.
func checkSums(ctx context.Context, p *engine.Problem, t *model.BankTheory, m *engine.Budget) engine.Answer {
	b := p.Instance
	need := int64(b.Partition.Len()) * counterBytes
	defer m.Grow(-need)
	if !m.Grow(need) {
		return engine.Answer{Cause: engine.Memory}
	}
	account := &engine.Account{Ctx: ctx, Budget: m, Limit: beamSteps + beamEach*int64(b.Partition.Len())}
	defer account.Close()
	for _, number := range t.Sums() {
		view := b.View(number)
		theory, ok := view.Theory.(*model.CountingTheory)
		if !ok || !theory.Exact() {
			continue
		}
		c := newSummation(theory, b.Partition.Ops, account)
		no := c.pairs()
		if no == nil && !view.NoStart {
			no = c.alone()
		}
		if no != nil {
			no.View = number
			return engine.Answer{Verdict: engine.NotLinearizable, Proof: no,
				Effort: engine.Effort{Steps: account.Steps}}
		}
		switch account.Cause {
		case engine.NoCause:
		case engine.Steps:
			return engine.Answer{Cause: engine.Undecided, Detail: tooManySums,
				Effort: engine.Effort{Steps: account.Steps}}
		default:
			return engine.Answer{Cause: account.Cause, Effort: engine.Effort{Steps: account.Steps}}
		}
	}
	return engine.Answer{Cause: engine.Unsupported, Detail: "the sums of an object only refute",
		Effort: engine.Effort{Steps: account.Steps}}
}
