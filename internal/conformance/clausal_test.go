package conformance_test

import (
	"context"
	"errors"
	"testing"

	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
)

// formulas compares the verifier's formula with an answer of the definition: it can be satisfied
// exactly if the partition can be explained. Every refutation is verified.
type formulas struct {
	*testing.T
	decided, refuted int
}

func (c *formulas) compare(b *model.Instance, q *quasi.Question, want bool, seed uint64) {
	f, err := clausal.Build(b, q)
	if errors.Is(err, clausal.ErrUnsupported) {
		return
	}
	require.NoError(c, err, "seed %d", seed)
	c.decided++
	status, lemmas, _ := cdcl.Refute(context.Background(), f)
	if want {
		require.Equal(c, cdcl.Satisfied, status, "seed %d %v: %s", seed, q, show(b.Partition.History))
		return
	}
	require.Equal(c, cdcl.Refuted, status, "seed %d %v: %s", seed, q, show(b.Partition.History))
	c.refuted++
	p := &proof.Clausal{Clauses: f.Len(), Lemmas: lemmas}
	require.NoError(c, verify.Proof(context.Background(), q, b, p), "seed %d", seed)
}

// TestClausalFormulasAgreeWithTheDefinition compares the formulas of clausal proofs with the
// definition, in both directions, on small random histories of every specification with a formula:
// pending operations, repeated values, empty results, initial contents, explicit order.
func TestClausalFormulasAgreeWithTheDefinition(t *testing.T) {
	n := uint64(testenv.Scale(400, 20_000))
	for _, name := range []string{"register", "cas-register", "mutex", "queue", "stack", "priority-queue",
		"unordered-queue", "deque"} {
		t.Run(name, func(t *testing.T) {
			s := testkit.Spec(t, name)
			c := &formulas{T: t}
			for seed := range n {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 8})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				linear, _ := oracle.Linearizable(b)
				c.compare(b, nil, linear, seed)
			}
			t.Logf("%d decided, %d refuted", c.decided, c.refuted)
			assert.Greater(t, c.refuted, int(n/10))
		})
	}
}

// TestQuasiClausalFormulasAgreeWithTheDefinition is the same under factors: both meanings, drained
// and not, with and without causality, bounds 0 to 3.
func TestQuasiClausalFormulasAgreeWithTheDefinition(t *testing.T) {
	n := uint64(testenv.Scale(150, 20_000))
	for _, name := range []string{"queue", "stack", "priority-queue", "deque"} {
		t.Run(name, func(t *testing.T) {
			s := testkit.Spec(t, name)
			a := &agreement{T: t, spec: s}
			c := &formulas{T: t}
			for seed := range n {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, Relax: int(seed % 4)})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				for _, drain := range []bool{true, false} {
					for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
						for _, k := range []int32{0, 1, 2, quasi.Unbounded} {
							q := a.question(seed, k, drain, meaning)
							if _, err := clausal.Build(b, &q); err != nil {
								continue
							}
							want, _, _ := oracle.QuasiLinearizable(b, q)
							c.compare(b, &q, want, seed)
						}
					}
				}
			}
			t.Logf("%d decided, %d refuted", c.decided, c.refuted)
			assert.Greater(t, c.refuted, testenv.MoreThan(int(n)))
			assert.Greater(t, c.decided-c.refuted, testenv.MoreThan(int(n)))
		})
	}
}
