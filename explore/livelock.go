package explore

import "github.com/linsat/linsat/internal/schedule"

// Which executions that were cut off are livelocks: stuck, although threads run.
//
// Source: the fair termination of Musuvathi and Qadeer, "Fair Stateless Model Checking", PLDI 2008.
// That an execution is long proves nothing, so three things are asked of its second half. No
// operation begins or returns in it. It is fair: no thread that could go on again and again is left
// out, as one that waits for a lock which others take and release. And it repeats: the same threads
// make the same accesses at the same lines with the same values, leastRounds times at least, and no
// time that may come can change that.
//
// Invariant: a thread that reads the same values at the same lines does the same again, unless it
// counts; a loop that only counts, for longer than the bound on steps, would be taken for a
// livelock. Values of pointers are compared by identity, so a loop that allocates is not seen to
// repeat. Cost: one traced execution for each class of those that were cut off.

// endless reports whether an execution that was cut off is a livelock.
func (k *checking) endless(e *Execution) (bool, error) {
	if k.late() {
		return false, nil
	}
	again, err := once(k.c.Program(), e.Schedule, k.looking())
	switch {
	case k.late():
		return false, nil
	case err != nil:
		return false, err
	}
	return again.round() > 0, nil
}

// round returns after how many accesses a traced execution that was cut off repeats in its second
// half, 0 if it is no livelock.
func (e *Execution) round() int {
	if e.Outcome != CutOff || e.stopped {
		return 0
	}
	half := e.Events[e.serial():]
	middle := len(half) / 2
	if half = half[middle:]; !e.time.Settled(middle) {
		return 0
	}
	starved, ran := uint64(0), uint64(0)
	for i := range half {
		v := &half[i]
		a := schedule.Inside(&v.Access)
		if a.First || a.Last {
			return 0
		}
		starved |= a.Enabled
		ran |= 1 << uint(v.Thread)
	}
	p := schedule.Period(len(half), func(i, j int) bool { return sameEvent(&half[i], &half[j]) })
	if starved&^ran != 0 || len(half) < leastRounds*p {
		return 0
	}
	return p
}

// serial returns how many events come before those of threads.
func (e *Execution) serial() int {
	n := 0
	for n < len(e.Events) && e.Events[n].Thread == schedule.Main {
		n++
	}
	return n
}

// firstRound leaves a livelock the events up to the end of its first round, and the schedule up to
// there if the rest follows from it.
func (k *checking) firstRound(e *Execution, round int) error {
	start := len(e.Events) - round
	for start > e.serial() && sameEvent(&e.Events[start-1], &e.Events[start-1+round]) {
		start--
	}
	begin := start - e.serial()
	whole := e.Schedule
	for _, s := range []Schedule{whole[:decision(whole, begin+round)], repeated(whole, begin, begin+round)} {
		short, err := gently(k.c.Program(), s, k.traced())
		if err != nil {
			return err
		}
		if short != nil && short.round() > 0 && string(short.Class(nil)) == string(e.Class(nil)) {
			e.Schedule = s
			break
		}
	}
	e.Events = e.Events[:start+round]
	return nil
}

// sameEvent reports whether two events do the same; an access that waited is one that did not.
func sameEvent(a, b *Event) bool {
	x, y := schedule.Inside(&a.Access), schedule.Inside(&b.Access)
	if a.Thread != b.Thread || a.Op != b.Op || x.Loc != y.Loc || x.Failed != y.Failed || a.Before != b.Before ||
		a.After != b.After || a.Line != b.Line || a.File != b.File {
		return false
	}
	return x.Waits || y.Waits || x.Kind == y.Kind && x.Loc2 == y.Loc2
}
