package txn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

func builtIn() solver.Solver { return gini.New() }

// small binds a random history of transactions; nil if its operations touch one register each. Half
// of them are those of package gen, the others have no order in which they were made.
func small(t *testing.T, seed uint64) *model.Instance {
	rng := rand.New(rand.NewPCG(seed, 71))
	var h *history.History
	var err error
	if seed%2 == 0 {
		h, err = gen.Small("multi-register", seed, gen.SmallOptions{NoEdges: rng.IntN(3) > 0,
			Most: 5 + rng.IntN(4), Keys: 3})
	} else {
		h, err = history.Read(strings.NewReader(unmade(rng)), history.ReadOptions{})
	}
	require.NoError(t, err)
	b, err := specs.MultiRegister().Bind(model.Whole(h))
	require.NoError(t, err)
	if !Applies(b) {
		return nil
	}
	return b
}

// unmade writes concurrent transactions with random results, some of which never return.
func unmade(rng *rand.Rand) string {
	registers, values, long := 2+rng.IntN(2), 2+rng.IntN(3), 1+rng.IntN(20)
	var ops []string
	for i := range 4 + rng.IntN(4) {
		var arg, result []string
		for range 1 + rng.IntN(3) {
			name, value := rng.IntN(registers), rng.IntN(values)
			if rng.IntN(2) == 0 {
				arg, result = append(arg, fmt.Sprintf(`["r", "k%d", null]`, name)),
					append(result, fmt.Sprintf(`["r", "k%d", %d]`, name, value))
				continue
			}
			write := fmt.Sprintf(`["w", "k%d", %d]`, name, value)
			arg, result = append(arg, write), append(result, write)
		}
		call := rng.IntN(8)
		op := fmt.Sprintf(`{"process": %d, "f": "txn", "arg": [%s], "call": %d`, i, strings.Join(arg, ", "), call)
		switch rng.IntN(8) {
		case 0:
			op += "}"
		case 1:
			op += fmt.Sprintf(`, "return": %d, "result": null}`, call+1+rng.IntN(long))
		default:
			op += fmt.Sprintf(`, "return": %d, "result": [%s]}`, call+1+rng.IntN(long), strings.Join(result, ", "))
		}
		ops = append(ops, op)
	}
	return `{"spec": "multi-register", "initial": {"k0": 0, "k1": 0}, "operations": [` + strings.Join(ops, ", ") + `]}`
}

// TestAgreesWithTheDefinition decides small histories of transactions, with pending operations,
// forgotten results, values that repeat and explicit order, and compares the verdict with brute
// force. The verifier replays each witness and accepts each proof, and refuses it of histories that
// are linearizable.
func TestAgreesWithTheDefinition(t *testing.T) {
	ctx := context.Background()
	seeds := 60_000
	if !testenv.Full() {
		seeds = 6_000
	}
	var lawful []*model.Instance
	yes, no, choices, decided, found := 0, 0, 0, 0, 0
	for seed := range uint64(seeds) {
		b := small(t, seed)
		if b == nil {
			continue
		}
		want, _ := oracle.Linearizable(b)
		about := func() string { return randomspec.Show(b.Partition) }
		forced, _ := Forced(ctx, &engine.Problem{Instance: b}, nil)
		a := decide(ctx, b, nil, builtIn)
		if order := digest(b).beamed(ctx); order != nil {
			found++
			require.NoError(t, verify.Witness(b, order), "seed %d\n%s", seed, about())
		}
		if forced.Verdict != engine.Unknown {
			decided++
			require.Equal(t, a.Verdict, forced.Verdict, "seed %d\n%s", seed, about())
		}
		if !want {
			require.Equal(t, engine.NotLinearizable, a.Verdict, "seed %d\n%s", seed, about())
			no++
			require.NotNil(t, a.Proof, "seed %d\n%s", seed, about())
			require.NoError(t, verify.Proof(ctx, nil, b, a.Proof), "seed %d\n%s\n%+v", seed, about(), a.Proof)
			d := a.Proof.(*proof.DependencyCycles)
			if len(d.Lemmas) > 1 {
				choices++
			}
			for _, other := range lawful {
				require.Error(t, verify.Proof(ctx, nil, other, d), "seed %d", seed)
			}
			continue
		}
		require.Equal(t, engine.Linearizable, a.Verdict, "seed %d\n%s\n%+v", seed, about(), a.Proof)
		require.NoError(t, verify.Witness(b, a.Witness), "seed %d\n%s", seed, about())
		yes++
		if lawful = append(lawful, b); len(lawful) > 40 {
			lawful = lawful[1:]
		}
	}
	t.Log(yes, "linearizable,", no, "not,", choices, "by choices;", decided, "without choices;", found,
		"by the beam")
	require.Greater(t, min(yes, no), seeds/10)
	require.Positive(t, choices)
	require.Greater(t, found, yes/2)
}
