package wgl

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whole histories of several keys or objects against brute force.
func TestHistoriesOfSeveralKeysAgreeWithTheDefinition(t *testing.T) {
	var seen tally
	several, jumps := 0, 0
	for seed := range uint64(testenv.Scale(3000, 20000)) {
		name := []string{"kv", "set", "register", "cas-register", "queue", "mutex"}[seed%6]
		s := testkit.Spec(t, name)
		h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6 + int(seed%4), NoEdges: true})
		require.NoError(t, err)
		p := model.Whole(h)
		if seed%5 == 0 {
			p = randomspec.Forget(rand.New(rand.NewPCG(seed, 14)), p)
		}
		testkit.WithSeed(t, seed, func() {
			judge(t, p, s, &seen)
			b, err := s.Bind(p)
			require.NoError(t, err)
			if r, _ := Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun); r.Component != nil {
				several++
				r.Search()
				if r.Jumps > 0 {
					jumps++
				}
			}
		})
	}
	t.Logf("%+v, %d with several pieces, jumps in %d", seen, several, jumps)
	for _, n := range []int{seen.yes, seen.no, several, jumps} {
		assert.Greater(t, n, testenv.MoreThan(50))
	}
}
