package explore

import (
	"fmt"
	"time"

	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/shrink"
)

// shrink looks for a smaller test that fails as the one of k does, and returns it with its
// violation; nil if there is none. Each test runs first by what is left of the schedule that failed
// last, and then with a bound on preemptions, so that one that fails only with more of them may not
// be found.
func (k *checking) shrink(v *Violation) (*Case, *Violation, error) {
	deadline := time.Now().Add(shrinkTime)
	o := k.o
	o.Strategy, o.All, o.Shrink, o.Visit = nil, false, false, nil
	var smallest *checking
	last := numbered(k.c)
	way, bound := v.Execution, max(v.Preemptions, defaultPreemptions)
	fails := func(t shrink.Test[numberedCall]) bool {
		c := &Case{Object: k.c.Object, Before: unnumbered(t.Before), After: unnumbered(t.After)}
		for _, thread := range t.Threads {
			c.Threads = append(c.Threads, unnumbered(thread))
		}
		if c.repeats() > k.c.repeats() {
			return false
		}
		for _, s := range []schedule.Strategy{schedule.Guided(way.guide(last, t)), schedule.Full(Bounded(bound))} {
			o.MaxRuns, o.MaxTime = shrinkRuns, time.Until(deadline)
			if o.MaxTime <= 0 || k.ctx.Err() != nil {
				return false
			}
			o.Strategy = schedule.Hasty(s)
			one := &checking{ctx: k.ctx, c: c, spec: k.spec, o: o, seen: map[string]string{}, loops: map[string]int{},
				report: &Report{}}
			_, err := Run(c.Program(), s, o.Options, one.visit)
			if err != nil || one.err != nil { // such as an operation that cannot be alone
				return false
			}
			if one.first != nil && one.outcome(one.first) == v.What &&
				fmt.Sprint(one.first.Panic) == fmt.Sprint(v.Execution.Panic) {
				smallest, way, last = one, one.first, t
				return true
			}
		}
		return false
	}
	shrink.Smaller(last, simplerCalls, fails)
	if smallest == nil {
		return nil, nil, nil
	}
	smallest.o.MaxRuns, smallest.o.MaxTime, smallest.o.Strategy = k.o.MaxRuns, k.o.MaxTime, nil
	small, err := smallest.simplest()
	return smallest.c, small, err
}

// numberedCall is a call that is recognized in a smaller test.
type numberedCall struct {
	Call
	number int
}

// numbered returns the calls of a case with numbers.
func numbered(c *Case) (t shrink.Test[numberedCall]) {
	n := 0
	number := func(calls []Call) (all []numberedCall) {
		for _, call := range calls {
			n++
			all = append(all, numberedCall{call, n})
		}
		return all
	}
	t.Before, t.After = number(c.Before), number(c.After)
	for _, thread := range c.Threads {
		t.Threads = append(t.Threads, number(thread))
	}
	return t
}

// unnumbered returns calls without their numbers.
func unnumbered(all []numberedCall) (calls []Call) {
	for _, c := range all {
		calls = append(calls, c.Call)
	}
	return calls
}

// guide returns what is left of the schedule of an execution of one test in a smaller one.
func (e *Execution) guide(from, to shrink.Test[numberedCall]) Schedule {
	thread := map[int]int{} // of a number, in the smaller test
	for i, calls := range to.Threads {
		for _, c := range calls {
			thread[c.number] = i
		}
	}
	threads := make([]int32, len(from.Threads))
	for i, calls := range from.Threads {
		threads[i] = -1
		for _, c := range calls {
			if to, is := thread[c.number]; is {
				threads[i] = int32(to)
			}
		}
	}
	dropped, begun := make([]bool, len(e.Ops)), make([]int, len(threads))
	for i := range e.Ops {
		if t := e.Ops[i].Thread; t >= 0 && t < len(threads) && begun[t] < len(from.Threads[t]) {
			_, is := thread[from.Threads[t][begun[t]].number]
			dropped[i] = !is
			begun[t]++
		}
	}
	rest := schedule.Without(e.Schedule, func(access int) bool {
		if access >= len(e.accesses) {
			return false
		}
		a := &e.accesses[access]
		return a.Op >= 0 && dropped[a.Op] || int(a.Thread) < len(threads) && threads[a.Thread] < 0
	})
	for i, d := range rest {
		if d >= 0 && int(d) < len(threads) {
			rest[i] = max(threads[d], 0)
		}
	}
	return rest
}

// repeats counts the numbers that are arguments and that an earlier call has, too. Shrinking makes
// no further ones, since histories with distinct values are easier to read and to check.
func (c *Case) repeats() (n int) {
	seen := map[any]bool{}
	for _, calls := range append([][]Call{c.Before, c.After}, c.Threads...) {
		for _, call := range calls {
			if v, isNumber := call.Arg.(int); isNumber {
				if seen[v] {
					n++
				}
				seen[v] = true
			}
		}
	}
	return n
}

// simplerCalls lists a call with simpler arguments: smaller numbers above zero, shorter lists.
func simplerCalls(c numberedCall) (simpler []numberedCall) {
	for _, arg := range simplerValues(c.Arg) {
		simpler = append(simpler, numberedCall{Call{c.F, arg}, c.number})
	}
	return simpler
}

func simplerValues(v any) (simpler []any) {
	switch v := v.(type) {
	case int:
		for n := 1; n < min(v, smallNumbers+1); n++ {
			simpler = append(simpler, n)
		}
	case []any:
		for i := range v {
			simpler = append(simpler, append(append([]any{}, v[:i]...), v[i+1:]...))
		}
		for i := range v {
			for _, e := range simplerValues(v[i]) {
				list := append([]any{}, v...)
				list[i] = e
				simpler = append(simpler, list)
			}
		}
	}
	return simpler
}
