package verify

// Readers-writer locks with many operations, tried by what never returned as little as possible.
//
// What: the same question as in exhaustion.go, whether completed operations can take effect in some
// order. Here only completed operations are steps. A step first lets as few pending operations take
// effect as it needs. A configuration is a set of completed operations, what these have done to the
// state (a try of unknown result may have changed it or not), and how many pending operations of
// each kind were used. One is not tried if another one was that differs by no more used of any
// kind.
//
// Why that is enough. Let c be tried before c', which differs by having used d more. Since both
// states follow from the counts, d has what leads from the state of c to that of c', or contains
// it with pairs that cancel out: without a writer in both, the difference in read locks or unlocks;
// to a writer, an unlock for each reader and a lock; from a writer, an unlock and a lock for each
// reader. Those may come at once. So whatever is possible after c' is possible after c, with no
// more used in the end. For the same reason pending operations come right before a step, and no
// more of them than it needs.
//
// A try that failed changes nothing, so it is a step as soon as it is legal. Of steps that do the
// same, the one that returns first is tried.
//
// Cost: configurations × operations that overlap them.

import (
	"context"
	"encoding/binary"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// lockUse counts pending operations by what they do.
type lockUse struct{ readLocks, readUnlocks, locks, unlocks int }

func (u lockUse) plus(v lockUse) lockUse {
	return lockUse{u.readLocks + v.readLocks, u.readUnlocks + v.readUnlocks, u.locks + v.locks, u.unlocks + v.unlocks}
}

func (u lockUse) within(v lockUse) bool {
	return u.readLocks <= v.readLocks && u.readUnlocks <= v.readUnlocks && u.locks <= v.locks && u.unlocks <= v.unlocks
}

// lockState is what a lock is held by: readers, or a writer.
type lockState struct {
	readers int64
	writer  bool
}

func (s lockState) writers() int64 {
	if s.writer {
		return 1
	}
	return 0
}

// lockTrial is a search in progress.
type lockTrial struct {
	walk    // of the completed operations
	start   lockState
	does    []model.LockAction
	pending []history.Op // by call
	asks    []model.LockAction
	nodes   int
	tried   map[string][]lockUse
}

// newLockTrial returns nil where all is to be tried step by step.
func newLockTrial(ctx context.Context, b *model.Instance, limit int) *lockTrial {
	p, lock := b.Partition, model.As[*model.ReadersWriterTheory](b)
	if lock == nil || len(p.Ops) < longLock || len(p.Edges)+len(p.Demands) > 0 {
		return nil
	}
	s := &lockTrial{start: lockState{lock.Readers, lock.Writing}, tried: map[string][]lockUse{}}
	var completed []history.Op
	for i, does := range lock.Does {
		if p.Ops[i].Pending() {
			s.pending, s.asks = append(s.pending, p.Ops[i]), append(s.asks, does)
		} else {
			completed, s.does = append(completed, p.Ops[i]), append(s.does, does)
		}
	}
	s.walk = newWalk(ctx, completed, limit)
	return s
}

// visit reports whether there is a way on.
func (s *lockTrial) visit(at lockState, used lockUse) (found bool, err error) {
	var refused []int
	defer func() {
		for _, i := range refused {
			s.do(i, 1)
		}
	}()
	low, end, first := s.window()
	for i := low; i < end; i++ {
		if does := s.does[i]; !s.is(i) && (does == model.ReadRefused && at.writer || does == model.WriteRefused &&
			(at.writer || at.readers > 0)) {
			s.do(i, -1)
			refused = append(refused, i)
			low, end, first = s.window() // what it let wait may come now
		}
	}
	if s.left == 0 {
		return true, nil
	}
	key := binary.LittleEndian.AppendUint64(nil, uint64(at.readers-int64(used.readLocks-used.readUnlocks)))
	key = binary.LittleEndian.AppendUint64(key, uint64(at.writers()-int64(used.locks-used.unlocks)))
	key = s.key(key, end)
	for _, less := range s.tried[string(key)] {
		if less.within(used) {
			return false, nil
		}
	}
	if err := s.spend(s.nodes, end-low); err != nil {
		return false, err
	}
	s.nodes++
	s.tried[string(key)] = append(s.tried[string(key)], used)
	have := s.called(first)
	var best [model.TryWrite + 1]int // the step of each kind, plus one
	for i := low; i < end; i++ {
		if k := s.does[i]; !s.is(i) && (best[k] == 0 || s.ops[i].Return < s.ops[best[k]-1].Return) {
			best[k] = i + 1
		}
	}
	for does, i := range best {
		if i == 0 {
			continue
		}
		for _, w := range lockWays(model.LockAction(does), at) {
			if all := used.plus(w.needs); all.within(have) {
				s.do(i-1, -1)
				found, err = s.visit(w.leaves, all)
				s.do(i-1, 1)
				if found || err != nil {
					return found, err
				}
			}
		}
	}
	return false, nil
}

// called counts the pending operations that were called by a rank.
func (s *lockTrial) called(by history.Rank) (n lockUse) {
	for k, does := range s.asks {
		if s.pending[k].Call > by {
			break
		}
		switch does {
		case model.ReadLock, model.TryRead:
			n.readLocks++
		case model.ReadUnlock:
			n.readUnlocks++
		case model.WriteLock, model.TryWrite:
			n.locks++
		case model.WriteUnlock:
			n.unlocks++
		}
	}
	return n
}

// lockWay is how an operation can take effect: what it needs of pending ones, and the state after
// it.
type lockWay struct {
	needs  lockUse
	leaves lockState
}

// lockWays lists the ways of an operation that need least.
func lockWays(does model.LockAction, at lockState) []lockWay {
	writer := lockState{writer: true}
	toWriter, toFree, toReaders := lockUse{}, lockUse{readUnlocks: int(at.readers)}, lockUse{}
	if at.writer {
		toFree.unlocks, toReaders.unlocks = 1, 1
	} else {
		toWriter = lockUse{readUnlocks: int(at.readers), locks: 1}
	}
	toSome, some := toReaders, max(at.readers, 1)
	if at.readers == 0 {
		toSome.readLocks = 1
	}
	readLock, lock := lockWay{toReaders, lockState{readers: at.readers + 1}}, lockWay{toFree, writer}
	noReadLock := lockWay{toWriter, writer}
	switch does {
	case model.ReadLock:
		return []lockWay{readLock}
	case model.ReadUnlock:
		return []lockWay{{toSome, lockState{readers: some - 1}}}
	case model.WriteLock:
		return []lockWay{lock}
	case model.WriteUnlock:
		return []lockWay{{toWriter, lockState{}}}
	case model.ReadRefused:
		return []lockWay{noReadLock}
	case model.TryRead:
		return []lockWay{readLock, noReadLock}
	}
	// in which a try to write fails
	ways := []lockWay{{toWriter, writer}, {toSome, lockState{readers: some}}}
	switch {
	case at.writer:
		ways = ways[:1]
	case at.readers > 0:
		ways = ways[1:]
	}
	if does == model.TryWrite {
		ways = append(ways, lock)
	}
	return ways
}
