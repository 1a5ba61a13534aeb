package encode

// Orders that the values of a counter decide before anything is solved.
//
// What: if a counter only goes up (or only down), then of two observations the one that saw less
// came first, and after a ticket every observation sees more. Those orders are fixed, and a sweep
// finds those that contradict real time.
//
// If all changes are by the same amount, an observation says how many changes came before it. The
// place of each change among them is bounded by real time and by the observations, which decides
// most orders.

import (
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wide"
)

// oneWay fixes the orders of observations of counter k if sign times every delta is at least 0.
// They follow from the sums, which refute later without them.
func (c *counting) oneWay(k model.CellID, sign int64) {
	b, o := c.b, c.b.Order
	for x := range o.N {
		if c.object[x] == k && (sign > 0 && c.delta[x] < 0 || sign < 0 && c.delta[x] > 0) {
			return
		}
	}
	// the value that observation x leaves
	left := func(x history.OpID) wide.Int { return wide.Of(c.value[x]).Add(c.delta[x]) }
	// before reports whether observation x can come before observation y.
	before := func(x, y history.OpID) bool { return int64(left(x).Compare(wide.Of(c.value[y])))*sign <= 0 }
	applies := func(x history.OpID) bool { return c.object[x] == k && c.counts(x) }
	var byReturn []history.OpID
	for x := range o.N {
		if applies(x) {
			byReturn = append(byReturn, x)
		}
	}
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(o.Return[x]) - int(o.Return[y]) })
	worst := history.OpID(-1) // the returned one that requires most of later ones
	for y := range o.N {
		if !applies(y) {
			continue
		}
		for len(byReturn) > 0 && o.Return[byReturn[0]] < o.Call[y] {
			x := byReturn[0]
			byReturn = byReturn[1:]
			if worst < 0 || int64(left(x).Compare(left(worst)))*sign > 0 {
				worst = x
			}
		}
		if worst >= 0 && !before(worst, y) {
			b.Refute(monotone, worst, y)
			return
		}
		for z := y + 1; z <= o.Last[y]; z++ {
			if !applies(z) {
				continue
			}
			if !before(y, z) {
				b.Force(monotone, z, y)
			}
			if !before(z, y) {
				b.Force(monotone, y, z)
			}
		}
		if !b.Alive(int64(o.Last[y] - y)) {
			return
		}
	}
}

// counts reports whether operation r certainly observes the counter in this segment. Then the
// changes that may come before it are those of the segment and those that returned before it.
func (c *counting) counts(r history.OpID) bool {
	return c.sees[r] && c.certain[r] && !c.b.OpenAtStart(r) && !c.b.OpenAtEnd(r)
}

// ranked fixes orders in counter k if all changes are the same. It runs once: a second run hardly
// narrows the bounds.
func (c *counting) ranked(k model.CellID) {
	b, o := c.b, c.b.Order
	var changes, observations []history.OpID
	step := int64(0)
	for x := range o.N {
		if c.object[x] != k {
			continue
		}
		if d := c.delta[x]; d != 0 {
			if step != 0 && step != d {
				return
			}
			step = d
			changes = append(changes, x)
		}
		if c.counts(x) {
			observations = append(observations, x)
		}
	}
	if step == 0 || len(observations) == 0 {
		return
	}
	counts := make(map[history.OpID]int32, len(observations))
	for _, r := range observations {
		n, ok := steps(c.theory.Init[k], c.value[r], step)
		if !ok || n > uint64(len(changes)) {
			b.Refute(sums, r)
			return
		}
		counts[r] = int32(n)
	}
	count := func(r history.OpID) int32 { return counts[r] } // changes before r
	like := make([]span, len(changes))
	for i, x := range changes {
		like[i] = span{x, o.Call[x], o.Return[x], c.certain[x]}
	}
	low, high := ranks(o, like, 0)
	for i, x := range changes {
		if b.OpenAtEnd(x) { // changes called after this segment may come before it, too
			high[i] = math.MaxInt32
		}
	}
	// Observations that returned before a change was called, and that were called after it
	// returned.
	byReturn := slices.Clone(observations)
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(o.Return[x]) - int(o.Return[y]) })
	least := int32(0)
	for i, x := range changes {
		for ; len(byReturn) > 0 && o.Return[byReturn[0]] < o.Call[x]; byReturn = byReturn[1:] {
			least = max(least, count(byReturn[0]))
		}
		low[i] = max(low[i], least)
		if c.counts(x) {
			low[i], high[i] = max(low[i], count(x)), min(high[i], count(x))
		}
	}
	byReturn = slices.Clone(changes)
	where := make(map[history.OpID]int, len(changes))
	for i, x := range changes {
		where[x] = i
	}
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(o.Return[y]) - int(o.Return[x]) })
	most := int32(len(changes)) // count of the observations called after
	later := observations
	for _, x := range byReturn {
		for ; len(later) > 0 && o.Call[later[len(later)-1]] > o.Return[x]; later = later[:len(later)-1] {
			most = min(most, count(later[len(later)-1]))
		}
		if !b.OpenAtEnd(x) {
			high[where[x]] = min(high[where[x]], most-1)
		}
	}
	c.places(changes, observations, low, high, where, count)
}

// steps returns how many steps lead from one number to another, and reports whether it is a whole
// number.
func steps(from, to, step int64) (n uint64, ok bool) {
	way, size := uint64(to)-uint64(from), uint64(step)
	if step < 0 {
		way, size, from, to = -way, -size, to, from
	}
	return way / size, from <= to && way%size == 0
}

// places fixes the orders of concurrent changes, and of changes and observations, that the bounds
// decide.
func (c *counting) places(changes, observations []history.OpID, low, high []int32, where map[history.OpID]int,
	count func(history.OpID) int32) {
	b, o := c.b, c.b.Order
	for i, x := range changes {
		if c.certain[x] && low[i] > high[i] {
			b.Refute(place, x)
			return
		}
	}
	observes := make(map[history.OpID]bool, len(observations))
	for _, r := range observations {
		observes[r] = true
	}
	between := func(x, y history.OpID) { // one of both directions
		i, changeX := where[x]
		j, changeY := where[y]
		if changeX && changeY && c.certain[x] && c.certain[y] && high[i] <= low[j] {
			b.Force(place, x, y)
		}
		if changeX && observes[y] && x != y {
			switch {
			case low[i] >= count(y):
				b.Force(place, y, x)
			case c.certain[x] && high[i] < count(y):
				b.Force(place, x, y)
			}
		}
	}
	for x := range o.N {
		for y := x + 1; y <= o.Last[x]; y++ {
			between(x, y)
			between(y, x)
		}
		if !b.Alive(int64(o.Last[x] - x)) {
			return
		}
	}
}
