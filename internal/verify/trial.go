package verify

// All orders, tried again.
//
// What: the completed operations take effect in some order, each before it returns, and pending
// ones after their calls, as often as each was called. A configuration is a set of completed
// operations, a state, and the pending operations that were used. None is visited twice.
//
// From longTrials operations without explicit order on, it leaves out what another way is as good
// as, and so says of fewer configurations that the search ends there. Then the pending operations
// of a kind are used in the order of their calls, and:
//
//   - An operation that changes no state is a step as soon as it is legal; a pending one is none.
//   - Of completed operations that do the same, the one that returns first comes first: two others
//     could be exchanged.
//   - A configuration is not visited if another one was that used no more of any kind: whatever is
//     possible after it is possible there.
//
// Cost: configurations × operations that overlap them.

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify/base"
)

// trial is a search in progress.
type trial struct {
	ctx     context.Context
	limit   int // nodes
	nodes   int
	work    int // operations looked at
	long    bool
	b       *model.Instance
	machine model.Machine
	order   [][]history.OpID // by operation: those that explicit order puts before
	behind  [][]history.OpID // and behind

	ops     []history.Op // the completed ones, by call
	names   []history.OpID
	place   []int32          // by operation: its number in ops, or of its kind in pending
	done    []byte           // a bit for each of ops
	low     int              // those before it are done
	left    int              // those that are not
	pending [][]history.OpID // by kind
	used    []uint16

	tried     map[string][][]uint16 // by done and state
	pieces    *pieces               // nil where operations do not say what they touch
	revisions *revisions            // nil where pending operations are told apart
	least     int                   // completed operations that were left where fewest were
	stuck     []stuck               // where so many were
}

// stuck is a configuration: pending operations that took effect, completed ones that did not, and
// the state.
type stuck struct {
	used, left []history.OpID
	state      model.State
}

func newTrial(ctx context.Context, b *model.Instance, limit int) *trial {
	p := b.Partition
	n := p.Len()
	s := &trial{ctx: ctx, limit: limit, long: n >= longTrials && p.Drains+len(p.Edges) == 0, b: b, machine: b.Judge(),
		order: make([][]history.OpID, n), behind: make([][]history.OpID, n), place: make([]int32, n), least: n + 1,
		tried: map[string][][]uint16{}}
	kinds := map[int32]int32{}
	for i := range history.OpID(n) {
		if !p.Ops[i].Pending() {
			s.place[i] = int32(len(s.ops))
			s.ops, s.names = append(s.ops, p.Ops[i]), append(s.names, i)
			continue
		}
		kind, met := kinds[b.EquivID[i]]
		if !met || !s.long || len(s.pending[kind]) == 1<<16-1 {
			kind = int32(len(s.pending))
			s.pending = append(s.pending, nil)
			kinds[b.EquivID[i]] = kind
		}
		s.place[i] = kind
		if s.long && b.ReadOnly[i] {
			continue
		}
		s.pending[kind] = append(s.pending[kind], i)
	}
	for _, e := range p.Edges {
		s.order[e.After], s.behind[e.Before] = append(s.order[e.After], e.Before), append(s.behind[e.Before], e.After)
	}
	s.done, s.left, s.used = make([]byte, len(s.ops)/8+1), len(s.ops), make([]uint16, len(s.pending))
	if b.Touches != nil && len(p.Edges) == 0 && p.Drains == 0 {
		s.pieces = newPieces(b)
	}
	return s
}

// is reports whether an operation has taken effect.
func (s *trial) is(i history.OpID) bool {
	k := s.place[i]
	if s.b.Partition.Ops[i].Pending() {
		return s.used[k] > 0 // it is the only one of its kind where this is asked
	}
	return s.done[k/8]>>(k%8)&1 != 0
}

// do takes an operation (-1) or takes it back (1).
func (s *trial) do(i history.OpID, by int) {
	k := s.place[i]
	switch {
	case !s.b.Partition.Ops[i].Pending():
		s.done[k/8] ^= 1 << (k % 8)
		if s.left += by; by > 0 {
			s.low = min(s.low, int(k))
		}
		if s.revisions != nil {
			s.revisions.tell[s.revisions.At[i]] += by
		}
	case s.revisions == nil:
		s.used[k] -= uint16(by)
	}
}

// next lists the completed operations that may come next. Of ops, those before low are done, those
// from end on are called after first, when one that is not done returns.
func (s *trial) next() (next []history.OpID, end int, first history.Rank) {
	for s.low < len(s.ops) && s.is(s.names[s.low]) {
		s.low++
	}
	first = history.Never
	for end = s.low; end < len(s.ops) && s.ops[end].Call <= first; end++ {
		if i := s.names[end]; !s.is(i) {
			first = min(first, s.ops[end].Return)
			if !s.waits(i) {
				next = append(next, i)
			}
		}
	}
	return next, end, first
}

// waits reports whether explicit order forbids that an operation comes next.
func (s *trial) waits(i history.OpID) bool {
	return slices.ContainsFunc(s.order[i], func(j history.OpID) bool {
		return !s.b.Partition.Ops[j].Pending() && !s.is(j)
	}) || s.revisions == nil && slices.ContainsFunc(s.behind[i], s.is)
}

// all lists the operations that have to be tried next: of these completed ones, and of the pending
// ones that are called by first.
func (s *trial) all(next []history.OpID, state model.State, first history.Rank) []history.OpID {
	if s.revisions != nil {
		return append(next, s.mayChange(state, next, first)...)
	}
	if s.long {
		next = s.unlike(next)
	}
	for k, ops := range s.pending {
		if n := int(s.used[k]); n < len(ops) && s.b.Partition.Ops[ops[n]].Call <= first && !s.waits(ops[n]) {
			next = append(next, ops[n])
		}
	}
	slices.Sort(next)
	if s.pieces != nil {
		next = s.pieces.connected(s, next, state)
	}
	return next
}

// unlike leaves out of next those of which another one does the same and returns first.
func (s *trial) unlike(next []history.OpID) []history.OpID {
	best := map[int32]history.OpID{}
	for _, i := range next {
		if j, met := best[s.b.EquivID[i]]; !met || s.b.Partition.Ops[i].Return < s.b.Partition.Ops[j].Return {
			best[s.b.EquivID[i]] = i
		}
	}
	return slices.DeleteFunc(next, func(i history.OpID) bool { return best[s.b.EquivID[i]] != i })
}

// readOnly takes what is legal and changes nothing, as long as there is any, and returns it.
func (s *trial) readOnly(state model.State) (taken []history.OpID) {
	for again := s.long; again; {
		again = false
		next, _, _ := s.next()
		for _, i := range next {
			if s.b.ReadOnly[i] && slices.Contains(s.machine.Step(state, i, nil), state) {
				s.do(i, -1)
				taken = append(taken, i)
				again = true
			}
		}
	}
	return taken
}

// visit reports whether there is a way on from a state.
func (s *trial) visit(state model.State) (bool, error) {
	for _, i := range s.readOnly(state) {
		defer s.do(i, 1)
	}
	if s.left == 0 {
		return true, nil
	}
	next, end, first := s.next()
	key := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(state)), uint32(s.low))
	key = append(key, s.done[s.low/8:(end+7)/8]...)
	if !s.long {
		for _, n := range s.used {
			key = append(key, byte(n)) // of one operation each
		}
	}
	tried := s.tried[string(key)]
	if slices.ContainsFunc(tried, s.within) {
		return false, nil
	}
	s.work += end - s.low + len(s.used) + len(tried) + 1
	if s.nodes >= s.limit || s.work > workEach*base.NodesOf(s.b.Partition) {
		return false, base.ErrTooLarge
	}
	if err := context.Cause(s.ctx); err != nil {
		return false, err
	}
	s.nodes++
	s.note(state)
	s.tried[string(key)] = append(tried, slices.Clone(s.used))
	for _, i := range s.all(next, state, first) {
		for _, t := range s.machine.Step(state, i, nil) {
			if s.long && t == state && s.b.Partition.Ops[i].Pending() ||
				s.revisions != nil && !s.mayRaise(state, t, i) {
				continue
			}
			s.do(i, -1)
			found, err := s.visit(t)
			s.do(i, 1)
			if found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}

// within reports whether no more of any kind is used than in this configuration.
func (s *trial) within(used []uint16) bool {
	for k, n := range used {
		if n > s.used[k] {
			return false
		}
	}
	return true
}

// note keeps a configuration in which as few operations are left as in any before.
func (s *trial) note(state model.State) {
	if s.left < s.least {
		s.least, s.stuck = s.left, s.stuck[:0]
	}
	if s.left > s.least || s.left > maxMissing || len(s.stuck) == maxStuck {
		return
	}
	x := stuck{state: state}
	for _, i := range s.names[s.low:] {
		if !s.is(i) {
			x.left = append(x.left, i)
		}
	}
	for k, ops := range s.pending {
		x.used = append(x.used, ops[:s.used[k]]...)
	}
	slices.Sort(x.used)
	s.stuck = append(s.stuck, x)
}

// describe says of each configuration that was kept which operations that never returned took
// effect, the state, and why no operation that is left comes next. names gives the names of
// operations.
func (s *trial) describe(names []history.OpID) []engine.Configuration {
	var out []engine.Configuration
	for _, x := range s.stuck {
		c := engine.Configuration{State: s.machine.Describe(x.state)}
		for _, i := range x.used {
			c.Linearized = append(c.Linearized, names[i])
		}
		for _, i := range x.left {
			why := "" // if it is not for the state that it cannot
			if s.b.Refusal != nil && len(s.machine.Step(x.state, i, nil)) == 0 {
				why = s.b.Refusal(s.machine, x.state, i)
			}
			c.Refusals = append(c.Refusals, engine.Refusal{Op: names[i], Why: why})
		}
		out = append(out, c)
	}
	return out
}
