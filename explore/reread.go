package explore

import "github.com/linsat/linsat/internal/schedule"

// Loops that wait without Await or Yield.
//
// What: a thread that reads the same one or two locations again and again, writes nothing, and
// finds that nothing has changed, waits for something else. After rereads readings of each location
// it is blocked as in Await, until another thread writes one of the locations. Without that, a
// strategy that lets it go on finds one more schedule with each reading, and never comes to what
// the other threads do.
//
// Source: Musuvathi and Qadeer, "Fair Stateless Model Checking", PLDI 2008 (a loop that waits has
// to let others run); Jonsson, Lång and Sagonas, "Awaiting for Godot", FMCAD 2022 (such a loop as
// an await).
//
// What we changed, and why: where Spin says that a loop only reads, the thread is blocked before it
// reads again. Elsewhere neither Yield nor the code of the loop says where it begins, so readings
// are counted, and the number of them is what the reduction relies on. What happens within
// rereads readings is explored as it is: a loop that counts its attempts and gives up earlier, or
// that does something else every few readings. A loop that would end by itself later goes on once
// no thread can run: then those that wait here take turns, until one comes to something else, or
// each has gone on for so long that the execution is a livelock.
//
// Invariants: whether a thread waits here depends on what it reads, so not on the order of
// independent accesses. The access before which it waits is to a strategy a blocking one to both
// locations, which is open as soon as one of them has been written since it was read. An access of
// a thread that goes on although nothing was written depends on everything, as one beside a Yield
// does, since it waits for all others.
//
// Cost: a few comparisons for each access.

// rereading is what a thread has read since its last write, choice, Yield or begin of an operation.
type rereading struct {
	x        *Exec
	locs     [2]int32
	versions [2]uint32
	n        int  // of locs
	reads    int  // of these, the first ones included
	fails    int  // of these, by updates that failed
	repeats  bool // the next ones are the same again, if nothing has changed: Spin said so
	locked   bool // among them is a lock, in a round that gave it back
	locks    [2]bool
	// the three before an update that is not known to have failed
	before [3]int
	gate   schedule.Gate // of the lock before which it waits, or nil
	alone  bool          // in a round with a lock that began although nothing had changed
	look   look
	naps   bool // the next access is the end of the sleep of a round
}

func (s *rereading) reset() {
	s.n, s.reads, s.fails, s.repeats, s.locked, s.locks = 0, 0, 0, false, false, [2]bool{}
}

// change notes what is no access, but changes something.
func (s *rereading) change() {
	s.reset()
	s.look.change()
}

// Open reports whether one of the locations has been written, and the lock is free.
func (s *rereading) Open() bool { return s.free() && s.changed() }

func (s *rereading) free() bool { return s.gate == nil || s.gate.Open() }

func (s *rereading) changed() bool {
	for i := range s.n {
		now := s.x.version(s.locs[i])
		if s.locks[i] {
			now = s.x.unlocks(s.locs[i])
		}
		if now != s.versions[i] {
			return true
		}
	}
	return false
}

// waits reports whether the thread of s, before access a, waits until one of the locations has been
// written. Then a is changed to the blocking access that it is. gate is that of a itself.
func (s *rereading) waits(a *schedule.Access, gate schedule.Gate) bool {
	var enough bool
	switch {
	case gate != nil:
		enough = s.repeats && s.locked &&
			(a.Kind == schedule.Lock || a.Kind == schedule.ReadLock || a.Kind == schedule.Acquire)
	case a.Kind == schedule.Read:
		enough = s.repeats || s.reads >= s.x.rereads*s.n
	case a.Kind == schedule.Update:
		enough = s.repeats && (s.fails > 0 || s.locked) || s.fails >= s.x.rereads
	}
	if s.n == 0 || !enough || a.Loc2 >= 0 {
		return false
	}
	other := schedule.NoLocation
	switch a.Loc {
	case s.locs[0]:
		if s.n > 1 {
			other = s.locs[1]
		}
	case s.locs[1]:
		if s.n < 2 {
			return false
		}
		other = s.locs[0]
	default:
		return false
	}
	a.Loc2, a.Waits, s.gate = other, true, gate
	switch {
	case a.Kind == schedule.Read:
		a.Kind = schedule.Await
	case gate == nil || other >= 0:
		a.Kind = schedule.Acquire
	}
	return true
}

// accessed notes an access that is about to happen; an update counts as a write.
func (s *rereading) accessed(a *schedule.Access) {
	if a.First {
		s.change()
	} else if a.Waits && (s.locked || s.changed()) {
		s.reset()
	}
	s.before = [3]int{s.n, s.reads, s.fails}
	switch {
	case a.Kind.Writes():
		s.x.wrote(a.Loc, 1)
		s.x.wrote(a.Loc2, 1)
		s.x.unlocked(a)
		s.reset()
	case a.Loc >= 0:
		s.read(a.Loc)
	}
	s.look.accessed(s.x, a)
}

// failed notes that the update that has just happened was a reading.
func (s *rereading) failed(a *schedule.Access) {
	s.x.wrote(a.Loc, ^uint32(0))
	s.x.wrote(a.Loc2, ^uint32(0))
	s.n, s.reads, s.fails = s.before[0], s.before[1], s.before[2]
	s.read(a.Loc)
	s.fails++
	s.look.failed(s.x, a)
}

func (s *rereading) read(loc int32) {
	for i := range s.n {
		if s.locs[i] != loc {
			continue
		}
		if s.versions[i] == s.x.version(loc) {
			s.reads++
			return
		}
		s.reset()
		break
	}
	s.reads++
	if s.n == len(s.locs) {
		s.n, s.reads, s.fails, s.repeats = 0, 1, 0, false
	}
	s.locs[s.n], s.versions[s.n], s.locks[s.n] = loc, s.x.version(loc), false
	s.n++
}

// resumed returns the thread that goes on although nothing changed what it reads, as no other can
// run: of those that wait so, the one with the fewest accesses. That does not depend on the order
// of independent accesses before.
func (x *Exec) resumed() uint64 {
	set := x.spinning()
	if set == 0 {
		return 0
	}
	next := schedule.Lowest(set)
	for ; set != 0; set &= set - 1 {
		if t := schedule.Lowest(set); x.threads[t].accesses < x.threads[next].accesses {
			next = t
		}
	}
	return 1 << uint(next)
}

// spinning returns the threads that wait so, but could go on.
func (x *Exec) spinning() uint64 {
	set := x.spins & x.state.Live
	for left := set; left != 0; left &= left - 1 {
		if t := schedule.Lowest(left); !x.threads[t].spin.free() {
			set &^= 1 << uint(t)
		}
	}
	return set
}

// changes is how often threads have written a location, and how often they have unlocked it.
type changes struct{ writes, unlocks uint32 }

func (x *Exec) writes(loc int32) *changes {
	for int(loc) >= len(x.written) {
		x.written = append(x.written, changes{})
	}
	return &x.written[loc]
}

func (x *Exec) version(loc int32) uint32 { return x.writes(loc).writes }
func (x *Exec) unlocks(loc int32) uint32 { return x.writes(loc).unlocks }

func (x *Exec) wrote(loc int32, n uint32) {
	if loc >= 0 {
		x.writes(loc).writes += n
	}
}

// unlocked counts an access that gives a lock back, as waiting for a Cond does.
func (x *Exec) unlocked(a *schedule.Access) {
	switch a.Kind {
	case schedule.Unlock, schedule.ReadUnlock, schedule.Wait:
		for _, loc := range [2]int32{a.Loc, a.Loc2} {
			if loc >= 0 {
				x.writes(loc).unlocks++
			}
		}
	}
}
