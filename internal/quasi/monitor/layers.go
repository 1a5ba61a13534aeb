package monitor

// Slots and places by a complete search, one position after another.
//
// What: layer t chooses the content of slot t and the removal at place t together. What the later
// layers may do does not depend on the contents of the queue. It depends on which of the few
// variables whose windows reach beyond t are placed, and on the deadlines of the partners of placed
// ones. The search is depth first, earliest deadlines first, with a memory of the states that
// failed. It visits at most as many nodes as there are such states, and for an accepted history few
// more than there are layers. For fixed K and number of processes that is polynomial; it explodes
// with both, hence a limit on nodes.
//
// Why not search over operations: a search that linearizes operations must remember the order of
// insertions long before that order is tested, so its states never recur. Slots and places are
// tested at once.
//
// Cuts: where no window (nor that of a partner) reaches from t to t+1, all states are one. The
// search never goes back behind a cut: a dead end there is a violation, and the failed states of
// the block before are forgotten.
//
// Invariants: up to the current layer all conditions of package window hold among the placed
// variables; counting shows that every open variable without a position can still keep its
// deadline.
//
// Cost: O(w + K) for a node besides sorting, with w windows open at a position.

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/quasi/window"
)

type layers struct {
	w   *window.Windows
	q   *window.Queue
	pos []window.Position // by variable, 0 while unplaced

	begin  []int32 // by position: first of byBegin whose window, or its partner's, begins there
	byBegn []window.Variable
	open   []window.Variable // variables open at each layer, one layer after the other
	opens  []int             // by layer: where its variables start in open
	// by position: least return of the insertions whose slots are certainly later
	beyond []history.Rank

	frames []frame
	pairs  []pair
	failed map[string]struct{}
	key    []byte
	room   []window.Position // deadlines to count

	contents, removals []candidate
	bottom, deepest    window.Position // layers
	nodes, bytes       int64
	cause              engine.Cause // of an unsettled outcome
}

// frame is one layer of the stack: the choices left are pairs[from:], tried from the end.
type frame struct {
	from   int
	chosen pair
	before history.Rank // the latest call of the removals placed before this layer
	calls  history.Rank // the same, this layer included
}

// pair is a content, by its slot, and the place of a removal, -1 for a drain.
type pair struct{ content, removal window.Variable }

type candidate struct {
	v               window.Variable
	deadline, later window.Position
}

// worstFirst sorts those of which a pair is least likely right to the front.
type worstFirst []candidate

func (l worstFirst) Len() int      { return len(l) }
func (l worstFirst) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l worstFirst) Less(i, j int) bool {
	a, b := &l[i], &l[j]
	return cmp.Or(cmp.Compare(b.deadline, a.deadline), cmp.Compare(b.later, a.later), cmp.Compare(b.v, a.v)) < 0
}

// outcome says how a search ended.
type outcome uint8

const (
	unsettled outcome = iota
	found
	exhausted
)

func newLayers(w *window.Windows) *layers {
	q := w.Q
	l := &layers{w: w, q: q, pos: make([]window.Position, q.M+q.R), failed: map[string]struct{}{}, opens: []int{0}}
	count := make([]int32, q.M+3)
	for v := range w.Lo {
		count[l.begins(window.Variable(v))+1]++
	}
	for p := 1; p < len(count); p++ {
		count[p] += count[p-1]
	}
	l.begin = slices.Clone(count)
	l.byBegn = make([]window.Variable, len(w.Lo))
	for v := range w.Lo {
		b := l.begins(window.Variable(v))
		l.byBegn[count[b]] = window.Variable(v)
		count[b]++
	}
	l.beyond = make([]history.Rank, q.M+2)
	for p := range l.beyond {
		l.beyond[p] = never
	}
	for i := range q.N {
		p := w.Lo[i] - 1
		l.beyond[p] = min(l.beyond[p], q.InsRet[i])
	}
	for p := q.M; p >= 0; p-- {
		l.beyond[p] = min(l.beyond[p], l.beyond[p+1])
	}
	return l
}

// never is later than every return, also of pending operations; drains is later than every call.
const (
	never  history.Rank = 1<<31 - 1
	drains history.Rank = 1<<31 - 1
)

// begins returns the first position at which v matters.
func (l *layers) begins(v window.Variable) window.Position {
	if u := l.w.Partner(v); u >= 0 {
		return min(l.w.Lo[v], l.w.Lo[u])
	}
	return l.w.Lo[v]
}

// at returns the variables open at layer t ≥ 1. Layers are asked for in ascending order at first.
func (l *layers) at(t window.Position) []window.Variable {
	for len(l.opens) <= int(t) {
		k := len(l.opens) // the layer to make
		var before []window.Variable
		if k > 1 {
			before = l.open[l.opens[k-2]:l.opens[k-1]]
		}
		for _, v := range before {
			if int(l.w.Hi[v]) >= k {
				l.open = append(l.open, v)
			}
		}
		l.open = append(l.open, l.byBegn[l.begin[k]:l.begin[k+1]]...)
		l.opens = append(l.opens, len(l.open))
	}
	return l.open[l.opens[t-1]:l.opens[t]]
}

// deadline returns the last layer at which v can be placed.
func (l *layers) deadline(v window.Variable) window.Position {
	d := l.w.Hi[v]
	if u := l.w.Partner(v); u >= 0 && l.pos[u] != 0 {
		d = min(d, l.pos[u]+window.Position(l.w.Bound))
	}
	return d
}

// search runs until everything is placed (found), no state is left (exhausted: positions bottom+1
// to deepest have no assignment), or a limit is reached (unsettled, with a cause). The limit is on
// nodes, besides a few for each layer; limits of the budget count, too. After the limit on nodes
// search may be called again and continues.
func (l *layers) search(ctx context.Context, m *engine.Budget, limit int64) outcome {
	q := l.q
	if q.M == 0 {
		return found
	}
	lists := int64(0) // bytes of the lists of open variables
	for v := range l.w.Lo {
		lists += 4 * int64(l.w.Hi[v]-l.begins(window.Variable(v))+1)
	}
	defer func() { m.Grow(-l.bytes - lists) }()
	if !m.Grow(l.bytes + lists) {
		return l.stop(engine.Memory)
	}
	if lists > layerBytes {
		return l.stop(engine.Undecided)
	}
	l.expand()
	for {
		f := &l.frames[len(l.frames)-1]
		t := window.Position(len(l.frames)) + l.bottom
		if f.chosen.content >= 0 {
			l.unplace(f)
		}
		if len(l.pairs) == f.from {
			l.frames = l.frames[:len(l.frames)-1]
			if len(l.frames) == 0 {
				return exhausted
			}
			continue
		}
		l.place(f, t)
		if !l.feasible(t) {
			continue
		}
		if int(t) == q.M {
			return found
		}
		if l.cut(t) {
			l.bottom = t
			calls := f.calls
			l.frames, l.pairs = l.frames[:0], l.pairs[:0]
			clear(l.failed)
			m.Grow(-l.bytes)
			l.bytes = 0
			l.expandFrom(calls)
			continue
		}
		l.encode(t)
		if _, seen := l.failed[string(l.key)]; seen {
			continue
		}
		// Recorded as failed at once: the search cannot meet it again before it is finished.
		l.failed[string(l.key)] = struct{}{}
		cost := int64(len(l.key) + 48)
		l.bytes += cost
		l.nodes++
		if !m.Grow(cost) {
			return l.stop(engine.Memory)
		}
		if !m.Spend(1) {
			return l.stop(engine.Steps)
		}
		if l.bytes > layerBytes || l.nodes > limit+nodesEach*int64(q.M) {
			return l.stop(engine.Undecided)
		}
		if l.nodes&255 == 0 && ctx.Err() != nil {
			return l.stop(engine.CauseOf(ctx))
		}
		l.expand()
	}
}

// stop records why the search ends.
func (l *layers) stop(cause engine.Cause) outcome {
	l.cause = cause
	return unsettled
}

func (l *layers) expand() {
	calls := history.Rank(-1)
	if n := len(l.frames); n > 0 {
		calls = l.frames[n-1].calls
	}
	l.expandFrom(calls)
}

// expandFrom opens the next layer: its frame holds every pair possible there.
func (l *layers) expandFrom(calls history.Rank) {
	q, w := l.q, l.w
	m := window.Variable(q.M)
	from := len(l.pairs)
	l.frames = append(l.frames, frame{from: from, chosen: pair{-1, -1}, before: calls, calls: calls})
	t := window.Position(len(l.frames)) + l.bottom
	l.deepest = max(l.deepest, t)
	insRet, remRet := l.beyond[t], never // least returns of the unplaced insertions and removals
	l.contents, l.removals = l.contents[:0], l.removals[:0]
	for _, v := range l.at(t) {
		if l.pos[v] != 0 || w.Lo[v] > t {
			continue
		}
		c := candidate{v, l.deadline(v), w.Hi[v]}
		if u := w.Partner(v); u >= 0 {
			c.later = w.Hi[u]
		}
		switch {
		case v >= m:
			remRet = min(remRet, q.RemRet[v-m])
			l.removals = append(l.removals, c)
		default:
			if int(v) < q.N {
				insRet = min(insRet, q.InsRet[v])
			}
			l.contents = append(l.contents, c)
		}
	}
	if int(t) > q.R {
		l.removals = append(l.removals, candidate{v: -1})
		if q.D > 0 {
			calls = drains
			l.frames[len(l.frames)-1].calls = calls
		}
	}
	// Pairs are taken from the end of the stack, so the worst come first.
	sort.Sort(worstFirst(l.contents))
	sort.Sort(worstFirst(l.removals))
	for _, c := range l.contents {
		value := int(c.v) < q.N
		if value && (q.InsCall[c.v] > insRet || !q.Free() && q.InsCall[c.v] > remRet) {
			continue
		}
		for _, r := range l.removals {
			latest := calls
			if r.v >= 0 {
				if q.RemCall[r.v-m] > remRet {
					continue
				}
				latest = max(latest, q.RemCall[r.v-m])
			}
			if !value && !q.Free() && (latest > insRet || latest == drains && l.unplacedInsertion(t)) {
				continue
			}
			l.pairs = append(l.pairs, pair{c.v, r.v})
		}
	}
}

// unplacedInsertion reports whether some value has no slot before t.
func (l *layers) unplacedInsertion(t window.Position) bool {
	for _, v := range l.at(t) {
		if int(v) < l.q.N && l.pos[v] == 0 {
			return true
		}
	}
	return int(l.begin[t+1]) < len(l.byBegn) && l.laterInsertion(t)
}

func (l *layers) laterInsertion(t window.Position) bool {
	for _, v := range l.byBegn[l.begin[t+1]:] {
		if int(v) < l.q.N {
			return true
		}
	}
	return false
}

func (l *layers) place(f *frame, t window.Position) {
	f.chosen = l.pairs[len(l.pairs)-1]
	l.pairs = l.pairs[:len(l.pairs)-1]
	l.pos[f.chosen.content] = t
	if r := f.chosen.removal; r >= 0 {
		l.pos[r] = t
		f.calls = max(f.before, l.q.RemCall[int(r)-l.q.M])
	}
}

func (l *layers) unplace(f *frame) {
	l.pos[f.chosen.content] = 0
	if f.chosen.removal >= 0 {
		l.pos[f.chosen.removal] = 0
	}
	f.chosen = pair{-1, -1}
}

// feasible reports whether deadlines can be kept, by counting: k unplaced slots (or places) must
// not all be due within fewer than k positions after t.
func (l *layers) feasible(t window.Position) bool {
	for _, places := range [...]bool{false, true} {
		l.room = l.room[:0]
		for _, v := range l.at(t) {
			if (int(v) >= l.q.M) == places && l.pos[v] == 0 {
				l.room = append(l.room, l.deadline(v)-t)
			}
		}
		slices.Sort(l.room)
		for k, d := range l.room {
			if int(d) <= k {
				return false
			}
		}
	}
	return true
}

// cut reports whether nothing that is open at t matters after it.
func (l *layers) cut(t window.Position) bool {
	for _, v := range l.at(t) {
		if l.w.Hi[v] > t {
			return false
		}
	}
	return true
}

// encode writes the state after layer t into key.
func (l *layers) encode(t window.Position) {
	l.key = binary.AppendUvarint(l.key[:0], uint64(t))
	for _, v := range l.at(t) {
		h := l.w.Hi[v]
		switch {
		case h <= t:
		case l.pos[v] != 0:
			l.key = append(l.key, 0)
		default:
			if d := l.deadline(v); d < h {
				l.key = binary.AppendUvarint(l.key, uint64(d-t)+2)
			} else {
				l.key = append(l.key, 1)
			}
		}
	}
}
