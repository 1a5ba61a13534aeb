package porcupine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/require"
)

// small is a linearizable history of the register by four clients, or one with a value that was
// never put.
func small(n int, ok bool) []porcupine.Operation {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	var ops []porcupine.Operation
	value, busy := 0, [4]int64{}
	for i := range n {
		now := max(int64(10*i), busy[i%4]+1) // when it takes effect
		in, out := request{put: rng.IntN(2) == 0, value: rng.IntN(5)}, value
		if in.put {
			value, out = in.value, 0
		}
		busy[i%4] = now + rng.Int64N(30)
		ops = append(ops, porcupine.Operation{ClientId: i % 4, Input: in, Call: now, Output: out, Return: busy[i%4]})
	}
	if !ok {
		ops = append(ops, porcupine.Operation{ClientId: 4, Input: request{}, Call: 0, Output: 5, Return: busy[0]})
	}
	return ops
}

// BenchmarkSmallHistories is what a test spends that checks thousands of them.
func BenchmarkSmallHistories(b *testing.B) {
	for _, n := range []int{5, 20, 100} {
		for _, ok := range []bool{true, false} {
			b.Run(fmt.Sprintf("%d/%v", n, ok), func(b *testing.B) {
				ops := small(n, ok)
				b.ReportAllocs()
				for range b.N {
					require.Equal(b, ok, porcupine.CheckOperations(register, ops))
				}
			})
		}
	}
}
