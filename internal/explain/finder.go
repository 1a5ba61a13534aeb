package explain

// The finder of a core extends a weakening step by step. At each step it asks the engines, a search
// over registers, or the prover whether the rest is still a violation.
//
// Invariant: a fact is kept if it could not be decided within the limits whether the rest is
// refuted without it; the core is then not called minimal (doubt).

import (
	"cmp"
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
)

type finder struct {
	ctx    context.Context
	b      *model.Instance
	decide Decide
	judge  func(*proof.Weakening) bool // decides instead; nil for none
	core   Core
	base   []proof.Retained // what is forgotten from the start
	// the last weakening that was proved, for when there is no time for a better one
	inHand *proved
	// the last weakening of which a window was looked at, and what base.Weakened makes of it: the
	// next one often differs only in what that does not look at
	weakening proof.Weakening
	weak      *model.Instance
}

// proved is a weakening with its argument.
type proved struct {
	weakening proof.Weakening
	argument  *proof.Node
}

// refuted reports whether the weakening is known to be refuted.
func (f *finder) refuted(weakening *proof.Weakening) bool {
	if f.ctx.Err() != nil {
		f.doubt("the time was up")
		return false
	}
	if f.judge != nil {
		return f.judge(weakening)
	}
	if weakening.From > 0 || weakening.AnyStart || weakening.SomeOrder || weakening.View != 0 {
		if w, err := f.window(weakening); err == nil {
			if yes, known := explains(f.ctx, w); known {
				return !yes
			}
			if (w.Unknown || weakening.View != 0) && len(w.Partition.Ops)-count(w.Gone) > maxWindow {
				f.doubt(limited)
				return false
			}
		}
		return f.proved(weakening, searchNodes) != nil
	}
	weak, _, err := Weaken(f.b, weakening)
	if err != nil {
		f.doubt("some facts cannot be forgotten alone: " + err.Error())
		return false
	}
	f.core.Calls++
	switch f.decide(f.ctx, weak) {
	case engine.NotLinearizable:
		return true
	case engine.Unknown:
		f.doubt(limited)
	}
	return false
}

// proved asks the prover.
func (f *finder) proved(weakening *proof.Weakening, nodes int) *proof.Node {
	proof, err := f.prove(weakening, nodes)
	switch {
	case err != nil:
		return nil
	case proof.Argument == nil && proof.Cause != engine.Undecided:
		f.doubt(limited)
		f.core.NoArgument = "the prover stopped: " + proof.Cause.String()
		if proof.Detail != "" {
			f.core.NoArgument = proof.Detail
		}
	}
	f.hold(weakening, proof.Argument)
	return proof.Argument
}

// hold stores a weakening that was proved.
func (f *finder) hold(weakening *proof.Weakening, argument *proof.Node) {
	if argument != nil {
		f.inHand = &proved{*weakening, argument}
		f.inHand.weakening.Retain, f.inHand.weakening.Order = slices.Clone(weakening.Retain),
			slices.Clone(weakening.Order)
	}
}

// attempt asks the prover for an argument that the core can do without.
func (f *finder) attempt(weakening *proof.Weakening, nodes int) *proof.Node {
	proof, err := f.prove(weakening, nodes)
	if err != nil {
		return nil
	}
	return proof.Argument
}

// prove is Prove.
func (f *finder) prove(weakening *proof.Weakening, nodes int) (Proof, error) {
	f.core.Proofs++
	if f.b.Axiomatic() == nil && weakening.View == 0 {
		return Prove(f.ctx, f.b, weakening, nodes)
	}
	w, err := f.window(weakening)
	if err != nil {
		return Proof{}, err
	}
	return proveIn(f.ctx, w, nodes)
}

// window is verify.Window.
func (f *finder) window(weakening *proof.Weakening) (*proof.Window, error) {
	last := &f.weakening
	same := f.weak != nil && last.Cut == weakening.Cut && last.SomeGiven == weakening.SomeGiven &&
		slices.Equal(last.Given, weakening.Given) &&
		(last.Retain == nil) == (weakening.Retain == nil) && slices.Equal(last.Retain, weakening.Retain)
	if !same {
		weak, err := base.Weakened(f.b, weakening)
		if err != nil {
			return nil, err
		}
		f.weak = weak
		*last = proof.Weakening{Cut: weakening.Cut, SomeGiven: weakening.SomeGiven,
			Given: slices.Clone(weakening.Given), Retain: slices.Clone(weakening.Retain)}
	}
	return verify.WindowOf(f.b, f.weak, weakening)
}

// doubt records why the core may not be minimal.
func (f *finder) doubt(why string) {
	f.core.Minimal, f.core.NotMinimal = false, why
	f.core.lasting = f.core.lasting || why != limited
}

// limited is why a core may not be minimal where more effort may tell.
const limited = "some facts could not be tried within the limits"

// drop forgets as many of n facts as it can: in blocks of half of them, a quarter, and so on down
// to one. forget drops one fact by changing weakening.Keep.
func (f *finder) drop(n int, forget func(k int), weakening *proof.Weakening) {
	kept := make([]int, n)
	for k := range kept {
		kept[k] = k
	}
	for size := max(1, n/2); n > 0; size /= 2 {
		if f.ctx.Err() != nil {
			f.doubt("the time was up")
			return
		}
		for at := 0; at < len(kept); {
			end := min(at+size, len(kept))
			before := slices.Clone(weakening.Retain)
			for _, k := range kept[at:end] {
				forget(k)
			}
			if f.refuted(weakening) {
				kept = slices.Delete(kept, at, end)
				continue
			}
			weakening.Retain = before
			at = end
		}
		if size <= 1 {
			break
		}
	}
}

// completed lists the operations that returned within the window of the weakening and are retained
// with their results, the latest first.
func (f *finder) completed(weakening *proof.Weakening) []history.OpID {
	var ops []history.OpID
	for i := range f.b.Partition.Ops {
		if o := &f.b.Partition.Ops[i]; weakening.Retain[i] == proof.RetainAll && o.Return <= weakening.Cut &&
			!o.Pending() && o.Return >= weakening.From {
			ops = append(ops, history.OpID(i))
		}
	}
	slices.SortFunc(ops, func(x, y history.OpID) int {
		return cmp.Compare(f.b.Partition.Ops[x].Return, f.b.Partition.Ops[y].Return)
	})
	return ops
}

func count(flags []bool) int {
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}
