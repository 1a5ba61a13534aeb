package explain

import (
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Values that contradict each other by themselves.
//
// What: where all operations on a value may be left out (Instance.Contents), one value, or two
// whose lifetimes overlap, usually suffice for a refutation. Each value is tried alone, then
// together with each of the next few.
//
// Why: leaving out values one at a time asks about histories nearly as long as the whole, which may
// be hard to decide. Two values alone are decided immediately, wherever they occur in the history.
//
// Cost: a few operations for each value and neighbour.

// lifetime is when operations on a value are open.
type lifetime struct {
	value       int32
	first, last history.Rank // call and return
	ops         []history.OpID
}

// fewValues looks for one or two values whose operations alone are refuted. It reports whether it
// found them; the weakening then leaves out the others.
func (f *finder) fewValues(weakening *proof.Weakening) bool {
	lives, wild, ok := f.lifetimes()
	if !ok {
		return false
	}
	ctx, stop := context.WithTimeout(f.ctx, lookForValues)
	defer stop()
	for k := range lives {
		for n := range neighbours + 1 {
			if ctx.Err() != nil {
				return false
			}
			named := lives[k : k+1]
			if n > 0 {
				if k+n >= len(lives) || lives[k+n].first > lives[k].last {
					break
				}
				named = []lifetime{lives[k], lives[k+n]}
			}
			if f.refutedAlone(ctx, named, wild) {
				few := *weakening
				few.Retain = slices.Clone(weakening.Retain)
				if f.keepOnly(&few, named); !f.refuted(&few) {
					return false
				}
				*weakening = few
				return true
			}
		}
	}
	return false
}

// lifetimes lists the values of the partition by the first call of an operation on them, and the
// pending operations that may be on any of them. It rejects partitions in which values cannot be
// left out.
func (f *finder) lifetimes() (lives []lifetime, wild []history.OpID, ok bool) {
	p := f.b.Partition
	moves := f.b.Contents()
	if moves == nil || len(moves.Initial[0]) > 0 || len(p.Edges) > 0 {
		return nil, nil, false
	}
	at := map[int32]int{}
	removed := map[int32]bool{}
	for i := range p.Ops {
		v := moves.Value[i]
		if v == model.Anything {
			if !p.Ops[i].Pending() {
				return nil, nil, false
			}
			wild = append(wild, history.OpID(i))
		}
		if v < 0 || f.base[i] != proof.RetainAll {
			continue
		}
		k, known := at[v]
		if !known {
			k = len(lives)
			at[v] = k
			lives = append(lives, lifetime{value: v, first: p.Ops[i].Call})
		}
		lives[k].ops = append(lives[k].ops, history.OpID(i))
		lives[k].last = max(lives[k].last, p.Ops[i].Return)
		removed[v] = removed[v] || f.b.Items.Delta != nil && f.b.Items.Delta[i] < 0
	}
	for k := range lives {
		if !removed[lives[k].value] { // it stays
			lives[k].last = 1<<31 - 1
		}
	}
	sort.Slice(lives, func(x, y int) bool { return lives[x].first < lives[y].first })
	return lives, wild, true
}

// refutedAlone reports whether the operations on some values, with those in wild, are refuted
// without all others.
func (f *finder) refutedAlone(ctx context.Context, named []lifetime, wild []history.OpID) bool {
	var ops []history.OpID
	last := history.Rank(-1)
	for _, l := range named {
		ops = append(ops, l.ops...)
	}
	for _, i := range ops {
		if o := &f.b.Partition.Ops[i]; !o.Pending() {
			last = max(last, o.Return)
		}
	}
	enough := map[int32]int{} // by kind: as many as could take something, the first ones called
	most := len(ops)
	for _, i := range wild {
		if kind := f.b.EquivID[i]; f.b.Partition.Ops[i].Call < last && enough[kind] < most {
			ops = append(ops, i)
			enough[kind]++
		}
	}
	slices.Sort(ops)
	few, err := f.b.Spec.Bind(f.b.Partition.Select(ops, f.b.Partition.Name))
	if err != nil {
		return false
	}
	f.core.Calls++
	return f.decide(ctx, few) == engine.NotLinearizable
}

// keepOnly leaves out all operations but those on some values, and those that may be about any.
func (f *finder) keepOnly(weakening *proof.Weakening, named []lifetime) {
	kept := map[int32]bool{model.Anything: true}
	for _, l := range named {
		kept[l.value] = true
	}
	for i, v := range f.b.Contents().Value {
		if !kept[v] {
			weakening.Retain[i] = proof.RetainNothing
		}
	}
}
