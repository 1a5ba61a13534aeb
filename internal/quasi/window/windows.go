package window

// Bounds propagation for relaxed FIFO queues.
//
// What: ρ′ gives every removal a place (its rank among the removals), ρ″ every content a slot (its
// rank among what leaves the queue). With the removals bounded by K and the insertions by 0 a
// history is quasi-linearizable exactly if slots and places exist such that
//
//	order    insertions and removals each extend the interval order:
//	         x before y ⇒ slot(x) < slot(y), place(x) < place(y);
//	bound    |slot(x) - place(remover of x)| ≤ K;
//	rest     values never removed have slots after the R completed removals, or drained after R-K;
//	balance  removal r before insertion i ⇒ place(r) < slot(i)                       (slots only);
//	empty    empty result e, insertion i before removal r
//	         ⇒ slot(i) < slot(e) or slot(e) < place(r)   (slots only;
//	         drains have place R+1 and follow every insertion).
//
// Under classes an empty result is unconstrained: ρ″ can empty the queue before it. Only initial
// values leave earlier. (The analysis is ours, from the definition that package quasi states; each
// condition was compared with that definition by brute force.)
//
// How: every variable has a window [Lo,Hi], initially by counting. Rules narrow the windows until
// nothing changes, a window is empty, or there are too few positions.
//
// Invariants: every solution lies in the windows; at the fixpoint x before y ⇒ Lo(x) < Lo(y) and
// Hi(x) < Hi(y), so that earliest-deadline schedules respect the order.
//
// Cost: O(n α(n)) for a round. We saw 1 to 12 rounds on simulated histories, 20 on adversarial
// ones.

import (
	"context"

	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
)

// Windows bounds the slots and places of a queue under one bound of the removals.
type Windows struct {
	Q     *Queue
	Bound int32
	Lo    []Position // by variable: no smaller one is possible
	Hi    []Position // no larger one is possible
	// Refuted says that there is no solution.
	Refuted bool
	Rounds  int

	base    base
	log     trace
	end     contradiction
	free    []Position // union-find over positions for packing
	used    []Position
	counts  []int32
	sorted  [2][]Variable
	scratch [5][]Position
	done    <-chan struct{}
}

// base holds the windows that counting gives, which a refutation need not mention.
type base struct{ lo, hi []Position }

// contradiction says where the propagation failed.
type contradiction struct {
	rule   proof.DisplacementRule // Inverted or Overfull
	v      Variable               // of the empty window
	place  bool                   // Overfull: places, not slots
	lo, hi Position
}

// Propagate narrows the windows of q under bound k to the fixpoint. It returns nil when ctx is
// done. A bound beyond the number of contents counts as that number.
func (q *Queue) Propagate(ctx context.Context, k int32) *Windows {
	w := &Windows{Q: q, Bound: min(k, int32(q.M)), done: ctx.Done()}
	if w.stopped() {
		return nil
	}
	w.count()
	w.free = make([]Position, q.M+2)
	for p := range w.free {
		w.free[p] = Position(p)
	}
	w.counts = make([]int32, q.M+3)
	for i := range w.sorted {
		w.sorted[i] = make([]Variable, q.M+3)
	}
	for i := range w.scratch {
		w.scratch[i] = make([]Position, q.M+3)
	}
	w.settle()
	if w.stopped() {
		return nil
	}
	w.counts, w.sorted, w.scratch, w.free, w.used = nil, [2][]Variable{}, [5][]Position{}, nil, nil
	return w
}

// Free reports whether the empty results of q are unconstrained, as under classes.
func (q *Queue) Free() bool { return q.Meaning == quasi.Classes }

func (w *Windows) stopped() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// settle runs the rules to the fixpoint: over everything while much changes, then around what
// changed, and at the end over everything again.
func (w *Windows) settle() {
	if !w.consistent() {
		return
	}
	all := span{0, max(w.Q.N, w.Q.R)}
	many := (w.Q.M + w.Q.R) / manyShare
	// all Hall intervals were searched once; later ones arise where windows changed
	halls := false
	for {
		w.Rounds++
		before := w.log.len()
		if !w.sweep(w.displace, all) || !w.sweep(w.packRemovalsBefore, all) || !w.sweep(w.packInsertionsBefore, all) ||
			!w.sweep(w.packInsertionsAfter, all) || !w.sweep(w.packRemovalsAfter, all) || !w.empties() {
			return
		}
		// Hall intervals are expensive, and most narrowings do not need them.
		if (!halls || w.Q.E > 0) && w.log.len()-before <= many {
			if !w.hall() {
				return
			}
			halls = true
		}
		changes := w.log.len() - before
		if changes == 0 && halls {
			return
		}
		for changes > 0 && changes <= many {
			spans := w.changed(changes)
			before = w.log.len()
			for _, in := range spans {
				if w.stopped() || !w.displace(in) || !w.packBefore(in) || !w.packAfter(in) || !w.hallSpan(in) {
					return
				}
			}
			changes = w.log.len() - before
		}
	}
}

// sweep applies a rule unless a limit stops the propagation.
func (w *Windows) sweep(rule func(span) bool, in span) bool { return !w.stopped() && rule(in) }

// changed returns the surroundings of the last n narrowings, as disjoint ascending spans.
func (w *Windows) changed(n int) []span {
	q := w.Q
	size := max(q.N, q.R)
	dirty := make([]bool, size/chunk+3) // by chunk plus one
	w.log.last(n, func(e entry) {
		i := int(e.side.variable())
		if i >= q.M {
			i -= q.M
		} else if i >= q.N {
			i = int(q.Taker[i])
		}
		c := i/chunk + 1
		dirty[c-1], dirty[c], dirty[c+1] = true, true, true
	})
	var spans []span
	for c := 1; c <= size/chunk+1; c++ {
		if !dirty[c] {
			continue
		}
		first := c
		for c <= size/chunk && dirty[c+1] && c-first+1 < longest {
			c++
		}
		spans = append(spans, span{(first - 1) * chunk, min(size, c*chunk)})
	}
	return spans
}

// consistent reports whether counting alone leaves no window empty.
func (w *Windows) consistent() bool {
	for v := range w.Lo {
		if w.Lo[v] > w.Hi[v] {
			return w.inverted(Variable(v))
		}
	}
	return true
}

// count computes the windows that follow from the number of operations before and after each.
func (w *Windows) count() {
	q := w.Q
	n, m, r := Position(q.N), Position(q.M), Position(q.R)
	buf := make([]Position, 4*(q.M+q.R))
	w.Lo, buf = buf[:q.M+q.R], buf[q.M+q.R:]
	w.Hi, buf = buf[:q.M+q.R], buf[q.M+q.R:]
	i, j := Position(0), Position(0) // insertions and removals that returned
	for x, call := range q.InsCall {
		for i < n && q.InsRet[q.InsByRet[i]] < call {
			i++
		}
		for j < r && q.RemRet[q.RemByRet[j]] < call {
			j++
		}
		w.Lo[x] = 1 + i
		if !q.Free() {
			w.Lo[x] = max(w.Lo[x], 1+j)
		}
	}
	i = 0
	for y, call := range q.RemCall {
		for i < r && q.RemRet[q.RemByRet[i]] < call {
			i++
		}
		w.Lo[q.M+y] = 1 + i
	}
	i, j = n, r // insertions and removals called up to here
	for k := q.N - 1; k >= 0; k-- {
		x := q.InsByRet[k]
		for i > 0 && q.InsCall[i-1] > q.InsRet[x] {
			i--
		}
		w.Hi[x] = m - (n - i)
	}
	i = n
	for k := q.R - 1; k >= 0; k-- {
		y := q.RemByRet[k]
		for i > 0 && q.InsCall[i-1] > q.RemRet[y] {
			i--
		}
		for j > 0 && q.RemCall[j-1] > q.RemRet[y] {
			j--
		}
		place := q.Place(y)
		w.Hi[place] = r - (r - j)
		if !q.Free() {
			w.Hi[place] = min(w.Hi[place], m-(n-i))
		}
	}
	for x, taker := range q.Taker {
		switch {
		case x >= q.N:
			w.Lo[x] = 1
			if q.Free() {
				w.Lo[x] = 1 + Position(q.Initial)
			}
			w.Hi[x] = m
			if !q.Drain {
				w.Hi[x] = r
			}
		case taker >= 0:
			if !q.Drain {
				w.Hi[x] = min(w.Hi[x], r)
			}
		case q.Drain:
			w.Lo[x] = max(w.Lo[x], r+1-Position(w.Bound))
		default:
			w.Lo[x] = max(w.Lo[x], r+1)
		}
	}
	w.base.lo, w.base.hi = buf[:q.M+q.R], buf[q.M+q.R:]
	copy(w.base.lo, w.Lo)
	copy(w.base.hi, w.Hi)
}

// Place returns the variable of the place of a removal.
func (q *Queue) Place(y Removal) Variable { return Variable(q.M) + Variable(y) }

// Partner returns the other variable of a content: the place for a slot and the slot for a place,
// or -1.
func (w *Windows) Partner(v Variable) Variable {
	if int(v) >= w.Q.M {
		return w.Q.Content[int(v)-w.Q.M]
	}
	if t := w.Q.Taker[v]; t >= 0 {
		return w.Q.Place(t)
	}
	return -1
}

// displace brings slot and place of every content of a span within K of each other.
func (w *Windows) displace(in span) bool {
	from, to := in.clip(w.Q.R)
	bound := Position(w.Bound)
	for y := from; y < to; y++ {
		x, p := w.Q.Content[y], w.Q.Place(Removal(y))
		ok := w.raise(x, w.Lo[p]-bound, proof.RuleDisplacement, 0) &&
			w.raise(p, w.Lo[x]-bound, proof.RuleDisplacement, 0) &&
			w.lower(x, w.Hi[p]+bound, proof.RuleDisplacement, 0) &&
			w.lower(p, w.Hi[x]+bound, proof.RuleDisplacement, 0)
		if !ok {
			return false
		}
	}
	return true
}

// raise records that variable v is at least pos; it returns false if that empties its window.
func (w *Windows) raise(v Variable, pos Position, rule proof.DisplacementRule, by int32) bool {
	if pos <= w.Lo[v] {
		return true
	}
	w.log.add(entry{side: v.side(0), old: w.Lo[v], rule: rule, by: by})
	w.Lo[v] = pos
	return pos <= w.Hi[v] || w.inverted(v)
}

// lower records that variable v is at most pos; it returns false if that empties its window.
func (w *Windows) lower(v Variable, pos Position, rule proof.DisplacementRule, by int32) bool {
	if pos >= w.Hi[v] {
		return true
	}
	w.log.add(entry{side: v.side(1), old: w.Hi[v], rule: rule, by: by})
	w.Hi[v] = pos
	return pos >= w.Lo[v] || w.inverted(v)
}

func (w *Windows) inverted(v Variable) bool {
	w.Refuted = true
	w.end = contradiction{rule: proof.RuleInverted, v: v}
	return false
}

func (w *Windows) overfull(place bool, lo, hi Position) bool {
	w.Refuted = true
	w.end = contradiction{rule: proof.RuleOverfull, place: place, lo: lo, hi: hi}
	return false
}

// Gap returns a bound that is certainly needed: some slot and place are at least so far apart. It
// is most useful for windows that were propagated under a bound that does not bind.
func (w *Windows) Gap() int32 {
	gap := Position(0)
	r := Position(w.Q.R)
	for x, taker := range w.Q.Taker {
		if taker >= 0 {
			p := w.Q.Place(taker)
			gap = max(gap, w.Lo[p]-w.Hi[x], w.Lo[x]-w.Hi[p])
		} else if w.Q.Drain {
			gap = max(gap, r+1-w.Hi[x])
		}
	}
	return int32(gap)
}
