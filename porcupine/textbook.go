package porcupine

import (
	"cmp"
	"context"
	"math/bits"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/linsat/linsat/internal/deep"
)

// The search of the textbook, for histories on which nothing is faster.
//
// What: places one operation after another, each as soon as it is called and the model allows it,
// and turns back where one returns that is not placed. A configuration, which operations are
// placed and the state, is visited once.
//
// Source: G. Lowe, "Testing for linearizability", Concurrency and Computation 29(4), 2017, after
// Wing and Gong; Porcupine is this search.
//
// What we changed: operations are numbered by their returns, so that those that are placed are
// nearly all of a prefix, and what lies beyond is a few words; those that return after the last
// call, with an invented return, have words of their own. An operation of unknown outcome may be
// left out, and one step may leave several states. Steps are tried twice now and then. The search
// does not answer if they differ, if a state was changed, or if it refuted with states that are
// equal to Equal and differ in contents: then the engines ask, and name what is wrong.
//
// Invariant: what is placed is an order that the model allows step by step, in which no operation
// comes before one that returned before its call; an order of all is checked once more.
//
// Cost: as many steps of the model as Porcupine makes; a configuration takes memory for the
// operations that are open, not for the history.

// textbook is a search in progress.
type textbook struct {
	step   func(state any, op int) (next any, others []any, ok bool)
	equal  func(a, b any) bool // or nil for contents
	hash   func(state any) uint64
	ops    []Operation
	events []event
	stack  []placement
	known  configurations
	placed words

	state any
	at    int32 // the event that is next
	grown bool  // something was placed since the search turned back

	longest [][]int // of each operation, the longest order found with it; kept if it is not nil
	stop    atomic.Bool
	tried   int   // steps of the model
	bytes   int64 // that hang on states, estimated
	room    int64 // bytes that the search may take

	kind  reflect.Type // of the last state, and whether == compares it by its contents
	plain bool

	doubtful bool // a step or a state was not the same again, or states differ that are equal
	coarse   bool // a configuration was left out for one with a state of other contents
}

// event is the call of operation op, or its return. Events 0 and len-1 are ends of the list.
type event struct {
	op         int32
	returns    bool
	prev, next int32
	other      int32 // the return of a call, 0 if there is none
}

// placement is an operation that was placed: its call, the state before, and the other states from
// there on that are still to be tried.
type placement struct {
	call   int32
	before any
	others []any
}

// How a search ended.
type ending int

const (
	gaveUp  ending = iota // it was stopped, or does not answer
	ordered               // every operation is placed
	refuted               // there is no order
)

func newTextbook(ctx context.Context, m *Model, ops []Operation) *textbook {
	s := &textbook{state: m.Init(), equal: m.Equal, hash: m.Hash, ops: ops, room: textbookBytes,
		stack: make([]placement, 0, len(ops))}
	s.known.begin(len(ops) + len(ops)/2)
	if MemoryLimit > 0 {
		s.room = min(s.room, MemoryLimit/textbookShare)
	}
	if s.equal == nil {
		s.hash = nil
	}
	s.step = func(state any, op int) (any, []any, bool) {
		o := &ops[op]
		outputs := o.unknown()
		if outputs == nil {
			ok, next := m.StepContext(ctx, state, o.Input, o.Output)
			return next, nil, ok
		}
		var all []any
		for _, out := range outputs {
			if ok, next := m.StepContext(ctx, state, o.Input, out); ok {
				all = append(all, next)
			}
		}
		if len(all) == 0 {
			return nil, nil, false
		}
		return all[0], all[1:], true
	}
	s.list()
	return s
}

// list makes the list of events, and numbers the operations.
func (s *textbook) list() {
	type moment struct {
		time int64
		op   int32 // of a return its complement
	}
	moments := make([]moment, 0, 2*len(s.ops))
	for i := range s.ops {
		moments = append(moments, moment{s.ops[i].Call, int32(i)})
		if s.ops[i].unknown() == nil {
			moments = append(moments, moment{s.ops[i].Return, ^int32(i)})
		}
	}
	slices.SortFunc(moments, func(a, b moment) int {
		if a.time != b.time {
			return cmp.Compare(a.time, b.time)
		}
		if a.op < 0 && b.op < 0 {
			return cmp.Compare(b.op, a.op)
		}
		if a.op < 0 || b.op < 0 { // calls first: at equal times operations are concurrent
			return -cmp.Compare(a.op, b.op)
		}
		return cmp.Compare(a.op, b.op)
	})
	s.events = make([]event, len(moments)+2)
	calls, numbers, last, next := make([]int32, len(s.ops)), make([]int32, len(s.ops)), 0, int32(0)
	for i := range numbers {
		numbers[i] = -1
	}
	for k, m := range moments {
		if m.op >= 0 {
			last = k
		}
	}
	early := int32(0)
	for k, m := range moments {
		at, op := int32(k+1), max(m.op, ^m.op)
		s.events[at] = event{op: op, returns: m.op < 0}
		if m.op >= 0 {
			calls[op] = at
			continue
		}
		s.events[calls[op]].other = at
		numbers[op] = next
		next++
		if k < last {
			early = next
		}
	}
	for k := range s.events {
		s.events[k].prev, s.events[k].next = int32(k-1), int32(k+1)
	}
	for i := range numbers { // those that never return come last
		if numbers[i] < 0 {
			numbers[i] = next
			next++
		}
	}
	s.placed, s.at = newWords(numbers, int(early)), s.events[0].next
}

// run searches until it ends, or until the model was asked so often in all.
func (s *textbook) run(most int) ending {
	end := int32(len(s.events) - 1)
	for s.tried < most && !s.doubtful && !s.stop.Load() {
		e := &s.events[s.at]
		if s.at != end && !e.returns {
			if next, others, ok := s.try(int(e.op)); ok {
				s.stack = append(s.stack, placement{s.at, s.state, others})
				s.lift(s.at)
				s.state, s.at, s.grown = next, s.events[0].next, true
			} else {
				s.at = e.next
			}
			continue
		}
		if s.grown {
			s.record()
			s.grown = false
		}
		if s.at == end { // what is left never returned
			return s.sound()
		}
		if len(s.stack) == 0 {
			if s.coarse {
				return gaveUp
			}
			return refuted
		}
		s.turnBack()
	}
	s.record()
	return gaveUp
}

// turnBack goes on with another state after the operation that was placed last, or else without it.
func (s *textbook) turnBack() {
	top := &s.stack[len(s.stack)-1]
	if next, others, ok := s.fresh(top.others); ok {
		top.others = others
		s.state, s.at, s.grown = next, s.events[0].next, true
		return
	}
	s.placed.flip(int(s.events[top.call].op))
	s.unlift(top.call)
	s.state, s.at = top.before, s.events[top.call].next
	*top = placement{}
	s.stack = s.stack[:len(s.stack)-1]
}

// try places an operation if the model allows it and leads to a configuration that is new.
func (s *textbook) try(op int) (next any, others []any, ok bool) {
	s.tried++
	sampled := s.tried <= doubleFirst || s.tried%doubleEach == 0
	var was uint64
	if sampled && !deep.Exact(s.state) {
		was, _ = deep.Hash(s.state)
	}
	next, others, ok = s.step(s.state, op)
	if sampled {
		s.doubt(op, was, next, ok)
	}
	if !ok {
		return nil, nil, false
	}
	s.placed.flip(op)
	if s.visit(next) {
		return next, others, true
	}
	if next, others, ok = s.fresh(others); !ok {
		s.placed.flip(op)
	}
	return next, others, ok
}

// doubt makes a step once more and looks at what Equal and Hash say of its states. It notes if the
// model is not pure, or if states may be taken for one that are none.
func (s *textbook) doubt(op int, was uint64, next any, ok bool) {
	state := s.state
	again, _, allowed := s.step(state, op)
	if allowed != ok || ok && !s.same(next, again) {
		s.doubtful = true
	}
	if was != 0 {
		if now, _ := deep.Hash(state); now != was {
			s.doubtful = true
		}
	}
	if !ok {
		return
	}
	switch equal := s.same(state, next); {
	case s.equal != nil && (s.same(next, state) != equal || equal && !s.identical(state, next)):
		s.doubtful = true
	case s.hash != nil && !s.hashes(next):
		s.doubtful = true
	case s.equal == nil && !s.comparable(next):
		if _, where, sure := deep.Identity(next); where != 0 || !sure { // it holds pointers
			s.doubtful = true
		}
	}
}

// hashes reports whether a state has the same hash when asked twice.
func (s *textbook) hashes(state any) bool {
	hash := s.hash(state)
	return s.hash(state) == hash
}

// fresh returns the first of the states that was not met with the same operations placed, and those
// behind it.
func (s *textbook) fresh(states []any) (next any, others []any, ok bool) {
	for k, state := range states {
		if s.visit(state) {
			return state, states[k+1:], true
		}
	}
	return nil, nil, false
}

// visit notes a configuration and reports whether it is new.
func (s *textbook) visit(state any) bool {
	key := s.placed.key
	if s.hash != nil {
		key ^= mixed(s.hash(state))
	}
	for i := s.known.first(key); i >= 0; i = s.known.all[i].next {
		if c := &s.known.all[i]; c.key == key && s.known.holds(c, &s.placed) && s.same(c.state, state) {
			s.coarse = s.coarse || !s.identical(c.state, state)
			return false
		}
	}
	s.known.add(key, &s.placed, state)
	if len(s.known.all)%weighEach == 0 {
		_, bytes := deep.Hash(state)
		if s.bytes += weighEach * bytes; s.bytes+s.known.bytes() > s.room {
			s.stop.Store(true)
		}
	}
	return true
}

// same reports whether two states are equal.
func (s *textbook) same(a, b any) bool {
	switch {
	case s.equal != nil:
		return s.equal(a, b)
	case s.comparable(a) && reflect.TypeOf(b) == s.kind:
		return a == b
	}
	return reflect.DeepEqual(a, b)
}

// comparable reports whether == compares the contents of a state.
func (s *textbook) comparable(a any) bool {
	if t := reflect.TypeOf(a); t != s.kind {
		s.kind, s.plain = t, t != nil && deep.Plain(t)
	}
	return s.plain
}

// identical reports whether no function of contents tells two states apart, as far as can be known.
func (s *textbook) identical(a, b any) bool {
	if s.comparable(a) && reflect.TypeOf(b) == s.kind && a == b {
		return true
	}
	hash, where, sure := deep.Identity(a)
	other, there, certain := deep.Identity(b)
	return hash == other && where == there && sure && certain && reflect.DeepEqual(a, b)
}

// sound answers that every operation is placed, if the order is one of the history.
func (s *textbook) sound() ending {
	if s.doubtful {
		return gaveUp
	}
	called, placed := int64(-1<<63), 0
	for _, p := range s.stack {
		o := &s.ops[s.events[p.call].op]
		if o.unknown() == nil {
			if o.Return < called {
				panic("porcupine: the search placed an operation too late")
			}
			placed++
		}
		called = max(called, o.Call)
	}
	for i := range s.ops {
		if s.ops[i].unknown() == nil {
			placed--
		}
	}
	if placed != 0 {
		panic("porcupine: the search left out an operation")
	}
	return ordered
}

// order is what is placed.
func (s *textbook) order() []int {
	order := make([]int, len(s.stack))
	for k, p := range s.stack {
		order[k] = int(s.events[p.call].op)
	}
	return order
}

// record notes what is placed for every operation in it that had no longer order.
func (s *textbook) record() {
	if s.longest == nil {
		return
	}
	var order []int
	for _, p := range s.stack {
		op := s.events[p.call].op
		if len(s.longest[op]) >= len(s.stack) {
			continue
		}
		if order == nil {
			order = s.order()
			s.tried += len(order) / recordEach
		}
		s.longest[op] = order
	}
}

// lift takes a call and its return out of the list, and unlift puts them back, the last one lifted
// first.
func (s *textbook) lift(call int32) {
	s.unlink(call)
	if other := s.events[call].other; other > 0 {
		s.unlink(other)
	}
}

func (s *textbook) unlink(k int32) {
	e := &s.events[k]
	s.events[e.prev].next, s.events[e.next].prev = e.next, e.prev
}

func (s *textbook) unlift(call int32) {
	if other := s.events[call].other; other > 0 {
		s.link(other)
	}
	s.link(call)
}

func (s *textbook) link(k int32) {
	e := &s.events[k]
	s.events[e.prev].next, s.events[e.next].prev = k, k
}

// words is a set of operations, as bits by their numbers: those that return before the last call,
// and from the next word on the late ones.
type words struct {
	bits      []uint64
	number    []int32 // by operation
	late      int     // where the words of the late ones begin
	low, high int     // words below low are full; from high on they are empty, but for late ones
	lates     int     // late ones in the set
	key       uint64  // a hash
}

func newWords(numbers []int32, early int) words {
	late := (early + 63) / 64
	for i, n := range numbers {
		if int(n) >= early {
			numbers[i] = int32(64*late + int(n) - early)
		}
	}
	return words{bits: make([]uint64, late+(len(numbers)-early+63)/64), number: numbers, late: late}
}

// flip puts an operation in or takes it out.
func (w *words) flip(op int) {
	n := w.number[op]
	k := int(n) / 64
	w.bits[k] ^= 1 << (n % 64)
	w.key ^= mixed(uint64(n))
	if k >= w.late {
		if w.bits[k]>>(n%64)&1 == 1 {
			w.lates++
		} else {
			w.lates--
		}
		return
	}
	for w.low < w.late && w.bits[w.low] == ^uint64(0) {
		w.low++
	}
	if w.bits[k] != ^uint64(0) {
		w.low = min(w.low, k)
	}
	w.high = max(w.high, k+1)
	for w.high > w.low && w.bits[w.high-1] == 0 {
		w.high--
	}
	w.high = max(w.high, w.low)
}

// beyond returns the words that are neither full nor empty, and those of the late ones.
func (w *words) beyond() (window, late []uint64) {
	if w.lates > 0 {
		late = w.bits[w.late:]
	}
	return w.bits[w.low:w.high], late
}

func mixed(x uint64) uint64 { // the finalizer of splitmix64
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// configurations are those that were visited, in a hash table.
type configurations struct {
	all   []configuration
	heads []int32
	room  []uint64 // of their words
}

type configuration struct {
	key    uint64
	state  any
	from   int // in room
	low    int32
	window int32 // so many words
	late   int32
	next   int32 // with the same head, or -1
}

// begin makes room for so many.
func (c *configurations) begin(n int) {
	c.all, c.room = make([]configuration, 0, n), make([]uint64, 0, 2*n)
	c.heads = make([]int32, 1<<bits.Len(uint(n)))
}

func (c *configurations) first(key uint64) int32 {
	return c.heads[key>>c.shift()] - 1
}

// bytes is about what they take, without what hangs on states.
func (c *configurations) bytes() int64 {
	return int64(8*cap(c.room) + 64*cap(c.all) + 4*cap(c.heads))
}

func (c *configurations) shift() int { return 65 - bits.Len(uint(len(c.heads))) }

func (c *configurations) holds(x *configuration, w *words) bool {
	window, late := w.beyond()
	if int(x.low) != w.low || int(x.window) != len(window) || int(x.late) != len(late) {
		return false
	}
	room := c.room[x.from:]
	return slices.Equal(room[:len(window)], window) && slices.Equal(room[len(window):len(window)+len(late)], late)
}

func (c *configurations) add(key uint64, w *words, state any) {
	if len(c.all) >= len(c.heads) {
		c.heads = make([]int32, 2*len(c.heads))
		for i := range c.all {
			c.link(int32(i))
		}
	}
	window, late := w.beyond()
	from := len(c.room)
	c.room = append(append(c.room, window...), late...)
	c.all = append(c.all, configuration{key: key, state: state, from: from, low: int32(w.low),
		window: int32(len(window)), late: int32(len(late))})
	c.link(int32(len(c.all) - 1))
}

func (c *configurations) link(i int32) {
	head := &c.heads[c.all[i].key>>c.shift()]
	c.all[i].next, *head = *head-1, i+1
}
