package check

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reads are the reads of each specification, by all names that generated histories use.
var reads = map[string][]string{"register": {"read"}, "cas-register": {"read"}, "kv": {"get"}, "set": {"contains"}}

// random returns a random small history; in a fifth of them some completed reads say nothing.
func random(t *testing.T, name string, seed uint64) *history.History {
	h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, NoEdges: true, Distinct: seed%2 == 0,
		All: seed%6 == 1})
	require.NoError(t, err, "seed %d", seed)
	r := rand.New(rand.NewPCG(38, seed))
	for i := range h.Ops {
		if o := &h.Ops[i]; seed%5 == 0 && slices.Contains(reads[name], text(h, o.F)) && r.IntN(3) == 0 {
			o.Unknown, o.Result = true, history.Nil
		}
	}
	return h
}

func text(h *history.History, v history.Value) string {
	s, _ := h.Values.AsString(v)
	return s
}

// defined is the definition: whether the answer is yes for every part, without explicit order.
func defined(t *testing.T, h *history.History, name string, q stale.Question) bool {
	sp, _ := specs.Lookup(name)
	untied := *h
	untied.Edges = nil
	for _, p := range model.Split(sp, &untied, model.ByKey) {
		b, err := sp.Bind(p)
		require.NoError(t, err)
		if len(b.Registers().Init) == 0 {
			continue // operations that touch nothing
		}
		read := func(op history.OpID) bool { return slices.Contains(reads[name], text(h, p.Ops[op].F)) }
		yes := false
		switch q.Kind {
		case stale.Late:
			yes, _, _ = oracle.StaleLinearizable(b, read, int(q.Bound))
		case stale.Moved:
			yes = oracle.MovedLinearizable(b, read, q.Bound)
		case stale.Regular:
			yes = oracle.Regular(b, read)
		case stale.WeaklyRegular:
			yes = oracle.WeaklyRegular(b, read)
		}
		if !yes {
			return false
		}
	}
	return true
}

// TestAnswersAreTheDefinitions compares the answers about random small histories with the
// definitions, and has the verifier judge every one of them. What implies what is checked, too.
func TestAnswersAreTheDefinitions(t *testing.T) {
	for name := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sp, _ := specs.Lookup(name)
			says := map[string]int{}
			n := testenv.Scale(400, 20_000)
			for seed := range uint64(n) {
				h := random(t, name, seed)
				x, err := stale.Of(sp, h)
				if err != nil {
					require.ErrorContains(t, err, "among stale reads", "seed %d", seed)
					continue
				}
				questions := []stale.Question{{Kind: stale.Late}, {Kind: stale.Late, Bound: 1},
					{Kind: stale.Late, Bound: 2}, {Kind: stale.Late, Bound: stale.Unbounded}, {Kind: stale.Moved},
					{Kind: stale.Moved, Bound: 1}, {Kind: stale.Moved, Bound: 4}, {Kind: stale.Moved, Bound: 1 << 40}}
				if x.OnlyReadsAndWrites() == nil {
					questions = append(questions, stale.Question{Kind: stale.WeaklyRegular},
						stale.Question{Kind: stale.Regular})
				}
				answers := map[stale.Question]bool{}
				for _, q := range questions {
					want := defined(t, h, name, q)
					if b := whole(t, name, h); len(h.Edges) > 0 && q.Kind <= stale.Moved && b != nil {
						want = inOrder(b, h, name, q)
					} else if len(h.Edges) > 0 && b != nil && len(x.Objects) == 1 {
						read := func(op history.OpID) bool { return slices.Contains(reads[name], text(h, h.Ops[op].F)) }
						want = q.Kind == stale.Regular && oracle.Regular(b, read) ||
							q.Kind == stale.WeaklyRegular && oracle.WeaklyRegular(b, read)
					}
					a := Ask(context.Background(), x, q)
					require.NoError(t, a.Refused, "seed %d, %v", seed, q)
					if len(h.Edges) > 0 && a.Verdict == Unknown {
						require.True(t, want || q.Kind > stale.Moved, "seed %d, %v: %s", seed, q, a.Unclear)
						says[kind(q)+" of a stated order: unknown, and "+fmt.Sprint(want)]++
						continue
					}
					if len(h.Edges) > 0 && q.Kind > stale.Moved {
						says[kind(q)+" of a stated order: "+fmt.Sprint(want)]++
					}
					require.Equal(t, want, a.Verdict == Holds, "seed %d, %v: %s", seed, q, a.Unclear)
					require.True(t, a.Certified, "seed %d, %v", seed, q)
					require.NotEqual(t, Unknown, a.Verdict)
					answers[q] = want
					says[kind(q)+": "+[]string{"unknown", "yes", "no"}[a.Verdict]+" by "+a.By]++
				}
				if len(h.Edges) > 0 {
					continue
				}
				implied(t, seed, questions, answers)
				if t.Failed() {
					return
				}
			}
			for _, key := range slices.Sorted(maps.Keys(says)) {
				t.Logf("%s: %d", key, says[key])
			}
		})
	}
}

func kind(q stale.Question) string {
	if q.Kind > stale.Moved {
		return q.String()
	}
	return map[stale.Kind]string{stale.Late: "late", stale.Moved: "moved"}[q.Kind]
}

// implied checks that a history that is linearizable has a yes to every question, and one that has
// a yes at a bound has it above that.
func implied(t *testing.T, seed uint64, questions []stale.Question, answers map[stale.Question]bool) {
	strict := answers[stale.Question{Kind: stale.Late}]
	assert.Equal(t, strict, answers[stale.Question{Kind: stale.Moved}], "seed %d", seed)
	for k, q := range questions {
		assert.False(t, strict && !answers[q], "seed %d: linearizable, but not %v", seed, q)
		if k > 0 && questions[k-1].Kind == q.Kind {
			assert.False(t, answers[questions[k-1]] && !answers[q], "seed %d: not %v", seed, q)
		}
	}
	if regular := (stale.Question{Kind: stale.Regular}); answers[regular] {
		assert.True(t, answers[stale.Question{Kind: stale.WeaklyRegular}], "seed %d", seed)
	}
}
