package monitor

// Banks: how one vector of balances becomes another one (bank.go).
//
// What: of the open transfers, the small sets come first. What a set leaves of the difference is
// nothing, or is supplied: by one transfer of unknown outcome, which is looked up by its weight; or
// by more, each of which must pay from an account that has too much, or into one that has too
// little. The weight of balances is linear, so a set is tried by adding numbers.
//
// Cost: a look-up for each set of open transfers; with k transfers of unknown outcome, as many as
// there are kinds from one account to the power of k-1.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// bankKindID numbers the kinds of transfers of unknown outcome.
type bankKindID int32

// bankKinds are the transfers of unknown outcome, by kind.
type bankKinds struct {
	moves []bankMove
	of    map[uint64]bankKindID // by weight
	known map[history.OpID]bankKindID
	ops   [][]history.OpID // by call
	avail []int32          // how many were called
	out   [][]bankKindID   // by account: kinds that it pays
	in    [][]bankKindID   // by account: kinds that it is paid
}

// bankChosen is a transfer that takes effect before a read.
type bankChosen struct {
	bankMove
	op   history.OpID // of an open one
	slot uint8
	kind bankKindID // of one without return; else -1
}

// bankWays is the search for ways from a configuration to a read.
type bankWays struct {
	left   []*bankOpen // open transfers
	chosen []bankChosen
	order  []bankChosen // the same, as they take effect
	tries  int          // left for a read
	tried  int          // in all
	orders int
	rest   []int64
}

// kindsOf lists the kinds of operations without return.
func (w *bankWalk) kindsOf() bankKinds {
	n := w.bank.Accounts
	k := bankKinds{of: map[uint64]bankKindID{}, known: map[history.OpID]bankKindID{}, out: make([][]bankKindID, n),
		in: make([][]bankKindID, n)}
	for i := range w.ops {
		if !w.ops[i].Pending() || w.bank.Does[i] != model.BankMoves {
			continue
		}
		m := w.move(history.OpID(i))
		if m.weight == 0 {
			continue
		}
		kind, known := k.of[m.weight]
		if !known {
			kind = bankKindID(len(k.moves))
			k.of[m.weight] = kind
			k.moves, k.ops = append(k.moves, m), append(k.ops, nil)
			k.out[m.from], k.in[m.to] = append(k.out[m.from], kind), append(k.in[m.to], kind)
		} else if k.moves[kind] != m {
			continue // of the same weight by chance
		}
		k.known[history.OpID(i)] = kind
		k.ops[kind] = append(k.ops[kind], history.OpID(i))
	}
	k.avail = make([]int32, len(k.moves))
	return k
}

// call notes that an operation without return was called.
func (k *bankKinds) call(op history.OpID) {
	if kind, known := k.known[op]; known {
		k.avail[kind]++
	}
}

// expand makes the successors of a configuration in which due has not taken effect.
func (w *bankWalk) expand(s *bankState) {
	y := &w.ways
	y.left = y.left[:0]
	for k := range w.open {
		if o := &w.open[k]; o.does == model.BankMoves && s.left.has(o.slot) {
			y.left = append(y.left, o)
		}
	}
	for k := range w.open {
		q := &w.open[k]
		if q.does != model.BankReads || !s.left.has(q.slot) || slices.ContainsFunc(w.open[:k], func(r bankOpen) bool {
			return r.does == model.BankReads && r.weight == q.weight && s.left.has(r.slot)
		}) {
			continue
		}
		y.tries = bankTries
		for size := 0; size <= len(y.left) && y.tries > 0; size++ {
			w.choose(s, q, size, 0, q.weight-s.weight)
		}
		y.tried += bankTries - y.tries
	}
	for k := range w.open {
		if o := &w.open[k]; o.does == model.BankRefuses && s.left.has(o.slot) {
			w.refuse(s, o)
		}
	}
	if pays := &w.due.move; w.due.does == model.BankMoves &&
		!w.follow(s, bankChosen{*pays, w.due.op, w.due.slot, -1}) && w.most > 1 {
		w.after(s, w.kinds.in[pays.from], func(m *bankMove) bool { return w.most > 2 || m.to == pays.from })
	}
}

// refuse lets a transfer take effect that leaves too little for one that was refused.
func (w *bankWalk) refuse(s *bankState, o *bankOpen) {
	due := o.slot == w.due.slot
	if x := *s; due && !w.known(s) {
		if x.balances = slices.Clone(s.balances); w.declines(x.balances, &o.move) {
			x.left.flip(o.slot)
			w.trace = append(w.trace, o.op)
			w.put(x)
			w.trace = w.trace[:len(w.trace)-1]
		}
	}
	var kinds []bankKindID
	if due || w.most > 1 {
		kinds = w.kinds.out[o.move.from]
	}
	w.after(s, kinds, func(m *bankMove) bool {
		return m.from == o.move.from && (w.most > 1 || !w.known(s) || s.balances[m.from]-m.amount < o.move.amount)
	})
}

// after lets one open transfer take effect that fits, or one of some kinds.
func (w *bankWalk) after(s *bankState, kinds []bankKindID, fits func(m *bankMove) bool) {
	for _, o := range w.ways.left {
		if o.slot != w.due.slot && fits(&o.move) {
			w.follow(s, bankChosen{o.move, o.op, o.slot, -1})
		}
	}
	for _, kind := range kinds {
		if w.spare(s, kind) && fits(&w.kinds.moves[kind]) {
			w.follow(s, bankChosen{w.kinds.moves[kind], 0, 0, kind})
		}
	}
}

// choose lets size more of the open transfers from place i on take effect before a read, and then
// supplies the rest.
func (w *bankWalk) choose(s *bankState, q *bankOpen, size, i int, rest uint64) {
	y := &w.ways
	if size == 0 {
		if y.tries--; y.tries >= 0 {
			w.supply(s, q, rest)
		}
		return
	}
	for ; i+size <= len(y.left); i++ {
		o := y.left[i]
		y.chosen = append(y.chosen, bankChosen{o.move, o.op, o.slot, -1})
		w.choose(s, q, size-1, i+1, rest-o.move.weight)
		y.chosen = y.chosen[:len(y.chosen)-1]
	}
}

// supply supplies what is missing to a read.
func (w *bankWalk) supply(s *bankState, q *bankOpen, rest uint64) {
	y := &w.ways
	if !w.known(s) || rest == 0 {
		w.arrive(s, q)
		return
	}
	if w.most == 0 {
		return
	}
	w.last(s, q, rest)
	if w.most == 1 {
		return
	}
	y.rest = append(y.rest[:0], q.found...)
	for a, n := range s.balances {
		y.rest[a] -= n
	}
	for k := range y.chosen {
		y.add(&y.chosen[k].bankMove, 1)
	}
	w.mend(s, q, w.most, rest)
}

// add takes a transfer off the rest, n times.
func (y *bankWays) add(m *bankMove, n int64) {
	y.rest[m.from] += n * m.amount
	y.rest[m.to] -= n * m.amount
}

// last supplies the rest by one transfer.
func (w *bankWalk) last(s *bankState, q *bankOpen, rest uint64) {
	if kind, known := w.kinds.of[rest]; known && w.spare(s, kind) {
		w.ways.use(kind, &w.kinds.moves[kind])
		w.arrive(s, q)
		w.ways.unuse()
	}
}

// mend supplies the rest by at least two transfers, and at most so many.
func (w *bankWalk) mend(s *bankState, q *bankOpen, most int, rest uint64) {
	y := &w.ways
	payers, paid, at := 0, 0, -1
	for a, n := range y.rest {
		switch {
		case n < 0:
			payers++
		case n > 0:
			paid++
		default:
			continue
		}
		if at < 0 {
			at = a
		}
	}
	if at < 0 || max(payers, paid) > most {
		return
	}
	kinds := w.kinds.in[at]
	if y.rest[at] < 0 {
		kinds = w.kinds.out[at]
	}
	for _, kind := range kinds {
		if y.tries--; y.tries < 0 {
			return
		}
		if !w.spare(s, kind) {
			continue
		}
		m := &w.kinds.moves[kind]
		y.use(kind, m)
		w.last(s, q, rest-m.weight)
		if most > 2 {
			y.add(m, 1)
			w.mend(s, q, most-1, rest-m.weight)
			y.add(m, -1)
		}
		y.unuse()
	}
}

// spare reports whether one more of a kind can be used than is chosen.
func (w *bankWalk) spare(s *bankState, kind bankKindID) bool {
	n := s.used[kind]
	for k := range w.ways.chosen {
		if w.ways.chosen[k].kind == kind {
			n++
		}
	}
	return n < w.kinds.avail[kind]
}

// use chooses one of a kind.
func (y *bankWays) use(kind bankKindID, m *bankMove) {
	y.chosen = append(y.chosen, bankChosen{*m, 0, 0, kind})
}

func (y *bankWays) unuse() { y.chosen = y.chosen[:len(y.chosen)-1] }
