package solve

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/stale"
)

// Answer is what was found of one object.
type Answer struct {
	Holds, Fails bool
	// Order is an order of operations, positions in Object.Ops, that shows that it holds; of a
	// regular question the reads are in it behind what they return, and of a weakly regular one
	// there is none, but Sources.
	Order   []int32
	Sources []int32 // by operation: of a read, what it returns
	Core    []int32 // operations for which it fails
	Unclear string  // why it is not decided
	By      string  // monitor or search
}

// Decide answers a question about an object of h. It looks for a core of a no if one is asked for.
func Decide(ctx context.Context, h *stale.History, o *stale.Object, q stale.Question, core bool) Answer {
	if q.Kind == stale.Moved {
		o = moved(h, o, q.Bound)
	}
	if q.Kind == stale.WeaklyRegular {
		return weakly(o)
	}
	bound := 0
	if q.Kind == stale.Late {
		bound = int(q.Bound)
	}
	regular := q.Kind == stale.Regular
	c, shape, read := clustered(o, regular)
	switch shape {
	case unwritten:
		return Answer{Fails: true, Core: []int32{read}, By: "monitor"}
	case repeats:
		return searched(ctx, o, bound, regular, core)
	}
	for k := range c.list {
		if x := &c.list[k]; x.end < x.call {
			return Answer{Fails: true, Core: []int32{x.write, x.ends}, By: "monitor"}
		}
	}
	if regular {
		order, cycle := arrangeRegular(c.list)
		if cycle != nil {
			return Answer{Fails: true, Core: c.least(ctx, o, cycle, irregular), By: "monitor"}
		}
		return Answer{Holds: true, Order: c.withReads(o, order, true), By: "monitor"}
	}
	found, result := arrange(ctx, c.list, bound, epochSteps)
	a := Answer{By: "monitor"}
	switch result {
	case placed:
		a.Holds, a.Order = true, c.withReads(o, found.order, false)
	case impossible:
		a.Fails = true
		if core {
			a.Core = c.least(ctx, o, found.relevant(), func(list []cluster) ([]int32, bool) {
				found, result := arrange(ctx, list, bound, attemptSteps)
				if result != impossible {
					return nil, false
				}
				return found.relevant(), true
			})
		}
	case stopped:
		a.Unclear = unclear(ctx)
	}
	return a
}

// unclear says why a search stopped.
func unclear(ctx context.Context) string {
	if ctx.Err() != nil {
		return "the time was up"
	}
	return "the search took too many steps"
}

// withReads returns the operations in an order of their clusters: each read right after the last of
// its write and, unless the question is regular, whatever precedes it.
func (c *clusters) withReads(o *stale.Object, order []int32, regular bool) []int32 {
	place := make([]int32, len(c.list))
	for p, k := range order {
		place[k] = int32(p)
	}
	behind := make([]int32, len(o.Ops)) // by read: the place that it is behind
	from := make([]int32, len(order)+1) // by place: where its reads begin
	ends := sorted(c.list, func(x *cluster) history.Rank { return x.end })
	latest := int32(0)
	for i := range o.Ops {
		op := &o.Ops[i]
		if !op.Read {
			continue
		}
		at := place[c.of[i]]
		if !regular {
			for ; len(ends) > 0 && c.list[number(ends[0])].end < op.Call; ends = ends[1:] {
				latest = max(latest, place[number(ends[0])])
			}
			at = max(at, latest)
		}
		behind[i] = at
		from[at+1]++
	}
	for p := range order {
		from[p+1]++ // its write
		if c.list[order[p]].write < 0 {
			from[p+1]--
		}
		from[p+1] += from[p]
	}
	out := make([]int32, from[len(order)])
	for p, k := range order {
		if w := c.list[k].write; w >= 0 {
			out[from[p]] = w
			from[p]++
		}
	}
	for i := range o.Ops {
		if o.Ops[i].Read {
			out[from[behind[i]]] = int32(i)
			from[behind[i]]++
		}
	}
	return out
}

// weakly decides whether an object is weakly regular: a read may return any write of its value that
// it does not precede and that no other one follows which precedes it.
func weakly(o *stale.Object) Answer {
	a := Answer{By: "monitor"}
	writers := map[int32][]int32{o.Initial: {-1}}
	var returned []int32 // writes by their return
	for i := range o.Ops {
		if !o.Ops[i].Read {
			v := o.Ops[i].Modes[0].Leaves
			writers[v] = append(writers[v], int32(i))
			returned = append(returned, int32(i))
		}
	}
	sortBy(returned, func(i int32) history.Rank { return o.Ops[i].Return })
	a.Sources = make([]int32, len(o.Ops))
	// By read: of the writes that precede it, the one that is called last.
	last, k := int32(-1), 0
	for i := range o.Ops {
		op := &o.Ops[i]
		if !op.Read {
			continue
		}
		for ; k < len(returned) && o.Ops[returned[k]].Return < op.Call; k++ {
			if w := returned[k]; last < 0 || o.Ops[w].Call > o.Ops[last].Call {
				last = w
			}
		}
		core := []int32{int32(i)}
		found := false
		for _, w := range writers[op.Modes[0].V] {
			over := last >= 0 && (w < 0 || o.Ops[w].Return < o.Ops[last].Call)
			if !over && (w < 0 || o.Ops[w].Call < op.Return) {
				a.Sources[i], found = w, true
				break
			}
			if w >= 0 {
				core = append(core, w)
			}
		}
		if !found {
			if last >= 0 {
				core = append(core, last)
			}
			return Answer{Fails: true, Core: core, By: "monitor"}
		}
	}
	a.Holds = true
	return a
}
