package explain

// Proving, by a short argument, that a weakened partition is still a violation.
//
// What: instances of the theory's axioms over the window of the weakening, unit propagation with
// reasons, and a walk back from the contradiction that keeps the steps it needs. Order of attempts:
// INV, HALL and COUNT on real-time order alone (one such sentence replaces many steps);
// propagation; INV, HALL and COUNT again on its conclusions; one case split, then two nested ones,
// taking the shortest proof found; finally case splits with lookahead, which is complete.
//
// Limits: choices × propagation, counted in nodes (a node is one assumed literal). It is meant for
// cores of up to some dozens of operations; larger windows are proved if few steps suffice.

import (
	"context"
	"fmt"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// Proof is what Prove finds.
type Proof struct {
	// Argument is nil if none was found.
	Argument *proof.Node
	// Cause says why there is none: Unsupported (no axioms, or the window is too large), Steps (the
	// budget is used up), Timeout or Cancelled, Undecided (the axioms can all be satisfied, so they
	// do not refute the weakened partition).
	Cause engine.Cause
	// Detail explains the cause.
	Detail string
	Nodes  int // literals supposed
}

type prover struct {
	*trail
	ctx     context.Context
	nodes   int
	limit   int
	made    []clause // instances before they are added
	calls   int      // of full
	ended   bool     // the time was up while instances were made
	choices []clause
	effect  []lit   // by position: that it takes effect, if it is optional
	going   [][]lit // by position: that it goes in each of its modes, if there are several

	satisfied bool
}

// Prove looks for an argument that refutes b's partition, weakened, and assumes at most nodes
// literals (0: DefaultNodes). The verifier has accepted what it returns. An error means an invalid
// weakening.
func Prove(ctx context.Context, b *model.Instance, weakening *proof.Weakening, nodes int) (Proof, error) {
	if b.Axiomatic() == nil && weakening.View == 0 {
		return Proof{Cause: engine.Unsupported, Detail: "the specification has no axioms for this partition"}, nil
	}
	w, err := verify.Window(b, weakening)
	if err != nil {
		return Proof{}, err
	}
	return proveIn(ctx, w, nodes)
}

// proveIn is Prove for what a weakening leaves.
func proveIn(ctx context.Context, w *proof.Window, nodes int) (Proof, error) {
	present := 0
	for _, gone := range w.Gone {
		if !gone {
			present++
		}
	}
	if present > maxOperations {
		return Proof{Cause: engine.Unsupported, Detail: fmt.Sprintf("%d operations are too many for an argument",
			present)}, nil
	}
	if nodes == 0 {
		nodes = DefaultNodes
	}
	p := newProver(ctx, w, nodes)
	found, err := p.prove()
	out := Proof{Nodes: p.nodes}
	switch {
	case err != nil:
		out.Cause, out.Detail = engine.Unsupported, err.Error()
	case found != nil:
		out.Argument = found.argument
		if err := verify.ArgumentIn(w, out.Argument); err != nil {
			return Proof{}, fmt.Errorf("the verifier refuses the argument: %w", err)
		}
	case ctx.Err() != nil:
		out.Cause = engine.CauseOf(ctx)
	case p.satisfied:
		out.Cause = engine.Undecided
	default:
		out.Cause = engine.Steps
	}
	return out, nil
}

func newProver(ctx context.Context, w *proof.Window, nodes int) *prover {
	p := &prover{trail: newTrail(w), ctx: ctx, limit: nodes, effect: make([]lit, len(w.Optional)),
		going: make([][]lit, len(w.Optional))}
	cells, _ := w.Theory.(*model.RegisterTheory)
	for _, i := range p.ops {
		if w.Optional[i] {
			p.effect[i] = p.lit(proof.TakesEffect(i))
		}
		if cells != nil && len(cells.Of(i)) > 1 {
			for k := range cells.Of(i) {
				p.going[i] = append(p.going[i], p.lit(proof.GoesIn(i, int32(k))))
			}
		}
	}
	return p
}

func (p *prover) spend() bool {
	p.nodes++
	return !p.exhausted()
}

func (p *prover) exhausted() bool {
	return p.nodes > p.limit || p.stopped()
}

// stopped reports whether the search was asked to end. It may then fail to find an existing
// argument.
func (p *prover) stopped() bool { return p.ctx.Err() != nil }

func (p *prover) prove() (*derivation, error) {
	if c := p.realTimeOrder(); c != nil {
		return p.contradicted(0, c), nil
	}
	cells, _ := p.w.Theory.(*model.RegisterTheory)
	if cells != nil {
		if found := p.shortest(cells); found != nil || p.stopped() {
			return found, nil
		}
	}
	p.returnedTooOften()
	c, err := p.instances()
	if err != nil {
		return nil, err
	}
	if c == nil {
		c = p.saturate()
	}
	if c != nil {
		return p.contradicted(0, c), nil
	}
	if cells != nil {
		if found := p.shortest(cells); found != nil {
			return found, nil
		}
	}
	found, looks := p.ahead(0, false)
	if found != nil || p.exhausted() {
		return found, nil
	}
	sort.SliceStable(looks, func(i, j int) bool {
		a, b := &looks[i], &looks[j]
		return a.alive < b.alive || a.alive == b.alive && a.drawn > b.drawn
	})
	rest := p.limit
	p.limit = min(p.limit, p.nodes+(p.limit-p.nodes)/2)
	found = p.two(0, looks)
	p.limit = rest
	if found != nil {
		return found, nil
	}
	return p.greedy(0), nil
}

// shortest is the shortest proof that ends in INV, HALL or COUNT, from what is known; it stops at
// one that is short.
func (p *prover) shortest(t *model.RegisterTheory) (best *derivation) {
	found := 0
	look := func(c *contradiction) bool {
		if k := p.contradicted(0, c); best == nil || k.size < best.size || k.size == best.size &&
			len(c.step.Args) < len(best.last().Args) {
			best = k
		}
		found++
		return best.size > short && found < maxFound && !p.stopped()
	}
	if p.contradictions(t, look) {
		p.furtherContradictions(t, look)
	}
	return best
}

func (k *derivation) last() proof.Step { return k.argument.Steps[len(k.argument.Steps)-1] }

// saturate draws all conclusions, including those of the families.
func (p *prover) saturate() *contradiction {
	if c := p.propagate(); c != nil {
		return c
	}
	switch t := p.w.Theory.(type) {
	case *model.CountingTheory:
		return p.sums(t)
	case *model.RegisterTheory:
		if p.n > maxInside {
			return nil
		}
		var first *contradiction
		p.contradictions(t, func(c *contradiction) bool {
			first = c
			return false
		})
		return first
	}
	return nil
}

// returnedTooOften adds COUNT of collections: a value that is taken out more often than it can have
// been put in.
func (p *prover) returnedTooOften() {
	t, ok := p.w.Theory.(*model.CollectionTheory)
	if !ok {
		return
	}
	removals := map[model.Stored][]history.OpID{}
	for i := range p.w.Partition.Ops {
		if v := t.Stored(history.OpID(i)); !p.w.Gone[i] && t.Does[i] == model.Remove && v.Value >= 0 &&
			!p.w.Optional[i] {
			removals[v] = append(removals[v], history.OpID(i))
		}
	}
	for _, members := range p.w.Objects() {
		for _, r := range members {
			v := t.Stored(r)
			if len(removals[v]) == 0 || removals[v][0] != r {
				continue
			}
			there := 0
			for _, i := range p.w.Candidates(r) {
				if i != proof.NoOp {
					there++
				}
			}
			if len(removals[v]) > there {
				p.made = append(p.made, clause{axiom: proof.COUNT, args: append([]history.OpID{proof.NoOp},
					removals[v][:there+1]...)})
			}
		}
	}
}
