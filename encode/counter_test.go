package encode

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

// randomCounting draws deltas from the list; 0 is a read.
func randomCounting(r *rand.Rand, objects int, deltas []int64, tickets float64) (*model.Instance, func(i int) string) {
	n := size(r)
	tm := newTiming(r, n, 1+r.IntN(3*n), []float64{0, 0.2, 0.5}[r.IntN(3)], 0.2)
	c := &model.CountingTheory{Object: make([]model.CellID, n), Delta: make([]int64, n), Observes: make([]bool, n),
		Observed: make([]int64, n)}
	for range objects {
		c.Init = append(c.Init, r.Int64N(3))
	}
	state := append([]int64(nil), c.Init...)
	for i := range c.Object {
		c.Object[i] = model.CellID(r.Int32N(int32(objects)))
		c.Delta[i] = deltas[r.IntN(len(deltas))]
		c.Observes[i] = !tm.part.Ops[i].Pending() && (c.Delta[i] == 0 && r.IntN(10) > 0 || r.Float64() < tickets)
	}
	for _, i := range tm.real {
		c.Observed[i] = state[c.Object[i]]
		state[c.Object[i]] += c.Delta[i]
	}
	for i := range c.Observed {
		if r.IntN(2*n) == 0 {
			c.Observed[i] += 1 - 2*r.Int64N(2)
		}
	}
	show := func(i int) string {
		return fmt.Sprintf("%d: %+d saw %v %d of %v", c.Object[i], c.Delta[i], c.Observes[i], c.Observed[i], c.Init)
	}
	sig := func(i int) string {
		if c.Observes[i] {
			return show(i)
		}
		return fmt.Sprint(c.Object[i], c.Delta[i])
	}
	return &model.Instance{Partition: tm.part, Theory: c, EquivID: sigs(n, sig), NewMachine: func() model.Machine {
		return countingMachine(c)
	}}, show
}

// countingKinds are families of operations on counters.
var countingKinds = []struct {
	name    string
	objects int
	deltas  []int64
	tickets float64
}{
	{"inc", 1, []int64{0, 0, 1}, 0},
	{"inc dec", 1, []int64{0, 0, 1, -1}, 0},
	{"weights", 1, []int64{0, 0, 1, 2, -3, 5}, 0.2},
	{"tickets", 1, []int64{0, 1}, 0.7},
	{"down", 1, []int64{0, -1, -2}, 0.3},
	{"two", 2, []int64{0, 1, -1}, 0.3},
}

func TestCountersAgreeWithTheDefinition(t *testing.T) {
	for _, k := range countingKinds {
		t.Run(k.name, func(t *testing.T) {
			compare(t, func(r *rand.Rand) (*model.Instance, func(int) string) {
				return randomCounting(r, k.objects, k.deltas, k.tickets)
			})
		})
	}
}

// Tickets by different amounts say which came first, so that hardly any order is left to a solver.
func TestTicketsAreOrderedBeforehand(t *testing.T) {
	b := history.NewBuilder()
	r := rand.New(rand.NewPCG(1, 9))
	value := int64(0)
	for i := range 100 {
		by := 1 + r.Int64N(5)
		_, err := b.Add(history.Record{Process: b.Process(fmt.Sprint(i)), F: b.Values.String("getandadd"),
			Arg: b.Values.Int(by), Result: b.Values.Int(value), Key: history.NoKey,
			Call: int64(10*i - r.IntN(40)), Return: int64(10*i + r.IntN(40))})
		require.NoError(t, err)
		value += by
	}
	h, err := b.Finish()
	require.NoError(t, err)
	a, err := newSAT(newSolver).Check(context.Background(),
		&engine.Problem{Instance: bind(t, "counter", model.Whole(h))}, nil)
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, a.Verdict)
	require.Less(t, a.Effort.Clauses, int64(2000))
}
