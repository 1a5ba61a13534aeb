package conformance_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// quasiQuestion draws a question about s: both meanings, drained or not, bounds 0 to 2, at times
// for every class, at times causal.
func quasiQuestion(rng *rand.Rand, s model.Spec) quasi.Question {
	classes := s.Info().Classes
	r := quasi.Question{Factor: make(quasi.Factor, len(classes)), Meaning: quasi.Meaning(rng.IntN(2)),
		Drain:  rng.IntN(2) == 0,
		Causal: rng.IntN(5) == 0 && s.Info().Drain != ""}
	bound, all := int32(rng.IntN(3)), rng.IntN(6) == 0
	for c := range classes {
		if classes[c].Relaxable || all {
			r.Factor[c] = bound
		}
	}
	return r
}

// Every no under a factor is certified on small histories, and its certificate survives being
// written and read. Its core is minimal by the definition: it refuses what the core leaves, and
// accepts that with any fact of the core forgotten. Certificates that are altered are refused, or
// what they say is true by the definition.
func TestQuasiViolationsAreVerified(t *testing.T) {
	n := uint64(testenv.Scale(100, 4000))
	noes, exhausted, minimal, refused, kept := 0, 0, 0, 0, 0
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "counter"} {
		s, _ := specs.Lookup(name)
		for seed := range n {
			rng := rand.New(rand.NewPCG(seed, 23))
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6 + 2*int(seed%10/9), Relax: int(seed % 4)})
			require.NoError(t, err)
			relax := quasiQuestion(rng, s)
			r, err := linsat.Check(context.Background(), s, h, linsat.Quasi(relax))
			require.NoError(t, err, "%s seed %d %+v", name, seed, relax)
			if r.Verdict != engine.NotLinearizable {
				continue
			}
			noes++
			require.True(t, r.Certified, "%s seed %d %+v: %s", name, seed, relax, r.Uncertified)
			if full(&r).Proof.Kind() == proof.KindExhaustion {
				exhausted++
				require.NotNil(t, full(&r).Core, "%s seed %d %+v", name, seed, relax)
				if full(&r).Core.Minimal {
					minimal++
				}
				if relax.Plain() {
					checkMinimal(t, full(&r), bySpecification, fmt.Sprintf("%s seed %d %+v", name, seed, relax))
				} else {
					minimalByDefinition(t, full(&r).Instance(), relax, full(&r).Core, name, seed)
				}
			}
			c, err := linsat.Certify(h, &r)
			require.NoError(t, err)
			var text bytes.Buffer
			_, err = c.WriteTo(&text)
			require.NoError(t, err)
			again, err := linsat.ReadCertificate(strings.NewReader(text.String()))
			require.NoError(t, err)
			require.NoError(t, linsat.Verify(context.Background(), s, h, again, linsat.Quasi(relax)), "%s seed %d\n%s",
				name, seed, &text)
			for range 8 {
				bad, err := linsat.ReadCertificate(strings.NewReader(altered(rng, text.String())))
				if err != nil || linsat.Verify(context.Background(), s, h, bad, linsat.Quasi(relax)) != nil {
					refused++
					continue
				}
				kept++
				whole, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				really, _, _ := oracle.QuasiLinearizable(whole, relax)
				require.Equal(t, really, bad.Verdict() == engine.Linearizable,
					"%s seed %d: an altered certificate proves what is wrong", name, seed)
			}
		}
	}
	t.Logf("%d noes, %d by trying everything, %d minimal cores; %d altered certificates refused, %d still true", noes,
		exhausted, minimal, refused, kept)
	assert.Greater(t, noes, int(n))
	assert.Greater(t, minimal, int(n)/2)
	assert.Greater(t, refused, noes)
}

// bySpecification is the definition of linearizability.
func bySpecification(b *model.Instance) engine.Verdict {
	if ok, _ := oracle.Linearizable(b); ok {
		return engine.Linearizable
	}
	return engine.NotLinearizable
}

// minimalByDefinition compares a core with the definition.
func minimalByDefinition(t *testing.T, b *model.Instance, relax quasi.Question, core *explain.Core,
	name string, seed uint64) {
	accepted := func(weakening *proof.Weakening) bool {
		weak, err := base.Weakened(b, weakening)
		require.NoError(t, err)
		ok, _, _ := oracle.QuasiLinearizable(weak, relax)
		return ok
	}
	require.False(t, accepted(core.Weakening), "%s seed %d %+v: the core %v can be rearranged", name, seed, relax,
		core.Weakening.Retain)
	if !core.Minimal {
		return
	}
	for _, f := range core.Facts {
		less := &proof.Weakening{Cut: history.Never, Retain: slices.Clone(core.Weakening.Retain)}
		less.Retain[f.Operations[0]] = map[explain.FactKind]proof.Retained{explain.ResultFact: proof.RetainResponse,
			explain.ResponseFact: proof.RetainCall}[f.Kind]
		require.True(t, accepted(less), "%s seed %d %+v: the core %v can do without %v", name, seed, relax,
			core.Weakening.Retain, f)
	}
}

// altered changes a character or two of a certificate, digits mostly.
func altered(rng *rand.Rand, text string) string {
	b := []byte(text)
	for range 1 + rng.IntN(2) {
		at := rng.IntN(len(b))
		for tries := 0; tries < 200 && rng.IntN(12) > 0 && (b[at] < '0' || b[at] > '9'); tries++ {
			at = rng.IntN(len(b))
		}
		b[at] = "0123456789-,tf"[rng.IntN(14)]
	}
	return string(b)
}

// That the least bound cannot be less is certified, too, on small histories.
func TestLeastBoundsAreVerified(t *testing.T) {
	n := uint64(testenv.Scale(40, 1500))
	least := map[int32]int{}
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "counter"} {
		s, _ := specs.Lookup(name)
		for seed := range n {
			rng := rand.New(rand.NewPCG(seed, 29))
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, Relax: int(seed % 4)})
			require.NoError(t, err)
			relax := quasiQuestion(rng, s)
			request, err := quasi.Parse(s.Info(), "min")
			require.NoError(t, err)
			relax.Factor, relax.Free = request.Factor, request.Free
			r, err := linsat.Check(context.Background(), s, h, linsat.Quasi(relax))
			require.NoError(t, err, "%s seed %d", name, seed)
			require.True(t, r.Certified, "%s seed %d: %s", name, seed, r.Uncertified)
			require.True(t, r.Least.Settled(), "%s seed %d", name, seed)
			require.True(t, r.Least.Low == 0 || r.Least.Certified, "%s seed %d", name, seed)
			least[r.Least.Low]++
		}
	}
	t.Logf("histories by least bound: %v", least)
	assert.Greater(t, least[1], testenv.MoreThan(0))
	assert.Greater(t, least[2], testenv.MoreThan(0))
	assert.Greater(t, least[quasi.Unbounded], testenv.MoreThan(0))
}
