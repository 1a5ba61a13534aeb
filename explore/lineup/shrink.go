package lineup

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/explore"
)

// What: from a failing test, the smallest one that fails in the same way after operations are left
// out.
//
// Source: the paper does it by hand (section 5.1). Lemma 8 says that a test fails if a prefix of it
// does. Nothing is known about tests that lack other operations, so there is no good order in which
// to leave them out one by one.
//
// With up to shrinkAll operations every sub-test is tried, smallest dimension first (threads times
// operations of the longest one), then fewest operations, so that the first that fails is a
// smallest one. A larger test first loses operations one by one, as long as it fails without one.
// Sub-tests that differ by the order of the threads are tried once.
//
// Invariant: the result fails with the kind of the failure that it comes from. Cost: at most
// 2^shrinkAll checks of tests, most of them tiny; smaller tests that pass cost most.

// Shrink returns the result of the smallest sub-test that fails as r does. r must be a Fail. If the
// context ends, it is the smallest found so far.
func Shrink(ctx context.Context, r *Result, o Options) (*Result, error) {
	o.only = r.Failure.Kind
	for count(r.Case) > shrinkAll {
		smaller, err := withoutOne(ctx, r, o)
		if err != nil {
			return nil, err
		}
		if smaller == nil {
			return r, nil
		}
		r = smaller
	}
	tried := map[string]bool{}
	for _, c := range subTests(r.Case) {
		name := sorted(c).String()
		if tried[name] {
			continue
		}
		tried[name] = true
		again, err := Check(ctx, c, o)
		switch {
		case err != nil:
			return nil, err
		case again.Verdict == Fail && again.Failure.Kind == r.Failure.Kind:
			return again, nil
		case ctx.Err() != nil:
			return r, nil
		}
	}
	return r, nil
}

// withoutOne returns the failing result of the test less one operation, or nil.
func withoutOne(ctx context.Context, r *Result, o Options) (*Result, error) {
	n := count(r.Case)
	for k := range n {
		again, err := Check(ctx, restrict(r.Case, func(i int) bool { return i != k }), o)
		if err != nil {
			return nil, err
		}
		if again.Verdict == Fail && again.Failure.Kind == r.Failure.Kind {
			return again, nil
		}
	}
	return nil, nil
}

// subTests lists the tests with a proper subset of the operations, smallest dimension first.
func subTests(c *explore.Case) []*explore.Case {
	n := count(c)
	masks := make([]uint, 0, 1<<n)
	for m := uint(0); m < 1<<n-1; m++ {
		masks = append(masks, m)
	}
	tests := make([]*explore.Case, len(masks))
	order := make([]int, len(masks))
	for i, m := range masks {
		tests[i] = restrict(c, func(k int) bool { return m>>k&1 == 1 })
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool {
		x, y := order[i], order[j]
		return cmp.Or(area(tests[x])-area(tests[y]), bits.OnesCount(masks[x])-bits.OnesCount(masks[y])) < 0
	})
	result := make([]*explore.Case, len(order))
	for i, k := range order {
		result[i] = tests[k]
	}
	return result
}

func area(c *explore.Case) int {
	threads, operations := Dimension(c)
	return threads * operations
}

// Dimension returns the number of threads of a test and of operations of its longest thread.
func Dimension(c *explore.Case) (threads, operations int) {
	for _, column := range c.Threads {
		operations = max(operations, len(column))
	}
	return len(c.Threads), operations
}

func count(c *explore.Case) int {
	n := len(c.Before) + len(c.After)
	for _, column := range c.Threads {
		n += len(column)
	}
	return n
}

// restrict returns the test with some of its operations, numbered in the order before, threads,
// after. Threads without operations are dropped.
func restrict(c *explore.Case, keep func(i int) bool) *explore.Case {
	i := -1
	some := func(calls []explore.Call) (kept []explore.Call) {
		for _, call := range calls {
			if i++; keep(i) {
				kept = append(kept, call)
			}
		}
		return kept
	}
	r := &explore.Case{Object: c.Object, Before: some(c.Before)}
	for _, column := range c.Threads {
		if kept := some(column); len(kept) > 0 {
			r.Threads = append(r.Threads, kept)
		}
	}
	r.After = some(c.After)
	return r
}

// sorted returns the test with its threads in a canonical order.
func sorted(c *explore.Case) *explore.Case {
	r := *c
	r.Threads = slices.Clone(c.Threads)
	sort.Slice(r.Threads, func(i, j int) bool { return join(r.Threads[i]) < join(r.Threads[j]) })
	return &r
}

func join(calls []explore.Call) string {
	words := make([]string, len(calls))
	for i, call := range calls {
		words[i] = call.String()
	}
	return strings.Join(words, ", ")
}
