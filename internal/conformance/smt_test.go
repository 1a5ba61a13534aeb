package conformance_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/sat"
	quasiverify "github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/smt"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/solver/process"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
)

// decides has an engine decide, and compares its answer with the definition. It returns whether the
// engine supports the question.
func decides(t *testing.T, e engine.Decider, b *model.Instance, q *quasi.Question, want bool, seed uint64) bool {
	a, err := e.Check(context.Background(), &engine.Task{Instance: b, Quasi: q}, engine.NewBudget(0, 0))
	require.NoError(t, err, "%s seed %d", e.Name(), seed)
	if a.Verdict == engine.Unknown {
		require.Equal(t, engine.Unsupported, a.Cause, "%s seed %d: %s", e.Name(), seed, a.Detail)
		return false
	}
	require.Equal(t, want, a.Verdict == engine.Linearizable, "%s seed %d %v: %s", e.Name(), seed, q,
		show(b.Partition.History))
	switch {
	case !want:
	case q == nil:
		require.NoError(t, verify.Witness(b, a.Witness), "%s seed %d: %s", e.Name(), seed, show(b.Partition.History))
	default:
		require.NoError(t, quasiverify.Rearrangement(b, q, a.Witness, a.Rearranged, a.Drains), "%s seed %d %v: %s",
			e.Name(), seed, q, show(b.Partition.History))
	}
	return true
}

// The SMT encoding under each installed program is compared, per theory, with the definition and
// with clauses under gini, on random small histories; every order that a model gives is replayed.
// Under a factor each history is asked one question. In a sample, z3 gets most of them: the others
// read the same script, so that what they are asked for is whether they understand it.
func TestSMTAgreesWithTheDefinition(t *testing.T) {
	for k, program := range process.Scripts() {
		n := uint64(testenv.Scale(60, 20_000))
		if k > 0 {
			n = uint64(testenv.Scale(18, 20_000))
		}
		e, err := smt.New(program)
		if err != nil {
			t.Logf("%s is not installed", program)
			if program == "z3" {
				testenv.Missing(t, testenv.Solvers, err)
			}
			continue
		}
		gini := func() solver.Solver { return gini.New() }
		for _, name := range []string{"register", "cas-register", "counter", "queue", "stack", "priority-queue"} {
			t.Run(program+"/"+name, func(t *testing.T) {
				s := testkit.Spec(t, name)
				asked, refused, supported := 0, 0, 0
				_, relaxable := map[string]bool{"queue": true, "stack": true, "priority-queue": true}[name]
				a := &agreement{T: t, spec: s}
				for seed := range n {
					h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, Relax: int(seed % 3)})
					require.NoError(t, err)
					b, err := s.Bind(model.Whole(h))
					require.NoError(t, err)
					want, _ := oracle.Linearizable(b)
					asked++
					if !want {
						refused++
					}
					if decides(t, e, b, nil, want, seed) {
						supported++
					}
					decides(t, engine.For(engine.Open(encode.New(gini))), b, nil, want, seed)
					if !relaxable {
						continue
					}
					q := a.question(seed, []int32{0, 1, 2, quasi.Unbounded}[seed/2%4], seed%3 > 0,
						quasi.Meaning(seed/7%2))
					want, _, _ = oracle.QuasiLinearizable(b, q)
					asked++
					if !want {
						refused++
					}
					if decides(t, e, b, &q, want, seed) {
						supported++
					}
					decides(t, sat.New(gini), b, &q, want, seed)
				}
				t.Logf("%d questions, %d of them violations; %d supported", asked, refused, supported)
				assert.Greater(t, supported, testenv.MoreThan(asked/2))
				assert.Greater(t, refused, testenv.MoreThan(asked/10))
			})
		}
	}
}
