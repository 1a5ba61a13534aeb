package bench_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
)

// limit stops a question that would hold up the others.
const limit = time.Minute

// question is a history, a bound of its removals, and the verdict that is known.
type question struct {
	spec  model.Spec
	h     *history.History
	bound int32 // -1: the least one is asked for, and it is least
	least int32
	want  engine.Verdict
}

// relax is the drained slots question at a bound of the relaxable classes.
func relax(s model.Spec, bound int32) quasi.Question {
	r := quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Drain: true}
	for c, class := range s.Info().Classes {
		if class.Relaxable {
			r.Factor[c] = bound
		}
	}
	return r
}

// ask decides and compares; a yes has to be certified. The reasons of a no are not asked for.
func (q *question) ask(b *testing.B) {
	asked := relax(q.spec, max(q.bound, 0))
	if q.bound < 0 {
		least, err := quasi.Parse(q.spec.Info(), "min")
		if err != nil {
			b.Fatal(err)
		}
		asked.Free = least.Free
	}
	r, err := linsat.Check(context.Background(), q.spec, q.h, linsat.Quasi(asked), linsat.Timeout(limit),
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	switch {
	case err != nil:
		b.Fatal(err)
	case r.Verdict != q.want:
		b.Fatalf("%v (%v %s), want %v", r.Verdict, r.Cause, r.Detail, q.want)
	case r.Verdict == engine.Linearizable && !r.Certified:
		b.Fatalf("not certified: %s", r.Uncertified)
	case q.bound < 0 && (!r.Least.Settled() || r.Least.High != q.least):
		b.Fatalf("least bound from %d to %d, want %d", r.Least.Low, r.Least.High, q.least)
	}
}

// measure times all questions together against a bar.
func measure(b *testing.B, bar time.Duration, questions ...question) {
	b.Helper()
	cpu := time.Duration(-1)
	for b.Loop() {
		if cpu < 0 {
			cpu = cpuTime()
		}
		for i := range questions {
			questions[i].ask(b)
		}
	}
	n := float64(b.N) * bar.Seconds()
	b.ReportMetric(b.Elapsed().Seconds()/n, "bar")
	b.ReportMetric((cpuTime()-cpu).Seconds()/n, "cpu/bar")
}

func generate(b *testing.B, o gen.Options) *gen.Case {
	b.Helper()
	c, err := gen.Generate(o)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func lookup(b *testing.B, name string) model.Spec {
	b.Helper()
	s, ok := specs.Lookup(name)
	if !ok {
		b.Fatalf("no specification %s", name)
	}
	return s
}

// BenchmarkQuasiSmall decides 476 histories at bounds 1 to 4, which took Round-Up 41 to 70 minutes:
// of two processes with four operations each, as there, whose verdicts come from the definition,
// and of four processes with four, decided by the search alone beforehand.
func BenchmarkQuasiSmall(b *testing.B) {
	queue := lookup(b, "queue")
	for _, processes := range []int{2, 4} {
		var questions []question
		yes := 0
		for seed := range uint64(476) {
			o := gen.Options{Spec: "queue", Operations: 4 * processes, Processes: processes, EmptyRate: 0.1,
				Relax: int(seed % 4), Seed: seed}
			o.Violation = []gen.Violation{gen.NoViolation, gen.Swap, gen.Stale, gen.Lost, gen.Duplicate}[seed%5]
			g, err := gen.Generate(o)
			if err != nil { // nothing to violate
				o.Violation = gen.NoViolation
				g = generate(b, o)
			}
			bound, err := queue.Bind(model.Whole(g.History))
			if err != nil {
				b.Fatal(err)
			}
			for k := int32(1); k <= 4; k++ {
				q := question{spec: queue, h: g.History, bound: k}
				if processes == 2 {
					q.want = engine.NotLinearizable
					if ok, _, _ := oracle.SlotsLinearizable(bound, relax(queue, k)); ok {
						q.want = engine.Linearizable
					}
				} else {
					r, err := linsat.Check(context.Background(), queue, g.History, linsat.Quasi(relax(queue, k)),
						linsat.Engine("search"))
					if err != nil || r.Verdict == engine.Unknown {
						b.Fatal("seed", seed, r.Verdict, r.Cause, err)
					}
					q.want = r.Verdict
				}
				if q.want == engine.Linearizable {
					yes++
				}
				questions = append(questions, q)
			}
		}
		b.Run(fmt.Sprintf("476 histories of %dx4", processes), func(b *testing.B) {
			measure(b, 200*time.Millisecond, questions...)
			b.ReportMetric(float64(yes), "yes")
		})
	}
}

// BenchmarkQuasiQueueMillion is a queue with distinct values and no empty results, a million
// operations of 8 processes with removals displaced by 2.
func BenchmarkQuasiQueueMillion(b *testing.B) {
	queue := lookup(b, "queue")
	h := generate(b, gen.Options{Spec: "queue", Operations: 1_000_000, Processes: 8, Relax: 2, Seed: 1}).History
	b.Run("accepted", func(b *testing.B) {
		measure(b, 1500*time.Millisecond, question{spec: queue, h: h, bound: 2, want: engine.Linearizable})
	})
	b.Run("refuted", func(b *testing.B) {
		measure(b, time.Second, question{spec: queue, h: h, bound: 1, want: engine.NotLinearizable})
	})
	b.Run("least", func(b *testing.B) {
		measure(b, 3*time.Second, question{spec: queue, h: h, bound: -1, least: 2, want: engine.Linearizable})
	})
}

// decide times one history at one bound.
func decide(b *testing.B, bar time.Duration, o gen.Options, bound int32, want engine.Verdict) {
	s := lookup(b, o.Spec)
	h := generate(b, o).History
	name := map[engine.Verdict]string{engine.Linearizable: "accepted", engine.NotLinearizable: "refuted"}[want]
	b.Run(fmt.Sprintf("n=%d/w=%d/made=%d/K=%d/%s", o.Operations, o.Processes, o.Relax, bound, name),
		func(b *testing.B) {
			measure(b, bar, question{spec: s, h: h, bound: bound, want: want})
		})
}

// What is made with displacements up to K is accepted at K by construction. That it is refuted at a
// lower bound was found by one engine and, stacks apart, confirmed by another alone.

// BenchmarkQuasiQueueEmpty is a queue where a fifth of the removals, more than a tenth of the
// operations, find nothing.
func BenchmarkQuasiQueueEmpty(b *testing.B) {
	o := gen.Options{Spec: "queue", Operations: 2000, Processes: 8, EmptyRate: 0.2, Seed: 2}
	for _, k := range []int32{1, 2, 4} {
		o.Relax = int(k)
		decide(b, 2*time.Second, o, k, engine.Linearizable)
		decide(b, 2*time.Second, o, k-1, engine.NotLinearizable)
	}
	o.Operations, o.Processes = 10_000, 4
	for _, k := range []int32{1, 2, 4} {
		o.Relax = int(k)
		decide(b, 10*time.Second, o, k, engine.Linearizable)
		decide(b, 10*time.Second, o, k-1, engine.NotLinearizable)
	}
}

// BenchmarkQuasiStack is a stack of a thousand operations. Overlapping operations hide
// displacements: of those made with up to 8 places, the one of seed 3 is the first that bound 3
// does not cover.
func BenchmarkQuasiStack(b *testing.B) {
	o := gen.Options{Spec: "stack", Operations: 1000, Processes: 8, Relax: 4, Seed: 2}
	decide(b, 3*time.Second, o, 4, engine.Linearizable)
	decide(b, 3*time.Second, o, 2, engine.NotLinearizable)
	o.Relax, o.Seed = 8, 3
	decide(b, 3*time.Second, o, 4, engine.Linearizable)
	decide(b, 3*time.Second, o, 3, engine.NotLinearizable)
}

// BenchmarkQuasiPriorityQueue is a priority queue of ten thousand operations.
func BenchmarkQuasiPriorityQueue(b *testing.B) {
	o := gen.Options{Spec: "priority-queue", Operations: 10_000, Processes: 4, Seed: 1}
	for _, k := range []int32{1, 2} {
		o.Relax = int(k)
		decide(b, 500*time.Millisecond, o, k, engine.Linearizable)
		decide(b, 500*time.Millisecond, o, k-1, engine.NotLinearizable)
	}
}
