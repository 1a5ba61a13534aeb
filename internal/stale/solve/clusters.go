package solve

// Clusters.
//
// What: if each value that is read has one writer, an object is its writes, each with its reads: a
// cluster. Of the times of a cluster four matter.
//
//	call   of the write
//	end    the first return of the write or a read of it
//	ret    the return of the write; under atomic questions the end
//	last   the last call of the write or a read of it
//
// A question under bound K is then about an order of the writes:
//
//	end(x) < call(y)  ⇒  x comes before y
//	ret(x) < last(y)  ⇒  x is at most K places after y
//
// Why: a read r of y comes after y and after whatever precedes it, writes x and reads of x, and
// hence x. If it comes right after the last of these, it comes before whatever it precedes, since
// that follows from the first line; and it is as late as the last of these is behind y. A regular
// read comes after the writes that precede it, but not after what other reads returned.
//
// Source: zones [Gibbons, Korach, SIAM J. Comput. 26(4), 1997; Golab, Li, Shah, PODC 2011]; what is
// said of bounds above 0 is ours.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
)

// start is before all calls.
const start history.Rank = -1

// cluster is a write with its reads. Operations are positions in Object.Ops.
type cluster struct {
	call, end, ret, last history.Rank
	write                int32 // -1 for what is there at the start
	ends, lasts          int32 // whose return is end, whose call is last; -1 for those of the start
}

// clusters is an object as clusters, the start first.
type clusters struct {
	list []cluster
	of   []int32 // by operation: its cluster, -1 for one that need not take effect
}

// shape is how an object can be decided by clusters.
type shape uint8

const (
	byClusters shape = iota
	unwritten        // a read returns what nobody wrote
	repeats          // there are other operations than reads and writes, or values with two writers
)

// cluster makes the clusters of an object; of one that is unwritten it returns the read.
func clustered(o *stale.Object, regular bool) (c clusters, s shape, read int32) {
	most := o.Initial
	for i := range o.Ops {
		m := o.Ops[i].Modes
		if len(m) != 1 || (m[0].Leaves == model.Keep) != o.Ops[i].Read || m[0].Test != model.Is && o.Ops[i].Read ||
			m[0].Test != model.Any && !o.Ops[i].Read {
			return c, repeats, 0
		}
		most = max(most, m[0].V, m[0].Leaves)
	}
	writer := newNumbers(most, len(o.Ops))
	c.of = make([]int32, len(o.Ops))
	c.list = make([]cluster, 1, len(o.Ops)/2+2)
	c.list[0] = cluster{start, start, start, start, -1, -1, -1}
	writer.set(o.Initial, 0)
	for i := range o.Ops {
		op := &o.Ops[i]
		if op.Read {
			continue
		}
		v := op.Modes[0].Leaves
		c.of[i] = int32(len(c.list))
		if _, known := writer.get(v); known {
			writer.set(v, twice)
		} else {
			writer.set(v, c.of[i])
		}
		c.list = append(c.list, cluster{op.Call, op.Return, op.Return, op.Call, int32(i), int32(i), int32(i)})
	}
	seen := make([]bool, len(c.list))
	for i := range o.Ops {
		op := &o.Ops[i]
		if !op.Read {
			continue
		}
		k, known := writer.get(op.Modes[0].V)
		switch {
		case !known:
			return c, unwritten, int32(i)
		case k == twice:
			return c, repeats, 0
		}
		c.of[i], seen[k] = k, true
		x := &c.list[k]
		if op.Return < x.end {
			x.end, x.ends = op.Return, int32(i)
		}
		if op.Call > x.last {
			x.last, x.lasts = op.Call, int32(i)
		}
	}
	c.compact(o, seen)
	if !regular {
		for k := range c.list {
			c.list[k].ret = c.list[k].end
		}
	}
	return c, byClusters, 0
}

// compact leaves out pending writes that nothing read: they need not have taken effect, and where
// they do not, no write is further from another one.
func (c *clusters) compact(o *stale.Object, seen []bool) {
	kept, now := c.list[:1], make([]int32, len(c.list))
	for k := 1; k < len(c.list); k++ {
		x := c.list[k]
		if now[k] = int32(len(kept)); !seen[k] && o.Ops[x.write].Pending() {
			now[k] = -1
			continue
		}
		kept = append(kept, x)
	}
	if len(kept) < len(c.list) {
		for i := range c.of {
			c.of[i] = now[c.of[i]]
		}
	}
	c.list = kept
}

// twice marks a value that has more than one writer.
const twice = -2

// numbers maps values to clusters.
type numbers struct {
	list []int32 // the number plus three
	far  map[int32]int32
}

func newNumbers(most int32, ops int) *numbers {
	if int(most) > 8*ops+64 {
		return &numbers{far: map[int32]int32{}}
	}
	return &numbers{list: make([]int32, most+1)}
}

func (n *numbers) set(v, k int32) {
	if n.list == nil {
		n.far[v] = k
		return
	}
	n.list[v] = k + 3
}

func (n *numbers) get(v int32) (k int32, known bool) {
	if n.list == nil {
		k, known = n.far[v]
		return k, known
	}
	return n.list[v] - 3, n.list[v] > 0
}
