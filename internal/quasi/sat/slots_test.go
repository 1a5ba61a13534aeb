package sat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

func newQuasiSolver() solver.Solver { return gini.New() }

// relaxedBound binds a generated history whole.
func relaxedBound(t testing.TB, name string, seed uint64, o gen.SmallOptions) *model.Instance {
	t.Helper()
	h, err := gen.Small(name, seed, o)
	require.NoError(t, err)
	s := testkit.Spec(t, name)
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}

func dumpPart(b *model.Instance) string {
	text := ""
	v := b.Partition.History.Values
	for i, o := range b.Partition.Ops {
		result := v.Format(o.Result)
		if o.Unknown {
			result = "?"
		}
		text += fmt.Sprintf("  #%d [%d,%d] key %d %s %s -> %s\n", i, o.Call, o.Return, o.Key, v.Format(o.F),
			v.Format(o.Arg), result)
	}
	if b.Partition.HasInitial {
		text += "  initial " + v.Format(b.Partition.Initial) + "\n"
	}
	return text + fmt.Sprint("  edges ", b.Partition.Edges)
}

// relaxedVerdict asks the engine, about all operations at once and about two at a time, and checks
// what it says of itself.
func relaxedVerdict(t testing.TB, b *model.Instance, relax *quasi.Question, where func() string) bool {
	t.Helper()
	whole := engineVerdict(t, &Engine{factory: newQuasiSolver}, b, relax, where)
	if pieces := engineVerdict(t, &Engine{newQuasiSolver, 2}, b, relax, where); pieces != whole {
		require.Equal(t, whole, pieces, "%s, in pieces", where())
	}
	return whole
}

func engineVerdict(t testing.TB, e *Engine, b *model.Instance, relax *quasi.Question, where func() string) bool {
	t.Helper()
	a, err := e.Check(context.Background(), &engine.Task{Instance: b, Quasi: relax}, nil)
	if err != nil {
		require.NoError(t, err, where())
	}
	if a.Verdict == engine.Unknown {
		require.Fail(t, "unknown", "%v %s %s", a.Cause, a.Detail, where())
	}
	if a.Verdict != engine.Linearizable {
		return false
	}
	if err := verify.Rearrangement(b, relax, a.Witness, a.Rearranged, a.Drains); err != nil {
		require.NoError(t, err, where())
	}
	if err := oracle.ReplayQuasi(b, *relax, a.Witness, a.Rearranged); err != nil {
		require.NoError(t, err, where())
	}
	return true
}

var relaxedSpecs = []string{"queue", "stack", "priority-queue"}

// smallRelaxed are the kinds of small histories under a relaxation.
var smallRelaxed = []struct {
	name      string
	options   gen.SmallOptions
	causal    bool
	peeks     bool // bounds of peeks too, where the meaning is classes
	insert    bool // bounds of insertions, too
	histories int  // of each specification
}{
	{"distinct", gen.SmallOptions{Most: 7, Keys: 1, Distinct: true, NoPending: true, NoEdges: true, Relax: 2}, false,
		false, false, 6000},
	{"repeated", gen.SmallOptions{Most: 7, Keys: 1, NoPending: true, NoEdges: true, Relax: 1}, false,
		false, false, 4000},
	{"pending", gen.SmallOptions{Most: 6, Keys: 1, NoEdges: true, Relax: 1}, false, false, false, 4000},
	{"edges and objects", gen.SmallOptions{Most: 6, Relax: 1}, false, false, false, 3000},
	{"causal", gen.SmallOptions{Most: 6, Relax: 2}, true, false, false, 1500},
	{"insertions", gen.SmallOptions{Most: 6, Relax: 1}, false, false, true, 1500},
	{"peeks", gen.SmallOptions{Most: 6, Relax: 1}, false, true, true, 1000},
}

func TestRelaxedQuestionsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range relaxedSpecs {
		for _, c := range smallRelaxed {
			t.Run(name+" "+c.name, func(t *testing.T) {
				var count [2]int
				for seed := range uint64(testenv.Scale(c.histories/80, c.histories)) {
					r := rand.New(rand.NewPCG(seed, 11))
					b := relaxedBound(t, name, seed, c.options)
					for _, drain := range []bool{false, true} {
						for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
							factor := quasi.Factor{0, 0, 0}
							if c.insert {
								factor[0] = r.Int32N(3)
								if r.IntN(6) == 0 {
									factor[0] = quasi.Unbounded
								}
							}
							if c.peeks && meaning == quasi.Classes {
								factor[2] = r.Int32N(3)
							}
							yes := false
							for _, k := range []int32{0, 1, 2, 3, 4, quasi.Unbounded} {
								factor[1] = k
								relax := &quasi.Question{Factor: factor, Meaning: meaning, Drain: drain,
									Causal: c.causal}
								where := func() string {
									return fmt.Sprintf("seed %d, %v, %v, drain %v, causal %v\n%s", seed, factor,
										meaning, drain, c.causal, dumpPart(b))
								}
								if !yes { // what is accepted at K is accepted at K+1
									yes, _, _ = oracle.QuasiLinearizable(b, *relax)
								}
								if got := relaxedVerdict(t, b, relax, where); got != yes {
									require.Equal(t, yes, got, where())
								}
								if yes {
									count[1]++
								} else {
									count[0]++
								}
							}
						}
					}
				}
				t.Logf("%d yes, %d no", count[1], count[0])
				require.Greater(t, count[0], testenv.MoreThan(0))
				require.Greater(t, count[1], testenv.MoreThan(0))
			})
		}
	}
}

// TestInsertionsThatChangePlacesAgreeWithTheDefinition asks about histories in which the order of
// two insertions of ρ″ is a literal, whatever the size of the sample above.
func TestInsertionsThatChangePlacesAgreeWithTheDefinition(t *testing.T) {
	for _, name := range relaxedSpecs {
		var count [2]int
		for seed := range uint64(8) {
			b := relaxedBound(t, name, seed, gen.SmallOptions{Most: 5, Keys: 1, NoEdges: true, Relax: 1})
			for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
				for _, factor := range []quasi.Factor{{1, 0, 0}, {2, 1, 0}} {
					relax := &quasi.Question{Factor: factor, Meaning: meaning, Drain: true}
					where := func() string {
						return fmt.Sprintf("%s, seed %d, %v, %v\n%s", name, seed, factor, meaning, dumpPart(b))
					}
					yes, _, _ := oracle.QuasiLinearizable(b, *relax)
					require.Equal(t, yes, relaxedVerdict(t, b, relax, where), where())
					if yes {
						count[1]++
					} else {
						count[0]++
					}
				}
			}
		}
		require.Positive(t, count[0], name)
		require.Positive(t, count[1], name)
	}
}
