package explain

// A prefix refuted by few operations.
//
// What: whether the operations on some values, with those that are open at the cut, refute a prefix
// of a collection. Open ones may find anything, so they all count. The values are those that a
// refutation names, or these with the values that were put in next to them: an open removal can
// take away one value that is in the way, and not one more than there are open removals.
//
// Invariant: a legal sequence stays legal without all operations on some values, and without those
// that found nothing; so if these few are refuted, the prefix is. It may be refuted by others.
//
// Cost: a few passes over the operations, and the decision about the few.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// chosen are values of a collection, by object.
type chosen struct {
	t      *model.CollectionTheory
	some   []bool // by value: chosen in some object
	chosen map[model.Stored]bool
}

func (c *chosen) add(i history.OpID) {
	if v := c.t.Value[i]; v >= 0 {
		for int(v) >= len(c.some) {
			c.some = append(c.some, make([]bool, int(v)+1-len(c.some))...)
		}
		c.some[v], c.chosen[c.t.Stored(i)] = true, true
	}
}

func (c *chosen) has(i history.OpID) bool {
	v := c.t.Value[i]
	return v >= 0 && int(v) < len(c.some) && c.some[v] && c.chosen[c.t.Stored(i)]
}

// sure reports whether the prefix of b's partition at a cut is refuted by the operations on the
// values of the named ones, or by these and their neighbours. It may be false although the prefix
// is refuted.
func (l *locating) sure(ctx context.Context, b *model.Instance, named []history.OpID, cut history.Rank) bool {
	t, p := b.Taken(), b.Partition
	if t == nil || model.As[*model.BoundedQueueTheory](b) != nil || len(p.Edges)+len(p.Demands) > 0 ||
		slices.ContainsFunc(t.Initial, func(items []int32) bool { return len(items) > 0 }) {
		return false
	}
	c := &chosen{t: t, chosen: map[model.Stored]bool{}}
	for _, i := range named {
		c.add(i)
	}
	few, ok := l.fewAt(b, c, named, cut)
	if !ok {
		return false
	}
	if l.refuted(ctx, b, few, cut) {
		return true
	}
	if !l.addNeighbours(b, c, named, cut) {
		return false
	}
	few, ok = l.fewAt(b, c, named, cut)
	return ok && len(few) <= maxGuessed && l.refuted(ctx, b, few, cut)
}

// refuted decides the prefix of these operations with little effort.
func (l *locating) refuted(ctx context.Context, b *model.Instance, few []history.OpID, cut history.Rank) bool {
	bound, err := engine.Bind(l.spec, b.Partition.Select(few, b.Partition.Name).Prefix(cut))
	return err == nil && l.Weakened(ctx, &engine.Task{Instance: bound}, l.budget) == engine.NotLinearizable
}

// fewAt lists the operations on the chosen values, those that are open at the cut, and of those
// that found nothing the named ones. ok is false if others may be on the values.
func (l *locating) fewAt(b *model.Instance, c *chosen, named []history.OpID, cut history.Rank) (few []history.OpID,
	ok bool) {
	p := b.Partition
	for k := range p.Ops[:p.Called(cut)] {
		switch i := history.OpID(k); {
		case p.Ops[k].Return > cut || c.has(i):
			few = append(few, i)
		case c.t.Value[i] == model.Nothing:
			if slices.Contains(named, i) {
				few = append(few, i)
			}
		case c.t.Value[i] < 0:
			return nil, false
		}
	}
	return few, true
}

// addNeighbours chooses values that are inside at the cut and were put in next to the named ones,
// on each side as many as there are open removals, and one more. It reports whether there are any.
func (l *locating) addNeighbours(b *model.Instance, c *chosen, named []history.OpID, cut history.Rank) (more bool) {
	p := b.Partition
	n, most, open := p.Called(cut), int32(-1), 0
	for _, v := range c.t.Value[:n] {
		most = max(most, v)
	}
	gone := make([]bool, most+1)
	for k := range p.Ops[:n] {
		switch v := c.t.Value[k]; {
		case c.t.Does[k] != model.Remove:
		case p.Ops[k].Return > cut:
			open++
		case v >= 0:
			gone[v] = true
		}
	}
	for _, i := range named {
		if int(i) >= n || c.t.Does[i] != model.Insert {
			continue
		}
		for _, step := range [...]int{-1, 1} {
			left := open + 1
			for k := int(i) + step; k >= 0 && k < n && left > 0; k += step {
				v := c.t.Value[k]
				if c.t.Does[k] == model.Insert && v >= 0 && !gone[v] && p.Ops[k].Return <= cut &&
					c.t.Object[k] == c.t.Object[i] && !c.has(history.OpID(k)) {
					c.add(history.OpID(k))
					left, more = left-1, true
				}
			}
		}
	}
	return more
}
