package lineup

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"text/tabwriter"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// What: the other properties that the paper compares Line-Up with (sections 5.6 and 5.7), asked of
// every execution of phase 2: data races, atomicity, and sequential consistency under a weaker
// memory. Each question has a file of its own: datarace.go, serializable.go, storebuffer.go. The
// counts say how many of the warnings come from executions whose histories have serial witnesses,
// and so are no violations of linearizability.

// Warnings counts executions that one of the other checks warns of.
type Warnings struct {
	Tests  int // with at least one
	Runs   int
	Benign int // those of Runs whose history has the serial witnesses that it needs
}

// Comparison is what the other checks say about a sample of random tests.
type Comparison struct {
	Name          string
	Tests, Failed int // tests that phase 1 gave a specification; those of them that fail phase 2
	Runs, Bad     int // executions; those without serial witnesses
	Undecided     int // tests that a limit ended early
	Races         Warnings
	Variables     []string // that data races are about
	Atomicity     Warnings // executions that are not conflict-serializable
	// executions that a store buffer could make inconsistent with every interleaving
	Weak Warnings
}

// Compare draws random tests as RandomCheck does and counts for each execution of phase 2 what the
// other checks say. Tests that fail in phase 1 have no specification to compare with, and are left
// out.
func Compare(ctx context.Context, object *explore.Object, threads, operations, n int, o Options) (*Comparison, error) {
	next, err := randomTests(object, threads, operations, n, o)
	if err != nil {
		return nil, err
	}
	k := &Comparison{Name: object.Name}
	for c := next(); c != nil && ctx.Err() == nil; c = next() {
		if err := k.add(ctx, c, o); err != nil {
			return nil, fmt.Errorf("test %s: %w", c, err)
		}
	}
	slices.Sort(k.Variables)
	return k, nil
}

// add explores one test.
func (k *Comparison) add(ctx context.Context, c *explore.Case, o Options) error {
	ctx, cancel := withTime(ctx, o)
	defer cancel()
	obs, _, phase, err := Synthesize(ctx, c, o)
	if err != nil {
		return err
	}
	if obs == nil {
		if phase.Cause != "" {
			k.Undecided++
		}
		return nil
	}
	k.Tests++
	known := map[string]bool{} // class → it has its witnesses
	witness := &candidate{obs: obs, sequential: o.Sequential}
	strategy := &accessing{Strategy: schedule.Full(o.strategy())}
	limit := newLimit(ctx)
	program := c.Program()
	var nameOf func(location int32) string
	var key []byte
	before := *k
	stats, err := explore.Run(func(x *explore.Exec) {
		x.Memory().KeepNames()
		nameOf = x.Memory().Name
		program(x)
	}, strategy, explore.Options{MaxSteps: o.MaxSteps, MaxRuns: o.MaxRuns}, func(e *explore.Execution) bool {
		if e.Outcome != explore.Completed && e.Outcome != explore.Stuck {
			return limit.more()
		}
		key = e.Class(key[:0])
		good, met := known[string(key)]
		if !met {
			witness.load(e)
			good = e.Outcome == explore.Completed && witness.full() || e.Outcome == explore.Stuck && witness.stuck() < 0
			known[string(key)] = good
		}
		k.Runs++
		if !good {
			k.Bad++
		}
		if races := dataRaces(strategy.accesses); len(races) > 0 {
			k.Races.add(good)
			for _, r := range races {
				if name := nameOf(r); !slices.Contains(k.Variables, name) {
					k.Variables = append(k.Variables, name)
				}
			}
		}
		if !serializable(strategy.accesses) {
			k.Atomicity.add(good)
		}
		if storeBuffers(strategy.accesses) {
			k.Weak.add(good)
		}
		return limit.more()
	})
	if err != nil {
		return err
	}
	if limit.cause(stats) != "" {
		k.Undecided++
	}
	k.Failed += grew(k.Bad, before.Bad)
	k.Races.Tests += grew(k.Races.Runs, before.Races.Runs)
	k.Atomicity.Tests += grew(k.Atomicity.Runs, before.Atomicity.Runs)
	k.Weak.Tests += grew(k.Weak.Runs, before.Weak.Runs)
	return nil
}

func grew(now, before int) int {
	if now > before {
		return 1
	}
	return 0
}

func (w *Warnings) add(good bool) {
	w.Runs++
	if good {
		w.Benign++
	}
}

// accessing keeps the accesses of the execution that has just ended.
type accessing struct {
	schedule.Strategy
	accesses []schedule.Access
}

func (s *accessing) End(f *schedule.Finished) {
	s.accesses = f.Accesses
	s.Strategy.End(f)
}

// WriteComparison writes a table of comparisons.
func WriteComparison(w io.Writer, all []*Comparison) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t,
		"class\ttests\tfail\truns\tviolate\traces\tlinearizable\tnot serializable\tlinearizable\tstore "+
			"buffers\tlinearizable\traced variables")
	for _, k := range all {
		names := "-"
		if len(k.Variables) > 0 {
			names = fmt.Sprint(k.Variables)
		}
		tests := fmt.Sprint(k.Tests)
		if k.Undecided > 0 {
			tests += fmt.Sprintf(" (%d cut off)", k.Undecided)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", k.Name, tests, k.Failed, k.Runs, k.Bad,
			k.Races.Runs, k.Races.Benign,
			k.Atomicity.Runs, k.Atomicity.Benign, k.Weak.Runs, k.Weak.Benign, names)
	}
	return t.Flush()
}

// set is a set of small numbers.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }

func (s set) union(t set) {
	for i := range s {
		s[i] |= t[i]
	}
}

// each calls visit with the elements, in order.
func (s set) each(visit func(i int)) {
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			visit(w<<6 + bits.TrailingZeros64(word))
		}
	}
}
