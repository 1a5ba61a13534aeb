package wgl

// What: forgetting learned configurations, and the states that only they needed, so that a search
// under a limit goes on to its end or its time.
//
// Source: Horn and Kroening (FORTE'15, §5.1) evict the least recently used entries of the cache of
// Wing, Gong and Lowe's algorithm.
//
// What we changed. There are two generations of entries instead of a list in the order of use. New
// entries go into the young one; one that is found in the old one moves to the young one; when the
// young one is full, the old one is dropped as a whole and the young one becomes old. What was used
// since the last change is never evicted, as under LRU, and an entry takes no links. States are
// interned, and entries hold their numbers. When memory is short, the machine drops the states of
// evicted entries, those left are renumbered, and the table of transitions starts anew.
//
// Why it is sound. An entry only cuts a branch that is known to fail, and says why. Without it the
// branch is searched again, and fails again: for the same reason or for another that is as true. No
// node lies below itself (dfs.go), so the memo is not needed to end, either. Candidates of the
// frames are tried from where they were left, and so are several states that an operation may
// leave: their order is kept for the frames on the stack, since it is the specification's.
//
// States are renumbered only at the head of the loop, where they are held by the current
// configuration, the trail, the frames' closures and blocked steps, and the entries; what is known
// of their sums (sums_ahead.go) gets the new numbers. Searches with
// a dual space, with targets or with held values know states by number elsewhere; there states are
// few, and only entries are evicted. An enumeration (failure.go) must visit nothing twice and
// Evicts nothing.
//
// Invariants: the two generations together never have more entries than the limit. After a
// collection every state that is held has the contents that it had.
//
// Cost: O(1) for each entry; a collection takes time linear in what stays. A search that needs more
// than fits repeats work, in the worst case exponentially often.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// MayForget lets the search, one of so many at once, forget beyond the limits of a budget. What it
// takes now stays.
func (r *Run) MayForget(m *engine.Budget, searches int) {
	if n := m.CacheEntries(); n > 0 {
		r.generation, r.single = int32(min(max(1, n/2), 1<<29)), n == 1
	}
	if n := m.SoftBytes(); n > 0 {
		r.SoftBytes = r.Taken() + n/int64(searches)
	}
}

// Evicts reports whether the search forgets when memory is short.
func (r *Run) Evicts() bool { return r.SoftBytes > 0 && r.atEnd == nil }

// recall finds the entry of the current configuration in the young generation. One of the old
// generation is moved there.
func (r *Run) recall(hash uint32) (*entry, int32) {
	e, number := r.memo.find(r.Depth, r.State, r.Mask, hash)
	if e != nil || r.old == nil {
		return e, number
	}
	old := r.old
	was, from := old.find(r.Depth, r.State, r.Mask, hash)
	if was == nil {
		return nil, -1
	}
	if e = r.insert(hash); e == nil {
		return nil, -1
	}
	m := &r.memo
	number = m.count - 1
	if r.Component != nil {
		m.blames[number] = old.blames[from]
	}
	if was.nogood == always {
		e.nogood = always
		return e, number
	}
	for at := was.nogood; at != 0; at = old.arena[at] {
		terms := old.terms(at)
		place := int32(len(m.arena))
		m.arena = append(append(m.arena, e.nogood, int32(len(terms))), terms...)
		e.nogood = place
	}
	return e, number
}

// age starts a new generation and drops the old one.
func (r *Run) age() {
	if r.old != nil {
		r.Evicted += int64(r.old.count)
		r.Grow(-r.old.indexed())
	}
	young := r.memo
	r.memo = memo{words: young.words, arena: make([]int32, 1, 16)}
	if r.old = &young; r.single {
		r.dropOld()
	}
}

// dropOld drops the old generation.
func (r *Run) dropOld() {
	if r.old != nil {
		r.Evicted += int64(r.old.count)
		r.Grow(-r.old.indexed())
		r.old = nil
	}
}

// relieve forgets until the search is well below the bytes that it may take. It returns false if
// what it is doing takes more by itself. It is called where only what collect knows holds states.
func (r *Run) relieve() bool {
	enough := r.SoftBytes - r.SoftBytes/relieved
	for _, forget := range []func(){r.collect, r.age, r.collect, r.dropOld, r.collect} {
		if forget(); r.Taken() <= enough {
			break
		}
	}
	r.Pressed = false
	return r.Taken() <= 2*r.SoftBytes || r.Stop(engine.Memory)
}

// collect drops the states that nothing holds, and what the table of transitions knows.
func (r *Run) collect() {
	if r.Space != nil || r.bounds != nil || slices.ContainsFunc(r.rules, func(x Rule) bool { return x.Fixed }) {
		return
	}
	var places []*model.State
	hold := func(s *model.State) { places = append(places, s) }
	hold(&r.State)
	for i := range r.Trail {
		hold(&r.Trail[i].State)
	}
	for i := range r.pendingClosure {
		hold(&r.pendingClosure[i].state)
	}
	for i := range r.blocked {
		hold(&r.blocked[i].state)
	}
	for _, memo := range []*memo{&r.memo, r.old} {
		if memo == nil {
			continue
		}
		for i := range memo.count {
			hold(&memo.at(i).state)
		}
	}
	answers := r.answersInUse()
	for i := range answers {
		for k := range answers[i].next {
			hold(&answers[i].next[k])
		}
	}
	keep := make([]model.State, len(places))
	for i, s := range places {
		keep[i] = *s
	}
	before := r.Top
	if m, ok := r.Machine.(model.Collector); ok {
		m.Collect(keep)
	}
	r.Renumber()
	for _, x := range r.rules {
		if x.Renumber != nil {
			x.Renumber(places, keep)
		}
	}
	for i, s := range places {
		*s = keep[i]
		r.Top = max(r.Top, keep[i])
	}
	r.collected += int64(max(0, before-r.Top))
	for _, a := range answers {
		r.Know(*a.state, a.op, a.next)
	}
	for _, memo := range []*memo{&r.memo, r.old} {
		if memo != nil {
			memo.rehash()
		}
	}
}

// answer is several states that an operation may leave.
type answer struct {
	state *model.State // in the closure of a frame
	op    history.OpID
	next  []model.State
}

// answersInUse returns the answers of which a frame has tried some states and not yet the others.
func (r *Run) answersInUse() (list []answer) {
	for i := range r.frames {
		f := &r.frames[i]
		if f.cand < 0 || f.succ == 0 || f.cand >= f.readOnly {
			continue
		}
		a := answer{state: &r.pendingClosure[f.current].state, op: r.cands[f.cand]}
		code := r.Lookup(*a.state, a.op)
		for k := int32(0); ; k++ {
			s, ok := r.Table.Next(code, k)
			if !ok {
				break
			}
			a.next = append(a.next, s)
		}
		list = append(list, a)
	}
	return list
}

// insert adds an entry for the current configuration, or returns nil if the search has to stop.
func (r *Run) insert(hash uint32) *entry {
	m := &r.memo
	if r.generation > 0 && m.count >= r.generation {
		r.age()
	}
	if int(m.count) >= len(m.index)/4*3 && !r.growIndex() {
		return nil
	}
	if int(m.count)>>chunkBits == len(m.chunks) {
		if !r.Look() {
			return nil
		}
		if r.Evicts() && m.bytes()+m.indexed() > r.SoftBytes/youngShare {
			r.age()
			return r.insert(hash)
		}
		size := chunkSize
		if len(m.chunks) == 0 {
			size = 16
		}
		m.chunks = append(m.chunks, make([]entry, 0, size))
	}
	c := &m.chunks[m.count>>chunkBits]
	e := entry{layer: r.Depth, state: r.State, hash: hash}
	if m.words == 1 {
		e.mask = r.Mask[0]
	} else {
		e.mask = uint64(len(m.masks))
		m.masks = append(m.masks, r.Mask...)
	}
	*c = append(*c, e)
	if r.Component != nil {
		m.blames = append(m.blames, r.component())
	}
	m.count++
	*m.place(hash) = m.count
	return &(*c)[len(*c)-1]
}

// growIndex doubles the index. That takes long for a large one, so it looks at the context
// meanwhile.
func (r *Run) growIndex() bool {
	m := &r.memo
	size := max(32, 2*len(m.index))
	if m.count > 1<<30 {
		return r.Stop(engine.Memory)
	}
	if !r.Grow(int64(size) * 4) {
		return false
	}
	old := len(m.index)
	m.index = make([]int32, size)
	for i := range m.count {
		*m.place(m.at(i).hash) = i + 1
		if i&0xffff == 0xffff && !r.Look() {
			return false
		}
	}
	return r.Grow(-int64(old) * 4)
}

// fails reports whether the current configuration is known to fail, and returns the vector that
// shows it (valid until the next call).
func (r *Run) fails() (found bool, because vector) {
	e, number := r.recall(layout.Hash(r.Depth, r.State, r.Mask))
	if e == nil {
		return false, nil
	}
	if r.Component != nil {
		r.blame = r.memo.blames[number]
	}
	if e.nogood == always {
		return true, nil
	}
	for at := e.nogood; at != 0; at = r.memo.arena[at] {
		if r.memo.holds(at, r.Used) {
			r.fetched = r.memo.vector(at, r.fetched[:0])
			return true, r.fetched
		}
		if !r.Toil(1) {
			break
		}
	}
	return false, nil
}

// store learns a nogood at the current configuration, which failed for a component. It
// returns false if the search has to stop.
func (r *Run) store(b vector, blame int32) bool {
	hash := layout.Hash(r.Depth, r.State, r.Mask)
	e, number := r.recall(hash)
	m := &r.memo
	if e == nil {
		if e = r.insert(hash); e == nil {
			return false
		}
		number = m.count - 1
		if r.Component != nil {
			m.blames[number] = blame
		}
	} else if e.nogood == always {
		return true
	}
	if r.Component != nil && m.blames[number] != blame {
		m.blames[number] = anyComponent
	}
	if len(b) == 0 {
		e.nogood = always
		return true
	}
	// Drop what the new one dominates.
	link := &e.nogood
	for *link != 0 {
		r.fetched = m.vector(*link, r.fetched[:0])
		if b.within(r.fetched) {
			*link = m.arena[*link]
		} else {
			link = &m.arena[*link]
		}
		if !r.Toil(1) {
			return false
		}
	}
	if len(m.arena)+2+2*len(b) > cap(m.arena) {
		if int64(len(m.arena)) > 1<<30 {
			return r.Stop(engine.Memory)
		}
		if !r.Look() {
			return false
		}
	}
	at := int32(len(m.arena))
	m.arena = append(m.arena, e.nogood, 2*int32(len(b)))
	for _, t := range b {
		m.arena = append(m.arena, int32(t.class), t.count)
	}
	e.nogood = at
	return true
}
