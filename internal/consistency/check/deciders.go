package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/solve"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/isolation/words"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify"
)

// sequential decides sequential consistency. It is not local: keys that are sequential one by one
// need not be so together. So the history is not split, and no monitor that splits is asked.
//
// A linearization is an order that keeps that of each process, and is found fast. If there is none,
// reads and writes are transactions of one operation in sessions; few operations, and those of
// other objects, are left to the engines for a history without time.
func sequential(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	a, err := c.linearizable(ctx)
	if err != nil || a.Verdict == check.Holds {
		return a, err
	}
	if len(c.History.Ops) > fewOperations {
		if a, err := c.queued(ctx); err != nil || a.Verdict == check.Holds {
			return a, err
		}
		if a, err := committed(ctx, c, q); err == nil && a.Verdict != check.Unknown {
			c.unordered = a.Verdict == check.Fails
			return a, nil
		}
	}
	a, err = linearized(ctx, c, q)
	c.unordered = true
	if err == nil && a.Verdict == check.Holds {
		c.unordered = false
		a.Against, _ = against(ctx, c)
	}
	return a, err
}

// causal decides a causal question: of reads and writes in polynomial time where values tell the
// write.
func causal(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	_, err := c.plain()
	var none *consistency.NoAccesses
	switch {
	case errors.As(err, &none):
		return byCauses(ctx, c, q)
	case q.Arbitrated():
		return committed(ctx, c, q)
	}
	return viewed(ctx, c, q)
}

// linearizable answers whether a history is sequential by whether it is linearizable: unknown if it
// is not.
func (c *Case) linearizable(ctx context.Context) (a Answer, err error) {
	r, err := c.Linearize(ctx, c.Spec, c.History, false, false)
	if err != nil || !r.Certified || len(r.Witness) == 0 {
		return a, err
	}
	return c.inOrder(ctx, r.Witness)
}

// queued answers whether a history of a queue is sequential, by an order that is looked for where
// values are distinct: unknown if none is found.
func (c *Case) queued(ctx context.Context) (a Answer, err error) {
	b, err := c.Spec.Bind(model.Whole(consistency.ByProcess(c.History)))
	if err != nil {
		return a, err
	}
	if t := model.As[*model.CollectionTheory](b); t != nil {
		if order := solve.QueueOrder(ctx, c.History, t, c.Memory); order != nil {
			return c.inOrder(ctx, order)
		}
	}
	return a, nil
}

// inOrder answers that a history is sequential, in an order of its operations.
func (c *Case) inOrder(ctx context.Context, order []history.OpID) (a Answer, err error) {
	g := consistency.ByProcess(c.History)
	whole := verify.Question{Spec: c.Spec, Partition: model.Unpartitioned}
	cert := verify.NewCertificate(g, whole, engine.Linearizable)
	p := verify.PartitionOf(model.Whole(g))
	p.Witness = order
	cert.Partitions = append(cert.Partitions, p)
	a.Verdict, a.Refused = check.Holds, verify.Verify(ctx, g, whole, cert)
	text, err := written(cert)
	a.Certificate = &consistency.Certificate{Order: text}
	return a, err
}

// written is a certificate of linearizability as part of another one.
func written(cert *verify.Certificate) (json.RawMessage, error) {
	var text bytes.Buffer
	err := verify.WriteCertificate(&text, cert)
	return text.Bytes(), err
}

// level is the level of isolation that a question is, of transactions of one operation: causal
// consistency of transactions is causal convergence [Bouajjani, Enea, Guerraoui, Hamza, POPL 2017].
func level(q *consistency.Question) isolation.Level {
	if q.Name == "causal-convergence" {
		return isolation.Level{Model: isolation.Causal, Given: isolation.SessionOrder}
	}
	return isolation.Level{Model: isolation.Serializable, Given: isolation.SessionOrder}
}

// committed decides a question as a level of isolation.
func committed(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	x, err := c.reads()
	if q.Name == "causal-convergence" {
		x, err = c.plain()
	}
	if err != nil {
		return Answer{}, err
	}
	a := c.committed(ctx, x, q)
	if q.Name == "causal-convergence" {
		a = c.byChoice(ctx, x, q, a, func(x *consistency.Accesses) Answer { return c.committed(ctx, x, q) })
	}
	return a, nil
}

// committed decides a question about accesses as a level of isolation.
func (c *Case) committed(ctx context.Context, x *consistency.Accesses, q *consistency.Question) Answer {
	h := x.Transactions()
	var linear check.Linear
	if q.Name == "causal-convergence" && c.accesses == x { // sequential has asked
		linear = func(ctx context.Context) []history.OpID {
			r, err := c.Linearize(ctx, c.Spec, c.History, false, false)
			if err != nil {
				return nil
			}
			return r.Witness
		}
	}
	found := check.Level(ctx, h, level(q), c.Solver, c.Memory, linear)
	a := Answer{Verdict: found.Verdict, Unclear: found.Unclear, Refused: found.Refused}
	if found.Certificate == nil {
		return a
	}
	a.Certificate = &consistency.Certificate{Commits: found.Certificate}
	if found.Verdict != check.Fails {
		return a
	}
	named := rests(words.Named(found.Certificate.Refutation))
	if q.Name == "causal-convergence" {
		if conflict := solve.Diverges(x, named); conflict != nil {
			a.conflict(x, conflict)
			return a
		}
	}
	if !a.cycle(words.Find(h, found.Certificate)) {
		a.Results = slices.DeleteFunc(named, func(i history.OpID) bool { return !x.Ops[i].Reads })
	}
	return a
}

// rests lists operations by their transactions, ascending.
func rests(txns []int32) (ops []history.OpID) {
	for _, t := range txns {
		if t >= 0 {
			ops = append(ops, history.OpID(t))
		}
	}
	return inorder.Distinct(ops)
}

// cycle says that an answer rests on a cycle of transactions, and reports whether there is one.
func (a *Answer) cycle(found *words.Anomaly) bool {
	if found == nil || len(found.Cycle.Edges) == 0 {
		return false
	}
	for _, e := range found.Cycle.Edges {
		why := Step{Before: history.OpID(e.From), After: history.OpID(e.To)}
		switch e.Kind {
		case isolation.Session:
			why.Kind = Process
		case isolation.WR:
			why.Kind = Reads
		case isolation.RW:
			why.Kind = Overwritten
		default:
			return false
		}
		a.Steps = append(a.Steps, why)
	}
	a.Initial = -1
	return true
}

// viewed decides a question by views.
func viewed(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	x, err := c.plain()
	if err != nil {
		return Answer{}, err
	}
	a := seen(ctx, x, q)
	return c.byChoice(ctx, x, q, a, func(x *consistency.Accesses) Answer { return seen(ctx, x, q) }), nil
}

// seen decides a question by views about accesses.
func seen(ctx context.Context, x *consistency.Accesses, q *consistency.Question) Answer {
	found := solve.Decide(ctx, x, q)
	a := Answer{Unclear: found.Unclear, Certificate: found.Certificate}
	switch {
	case found.Holds:
		a.Verdict = check.Holds
	case found.Fails:
		a.Verdict, a.ByProcess = check.Fails, true
		a.conflict(x, found.Certificate.Conflict)
	}
	return a
}

// pram decides whether each process can see the updates of all in some order that keeps those of
// processes: by views where the operations are reads and writes of distinct values, else one
// process after the other.
func pram(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	a, err := viewed(ctx, c, q)
	var none *consistency.NoAccesses
	if err == nil && a.Verdict != check.Unknown || err != nil && !errors.As(err, &none) {
		return a, err
	}
	all, certified := make([]json.RawMessage, len(c.History.Processes)), true
	for p := range all {
		a, all[p], err = c.linearize(ctx, hiddenFrom(c.Spec, c.History, p))
		if err != nil || a.Verdict == check.Unknown {
			return a, err
		}
		if certified = certified && all[p] != nil; a.Verdict == check.Fails {
			certified = all[p] != nil
			clear(all[:p])
			break
		}
	}
	if certified {
		a.Certificate = &consistency.Certificate{Hidden: all}
	}
	return a, nil
}

// hiddenFrom is the question whether a process can see the updates of all in some order.
func hiddenFrom(s model.Spec, h *history.History, process int) *order {
	return &order{spec: s, history: consistency.Hidden(h, int32(process)), whole: true}
}
