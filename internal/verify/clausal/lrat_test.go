package clausal_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
)

// bound is a generated history, bound to its specification.
func bound(t *testing.T, o gen.Options) *model.Instance {
	g, err := gen.Generate(o)
	require.NoError(t, err)
	s := testkit.Spec(t, o.Spec)
	b, err := s.Bind(model.Whole(g.History))
	require.NoError(t, err)
	return b
}

// refuted is a formula with its refutation.
func refuted(t *testing.T, b *model.Instance, q *quasi.Question) (*clausal.Formula, []proof.Lemma) {
	f, err := clausal.Build(b, q)
	require.NoError(t, err)
	status, lemmas, _ := cdcl.Refute(context.Background(), f)
	require.Equal(t, cdcl.Refuted, status)
	require.NoError(t, f.Check(context.Background(), lemmas))
	return f, lemmas
}

// follows reports whether a clause follows from clauses by unit propagation, written anew: it looks
// at all clauses until nothing changes.
func follows(clauses [][]int32, lemma []int32) bool {
	holds := map[int32]bool{}
	for _, l := range lemma {
		holds[-l] = true
	}
	for changed := true; changed; {
		changed = false
		for _, c := range clauses {
			open, sat := []int32(nil), false
			for _, l := range c {
				sat = sat || holds[l]
				if !holds[-l] && !holds[l] && !slices.Contains(open, l) {
					open = append(open, l)
				}
			}
			switch {
			case sat:
			case len(open) == 0:
				return true
			case len(open) == 1:
				holds[open[0]], changed = true, true
			}
		}
	}
	return false
}

// formulaAnd lists the clauses of a formula and of lemmas.
func formulaAnd(f *clausal.Formula, lemmas []proof.Lemma) (clauses [][]int32) {
	for c := range f.Len() {
		clauses = append(clauses, f.Clause(c))
	}
	for _, l := range lemmas {
		clauses = append(clauses, l.Clause)
	}
	return clauses
}

// TestForgedProofsAreRefused changes every line of a proof: a literal, a hint, a line left out,
// exchanged, or added. What is accepted follows nevertheless, by propagation in all clauses; a
// proof without its end, of another formula, or with a lemma from nowhere is refused.
func TestForgedProofsAreRefused(t *testing.T) {
	b := bound(t, gen.Options{Spec: "priority-queue", Operations: 60, Processes: 6, Relax: 4, Seed: 3})
	q := &quasi.Question{Factor: quasi.Factor{0, 2, 0}, Drain: true}
	f, lemmas := refuted(t, b, q)
	require.Greater(t, len(lemmas), 20)
	rng := rand.New(rand.NewPCG(3, 4))
	ctx := context.Background()
	refusedLines, accepted := 0, 0
	for k := range lemmas {
		for _, forge := range []func([]proof.Lemma) []proof.Lemma{
			func(p []proof.Lemma) []proof.Lemma { return slices.Delete(p, k, k+1) },
			func(p []proof.Lemma) []proof.Lemma { p[k].Hints = nil; return p },
			func(p []proof.Lemma) []proof.Lemma {
				j := rng.IntN(len(p[k].Hints))
				p[k].Hints = slices.Delete(slices.Clone(p[k].Hints), j, j+1)
				return p
			},
			func(p []proof.Lemma) []proof.Lemma {
				p[k].Hints = slices.Clone(p[k].Hints)
				p[k].Hints[rng.IntN(len(p[k].Hints))] = int32(1 + rng.IntN(f.Len()+k))
				return p
			},
			func(p []proof.Lemma) []proof.Lemma {
				p[k].Hints = append(slices.Clone(p[k].Hints), int32(f.Len()+k+1))
				return p
			},
			func(p []proof.Lemma) []proof.Lemma {
				p[k].Clause = slices.Clone(p[k].Clause)
				if n := len(p[k].Clause); n > 0 {
					p[k].Clause = slices.Delete(p[k].Clause, 0, 1)
				} else {
					p[k].Clause = []int32{1}
				}
				return p
			},
			func(p []proof.Lemma) []proof.Lemma {
				p[k].Clause = slices.Clone(p[k].Clause)
				if n := len(p[k].Clause); n > 0 {
					p[k].Clause[rng.IntN(n)] *= -1
				} else {
					p[k].Hints = p[k].Hints[1:]
				}
				return p
			},
			func(p []proof.Lemma) []proof.Lemma {
				return slices.Insert(p, k,
					proof.Lemma{Clause: []int32{int32(1+rng.IntN(f.Vars())) * int32(1-2*rng.IntN(2))}})
			},
		} {
			forged := forge(slices.Clone(lemmas))
			if f.Check(ctx, forged) != nil {
				refusedLines++
				continue
			}
			accepted++
			if k < len(forged) {
				clauses := formulaAnd(f, forged[:k])
				require.True(t, follows(clauses, forged[k].Clause), "line %d", k)
			}
		}
	}
	t.Logf("%d lemmas: %d forged proofs refused, %d still proofs", len(lemmas), refusedLines, accepted)
	assert.Greater(t, refusedLines, 4*len(lemmas))
	require.Error(t, f.Check(ctx, lemmas[:len(lemmas)-1]), "without its end")
	require.Error(t, f.Check(ctx, nil))
	for _, l := range []int32{0, int32(f.Vars()) + 1, -int32(f.Vars()) - 1} {
		require.ErrorContains(t, f.Check(ctx, []proof.Lemma{{Clause: []int32{l}, Hints: []int32{1}},
			{Hints: []int32{1}}}), "no variable")
	}
	for _, h := range []int32{0, -1, int32(f.Len()) + 1} {
		require.ErrorContains(t, f.Check(ctx, []proof.Lemma{{Hints: []int32{h}}}), "no clause before it")
	}
	require.ErrorContains(t, f.Check(ctx, []proof.Lemma{{Clause: []int32{1, -1}, Hints: []int32{1}},
		{Hints: []int32{1}}}), "its negation")
	done, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, f.Check(done, lemmas), context.Canceled)
	// The same lemmas prove nothing of the history that allows one place more.
	q.Factor[1] = 4
	g, err := clausal.Build(b, q)
	require.NoError(t, err)
	require.Error(t, g.Check(ctx, lemmas))
}

// TestProofsOfOtherHistoriesAreRefused: no proof about one history is accepted for one that can be
// explained, whatever the number of clauses.
func TestProofsOfOtherHistoriesAreRefused(t *testing.T) {
	var proofs [][]proof.Lemma
	var satisfied []*clausal.Formula
	for seed := range uint64(60) {
		for _, name := range []string{"queue", "stack", "register", "priority-queue"} {
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 8, NoEdges: true})
			require.NoError(t, err)
			s, _ := specs.Lookup(name)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			f, err := clausal.Build(b, nil)
			if err != nil {
				continue
			}
			if status, lemmas, _ := cdcl.Refute(context.Background(), f); status == cdcl.Refuted {
				proofs = append(proofs, lemmas)
			} else {
				satisfied = append(satisfied, f)
			}
		}
	}
	require.Greater(t, len(proofs), 20)
	require.Greater(t, len(satisfied), 20)
	for _, f := range satisfied {
		for _, lemmas := range proofs {
			require.Error(t, f.Check(context.Background(), lemmas))
		}
	}
}

// TestWrittenFormula: the files have a comment and a line for each clause, and a line for each
// lemma.
func TestWrittenFormula(t *testing.T) {
	b := bound(t, gen.Options{Spec: "register", Operations: 30, Processes: 4, Seed: 1, Violation: "stale"})
	f, lemmas := refuted(t, b, nil)
	var cnf, lrat, drat strings.Builder
	require.NoError(t, f.WriteDIMACS(&cnf, func(op history.OpID) string { return b.Partition.ID(op) }))
	require.NoError(t, clausal.WriteLRAT(&lrat, f.Len(), lemmas))
	require.NoError(t, clausal.WriteDRAT(&drat, lemmas))
	lines := strings.Split(strings.TrimSpace(cnf.String()), "\n")
	require.Len(t, lines, 2*f.Len()+1)
	assert.Regexp(t, `^c 1 [a-z ,]+( #\d+)*$`, lines[0])
	assert.Regexp(t, `^p cnf \d+ \d+$`, lines[f.Len()])
	assert.Len(t, strings.Split(strings.TrimSpace(lrat.String()), "\n"), len(lemmas))
	assert.Regexp(t, `(^|\n)\d+ 0 [0-9 ]*0\n$`, lrat.String())
	assert.True(t, strings.HasSuffix("\n"+drat.String(), "\n0\n"))
}
