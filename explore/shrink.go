package explore

import (
	"fmt"
	"time"

	"github.com/linsat/linsat/internal/shrink"
)

// shrink looks for a smaller test that fails as the one of k does, and returns it with its
// violation; nil if there is none. Each test runs with a bound on preemptions, so that one that
// fails only with more of them is not found.
func (k *checking) shrink(v *Violation) (*Case, *Violation, error) {
	deadline := time.Now().Add(shrinkTime)
	o := k.o
	o.Strategy, o.All, o.Shrink, o.Visit = nil, false, false, nil
	bound := max(v.Preemptions, defaultPreemptions)
	var smallest *checking
	fails := func(t shrink.Test[Call]) bool {
		o.MaxRuns, o.MaxTime = shrinkRuns, time.Until(deadline)
		if o.MaxTime <= 0 || k.ctx.Err() != nil {
			return false
		}
		c := &Case{Object: k.c.Object, Before: t.Before, Threads: t.Threads, After: t.After}
		if c.repeats() > k.c.repeats() {
			return false
		}
		one := &checking{ctx: k.ctx, c: c, spec: k.spec, o: o, seen: map[string]string{}, loops: map[string]int{},
			report: &Report{}}
		_, err := Run(c.Program(), Bounded(bound), o.Options, one.visit)
		if err != nil || one.err != nil { // such as an operation that cannot be alone
			return false
		}
		if one.first == nil || one.outcome(one.first) != v.What ||
			fmt.Sprint(one.first.Panic) != fmt.Sprint(v.Execution.Panic) {
			return false
		}
		smallest = one
		return true
	}
	shrink.Smaller(shrink.Test[Call]{Before: k.c.Before, Threads: k.c.Threads, After: k.c.After}, simplerCalls, fails)
	if smallest == nil {
		return nil, nil, nil
	}
	smallest.o.MaxRuns, smallest.o.MaxTime = k.o.MaxRuns, k.o.MaxTime
	small, err := smallest.simplest()
	return smallest.c, small, err
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
func simplerCalls(c Call) (simpler []Call) {
	for _, arg := range simplerValues(c.Arg) {
		simpler = append(simpler, Call{c.F, arg})
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
