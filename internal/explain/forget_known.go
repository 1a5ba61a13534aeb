package explain

// Further cores: the facts of the known ones are dropped from the start.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// leaveOut removes some facts from the base and from the initial weakening. It reports whether this
// is possible.
func (f *finder) leaveOut(without []Fact, weakening *proof.Weakening) bool {
	_, collection := f.b.Theory.(*model.CollectionTheory)
	for _, fact := range without {
		switch fact.Kind {
		case InitialFact:
			if collection || f.b.Axiomatic() == nil || f.fromInit() {
				return false
			}
			weakening.AnyStart = true
		case GivenFact:
			if !weakening.SomeGiven {
				weakening.SomeGiven = true
				for _, e := range f.b.Partition.Edges {
					weakening.Given = append(weakening.Given, [2]history.OpID{e.Before, e.After})
				}
			}
			weakening.Given = slices.DeleteFunc(weakening.Given, func(e [2]history.OpID) bool {
				return e == [2]history.OpID{fact.Operations[0], fact.Operations[1]}
			})
		}
		for _, i := range fact.Operations {
			f.base[i] = max(f.base[i], proof.RetainCall)
		}
	}
	if values := f.wholeValues(); values != nil {
		try := *weakening
		try.Retain = values
		if f.canLeave(&try) {
			f.base = values
		}
	}
	return true
}

// wholeValues returns the base without all operations on any value of which the base weakens an
// operation, and without the weakened operations that found the collection empty. It returns nil
// where the partition has no values.
func (f *finder) wholeValues() []proof.Retained {
	t, ok := f.b.Theory.(*model.CollectionTheory)
	if !ok {
		t = f.b.Contents()
	}
	if t == nil {
		return nil
	}
	gone := map[model.Stored]bool{}
	for i, k := range f.base {
		if k != proof.RetainAll && t.Value[i] >= 0 {
			gone[t.Stored(history.OpID(i))] = true
		}
	}
	values := slices.Clone(f.base)
	for i := range values {
		// it would see that values are missing
		counts := len(gone) > 0 && f.b.CountsValues(history.OpID(i))
		if counts || t.Value[i] >= 0 && gone[t.Stored(history.OpID(i))] || t.Value[i] == model.Nothing &&
			values[i] != proof.RetainAll {
			values[i] = proof.RetainNothing
		}
	}
	return values
}

// canLeave reports whether operations may be left out as a weakening says.
func (f *finder) canLeave(weakening *proof.Weakening) bool {
	var err error
	if f.b.Axiomatic() == nil {
		_, _, err = verify.Left(f.b, weakening)
	} else {
		_, err = verify.Window(f.b, weakening)
	}
	return err == nil
}
