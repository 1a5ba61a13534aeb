package linsat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// What is said when two engines contradict each other: their verdicts, what certify saw of each,
// which of the two it confirms by trying everything, and the smallest sub-history on which they
// still contradict each other.
//
// The sub-history is found by delta debugging [Zeller and Hildebrandt, Simplifying and isolating
// failure-inducing input, TSE'02] over operations: blocks of halves, quarters and so on are left
// out as long as the two engines disagree about the rest. Without any single operation of what
// remains they agree, unless the time was up.

const (
	shrinkTime  = 2 * time.Second
	shrinkSteps = 1 << 20 // for one engine on one sub-history
)

// disagreement describes two replies of engines that contradict each other about p.
func disagreement(ctx context.Context, all []named, p *engine.Problem, says []string, yes, no reply) *Disagreement {
	b := p.Instance
	d := &Disagreement{Part: b.Partition.Title(b.Spec.Info())}
	d.Says = append(d.Says, says...)
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), shrinkTime)
	defer stop()
	d.Says = append(d.Says, "certify: the order that "+yes.engine+" gives is right", seenOfNo(ctx, p, no))
	s := &shrinking{ctx: ctx, p: p}
	for _, e := range all {
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
		d.Because += fmt.Sprintf("; they still do on %d of its %d operations: %s", len(left), b.Partition.Len(), strings.Join(d.Smallest, ", "))
		if sub, err := bind(b.Spec, b.Partition.Select(left, b.Partition.Name)); err == nil {
			d.Because += ", of which " + triedEverything(&engine.Problem{Instance: sub, Quasi: p.Quasi})
		}
	} else {
		d.Because += ", of which " + triedEverything(p)
	}
	return d
}

// seenOfNo says what certify saw of a no.
func seenOfNo(ctx context.Context, p *engine.Problem, no reply) string {
	if no.Evidence == nil {
		return "certify: " + no.engine + " gives no evidence"
	}
	var err error
	if r, ok := no.Evidence.(*proof.Displacement); ok && p.Quasi != nil {
		err = verify.Lag(p.Instance, p.Quasi, r)
	} else {
		err = verify.Evidence(ctx, p.Instance, no.Evidence)
	}
	if err != nil {
		return fmt.Sprintf("certify: refuses the evidence of %s: %v", no.engine, err)
	}
	return "certify: confirms the evidence of " + no.engine
}

// triedEverything says which verdict certify comes to by trying all orders.
func triedEverything(p *engine.Problem) string {
	var err error
	if p.Quasi != nil {
		_, err = verify.ExhaustedQuasi(p.Instance, p.Quasi, proof.Everything(), verify.MaxNodes)
	} else {
		_, err = verify.Exhausted(p.Instance, proof.Everything(), verify.MaxNodes)
	}
	switch {
	case err == nil:
		return "certify finds by trying everything that there is no order"
	case errors.Is(err, verify.ErrTooLarge):
		return "certify cannot try everything"
	}
	return "certify says after trying everything: " + err.Error()
}

// shrinking is the search for a small sub-history on which two engines disagree.
type shrinking struct {
	ctx     context.Context
	p       *engine.Problem
	engines []named
}

// smallest returns the positions of the operations that are left.
func (s *shrinking) smallest() []int32 {
	left := make([]int32, s.p.Instance.Partition.Len())
	for i := range left {
		left[i] = int32(i)
	}
	for size := len(left) / 2; size > 0; {
		removed := false
		for at := 0; at < len(left); {
			rest := append(append([]int32{}, left[:at]...), left[min(at+size, len(left)):]...)
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

// disagree says whether the engines contradict each other about these operations alone.
func (s *shrinking) disagree(ops []int32) bool {
	if s.ctx.Err() != nil {
		return false
	}
	b, err := bind(s.p.Instance.Spec, s.p.Instance.Partition.Select(ops, s.p.Instance.Partition.Name))
	if err != nil {
		return false
	}
	said := map[engine.Verdict]bool{}
	for _, e := range s.engines {
		var a engine.Answer
		if err := engine.Contained(func() (err error) {
			a, err = e.Check(s.ctx, &engine.Problem{Instance: b, Quasi: s.p.Quasi}, engine.NewBudget(shrinkSteps, 0))
			return err
		}); err != nil {
			return false
		}
		said[a.Verdict] = true
	}
	return said[engine.Linearizable] && said[engine.NotLinearizable]
}
