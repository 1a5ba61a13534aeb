package verify

// Long histories of specifications without axioms, tried without telling unknown outcomes apart.
//
// What: the same question as in exhaustion.go, and more may happen: a pending operation may take
// effect again and again once it is called, and explicit order does not bind. So a configuration is
// a set of completed operations and a state. All states to which pending operations lead, from any
// state that was met, are in one set. Wherever completed operations have taken effect, the state
// may be any of that set.
//
// How: return by return. At each, the configurations in which the operation has not taken effect go
// on, with what is open, and those in which it has are left for the next. If none is left, there is
// no linearization: in one, the operations up to the one that returns are all called by then, and
// each of them goes from a state that was met, or from one in the set. If the last return is
// passed, that says nothing.
//
// Cost: for each state the kinds of pending operations, for each completed operation the states of
// the set, and for each configuration what is open.

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify/base"
)

// jumpTrial is such a trial.
type jumpTrial struct {
	ctx     context.Context
	part    *model.Partition
	alike   []int32 // model.Instance.EquivID
	machine model.Machine
	work    int // steps that may still be taken
	most    int // states that the set may have
	passed  int // returns that were looked at

	kinds  []history.OpID // pending operations that are called, one of each kind
	tried  []int          // by state: so many kinds
	inSet  []bool         // by state
	set    []model.State
	own    map[history.OpID]map[model.State][]model.State // in states that were met
	jumped map[history.OpID]*afterJump
}

// afterJump is what an operation leaves in the first so many states of the set.
type afterJump struct {
	asked  int
	left   map[model.State]bool // a state of the set stands for all of them
	within bool                 // there is one
}

// front is the configurations at a return: by the completed operations that have taken effect, as
// bits of those that are open, the states.
type front map[uint64]map[model.State]bool

// add adds a configuration, and reports whether it is new.
func (f front) add(done uint64, s model.State) bool {
	if f[done] == nil {
		f[done] = map[model.State]bool{}
	}
	if f[done][s] {
		return false
	}
	f[done][s] = true
	return true
}

// newJumpTrial returns nil where all is to be tried step by step.
func newJumpTrial(ctx context.Context, b *model.Instance) *jumpTrial {
	p := b.Partition
	if b.Axiomatic() != nil || b.Touches != nil || p.Len() < longJumps ||
		!slices.ContainsFunc(p.Ops, func(o history.Op) bool { return o.Pending() }) {
		return nil
	}
	return &jumpTrial{ctx: ctx, part: p, alike: b.EquivID, machine: b.Judge(), work: maxJumpWork +
		maxJumpWorkEach*p.Len(),
		own: map[history.OpID]map[model.State][]model.State{}, jumped: map[history.OpID]*afterJump{}}
}

// refuted reports whether there is no linearization even so. An error says that this took too long,
// or that too many operations are open at once.
func (s *jumpTrial) refuted() (bool, error) {
	ops := s.part.Ops
	var byReturn, unknown []history.OpID
	for i := range history.OpID(len(ops)) {
		if ops[i].Pending() {
			unknown = append(unknown, i)
		} else {
			byReturn = append(byReturn, i)
		}
	}
	byCall := slices.Clone(byReturn)
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return cmp.Compare(ops[x].Return, ops[y].Return) })
	slices.SortFunc(byCall, func(x, y history.OpID) int { return cmp.Compare(ops[x].Call, ops[y].Call) })
	slices.SortFunc(unknown, func(x, y history.OpID) int { return cmp.Compare(ops[x].Call, ops[y].Call) })
	slot := map[history.OpID]uint64{} // the bits of what is open
	free := ^uint64(0)
	had := map[int32]bool{}
	for _, i := range unknown {
		had[s.alike[i]] = true
	}
	s.most = maxJumpStates * (len(had) + 1)
	clear(had)
	f := front{}
	f.add(0, s.machine.Init())
	for _, v := range byReturn {
		for len(byCall) > 0 && ops[byCall[0]].Call < ops[v].Return {
			if free == 0 {
				return false, base.ErrTooLarge
			}
			slot[byCall[0]] = free & -free
			free &= free - 1
			byCall = byCall[1:]
		}
		for len(unknown) > 0 && ops[unknown[0]].Call < ops[v].Return {
			if kind := s.alike[unknown[0]]; !had[kind] {
				had[kind] = true
				s.kinds = append(s.kinds, unknown[0])
			}
			unknown = unknown[1:]
		}
		if err := s.pass(f, v, slot); err != nil {
			return false, err
		}
		next := front{}
		for done, states := range f {
			if done&slot[v] != 0 {
				next[done&^slot[v]] = states
			}
		}
		s.passed++
		if f = next; len(f) == 0 {
			return true, nil
		}
		free |= slot[v]
		delete(slot, v)
		delete(s.own, v)
		delete(s.jumped, v)
	}
	return false, nil
}

// pass lets configurations in which operation v has not taken effect go on, until nothing new is
// met.
func (s *jumpTrial) pass(f front, v history.OpID, slot map[history.OpID]uint64) error {
	if err := s.spreadSet(); err != nil {
		return err
	}
	for again := true; again; {
		again = false
		before := len(s.set)
		var all []uint64
		for done := range f {
			if done&slot[v] == 0 {
				all = append(all, done)
			}
		}
		sort.Slice(all, func(i, j int) bool {
			x, y := all[i], all[j]
			return cmp.Or(cmp.Compare(bits.OnesCount64(x), bits.OnesCount64(y)), cmp.Compare(x, y)) < 0
		})
		for _, done := range all {
			for state := range f[done] {
				if err := s.spread(state); err != nil {
					return err
				}
			}
			for w, bit := range slot {
				if done&bit != 0 {
					continue
				}
				for state := range f[done] {
					next, err := s.ownStep(w, state)
					if err != nil {
						return err
					}
					for _, t := range next {
						again = s.add(f, done|bit, t) || again
					}
				}
				left, err := s.afterJump(w)
				if err != nil {
					return err
				}
				for t := range left {
					again = s.add(f, done|bit, t) || again
				}
			}
		}
		again = again || len(s.set) > before
	}
	return nil
}

// add adds a configuration to those of a return, and reports whether it is new. One whose state is
// in the set stands for all of these, so it is kept without a state.
func (s *jumpTrial) add(f front, done uint64, t model.State) bool {
	if !s.within(t) {
		if !f.add(done, t) {
			return false
		}
	} else if f[done] != nil {
		return false
	} else {
		f[done] = map[model.State]bool{}
	}
	return true
}

// spreadSet adds to the set what pending operations lead to from it.
func (s *jumpTrial) spreadSet() error {
	for k := 0; k < len(s.set); k++ {
		if err := s.lead(s.set[k]); err != nil {
			return err
		}
	}
	return nil
}

// spread adds to the set what pending operations lead to from a state, and so on.
func (s *jumpTrial) spread(state model.State) error {
	k := len(s.set)
	if err := s.lead(state); err != nil {
		return err
	}
	for ; k < len(s.set); k++ {
		if err := s.lead(s.set[k]); err != nil {
			return err
		}
	}
	return nil
}

// lead adds to the set what the pending operations that are called, and were not tried there yet,
// leave in a state.
func (s *jumpTrial) lead(state model.State) error {
	s.within(state)
	for _, i := range s.kinds[s.tried[state]:] {
		next, err := s.step(state, i)
		if err != nil {
			return err
		}
		for _, t := range next {
			if t != state && !s.within(t) {
				s.inSet[t] = true
				s.set = append(s.set, t)
			}
		}
	}
	s.tried[state] = len(s.kinds)
	return nil
}

// within reports whether a state is in the set, and makes room for what is noted of it.
func (s *jumpTrial) within(state model.State) bool {
	if n := int(state) + 1 - len(s.inSet); n > 0 {
		s.inSet, s.tried = append(s.inSet, make([]bool, n)...), append(s.tried, make([]int, n)...)
	}
	return s.inSet[state]
}

// ownStep returns what a completed operation leaves in a state that was met.
func (s *jumpTrial) ownStep(i history.OpID, state model.State) ([]model.State, error) {
	next, known := s.own[i][state]
	if known {
		return next, nil
	}
	next, err := s.step(state, i)
	if s.own[i] == nil {
		s.own[i] = map[model.State][]model.State{}
	}
	s.own[i][state] = next
	return next, err
}

// afterJump returns what a completed operation leaves in the states of the set.
func (s *jumpTrial) afterJump(i history.OpID) (map[model.State]bool, error) {
	x := s.jumped[i]
	if x == nil {
		x = &afterJump{left: map[model.State]bool{}}
		s.jumped[i] = x
	}
	for ; x.asked < len(s.set); x.asked++ {
		next, err := s.step(s.set[x.asked], i)
		if err != nil {
			return nil, err
		}
		for _, t := range next {
			if within := s.within(t); !x.within || !within {
				x.left[t] = true
				x.within = x.within || within
			}
		}
	}
	return x.left, nil
}

func (s *jumpTrial) step(state model.State, i history.OpID) ([]model.State, error) {
	if s.work--; s.work < 0 || len(s.set) > s.most {
		return nil, base.ErrTooLarge
	}
	if s.work&1023 == 0 {
		if err := context.Cause(s.ctx); err != nil {
			return nil, err
		}
	}
	return s.machine.Step(state, i, nil), nil
}
