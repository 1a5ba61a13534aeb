package check_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// TestForgedViewsAreRefused gives the verifier views in the order of the calls, which keep all
// rules of order: only what the reads return tells them from right ones.
func TestForgedViewsAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 3))
	refused := 0
	for n := range testenv.Scale(600, 5000) {
		s, h, m := randomMemory(t, rng, 6)
		x, err := consistency.Of(s, h)
		require.NoError(t, err)
		for name := range definitions {
			q, err := consistency.Parse(name)
			require.NoError(t, err)
			if !q.ByViews() || definitions[name](m) {
				continue
			}
			forged := &consistency.Certificate{Question: name}
			for p := range h.Processes {
				v := consistency.View{Process: int32(p)}
				for i := range x.Ops {
					if o := &x.Ops[i]; o.Writes || o.Reads && int(o.Process) == p {
						v.Order = append(v.Order, history.OpID(i))
					}
				}
				forged.Views = append(forged.Views, v)
			}
			_, err = check.Verify(context.Background(), s, h, q, forged)
			require.Error(t, err, "%d: %s of %+v", n, name, m)
			refused++
		}
	}
	require.Greater(t, refused, testenv.MoreThan(100))
}
