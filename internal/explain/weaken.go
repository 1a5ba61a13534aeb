package explain

import (
	"errors"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// Weaken applies a weakening to b's partition and binds the result, for engines to decide. Where
// order is dropped, all operations overlap and the retained order becomes edges. Weakenings that
// drop the past or the start have no such partition: every state and every subset of the open
// operations would have to be tried. left maps positions in the result to positions in b's
// partition.
func Weaken(b *model.Instance, weakening *proof.Weakening) (weak *model.Instance, left []history.OpID, err error) {
	if weakening.From > 0 || weakening.AnyStart || weakening.View != 0 {
		return nil, nil, errors.New("a weakening to any past or start, or to a view, cannot be bound")
	}
	p := b.Partition
	for i := range p.Ops {
		if p.Ops[i].Call > weakening.Cut {
			break
		}
		if weakening.Of(history.OpID(i)) != proof.RetainNothing {
			left = append(left, history.OpID(i))
		}
	}
	var out *model.Partition
	if len(left) < len(p.Ops) {
		out = p.Select(left, p.Name)
	} else {
		all := *p
		all.Ops = slices.Clone(p.Ops)
		out = &all
	}
	for k, i := range left {
		o := &out.Ops[k]
		kept := weakening.Of(i)
		if o.Return > weakening.Cut {
			kept = proof.RetainCall
		}
		switch kept {
		case proof.RetainResponse:
			o.Result, o.Unknown = history.Nil, true
		case proof.RetainCall:
			o.Return, o.Result, o.Unknown = history.Never, history.Nil, true
		}
	}
	if weakening.SomeGiven {
		kept := map[history.Edge]bool{}
		for _, e := range weakening.Given {
			kept[history.Edge{Before: e[0], After: e[1]}] = true
		}
		out.Edges = slices.DeleteFunc(slices.Clone(out.Edges), func(e history.Edge) bool {
			return !kept[history.Edge{Before: left[e.Before], After: left[e.After]}]
		})
	}
	if weakening.SomeOrder {
		unorder(out, left, weakening.Order)
	}
	held, gone, err := dropItems(b, weakening, out, left)
	if err != nil {
		return nil, nil, err
	}
	if weak, err = b.Spec.Bind(out); err != nil {
		return nil, nil, err
	}
	if gone > 0 {
		if held != items(weak.Theory.(*model.CollectionTheory))+gone {
			return nil, nil, errors.New("the initial contents do not say which of them an operation is about")
		}
	}
	return weak, left, nil
}

func items(t *model.CollectionTheory) int {
	n := 0
	for _, held := range t.Initial {
		n += len(held)
	}
	return n
}

// dropItems takes out of the initial contents of a collection the values of which all operations
// are forgotten. It returns how many items the objects of the kept operations held, and how many of
// these are gone: other objects are gone with their operations.
func dropItems(b *model.Instance, weakening *proof.Weakening, out *model.Partition, kept []history.OpID) (held,
	gone int, err error) {
	t, ok := b.Theory.(*model.CollectionTheory)
	if !ok || items(t) == 0 {
		return 0, 0, nil
	}
	left, err := verify.GoneItems(b, weakening)
	if err != nil || left == nil {
		return 0, 0, err
	}
	remains := make([]bool, len(t.Initial))
	for _, i := range kept {
		if o := t.Object[i]; !remains[o] {
			remains[o] = true
			held += len(t.Initial[o])
		}
	}
	named := map[history.Value]bool{}
	for o := range left { // objects that are called only after the cut are not among them
		for k, v := range t.Initial[o] {
			if !left[o][k] || !remains[o] {
				continue
			}
			gone++
			for i := range b.Partition.Ops {
				switch x := &b.Partition.Ops[i]; {
				case t.Object[i] != model.CellID(o) || t.Value[i] != v:
				case t.Does[i] == model.Insert:
					named[x.Arg] = true
				default:
					named[x.Result] = true
				}
			}
		}
	}
	if gone == 0 {
		return held, 0, nil
	}
	list := out.Contents
	if !out.HasContents {
		list, _ = b.Partition.History.Values.AsList(out.Initial)
	}
	out.Contents, out.HasContents = slices.DeleteFunc(slices.Clone(list), func(v history.Value) bool {
		return named[v]
	}), true
	return held, gone, nil
}

// unorder makes all operations of p overlap, apart from pending ones' open ends and the given pairs
// of positions in the original partition.
func unorder(p *model.Partition, left []history.OpID, order [][2]history.OpID) {
	n := history.Rank(len(p.Ops))
	at := map[history.OpID]history.OpID{}
	for k, i := range left {
		at[i] = history.OpID(k)
	}
	for k := range p.Ops {
		o := &p.Ops[k]
		o.Call = history.Rank(k)
		if !o.Pending() {
			o.Return = n + history.Rank(k)
		}
	}
	edges := append([]history.Edge(nil), p.Edges...)
	for _, e := range order {
		before, ok := at[e[0]]
		after, also := at[e[1]]
		if ok && also && !p.Ops[before].Pending() { // without its return there is no such fact
			edges = append(edges, history.Edge{Before: before, After: after})
		}
	}
	p.Edges = sortedEdges(edges)
}
