package cnf

// Witnesses: the order of the operations that take effect, read from a model. A model that is not a
// total order, or that contradicts real time, is a bug of the solver and an error.

import (
	"fmt"
	"sort"

	"github.com/linsat/linsat/history"
)

// Holds reports whether a literal holds in the model.
func (b *Builder) Holds(l Lit) bool { return l == True || l != False && b.solver.Value(l) }

// Witness returns the operations that take effect, by position in the partition, in their order.
func (b *Builder) Witness() ([]history.OpID, error) {
	holds, o := b.Holds, b.Order
	all := make([]history.OpID, o.N)
	for i := range all {
		all[i] = history.OpID(i)
	}
	sort.SliceStable(all, func(x, y int) bool { return all[x] != all[y] && holds(o.Before(all[x], all[y])) })
	place := make([]int32, o.N)
	for k, i := range all {
		place[i] = int32(k)
	}
	for a := o.N - 1; a >= 0; a-- {
		for c := a + 1; c <= o.Last[a]; c++ {
			if holds(o.Before(a, c)) != (place[a] < place[c]) {
				return nil, fmt.Errorf("the solver returned an invalid model: it is not a total order")
			}
		}
	}
	// Real time: no operation may come before one that returned before its call.
	first := o.N // the earliest to return of those that come later
	for k := o.N - 1; k >= 0; k-- {
		i := all[k]
		if first < o.N && o.Return[first] < o.Call[i] {
			return nil, fmt.Errorf("the solver returned an invalid model: it contradicts real time")
		}
		if first == o.N || o.Return[i] < o.Return[first] {
			first = i
		}
	}
	var w []history.OpID
	for _, i := range all {
		if holds(b.In[i]) {
			w = append(w, b.Keep[i])
		}
	}
	return w, nil
}
