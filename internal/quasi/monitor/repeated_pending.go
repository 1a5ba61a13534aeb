package monitor

// Operations that never returned, in the search for queues in which values repeat.
//
// What: an insertion may be the next one; where nothing else takes its value, a drain does. A
// removal takes any value, as a drain does, but may come as soon as it was called. Of the
// insertions of one value, and of the removals, the one that was called first is used first: it can
// stand wherever another can.
//
// Left out: removals that find nothing, and all removals where nothing is drained. So a violation
// of such a history is not reported. Since only a witness counts, a state tells the insertions used
// by a hash of theirs.
//
// Each pending operation that a move uses counts as some debts (pendingDebts) in the order of
// moves: a pending insertion whose value a pending removal takes always fits, and helps nothing.
//
// Source: ours.

import "github.com/linsat/linsat/history"

// crashed is what never returned.
type crashed struct {
	some   bool
	drain  bool                     // what is left over is drained
	takers []history.OpID           // removals by call
	late   map[int32][]history.OpID // insertions by value, by call
	values []int32                  // of these
	used   map[int32]int            // by value: how many of these are on the path
	all    int32                    // of these on the path
}

// noteLate notes an insertion of v.
func (c *crashed) noteLate(v int32, op history.OpID) {
	if c.late == nil {
		c.late, c.used = map[int32][]history.OpID{}, map[int32]int{}
	}
	if c.late[v] == nil {
		c.values = append(c.values, v)
	}
	c.late[v] = append(c.late[v], op)
}

// pendingIn counts the pending ones of an insertion and a removal.
func (r *repeated) pendingIn(insertion, removal history.OpID) int32 {
	n := int32(0)
	for _, op := range [...]history.OpID{insertion, removal} {
		if op >= 0 && r.ops[op].Pending() {
			n++
		}
	}
	return n
}

// mayTake reports whether a pending removal can have the next place, all of which must be filled
// before an unused operation returns.
func (r *repeated) mayTake(s repeatedState, before history.Rank) bool {
	return int(s.pending) < len(r.takers) && s.pending < r.drains+r.moreDrains() &&
		r.ops[r.takers[s.pending]].Call < before
}

// eachLate calls fill with every pending insertion that can be the next one.
func (r *repeated) eachLate(s repeatedState, before history.Rank, fill func(insertion history.OpID, value int32,
	next repeatedState)) {
	for _, value := range r.values {
		used := r.used[value]
		if used == len(r.late[value]) || r.tried[value] == r.epoch || r.ops[r.late[value][used]].Call > before {
			continue
		}
		next, op := s, r.late[value][used]
		next.late ^= hash(uint64(op))
		fill(op, value, next)
	}
}

// put notes what a move uses, or with by = -1 that it is undone.
func (r *repeated) put(m repeatedMove, by int32) {
	r.left[m.content] -= by
	if m.insertion >= 0 && r.ops[m.insertion].Pending() {
		r.used[r.theory.Value[m.insertion]] += int(by)
		r.all += by
		if r.drain {
			r.left[drained] += by
		}
	}
}

// moreDrains is how many places the pending insertions on the path add.
func (r *repeated) moreDrains() int32 {
	if r.drain {
		return r.all
	}
	return 0
}

// content returns what a removal takes, or drained.
func (r *repeated) content(removal history.OpID) int32 {
	if removal < 0 || r.ops[removal].Pending() {
		return drained
	}
	return r.theory.Value[removal]
}

// last returns the state at the end of the path.
func (r *repeated) last() repeatedState {
	if len(r.path) == 0 {
		return repeatedState{}
	}
	return r.path[len(r.path)-1].next
}

// hash spreads the bits of x (the finalizer of SplitMix64; Steele, Lea and Flood, OOPSLA'14).
func hash(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
