package explore

import (
	"slices"

	"github.com/linsat/linsat/internal/schedule"
)

// Rounds that lock, look and unlock.
//
// What: where Spin says that a round of a loop has changed nothing, and the round took a lock and
// gave it back, the thread waits before the next round until another one has taken that lock, or
// written the other location that was read.
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
	n        int
	lock     int32 // the one that is held
	writes   int   // to it, since it was free
	last     int   // of locs, the lock whose unlock was the last access; -1: none
	locked   bool  // a lock was taken and given back
	dirty    bool  // the round is none that changes nothing
	marked   bool  // the code says where loops begin that may wait
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
			k.writes++ // a writer that kept readers out before
		case k.lock >= 0:
			k.change()
		default:
			k.lock, k.writes = a.Loc, 1
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
	k.last = k.at(loc, x.unlocks(loc)-1, x.unlocks(loc), true)
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
		if k.last >= 0 {
			s.x.writes(k.locs[k.last]).unlocks--
			k.versions[k.last]--
		}
		s.reset()
		s.locs, s.versions, s.locks, s.n, s.repeats, s.locked = k.locs, k.versions, k.locks, k.n, true, true
	}
	k.begin()
}
