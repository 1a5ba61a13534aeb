package portfolio

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
	quasiverify "github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
)

// What is said when two engines contradict each other: their verdicts, what the verifier saw of
// each, which of the two it confirms by trying everything, and the smallest sub-history on which
// they still contradict each other.
//
// The sub-history is found by delta debugging [Zeller and Hildebrandt, Simplifying and isolating
// failure-inducing input, TSE'02] over operations: blocks of halves, quarters and so on are left
// out as long as the two engines disagree about the rest. Without any single operation of what
// remains they agree, unless the time was up.

// disagreement describes two replies of engines that contradict each other about q.
func (p *Portfolio) disagreement(ctx context.Context, q *engine.Task, budget *engine.Budget, says []string, yes,
	no reply) *engine.Disagreement {
	b := q.Instance
	d := &engine.Disagreement{Partition: b.Partition.Title(b.Spec.Info())}
	d.Says = append(d.Says, says...)
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), shrinkTime)
	defer stop()
	d.Says = append(d.Says, "certify: the order that "+yes.engine+" gives is right", seenOfRefutation(ctx, q, no))
	s := &shrinking{ctx: ctx, q: q, budget: budget}
	for _, e := range p.team() {
		if e.Name() == yes.engine || e.Name() == no.engine {
			s.engines = append(s.engines, e)
		}
	}
	left := s.smallest()
	for _, i := range left {
		d.Smallest = append(d.Smallest, b.Partition.ID(i))
	}
	d.Because = strings.Join(d.Says, ", ")
	if len(left) < b.Partition.Len() {
		d.Because += fmt.Sprintf("; they still do on %d of its %d operations: %s", len(left), b.Partition.Len(),
			strings.Join(d.Smallest, ", "))
		if sub, err := engine.Bind(b.Spec, b.Partition.Select(left, b.Partition.Name)); err == nil {
			d.Because += ", of which " + triedEverything(&engine.Task{Instance: sub, Quasi: q.Quasi})
		}
	} else {
		d.Because += ", of which " + triedEverything(q)
	}
	return d
}

// seenOfRefutation says what the verifier makes of a refutation.
func seenOfRefutation(ctx context.Context, q *engine.Task, no reply) string {
	if no.Proof == nil {
		return no.engine + " gives no evidence"
	}
	if err := verify.Proof(ctx, q.Quasi, q.Instance, no.Proof); err != nil {
		return fmt.Sprintf("the verifier refuses the evidence of %s: %v", no.engine, err)
	}
	return "the verifier confirms the evidence of " + no.engine
}

// triedEverything says which verdict the verifier comes to by trying all orders.
func triedEverything(q *engine.Task) string {
	var err error
	if q.Quasi != nil {
		_, err = quasiverify.Exhausted(context.Background(), q.Instance, q.Quasi, proof.Everything(), base.MaxNodes)
	} else {
		_, err = verify.Exhausted(q.Instance, proof.Everything(), base.MaxNodes)
	}
	switch {
	case err == nil:
		return "certify finds by trying everything that there is no order"
	case errors.Is(err, base.ErrTooLarge):
		return "certify cannot try everything"
	}
	return "certify says after trying everything: " + err.Error()
}

// shrinking is the search for a small sub-history on which two engines disagree.
type shrinking struct {
	ctx     context.Context
	q       *engine.Task
	budget  *engine.Budget
	engines []member
}

// smallest returns the positions of the operations that are left.
func (s *shrinking) smallest() []history.OpID {
	left := make([]history.OpID, s.q.Instance.Partition.Len())
	for i := range left {
		left[i] = history.OpID(i)
	}
	for size := len(left) / 2; size > 0; {
		removed := false
		for at := 0; at < len(left); {
			rest := append(append([]history.OpID{}, left[:at]...), left[min(at+size, len(left)):]...)
			if s.disagree(rest) {
				left, removed = rest, true
				continue
			}
			at += size
		}
		if size > 1 || !removed { // an operation may be spared once a later one is gone
			size /= 2
		}
	}
	return left
}

// disagree reports whether the engines contradict each other about these operations alone.
func (s *shrinking) disagree(ops []history.OpID) bool {
	if s.ctx.Err() != nil {
		return false
	}
	b, err := engine.Bind(s.q.Instance.Spec, s.q.Instance.Partition.Select(ops, s.q.Instance.Partition.Name))
	if err != nil {
		return false
	}
	said := map[engine.Verdict]bool{}
	for _, e := range s.engines {
		var a engine.Answer
		if err := engine.Contained(func() (err error) {
			a, err = e.Check(s.ctx, &engine.Task{Instance: b, Quasi: s.q.Quasi}, s.budget.Share(shrinkSteps))
			return err
		}); err != nil {
			return false
		}
		said[a.Verdict] = true
	}
	return said[engine.Linearizable] && said[engine.NotLinearizable]
}
