package check

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLeastBounds compares least bounds of random small histories with the definition: yes there,
// and no at the bound below.
func TestLeastBounds(t *testing.T) {
	found := map[int64]int{}
	for seed := range uint64(testenv.Scale(400, 5_000)) {
		name := []string{"register", "cas-register", "kv", "set"}[seed%4]
		sp, _ := specs.Lookup(name)
		h := random(t, name, seed)
		x, err := stale.Of(sp, h)
		if err != nil || len(h.Edges) > 0 {
			continue
		}
		for _, kind := range []stale.Kind{stale.Late, stale.Moved} {
			l := AskLeast(context.Background(), x, kind)
			require.NoError(t, l.Refused, "seed %d", seed)
			require.True(t, l.Certified, "seed %d", seed)
			if l.Verdict == Fails {
				found[stale.Never]++
				assert.False(t, defined(t, h, name, l.Question), "seed %d, %v", seed, l.Question)
				continue
			}
			require.Equal(t, Holds, l.Verdict, "seed %d", seed)
			assert.True(t, defined(t, h, name, l.Question), "seed %d, %v", seed, l.Question)
			if below := l.Question; below.Bound > 0 {
				below.Bound--
				assert.False(t, defined(t, h, name, below), "seed %d, %v", seed, below)
			}
			found[l.Question.Bound]++
		}
	}
	t.Log(found)
	for bound := range int64(3) {
		assert.Greater(t, found[bound], testenv.MoreThan(5), bound)
	}
}
