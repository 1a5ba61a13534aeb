package monitor

// Sets that only grow, and reads of the whole.
//
// What: an element comes into the set at one moment, and stays. Reads of the whole set ascend by
// inclusion, so what was read first with an element tells where the element came in: after the
// reads without it, before those with it. Elements that were never read come in last. This order is
// followed once, each step as early as it can be: no earlier than its call, or than that of the
// first operation that adds its element and of the last one that found it absent. It is refuted
// where a step comes after its return, or after that of an operation that has its element.
//
// Source: ours. Jepsen's checkers set and set-full follow each element on its own.
//
// Why: in a linearization the steps come in this order, and by induction none earlier. Conversely
// the steps at these moments are a linearization: an add called first is still open when its
// element comes in, since the element comes in before any completed add of it returned; what finds
// an element comes when it is called or right after the element, whichever is later; and what does
// not find it comes when it is called.
//
// Proofs: at most three operations that contradict each other (proof.GrowthConflict), always.
//
// Unsupported: explicit order, unless the history is refuted without.
//
// Invariant: moments ascend along the order.
//
// Cost: O(n log n + reads × elements / 32).

import (
	"cmp"
	"context"
	mathbits "math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// growth is a history of one set that only grows.
type growth struct {
	ops      []history.Op
	says     *model.GrowingTheory
	elements []grownElement
	reads    []history.OpID // by size, then by call
	first    []int32        // by read: its first place in order
	order    []int32        // elements in the order of the reads that first found them
	latest   grownStep      // of all steps until now
	conflict *proof.GrowthConflict
}

// grownElement is what the operations on one element say.
type grownElement struct {
	there bool         // at the start
	added history.OpID // the add that found it absent, else that called first
	once  bool         // added found it absent
	has   history.OpID // of those that have it, reads left out, the one that returned first
	lacks history.OpID // of those that lack it, reads left out, the one called last
	read  int32        // the first of the reads that found it, -1 for none
	at    history.Rank // when it comes in; Never if it does not
}

// grownStep is a step that cannot come before at: a read, or an element that comes in.
type grownStep struct {
	at   history.Rank
	read history.OpID // noOp for an element
	x    int32
}

// checkGrowing decides one set that only grows.
func checkGrowing(ctx context.Context, b *model.Instance, t *model.GrowingTheory) engine.Answer {
	g := &growth{ops: b.Partition.Ops, says: t}
	fits := g.collect() && g.alone() && g.chain() && g.follow()
	switch {
	case ctx.Err() != nil:
		return engine.Stopped(ctx)
	case !fits:
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: g.conflict}
	case len(b.Partition.Edges)+len(b.Partition.Demands) > 0:
		return engine.Answer{Cause: engine.Unsupported, Detail: "explicit order"}
	}
	return engine.Answer{Verdict: engine.Linearizable, Witness: g.witness()}
}

// contradict records a conflict. It returns false.
func (g *growth) contradict(rule proof.GrowthRule, ops []history.OpID, elements ...int32) bool {
	g.conflict = &proof.GrowthConflict{Rule: rule, Ops: ops, Elements: elements}
	return false
}

// collect reads the operations. It fails where one contradicts itself, or two add an element that
// both found absent.
func (g *growth) collect() bool {
	g.elements = make([]grownElement, len(g.says.Values))
	for x := range g.elements {
		g.elements[x] = grownElement{there: g.says.Has(g.says.Initial, int32(x)), added: noOp, has: noOp, lacks: noOp,
			read: -1, at: history.Never}
	}
	for k := range g.ops {
		i, o, does := history.OpID(k), &g.ops[k], g.says.Does[k]
		switch does {
		case model.GrowthReads:
			g.reads = append(g.reads, i)
			continue
		case model.GrowthRepeated:
			return g.contradict(proof.GrowthTwice, []history.OpID{i}, g.says.Element[k])
		case model.GrowthSilent:
			continue
		}
		x := g.says.Element[k]
		e := &g.elements[x]
		switch {
		case does == model.GrowthAddsNew && e.once:
			return g.contradict(proof.GrowthAddedTwice, []history.OpID{e.added, i}, x)
		case does == model.GrowthAddsNew:
			e.added, e.once = i, true
		case does == model.GrowthAdds && !e.once && (e.added < 0 || o.Call < g.ops[e.added].Call):
			e.added = i
		}
		if does != model.GrowthMisses && !o.Pending() && (e.has < 0 || o.Return < g.ops[e.has].Return) {
			e.has = i
		}
		if (does == model.GrowthMisses || does == model.GrowthAddsNew) &&
			(e.lacks < 0 || o.Call > g.ops[e.lacks].Call) {
			e.lacks = i
		}
	}
	return true
}

// alone compares what the operations on each element say, reads of the whole set left out.
func (g *growth) alone() bool {
	for x := range g.elements {
		e := &g.elements[x]
		switch {
		case e.there && e.lacks >= 0:
			return g.contradict(proof.GrowthLost, []history.OpID{proof.Initial, e.lacks}, int32(x))
		case e.there || e.has < 0:
		case e.added < 0 || g.ops[e.has].Return < g.ops[e.added].Call && !e.once:
			return g.contradict(proof.GrowthUnadded, []history.OpID{e.has}, int32(x))
		case e.lacks >= 0 && g.ops[e.has].Return < g.ops[e.lacks].Call:
			return g.contradict(proof.GrowthLost, []history.OpID{e.has, e.lacks}, int32(x))
		}
	}
	return true
}

// chain puts the reads, and the elements, in their order. It fails where a read did not find what
// is there at the start or what an earlier one found, or found what nothing adds.
func (g *growth) chain() bool {
	size := make([]int, len(g.ops))
	for _, i := range g.reads {
		for _, w := range g.says.Found[i] {
			size[i] += mathbits.OnesCount32(uint32(w))
		}
	}
	slices.SortFunc(g.reads, func(a, b history.OpID) int {
		return cmp.Or(cmp.Compare(size[a], size[b]), cmp.Compare(g.ops[a].Call, g.ops[b].Call))
	})
	before, previous := g.says.Initial, proof.Initial
	g.first = make([]int32, len(g.reads)+1)
	for k, i := range g.reads {
		g.first[k] = int32(len(g.order))
		found := g.says.Found[i]
		for w := range found {
			if x, missing := anyBit(w, before[w]&^found[w]); missing {
				return g.incomparable(previous, i, x)
			}
			for fresh := uint32(found[w] &^ before[w]); fresh != 0; fresh &= fresh - 1 {
				x := int32(32*w + mathbits.TrailingZeros32(fresh))
				g.elements[x].read = int32(k)
				if g.elements[x].added < 0 {
					return g.contradict(proof.GrowthUnadded, []history.OpID{i}, x)
				}
				g.order = append(g.order, x)
			}
		}
		before, previous = found, i
	}
	g.first[len(g.reads)] = int32(len(g.order))
	return true
}

// anyBit returns the element of a bit in a word.
func anyBit(word int, of int32) (x int32, any bool) {
	return int32(32*word + mathbits.TrailingZeros32(uint32(of))), of != 0
}

// incomparable contradicts because of x, which a read did not find and the one before it in the
// order, or the start, has.
func (g *growth) incomparable(first, second history.OpID, x int32) bool {
	if first == proof.Initial || g.ops[first].Return < g.ops[second].Call {
		return g.contradict(proof.GrowthLost, []history.OpID{first, second}, x)
	}
	a, b := g.says.Found[first], g.says.Found[second]
	for w := range b {
		if y, any := anyBit(w, b[w]&^a[w]); any {
			if g.ops[second].Return < g.ops[first].Call {
				return g.contradict(proof.GrowthLost, []history.OpID{second, first}, y)
			}
			return g.contradict(proof.GrowthIncomparable, []history.OpID{first, second}, x, y)
		}
	}
	panic("monitor: a read is smaller than one before it")
}

// follow gives each step of the order its moment. It fails at a step that comes too late.
func (g *growth) follow() bool {
	g.latest = grownStep{at: -1, read: noOp}
	for k := 0; k < len(g.reads); {
		if !g.enter(g.order[g.first[k]:g.first[k+1]]) {
			return false
		}
		next := k + 1 // the first read that finds more
		for next < len(g.reads) && g.first[next] == g.first[next+1] {
			next++
		}
		before := g.latest
		for ; k < next; k++ {
			i := g.reads[k]
			if before.at > g.ops[i].Return {
				return g.late(before, i)
			}
			if g.ops[i].Call > g.latest.at {
				g.latest = grownStep{at: g.ops[i].Call, read: i}
			}
		}
	}
	var rest []int32
	for x := range g.elements {
		if e := &g.elements[x]; !e.there && e.read < 0 && e.has >= 0 {
			rest = append(rest, int32(x))
		}
	}
	return g.enter(rest)
}

// enter gives elements that come in between the same reads their moments.
func (g *growth) enter(elements []int32) bool {
	before := g.latest
	for _, x := range elements {
		e := &g.elements[x]
		e.at = g.ops[e.added].Call
		if e.lacks >= 0 {
			e.at = max(e.at, g.ops[e.lacks].Call)
		}
		if e.at > g.latest.at {
			g.latest = grownStep{at: e.at, read: noOp, x: x}
		}
		e.at = max(e.at, before.at)
		if e.has >= 0 && e.at > g.ops[e.has].Return { // not because of what is said of x alone
			return g.lateElement(before, x)
		}
	}
	return true
}

// late contradicts because a read returned before a step that comes before it.
func (g *growth) late(step grownStep, read history.OpID) bool {
	if step.read >= 0 { // it found less
		a, b := g.says.Found[step.read], g.says.Found[read]
		for w := range b {
			if x, any := anyBit(w, b[w]&^a[w]); any {
				return g.contradict(proof.GrowthLost, []history.OpID{read, step.read}, x)
			}
		}
	}
	if e := &g.elements[step.x]; e.lacks >= 0 && g.ops[e.lacks].Call == step.at {
		return g.contradict(proof.GrowthLost, []history.OpID{read, e.lacks}, step.x)
	}
	return g.contradict(proof.GrowthUnadded, []history.OpID{read}, step.x)
}

// lateElement contradicts because an operation that has y returned before a step that comes before
// y comes in.
func (g *growth) lateElement(step grownStep, y int32) bool {
	has := g.elements[y].has
	if step.read >= 0 {
		return g.contradict(proof.GrowthLost, []history.OpID{has, step.read}, y)
	}
	e := &g.elements[step.x]
	read := g.reads[e.read] // without y
	if e.lacks >= 0 && g.ops[e.lacks].Call == step.at {
		return g.contradict(proof.GrowthCrossed, []history.OpID{read, has, e.lacks}, step.x, y)
	}
	return g.contradict(proof.GrowthTooEarly, []history.OpID{read, has}, step.x, y)
}

// The places of operations at one moment.
const (
	grownMisses = iota // what does not find an element
	grownSteps         // the order
	grownFinds         // what finds an element
	grownPlaces
)

// witness puts all operations at their moments.
func (g *growth) witness() []history.OpID {
	keys, list := make([]uint64, 0, len(g.ops)), make([]history.OpID, 0, len(g.ops))
	put := func(i history.OpID, at history.Rank, place int) {
		keys = append(keys, uint64(grownPlaces*int64(at+1)+int64(place))<<32|uint64(len(list)))
		list = append(list, i)
	}
	last := history.Rank(-1)
	enter := func(x int32) {
		if e := &g.elements[x]; e.at != history.Never {
			put(e.added, e.at, grownSteps)
			last = max(last, e.at)
		}
	}
	byMoment := func(elements []int32) {
		slices.SortFunc(elements, func(x, y int32) int { return cmp.Compare(g.elements[x].at, g.elements[y].at) })
		for _, x := range elements {
			enter(x)
		}
	}
	for k, i := range g.reads {
		byMoment(g.order[g.first[k]:g.first[k+1]])
		last = max(last, g.ops[i].Call)
		put(i, last, grownSteps)
	}
	for x := range g.elements {
		if e := &g.elements[x]; e.read < 0 {
			enter(int32(x))
		}
	}
	for k := range g.ops {
		i, o, does := history.OpID(k), &g.ops[k], g.says.Does[k]
		if o.Pending() || does == model.GrowthReads {
			continue
		}
		at, place := o.Call, grownMisses
		if does != model.GrowthSilent && does != model.GrowthMisses {
			e := &g.elements[g.says.Element[k]]
			if e.added == i && !e.there {
				continue
			}
			if place = grownFinds; !e.there {
				at = max(at, e.at)
			}
		}
		put(i, at, place)
	}
	slices.Sort(keys)
	out := make([]history.OpID, len(keys))
	for k, key := range keys {
		out[k] = list[uint32(key)]
	}
	return out
}
