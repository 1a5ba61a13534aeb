package linsattest

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/spec"
)

// Object says how to make an object and what may be done with it.
type Object struct {
	// New makes an object and returns what applies an operation to it. Goroutines call that at the
	// same time.
	New func() func(f string, arg any) any
	// Ops are the operations to draw from. An operation that stands here twice is drawn twice as
	// often.
	Ops []Op
	// Processes is how many processes use the object in a run, Operations how many operations each
	// does; 0 means 4 and 25.
	Processes, Operations int
}

// Op is an operation of an object. Its argument is Arg, or is drawn by Draw if that is given.
type Op struct {
	F    string
	Arg  any
	Draw func(r *rand.Rand) any
}

// Random is Check with programs that are drawn from the object's operations.
func Random(t testing.TB, s spec.Spec, o Object, options ...linsat.Option) {
	t.Helper()
	if o.New == nil || len(o.Ops) == 0 {
		t.Fatal("linsattest.Random: Object.New and Object.Ops must be given")
	}
	Check(t, s, o.run, options...)
}

// run adds the processes of one run.
func (o Object) run(r *Run) {
	apply := o.New()
	for range orElse(o.Processes, drawnProcesses) {
		r.Go(func(p *Process) {
			for range orElse(o.Operations, drawnOperations) {
				op := o.Ops[p.rng.IntN(len(o.Ops))]
				arg := op.Arg
				if op.Draw != nil {
					arg = op.Draw(p.rng)
				}
				p.Do(op.F, arg, func() any { return apply(op.F, arg) })
			}
		})
	}
}

func orElse(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}
