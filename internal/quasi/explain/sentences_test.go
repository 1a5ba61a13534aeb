package explain_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/explain"
	"github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func relaxedQueue(t *testing.T, h *history.History, r *quasi.Question) (*model.Instance, *proof.Displacement) {
	s, _ := specs.Lookup("queue")
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	a, err := monitor.New().Check(context.Background(), &engine.Task{Instance: b, Quasi: r}, nil)
	require.NoError(t, err)
	refutation, _ := a.Proof.(*proof.Displacement)
	return b, refutation
}

func shortName(i history.OpID) string { return fmt.Sprintf("#%d", i) }

func TestQuasiSentencesReadWell(t *testing.T) {
	h, err := history.Read(strings.NewReader(`{"spec": "queue", "operations": [
		{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1},
		{"process": 0, "f": "enq", "arg": 2, "call": 2, "return": 3},
		{"process": 0, "f": "enq", "arg": 3, "call": 4, "return": 5},
		{"process": 0, "f": "deq", "result": 3, "call": 6, "return": 7},
		{"process": 0, "f": "deq", "result": 2, "call": 8, "return": 9},
		{"process": 0, "f": "deq", "result": 1, "call": 10, "return": 11}]}`), history.ReadOptions{})
	require.NoError(t, err)
	r := &quasi.Question{Factor: quasi.Factor{0, 1, 0}, Drain: true}
	b, refutation := relaxedQueue(t, h, r)
	require.NotNil(t, refutation)
	sentences, operations, err := explain.Sentences(b, r, refutation, shortName)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"CONTRADICTION: #3 is the 2nd removal or later [1], and the 1st removal or earlier (2 removals are called " +
			"after it returns, of 3).",
		"1. #3 is the 2nd removal or later, since its value, that of #2, is due at the 3rd removal or later (2 " +
			"values are put in before it), and at bound 1 they differ by 1 at most.",
		"(A value is due at the removal that takes it in ρ″.)",
	}, claim.Texts(sentences))
	assert.Equal(t, []history.OpID{2, 3}, operations)
}

// Every refutation can be told: the contradiction comes first, a step refers to earlier ones only,
// all numbers are told, and what a step rests on is what earlier steps say.
func TestEveryQuasiRefutationHasSentences(t *testing.T) {
	n := uint64(testenv.Scale(3000, 60_000))
	reference := regexp.MustCompile(`\[(\d+)\]`)
	told, rules, arithmetic := 0, map[proof.DisplacementRule]int{}, map[string]int{}
	for seed := range n {
		o := gen.SmallOptions{Most: 12, Keys: 1, NoEdges: true, Distinct: true, NoPending: seed%2 == 0,
			Relax: int(seed % 4)}
		if seed%10 == 0 {
			o.Most, o.Exact, o.Relax = 60, true, 3+int(seed%7)
		}
		h, err := gen.Small("queue", seed, o)
		require.NoError(t, err)
		r := &quasi.Question{Factor: quasi.Factor{0, int32(seed % 3), 0}, Meaning: quasi.Meaning(seed / 3 % 2),
			Drain: seed%5 < 3}
		b, refutation := relaxedQueue(t, h, r)
		if refutation == nil {
			continue
		}
		told++
		refutation, trace, err := verify.Trace(b, r, refutation)
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, verify.Displacement(context.Background(), b, r, refutation), "seed %d: tightened", seed)
		for k, uses := range trace {
			rules[refutation.Steps[k].Rule]++
			for _, p := range uses {
				if p.Step < 0 {
					continue
				}
				require.Less(t, p.Step, k, "seed %d", seed)
				s := refutation.Steps[p.Step]
				require.Equal(t, [4]any{s.Op, s.Place, s.Upper, s.Value}, [4]any{p.Op, p.Place, p.Upper, p.At},
					"seed %d, step %d", seed, k)
			}
		}
		said, operations, err := explain.Sentences(b, r, refutation, shortName)
		require.NoError(t, err, "seed %d", seed)
		sentences := claim.Texts(said)
		require.True(t, strings.HasPrefix(sentences[0], "CONTRADICTION: "), "seed %d", seed)
		addUp(t, seed, b, sentences, arithmetic)
		number := 0
		for k, x := range sentences {
			if _, err := fmt.Sscanf(x, "%d. ", new(int)); err == nil {
				number++
				require.True(t, strings.HasPrefix(x, strconv.Itoa(number)+". "), "seed %d: %s", seed, x)
			}
			for _, m := range reference.FindAllStringSubmatch(x, -1) {
				at, _ := strconv.Atoi(m[1])
				require.True(t, k == 0 || at < number, "seed %d: %s", seed, x)
			}
			require.NotContains(t, x, "%!", "seed %d", seed)
			require.NotContains(t, x, "  ", "seed %d", seed)
		}
		require.LessOrEqual(t, number, 7)
		require.True(t, slices.IsSorted(operations))
	}
	t.Logf("%d refutations told; steps by rule: %v; numbers checked: %v", told, rules, arithmetic)
	for _, rule := range []proof.DisplacementRule{proof.RuleDisplacement, proof.RuleOrder, proof.RuleEmptyBefore,
		proof.RuleEmptyAfter, proof.RuleInverted, proof.RuleNeverInserted, proof.RuleRemovedTwice} {
		assert.Greater(t, rules[rule], testenv.MoreThan(0), "%v", rule)
	}
}
