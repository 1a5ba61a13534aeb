package explain

// Dropping whole values of a collection: all operations on a value, and its occurrences in the
// initial contents. The remaining operations behave as if the value had never been there.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// values drops all operations on some values of a collection, with these values in the initial
// contents, then operations that found it empty. It returns the weakening that retains the facts
// alone.
func (f *finder) values(weakening *proof.Weakening) (least *proof.Weakening) {
	weak, left, err := Weaken(f.b, weakening)
	if err != nil {
		f.doubt("some facts cannot be forgotten alone: " + err.Error())
		return weakening
	}
	t := weak.Theory.(*model.CollectionTheory)
	groups := map[model.Stored][]history.OpID{}
	var keys []model.Stored
	var single []history.OpID // operations that found nothing
	for k, i := range left {
		v := t.Stored(history.OpID(k))
		switch {
		case v.Value == model.Anything && !weak.Partition.Ops[k].Pending():
			return f.responses(weakening) // it may have taken any value
		case v.Value == model.Nothing:
			single = append(single, i)
		}
		if v.Value < 0 {
			continue
		}
		if groups[v] == nil {
			keys = append(keys, v)
		}
		groups[v] = append(groups[v], i)
	}
	f.drop(len(keys), func(k int) {
		for _, i := range groups[keys[k]] {
			weakening.Retain[i] = proof.RetainNothing
		}
	}, weakening)
	f.drop(len(single), func(k int) { weakening.Retain[single[k]] = proof.RetainNothing }, weakening)
	for _, k := range keys {
		if weakening.Retain[groups[k][0]] != proof.RetainNothing {
			f.keep(ValueFact, groups[k]...)
		}
	}
	for _, i := range single {
		if weakening.Retain[i] == proof.RetainAll {
			f.keep(EmptyFact, i)
		}
	}
	return weakening
}
