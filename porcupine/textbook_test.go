package porcupine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/require"
)

// invented is a history of a register by eight clients. Some puts have a return that was invented
// at the end; half of those happened. wrong makes one get return what no order allows, if it can.
func invented(r *rand.Rand, n int, values int, wrong bool) []porcupine.Operation {
	var ops []porcupine.Operation
	value, at, busy := 0, int64(0), [8]int64{}
	for i := range n {
		c := r.IntN(len(busy))
		at = max(at+10, busy[c]+1)
		o := porcupine.Operation{ClientId: c, Input: request{}, Output: value, Call: max(at-r.Int64N(60), busy[c]+1),
			Return: at + r.Int64N(60)}
		busy[c] = o.Return
		if r.IntN(2) == 0 {
			o.Input, o.Output = request{put: true, value: 1 + r.IntN(values)}, 0
			if r.IntN(10) == 0 {
				o.Return, o.ClientId = int64(1000*n), 8+i
				if r.IntN(2) == 0 {
					ops = append(ops, o)
					continue
				}
			}
			value = o.Input.(request).value
		} else if wrong && r.IntN(n/4) == 0 {
			o.Output = 1 + r.IntN(values)
		}
		ops = append(ops, o)
	}
	return ops
}

// TestTextbookAgreesWithTheEngines on histories longer than a word, with operations that return
// after the last call.
func TestTextbookAgreesWithTheEngines(t *testing.T) {
	defer porcupine.EnginesAlone(t)()
	r := rand.New(rand.NewPCG(33, 2))
	found := map[porcupine.CheckResult]int{}
	for k := range 200 {
		ops := invented(r, 80+r.IntN(200), 1+r.IntN(40), k%2 == 0)
		want := porcupine.CheckOperationsTimeout(register, ops, time.Second)
		got := porcupine.TextbookAlone(register, ops)
		if got != porcupine.Unknown && want != porcupine.Unknown {
			require.Equal(t, want, got, "%+v", ops)
		}
		found[got]++
	}
	require.Greater(t, found[porcupine.Ok], 50, fmt.Sprint(found))
	require.Greater(t, found[porcupine.Illegal], 50, fmt.Sprint(found))
}

// TestTextbookLeavesStatesOutThatAreIdentical: it does not refute with an Equal that takes states
// of other contents for one.
func TestTextbookLeavesStatesOutThatAreIdentical(t *testing.T) {
	m := register
	m.Equal = func(a, b any) bool { return a == b || a.(int) > 0 && b.(int) > 0 }
	ops := []porcupine.Operation{
		{ClientId: 0, Input: request{put: true, value: 1}, Call: 0, Return: 10},
		{ClientId: 1, Input: request{put: true, value: 2}, Call: 0, Return: 10},
		get(2, 20, 1, 30),
	}
	require.Equal(t, porcupine.Unknown, porcupine.TextbookAlone(m, ops))
	require.Equal(t, porcupine.Ok, porcupine.TextbookAlone(register, ops))
}
