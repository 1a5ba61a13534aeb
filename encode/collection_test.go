package encode

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/model"
)

// collectionKind is a family of histories of collections.
type collectionKind struct {
	name       string
	discipline model.Discipline
	objects    int
	values     int // how many different ones; 0: distinct
	peeks      bool
	initial    bool
	pending    []float64
	unknown    float64 // completed operations whose result is unknown
}

func collectionKinds() []collectionKind {
	var kinds []collectionKind
	for _, d := range []model.Discipline{model.FIFO, model.LIFO, model.ByPriority} {
		name := [...]string{"queue", "stack", "priority queue"}[d]
		kinds = append(kinds,
			collectionKind{name: name + " distinct", discipline: d, objects: 1, pending: []float64{0}},
			collectionKind{name: name + " peeks", discipline: d, objects: 1, pending: []float64{0, 0.2}, peeks: true,
				initial: true},
			collectionKind{name: name + " repeated", discipline: d, objects: 1, values: 2, pending: []float64{0, 0.2},
				peeks: true, initial: true},
			collectionKind{name: name + " one value", discipline: d, objects: 1, values: 1, pending: []float64{0, 0.3},
				unknown: 0.1, peeks: true, initial: true},
			collectionKind{name: name + " three values", discipline: d, objects: 1, values: 3,
				pending: []float64{0, 0.3}},
			collectionKind{name: name + " pending", discipline: d, objects: 1, pending: []float64{0.2, 0.5},
				peeks: true},
			collectionKind{name: name + " unknown", discipline: d, objects: 1, values: 3, pending: []float64{0, 0.2},
				unknown: 0.2, initial: true, peeks: true},
			collectionKind{name: name + " two objects", discipline: d, objects: 2, values: 3,
				pending: []float64{0, 0.3}, unknown: 0.1, initial: true, peeks: true},
		)
	}
	return kinds
}

func randomCollection(r *rand.Rand, k collectionKind) (*model.Instance, func(i int) string) {
	n := size(r)
	tm := newTiming(r, n, 1+r.IntN(2*n), k.pending[r.IntN(len(k.pending))], 0.2)
	c := &model.CollectionTheory{Discipline: k.discipline, Object: make([]model.CellID, n),
		Does:    make([]model.Action, n),
		Value:   make([]int32, n),
		Initial: make([][]int32, k.objects)}
	fresh := int32(0)
	value := func() int32 {
		if k.values > 0 {
			return r.Int32N(int32(k.values))
		}
		fresh++
		return fresh - 1
	}
	c.Values = k.values + 2*n + 8
	for v := range c.Values {
		c.Rank = append(c.Rank, int64((v*5)%7))
	}
	state := make([][]int32, k.objects) // in order of insertion
	if k.initial {
		for o := range c.Initial {
			for range r.IntN(3) {
				v := value()
				c.Initial[o] = append(c.Initial[o], v)
				if k.discipline == model.LIFO {
					state[o] = append([]int32{v}, state[o]...)
				} else {
					state[o] = append(state[o], v)
				}
			}
		}
	}
	next := func(s []int32) int {
		switch k.discipline {
		case model.FIFO:
			return 0
		case model.LIFO:
			return len(s) - 1
		}
		best := 0
		for i, v := range s {
			if c.Rank[v] < c.Rank[s[best]] {
				best = i
			}
		}
		return best
	}
	for i := range c.Object {
		c.Object[i] = model.CellID(r.Int32N(int32(k.objects)))
		switch x := r.IntN(10); {
		case x < 5:
			c.Does[i] = model.Insert
		case x < 7 && k.peeks:
			c.Does[i] = model.Peek
		default:
			c.Does[i] = model.Remove
		}
		if c.Does[i] == model.Insert {
			c.Value[i] = value()
		} else {
			c.Value[i] = model.Nothing
		}
	}
	for _, i := range tm.real {
		s := &state[c.Object[i]]
		switch {
		case c.Does[i] == model.Insert:
			*s = append(*s, c.Value[i])
		case len(*s) > 0:
			at := next(*s)
			c.Value[i] = (*s)[at]
			if c.Does[i] == model.Remove {
				*s = append(append([]int32(nil), (*s)[:at]...), (*s)[at+1:]...)
			}
		}
	}
	for i := range c.Does {
		if c.Does[i] == model.Insert {
			continue
		}
		switch {
		case tm.part.Ops[i].Pending() || r.Float64() < k.unknown:
			c.Value[i] = model.Anything
			tm.part.Ops[i].Unknown = true
		case r.IntN(2*n) == 0:
			j := r.IntN(n)
			if c.Does[j] != model.Insert && c.Value[j] != model.Anything {
				c.Value[i], c.Value[j] = c.Value[j], c.Value[i]
			}
		case r.IntN(4*n) == 0:
			c.Value[i] = model.Nothing
		case r.IntN(8*n) == 0:
			c.Value[i] = r.Int32N(int32(c.Values))
		}
	}
	show := func(i int) string {
		return fmt.Sprintf("%s %d on %d of %v", [...]string{"insert", "remove", "peek"}[c.Does[i]], c.Value[i],
			c.Object[i], c.Initial)
	}
	return &model.Instance{Partition: tm.part, Theory: c, EquivID: sigs(n, show), NewMachine: func() model.Machine {
		return collectionMachine(c)
	}}, show
}

func TestCollectionsAgreeWithTheDefinition(t *testing.T) {
	for _, k := range collectionKinds() {
		t.Run(k.name, func(t *testing.T) {
			compare(t, func(r *rand.Rand) (*model.Instance, func(int) string) { return randomCollection(r, k) })
		})
	}
}
