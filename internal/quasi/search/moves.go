package search

// What: the moves that can be made under slots, likely ones first.
//
// The place of a group of bound 0 is filled by the operation itself. Any other place is filled by
// the operation itself, by the oldest owed content of some kind, or by the content of an operation
// that can still get a rank in time. An owed content whose deadline has come goes first.
//
// Source: ours.
//
// Order: moves that make no debt come before insertions, and these before moves that make a debt.
// Pending operations that no other operation needs come last, except that a pending removal takes
// the item that leaves next if no known removal does. Operations that return first go first.
// Insertions are ordered by the return of the removal of their value, on a stack the latest first.
//
// Invariant: every answer can be reached by the moves listed.
//
// Cost: candidates × (debts + operations that can still get a rank in time).

import (
	"cmp"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/quasi"
)

// Levels of the order above.
const (
	debtFree = iota
	inserting
	borrowing
	optional
)

// children appends the moves of the configuration to r.moves. It returns false if the search must
// stop.
func (r *slotsMeaning) children() bool {
	from := len(r.moves)
	work := r.gather()
	for _, v := range r.ready {
		if v >= r.n || !r.atOnce[v] || !r.completed(v) || !r.allows(r.kind[v]) {
			continue
		}
		if !r.Step() {
			return false
		}
		if r.Lookup(r.state, v) != transition.None {
			r.moves = append(r.moves[:from], move{op: v, content: r.kind[v], fill: r.kind[v]})
			return true
		}
	}
	for _, v := range r.ready {
		if v >= r.n || !r.completed(v) || !r.atOnce[v] { // else it was tried
			r.place(v, r.fill)
		}
	}
	inorder.Sort(r.moves[from:], func(a, b move) int { return cmp.Compare(a.order, b.order) })
	return r.Toil(work + int64(len(r.moves)-from))
}

// place calls add with every content that operation v may have.
func (r *run) place(v history.OpID, add func(v history.OpID, content int32)) {
	g, guess := r.guesses[r.kind[v]]
	switch {
	case v >= r.n || r.value == nil || r.bound.Items.Delta[v] >= 0:
		add(v, r.kind[v])
	case !guess:
		if r.present[r.value[v]] > 0 {
			add(v, r.kind[v])
		}
	default:
		for _, c := range g.candidates {
			if k := r.value[c]; (k < 0 || r.present[k] > 0) && r.likely(c) {
				add(v, r.kind[c])
			}
		}
	}
}

// likely returns false only if the content of c could not be applied in time if an operation were
// linearized with it now.
func (r *run) likely(c history.OpID) bool {
	g := r.group[c]
	if r.collections == nil || r.groups[g].bound == 0 || r.question.Meaning != quasi.Slots {
		return true
	}
	if _, credits := r.early[g].find(r.kind[c]); credits > 0 {
		return true
	}
	place := r.places[g] + 1
	return place+int32(r.collections[r.collectionOf[c]].ahead(c)) <= r.deadline(g, place)
}

// fill appends the moves that linearize operation v with the given content.
func (r *slotsMeaning) fill(v history.OpID, content int32) {
	g := r.group[v]
	m := move{op: v, content: content, fill: content}
	if r.groups[g].bound == 0 {
		if r.allows(content) {
			m.order = r.rankMove(v, false)
			if r.relieves(v) {
				m.order = int64(debtFree)<<40 + int64(history.Never)
			}
			r.moves = append(r.moves, m)
		}
		return
	}
	place := r.places[g] + 1
	deadline := r.deadline(g, place)
	_, credits := r.early[g].find(content)
	urgent := int32(-1)
	for _, d := range r.owed[g] {
		if d.deadline <= place {
			urgent = d.kind
		}
	}
	mine := false // contents like this one are owed
	for k, d := range r.owed[g] {
		mine = mine || d.kind == content
		if k > 0 && r.owed[g][k-1].kind == d.kind || urgent >= 0 && urgent != d.kind || !r.allows(d.kind) {
			continue
		}
		m.fill, m.from, m.order = d.kind, owed, r.rankMove(v, false)
		r.moves = append(r.moves, m)
	}
	if urgent >= 0 {
		return
	}
	if !mine && credits == 0 && r.allows(content) {
		m.fill, m.from, m.order = content, own, r.rankMove(v, false)
		if r.relieves(v) {
			m.order = int64(debtFree)<<40 + int64(history.Never)
		}
		r.moves = append(r.moves, m)
	}
	m.from, m.order = early, r.rankMove(v, credits == 0)
	r.advance(m, credits > 0, place, deadline)
}

// advance appends the moves that linearize v and fill its place with the content of an operation
// that can still be linearized by the deadline.
func (r *slotsMeaning) advance(m move, settles bool, place, deadline int32) {
	v := m.op
	g := r.group[v]
	r.epoch++
	offer := func(kind int32) {
		if r.epochs[kind] == r.epoch {
			return
		}
		r.epochs[kind] = r.epoch
		if !settles && kind == m.content || !r.allows(kind) {
			return
		}
		if _, n := r.owed[g].find(kind); n > 0 {
			return
		}
		_, claimed := r.early[g].find(kind)
		if settles && kind == m.content {
			claimed--
		}
		if r.remaining(g, v, kind) > claimed {
			m.fill = kind
			r.moves = append(r.moves, m)
		}
	}
	head := r.n + history.OpID(g)
	// the least rank of an operation that is called before the operation at returns
	rank, at := place+1, r.inReturn.next[head]
	pass := func(call history.Rank) bool {
		for at != head && r.ops[at].Return < call {
			if at != v {
				rank++
			}
			at = r.inReturn.next[at]
		}
		return rank <= deadline
	}
	if d := r.drain(g); d >= 0 {
		others := r.open[g]
		if r.completed(v) {
			others--
		}
		if place+1+others <= deadline {
			offer(r.kind[d])
		}
	}
	if r.closed > 0 {
		return
	}
	if r.unknown[g] > 0 {
		for _, u := range r.groups[g].unknown {
			candidates := r.guesses[u].candidates
			if r.collections != nil {
				candidates = r.guesses[u].byFront[r.collections[r.collectionOf[v]].next()]
			}
			for _, c := range candidates {
				offer(r.kind[c])
			}
		}
	}
	for w := r.inCall.next[head]; w != head && pass(r.ops[w].Call); w = r.inCall.next[w] {
		if w != v && !r.guessing(w) {
			offer(r.kind[w])
		}
	}
	for _, f := range r.groups[g].pendingClasses {
		if class := r.members.Of(f); int(r.used[f]) < len(class) {
			w := class[r.used[f]]
			rank, at = place+1, r.inReturn.next[head]
			if !r.guessing(w) && pass(r.ops[w].Call) {
				offer(r.kind[w])
			}
		}
	}
}

// guessing reports whether v is a removal whose value has to be guessed.
func (r *run) guessing(v history.OpID) bool {
	_, ok := r.guesses[r.kind[v]]
	return ok
}

// remaining counts the operations of group g that may still be linearized with a content of that
// kind once v is linearized.
func (r *run) remaining(g groupID, v history.OpID, kind int32) int {
	if d := r.drain(g); d >= 0 && kind == r.kind[d] {
		o := r.groups[g].object
		n := r.left[o]
		if r.closed == 0 {
			n += r.rest[o] + r.plus[o]
		}
		if v == d {
			n--
		}
		return int(n)
	}
	n := r.undone[kind] + r.maybe[kind] + r.unknown[g]
	if r.kind[v] == kind || r.guessing(v) {
		n--
	}
	return int(n)
}

// allows returns false only if the machine would refuse the content now.
func (r *run) allows(kind int32) bool {
	if r.collections == nil {
		return true
	}
	op := r.sample[kind]
	return r.collections[r.collectionOf[op]].allows(op, r.drains[r.object[op]] == op) &&
		(r.bound.Items.Delta[op] <= 0 || r.timely(op))
}

// relieves reports whether v, a pending removal, can take an item that no known removal takes.
func (r *run) relieves(v history.OpID) bool {
	return r.collections != nil && v < r.n && !r.completed(v) && r.bound.Items.Delta[v] < 0 &&
		r.collections[r.collectionOf[v]].spare()
}

// rankMove returns the position of a move of v in the order: the least is tried first.
func (r *run) rankMove(v history.OpID, borrows bool) int64 {
	level, tie := debtFree, int64(r.ops[v].Return)
	inserts := r.bound.Items.Delta != nil && r.bound.Items.Delta[v] > 0
	if inserts {
		level, tie = inserting, int64(r.remover[v])
		if t, ok := r.bound.Theory.(*model.CollectionTheory); ok && t.Discipline == model.LIFO {
			tie = int64(history.Never) - tie
		}
	}
	if borrows {
		level = borrowing
	}
	if v < r.n && !r.completed(v) && !(inserts && r.remover[v] != history.Never) {
		level = optional
	}
	return int64(level)<<40 + tie
}
