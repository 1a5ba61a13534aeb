package conformance_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	quasiverify "github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBoundZeroIsThePlainAnswer compares, on random histories with pending operations, forgotten
// results and repeated values, answers under a factor of which all bounds are 0, under slots, with
// the definition of that factor: drained or not, causal or not, with bounds on sets. They are
// certified, and explained in the words of plain violations. The verifier takes proofs of either
// question, and altered certificates only where what they say is true.
func TestBoundZeroIsThePlainAnswer(t *testing.T) {
	for _, name := range append([]string{"counter"}, collections...) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			yes, no, refused, n := 0, 0, 0, testenv.Scale(150, 10_000)
			for seed := range uint64(n) {
				h := forgetSome(t, name, seed, gen.SmallOptions{Most: 7, Relax: int(seed % 3), NoEdges: seed%2 == 0,
					Keys: 1 + int(seed%3)/2})
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				r := rand.New(rand.NewPCG(seed, 41))
				q := quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Drain: r.IntN(3) > 0}
				switch {
				case r.IntN(4) == 0:
					q.Sets = randomSets(r, s.Info(), h)
				case name != "counter":
					q.Causal = r.IntN(4) == 0
				}
				want := engine.NotLinearizable
				if ok, _, _ := oracle.QuasiLinearizable(b, q); ok {
					want = engine.Linearizable
				}
				e := []string{"auto", "search", "sat", "monitor", "all"}[r.IntN(5)]
				got, err := linsat.Check(context.Background(), s, h, linsat.Quasi(q), linsat.Engine(linsat.Engines(e)))
				require.NoError(t, err, "%s seed %d %+v: %s", e, seed, q, show(h))
				if got.Verdict == engine.Unknown && (e == "sat" || e == "monitor") {
					got, err = linsat.Check(context.Background(), s, h, linsat.Quasi(q))
					require.NoError(t, err)
				}
				require.Equal(t, want, got.Verdict, "%s seed %d %+v: %s", e, seed, q, show(h))
				require.True(t, got.Certified, "%s seed %d %+v: %s", e, seed, q, got.Uncertified)
				if want == engine.Linearizable {
					yes++
				} else {
					no++
					told, err := linsat.Check(context.Background(), s, h, linsat.Partition(linsat.ByObject),
						linsat.Engine(linsat.Engines(e)))
					require.NoError(t, err)
					if e != "all" && told.Verdict != engine.Unknown {
						require.Equal(t, words.Reasons(full(&told)), words.Reasons(full(&got)), "seed %d: %s", seed,
							show(h))
					}
					cases, err := quasiverify.Exhausted(context.Background(), full(&got).Instance(), &q,
						proof.Everything(), base.MaxNodes)
					require.NoError(t, err)
					require.NoError(t, verify.Proof(context.Background(), &q, full(&got).Instance(),
						&proof.Exhaustion{Weakening: proof.Everything(), Cases: cases}))
				}
				c, err := linsat.Certify(h, &got)
				require.NoError(t, err)
				var text bytes.Buffer
				_, err = c.WriteTo(&text)
				require.NoError(t, err)
				again, err := linsat.ReadCertificate(strings.NewReader(text.String()))
				require.NoError(t, err)
				require.NoError(t, linsat.Verify(context.Background(), s, h, again, linsat.Quasi(q)),
					"seed %d %+v\n%s", seed, q, &text)
				for range 4 {
					bad, err := linsat.ReadCertificate(strings.NewReader(altered(r, text.String())))
					if err != nil || linsat.Verify(context.Background(), s, h, bad, linsat.Quasi(q)) != nil {
						refused++
						continue
					}
					require.Equal(t, want, bad.Verdict(), "seed %d: an altered certificate proves what is wrong", seed)
				}
			}
			t.Logf("%d yes, %d no; %d altered certificates refused", yes, no, refused)
			assert.Greater(t, yes, n/10)
			assert.Greater(t, no, n/10)
			assert.Greater(t, refused, n)
		})
	}
}
