package porcupine_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The reasons of a violation are looked for with what the check has decided and asked. Over both, a
// step is asked for a few times at most: by the engines and by the verifier, for the operation as
// it is and for ones whose outcome is forgotten, and some in samples that look whether the model is
// pure.
func TestReasonsDoNotAskAgain(t *testing.T) {
	porcupine.EnginesAlone(t)
	var mu sync.Mutex
	calls := map[string]int{}
	m := register
	m.Step = func(state, input, output any) (bool, any) {
		mu.Lock()
		calls[fmt.Sprint(state, input, output)]++
		mu.Unlock()
		return register.Step(state, input, output)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var ops []porcupine.Operation
	value := 0
	for n := range 600 {
		at := int64(10 * n)
		switch op := get(n%4, at-rng.Int64N(19), value, at+rng.Int64N(19)); {
		case n == 580:
			op.Output = 77
			ops = append(ops, op)
		case rng.IntN(2) == 0:
			ops = append(ops, op)
		default:
			value = rng.IntN(50)
			ops = append(ops, porcupine.Operation{ClientId: n % 4, Input: request{put: true, value: value},
				Call: op.Call, Return: op.Return})
		}
	}
	r, info := porcupine.CheckOperationsVerbose(m, ops, time.Minute)
	require.Equal(t, porcupine.Illegal, r)
	require.NotEmpty(t, info.Explain())
	_, err := info.Certificate()
	require.NoError(t, err)
	most, all := 0, 0
	for _, n := range calls {
		most, all = max(most, n), all+n
	}
	assert.LessOrEqual(t, most, 16)
	t.Logf("%d calls about %d pairs, at most %d about one", all, len(calls), most)
}
