package explain

// Do the initial contents of a collection or a log matter?
//
// What: the initial contents that a history states are a fact of a core if other contents explain
// what the core retains. There are infinitely many alternatives. Those tried are: no contents;
// sequences of the values that the retained operations find, the short ones first; and all of these
// values, in the order in which they are found and in reverse.
//
// Limits: maxContents sequences, and only values that occur in the operations.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// otherContents reports whether some other initial contents explain a weakened partition of a
// collection.
func (f *finder) otherContents(weakening *proof.Weakening, t *model.CollectionTheory) bool {
	weak, _, err := Weaken(f.b, weakening)
	if err != nil {
		return false
	}
	var found, all []history.Value
	for i := range weak.Partition.Ops {
		o := &weak.Partition.Ops[i]
		if weak.Theory.(*model.CollectionTheory).Does[i] == model.Insert || o.Unknown || o.Result == history.Nil {
			continue
		}
		all = append(all, o.Result)
		if !slices.Contains(found, o.Result) {
			found = append(found, o.Result)
		}
	}
	back := slices.Clone(all)
	slices.Reverse(back)
	return f.explainedFrom(weak, append(sequences(found), all, back))
}

// otherStart reports whether some other initial contents explain a weakened partition of a log:
// sequences of what its reads found, or of its arguments where they found nothing.
func (f *finder) otherStart(weak *model.Instance) bool {
	values := weak.Partition.History.Values
	var found, args []history.Value
	var tries [][]history.Value
	for i := range weak.Partition.Ops {
		o := &weak.Partition.Ops[i]
		if list, ok := values.AsList(o.Result); ok && !o.Unknown {
			tries = append(tries, list)
			found = append(found, list...)
		} else if o.Arg != history.Nil {
			args = append(args, o.Arg)
		}
	}
	if len(found) == 0 {
		found = args
	}
	found = inorder.Distinct(found)
	for n := 1; len(found) > 0 && n < maxContents; n++ {
		tries = append(tries, slices.Repeat(found[:1], n))
	}
	return f.explainedFrom(weak, append(sequences(found), tries...))
}

// sequences lists about maxContents sequences of some values, the short ones first.
func sequences(values []history.Value) [][]history.Value {
	tries := [][]history.Value{nil}
	for at := 0; at < len(tries) && len(tries) < maxContents; at++ {
		for _, v := range values {
			tries = append(tries, append(slices.Clip(tries[at]), v))
		}
	}
	return tries
}

// explainedFrom reports whether a partition is known to be linearizable from some of the given
// contents.
func (f *finder) explainedFrom(weak *model.Instance, tries [][]history.Value) bool {
	for _, contents := range tries {
		p := *weak.Partition
		p.Contents, p.HasContents = contents, true
		b, err := f.b.Spec.Bind(&p)
		if err != nil {
			continue
		}
		f.core.Calls++
		if f.decide(f.ctx, b) == engine.Linearizable {
			return true
		}
		if f.ctx.Err() != nil {
			return false
		}
	}
	return false
}
