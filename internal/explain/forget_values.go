package explain

// Forgetting whole values of a collection: all operations on a value, and what it holds of it at
// the start. A collection from which a value and everything about it is missing is the same
// collection without that value.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// values forgets all operations of values of a collection, with what it holds of them at the start,
// then of operations that found nothing. It returns the weakening of the facts alone.
func (f *finder) values(claim *proof.Weakening) (least *proof.Weakening) {
	weak, left, err := Weaken(f.b, claim)
	if err != nil {
		f.doubt("some facts cannot be forgotten alone: " + err.Error())
		return claim
	}
	t := weak.Theory.(*model.CollectionTheory)
	type value struct{ object, v int32 }
	groups := map[value][]history.OpID{}
	var keys []value
	var single []history.OpID // operations that found nothing
	for k, i := range left {
		v := value{t.Object[k], t.Value[k]}
		switch {
		case v.v == model.Anything && !weak.Partition.Ops[k].Pending():
			return f.responses(claim) // it may have taken any of the values: none can be left out
		case v.v == model.Nothing:
			single = append(single, i)
		}
		if v.v < 0 {
			continue
		}
		if groups[v] == nil {
			keys = append(keys, v)
		}
		groups[v] = append(groups[v], i)
	}
	f.drop(len(keys), func(k int) {
		for _, i := range groups[keys[k]] {
			claim.Retain[i] = proof.RetainNothing
		}
	}, claim)
	f.drop(len(single), func(k int) { claim.Retain[single[k]] = proof.RetainNothing }, claim)
	for _, k := range keys {
		if claim.Retain[groups[k][0]] != proof.RetainNothing {
			f.keep(ValueFact, groups[k]...)
		}
	}
	for _, i := range single {
		if claim.Retain[i] == proof.RetainAll {
			f.keep(EmptyFact, i)
		}
	}
	return claim
}
