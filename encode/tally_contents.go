package encode

// Counted contents: contents and tallies over one order.
//
// What: which value each removal takes is the matching of a collection (collection.go); how many
// values there are is a number (tally_ways.go) that a size finds, an insertion into a queue of
// limited capacity below that, and a refused one at it. A drain finds the number of its values, and
// is as many exits as it takes values, of which each comes before the next, and one that finds
// nothing. One of unknown result sets the number to 0 (resets.go). Both are about the same order of
// the operations. An insertion of unknown result inserts if it takes effect in the first of its
// ways, and a removal of unknown result takes a value iff it takes effect in its first way.
//
// A pending insertion of a value that nothing sees may be needed to fill the queue, so the
// collection keeps all operations.
//
// If the capacity is not known, each that the history allows is a case of its own
// (model.BoundedQueueTheory).
//
// Cost: that of the collection, and for every insertion the sums of what is open at once.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

type counted struct {
	*tallying
	contents *collection
}

func newCounted(t *model.Tallies, part *model.Partition) *counted {
	c := &counted{tallying: newTallying(t, part)}
	if t.Back != nil {
		c.contents = newDeque(&model.DequeTheory{Moves: *t.Contents, Back: t.Back}, part)
	} else {
		c.contents = newCollection(t.Contents, part)
	}
	c.contents.drained = t.Drained
	c.contents.inserts = func(i history.OpID) cnf.Lit { return c.lits[i][0] }
	return c
}

// reduce implements encoding. It keeps all operations.
func (c *counted) reduce(keep []history.OpID) ([]history.OpID, string) { return keep, "" }

// Outcomes implements cnf.Encoding.
func (c *counted) Outcomes(b *cnf.Builder) {
	c.tallying.Outcomes(b)
	c.contents.b = b
}

// Axioms implements cnf.Encoding.
func (c *counted) Axioms(b *cnf.Builder) {
	c.contents.Axioms(b)
	if !b.Alive(0) {
		return
	}
	for k := range c.contents.exits {
		t := &c.contents.exits[k]
		if lits := c.lits[t.op]; len(lits) == 2 {
			b.Clause(cnf.Matched, cnf.By(t.op), -lits[1], t.empty)
			b.Clause(cnf.Matched, cnf.By(t.op), lits[1], -t.empty)
		}
	}
	c.tallying.Axioms(b)
}

// cases decides a partition whose capacity is not known: one case after the other.
func (e *sat) cases(ctx context.Context, all []*model.Instance, m *engine.Budget) (engine.Answer, error) {
	decided := engine.Answer{Verdict: engine.NotLinearizable}
	var effort engine.Effort
	for _, b := range all {
		a, err := e.decide(ctx, b, m)
		if err != nil {
			return engine.Answer{}, err
		}
		effort = effort.Add(a.Effort)
		if a.Verdict == engine.Linearizable || a.Verdict == engine.Unknown && decided.Verdict != engine.Unknown {
			decided = a
		}
		if a.Verdict == engine.Linearizable || ctx.Err() != nil {
			break
		}
	}
	decided.Effort = effort
	return decided, nil
}
