package encode

// Heights: how full a stack is, to tell which push belongs to which pop.
//
// What: bounds, from real time alone, on what each operation finds: how many values, and how many
// of each value. A pop takes what a push put at the same level, and in between the height never
// falls to that level again; so what the pop leaves is what the push found. A push and a pop match
// only if their bounds allow that, and if no operation that certainly lies between them certainly
// finds the stack too low. If values repeat, that leaves the few pushes with the right contents
// beneath instead of all pushes of the value. (Values are counted in classes modulo maxTallies,
// which is exact for fewer values.)
//
// A pending push may count or not; so may a pending pop, and a pop with unknown result.
//
// Cost: O(n log n + n·maxTallies), and for each push the operations until the height falls below
// it, likewise backwards for each pop.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
)

type heights struct {
	low, high []int32   // by kept operation: bounds of what it finds
	fewest    [][]int32 // by kept operation: bounds of how many values of each class it finds
	most      [][]int32
	byReturn  []history.OpID // kept operations
	// by item: a pop called after this rank does not take it; filled in when asked for
	until []history.Rank
	// by exit: a push that returned before this rank is not what it takes; likewise
	since []history.Rank
}

// never and always are ranks beyond all events; unasked is none.
const (
	never   = history.Never
	always  = -never
	unasked = always - 1
)

// tallies bounds how many values there are: of all values, then of each class.
type tallies struct{ low, high []int32 }

func newTallies(classes int) tallies {
	return tallies{make([]int32, classes+1), make([]int32, classes+1)}
}

// change says by how much an operation may change the contents: in all and of one class, or of any
// one class (-1).
type change struct {
	down, up int32
	class    tallyID
}

// tallyID numbers the classes in which values are counted.
type tallyID int32

// apply adds a certain change; an uncertain one is added as far as it widens the bounds.
func (t tallies) apply(c change, certain bool) {
	down, up := c.down, c.up
	if !certain {
		down, up = min(down, 0), max(up, 0)
	}
	t.low[0] += down
	t.high[0] += up
	if c.class >= 0 {
		t.low[1+c.class] += down
		t.high[1+c.class] += up
		return
	}
	for k := 1; k < len(t.low); k++ {
		t.low[k] += down
		t.high[k] += up
	}
}

func (c *collection) tally(v int32) tallyID {
	return tallyID(v % int32(min(c.theory.Values, maxTallies)))
}

// change returns what operation i does to the height.
func (c *collection) change(i history.OpID) change {
	if x := c.itemOf[i]; x >= 0 {
		it := &c.items[x]
		if it.in == cnf.True {
			return change{1, 1, c.tally(it.value)}
		}
		return change{0, 1, c.tally(it.value)}
	}
	if e := c.exitOf[i]; e >= 0 {
		switch t := &c.exits[e]; {
		case t.peek || t.empty == cnf.True:
		case t.value < 0:
			return change{-1, 0, -1}
		case t.pending:
			return change{-1, 0, c.tally(t.value)}
		default:
			return change{-1, -1, c.tally(t.value)}
		}
	}
	return change{}
}

// boundHeights bounds what the operations on all stacks find.
func (c *collection) boundHeights() *heights {
	o, classes := c.b.Order, min(c.theory.Values, maxTallies)
	h := &heights{low: make([]int32, o.N), high: make([]int32, o.N), fewest: make([][]int32, o.N),
		most:  make([][]int32, o.N),
		until: slices.Repeat([]history.Rank{unasked}, len(c.items)),
		since: slices.Repeat([]history.Rank{unasked}, len(c.exits))}
	byReturn := make([]history.OpID, o.N)
	for i := range byReturn {
		byReturn[i] = history.OpID(i)
	}
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(o.Return[x]) - int(o.Return[y]) })
	returned := make([]tallies, len(c.objects)) // after all that returned
	for k, initial := range c.theory.Initial {
		returned[k] = newTallies(classes)
		for _, v := range initial {
			returned[k].apply(change{1, 1, c.tally(v)}, true)
		}
	}
	c.b.Index()
	next := 0
	for i := range o.N {
		for ; next < len(byReturn) && o.Return[byReturn[next]] < o.Call[i]; next++ {
			x := byReturn[next]
			returned[c.objectOf(x)].apply(c.change(x), true)
		}
		k := c.objectOf(i)
		t := tallies{slices.Clone(returned[k].low), slices.Clone(returned[k].high)}
		concurrent := func(x history.OpID) {
			if before := o.Before(x, i); before != cnf.False && c.objectOf(x) == k {
				t.apply(c.change(x), before == cnf.True)
			}
		}
		for _, x := range o.Open(i) {
			concurrent(x)
		}
		for x := i + 1; x <= o.Last[i]; x++ {
			concurrent(x)
		}
		switch e := c.exitOf[i]; {
		case e < 0 || c.exits[e].pending:
		case c.exits[e].empty == cnf.True:
			clear(t.high)
		case c.exits[e].value >= 0:
			v := 1 + c.tally(c.exits[e].value)
			t.low[0], t.low[v] = max(t.low[0], 1), max(t.low[v], 1)
		}
		for k := range t.low {
			t.low[k] = max(t.low[k], 0)
		}
		h.low[i], h.high[i], h.fewest[i], h.most[i] = t.low[0], t.high[0], t.low[1:], t.high[1:]
		if !c.b.Alive(int64(o.Last[i]-i) + int64(classes)/4) {
			break
		}
	}
	h.byReturn = byReturn
	return h
}

// level bounds the height under item i from below.
func (h *heights) level(c *collection, i itemID) int32 {
	x := &c.items[i]
	if x.op >= 0 {
		return h.low[x.op]
	}
	// calls are -1, -2, … from the top down
	return int32(len(c.theory.Initial[x.object])) + int32(x.call)
}

// beneath reports whether what exit d leaves can be what item i found, class by class.
func (h *heights) beneath(c *collection, i itemID, d history.OpID) bool {
	x := &c.items[i]
	if x.op < 0 {
		return true
	}
	own := c.tally(x.value)
	for k := range h.fewest[d] {
		taken := int32(0)
		if tallyID(k) == own {
			taken = 1
		}
		if h.fewest[x.op][k]+taken > h.most[d][k] || h.fewest[d][k] > h.most[x.op][k]+taken {
			return false
		}
	}
	return true
}

// meet reports whether exit e can take or see item i.
func (h *heights) meet(c *collection, i itemID, e exitID) bool {
	x, d := &c.items[i], c.exits[e].op
	if !h.beneath(c, i, d) {
		return false
	}
	if h.until[i] == unasked {
		h.until[i] = h.fallsBelow(c, i)
	}
	return c.b.Order.Call[d] < h.until[i] && x.ret > h.lower(c, e)
}

// lower returns a moment when the stack was lower than exit e finds it.
func (h *heights) lower(c *collection, e exitID) history.Rank {
	if h.since[e] == unasked {
		h.since[e] = h.wasBelow(c, e)
	}
	return h.since[e]
}

// fallsBelow returns the return of the first operation after the insertion of item i that certainly
// finds fewer values than i and those beneath it.
func (h *heights) fallsBelow(c *collection, i itemID) history.Rank {
	o, x := c.b.Order, &c.items[i]
	level := h.level(c, i)
	first, _ := slices.BinarySearchFunc(h.byReturn, x.ret, func(t history.OpID, r history.Rank) int {
		return int(o.Return[t]) - int(r)
	})
	for _, t := range h.byReturn[first:] {
		if o.Return[t] == never || !c.b.Alive(2) {
			break
		}
		if o.Call[t] > x.ret && c.objectOf(t) == x.object && (h.high[t] <= level || x.op >= 0 &&
			h.lacks(t, x.op, c.tally(x.value))) {
			return o.Return[t]
		}
	}
	return never
}

// wasBelow returns the call of the last operation before exit e that certainly finds less than e
// does.
func (h *heights) wasBelow(c *collection, e exitID) history.Rank {
	o, d := c.b.Order, c.exits[e].op
	for t := d - 1; t >= 0 && c.b.Alive(2); t-- {
		if o.Return[t] < o.Call[d] && c.objectOf(t) == c.exits[e].object &&
			(h.high[t] < h.low[d] || h.lacks(t, d, -1)) {
			return o.Call[t]
		}
	}
	return always
}

// lacks reports whether t certainly finds fewer values of some class than s does, or fewer than one
// more of the class that s adds.
func (h *heights) lacks(t, s history.OpID, adds tallyID) bool {
	for k, n := range h.fewest[s] {
		if tallyID(k) == adds {
			n++
		}
		if h.most[t][k] < n {
			return true
		}
	}
	return false
}
