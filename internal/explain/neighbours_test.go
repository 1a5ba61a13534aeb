package explain

import (
	"context"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of a history that is not linearizable fewValues keeps one value or two, and what is left is not
// linearizable, by the definition and as the verifier reads the weakening. It overlooks no value
// that is refuted alone.
func TestFewValuesAreRefutedAlone(t *testing.T) {
	decide := func(_ context.Context, b *model.Instance) engine.Verdict {
		if ok, _ := oracle.Linearizable(b); ok {
			return engine.Linearizable
		}
		return engine.NotLinearizable
	}
	for _, name := range []string{"deque", "bounded-queue"} {
		s := testkit.Spec(t, name)
		found, none, two := 0, 0, 0
		for seed := range uint64(4000) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, NoEdges: true})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			if b.Contents() == nil || decide(context.Background(), b) != engine.NotLinearizable {
				continue
			}
			f := &finder{ctx: context.Background(), b: b, decide: decide,
				base: make([]proof.Retained, b.Partition.Len())}
			weakening := &proof.Weakening{Cut: history.Never, Retain: slices.Clone(f.base)}
			before := slices.Clone(weakening.Retain)
			if !f.fewValues(weakening) {
				none++
				assert.Equal(t, before, weakening.Retain, "%s, seed %d: the weakening changed", name, seed)
				lives, _, ok := f.lifetimes()
				for k := range lives {
					if !ok {
						break
					}
					alone := &proof.Weakening{Cut: history.Never, Retain: slices.Clone(f.base)}
					f.keepOnly(alone, lives[k:k+1])
					if weak, _, err := verify.Left(b, alone); err == nil {
						assert.Equal(t, engine.Linearizable, decide(context.Background(), weak),
							"%s, seed %d: value %d is refuted alone", name, seed, lives[k].value)
					}
				}
				continue
			}
			found++
			kept := map[int32]bool{}
			for i, v := range b.Contents().Value {
				if v >= 0 && weakening.Retain[i] != proof.RetainNothing {
					kept[v] = true
				}
			}
			assert.LessOrEqual(t, len(kept), 2, "%s, seed %d", name, seed)
			assert.NotEmpty(t, kept, "%s, seed %d", name, seed)
			if len(kept) == 2 {
				two++
			}
			weak, _, err := verify.Left(b, weakening)
			if assert.NoError(t, err, "%s, seed %d", name, seed) {
				assert.Equal(t, engine.NotLinearizable, decide(context.Background(), weak),
					"%s, seed %d: what is kept is linearizable", name, seed)
			}
		}
		t.Logf("%s: %d found, %d of two values, %d not", name, found, two, none)
		assert.Greater(t, found, 100, name)
		assert.Greater(t, two, 10, name)
		assert.Greater(t, none, 20, name)
	}
}
