package verify

// Long histories whose states have a number, tried without telling unknown outcomes apart.
//
// What: the search of trial.go, where states have a number that no operation lowers, or raises by
// more than one, and operations tell it: the revision of etcd. What it leaves out:
//
//   - The number is not raised before all that tell it have taken effect.
//   - What certainly leads to a number that it tells is the only operation that does.
//   - A pending operation raises the number only to one that it fits (model.RevisionTheory).
//   - A pending operation changes anything else only if it has a topic in common with an operation
//     that may come next. Until then it can wait, since it commutes with what has none of its
//     topics.
//   - The number is no greater than where it begins plus the number of operations.
//
// And what it does not insist on: pending operations may take effect again and again, explicit
// order does not bind them, and the machine is lenient. So a configuration is a set of completed
// operations and a state, no matter what was used to get there. If nothing is found like that,
// there is no linearization. If something is, that says nothing.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// revisions is what the operations say of the numbers of states.
type revisions struct {
	*model.RevisionTheory
	tell    map[int64]int  // by number: completed operations that tell it and are not done
	pending []history.OpID // one of each kind, by call
	silent  map[int32][]history.OpID
	owner   map[int64]history.OpID
	most    int64 // what all operations together raise the number to, at most
	fits    map[int64][]history.OpID
}

// newRevisions returns nil where all is to be tried step by step.
func newRevisions(ctx context.Context, b *model.Instance, limit int) *trial {
	strict, p := model.As[*model.RevisionTheory](b), b.Partition
	if strict == nil || p.Len() < longTrials {
		return nil
	}
	s := newTrial(ctx, strict.Lenient(), limit)
	c := model.As[*model.RevisionTheory](s.b)
	r := &revisions{RevisionTheory: c, tell: map[int64]int{}, silent: map[int32][]history.OpID{},
		owner: map[int64]history.OpID{}, fits: map[int64][]history.OpID{},
		most: c.Of(s.machine, s.machine.Init()) + int64(p.Len())}
	s.long, s.revisions, s.pending, s.used = true, r, nil, nil
	type kind struct {
		equiv int32
		at    int64
	}
	seen := map[kind]bool{}
	for i := range history.OpID(p.Len()) {
		if c.Raises[i] {
			r.owner[c.At[i]] = i
		}
		if !p.Ops[i].Pending() {
			r.tell[c.At[i]]++
			continue
		}
		if k := (kind{s.b.EquivID[i], c.At[i]}); !seen[k] {
			seen[k] = true
			r.pending = append(r.pending, i)
			for _, topic := range c.About[i] {
				if c.Silent[i] {
					r.silent[topic] = append(r.silent[topic], i)
				}
			}
		}
	}
	return s
}

// mayRaise reports whether an operation may lead from one state to another, as far as their numbers
// say.
func (s *trial) mayRaise(from, to model.State, by history.OpID) bool {
	c := s.revisions
	n := c.Of(s.machine, to)
	if was := c.Of(s.machine, from); n == was {
		return true
	} else if c.tell[was] > 0 {
		return false
	}
	owner, owned := c.owner[n]
	return (!owned || owner == by) && (c.At[by] < 0 || c.At[by] == n)
}

// mayChange lists the pending operations called by first that may come next in a state.
func (s *trial) mayChange(state model.State, next []history.OpID, first history.Rank) []history.OpID {
	c := s.revisions
	n := c.Of(s.machine, state)
	var out []history.OpID
	if c.tell[n] == 0 {
		if owner, owned := c.owner[n+1]; !owned {
			out = append(out, s.fitting(n+1)...)
		} else if s.b.Partition.Ops[owner].Pending() {
			out = append(out, owner)
		}
	}
	var topics []int32
	for _, i := range slices.Concat(out, next) {
		topics = append(topics, c.About[i]...)
	}
	slices.Sort(topics)
	for _, topic := range slices.Compact(topics) {
		out = append(out, c.silent[topic]...)
	}
	return slices.DeleteFunc(out, func(i history.OpID) bool { return s.b.Partition.Ops[i].Call > first })
}

// fitting lists the pending operations that may lead to a number.
func (s *trial) fitting(n int64) []history.OpID {
	c := s.revisions
	fits, known := c.fits[n]
	if !known && n <= c.most {
		for _, i := range c.pending {
			if c.At[i] == n || c.At[i] < 0 && c.Fits(i, n) {
				fits = append(fits, i)
			}
		}
		c.fits[n] = fits
	}
	return fits
}
