package sat

// Objects with their items, removals and peeks, and what real time implies about their order.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// collect builds the objects with their items, removals and peeks.
func (s *slots) collect() {
	b, t := s.b, s.theory
	objects, keys := s.instance.Objects()
	s.of, s.local = make([]model.ObjectID, b.Order.N), make([]int32, b.Order.N)
	s.objects = make([]*object, len(keys))
	for i, p := range s.instance.Partition.Ops {
		k := objects[i]
		if s.objects[k] == nil {
			s.objects[k] = &object{s: s}
			s.objects[k].start(t.Initial[t.Object[i]])
		}
		if o := s.objects[k]; !p.Pending() {
			o.called[t.Does[i]] = append(o.called[t.Does[i]], p.Call)
			o.returned[t.Does[i]] = append(o.returned[t.Does[i]], p.Return)
		}
	}
	for i, p := range b.Keep {
		o := s.objects[objects[p]]
		s.of[i] = objects[p]
		op, in, v := history.OpID(i), b.In[i], t.Value[p]
		switch t.Does[p] {
		case model.Insert:
			s.local[i] = int32(len(o.items))
			o.items = append(o.items, stored{op: op, value: v, in: in, drain: cnf.False})
		case model.Remove:
			s.local[i] = int32(len(o.removals))
			o.removals = append(o.removals, taking{op: op, value: v, in: in, empty: cnf.False})
		default:
			s.local[i] = int32(len(o.peeks))
			o.peeks = append(o.peeks, sight{op: op, value: v, in: in})
		}
	}
	for _, o := range s.objects {
		for does := range o.returned {
			slices.Sort(o.returned[does])
		}
	}
}

// start adds the initial items; the first is the next to leave.
func (o *object) start(initial []int32) {
	for p, v := range initial {
		age := int32(p)
		if o.s.theory.Discipline == model.LIFO {
			age = -age
		}
		o.items = append(o.items, stored{op: -1, age: age, value: v, in: cnf.True, drain: cnf.False})
	}
}

// earlier counts the completed operations of an action that returned before kept operation i was
// called; later counts those that were called after i returned.
func (o *object) earlier(does model.Action, i history.OpID) int32 {
	call := o.s.b.Order.Call[i]
	return int32(sort.Search(len(o.returned[does]), func(k int) bool { return o.returned[does][k] >= call }))
}

func (o *object) later(does model.Action, i history.OpID) int32 {
	ret := o.s.b.Order.Return[i]
	if ret == history.Never {
		return 0
	}
	n := len(o.called[does])
	return int32(n - sort.Search(n, func(k int) bool { return o.called[does][k] > ret }))
}

// before lists the literals "an operation of this action takes effect and comes before i", for the
// operations concurrent with i.
func (o *object) before(does model.Action, i history.OpID) []cnf.Lit {
	s, b := o.s, o.s.b
	var lits []cnf.Lit
	add := func(j history.OpID) {
		if s.objects[s.of[j]] != o || s.theory.Does[b.Keep[j]] != does {
			return
		}
		lits = append(lits, b.And(b.In[j], b.Order.Before(j, i)))
	}
	b.Index()
	for _, j := range b.Order.Open(i) {
		add(j)
	}
	for j := i + 1; j <= b.Order.Last[i]; j++ {
		add(j)
	}
	return lits
}
