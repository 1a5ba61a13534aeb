package explain

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// Facts are the facts that an argument uses, by position in the partition.
type Facts struct {
	Operations []history.OpID // named by some step, ascending
	// facts of real time that are used: the first returned before the second was called
	Order    [][2]history.OpID
	Explicit [][2]history.OpID // facts of explicit order
}

// Read collects the facts that an argument uses.
func Read(a *proof.Node) Facts {
	var f Facts
	note := func(i history.OpID) {
		if i >= 0 && !slices.Contains(f.Operations, i) {
			f.Operations = append(f.Operations, i)
		}
	}
	a.Each(func(s *proof.Step) {
		switch {
		case s.Axiom == proof.RT && !slices.Contains(f.Order, [2]history.OpID(s.Args)):
			f.Order = append(f.Order, [2]history.OpID(s.Args))
		case s.Axiom == proof.EDGE && !slices.Contains(f.Explicit, [2]history.OpID(s.Args)):
			f.Explicit = append(f.Explicit, [2]history.OpID(s.Args))
		}
		for _, i := range s.Operations() {
			note(i)
		}
		for _, l := range append(slices.Clone(s.Given), s.So) {
			switch l.Kind {
			case proof.OrderKind, proof.SourceKind:
				note(l.A)
				note(l.B)
			case proof.InKind, proof.ModeKind:
				note(l.A)
			}
		}
	})
	slices.Sort(f.Operations)
	return f
}

// Weakest drops whatever the argument for a weakening does not need: real-time facts that it does
// not use, then responses, then results of operations that it does not name. The verifier checks
// every step, so the argument also proves the weakening returned. The cost is one call of the
// verifier for each fact that is needed although it is not named, and a few more.
func Weakest(b *model.Instance, weakening *proof.Weakening, a *proof.Node) (*proof.Weakening, error) {
	if err := verify.Argument(b, weakening, a); err != nil {
		return nil, err
	}
	f := Read(a)
	best := *weakening
	best.Retain = make([]proof.Retained, b.Partition.Len())
	copy(best.Retain, weakening.Retain)
	accepted := func(c *proof.Weakening) bool { return verify.Argument(b, c, a) == nil }
	if order := best; true {
		order.SomeOrder, order.Order = true, f.Order
		if accepted(&order) {
			best = order
		}
	}
	var others, mine []history.OpID
	for i, o := range b.Partition.Ops {
		inside := !o.Pending() && o.Return <= weakening.Cut && o.Return >= weakening.From
		switch {
		case !inside || best.Retain[i] == proof.RetainCall || best.Retain[i] == proof.RetainNothing:
		case slices.Contains(f.Operations, history.OpID(i)):
			mine = append(mine, history.OpID(i))
		default:
			others = append(others, history.OpID(i))
		}
	}
	lower := func(ops []history.OpID, to proof.Retained) {
		var forget func(ops []history.OpID)
		forget = func(ops []history.OpID) {
			next := best
			next.Retain = slices.Clone(best.Retain)
			for _, i := range ops {
				next.Retain[i] = max(next.Retain[i], to)
			}
			switch {
			case len(ops) == 0:
			case accepted(&next):
				best = next
			case len(ops) > 1:
				forget(ops[:len(ops)/2])
				forget(ops[len(ops)/2:])
			}
		}
		forget(ops)
	}
	lower(others, proof.RetainCall)
	lower(others, proof.RetainResponse)
	// Of the operations named, those only need a call that nothing follows by their return.
	lower(mine, proof.RetainCall)
	return &best, nil
}

// RetainedOps lists the operations completed within the cuts of a weakening of which it retains at
// least so much.
func RetainedOps(b *model.Instance, weakening *proof.Weakening, least proof.Retained) []history.OpID {
	var out []history.OpID
	for i, o := range b.Partition.Ops {
		if o.Return != history.Never && o.Return <= weakening.Cut && o.Return >= weakening.From &&
			weakening.Of(history.OpID(i)) <= least {
			out = append(out, history.OpID(i))
		}
	}
	return out
}
