package model

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
)

// DrainName stands for the name of a drain's operation: Info.Drain, whatever name the history uses.
const DrainName history.Value = -3

// Drained returns p with d more removals that are not in the history: after everything else,
// concurrent with each other, with unknown results. The caller decides what each of them must do.
// It is for partitions of one object.
func (p *Partition) Drained(d int) *Partition {
	keys := make([]history.Value, d)
	for k := range keys {
		keys[k] = history.NoKey
		if n := len(p.Ops); n > 0 {
			keys[k] = p.Ops[n-1].Key
		}
	}
	return p.Draining(keys)
}

// Draining is Drained with one removal for every key listed, on the object of that key.
func (p *Partition) Draining(keys []history.Value) *Partition {
	q := *p
	d := len(keys)
	q.Drains = d
	q.Ops = append(make([]history.Op, 0, len(p.Ops)+d), p.Ops...)
	end := p.End()
	for k, key := range keys {
		q.Ops = append(q.Ops, history.Op{F: DrainName, Key: key, Unknown: true,
			Call: end + history.Rank(k), Return: end + history.Rank(d+k)})
	}
	return &q
}

// End returns a rank after all calls and returns of the partition.
func (p *Partition) End() history.Rank {
	last := history.Rank(-1)
	for i := range p.Ops {
		o := &p.Ops[i]
		last = max(last, o.Call)
		if !o.Pending() {
			last = max(last, o.Return)
		}
	}
	return last + 1
}

// ObjectID numbers the objects of a partition, as Objects lists them.
type ObjectID int32

// Objects numbers the objects that the operations are on, keys ascending: those with different
// keys, unless keys name pieces of one object.
func (b *Instance) Objects() (object []ObjectID, keys []history.Value) {
	ops := b.Partition.Ops
	object = make([]ObjectID, len(ops))
	if len(ops) == 0 {
		return object, nil
	}
	if b.Spec.Info().KeyIsPiece {
		return object, []history.Value{history.NoKey}
	}
	for i := range ops {
		if i == 0 || ops[i].Key != ops[i-1].Key {
			keys = append(keys, ops[i].Key)
		}
	}
	keys = inorder.Distinct(keys)
	for i := range ops {
		if i > 0 && ops[i].Key == ops[i-1].Key {
			object[i] = object[i-1]
			continue
		}
		k, _ := slices.BinarySearch(keys, ops[i].Key)
		object[i] = ObjectID(k)
	}
	return object, keys
}

// LeftOver returns, by object in the order of Objects, how many items are left over at least and at
// most when the operations of order have taken effect: a removal whose result is unknown took
// something or nothing. No object holds less than nothing.
func (b *Instance) LeftOver(order []history.OpID) (least, most []int) {
	object, keys := b.Objects()
	least, most = make([]int, len(keys)), make([]int, len(keys))
	if b.Items.Delta == nil {
		return least, most
	}
	for k := range keys {
		least[k], most[k] = b.Items.Stored, b.Items.Stored
	}
	for _, i := range order {
		least[object[i]] += int(b.Items.Delta[i])
		if !b.Unsure(i) {
			most[object[i]] += int(b.Items.Delta[i])
		}
	}
	for k := range keys {
		least[k], most[k] = max(0, least[k]), max(0, most[k])
	}
	return least, most
}

// Unsure reports whether operation i is a removal that took an item or found nothing.
func (b *Instance) Unsure(i history.OpID) bool {
	return b.Items.Delta[i] < 0 && b.Partition.Ops[i].Unknown
}

// Keys returns the key of every object as often as amounts, in the order of Objects, say.
func (b *Instance) Keys(amounts []int) (all []history.Value) {
	_, keys := b.Objects()
	for k, n := range amounts {
		for range n {
			all = append(all, keys[k])
		}
	}
	return all
}
