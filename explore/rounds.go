package explore

import (
	"slices"

	"github.com/linsat/linsat/internal/schedule"
)

// Rounds that lock, look and unlock.
//
// What: where Spin says that a round of a loop has changed nothing, and the round took a lock and
// gave it back, the thread waits before the next round until another one has taken that lock, or
// written the other location that was read. A round that sleeps does so until then, and time does
// not stop for it (schedule.Alarm.Repeats).
//
// Source: Kokologiannakis, Raad and Vafeiadis, "Effective lock handling in stateless model
// checking", OOPSLA 2019: a loop whose rounds have no effect is a wait, also if it locks and
// unlocks.
//
// What we changed, and why: what a lock protects may be no access, so that a round leaves it as it
// was is known from Spin alone, and readings are not counted here as in reread.go. A round that is
// left out held the lock, and TryLock of another thread may have failed for that; the round before
// may last as long, since nobody has taken the lock in between.
//
// Invariants: only an unlock of another thread ends the wait, and none that ends a round, so that
// two threads that look in turns do not wake each other. Whether it ends one is known in its own
// step, so whether a thread waits depends on accesses to what it waits for, and on no others.
//
// Cost: a few comparisons for each access.

// look is what a thread has read in a round, under locks or not.
type look struct {
	locs     [2]int32
	versions [2]uint32
	locks    [2]bool
	gates    [2]schedule.Gate // of locks
	n        int
	lock     int32         // the one that is held
	gate     schedule.Gate // of that
	slept    bool          // it began when the thread had slept
	writes   int           // to it, since it was free
	last     int           // of locs, the lock whose unlock was the last access; -1: none
	locked   bool          // a lock was taken and given back
	dirty    bool          // the round is none that changes nothing
	marked   bool          // the code says where loops begin that may wait
}

// begin begins a round.
func (k *look) begin() { *k = look{lock: schedule.NoLocation, last: -1, marked: k.marked} }

// change notes that the round changes something, or cannot be followed.
func (k *look) change() {
	k.begin()
	k.dirty = true
}

// accessed notes an access that has been counted among the writes to its locations.
func (k *look) accessed(x *Exec, a *schedule.Access) {
	k.last = -1
	switch a.Kind {
	case schedule.Read, schedule.Await:
		k.read(x, a.Loc)
	case schedule.Lock, schedule.ReadLock, schedule.Acquire, schedule.Update:
		switch {
		case k.lock == a.Loc:
			k.writes, k.slept = k.writes+1, false // a writer that kept readers out before
		case k.lock >= 0:
			k.change()
		default:
			k.lock, k.writes, k.gate = a.Loc, 1, x.gates[a.Thread]
			if s, ok := k.gate.(*rereading); ok {
				k.gate = s.gate
			}
		}
	case schedule.Unlock, schedule.ReadUnlock:
		if k.lock != a.Loc {
			k.change()
			return
		}
		k.lock, k.locked = schedule.NoLocation, true
		k.unlocked(x, a.Loc)
	default:
		k.change()
	}
}

// failed notes that the update that has just happened was a reading.
func (k *look) failed(x *Exec, a *schedule.Access) {
	if k.lock != a.Loc || k.writes > 1 || a.Loc2 >= 0 {
		k.change()
		return
	}
	k.lock = schedule.NoLocation
	k.read(x, a.Loc)
}

func (k *look) read(x *Exec, loc int32) { k.at(loc, x.version(loc), x.version(loc), false) }

func (k *look) unlocked(x *Exec, loc int32) {
	if k.last = k.at(loc, x.unlocks(loc)-1, x.unlocks(loc), true); k.last >= 0 {
		k.gates[k.last] = k.gate
	}
}

// at notes the number of writes to a location, and returns where; before is what it has to be if
// the round has seen it already.
func (k *look) at(loc int32, before, now uint32, lock bool) int {
	i := slices.Index(k.locs[:k.n], loc)
	switch {
	case i >= 0 && (k.versions[i] != before || k.locks[i] != lock), i < 0 && k.n == len(k.locs):
		k.change()
		return -1
	case i < 0:
		i = k.n
		k.n++
	}
	k.locs[i], k.versions[i], k.locks[i] = loc, now, lock
	return i
}

// spins is the end of a round of which the code says that it has only read.
func (s *rereading) spins() {
	k := &s.look
	switch {
	case k.marked && (k.dirty || k.lock >= 0):
		s.repeats = false
	case !k.locked:
		s.repeats = s.n > 0
	case k.dirty || k.lock >= 0:
		s.repeats = false
	default:
		k.forget(s.x)
		s.reset()
		s.locs, s.versions, s.locks, s.n, s.repeats, s.locked = k.locs, k.versions, k.locks, k.n, true, true
	}
	k.begin()
}

// forget has the unlock that ends a round end no wait.
func (k *look) forget(x *Exec) {
	if k.last >= 0 {
		x.writes(k.locs[k.last]).unlocks--
		k.versions[k.last]--
	}
}

// nap is before the sleep of a round. If the thread has done nothing but read since it has slept
// last, it does the same again after each sleep, until another one has taken a lock that it took,
// or written what it read: so there is no need to wake it before.
func (s *rereading) nap() (idle func() bool) {
	k := s.look
	s.naps = true
	if !k.slept || k.dirty || k.lock >= 0 || k.n == 0 {
		return nil
	}
	k.forget(s.x)
	return func() bool {
		for i := range k.n {
			switch loc := k.locs[i]; {
			case !k.locks[i] && s.x.version(loc) != k.versions[i],
				k.locks[i] && (s.x.unlocks(loc) != k.versions[i] || k.gates[i] != nil && !k.gates[i].Open()):
				return false
			}
		}
		return true
	}
}

// slept is after that.
func (s *rereading) slept() {
	s.naps = false
	s.look.begin()
	s.look.slept = true
}
