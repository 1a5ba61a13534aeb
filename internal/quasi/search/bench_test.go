package search

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// uniform is the question with bound k for the relaxable classes, drained.
func uniform(s model.Spec, k int32) *quasi.Question {
	r := &quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Drain: true}
	for c, class := range s.Info().Classes {
		if class.Relaxable {
			r.Factor[c] = k
		}
	}
	return r
}

func readHistory(t testing.TB, path string) *history.History {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	h, err := history.Read(bytes.NewReader(data), history.ReadOptions{Name: path})
	require.NoError(t, err)
	return h
}

// asked is a question with what is known of its answer.
type asked struct {
	*engine.Task
	known engine.Verdict
}

func generated(t testing.TB, o gen.Options, k int32) asked {
	c, err := gen.Generate(o)
	require.NoError(t, err)
	s := testkit.Spec(t, o.Spec)
	b, err := s.Bind(model.Whole(c.History))
	require.NoError(t, err)
	x := asked{Task: &engine.Task{Instance: b, Quasi: uniform(s, k)}}
	if c.Known == gen.Yes && c.Bound <= int(k) {
		x.known = engine.Linearizable
	}
	return x
}

// settle decides a question within a minute and certifies a yes.
func (x asked) settle(t testing.TB) engine.Answer {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a, err := New().Check(ctx, x.Task, nil)
	require.NoError(t, err)
	require.NotEqual(t, engine.Unknown, a.Verdict, "%v", a.Cause)
	if x.known != engine.Unknown {
		require.Equal(t, x.known, a.Verdict)
	}
	return a
}

func (x asked) certify(t testing.TB, a engine.Answer) {
	if a.Verdict == engine.Linearizable {
		require.NoError(t, verify.Rearrangement(x.Instance, x.Quasi, a.Witness, a.Rearranged, a.Drains))
	}
}

// priorityQueues returns long histories of a priority queue: accepted ones, and ones with two
// results exchanged far apart.
func priorityQueues(t testing.TB, k int, v gen.Violation) []asked {
	var all []asked
	for seed := range uint64(3) {
		all = append(all, generated(t, gen.Options{Spec: "priority-queue", Operations: 10000, Processes: 4, Relax: k,
			Seed: seed, Violation: v}, int32(k)))
		if v != gen.NoViolation {
			all[seed].known = engine.NotLinearizable // 32 operations or more lie between the two
		}
	}
	return all
}

// roundUp returns 476 histories of 16 queue operations of 4 processes: within 0 to 3 places, and
// every other one with the results of two removals exchanged at random.
func roundUp(t testing.TB, k int32) []asked {
	var all []asked
	for seed := range uint64(476) {
		o := gen.Options{Spec: "queue", Operations: 16, Processes: 4, Relax: int(seed / 2 % 4),
			EmptyRate: 0.1 * float64(seed%3), Seed: seed}
		x := generated(t, o, k)
		if seed%2 == 1 {
			rng := rand.New(rand.NewPCG(seed, 6))
			p := *x.Instance.Partition
			p.Ops = slices.Clone(p.Ops)
			var removals []int
			for i := range p.Ops {
				if f, _ := p.History.Values.AsString(p.Ops[i].F); f == "deq" {
					removals = append(removals, i)
				}
			}
			if len(removals) > 0 {
				i, j := removals[rng.IntN(len(removals))], removals[rng.IntN(len(removals))]
				p.Ops[i].Result, p.Ops[j].Result = p.Ops[j].Result, p.Ops[i].Result
			}
			b, err := x.Instance.Spec.Bind(&p)
			require.NoError(t, err)
			x = asked{Task: &engine.Task{Instance: b, Quasi: x.Quasi}}
		}
		all = append(all, x)
	}
	return all
}

func TestLongPriorityQueues(t *testing.T) {
	for k := range 3 {
		for _, v := range []gen.Violation{gen.NoViolation, gen.Swap} {
			for _, x := range priorityQueues(t, k, v) {
				x.certify(t, x.settle(t))
			}
		}
	}
}

func TestRoundUpSize(t *testing.T) {
	accepted := make([]bool, 476)
	for k := range int32(5) {
		n := 0
		for i, x := range roundUp(t, k) {
			a := x.settle(t)
			x.certify(t, a)
			yes := a.Verdict == engine.Linearizable
			require.True(t, yes || !accepted[i], "history %d is accepted at %d and not at %d", i, k-1, k)
			accepted[i] = yes
			if yes {
				n++
			}
		}
		t.Logf("K=%d: %d of 476 accepted", k, n)
	}
}

// BenchmarkSlots decides; certificates are checked by the tests above, verdicts here too.
func BenchmarkSlots(b *testing.B) {
	run := func(name string, all []asked) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, x := range all {
					x.settle(b)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N*len(all)), "ms/history")
		})
	}
	for k := range 3 {
		run(fmt.Sprintf("priority-queue/n=10000/w=4/K=%d/yes", k), priorityQueues(b, k, gen.NoViolation))
		run(fmt.Sprintf("priority-queue/n=10000/w=4/K=%d/no", k), priorityQueues(b, k, gen.Swap))
	}
	var all []asked
	for k := range int32(4) {
		all = append(all, roundUp(b, k+1)...)
	}
	run("queue/476x4x4/K=1..4", all)
}

// The recorded histories of violin: the least bound of each, drained and as it lies; the strict
// objects are linearizable, and at every bound a yes is certified.
func TestViolinHistoriesHaveTheirLeastBounds(t *testing.T) {
	files, err := filepath.Glob(testenv.Recorded(t, "violin", "small", "*", "*.log"))
	require.NoError(t, err)
	require.Len(t, files, 500)
	least := map[string]map[string]int{}
	for _, file := range files {
		object := strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "ScalObject-")
		h := readHistory(t, file)
		s := specs.Queue()
		if object == "ts" {
			s = specs.Stack()
		}
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		for _, drain := range []bool{true, false} {
			bound := "inf"
			for _, k := range []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, quasi.Unbounded} {
				relax := uniform(s, k)
				relax.Drain = drain
				x := asked{Task: &engine.Task{Instance: b, Quasi: relax}}
				a := x.settle(t)
				x.certify(t, a)
				if a.Verdict == engine.Linearizable {
					bound = displacement.FormatBound(k)
					break
				}
			}
			row := object + map[bool]string{true: " drained", false: " as it lies"}[drain]
			if least[row] == nil {
				least[row] = map[string]int{}
			}
			least[row][bound]++
		}
	}
	for row, bounds := range least {
		t.Log(row, bounds)
		object, _, _ := strings.Cut(row, " ")
		if strings.Contains("fcq lbq msq wfq11 sl ts", object) {
			assert.Equal(t, map[string]int{"0": 50}, bounds, row)
		}
	}
}
