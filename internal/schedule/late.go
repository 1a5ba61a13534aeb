package schedule

// lateness is by how much threads are later than the time that has passed for all: for each the
// latest time of an alarm that comes before what it has done.
type lateness struct {
	any     bool // some thread is
	threads []int64
	// by thread: until when it sleeps before its next access, although it need not wait, or 0
	sleeps  []int64
	slept   []int64 // by thread: how often it has
	written []int64 // by location: of those that wrote it
	read    []int64 // of those that read it
	called  int64   // of those that have called an operation
	// of those that have returned from one; of all; and of those on which all that follows depends
	returned, all, floor int64
	// what an update may have to take back: its thread's time, and those of its locations
	thread int64
	locs   [2][2]int64
}

// of returns the time of a thread.
func (l *lateness) of(thread int) int64 {
	if thread < 0 || thread >= len(l.threads) {
		return l.floor
	}
	return max(l.floor, l.threads[thread])
}

// comes says that a thread's time is at least that.
func (l *lateness) comes(thread int, at int64) {
	l.any = true
	l.threads = grow64(l.threads, thread+1)
	l.threads[thread] = max(l.of(thread), at)
	l.all = max(l.all, l.threads[thread])
}

func grow64(s []int64, n int) []int64 {
	for len(s) < n {
		s = append(s, 0)
	}
	return s
}

// Accessed notes an access that is about to happen; global says that it depends on everything.
func (c *Clock) Accessed(a *Access, global bool) {
	l, t := &c.late, int(a.Thread)
	c.asleep &^= 1 << uint(t)
	if !l.any {
		return
	}
	l.thread = l.of(t)
	if t < len(l.sleeps) {
		l.sleeps[t] = 0
	}
	for i, loc := range [2]int32{a.Loc, a.Loc2} {
		if loc >= 0 {
			l.written, l.read = grow64(l.written, int(loc)+1), grow64(l.read, int(loc)+1)
			l.locs[i] = [2]int64{l.written[loc], l.read[loc]}
		}
	}
	if a.First {
		l.comes(t, l.returned)
	}
	if global {
		l.comes(t, l.all)
		l.floor = l.all
	}
	l.touch(a)
	if a.First {
		l.called = max(l.called, l.of(t))
	}
}

// Slept says that a thread sleeps before its next access. If it may take any time, no time has to
// pass before that.
func (c *Clock) Slept(thread int, until int64) {
	if thread != Main {
		c.asleep |= 1 << uint(thread)
	}
	if l := &c.late; l.any && thread != Main && c.Skew != AnyMoment {
		l.sleeps = grow64(l.sleeps, thread+1)
		l.sleeps[thread] = until
	}
}

// Early reports whether a thread that sleeps may go on at once: not again and again.
func (c *Clock) Early(thread int) bool {
	l := &c.late
	l.slept = grow64(l.slept, thread+1)
	l.slept[thread]++
	return l.slept[thread] <= mostEarly
}

// Sleeping reports whether all threads of a set sleep so.
func (c *Clock) Sleeping(set uint64) bool { return set&^c.asleep == 0 }

// touch joins the times of a thread and of the locations of its access.
func (l *lateness) touch(a *Access) {
	t := int(a.Thread)
	for _, loc := range [2]int32{a.Loc, a.Loc2} {
		if loc < 0 {
			continue
		}
		l.comes(t, l.written[loc])
		if a.Kind.Writes() {
			l.comes(t, l.read[loc])
		}
	}
	for _, loc := range [2]int32{a.Loc, a.Loc2} {
		switch {
		case loc < 0:
		case a.Kind.Writes():
			l.written[loc] = l.of(t)
		default:
			l.read[loc] = max(l.read[loc], l.of(t))
		}
	}
}

// Failed says that the update that has just happened was a reading.
func (c *Clock) Failed(a *Access) {
	l := &c.late
	if !l.any {
		return
	}
	l.threads = grow64(l.threads, int(a.Thread)+1)
	l.threads[a.Thread] = l.thread
	for i, loc := range [2]int32{a.Loc, a.Loc2} {
		if loc >= 0 {
			l.written[loc], l.read[loc] = l.locs[i][0], l.locs[i][1]
		}
	}
	if a.First {
		l.comes(int(a.Thread), l.returned)
	}
	l.touch(a)
}

// Yielded says that the last access of a thread depends on everything.
func (c *Clock) Yielded(thread int) {
	if l := &c.late; l.any {
		l.comes(thread, l.all)
		l.floor = l.all
	}
}

// Returned says that an operation of a thread has returned.
func (c *Clock) Returned(thread int) {
	if l := &c.late; l.any && thread != Main {
		l.comes(thread, l.called)
		l.returned = max(l.returned, l.of(thread))
	}
}
