package schedule

// Wakeup trees.
//
// What: where a race is reversed, the search keeps the whole sequence of accesses that comes to the
// reversal, not only its first thread. It follows that sequence when it goes there, and opens no
// branch whose executions others cover, so that no execution has to be given up half-way.
//
// Source: Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial
// Order Reduction", J. ACM 64(4), 2017, Algorithm 2.
//
// What we changed, and why (docs/decisions/dpor.md has the argument):
//
//   - The last access q of a sequence was seen after the access e that it is to precede. Where it
//     comes before e it may do something else: an update may work, an operation may end. Such an
//     access is uncertain, and counts as dependent on whatever it could depend on. So a branch
//     may be opened that others cover.
//   - Then threads may be asleep when its sequence ends, which cannot happen in the paper. What is
//     explored below is only a part: a race there is not covered because a sleeping thread could
//     come first. So steps that are reached in that way are partial, and have source sets
//     (dporrace.go).
//   - Blocking accesses, Yield, panics, bounds and data choices are for source sets, too. From the
//     first execution on that is not plain, there is nothing else: of the branches that are to be
//     taken only the threads are kept.
//
// Invariants: no two branches from a step begin with the same thread; a sequence without its last
// access is closed under what happens before; but for partial steps, a free choice is made only
// where no thread sleeps.
//
// Cost: for each race of an execution of n accesses O(n) comparisons of accesses with each branch.

// branch is a node of a wakeup tree: what to do next in some place.
type branch struct {
	Access    Access
	Uncertain bool
	// the first branch below it and the next beside it, by position in the forest; 0: none
	Child, Next int32
}

// event is an access of a sequence to insert.
type event struct {
	access    *Access
	clock     []int32
	at        int32 // its position in the execution
	uncertain bool
}

// forest has all branches. The first node is none; free is the first of those not in use.
type forest struct {
	Nodes []branch
	Free  int32
}

func (f *forest) add(b branch) int32 {
	if n := f.Free; n != 0 {
		f.Free = f.Nodes[n].Next
		f.Nodes[n] = b
		return n
	}
	if len(f.Nodes) == 0 {
		f.Nodes = append(f.Nodes, branch{})
	}
	f.Nodes = append(f.Nodes, b)
	return int32(len(f.Nodes) - 1)
}

// drop frees a branch alone.
func (f *forest) drop(n int32) {
	f.Nodes[n].Next = f.Free
	f.Free = n
}

// dropAll frees branches with all below and beside them.
func (f *forest) dropAll(n int32) {
	for n != 0 {
		next := f.Nodes[n].Next
		f.dropAll(f.Nodes[n].Child)
		f.drop(n)
		n = next
	}
}

// plain reports whether an execution has nothing but accesses that never block and depend on other
// accesses for their locations and the order of operations only, and no data choice after the first
// access.
func (d *dpor) plain(e *Finished) bool {
	if e.Outcome == Panicked || e.Abrupt || e.Blocked|d.blocked != 0 || len(d.choices) > 0 &&
		d.choices[len(d.choices)-1].Steps > 0 {
		return false
	}
	for i := range e.Accesses {
		if a := &e.Accesses[i]; a.Kind > Update || a.Waits || a.Yields {
			return false
		}
	}
	return true
}

// turn goes over to source sets: of each branch that is to be taken its thread is kept.
func (d *dpor) turn() {
	d.bySource = true
	for i := range d.steps {
		s := &d.steps[i]
		for n := s.Next; n != 0; n = d.forest.Nodes[n].Next {
			s.Backtrack |= 1 << uint(d.forest.Nodes[n].Access.Thread)
		}
		s.Next, s.Guide = 0, 0
	}
	d.forest = forest{}
	d.races.kept, d.races.before = nil, nil
}

// follow makes sure that executions are explored in which the second access of each race that is
// kept comes before the first.
func (r *races) follow(d *dpor, e *Finished) {
	t := r.threads
	for k, p := range r.kept {
		before := e.Accesses[p.I].Thread
		r.v = r.v[:0]
		for m := p.I + 1; m < len(d.steps); m++ {
			if clock := r.clocks[m*t : (m+1)*t]; clock[before] <= int32(p.I) {
				r.v = append(r.v, event{access: &e.Accesses[m], clock: clock, at: int32(m)})
			}
		}
		q := &e.Accesses[p.J]
		r.v = append(r.v, event{access: q, clock: r.before[k*t : (k+1)*t], at: int32(p.J),
			uncertain: uncertain(&e.Accesses[p.I], q, d.intervals)})
		d.insert(p.I, r.v)
	}
}

// uncertain reports whether a may do something else, of which any access may depend on more, if it
// comes before b.
func uncertain(b, a *Access, intervals bool) bool {
	switch a.Kind {
	case Read, Update:
		return b.Kind.Writes() && b.Conflicts(a) && (a.Failed || intervals && !a.Last)
	}
	return false
}

// slot is where the position of a list of branches is kept: in the step of the search, below a
// branch, or beside one.
type slot struct {
	step, below, beside int32
}

func (d *dpor) at(s slot) *int32 {
	switch {
	case s.below != 0:
		return &d.forest.Nodes[s.below].Child
	case s.beside != 0:
		return &d.forest.Nodes[s.beside].Next
	}
	return &d.steps[s.step].Next
}

// follows reports whether races with the access of a step are reversed by sequences.
func (d *dpor) follows(step int) bool { return !d.bySource && !d.steps[step].Partial }

// insert makes sure that v, a sequence from the given step on, is a part of an execution that is
// explored, up to the order of independent accesses. It changes v.
func (d *dpor) insert(step int, v []event) {
	s := &d.steps[step]
	for asleep := s.Sleep; asleep != 0; asleep &= asleep - 1 {
		q := Lowest(asleep)
		if !Has(s.Wakeful, q) && d.covers(q, &d.slept[step*d.threads+q], v) {
			return
		}
	}
	list := slot{step: int32(step)}
	for {
		n := *d.at(list)
		if n == 0 {
			break
		}
		b := &d.forest.Nodes[n]
		k, fits := d.fits(b, v)
		if !fits {
			list = slot{step: int32(step), beside: n}
			continue
		}
		if k >= 0 {
			v = append(v[:k], v[k+1:]...)
		}
		if len(v) == 0 || b.Child == 0 {
			return
		}
		list = slot{step: int32(step), below: n}
	}
	if list.below == 0 {
		first := v[0].access.Thread
		if !Has(s.Enabled, int(first)) {
			panic("explore: dpor: the first access of a sequence is not enabled")
		}
	}
	for i := range v {
		n := d.forest.add(branch{Access: *v[i].access, Uncertain: v[i].uncertain})
		*d.at(list) = n
		list = slot{below: n}
	}
}

// covers reports whether the access a, before which the sleeping thread q stands, is a weak initial
// of v: v is equivalent to a part of an execution that begins with a.
func (d *dpor) covers(q int, a *Access, v []event) bool {
	for k := range v {
		if int(v[k].access.Thread) == q {
			return initialOf(v, k) && (!v[k].uncertain || d.independent(a, v[:k]))
		}
	}
	return d.independent(a, v)
}

// fits reports whether v may go on below branch b: the access of b is a weak initial of v. k is
// the position of that access in v, -1 if it is not there.
func (d *dpor) fits(b *branch, v []event) (k int, ok bool) {
	for k := range v {
		if v[k].access.Thread == b.Access.Thread {
			if !initialOf(v, k) {
				return -1, false
			}
			may := worst(*v[k].access)
			return k, !v[k].uncertain || d.independent(&may, v[:k])
		}
	}
	if b.Uncertain {
		may := worst(b.Access)
		return -1, d.independent(&may, v)
	}
	return -1, d.independent(&b.Access, v)
}

// independent reports whether an access of a thread that has none in v depends on nothing in v.
func (d *dpor) independent(a *Access, v []event) bool {
	for i := range v {
		b := v[i].access
		if v[i].uncertain {
			may := worst(*b)
			b = &may
		}
		if dependent(a, b, d.intervals) {
			return false
		}
	}
	return true
}

// worst is an access that depends on whatever an uncertain one may depend on.
func worst(a Access) Access {
	if a.Failed {
		a.Kind = Update
	}
	a.Last = true
	return a
}

// initialOf reports whether nothing in v happens before its event k.
func initialOf(v []event, k int) bool {
	for i := range v[:k] {
		if v[k].clock[v[i].access.Thread] > v[i].at {
			return false
		}
	}
	return true
}
