package conformance_test

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEtcdUnknownOutcomes: unknown operations of which a history of etcd shows nothing do not
// multiply configurations, since revisions say where they can have taken effect.
func TestEtcdUnknownOutcomes(t *testing.T) {
	for _, v := range []gen.Violation{gen.NoViolation, gen.Stale, gen.Lost} {
		c, err := gen.Generate(gen.Options{Spec: "etcd", Operations: 2000, Processes: 8, PendingRate: 0.05,
			Violation: v, Seed: 3})
		require.NoError(t, err)
		want := map[gen.Known]engine.Verdict{gen.Yes: engine.Linearizable, gen.No: engine.NotLinearizable}[c.Known]
		require.NotZero(t, want, "%q is certain", v)
		r, err := linsat.Check(context.Background(), specs.Etcd(), c.History, linsat.Engine("search"),
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}), linsat.Timeout(30*time.Second))
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, "%q", v)
	}
}

// A transaction that takes effect twice, and a skipped revision, are violations where every
// operation returned.
func TestEtcdViolations(t *testing.T) {
	for _, v := range []gen.Violation{gen.Duplicate, gen.Gap} {
		for seed := range uint64(3) {
			c, err := gen.Generate(gen.Options{Spec: "etcd", Operations: 500, Processes: 8, Violation: v, Seed: seed})
			require.NoError(t, err)
			require.Equal(t, gen.No, c.Known, "%q", v)
			r, err := linsat.Check(context.Background(), specs.Etcd(), c.History,
				linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}), linsat.Timeout(30*time.Second))
			require.NoError(t, err)
			assert.Equal(t, engine.NotLinearizable, r.Verdict, "%q, seed %d", v, seed)
		}
	}
}

// Long histories with thousands of unknown outcomes are decided, and violations certified.
func TestEtcdManyUnknownOutcomes(t *testing.T) {
	for _, v := range []gen.Violation{gen.NoViolation, gen.Stale, gen.Lost, gen.Duplicate, gen.Gap} {
		c, err := gen.Generate(gen.Options{Spec: "etcd", Operations: 20_000, Processes: 8, PendingRate: 0.05,
			Violation: v, Seed: 2})
		require.NoError(t, err)
		r, err := linsat.Check(context.Background(), specs.Etcd(), c.History, linsat.Engine("search"),
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}), linsat.Timeout(60*time.Second))
		require.NoError(t, err)
		require.NotEqual(t, engine.Unknown, r.Verdict, "%q", v)
		switch c.Known {
		case gen.Yes:
			assert.Equal(t, engine.Linearizable, r.Verdict, "%q", v)
		case gen.No:
			assert.Equal(t, engine.NotLinearizable, r.Verdict, "%q", v)
		}
		if r.Verdict == engine.NotLinearizable {
			assert.True(t, r.Certified, "%q", v)
		}
	}
}
