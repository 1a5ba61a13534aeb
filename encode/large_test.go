package encode

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// A long run: processes issue operations back to back, durations are exponential, and every
// operation takes effect at a uniform time within its interval.
type run struct {
	part *model.Partition
	real []history.OpID
}

func newRun(r *rand.Rand, n, processes int, shifted int) run {
	type op struct{ call, at, ret float64 }
	ops := make([]op, 0, n)
	clock := make([]float64, processes)
	for len(ops) < n {
		p := 0
		for q := range clock {
			if clock[q] < clock[p] {
				p = q
			}
		}
		d := r.ExpFloat64()
		ops = append(ops, op{clock[p], clock[p] + d*r.Float64(), clock[p] + d})
		clock[p] += d + 0.01*r.Float64()
	}
	real := make([]history.OpID, n)
	for i := range real {
		real[i] = history.OpID(i)
	}
	sort.Slice(real, func(i, j int) bool { return ops[real[i]].at < ops[real[j]].at })
	for range shifted { // the interval moves, the effect stays
		o := &ops[n/2+r.IntN(n/3)]
		by := 3 + 3*r.Float64()
		o.call, o.ret = o.call+by, o.ret+by
	}
	byCall := make([]history.OpID, n)
	for i := range byCall {
		byCall[i] = history.OpID(i)
	}
	sort.Slice(byCall, func(i, j int) bool { return ops[byCall[i]].call < ops[byCall[j]].call })
	number := make([]history.OpID, n)
	for k, i := range byCall {
		number[i] = history.OpID(k)
	}
	p := &model.Partition{Ops: make([]history.Op, n), History: &history.History{Origins: make([]history.Origin, n),
		Values: history.NewBuilder().Values}}
	type event struct {
		time float64
		at   *history.Rank
	}
	events := make([]event, 0, 2*n)
	for i, o := range ops {
		q := &p.Ops[number[i]]
		events = append(events, event{o.call, &q.Call}, event{o.ret, &q.Return})
		p.History.Origins[i].Position = int32(i)
	}
	sort.SliceStable(events, func(i, j int) bool { return events[i].time < events[j].time })
	for rank, e := range events {
		*e.at = history.Rank(rank)
	}
	for i := range real {
		real[i] = number[real[i]]
	}
	return run{p, real}
}

// large makes a bound of a run.
func large(kind string, r *rand.Rand, run run, values int) *model.Instance {
	n := run.part.Len()
	b := &model.Instance{Partition: run.part, EquivID: make([]int32, n), ReadOnly: make([]bool, n)}
	fresh := int32(0)
	value := func() int32 {
		if values > 0 {
			return r.Int32N(int32(values))
		}
		fresh++
		return fresh - 1
	}
	switch kind {
	case "register", "cas":
		c := &model.RegisterTheory{Object: make([]model.CellID, n), Init: []int32{int32(n)}, Values: n + 1,
			First: make([]int32, n+1)}
		modes := make([]model.Mode, n)
		s := int32(n)
		for _, i := range run.real {
			switch x := r.IntN(10); {
			case x < 4:
				modes[i] = is(s, model.Keep)
			case x < 7 && kind == "cas":
				v := value()
				modes[i] = is(s, v)
				s = v
			default:
				s = value()
				modes[i] = model.Mode{Leaves: s}
			}
		}
		c.Modes = modes
		for i := range c.First {
			c.First[i] = int32(i)
		}
		b.Theory, b.NewMachine = c, func() model.Machine { return cellsMachine(c) }
		b.EquivID = sigs(n, func(i int) string { return fmt.Sprint(modes[i]) })
	case "counter":
		c := &model.CountingTheory{Object: make([]model.CellID, n), Delta: make([]int64, n), Observes: make([]bool, n),
			Observed: make([]int64, n), Init: []int64{0}}
		s := int64(0)
		for _, i := range run.real {
			c.Observes[i] = r.IntN(2) == 0
			c.Observed[i] = s
			if !c.Observes[i] {
				c.Delta[i] = 1
				s++
			}
		}
		b.Theory, b.NewMachine = c, func() model.Machine { return countingMachine(c) }
		b.EquivID = sigs(n, func(i int) string {
			if c.Observes[i] {
				return fmt.Sprint("read ", c.Observed[i])
			}
			return "inc"
		})
	default:
		c := &model.CollectionTheory{Discipline: map[string]model.Discipline{"queue": model.FIFO, "stack": model.LIFO,
			"priority queue": model.ByPriority}[kind],
			Object: make([]model.CellID, n), Does: make([]model.Action, n), Value: make([]int32, n),
			Initial: [][]int32{nil}, Values: n + 1}
		c.Rank = make([]int64, n+1)
		for v := range c.Rank {
			c.Rank[v] = int64(r.IntN(n))
		}
		var s []int32
		for _, i := range run.real {
			if r.IntN(2) == 0 {
				c.Value[i] = value()
				s = append(s, c.Value[i])
				continue
			}
			c.Does[i], c.Value[i] = model.Remove, model.Nothing
			if len(s) == 0 {
				continue
			}
			at := 0
			switch c.Discipline {
			case model.LIFO:
				at = len(s) - 1
			case model.ByPriority:
				for k, v := range s {
					if c.Rank[v] < c.Rank[s[at]] {
						at = k
					}
				}
			}
			c.Value[i] = s[at]
			s = append(s[:at], s[at+1:]...)
		}
		b.Theory = c
		b.EquivID = sigs(n, func(i int) string { return fmt.Sprint(c.Does[i], c.Value[i]) })
	}
	return b
}

// Long runs: accepted with a witness that replays; with intervals moved, the same verdict as
// without the symmetries.
func TestLongRunsAreDecidedWithAndWithoutSymmetries(t *testing.T) {
	for _, kind := range []string{"register", "cas", "queue", "stack", "priority queue", "counter"} {
		for _, values := range []int{0, 4, 40} {
			for _, shifted := range []int{0, 1} {
				for seed := range uint64(testenv.Scale(2, 12)) {
					r := rand.New(rand.NewPCG(seed, 3))
					b := large(kind, r, newRun(r, 120, 4, shifted), values)
					a, err := newSAT(newSolver).Check(context.Background(), &engine.Problem{Instance: b}, nil)
					require.NoError(t, err)
					what := fmt.Sprintf("%s values %d shifted %d seed %d: %s", kind, values, shifted, seed, a.Detail)
					sig := b.EquivID
					b.EquivID = nil
					plain, err := newSAT(newSolver).Check(context.Background(), &engine.Problem{Instance: b}, nil)
					require.NoError(t, err)
					b.EquivID = sig
					require.Equal(t, plain.Verdict, a.Verdict, what)
					if shifted == 0 {
						require.Equal(t, engine.Linearizable, a.Verdict, what)
					}
					if a.Verdict == engine.Linearizable {
						require.NoError(t, replay(b, a.Witness), what)
						require.NoError(t, replay(b, plain.Witness), what)
					}
				}
			}
		}
	}
}

// Runs of a few dozen operations and few values, with intervals moved: the same verdict as the
// search, and so in pieces.
func TestMediumRunsAgreeWithSearch(t *testing.T) {
	var verdicts [3]int
	for _, kind := range []string{"register", "cas", "queue", "stack", "priority queue", "counter"} {
		for seed := range uint64(testenv.Scale(150, 3000)) {
			r := rand.New(rand.NewPCG(seed, 5))
			n := 12 + r.IntN(25)
			b := large(kind, r, newRun(r, n, 2+r.IntN(4), r.IntN(3)), 1+r.IntN(4))
			if c, ok := b.Theory.(*model.CollectionTheory); ok {
				b.NewMachine = func() model.Machine { return collectionMachine(c) }
			}
			if seed%3 == 0 {
				forget(r, b)
			}
			e := newSAT(newSolver)
			e.size = 3 + r.IntN(20)
			a, err := e.Check(context.Background(), &engine.Problem{Instance: b}, nil)
			what := fmt.Sprintf("%s, %d operations, size %d, seed %d: %s", kind, n, e.size, seed, a.Detail)
			require.NoError(t, err, what)
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			want, err := search.New(search.VerdictOnly()).Check(ctx, &engine.Problem{Instance: b},
				engine.NewBudget(300_000, 0))
			cancel()
			require.NoError(t, err, what)
			if want.Verdict != engine.Unknown {
				require.Equal(t, want.Verdict, a.Verdict, what)
			}
			if a.Verdict == engine.Linearizable {
				require.NoError(t, oracle.Replay(b, a.Witness), what)
			}
			verdicts[want.Verdict]++
		}
	}
	t.Logf("%d linearizable, %d not, %d unknown", verdicts[engine.Linearizable], verdicts[engine.NotLinearizable],
		verdicts[engine.Unknown])
	require.Greater(t, verdicts[engine.NotLinearizable], testenv.MoreThan(verdicts[engine.Unknown]))
}

// forget makes some operations pending.
func forget(r *rand.Rand, b *model.Instance) {
	for i := range b.Partition.Ops {
		if r.IntN(10) > 0 {
			continue
		}
		b.Partition.Ops[i].Return, b.Partition.Ops[i].Unknown = history.Never, true
		switch c := b.Axiomatic().(type) {
		case *model.CollectionTheory:
			if c.Does[i] == model.Remove {
				c.Value[i], b.EquivID[i] = model.Anything, -1
			}
		case *model.CountingTheory:
			if c.Observes[i] = false; c.Delta[i] == 0 {
				b.EquivID[i] = -1
			}
		}
	}
	b.EquivID = sigs(len(b.EquivID), func(i int) string { return fmt.Sprint(b.EquivID[i]) })
}

// replay is a plain check of a witness for theories of completed operations: real time, and the
// theory's meaning.
func replay(b *model.Instance, witness []history.OpID) error {
	if len(witness) != b.Partition.Len() {
		return fmt.Errorf("%d operations of %d", len(witness), b.Partition.Len())
	}
	latest := history.Rank(-1)
	seen := map[history.OpID]bool{}
	state := map[model.CellID]int64{} // cell or counter
	var content []int32
	for _, i := range witness {
		o := b.Partition.Ops[i]
		if seen[i] || o.Return < latest {
			return fmt.Errorf("operation %d stands in the wrong place", i)
		}
		seen[i], latest = true, max(latest, o.Call)
		switch c := b.Axiomatic().(type) {
		case *model.RegisterTheory:
			m := c.Of(i)[0]
			v, ok := state[c.Object[i]]
			if !ok {
				v = int64(c.Init[c.Object[i]])
			}
			if !m.Allows(int32(v)) {
				return fmt.Errorf("operation %d finds %d", i, v)
			}
			if m.Leaves != model.Keep {
				v = int64(m.Leaves)
			}
			state[c.Object[i]] = v
		case *model.CountingTheory:
			if c.Observes[i] && c.Observed[i] != state[c.Object[i]] {
				return fmt.Errorf("operation %d finds %d", i, state[c.Object[i]])
			}
			state[c.Object[i]] += c.Delta[i]
		case *model.CollectionTheory:
			if c.Does[i] == model.Insert {
				content = append(content, c.Value[i])
				continue
			}
			if len(content) == 0 || c.Value[i] == model.Nothing {
				if len(content) > 0 || c.Value[i] != model.Nothing {
					return fmt.Errorf("operation %d finds %v", i, content)
				}
				continue
			}
			at := 0
			switch c.Discipline {
			case model.LIFO:
				at = len(content) - 1
			case model.ByPriority:
				at = slices.Index(content, c.Value[i])
				for _, v := range content {
					if at < 0 || c.Rank[v] < c.Rank[c.Value[i]] {
						return fmt.Errorf("operation %d finds %v", i, content)
					}
				}
			}
			if content[at] != c.Value[i] {
				return fmt.Errorf("operation %d finds %v", i, content)
			}
			content = slices.Delete(content, at, at+1)
		}
	}
	return nil
}

func BenchmarkLarge(b *testing.B) {
	for _, size := range [][3]int{{1000, 8, 0}, {1000, 16, 0}, {20000, 8, 0}, {1000, 8, 5}, {1000, 8, 50}} {
		for _, kind := range []string{"register", "cas", "queue", "stack", "priority queue", "counter"} {
			for _, want := range []engine.Verdict{engine.Linearizable, engine.NotLinearizable} {
				n, w, values := size[0], size[1], size[2]
				b.Run(fmt.Sprintf("%s/n=%d/w=%d/v=%d/%s", kind, n, w, values, want), func(b *testing.B) {
					shifted := 0
					if want == engine.NotLinearizable {
						shifted = 4
					}
					r := rand.New(rand.NewPCG(1, uint64(n)))
					bound := large(kind, r, newRun(r, n, w, shifted), values)
					e := newSAT(newSolver)
					var a engine.Answer
					var err error
					for b.Loop() {
						ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
						a, err = e.Check(ctx, &engine.Problem{Instance: bound}, nil)
						cancel()
					}
					require.NoError(b, err)
					if a.Verdict != want && shifted == 0 {
						require.Equal(b, want, a.Verdict, "%s %s", a.Cause, a.Detail)
					}
					b.ReportMetric(float64(a.Effort.Clauses), "clauses")
					b.ReportMetric(float64(a.Verdict), "verdict")
					runtime.GC()
				})
			}
		}
	}
}
