//go:build unix

// Command cores compares ways to find a minimal core of a history that is not linearizable, and
// prints them as a Markdown table.
//
//	go -C bench run ./cores [-corpora DIR] [-specs queue,stack] [-sizes 100,1000] [-seeds 3]
//
// The ways are
//
//	halves       explain.Explain: deletion in halves, with argument and verification
//	assumptions  the same deletion of a minimal set of operations whose clauses in the verifier's
//	             formula are refuted: a selector for each, what failed of them, and deletion
//	clauses      the same deletion of the operations that a proof of that formula names
//
// They begin where the verdict is known, with the operation that cannot be placed and what a
// monitor names, and have 5 s. Facts are those of explain.Fact; a past that is forgotten and what
// is kept as a whole count as one each. Times are processor time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
)

// way finds a core of a violation. It returns the number of facts, 0 without a core, and whether it
// is minimal.
type way func(ctx context.Context, r *result.Result) (facts int, minimal bool, err error)

var (
	ways  = []way{halves, among(assumptions), among(inProof)}
	names = []string{"halves", "assumptions", "clauses"}
)

// recordings are the histories of the corpora, as patterns below their folder.
var recordings = []string{"porcupine/jepsen/*.log", "porcupine/kv/*.txt", "knossos/*/bad/*", "fastlin/*/*.log",
	"violin/simple/*.log", "violin/small/*/*"}

func halves(ctx context.Context, r *result.Result) (int, bool, error) {
	engines := explain.Engines{Decide: portfolio.New(portfolio.Options{Engines: portfolio.Auto, Workers: 1}).Decide,
		Weakened: portfolio.DecideWeakened, Frontier: portfolio.Frontier, Pending: portfolio.PendingBound}
	v := explain.Violation{Spec: r.Spec, Instance: r.Instance(), Quasi: r.Quasi, Failure: r.Failure,
		Reached: r.Reached, Proof: r.Given}
	reasons, err := explain.Explain(ctx, engines, v, explain.Wanted{Reasons: explain.DefaultReasons},
		engine.NewBudget(0, 0), func(explain.Reasons) {})
	return counted(reasons.Core, err)
}

// counted counts the facts of a core of the product.
func counted(c *explain.Core, err error) (int, bool, error) {
	if c == nil {
		return 0, false, err
	}
	n := len(c.Facts) + len(c.Besides)
	if c.Least.From > 0 {
		n++
	}
	return n, c.Minimal, err
}

// start retains what a monitor of collections names, up to the return that cannot be explained.
func start(r *result.Result) *proof.Weakening {
	w := proof.Everything()
	if r.Failure != nil {
		w.Cut = r.Failure.Cut
	}
	if r.Given != nil && r.Given.Kind() == proof.KindCollectionConflict {
		w.Retain = slices.Repeat([]proof.Retained{proof.RetainNothing}, r.Instance().Partition.Len())
		for _, i := range r.Given.Operations(r.Instance()) {
			w.Retain[i] = proof.RetainAll
		}
	}
	return w
}

// selectors is a formula in which the clauses about an operation hold if its selector does.
type selectors struct {
	s     *gini.Solver
	first solver.Lit
	n     int
}

func newSelectors(f *clausal.Formula, n int) *selectors {
	x := &selectors{s: gini.New(), n: n}
	x.s.Reserve(f.Vars())
	x.first = x.s.Reserve(n)
	for k := range f.Len() {
		var clause []solver.Lit
		for _, l := range f.Clause(k) {
			clause = append(clause, solver.Lit(l))
		}
		_, of := f.States(k)
		for _, op := range of {
			if op >= 0 {
				clause = append(clause, -x.first-solver.Lit(op))
			}
		}
		x.s.Add(clause)
	}
	return x
}

// refuted reports whether the clauses about the operations, and about none, are refuted.
func (x *selectors) refuted(ctx context.Context, ops []history.OpID) bool {
	assumed := make([]solver.Lit, len(ops))
	for k, op := range ops {
		assumed[k] = x.first + solver.Lit(op)
	}
	return x.s.Solve(ctx, assumed...) == solver.Unsatisfiable
}

// minimal returns a minimal set of operations whose clauses are refuted, nil if there is none: what
// failed of an assumption for each, as long as less fails; then what deletion leaves of it, one by
// one.
func (x *selectors) minimal(ctx context.Context) ([]history.OpID, error) {
	kept := make([]history.OpID, x.n)
	for i := range kept {
		kept[i] = history.OpID(i)
	}
	fewer := func(ops []history.OpID) bool {
		if !x.refuted(ctx, ops) {
			return false
		}
		kept = []history.OpID{}
		for _, l := range x.s.Failed() {
			kept = append(kept, history.OpID(l-x.first))
		}
		slices.Sort(kept)
		return true
	}
	for before := x.n + 1; len(kept) < before; {
		if before = len(kept); !fewer(kept) {
			return nil, x.s.Err()
		}
	}
	for k := 0; k < len(kept); {
		if !fewer(slices.Delete(slices.Clone(kept), k, k+1)) {
			k++ // those before it are needed, so they fail again
		}
	}
	return kept, x.s.Err()
}

// assumptions lists the operations of a minimal set.
func assumptions(ctx context.Context, f *clausal.Formula, n int) ([]history.OpID, error) {
	return newSelectors(f, n).minimal(ctx)
}

// inProof lists the operations that a refutation of the formula names.
func inProof(ctx context.Context, f *clausal.Formula, _ int) (named []history.OpID, err error) {
	_, lemmas, _ := cdcl.Refute(ctx, f)
	for _, l := range lemmas {
		for _, hint := range l.Hints {
			if int(hint) > f.Len() {
				continue
			}
			_, of := f.States(int(hint) - 1)
			for _, op := range of {
				if op >= 0 {
					named = append(named, op)
				}
			}
		}
	}
	return named, nil
}

// among is the product's deletion of what is found in the verifier's formula, and of all if that
// does not suffice: clauses fold what time decides.
func among(find func(ctx context.Context, f *clausal.Formula, n int) ([]history.OpID, error)) way {
	return func(ctx context.Context, r *result.Result) (int, bool, error) {
		b, left, err := explain.Weaken(r.Instance(), start(r))
		if err != nil {
			return 0, false, err
		}
		f, err := clausal.Build(b, r.Quasi)
		if err != nil {
			return 0, false, err
		}
		named, err := find(ctx, f, b.Partition.Len())
		if err != nil && ctx.Err() == nil {
			return 0, false, err
		}
		keep := map[history.OpID]bool{}
		for k, op := range named {
			named[k] = left[op]
			keep[left[op]] = true
		}
		if r.Quasi != nil {
			c, _ := explain.FindValues(ctx, r.Instance(), r.Quasi, named)
			return counted(c, nil)
		}
		var without []explain.Fact
		for i := range r.Instance().Partition.Ops {
			if op := history.OpID(i); len(named) > 0 && !keep[op] && !r.Instance().Partition.Ops[i].Pending() {
				without = append(without, explain.Fact{Kind: explain.ResponseFact, Operations: []history.OpID{op}})
			}
		}
		decide := func(ctx context.Context, b *model.Instance) engine.Verdict {
			return portfolio.DecideWeakened(ctx, &engine.Task{Instance: b}, engine.NewBudget(0, 0))
		}
		c, err := explain.Find(ctx, r.Instance(), nil, without, decide)
		if c == nil && err == nil && len(without) > 0 {
			c, err = explain.Find(ctx, r.Instance(), r.Failure, nil, decide)
		}
		return counted(c, err)
	}
}

// tally is a row of the table.
type tally struct {
	none, minimal int // without a core, with a minimal one
	facts         []int
	times         []time.Duration
}

// add measures all ways on a history, under a factor unless that is "".
func add(of []tally, h *history.History, factor string) error {
	s, ok := specs.Lookup(h.Spec)
	if !ok {
		return fmt.Errorf("unknown specification %q", h.Spec)
	}
	options := []linsat.Option{linsat.Timeout(time.Minute),
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore, Locate: explain.DefaultLocate})}
	if factor != "" {
		q, err := quasi.Parse(s.Info(), factor)
		if err != nil {
			return err
		}
		q.Drain = true
		options = append(options, linsat.Quasi(q))
	}
	answer, err := linsat.Check(context.Background(), s, h, options...)
	if err != nil || answer.Verdict != engine.NotLinearizable {
		return err
	}
	for k, find := range ways {
		runtime.GC()
		ctx, stop := context.WithCancel(context.Background())
		began := cpuTime()
		go func() {
			for ctx.Err() == nil && cpuTime()-began < explain.DefaultReasons {
				time.Sleep(5 * time.Millisecond)
			}
			stop()
		}()
		facts, minimal, err := find(ctx, result.Of(answer))
		took := cpuTime() - began
		stop()
		switch {
		case err != nil && !errors.Is(err, clausal.ErrUnsupported) && !errors.Is(err, clausal.ErrTooLarge):
			return fmt.Errorf("%s: %w", names[k], err)
		case facts == 0:
			of[k].none++
		default:
			of[k].facts = append(of[k].facts, facts)
		}
		if of[k].times = append(of[k].times, took); minimal {
			of[k].minimal++
		}
	}
	return nil
}

func main() {
	corpora := flag.String("corpora", "", "folder of recorded histories to take instead of generated ones")
	specs := flag.String("specs", "register,cas-register,kv,set,queue,stack,priority-queue", "what is generated")
	sizes := flag.String("sizes", "100,1000", "numbers of operations")
	seeds := flag.Uint64("seeds", 3, "histories of each kind of violation")
	relax := flag.Int("relax", 0, "move removals by up to so many places instead of violations")
	factor := flag.String("quasi", "", "ask under this factor")
	flag.Parse()
	fmt.Println("| histories | way | none | cores | minimal | facts (median, most) | time (median, 90 %, most) |\n" +
		"|---|---|--:|--:|--:|--:|--:|")
	err := recorded(*corpora)
	if *corpora == "" {
		err = generated(strings.Split(*specs, ","), strings.Split(*sizes, ","), *seeds, *relax, *factor)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cores:", err)
		os.Exit(1)
	}
}

func recorded(corpora string) error {
	for _, pattern := range recordings {
		files, err := filepath.Glob(filepath.Join(corpora, pattern))
		if err != nil || corpora == "" {
			return err
		}
		of := make([]tally, len(ways))
		for _, file := range files {
			h, err := history.ReadFile(file, history.ReadOptions{})
			if err != nil || len(h.Ops) == 0 {
				continue
			}
			if h.Spec == "" {
				guess, err := specs.Recognise(h)
				if err != nil {
					return err
				}
				h.Spec = guess.Spec.Info().Name
			}
			if err := add(of, h, ""); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		write(filepath.Dir(pattern), of)
	}
	return nil
}

func generated(specs, sizes []string, seeds uint64, relax int, factor string) error {
	violations := gen.Violations()
	if relax > 0 {
		violations = []gen.Violation{gen.NoViolation}
	}
	for _, spec := range specs {
		for _, size := range sizes {
			n, err := strconv.Atoi(size)
			if err != nil {
				return err
			}
			of := make([]tally, len(ways))
			for _, v := range violations {
				for seed := range seeds {
					o := gen.Options{Spec: spec, Violation: v, Operations: n, Processes: 6, Relax: relax}
					o.Seed = seed + 1
					c, err := gen.Generate(o)
					if err != nil {
						continue // no place for the violation
					}
					if err := add(of, c.History, factor); err != nil {
						return fmt.Errorf("%s, %d, %s, seed %d: %w", spec, n, v, seed+1, err)
					}
				}
			}
			write(spec+", "+size, of)
		}
	}
	return nil
}

func write(histories string, of []tally) {
	for k := range of {
		t := &of[k]
		fmt.Printf("| %s | %s | %d | %d | %d | %s | %s |\n", histories, names[k], t.none, len(t.facts), t.minimal,
			at(t.facts, 50, 100), at(t.times, 50, 90, 100))
	}
}

// at lists percentiles.
func at[T int | time.Duration](of []T, percent ...int) string {
	slices.Sort(of)
	var out []string
	for _, p := range percent {
		if len(of) == 0 {
			return "–"
		}
		x := any(of[min(len(of)*p/100, len(of)-1)])
		if d, ok := x.(time.Duration); ok {
			x = d.Round(max(d/50, 10*time.Microsecond))
		}
		out = append(out, fmt.Sprint(x))
	}
	return strings.Join(out, ", ")
}

// cpuTime is what this process has used so far.
func cpuTime() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
