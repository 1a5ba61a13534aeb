package transition

// What: Machine.Step cached by (state, kind).
//
// Source: ours.
//
// The first states have dense rows, as long as all rows together stay below denseCells, and beyond
// sparseCells only where one of denseShare is known. Later states go through a direct-mapped cache
// that forgets, except for the answers with several states, which are kept.
//
// A code is None when the operation is not allowed, Single(s) for one next state, and negative for
// several states, which Next lists. It is never 0.
//
// Invariant: what an operation does never depends on what the cache forgot.
//
// Cost: O(1) for a known answer; 16 MB of dense rows at most.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// None is the code of an operation that is not allowed.
const None = 1

// Single is the code of one next state.
func Single(s model.State) int32 { return int32(s) + 2 }

// Table caches what kinds of operations do in states of a machine.
type Table struct {
	Machine model.Machine
	Kind    []int32 // by operation
	Kinds   int32   // how many kinds there are
	Rows    int32   // states below this number have a dense row, now or later

	dense  []int32 // codes, by state and kind
	cached []cell
	misses int
	asked  int
	many   map[uint64]int32 // codes of answers with several states, beyond the dense rows
	lists  []model.State    // for code c: length at -c-1, then the states
	out    []model.State
	Top    model.State // greatest state seen
}

// cell is an answer of the cache that forgets.
type cell struct {
	key  uint64 // state and kind, plus one
	code int32
}

// New returns an empty table; kind numbers the kind of every operation.
func New(m model.Machine, kind []int32) Table {
	t := Table{Machine: m, Kind: kind, Kinds: 1}
	for _, s := range kind {
		t.Kinds = max(t.Kinds, s+1)
	}
	t.Rows = int32(denseCells / int(t.Kinds))
	return t
}

// TakeRoom lets a table that knows nothing yet make its dense rows in room, whatever that holds.
func (t *Table) TakeRoom(room []int32) {
	if len(t.dense) == 0 {
		t.dense = room[:0]
	}
}

// TakeAnswers lets the table have memory for what the machine answers.
func (t *Table) TakeAnswers(room []model.State) { t.out = room[:0] }

// GiveAnswers returns the memory for what the machine answers; the table is of no use any more.
func (t *Table) GiveAnswers() []model.State { return t.out }

// GiveRoom returns the piece of memory of the dense rows to be used for another table; this one is
// of no use any more.
func (t *Table) GiveRoom() (room []int32) {
	room, t.dense = t.dense, nil
	return room
}

// Bytes estimates what the table takes.
func (t *Table) Bytes() int64 {
	return int64(cap(t.dense))*4 + int64(len(t.cached))*16 + int64(len(t.many))*24 + int64(cap(t.lists))*4
}

// Lookup returns the code of applying op in state s.
func (t *Table) Lookup(s model.State, op history.OpID) int32 {
	kind := t.Kind[op]
	k := int64(s)*int64(t.Kinds) + int64(kind)
	if end := k - int64(kind) + int64(t.Kinds); int32(s) < t.Rows && k >= int64(len(t.dense)) &&
		(k < sparseCells || denseShare*int64(t.asked) >= k) {
		known := len(t.dense)
		t.dense = slices.Grow(t.dense, max(int(end), firstCells)-known)[:end]
		clear(t.dense[known:])
	}
	key := uint64(s)<<32 | uint64(kind) + 1
	if k < int64(len(t.dense)) {
		if c := t.dense[k]; c != 0 {
			return c
		}
		c, ok := t.many[key] // from before there was this row
		if !ok {
			c = t.ask(s, op)
		}
		t.dense[k] = c
		return c
	}
	h := key * 0x9e3779b97f4a7c15
	if len(t.cached) > 0 {
		if e := &t.cached[h>>32&uint64(len(t.cached)-1)]; e.key == key {
			return e.code
		}
	}
	if c, ok := t.many[key]; ok {
		return c
	}
	c := t.ask(s, op)
	if c < 0 {
		t.keep(key, c)
		return c
	}
	if t.misses++; t.misses > len(t.cached) && len(t.cached) < maxCached {
		t.cached = make([]cell, max(minCached, 2*len(t.cached)))
		t.misses = 0
	}
	t.cached[h>>32&uint64(len(t.cached)-1)] = cell{key, c}
	return c
}

// keep keeps an answer with several states.
func (t *Table) keep(key uint64, c int32) {
	if t.many == nil {
		t.many = map[uint64]int32{}
	}
	t.many[key] = c
}

// Renumber forgets everything, because states have new numbers.
func (t *Table) Renumber() {
	*t = Table{Machine: t.Machine, Kind: t.Kind, Kinds: t.Kinds, Rows: t.Rows, out: t.out}
}

// Know makes next the answer to op in state s, where nothing is known: the machine might list these
// states in another order.
func (t *Table) Know(s model.State, op history.OpID, next []model.State) {
	if len(next) > 1 {
		t.keep(uint64(s)<<32|uint64(t.Kind[op])+1, t.list(next))
	}
}

// Once returns what the machine answers, up to the next call, and keeps nothing: for what is asked
// once.
func (t *Table) Once(s model.State, op history.OpID) []model.State {
	t.out = t.Machine.Step(s, op, t.out[:0])
	for _, n := range t.out {
		t.Top = max(t.Top, n)
	}
	return t.out
}

// ask asks the machine.
func (t *Table) ask(s model.State, op history.OpID) int32 {
	t.asked++
	switch next := t.Once(s, op); len(next) {
	case 0:
		return None
	case 1:
		return Single(t.out[0])
	}
	return t.list(t.out)
}

// list returns the code of several states.
func (t *Table) list(states []model.State) int32 {
	c := -int32(len(t.lists)) - 1
	t.lists = append(t.lists, model.State(len(states)))
	t.lists = append(t.lists, states...)
	return c
}

// Next returns state number i of a code, if there is one.
func (t *Table) Next(code, i int32) (model.State, bool) {
	if code > None {
		return model.State(code - 2), i == 0
	}
	if code == None {
		return 0, false
	}
	k := -code - 1
	if i >= int32(t.lists[k]) {
		return 0, false
	}
	return t.lists[k+1+i], true
}

// Leads reports whether s is among the states of a code.
func (t *Table) Leads(code int32, s model.State) bool {
	for i := int32(0); ; i++ {
		n, ok := t.Next(code, i)
		if !ok {
			return false
		}
		if n == s {
			return true
		}
	}
}
