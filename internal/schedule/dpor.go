package schedule

// Dynamic partial-order reduction.
//
// What: DPOR visits, for every class of executions (results of all operations and the interval
// order between them, as Execution.Class has it), at least one execution, and mostly one for every
// set of executions that differ by the order of adjacent independent accesses only.
//
// Source: Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial
// Order Reduction", J. ACM 64(4), 2017: Algorithm 2 (wakeup trees, wakeup.go) for programs that
// never block, Algorithm 1 (source sets with sleep sets, dporrace.go) for all others; Flanagan and
// Godefroid, POPL 2005, for the accesses that blocked threads still stand before when an execution
// ends.
//
// What we changed, and why (docs/decisions/dpor.md has the argument):
//
//   - Two accesses of different threads also depend on each other if one is the last of its
//     operation and the other the first of its own, since their order is then an interval order
//     between the two operations. Without that, whole histories are lost.
//   - Races are looked for once an execution has ended, not before each step: whether an access is
//     the last one of its operation, and whether an update wrote, is known only after it happened.
//   - Blocking accesses (locks, semaphores, Await, waking up from Cond.Wait) race with everything
//     before that may have kept them from happening, not only with the nearest one: see
//     dporrace.go.
//   - What an access does may depend on whether another comes before it. Then more may have to come
//     before it, too: see dporrace.go.
//   - An access that ends the execution (it panics, or is the last one before the bound on steps)
//     depends on everything, and so do the access before a Yield and the one after it, since Yield
//     waits for all other threads. So spinning with Yield is exact, too, but hardly reduced; Await
//     is.
//   - Data choices are branches below the step in which they are made. A thread goes to sleep after
//     all of them.
//
// Invariants: the steps of the stack are the prefix that the next execution repeats; a step's
// thread is never asleep in it; the accesses of sleeping threads are those that the threads stand
// before in every continuation in which they are asleep.
//
// Cost: with n accesses, a step into which the search goes for the first time costs O(n)
// comparisons of accesses and O(n) for each race; steps that are repeated cost nothing with source
// sets, and their races O(n) each with wakeup trees. No allocation once the stack has reached its
// depth.
//
// There is no DPOR with a bound on preemptions. Leaving out what exceeds the bound is unsound in
// combination: the representative that is kept may need more preemptions than another execution of
// its class.

// DPOR explores one execution, or few, of each class of executions.
func DPOR() Strategy { return &dpor{intervals: true} }

// DPORByConflicts is DPOR that disregards the order of returns and calls, and so loses classes. It
// shows why they count.
func DPORByConflicts() Strategy { return &dpor{} }

// Intervals reports whether the order of returns and calls counts.
func (d *dpor) Intervals() bool { return d.intervals }

func (d *dpor) String() string {
	return "every schedule, up to the order of independent accesses (DPOR)"
}

type dpor struct {
	Sealed
	intervals bool // whether calls and returns count

	steps   []dporStep
	choices []dporChoice
	started bool
	begun   bool // an execution has been chosen, and not run
	// whether races are reversed by source sets only, since an execution was not plain
	bySource bool
	turned   bool // with this execution
	depth    int  // steps, choices of the running execution that have been decided
	decided  int
	fresh    int    // the first step whose races have not been looked for
	blocked  uint64 // threads that could not run when an execution was pruned

	threads int
	slept   []Access // step*threads + thread: the access of a sleeping thread
	races   races
	forest  forest
}

// dporStep is one scheduling point of the current execution.
type dporStep struct {
	Enabled uint64
	// threads from which everything has been explored, here or in an equivalent place
	Sleep     uint64
	Backtrack uint64 // threads to explore from here, by source sets
	// the first branch to take from here after this one, and the first one to take below this one
	Next, Guide int32
	Thread      int
	Access      Access // what thread did
	// whether that was the last access of its operation under any of the data choices so far
	Last    bool
	Global  bool   // whether it depended on everything under any of them
	Partial bool   // threads were asleep when the search came here with no branch to follow
	Wakeful uint64 // threads among sleep whose access here depends on everything
	Taken   int    // branches from here that have been explored
}

// dporChoice is a data choice, made after the given number of steps.
type dporChoice struct{ N, Value, Steps int }

func (d *dpor) Begin() bool {
	if d.started && !d.backtrack() {
		return false
	}
	d.started, d.begun = true, true
	d.depth, d.decided, d.blocked = 0, 0, 0
	return true
}

// backtrack changes the last decision that can be changed and drops what follows.
func (d *dpor) backtrack() bool {
	for {
		n := len(d.steps)
		if m := len(d.choices); m > 0 && d.choices[m-1].Steps == n {
			if c := &d.choices[m-1]; c.Value+1 < c.N {
				c.Value++
				d.fresh = max(n-1, 0)
				return true
			}
			d.choices = d.choices[:m-1]
			continue
		}
		if n == 0 {
			return false
		}
		s := &d.steps[n-1]
		s.Access.Last = s.Last
		d.slept[(n-1)*d.threads+s.Thread] = s.Access
		s.Sleep |= 1 << uint(s.Thread)
		if s.Global {
			s.Wakeful |= 1 << uint(s.Thread)
		}
		d.forest.dropAll(s.Guide)
		s.Guide = 0
		taken := d.take(s, s.Next, s.Enabled&^s.Sleep)
		if todo := s.Backtrack &^ s.Sleep; !taken && todo != 0 {
			s.Thread, taken = Lowest(todo), true
		}
		if taken {
			s.Taken++
			s.Last, s.Global = false, false
			d.fresh = n - 1
			return true
		}
		d.steps = d.steps[:n-1]
	}
}

// take takes the first of these branches whose thread is among the given ones. It reports whether
// there is one.
func (d *dpor) take(s *dporStep, n int32, among uint64) bool {
	for n != 0 {
		b := d.forest.Nodes[n]
		d.forest.drop(n)
		n = b.Next
		if Has(among, int(b.Access.Thread)) {
			s.Thread, s.Guide, s.Next = int(b.Access.Thread), b.Child, n
			return true
		}
		d.forest.dropAll(b.Child)
	}
	s.Next = 0
	return false
}

func (d *dpor) Pick(s *State) (thread int, ok bool) {
	d.begun = false
	if d.depth < len(d.steps) {
		d.depth++
		return d.steps[d.depth-1].Thread, true
	}
	d.threads = len(s.Pending)
	for len(d.slept) < (d.depth+1)*d.threads {
		d.slept = append(d.slept, Access{})
	}
	d.steps = append(d.steps, dporStep{Enabled: s.Enabled})
	step := &d.steps[d.depth]
	var guide int32
	if d.depth > 0 {
		before := &d.steps[d.depth-1]
		guide, before.Guide = before.Guide, 0
		asleep := before.Sleep &^ before.Wakeful
		if asleep != 0 && yields(s.Accesses) {
			asleep = 0
		}
		done := &s.Accesses[d.depth-1]
		for ; asleep != 0; asleep &= asleep - 1 {
			q := Lowest(asleep)
			a := &d.slept[(d.depth-1)*d.threads+q]
			if !dependent(a, done, d.intervals) {
				step.Sleep |= 1 << uint(q)
				d.slept[d.depth*d.threads+q] = *a
			}
		}
	}
	awake := s.Enabled &^ step.Sleep
	if awake == 0 {
		d.forest.dropAll(guide)
		d.steps = d.steps[:d.depth]
		d.blocked = s.Live &^ s.Enabled
		return 0, false
	}
	if !d.take(step, guide, awake) {
		step.Partial = step.Sleep != 0
		step.Thread = Lowest(awake)
		if Has(awake, s.Prev) {
			step.Thread = s.Prev
		}
	}
	step.Backtrack = 1 << uint(step.Thread)
	d.depth++
	return step.Thread, true
}

func (d *dpor) Choose(n int) int {
	d.begun = false
	if d.decided == len(d.choices) {
		d.choices = append(d.choices, dporChoice{N: n, Steps: d.depth})
	}
	d.decided++
	return d.choices[d.decided-1].Value
}

func (d *dpor) End(e *Finished) {
	if e.Outcome == TimedOut { // perhaps before it came to anything new; nothing comes after it
		return
	}
	// An execution that a bound cut short has fewer accesses than picks were made.
	d.steps = d.steps[:min(len(d.steps), len(e.Accesses))]
	d.turned = !d.bySource && !d.plain(e)
	if d.turned {
		d.turn()
	}
	for i := d.fresh; i < len(d.steps); i++ {
		d.steps[i].Access = e.Accesses[i]
	}
	d.races.find(d, e)
	d.fresh = len(d.steps)
}

// yields reports whether the last access stands beside a Yield, and so depends on everything.
func yields(made []Access) bool {
	last := &made[len(made)-1]
	for i := len(made) - 2; i >= 0 && !last.Yields; i-- {
		if made[i].Thread == last.Thread {
			return made[i].Yields
		}
	}
	return last.Yields
}

// dependent reports whether the order of two accesses of different threads matters: they touch a
// common location and one of them writes, or (with intervals) one ends an operation and the other
// begins one.
func dependent(a, b *Access, intervals bool) bool {
	return intervals && (a.Last && b.First || a.First && b.Last) || a.Conflicts(b)
}
