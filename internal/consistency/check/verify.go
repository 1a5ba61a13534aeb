package check

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	views "github.com/linsat/linsat/internal/consistency/verify"
	"github.com/linsat/linsat/internal/engine"
	isolation "github.com/linsat/linsat/internal/isolation/verify"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify"
)

// Verify checks that c shows the answer to q about h, and reports whether that is yes. It asks no
// engine.
func Verify(ctx context.Context, s model.Spec, h *history.History, q *consistency.Question,
	c *consistency.Certificate) (holds bool, err error) {
	if c.Question != q.Name {
		return false, fmt.Errorf("it is about %s, and the question is %s", c.Question, q.Name)
	}
	switch {
	case q.Registers:
		return verifyRegular(ctx, s, h, q, c)
	case c.Order != nil && (deciders[q.Name] == nil || q.Name == "sequential"):
		x, err := orderOf(s, h, q)
		if err != nil {
			return false, err
		}
		return x.verify(ctx, c.Order)
	case c.Order != nil && q.ByCauses():
		x := &order{spec: s, history: consistency.ByProcess(h), whole: true}
		if holds, err := x.verify(ctx, c.Order); err != nil || holds {
			return holds, err
		}
		return false, fmt.Errorf("what is not sequential may be %s", q.Name)
	case c.Causes != nil && q.ByCauses():
		return views.CheckCauses(ctx, s, h, q, c.Causes)
	case c.Hidden != nil && q.Name == "pram":
		return hidden(ctx, s, h, c.Hidden)
	}
	a, err := consistency.Of(s, h)
	switch {
	case err != nil:
		return false, err
	case c.Choices != nil && (q.ByViews() || q.Name == "causal-convergence"):
		refutes := func(a *consistency.Accesses, c *consistency.Certificate) error { return refuted(ctx, a, q, c) }
		return false, views.CheckChoices(ctx, a, c.Choices, refutes)
	case c.Chosen != nil:
		return true, chosen(ctx, a, q, c)
	}
	return read(ctx, a, q, c)
}

// chosen checks a certificate of a yes, about one choice for all reads that may be from several
// writes: a no after one choice says nothing of the others.
func chosen(ctx context.Context, a *consistency.Accesses, q *consistency.Question, c *consistency.Certificate) error {
	sources := a.Sources()
	part, ok := a.Chosen(sources, c.Chosen)
	if !ok {
		return fmt.Errorf("a choice is none of what the read may be from")
	}
	for i, all := range sources {
		if len(all) > 1 && !part.Ops[i].Reads {
			return fmt.Errorf("operation %d may be from several writes and has no choice", i)
		}
	}
	holds, err := read(ctx, part, q, c)
	if err == nil && !holds {
		err = fmt.Errorf("it is a no after one choice of writes")
	}
	return err
}

// read checks a certificate about accesses.
func read(ctx context.Context, a *consistency.Accesses, q *consistency.Question, c *consistency.Certificate) (
	holds bool, err error) {
	switch {
	case c.Commits != nil && (q.Name == "sequential" || q.Name == "causal-convergence" && a.Updates < 0):
		if c.Commits.Level != level(q).String() {
			return false, fmt.Errorf("it is about %s, and the question is %v", c.Commits.Level, level(q))
		}
		return c.Commits.Witness != nil, isolation.Check(ctx, a.Transactions(), c.Commits)
	case q.ByViews():
		return c.Conflict == nil, views.Check(a, q, c)
	}
	return false, fmt.Errorf("it shows nothing about %s", q.Name)
}

// refuted checks that a certificate about accesses shows a no.
func refuted(ctx context.Context, a *consistency.Accesses, q *consistency.Question, c *consistency.Certificate) error {
	holds, err := read(ctx, a, q, c)
	if err == nil && holds {
		err = fmt.Errorf("a case shows a yes")
	}
	return err
}

// verify checks a certificate of linearizability.
func (x *order) verify(ctx context.Context, text []byte) (bool, error) {
	by := model.ByKey
	if x.whole {
		by = model.Unpartitioned
	}
	c, err := verify.ReadCertificate(bytes.NewReader(text))
	if err != nil {
		return false, err
	}
	asked := verify.Question{Spec: x.spec, Partition: by}
	return c.Verdict == engine.Linearizable, verify.Verify(ctx, x.history, asked, c)
}

// hidden checks certificates of what processes know: all hold, or one fails and no other is given.
func hidden(ctx context.Context, s model.Spec, h *history.History, all []json.RawMessage) (bool, error) {
	if len(all) != len(h.Processes) {
		return false, fmt.Errorf("it has %d certificates of %d processes", len(all), len(h.Processes))
	}
	missing := 0
	for p, text := range all {
		if len(text) == 0 || string(text) == "null" {
			missing++
			continue
		}
		holds, err := hiddenFrom(s, h, p).verify(ctx, text)
		if err != nil || !holds {
			return false, err
		}
	}
	if missing > 0 {
		return false, fmt.Errorf("%d processes have no certificate, and none fails", missing)
	}
	return true, nil
}
