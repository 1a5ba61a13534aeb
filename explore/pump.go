package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/schedule"
)

// Livelocks that no strategy runs into.
//
// What: where threads do the same twice, one after the other, the execution is run again with that
// round repeated. If the threads can do so for ever, and livelock.go finds nothing that they leave
// out, this is a livelock. So two threads that are polite to each other are found as soon as they
// have been so twice, whereas a strategy that looks at one schedule after the other comes to
// executions that reach the bound on steps last, or by chance.
//
// Source: the lassos of the search for accepting cycles (Courcoubetis, Vardi, Wolper and
// Yannakakis, FMSD 1992), on schedules in place of states, which code does not show.
//
// What we changed, and why: equal accesses are a guess that states are equal, which the run that
// repeats them tests. Only rounds of more than one thread are tried: one thread that goes round
// alone leaves the others out, or is the last, and then every strategy comes to it.
//
// Invariant: a livelock is one of an execution that was run to the bound on steps.
//
// Cost: a comparison of accesses for those executions that are longer than all before, and the
// first pumpedAll; a run in turns, and at most pumpedAll others in all.

// pump returns an execution that goes round for ever as e does for a while, nil if none is found.
// Before the first, it looks at one in which the threads take turns at every access.
func (k *checking) pump(e *Execution) (loop *Execution, err error) {
	if k.o.Only || schedule.Replays(k.o.Strategy) {
		return nil, nil
	}
	if k.pumped.executions++; k.pumped.executions == 1 {
		turns := k.looking()
		turns.Trace, turns.MaxSteps = false, min(turnSteps, k.steps())
		_, err = Run(k.c.Program(), schedule.Turns(), turns, func(e *Execution) bool {
			if k.goesOn(e) {
				loop, err = k.pumpOne(e.Schedule, slices.Clone(e.accesses))
			}
			return false
		})
	}
	if loop != nil || err != nil || k.left || k.pumped.executions > pumpedAll && len(e.accesses) <= k.pumped.longest {
		return loop, err
	}
	k.pumped.longest = max(k.pumped.longest, len(e.accesses))
	return k.pumpOne(e.Schedule, e.accesses)
}

// pumpOne tries the rounds of one execution.
func (k *checking) pumpOne(way Schedule, accesses []schedule.Access) (*Execution, error) {
	for end := len(accesses); end > 0 && k.pumped.tries < pumpedAll && !k.late(); end-- {
		begin := round(accesses[:end])
		if begin < 0 || !k.pumped.first(accesses[begin:end]) {
			continue
		}
		k.pumped.tries++
		s := repeated(way, begin, end)
		short := k.looking()
		short.MaxSteps = min(2*end+leastRounds*4*(end-begin), k.steps())
		one, err := gently(k.c.Program(), s, short)
		if err != nil {
			return nil, err
		}
		if one != nil && !k.goesOn(one) {
			return nil, nil
		}
		if one == nil || one.round() == 0 {
			continue
		}
		whole := k.looking()
		whole.Trace = false
		if one, err = gently(k.c.Program(), s, whole); one != nil && one.Outcome == CutOff && err == nil {
			one.Schedule = s
			return one, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// steps is the bound on the steps of an execution.
func (k *checking) steps() int {
	if k.o.MaxSteps > 0 {
		return k.o.MaxSteps
	}
	return defaultMaxSteps
}

// gently runs a program by one schedule, and returns nil if that does not fit.
func gently(p Program, s Schedule, o Options) (e *Execution, err error) {
	_, err = Run(p, schedule.Gently(s), o, func(x *Execution) bool {
		e = x.Clone()
		return true
	})
	return e, err
}

// pumped is what has been tried.
type pumped struct {
	executions, longest, tries int
	seen                       map[string]bool
}

// first reports whether a round is met for the first time.
func (p *pumped) first(round []schedule.Access) bool {
	var b strings.Builder
	for i := range round {
		a := &round[i]
		fmt.Fprint(&b, a.Thread, a.Kind, a.Loc, a.Loc2, " ")
	}
	if p.seen[b.String()] {
		return false
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[b.String()] = true
	return true
}

// round returns where the last round of several threads begins, if each of them has done before it
// what it does in it; otherwise -1.
func round(a []schedule.Access) int {
	last := a[len(a)-1].Thread
	for length, begin := 1, len(a)-1; length <= pumpedAll && begin > 0; begin-- {
		if a[begin].First || a[begin].Last || len(a)-begin > pumpedAll {
			return -1
		}
		if a[begin-1].Thread != last {
			continue
		}
		if length++; repeats(a, begin) {
			return begin
		}
	}
	return -1
}

// repeats reports whether there are several threads in the accesses from begin on, and each has
// done the same before.
func repeats(a []schedule.Access, begin int) bool {
	var threads uint64
	for i := begin; i < len(a); i++ {
		threads |= 1 << uint(a[i].Thread)
	}
	if threads&(threads-1) == 0 {
		return false
	}
	for ; threads != 0; threads &= threads - 1 {
		t := int32(schedule.Lowest(threads))
		j := begin
		for i := len(a) - 1; i >= begin; i-- {
			if a[i].Thread != t {
				continue
			}
			for j--; j >= 0 && a[j].Thread != t; j-- {
			}
			if j < 0 || a[i].Kind != a[j].Kind || a[i].Loc != a[j].Loc || a[i].Loc2 != a[j].Loc2 {
				return false
			}
		}
	}
	return true
}

// repeated returns a schedule that goes round for ever from one access to another.
func repeated(s Schedule, begin, end int) Schedule {
	from, to := decision(s, begin), decision(s, end)
	return slices.Concat(s[:from:from], Schedule{schedule.Again}, s[from:to])
}

// decision returns where the access of that number is decided in a schedule, after the choices
// before it.
func decision(s Schedule, access int) int {
	for i, d := range s {
		if d < 0 {
			continue
		}
		if access == 0 {
			return i
		}
		access--
	}
	return len(s)
}
