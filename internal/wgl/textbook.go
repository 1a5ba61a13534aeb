package wgl

// What: the algorithm as it was published, as the readable reference for what dfs.go does, and as
// the baseline of measurements (linsat bench --engines textbook).
//
// Source: Wing and Gong (JPDC'93) for the search; Lowe (CCPE'17) for the cache of configurations;
// Horn and Kroening (FORTE'15, §5.1) for the cache of bounded size that evicts the entry that was
// used least recently.
//
// Calls and returns are entries of a list, in the order of the history. Any call before the first
// return may come next. If the specification allows it, and the operations that took effect and the
// state have not been met, call and return are lifted out of the list and the search goes on from
// its head. At a return, whose operation has not taken effect, the last operation is taken back,
// and its entries are put back. The history is linearizable if no return is left.
//
// What we changed: an operation that never returned has no return in the list; and of several
// states that an operation may leave, each is tried.
//
// Cost: a step for every call that is tried; a cached configuration takes a bit an operation.

import (
	"cmp"
	"container/list"
	"context"
	"encoding/binary"
	"math"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// Textbook is the algorithm as printed.
type Textbook struct{ most int }

// NewTextbook returns it, with the cache of Lowe, or with that of Horn and Kroening if bounded.
func NewTextbook(bounded bool) *Textbook {
	if bounded {
		return &Textbook{textbookMost}
	}
	return &Textbook{math.MaxInt}
}

var _ engine.Engine = (*Textbook)(nil)

// Name is "textbook", or "textbook:lru".
func (t *Textbook) Name() string {
	if t.most < math.MaxInt {
		return "textbook:lru"
	}
	return "textbook"
}

// listEntry is a call or a return in the list; entry 0 is its head.
type listEntry struct {
	op         history.OpID
	returns    bool
	match      int32 // of a call: its return, 0 for none
	prev, next int32
}

// textbook is one search.
type textbook struct {
	engine.Account
	entries []listEntry
	done    []byte // the operations that took effect, a bit each, and room for the state
	cache   map[string]*list.Element
	used    *list.List // its keys, the last used one first
	most    int
}

// lifted is an operation that took effect.
type lifted struct {
	call  int32
	state model.State // before
	way   int         // which of the states that it may leave
}

// Check decides a partition without explicit order.
func (t *Textbook) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (answer engine.Answer, err error) {
	part := p.Instance.Partition
	if len(part.Edges) > 0 || part.Drains > 0 {
		return engine.Answer{Cause: engine.Unsupported}, nil
	}
	s := &textbook{Account: engine.Account{Ctx: ctx, Budget: m, Limit: math.MaxInt64},
		done:  make([]byte, (part.Len()+7)/8, (part.Len()+7)/8+4),
		cache: map[string]*list.Element{}, used: list.New(), most: t.most}
	defer s.Close()
	s.link(part.Ops)
	answer.Verdict, answer.Witness = s.search(p.Instance.NewMachine(), part)
	answer.Cause, answer.Effort = s.Cause, engine.Effort{Steps: s.Steps, Nodes: int64(len(s.cache))}
	return answer, nil
}

// link makes the list.
func (s *textbook) link(ops []history.Op) {
	type event struct {
		at history.Rank
		listEntry
	}
	var events []event
	for i := range ops {
		events = append(events, event{ops[i].Call, listEntry{op: history.OpID(i)}})
		if !ops[i].Pending() {
			events = append(events, event{ops[i].Return, listEntry{op: history.OpID(i), returns: true}})
		}
	}
	compare := func(a, b event) int { return cmp.Compare(a.at, b.at) }
	sort.SliceStable(events, func(i, j int) bool { return compare(events[i], events[j]) < 0 })
	s.entries = make([]listEntry, 1, len(events)+1)
	call := make([]int32, len(ops))
	for k, e := range events {
		if at := int32(k + 1); e.returns {
			s.entries[call[e.op]].match = at
		} else {
			call[e.op] = at
		}
		e.prev, s.entries[k].next = int32(k), int32(k+1)
		s.entries = append(s.entries, e.listEntry)
	}
	s.entries[0].prev = int32(len(events))
}

// search returns the verdict, and of a linearizable partition the operations in order.
func (s *textbook) search(m model.Machine, p *model.Partition) (engine.Verdict, []history.OpID) {
	var stack []lifted
	state, left := m.Init(), 0
	for i := range p.Ops {
		if !p.Ops[i].Pending() {
			left++
		}
	}
	var room []model.State
	for at, way := s.entries[0].next, 0; left > 0; {
		if e := &s.entries[at]; at != 0 && !e.returns {
			if !s.Step() {
				return engine.Unknown, nil
			}
			if room = m.Step(state, e.op, room[:0]); way == len(room) {
				at, way = e.next, 0
				continue
			}
			s.flip(e.op)
			isNew, ok := s.admit(room[way])
			if !ok {
				return engine.Unknown, nil
			}
			if !isNew {
				s.flip(e.op)
				way++
				continue
			}
			stack = append(stack, lifted{at, state, way})
			if state = room[way]; e.match != 0 {
				left--
			}
			s.lift(at)
			at, way = s.entries[0].next, 0
			continue
		}
		if len(stack) == 0 {
			return engine.NotLinearizable, nil
		}
		last := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s.unlift(last.call)
		s.flip(s.entries[last.call].op)
		if s.entries[last.call].match != 0 {
			left++
		}
		state, at, way = last.state, last.call, last.way+1
	}
	order := make([]history.OpID, len(stack))
	for k, x := range stack {
		order[k] = s.entries[x.call].op
	}
	return engine.Linearizable, order
}

// flip lets an operation take effect, or undoes that.
func (s *textbook) flip(op history.OpID) { s.done[op/8] ^= 1 << (op % 8) }

// lift takes a call and its return out of the list.
func (s *textbook) lift(call int32) {
	for _, k := range [...]int32{call, s.entries[call].match} {
		if e := &s.entries[k]; k != 0 {
			s.entries[e.prev].next, s.entries[e.next].prev = e.next, e.prev
		}
	}
}

// unlift puts them back.
func (s *textbook) unlift(call int32) {
	for _, k := range [...]int32{s.entries[call].match, call} {
		if e := &s.entries[k]; k != 0 {
			s.entries[e.prev].next, s.entries[e.next].prev = k, k
		}
	}
}

// admit remembers a configuration, and reports whether it is new. It returns ok false if there is
// no memory.
func (s *textbook) admit(state model.State) (isNew, ok bool) {
	key := string(binary.LittleEndian.AppendUint32(s.done, uint32(state)))
	if e, known := s.cache[key]; known {
		s.used.MoveToFront(e)
		return false, true
	}
	if s.cache[key] = s.used.PushFront(key); s.used.Len() > s.most {
		delete(s.cache, s.used.Remove(s.used.Back()).(string))
		return true, true
	}
	return true, s.Grow(int64(len(key)) + textbookBytes)
}
