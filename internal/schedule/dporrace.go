package schedule

// Races of an ended execution, and where the search has to go back to because of them.
//
// The events of an execution are partially ordered: program order, and the order of dependent
// accesses. clocks has, for each event i and thread t, how far t had come: 1 + the position of the
// latest event of t that happens before i or is i. Position p of thread t happens before i, or is
// i, iff clocks[i][t] > p.
//
// Here races are reversed by source sets: at a step a set of threads is kept, and one added where
// none of it begins an execution with the reversed race. wakeup.go keeps sequences instead, where
// it can; the races are the same.
//
// An access that waits for time to pass happens after all that was done before time passed
// (Access.Since): those that were done there could not come later, since time passes where nothing
// else can be done. Only what stopped it while it could have happened races with it.
//
// An ordinary access j races with each earlier dependent access i of another thread if nothing that
// happens after i happens before j. Then j could come before i: let v be the events after i that do
// not happen after i, and then j. Its initials are the threads whose first event in v has no
// predecessor in v. If none of them is in the source set of the step of i, one is added: that of j,
// if it is one.
//
// A blocking access j (lock, semaphore, Await, waking up, any access after a Yield) of thread q is
// different, since after i it may have had to wait for something that happens after i: the unlock
// that happens between hides the race between lock and lock. Here j races with every earlier
// conflicting access i that does not happen before q came to stand before j. What else j waits for
// is not known, so neither is what of v has to come before j:
//
//   - If q came to stand before j after i, what happens before that has to, and has initials of its
//     own.
//   - Otherwise q stands before j in the step of i already. If it is enabled there, and j depends
//     on nothing in v, q is an initial. If j depends on something in v, or something in v may have
//     enabled it (waking up needs a signal and the lock, which are independent of each other), all
//     initials of v are added.
//
// The same for the access that a thread still stands before when the execution ends or is given up:
// it has not happened, but what keeps it from happening may be reversed. Whether it would be the
// last one of its operation is not known.

// An access j that reads may do something else where it comes before i: an update of two locations
// that fails after i may work before it, and an access after which its operation goes on may be the
// last one. Then it may depend on events that are independent of it here, before or after it, and
// so have to come first: all initials of what happens neither after i nor after j are added. The
// sets of events that come first in the executions that are to be found are closed under what
// happens before, so an initial of them is among these, or j comes first.

// races finds the races of one execution after the other. Clocks of events that are repeated are
// kept.
type races struct {
	threads int
	clocks  []int32
	latest  []int32 // by thread: its latest event, -1
	first   []int32 // by thread: its first event in v, -1
	base    []int32 // the clock of the event before j of j's thread
	clock   []int32 // the clock of j, as far as it is known
	// the races with an access that may do something else before the other, in the order of it
	unsure []pair
	// the races to reverse by sequences, in the order of the second access, and its clock in each,
	// one after the other; the sequence of the race at hand
	kept   []pair
	before []int32
	v      []event
}

// pair is the positions of two accesses that race.
type pair struct{ I, J int }

func (r *races) find(d *dpor, e *Finished) {
	n := len(d.steps)
	t := max(d.threads, len(e.Pending))
	r.threads = t
	r.clocks = grow(r.clocks, n*t)
	r.latest, r.first, r.base, r.clock = grow(r.latest, t), grow(r.first, t), grow(r.base, t), grow(r.clock, t)
	for i := range r.latest {
		r.latest[i] = -1
	}
	for i := range d.fresh {
		r.latest[e.Accesses[i].Thread] = int32(i)
	}
	for len(r.unsure) > 0 && r.unsure[len(r.unsure)-1].J >= d.fresh {
		r.unsure = r.unsure[:len(r.unsure)-1]
	}
	for len(r.kept) > 0 && r.kept[len(r.kept)-1].J >= d.fresh {
		r.kept = r.kept[:len(r.kept)-1]
	}
	r.before = r.before[:len(r.kept)*t]
	cut := e.Outcome == Panicked || e.Abrupt
	for j := d.fresh; j < n; j++ {
		a := &e.Accesses[j]
		s := &d.steps[j]
		s.Last = s.Last || a.Last
		yielded := r.yielded(e, a)
		s.Global = s.Global || yielded || a.Yields || cut && j == n-1
		r.add(d, e, j, a, yielded)
		r.clock[a.Thread] = int32(j + 1)
		copy(r.clocks[j*t:(j+1)*t], r.clock)
		r.latest[a.Thread] = int32(j)
	}
	r.revise(d, e)
	r.follow(d, e)
	for set := e.Live; set != 0; set &= set - 1 {
		// After an access that ends the execution every thread is kept from going on; otherwise
		// those that are blocked are.
		q := Lowest(set)
		if a := &e.Pending[q]; cut || Has(e.Blocked|d.blocked, q) {
			pending := *a
			pending.Last = true // for all that is known
			pending.Thread = int32(q)
			r.add(d, e, n, &pending, r.yielded(e, &pending))
		}
	}
}

// yielded reports whether the thread of the next access yielded before it.
func (r *races) yielded(e *Finished, a *Access) bool {
	k := r.latest[a.Thread]
	return k >= 0 && e.Accesses[k].Yields
}

func grow(s []int32, n int) []int32 {
	for len(s) < n {
		s = append(s, 0)
	}
	return s[:n]
}

// add looks for the races of access a, at position j, with those before. It leaves the clock of a,
// but for its own component, in r.clock. yielded says that the thread of a yielded before it.
func (r *races) add(d *dpor, e *Finished, j int, a *Access, yielded bool) {
	t := r.threads
	if k := int(r.latest[a.Thread]); k >= 0 {
		copy(r.base, r.clocks[k*t:(k+1)*t])
	} else {
		clear(r.base)
	}
	copy(r.clock, r.base)
	waits := yielded || a.Waits || blocking(a.Kind)
	global := yielded || j < len(d.steps) && d.steps[j].Global
	for i := j - 1; i >= 0; i-- {
		b := &e.Accesses[i]
		if b.Thread == a.Thread || r.base[b.Thread] > int32(i) {
			continue
		}
		covered := r.clock[b.Thread] > int32(i)
		if i < int(a.Since) && (r.latest[a.Thread] > int32(i) || !Has(d.steps[i].Enabled, int(a.Thread))) {
			if !covered {
				r.comesAfter(i)
			}
			continue
		}
		if covered && !waits {
			continue
		}
		if !covered && j < len(d.steps) && mayDiffer(b, a, d.intervals) {
			r.unsure = append(r.unsure, pair{i, j})
		}
		everything := global || d.steps[i].Global
		switch conflict := everything || b.Conflicts(a); {
		case conflict && waits:
			if everything || !neverRace(b.Kind, a.Kind) && !(covered && b.Kind == Release) {
				r.blockingRace(d, e, i, j, a, global)
			}
		case covered:
		case conflict || j < len(d.steps) && dependent(b, a, d.intervals):
			if d.follows(i) {
				r.kept = append(r.kept, pair{i, j})
				r.before = append(r.before, r.clock...)
			} else {
				r.race(d, e, i, j, a)
			}
		default:
			continue
		}
		if !covered {
			r.comesAfter(i)
		}
	}
}

// comesAfter makes the access at hand happen after i.
func (r *races) comesAfter(i int) {
	for u, c := range r.clocks[i*r.threads : (i+1)*r.threads] {
		r.clock[u] = max(r.clock[u], c)
	}
}

func blocking(k Kind) bool {
	return k == Await || k == Lock || k == ReadLock || k == Acquire
}

// neverRace says that j, a lock, could never have happened in the place of i, since whoever makes
// access i holds the lock, nor does i keep j from happening.
func neverRace(i, j Kind) bool {
	switch i {
	case Unlock, Wait:
		return j == Lock || j == ReadLock
	case ReadUnlock:
		return j == Lock
	}
	return false
}

// race makes sure, by source sets, that an execution in which j comes before i is explored.
func (r *races) race(d *dpor, e *Finished, i, j int, a *Access) {
	initials := r.initials(e, i, j, false)
	if q := a.Thread; r.first[q] < 0 && r.initial(r.clock) {
		initials |= 1 << uint(q)
	}
	d.reverse(i, initials, int(a.Thread), false)
}

// mayDiffer reports whether a may do something else, of which others may depend on more, if it
// comes before b: it reads what b writes, and is an update that fails, or not the last access of
// its operation.
func mayDiffer(b, a *Access, intervals bool) bool {
	switch a.Kind {
	case Read, Update, Await, Acquire:
		return b.Kind.Writes() && b.Conflicts(a) && (a.Failed && a.Loc2 >= 0 || intervals && !a.Last)
	}
	return false
}

// revise looks for what may have to come before accesses that may do something else.
func (r *races) revise(d *dpor, e *Finished) {
	t := r.threads
	for _, p := range r.unsure {
		if d.follows(p.I) {
			continue
		}
		a := e.Accesses[p.J]
		if a.Failed {
			a.Kind = Update
		}
		a.Last = true
		before, after := int(e.Accesses[p.I].Thread), int(a.Thread)
		from := p.I + 1
		if p.J < d.fresh && !d.turned {
			from = d.fresh
		}
		apart := func(m int) bool {
			clock := r.clocks[m*t : (m+1)*t]
			return clock[before] <= int32(p.I) && clock[after] <= int32(p.J)
		}
		for m := from; m < len(d.steps); m++ {
			if b := &e.Accesses[m]; int(b.Thread) != after && apart(m) && dependent(b, &a, d.intervals) &&
				!dependent(b, &e.Accesses[p.J], d.intervals) {
				r.all(d, e, p, apart)
				break
			}
		}
	}
}

// all adds all initials of the events that happen neither after i nor after j, and the thread of j.
func (r *races) all(d *dpor, e *Finished, p pair, apart func(int) bool) {
	for u := range r.first {
		r.first[u] = -1
	}
	t := r.threads
	var initials uint64
	for m := p.I + 1; m < len(d.steps); m++ {
		u := int(e.Accesses[m].Thread)
		if m == p.J || r.first[u] >= 0 || !apart(m) {
			continue
		}
		if r.initial(r.clocks[m*t : (m+1)*t]) {
			initials |= 1 << uint(u)
		}
		r.first[u] = int32(m)
	}
	q := int(e.Accesses[p.J].Thread)
	if r.first[q] < 0 && Has(d.steps[p.I].Enabled, q) {
		initials |= 1 << uint(q)
	}
	d.reverse(p.I, initials, q, true)
}

// blockingRace does so for a blocking access j; global says that j depends on everything.
func (r *races) blockingRace(d *dpor, e *Finished, i, j int, a *Access, global bool) {
	q := int(a.Thread)
	if int(r.latest[q]) > i {
		d.reverse(i, r.initials(e, i, j, true), q, false)
		return
	}
	orders, enables := r.predecessors(d, e, i, j, a, global)
	var initials uint64
	if Has(d.steps[i].Enabled, q) {
		initials = 1 << uint(q)
	}
	if enables || orders && initials != 0 {
		d.reverse(i, initials|r.initials(e, i, j, false), q, true)
	} else if initials != 0 {
		d.reverse(i, initials, q, false)
	}
}

// predecessors reports whether j depends on an event of v, and whether one may have enabled it.
func (r *races) predecessors(d *dpor, e *Finished, i, j int, a *Access, global bool) (orders, enables bool) {
	thread := int(e.Accesses[i].Thread)
	for m := i + 1; m < j; m++ {
		if r.clocks[m*r.threads+thread] <= int32(i) {
			b := &e.Accesses[m]
			enables = enables || global || b.Conflicts(a)
			orders = orders || dependent(b, a, d.intervals)
		}
	}
	return orders, enables
}

// initials returns the initials of v, the events between i and j that do not happen after i; with
// past only those of them that happen before j's thread came to stand before j. It leaves the first
// event of each thread in v in r.first.
func (r *races) initials(e *Finished, i, j int, past bool) uint64 {
	for u := range r.first {
		r.first[u] = -1
	}
	t := r.threads
	before := int(e.Accesses[i].Thread)
	var initials uint64
	for m := i + 1; m < j; m++ {
		u := int(e.Accesses[m].Thread)
		clock := r.clocks[m*t : (m+1)*t]
		if clock[before] > int32(i) || r.first[u] >= 0 || past && r.base[u] <= int32(m) {
			continue
		}
		if r.initial(clock) {
			initials |= 1 << uint(u)
		}
		r.first[u] = int32(m)
	}
	return initials
}

// initial reports whether no event of v so far happens before the event with that clock.
func (r *races) initial(clock []int32) bool {
	for u, f := range r.first {
		if f >= 0 && clock[u] > f {
			return false
		}
	}
	return true
}

// reverse adds to the source set of a step one of the initials, q if possible, unless it has one;
// or all of them.
func (d *dpor) reverse(step int, initials uint64, q int, all bool) {
	s := &d.steps[step]
	switch {
	case initials&^s.Enabled != 0:
		panic("explore: dpor: the first access of what does not depend on a step is not enabled there")
	case all:
		s.Backtrack |= initials
	case initials&s.Backtrack != 0:
	case Has(initials, q):
		s.Backtrack |= 1 << uint(q)
	default:
		s.Backtrack |= initials & -initials
	}
}
