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
	// the three before an update that is not known to have failed
	before [3]int
}

func (s *rereading) reset() { s.n, s.reads, s.fails, s.repeats = 0, 0, 0, false }

// Open reports whether one of the locations has been written.
func (s *rereading) Open() bool {
	for i := range s.n {
		if s.x.versions[s.locs[i]] != s.versions[i] {
			return true
		}
	}
	return false
}

// waits reports whether the thread of s, before access a, waits until one of the locations has been
// written. Then a is changed to the blocking access that it is.
func (s *rereading) waits(a *schedule.Access) bool {
	enough := a.Kind == schedule.Read && (s.repeats || s.reads >= s.x.rereads*s.n) ||
		a.Kind == schedule.Update && (s.repeats && s.fails > 0 || s.fails >= s.x.rereads)
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
	a.Loc2, a.Waits = other, true
	if a.Kind == schedule.Read {
		a.Kind = schedule.Await
	} else {
		a.Kind = schedule.Acquire
	}
	return true
}

// accessed notes an access that is about to happen; an update counts as a write.
func (s *rereading) accessed(a *schedule.Access) {
	if a.First || a.Waits && s.Open() {
		s.reset()
	}
	s.before = [3]int{s.n, s.reads, s.fails}
	switch {
	case a.Kind.Writes():
		s.x.wrote(a.Loc, 1)
		s.x.wrote(a.Loc2, 1)
		s.reset()
	case a.Loc >= 0:
		s.read(a.Loc)
	}
}

// failed notes that the update that has just happened was a reading.
func (s *rereading) failed(a *schedule.Access) {
	s.x.wrote(a.Loc, ^uint32(0))
	s.x.wrote(a.Loc2, ^uint32(0))
	s.n, s.reads, s.fails = s.before[0], s.before[1], s.before[2]
	s.read(a.Loc)
	s.fails++
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
	s.locs[s.n], s.versions[s.n] = loc, s.x.version(loc)
	s.n++
}

// resumed returns the thread that goes on although nothing changed what it reads, as no other can
// run: of those that wait so, the one with the fewest accesses. That does not depend on the order
// of independent accesses before.
func (x *Exec) resumed() uint64 {
	set := x.spins & x.state.Live
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

// version counts the writes to a location by threads.
func (x *Exec) version(loc int32) uint32 {
	for int(loc) >= len(x.versions) {
		x.versions = append(x.versions, 0)
	}
	return x.versions[loc]
}

func (x *Exec) wrote(loc int32, n uint32) {
	if loc >= 0 {
		x.version(loc)
		x.versions[loc] += n
	}
}
