package lineup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/linsat/linsat/explore"
)

// AutoCheck checks the tests of n threads with n of the first n operations of the object each, for
// n = 1, 2, ... (paper, Figure 6), up to the first that fails. Tests that differ only by the order
// of their threads are one test, since an object cannot tell threads apart. Without a failure it
// ends at Options.MaxDimension, or with the context: then the result is the last one of the largest
// dimension that passed as a whole, nil if there is none.
func AutoCheck(ctx context.Context, object *explore.Object, o Options) (*Result, error) {
	var passed *Result
	for n := 1; o.MaxDimension == 0 || n <= o.MaxDimension; n++ {
		results, err := checkAll(ctx, squareTests(object, n, o), true, o)
		if err != nil {
			return nil, err
		}
		last := results[len(results)-1]
		for _, r := range results {
			switch {
			case r == nil || ctx.Err() != nil && r.Verdict == Unknown:
				return passed, nil
			case r.Verdict == Fail:
				return r, nil
			case r.Verdict == Unknown:
				last = r
			}
		}
		passed = last
		if passed.Verdict == Unknown {
			return passed, nil
		}
	}
	return passed, nil
}

// sequences returns what the threads of generated tests consist of.
func (o Options) sequences(object *explore.Object) [][]explore.Call {
	if o.Sequences != nil {
		return o.Sequences
	}
	s := make([][]explore.Call, len(object.Ops))
	for i := range object.Ops {
		s[i] = object.Ops[i : i+1]
	}
	return s
}

// squareTests lists the tests of n threads with n operations (or sequences) each out of the first
// n, one thread order of each.
func squareTests(object *explore.Object, n int, o Options) func() *explore.Case {
	calls := o.sequences(object)
	calls = calls[:min(n, len(calls))]
	columns := 1
	for range n {
		columns *= len(calls)
	}
	column := func(k int) (c []explore.Call) {
		for range n {
			c = append(c, calls[k%len(calls)]...)
			k /= len(calls)
		}
		return c
	}
	at := make([]int, n) // never falls from left to right
	ended := len(calls) == 0
	return func() *explore.Case {
		if ended {
			return nil
		}
		c := &explore.Case{Object: object, Before: o.Before, After: o.After}
		for _, k := range at {
			c.Threads = append(c.Threads, column(k))
		}
		i := n - 1
		for i >= 0 && at[i] == columns-1 {
			i--
		}
		if ended = i < 0; !ended {
			at[i]++
			for j := i + 1; j < n; j++ {
				at[j] = at[i]
			}
		}
		return c
	}
}

// Sample is the outcome of RandomCheck.
type Sample struct {
	Results                  []*Result // in the order of the tests
	Passed, Failed, Unknowns int
}

// First returns the first result that failed, or nil.
func (s *Sample) First() *Result {
	for _, r := range s.Results {
		if r.Verdict == Fail {
			return r
		}
	}
	return nil
}

// RandomCheck checks n tests of the given number of threads and operations per thread, drawn
// uniformly from the object's operations, or from Options.Sequences, by Options.Seed (paper, Figure
// 8 and section 4.3). Unlike the paper it
// checks all of them, to count those that fail. If the context ends, the results lack the tests
// that were not begun.
func RandomCheck(ctx context.Context, object *explore.Object, threads, operations, n int, o Options) (*Sample, error) {
	next, err := randomTests(object, threads, operations, n, o)
	if err != nil {
		return nil, err
	}
	results, err := checkAll(ctx, next, false, o)
	if err != nil {
		return nil, err
	}
	s := &Sample{Results: slices.DeleteFunc(results, func(r *Result) bool { return r == nil })}
	for _, r := range s.Results {
		switch r.Verdict {
		case Pass:
			s.Passed++
		case Fail:
			s.Failed++
		default:
			s.Unknowns++
		}
	}
	return s, nil
}

// randomTests returns a function that draws n tests, and then returns nil.
func randomTests(object *explore.Object, threads, operations, n int, o Options) (func() *explore.Case, error) {
	calls := o.sequences(object)
	if len(calls) == 0 {
		return nil, fmt.Errorf("object %s lists no operations to make tests of", object.Name)
	}
	random := rand.New(rand.NewPCG(o.Seed, 0))
	next := func() *explore.Case {
		if n--; n < 0 {
			return nil
		}
		c := &explore.Case{Object: object, Before: o.Before, After: o.After}
		for range threads {
			var column []explore.Call
			for range operations {
				column = append(column, calls[random.IntN(len(calls))]...)
			}
			c.Threads = append(c.Threads, column)
		}
		return c
	}
	return next, nil
}

// checkAll checks the tests that next returns until it returns nil, several at a time, each with an
// explorer of its own. With first it begins no test after one that failed. Results are in the order
// of the tests, nil where one was not checked.
func checkAll(ctx context.Context, next func() *explore.Case, first bool, o Options) ([]*Result, error) {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		mu      sync.Mutex
		results []*Result
		failed  error
		over    bool
		group   sync.WaitGroup
	)
	take := func() (*explore.Case, int) {
		mu.Lock()
		defer mu.Unlock()
		if over || ctx.Err() != nil {
			return nil, 0
		}
		c := next()
		if c == nil {
			over = true
			return nil, 0
		}
		results = append(results, nil)
		return c, len(results) - 1
	}
	for range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				c, at := take()
				if c == nil {
					return
				}
				r, err := Check(ctx, c, o)
				mu.Lock()
				if err != nil && failed == nil {
					failed = fmt.Errorf("test %s: %w", c.String(), err)
				}
				results[at] = r
				switch {
				case err != nil || first && r.Verdict == Fail:
					over = true
				case r.Verdict == Pass:
					r.Observations = nil // not needed for samples, and large
				}
				mu.Unlock()
			}
		}()
	}
	group.Wait()
	if len(results) == 0 {
		results = append(results, nil)
	}
	return results, failed
}
