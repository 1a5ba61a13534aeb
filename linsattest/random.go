package linsattest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/spec"
)

// Object says how to make an object and what may be done with it.
type Object struct {
	// New makes an object and returns what applies an operation to it. Goroutines call that at the
	// same time. Of kv, an argument is [key, value], or the key of an operation without a value.
	New func() func(f string, arg any) any
	// Ops are the operations to draw from. An operation that stands here twice is drawn twice as
	// often.
	Ops []Op
	// Processes is how many processes use the object in a run, Operations how many operations each
	// does; 0 means 4 and 25, and under `linsat test` 2 and 3.
	Processes, Operations int
}

// Op is an operation of an object. Its argument is Arg, or is drawn by Draw if that is given.
type Op struct {
	F    string
	Arg  any
	Draw func(r *rand.Rand) any
}

// Random is Check with programs that are drawn from the object's operations. Under `linsat test`
// one program after the other is drawn and explored, until the time for the test is over or there
// were 100.
func Random(t testing.TB, s spec.Spec, o Object, options ...linsat.Option) {
	t.Helper()
	if o.New == nil || len(o.Ops) == 0 {
		t.Fatal("linsattest.Random: Object.New and Object.Ops must be given")
	}
	asked := shimrun.Asked()
	switch {
	case asked == nil:
		Check(t, s, o.on(s), options...)
	case asked.Replay != nil || asked.Worker: // of one program
		explored(t, s, o.small().on(s), options)
	default:
		o.small().explored(t, s, options)
	}
}

// on returns what adds the processes of one run, of an object of that specification.
func (o Object) on(s spec.Spec) func(r *Run) {
	keyed := s != nil && s.Info().KeyIsPiece
	return func(r *Run) { o.run(r, keyed) }
}

func (o Object) run(r *Run, keyed bool) {
	apply := o.New()
	for range orElse(o.Processes, drawnProcesses) {
		r.Go(func(p *Process) {
			for range orElse(o.Operations, drawnOperations) {
				op := o.Ops[p.rng.IntN(len(o.Ops))]
				arg := op.Arg
				if op.Draw != nil {
					arg = op.Draw(p.rng)
				}
				body := func() any { return apply(op.F, arg) }
				if !keyed {
					p.Do(op.F, arg, body)
					continue
				}
				key, value := arg, any(nil)
				if pair, ok := arg.([]any); ok && len(pair) == 2 {
					key, value = pair[0], pair[1]
				}
				p.DoKey(key, op.F, value, body)
			}
		})
	}
}

// small returns the object with sizes for programs that are explored.
func (o Object) small() Object {
	o.Processes, o.Operations = orElse(o.Processes, exploredProcesses), orElse(o.Operations, exploredOperations)
	return o
}

// explored explores programs until a violation or the end of the time.
func (o Object) explored(t testing.TB, s spec.Spec, options []linsat.Option) {
	t.Helper()
	asked := shimrun.Asked()
	began := time.Now()
	all := shimrun.Outcome{Test: t.Name()}
	all.Judged(true, "")
	n := nth(t)
	seen, partly := 0, 0
	for ; seen < exploredPrograms; seen++ {
		one := *asked
		one.Resume = false // a file for each program would be too many
		if one.For > 0 {
			left := asked.For - time.Since(began)
			if left <= 0 {
				break
			}
			one.For = min(left, max(asked.For/programShare, leastProgramTime))
		}
		x := newExploration(t, s, o.on(s), options)
		x.asked, x.nth, x.seed = &one, n, x.seed+uint64(seen)
		r := x.all()
		if r.Violation != nil || x.fault != nil {
			x.covered = append(x.covered, fmt.Sprintf("program %d of those drawn (-linsat.seed %d)", seen+1, x.seed))
			x.conclude(r)
			return
		}
		all.Executions += r.Stats.Executions
		all.Classes += r.Classes
		if r.Verdict != linsat.Linearizable {
			partly++
		}
	}
	all.Seconds = time.Since(began).Seconds()
	all.Summary = fmt.Sprintf("%d programs of %d processes with %d operations: %d executions, %d histories", seen,
		o.Processes, o.Operations, all.Executions, all.Classes)
	if partly > 0 && !asked.Samples() {
		all.Verdict = linsat.Unknown.String()
		all.Why = fmt.Sprintf("%d programs took too long to be explored completely", partly)
	}
	if err := asked.Report(all); err != nil {
		t.Fatal(err)
	}
	t.Log(all.Summary)
}

func orElse(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}
