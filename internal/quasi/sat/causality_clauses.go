package sat

// Causality: in ρ′ no value is removed before it is inserted.

import (
	"slices"

	"github.com/linsat/linsat/internal/cnf"
)

// causal adds that in ρ′ no value is removed before it is inserted.
func (o *object) causal() {
	s, b := o.s, o.s.b
	if !s.question.Causal {
		return
	}
	copies := map[int32][]int32{}
	for x := range o.items {
		copies[o.items[x].value] = append(copies[o.items[x].value], int32(x))
	}
	used := make([][]cnf.Lit, len(o.items))
	for d := range o.removals {
		r := &o.removals[d]
		byValue := map[int32][]cnf.Lit{} // that it takes an item of this value
		var values []int32
		for _, m := range r.from {
			v := o.items[m.with].value
			if byValue[v] == nil {
				values = append(values, v)
			}
			byValue[v] = append(byValue[v], m.is)
		}
		for _, v := range values {
			takes := byValue[v]
			if r.value == v {
				takes = []cnf.Lit{r.in}
			}
			var sources []cnf.Lit
			for _, x := range copies[v] {
				it := &o.items[x]
				there := cnf.True
				if it.op >= 0 {
					there = b.Order.Before(it.op, r.op)
				}
				if there == cnf.False {
					continue
				}
				is := cnf.True
				if len(copies[v]) > 1 || len(r.from) > 1 || r.empty != cnf.False || r.in != cnf.True ||
					it.in != cnf.True || len(it.outs) > 1 {
					is = b.Fresh()
				}
				b.Clause(causally, cnf.By(it.op, r.op), -is, there)
				b.Clause(causally, cnf.By(it.op, r.op), -is, it.in)
				sources = append(sources, is)
				used[x] = append(used[x], is)
			}
			for _, l := range takes {
				b.Clause(causally, cnf.By(r.op), append(slices.Clone(sources), -l)...)
			}
			if !b.Alive(int64(len(sources))) {
				return
			}
		}
	}
	for x := range used {
		b.AtMostOne(causally, cnf.By(o.items[x].op), used[x])
	}
}
