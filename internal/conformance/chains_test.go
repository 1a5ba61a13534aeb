package conformance_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/report"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// chained are histories with revisions: of all or of half of the operations, in one or two chains,
// repeated, and some of them wrong; with pending operations, repeated values and, in some, explicit
// edges.
func chained(testing.TB) (all []source) {
	for _, s := range specs.All() {
		name := s.Info().Name
		// of these an answer was wrong once
		wrong := map[string][]uint64{"bank": {7101}, "queue": {879}}[name]
		all = append(all, source{name: "chains/" + name, n: smallHistories() + len(wrong), least: 0.05, most: 1,
			draw: func(t testing.TB, seed uint64) (spec.Spec, *history.History) {
				if seed >= uint64(smallHistories()) {
					seed = wrong[seed-uint64(smallHistories())]
				}
				h, err := gen.Small(name, seed, gen.SmallOptions{All: seed%2 == 1, Chains: true, NoEdges: seed%3 > 0})
				require.NoError(t, err)
				return s, h
			}, counts: func(h *history.History) (has []string) {
				if h.Revisions != nil {
					has = append(has, "with revisions")
				}
				if slices.ContainsFunc(h.Edges, func(e history.Edge) bool {
					return slices.Contains(h.Edges, history.Edge{Before: e.After, After: e.Before})
				}) {
					has = append(has, "contradict the times")
				}
				return has
			}, holds: func(t *testing.T, n int, count map[string]int) {
				assert.Greater(t, count["with revisions"], n*9/10)
				assert.Positive(t, count["contradict the times"])
			}})
	}
	return all
}

// TestChainsAreCertified checks that verdicts on histories with revisions have certificates that
// are verified against the history as it is written.
func TestChainsAreCertified(t *testing.T) {
	no := 0
	for _, name := range []string{"register", "kv", "queue", "counter"} {
		s, ok := specs.Lookup(name)
		require.True(t, ok)
		for seed := range uint64(150) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Chains: true})
			require.NoError(t, err)
			r, err := linsat.Check(context.Background(), s, h, linsat.Explain(linsat.ExplainOptions{Time: time.Second}))
			require.NoError(t, err)
			if r.Verdict == engine.NotLinearizable {
				no++
			}
			var text bytes.Buffer
			require.NoError(t, history.WriteJSON(&text, h))
			back, err := history.Read(&text, history.ReadOptions{})
			require.NoError(t, err)
			again, err := linsat.Check(context.Background(), s, back)
			require.NoError(t, err)
			require.Equal(t, r.Verdict, again.Verdict, "%s seed %d as it is written: %s", name, seed, show(h))
			c, err := linsat.Certify(h, &r)
			require.NoError(t, err, "%s seed %d: %s", name, seed, show(h))
			var file bytes.Buffer
			_, err = c.WriteTo(&file)
			require.NoError(t, err)
			read, err := linsat.ReadCertificate(&file)
			require.NoError(t, err)
			require.NoError(t, linsat.Verify(context.Background(), s, h, read), "%s seed %d: %s", name, seed, show(h))
		}
	}
	assert.Greater(t, no, 100)
}

// TestArgumentsNameRevisions checks that an argument which rests on revisions says so.
func TestArgumentsNameRevisions(t *testing.T) {
	h, err := history.Read(strings.NewReader(`{"spec": "register"}
{"process": 0, "f": "write", "arg": 1, "chain": 7, "call": 0, "return": 10}
{"process": 1, "f": "write", "arg": 2, "chain": 8, "call": 1, "return": 9}
{"process": 2, "f": "read", "result": 2, "call": 2, "return": 4}
{"process": 2, "f": "read", "result": 1, "call": 5, "return": 7}
`), history.ReadOptions{})
	require.NoError(t, err)
	s, ok := specs.Lookup("register")
	require.True(t, ok)
	r, err := linsat.Check(context.Background(), s, h, linsat.Explain(linsat.ExplainOptions{Time: 10 * time.Second}))
	require.NoError(t, err)
	require.Equal(t, engine.NotLinearizable, r.Verdict)
	var text bytes.Buffer
	require.NoError(t, report.Text(&text, h, r))
	assert.Contains(t, text.String(), "#0 <(revision) #1")
}
