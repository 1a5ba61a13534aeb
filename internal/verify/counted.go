package verify

// Long histories whose states have a number, tried without telling unknown outcomes apart.
//
// What: the same question as in exhaustion.go, where states have a number that no operation lowers,
// or raises by more than one, and operations tell it: the revision of etcd. What it leaves out:
//
//   - The number is not raised before all that tell it have taken effect.
//   - What certainly leads to a number that it tells is the only operation that does.
//   - A pending operation raises the number only to one that it fits (model.RevisionTheory).
//   - A pending operation changes anything else only if it has a topic in common with an operation
//     that may come next. Until then it can wait, since it commutes with what has none of its
//     topics.
//   - A read-only operation is a step as soon as it is legal.
//   - The number is no greater than where it begins plus the number of operations.
//
// And what it does not insist on: pending operations may take effect again and again, explicit
// order does not bind them, and the machine is lenient. So a configuration is a set of completed
// operations and a state, no matter what was used to get there. If nothing is found like that,
// there is no linearization. If something is, that says nothing.
//
// Cost: configurations × operations that overlap them.

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// countedTrial is a search in progress.
type countedTrial struct {
	walk    // of the completed operations
	inst    *model.Instance
	counted *model.RevisionTheory
	machine model.Machine
	names   []history.OpID // the completed ones
	before  [][]int32      // by place: those that explicit order puts before
	tell    map[int64]int  // by number: operations that tell it and are not done
	pending []history.OpID // one of each kind, by call
	silent  map[int32][]history.OpID
	owner   map[int64]history.OpID
	most    int64 // what all operations together raise the number to, at most
	fits    map[int64][]history.OpID
	dead    map[string]bool
}

// newCountedTrial returns nil where all is to be tried step by step.
func newCountedTrial(ctx context.Context, b *model.Instance, limit int) *countedTrial {
	strict, p := model.As[*model.RevisionTheory](b), b.Partition
	if strict == nil || p.Len() < longCounted {
		return nil
	}
	b = strict.Lenient()
	c := model.As[*model.RevisionTheory](b)
	s := &countedTrial{inst: b, counted: c, machine: b.Judge(), tell: map[int64]int{},
		silent: map[int32][]history.OpID{},
		owner:  map[int64]history.OpID{}, fits: map[int64][]history.OpID{}, dead: map[string]bool{}}
	type kind struct {
		equiv int32
		at    int64
	}
	seen := map[kind]bool{}
	var completed []history.Op
	place := make([]int32, p.Len())
	for i := range history.OpID(p.Len()) {
		if place[i] = -1; c.Raises[i] {
			s.owner[c.At[i]] = i
		}
		if !p.Ops[i].Pending() {
			place[i] = int32(len(completed))
			completed, s.names = append(completed, p.Ops[i]), append(s.names, i)
			s.tell[c.At[i]]++
			continue
		}
		if k := (kind{b.EquivID[i], c.At[i]}); !seen[k] {
			seen[k] = true
			s.pending = append(s.pending, i)
			for _, topic := range c.About[i] {
				if c.Silent[i] {
					s.silent[topic] = append(s.silent[topic], i)
				}
			}
		}
	}
	s.most = c.Of(s.machine, s.machine.Init()) + int64(p.Len())
	s.walk, s.before = newWalk(ctx, completed, limit), make([][]int32, len(completed))
	for _, e := range p.Edges {
		if u, v := place[e.Before], place[e.After]; u >= 0 && v >= 0 {
			s.before[v] = append(s.before[v], u)
		}
	}
	return s
}

// do takes an operation (-1) or takes it back (1).
func (s *countedTrial) do(k, by int) {
	s.walk.do(k, by)
	s.tell[s.counted.At[s.names[k]]] += by
}

// next lists the places of the completed operations that may come next, and returns the end of what
// was looked at, and the first return of an operation that is not done.
func (s *countedTrial) next() (next []int, end int, first history.Rank) {
	low, end, first := s.window()
	for k := low; k < end; k++ {
		if !s.is(k) && s.ops[k].Call <= first && !slices.ContainsFunc(s.before[k], func(u int32) bool {
			return !s.is(int(u))
		}) {
			next = append(next, k)
		}
	}
	return next, end, first
}

// readOnly takes what is legal and changes nothing, as long as there is any, and appends it to
// taken.
func (s *countedTrial) readOnly(state model.State) (taken []int) {
	for again := true; again; {
		again = false
		next, _, _ := s.next()
		for _, k := range next {
			if i := s.names[k]; s.inst.ReadOnly[i] && slices.Contains(s.machine.Step(state, i, nil), state) {
				s.do(k, -1)
				taken = append(taken, k)
				again = true
			}
		}
	}
	return taken
}

// visit reports whether there may be a way on from a state.
func (s *countedTrial) visit(state model.State) (bool, error) {
	for _, k := range s.readOnly(state) {
		defer s.do(k, 1)
	}
	if s.left == 0 {
		return true, nil
	}
	next, end, first := s.next()
	key := s.key(binary.LittleEndian.AppendUint32(nil, uint32(state)), end)
	if s.dead[string(key)] {
		return false, nil
	}
	if err := s.spend(len(s.dead), end-s.low); err != nil {
		return false, err
	}
	s.dead[string(key)] = true // nothing comes back to it before it is known
	for _, k := range next {
		for _, t := range s.machine.Step(state, s.names[k], nil) {
			if !s.mayRaise(state, t, s.names[k]) {
				continue
			}
			s.do(k, -1)
			found, err := s.visit(t)
			s.do(k, 1)
			if found || err != nil {
				return found, err
			}
		}
	}
	for _, i := range s.mayChange(state, next) {
		if s.inst.Partition.Ops[i].Call > first {
			continue
		}
		for _, t := range s.machine.Step(state, i, nil) {
			if t == state || !s.mayRaise(state, t, i) {
				continue
			}
			if found, err := s.visit(t); found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}

// mayRaise reports whether an operation may lead from one state to another, as far as their numbers
// say.
func (s *countedTrial) mayRaise(from, to model.State, by history.OpID) bool {
	c := s.counted
	n := c.Of(s.machine, to)
	if was := c.Of(s.machine, from); n == was {
		return true
	} else if s.tell[was] > 0 {
		return false
	}
	owner, owned := s.owner[n]
	return (!owned || owner == by) && (c.At[by] < 0 || c.At[by] == n)
}

// mayChange lists the pending operations that may come next in a state.
func (s *countedTrial) mayChange(state model.State, next []int) []history.OpID {
	c := s.counted
	n := c.Of(s.machine, state)
	var out []history.OpID
	if s.tell[n] == 0 {
		if owner, owned := s.owner[n+1]; !owned {
			out = append(out, s.fitting(n+1)...)
		} else if s.inst.Partition.Ops[owner].Pending() {
			out = append(out, owner)
		}
	}
	var topics []int32
	for _, i := range out {
		topics = append(topics, c.About[i]...)
	}
	for _, k := range next {
		topics = append(topics, c.About[s.names[k]]...)
	}
	slices.Sort(topics)
	for _, topic := range slices.Compact(topics) {
		out = append(out, s.silent[topic]...)
	}
	return out
}

// fitting lists the pending operations that may lead to a number.
func (s *countedTrial) fitting(n int64) []history.OpID {
	fits, known := s.fits[n]
	if !known && n <= s.most {
		c := s.counted
		for _, i := range s.pending {
			if c.At[i] == n || c.At[i] < 0 && c.Fits(i, n) {
				fits = append(fits, i)
			}
		}
		s.fits[n] = fits
	}
	return fits
}
