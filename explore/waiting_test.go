package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// object is a sequential object in a few words: do returns the state after an operation with its
// result, or false if that is not what it returns; waits says where an operation may wait.
type waitingObject struct {
	spec  model.Spec
	names []string
	do    func(state []int, o *Op) ([]int, bool)
	waits func(state []int, o *Op) bool
}

func number(v any) int {
	n, _ := v.(int)
	return n
}

var (
	fifo = waitingObject{specs.Queue(), []string{"enq", "deq", "peek"}, func(s []int, o *Op) ([]int, bool) {
		switch {
		case o.F == "enq":
			return append(slices.Clone(s), number(o.Arg)), true
		case len(s) == 0:
			return s, number(o.Result) == 0
		case s[0] != number(o.Result):
			return s, false
		case o.F == "peek":
			return s, true
		}
		return s[1:], true
	}, func(s []int, o *Op) bool { return o.F == "enq" && len(s) > 0 || o.F == "deq" && len(s) == 0 }}
	lifo = waitingObject{specs.Stack(), []string{"push", "pop"}, func(s []int, o *Op) ([]int, bool) {
		switch {
		case o.F == "push":
			return append(slices.Clone(s), number(o.Arg)), true
		case len(s) == 0:
			return s, number(o.Result) == 0
		}
		return s[:len(s)-1], s[len(s)-1] == number(o.Result)
	}, func(s []int, o *Op) bool { return (o.F == "push") == (len(s) > 0) }}
	lock = waitingObject{specs.Mutex(), []string{"acquire", "release", "tryacquire"},
		func(s []int, o *Op) ([]int, bool) {
			held := len(s) == 1
			switch {
			case o.F == "release":
				return nil, held
			case o.F == "acquire":
				return []int{1}, !held
			case o.Result == true:
				return []int{1}, !held
			}
			return s, held
		}, func(s []int, o *Op) bool { return o.F == "acquire" && len(s) == 1 || o.F == "release" && len(s) == 0 }}
)

// needed is the definition: whether operation e may wait after some order of the completed ones.
func (w *waitingObject) needed(e *Execution, op int, anyOrder bool) bool {
	var left []int
	for i := range e.Ops {
		if e.Ops[i].Return >= 0 {
			left = append(left, i)
		}
	}
	var order func(state []int, left []int) bool
	order = func(state []int, left []int) bool {
		if len(left) == 0 {
			return w.waits(state, &e.Ops[op])
		}
		for k, i := range left {
			late := slices.ContainsFunc(left, func(j int) bool { return e.Ops[j].Return < e.Ops[i].Call })
			if late && !anyOrder {
				continue
			}
			next, ok := w.do(state, &e.Ops[i])
			if ok && order(next, slices.Delete(slices.Clone(left), k, k+1)) {
				return true
			}
		}
		return false
	}
	return order(nil, left)
}

// random makes a stuck execution of a few operations, with results that are often possible.
func (w *waitingObject) random(rng *rand.Rand) *Execution {
	e := &Execution{Outcome: Stuck}
	n := 1 + rng.IntN(6)
	moments := rng.Perm(2 * n)
	state := []int(nil)
	for i := range n {
		call, end := int32(moments[2*i]), int32(moments[2*i+1])
		e.Ops = append(e.Ops, Op{Thread: i, Call: min(call, end), Return: max(call, end)})
	}
	slices.SortFunc(e.Ops, func(a, b Op) int { return int(a.Call - b.Call) })
	for i := range e.Ops {
		o := &e.Ops[i]
		if o.F = w.names[rng.IntN(len(w.names))]; o.F == "enq" || o.F == "push" {
			o.Arg = 1 + rng.IntN(2)
		}
		for _, result := range []any{nil, 1, 2, true, false} {
			o.Result = result
			if next, ok := w.do(state, o); ok && (o.F != "tryacquire") == (result != true && result != false) {
				state = next
				break
			}
			o.Result = nil
		}
		if o.F == "tryacquire" && o.Result == nil {
			o.Result = false
		}
		if rng.IntN(3) == 0 || i == 0 {
			o.Return, o.Result = -1, nil
		}
	}
	return e
}

// broken is a specification with a bug.
type broken struct{ model.Spec }

func (broken) Bind(*model.Partition) (*model.Instance, error) { panic("a bug") }

// TestBugsAreNoWaits: a panic that no specification's code is to blame for is not swallowed.
func TestBugsAreNoWaits(t *testing.T) {
	k := &checking{c: &Case{Object: &Object{Name: "o"}}, spec: broken{specs.Queue()}}
	e := &Execution{Outcome: Stuck, Ops: []Op{{F: "deq", Call: 0, Return: -1}}}
	assert.PanicsWithValue(t, "a bug", func() { _, _ = k.needless(e) })
}

// TestNeedlessWaitsAgreeWithTheDefinition compares with all orders, for objects whose operations
// wait for items, for room, and where the specification has no outcome.
func TestNeedlessWaitsAgreeWithTheDefinition(t *testing.T) {
	needless, needed := 0, 0
	for seed := range uint64(testenv.Scale(6_000, 60_000)) {
		rng := rand.New(rand.NewPCG(seed, 5))
		w := []*waitingObject{&fifo, &lifo, &lock}[seed%3]
		e := w.random(rng)
		k := &checking{c: &Case{Object: &Object{Name: "o", Spec: w.spec.Info().Name}}, spec: w.spec}
		if rng.IntN(4) == 0 {
			k.o.Quasi = &quasi.Question{}
		}
		k.o.Blocking = rng.IntN(3) == 0
		want := -1
		for i := range e.Ops {
			meets := k.o.Blocking && (e.Ops[i].F == "enq" || e.Ops[i].F == "push") &&
				!slices.ContainsFunc(e.Ops, func(o Op) bool { return o.Return < 0 && (o.F == "deq" || o.F == "pop") })
			if e.Ops[i].Return < 0 && want < 0 && !meets && !w.needed(e, i, k.o.Quasi != nil) {
				want = i
			}
		}
		got, err := k.needless(e)
		require.NoError(t, err)
		if want < 0 {
			needed++
			require.Nil(t, got, "%s seed %d: %v", w.spec.Info().Name, seed, e.Ops)
			continue
		}
		needless++
		require.NotNil(t, got, "%s seed %d: %v", w.spec.Info().Name, seed, e.Ops)
		require.Equal(t, want, got.op, "%s seed %d: %v", w.spec.Info().Name, seed, e.Ops)
		require.NotEmpty(t, got.text(e))
	}
	assert.Greater(t, needless, testenv.MoreThan(1000))
	assert.Greater(t, needed, testenv.MoreThan(1000))
	t.Log(fmt.Sprint(needless, " needless, ", needed, " not"))
}
