package linsat_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A small history that is decided on the goroutine of the caller has the result that it has under a
// limit of memory, where it never is: verdicts, witnesses, explanations, errors.
func TestSmallHistoriesHaveTheSameResultUnderALimit(t *testing.T) {
	yes, no, wrong := 0, 0, 0
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(testenv.Scale(30, 1000)) {
			rng := rand.New(rand.NewPCG(seed, 11))
			var h *history.History
			if seed%2 == 0 {
				var err error
				h, err = gen.Small(name, seed, gen.SmallOptions{Keys: 1 + rng.IntN(3)})
				require.NoError(t, err)
			} else {
				all := append(gen.Violations(), gen.NoViolation, gen.NoViolation, gen.NoViolation)
				c, err := gen.Generate(gen.Options{Spec: name, Operations: 10 + rng.IntN(60), Keys: 1 + rng.IntN(12),
					Values: rng.IntN(6), Violation: all[rng.IntN(len(all))], Seed: seed})
				if err != nil { // a violation that this history has no place for
					continue
				}
				h = c.History
			}
			if seed%7 == 0 && len(h.Ops) > 1 { // a value of a wrong type, perhaps
				h.Ops[len(h.Ops)/2].Arg, h.Ops[len(h.Ops)-1].Result = h.Ops[0].F, h.Ops[0].F
			}
			options := []linsat.Option{linsat.Workers(1),
				linsat.Explain(linsat.ExplainOptions{Time: time.Minute, Locate: time.Minute})}
			if seed%3 == 0 {
				options = append(options, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
			}
			if seed%5 == 0 {
				options = append(options, linsat.First())
			}
			got, failed := linsat.Check(context.Background(), s, h, options...)
			want, err := linsat.Check(context.Background(), s, h, append(options, linsat.Memory(1<<40))...)
			require.Equal(t, err, failed, "%s, seed %d", name, seed)
			if err != nil {
				wrong++
				continue
			}
			require.Equal(t, want.Verdict, got.Verdict, "%s, seed %d", name, seed)
			require.Equal(t, want.Engines, got.Engines, "%s, seed %d", name, seed)
			require.Equal(t, want.Witness, got.Witness, "%s, seed %d", name, seed)
			require.Equal(t, want.Effort, got.Effort, "%s, seed %d", name, seed)
			for tries := 1; ; tries++ { // a busy machine may cut the reasons short
				a, b := []any{want.Certified, want.Uncertified, want.Unplaced, want.Core, want.Partitions},
					[]any{got.Certified, got.Uncertified, got.Unplaced, got.Core, got.Partitions}
				if tries == 4 || assert.ObjectsAreEqual(a, b) {
					require.Equal(t, a, b, "%s, seed %d", name, seed)
					break
				}
				got, _ = linsat.Check(context.Background(), s, h, options...)
				want, _ = linsat.Check(context.Background(), s, h, append(options, linsat.Memory(1<<40))...)
			}
			require.Equal(t, len(want.PartitionVerdicts), len(got.PartitionVerdicts))
			for i := range want.PartitionVerdicts {
				a, b := &want.PartitionVerdicts[i], &got.PartitionVerdicts[i]
				require.Equal(t, []any{a.Verdict, a.Cause, a.Engine, a.Name()}, []any{b.Verdict, b.Cause, b.Engine,
					b.Name()}, "%s, seed %d", name, seed)
			}
			if got.Verdict == linsat.Linearizable {
				yes++
			} else {
				no++
			}
		}
	}
	t.Logf("%d linearizable, %d not, %d wrong inputs", yes, no, wrong)
	assert.Greater(t, min(yes, no), testenv.MoreThan(100))
	assert.Greater(t, wrong, testenv.MoreThan(0))
}

// A context that is done is noticed, and an answer that comes before is one.
func TestSmallHistoriesNoticeTheirContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	c, err := gen.Generate(gen.Options{Spec: "kv", Operations: 40, Keys: 4})
	require.NoError(t, err)
	r, err := linsat.Check(ctx, specs.KV(), c.History)
	require.NoError(t, err)
	assert.Equal(t, linsat.Linearizable, r.Verdict)
	stop()
	r, err = linsat.Check(ctx, specs.KV(), c.History)
	require.NoError(t, err)
	assert.Equal(t, linsat.Unknown, r.Verdict)
	assert.Equal(t, linsat.Cancelled, r.Cause)
}
