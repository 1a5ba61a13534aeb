package modelspec_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// access is a put of a value, or a get.
type access struct {
	put   bool
	value int
}

func registerOf(equal func(a, b int) bool) linsat.Model[int, access, int] {
	return linsat.Model[int, access, int]{Equal: equal, Step: func(s int, in access) []linsat.Outcome[int, int] {
		if in.put {
			return linsat.Returns(0, in.value)
		}
		return linsat.Returns(s, s)
	}}
}

// accesses draws n operations on a register, in which the puts of value n/2 and of the next one are
// open at once, and then one is found.
func accesses(n int, seed uint64) (ops []linsat.Op[access, int]) {
	r := rand.New(rand.NewPCG(seed, 3))
	s := 0
	for k := range n {
		in := access{r.IntN(2) == 0, k}
		if k == n/2 || k == n/2+1 {
			in.put = true
		} else if k == n/2+2 {
			in.put = false
		}
		o := linsat.Op[access, int]{Client: -1, Input: in, Call: int64(100*k) - r.Int64N(300),
			Return: int64(100*k) + r.Int64N(300)}
		if k == n/2+2 {
			o.Call = int64(100 * k)
		}
		if in.put {
			s = in.value
		} else {
			o.Output = s
		}
		ops = append(ops, o)
	}
	return ops
}

// TestEqualThatIsWrongOnce: an Equal that takes two states of thousands for one, which samples
// miss, leads to a fault and never to another verdict, whether reasons are asked for or not.
func TestEqualThatIsWrongOnce(t *testing.T) {
	faults := 0
	for _, n := range []int{50, 1000} {
		for seed := range uint64(12) {
			ops := accesses(n, seed)
			for _, options := range [][]linsat.Option{nil,
				{linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})},
				{linsat.Engine("search"), linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})}} {
				m := registerOf(func(a, b int) bool { return a == b || min(a, b) == n/2 && max(a, b) == n/2+1 })
				r, err := linsat.CheckOps(context.Background(), m, ops, options...)
				var fault *meta.Fault
				if errors.As(err, &fault) {
					assert.Equal(t, "Equal", fault.Func)
					faults++
					continue
				}
				require.NoError(t, err)
				assert.Equal(t, engine.Linearizable, r.Verdict, "%d operations, seed %d", n, seed)
			}
		}
	}
	assert.Greater(t, faults, 20)
}

// TestEqualThatIsRight: a violation that is not certified stays one, by contents, too; and where
// that takes too long, it is said what it rests on.
func TestEqualThatIsRight(t *testing.T) {
	ops := accesses(200, 1)
	ops[102].Output = 7
	r, err := linsat.CheckOps(context.Background(), registerOf(func(a, b int) bool {
		return a == b
	}), ops, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Verdict)
	assert.NotContains(t, r.Uncertified, "Equal")

	// A bag that many orders fill: by contents each order is a state of its own.
	bag := linsat.Model[string, string, bool]{
		Step: func(s, in string) []linsat.Outcome[string, bool] {
			if in == "full" {
				return linsat.Returns(len(s) == 11, s)
			}
			return linsat.Returns(true, s+in)
		},
		Equal: func(a, b string) bool { return sortedText(a) == sortedText(b) },
		Hash:  func(s string) uint64 { return uint64(len(s)) },
	}
	var in []linsat.Op[string, bool]
	for k := range 10 {
		in = append(in, linsat.Op[string, bool]{Client: -1, Input: string(rune('a' + k)), Output: true,
			Call: 0, Return: 10})
	}
	in = append(in, linsat.Op[string, bool]{Client: -1, Input: "full", Output: true, Call: 20, Return: 21})
	r2, err := linsat.CheckOps(context.Background(), bag, in,
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r2.Verdict)
	assert.False(t, r2.Certified)
	assert.Contains(t, r2.Uncertified, "it rests on what the model's Equal says")
}

func sortedText(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(r)
}
