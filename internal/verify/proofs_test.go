package verify_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Certificates with proofs of every kind go through JSON, fit the schema and are valid; with a few
// characters altered they are refused, or their verdict is true all the same.
func TestEveryKindGoesThroughJSON(t *testing.T) {
	kinds := map[proof.Kind]int{}
	refused, kept := 0, 0
	try := func(h *history.History, s model.Spec, b *model.Instance, seed uint64, options ...linsat.Option) {
		r, err := linsat.Check(context.Background(), s, h, options...)
		require.NoError(t, err)
		if r.Verdict != engine.NotLinearizable || !r.Certified {
			return
		}
		kinds[result.Of(r).Proof.Kind()]++
		c, err := linsat.Certify(h, &r)
		require.NoError(t, err)
		var text bytes.Buffer
		_, err = c.WriteTo(&text)
		require.NoError(t, err)
		validates(t, text.String())
		again, err := linsat.ReadCertificate(bytes.NewReader(text.Bytes()))
		require.NoError(t, err, &text)
		require.NoError(t, linsat.Verify(context.Background(), s, h, again, options...), &text)
		rng := rand.New(rand.NewPCG(seed, 31))
		for range 4 {
			bad, err := linsat.ReadCertificate(bytes.NewBufferString(garbled(rng, text.String())))
			if err != nil {
				refused++
				continue
			}
			if err = linsat.Verify(context.Background(), s, h, bad, options...); err != nil {
				refused++
				why := strings.TrimPrefix(err.Error(), "the certificate is refused: ")
				require.True(t, strings.HasPrefix(why, "it answers another question") || refusal.MatchString(why), why)
				continue
			}
			kept++
			require.Equal(t, engine.NotLinearizable, bad.Verdict(), "an altered certificate proves what is wrong: %s",
				&text)
			if len(options) == 1 {
				ok, _ := oracle.Linearizable(b)
				require.False(t, ok)
			}
		}
	}
	for _, s := range specs.All() {
		for seed := range uint64(testenv.Scale(60, 600)) {
			h, err := gen.Small(s.Info().Name, seed, gen.SmallOptions{NoEdges: seed%3 > 0})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			try(h, s, b, seed, linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}))
			if seed%4 == 0 {
				try(h, s, b, seed, linsat.Partition("none"))
			}
		}
	}
	queue := specs.Queue()
	for seed := range uint64(testenv.Scale(60, 600)) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{Most: 6, NoEdges: true, Keys: 1, Relax: int(seed % 3)})
		require.NoError(t, err)
		try(h, queue, nil, seed, linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}),
			linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, 1, 0}, Drain: seed%2 == 0}))
	}
	for seed := range uint64(testenv.Scale(60, 600)) {
		h, err := gen.Small("counter", seed, gen.SmallOptions{Most: 6, NoEdges: true, Keys: 1})
		require.NoError(t, err)
		try(h, specs.Counter(), nil, seed, linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}),
			linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, 0, 1, 0}}))
	}
	for seed := range uint64(testenv.Scale(4, 40)) {
		g, err := gen.Generate(gen.Options{Spec: "queue", Operations: 300, Processes: 6, Values: 2, Seed: seed,
			Violation: "swap"})
		require.NoError(t, err)
		try(g.History, queue, nil, seed, linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}),
			linsat.Workers(1))
	}
	for seed := range uint64(testenv.Scale(12, 40)) {
		g, err := gen.Generate(gen.Options{Spec: "stack", Operations: 300, Processes: 6, Values: 3, Seed: seed,
			Violation: "swap"})
		require.NoError(t, err)
		try(g.History, specs.Stack(), nil, seed, linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}),
			linsat.Workers(1))
	}
	for seed := range uint64(testenv.Scale(2, 10)) {
		g, err := gen.Generate(gen.Options{Spec: "priority-queue", Operations: 200, Processes: 8, Relax: 4,
			Seed: seed + 1})
		require.NoError(t, err)
		try(g.History, specs.PriorityQueue(), nil, seed, linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}),
			linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, 2, 0}, Drain: true}))
	}
	few := scarce(t, 1, 2)
	p := &proof.DualBound{Prices: []proof.Price{{Op: 0, Multiplier: 1}}}
	text, err := proof.Marshal(p)
	require.NoError(t, err)
	again, err := proof.Unmarshal(text)
	require.NoError(t, err)
	require.NoError(t, verify.Proof(context.Background(), nil, few, again))
	require.NoError(t, schema().ValidateAs("proof", text))
	kinds[proof.KindDualBound]++
	t.Logf("%v; %d altered certificates refused, %d still true", kinds, refused, kept)
	for _, kind := range proof.Kinds() {
		assert.Greater(t, kinds[kind], testenv.MoreThan(0), kind)
	}
	assert.Greater(t, refused, kept)
}

// A collection's values are numbered as they are met: what it holds at the start, then operations
// by their calls. Certificates name values by these numbers.
func TestValuesAreNumberedAsTheyAreMet(t *testing.T) {
	seen := 0
	for _, name := range []string{"queue", "stack", "priority-queue"} {
		s, _ := specs.Lookup(name)
		for seed := range uint64(testenv.Scale(200, 2000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, Started: seed%2 == 0})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			c, ok := b.Theory.(*model.CollectionTheory)
			if !ok || len(c.Initial) != 1 {
				continue
			}
			next := int32(0)
			meet := func(v int32) {
				require.LessOrEqual(t, v, next, "%s seed %d", name, seed)
				if v == next {
					next++
					seen++
				}
			}
			start, _ := h.Values.AsList(b.Partition.Initial)
			if b.Partition.HasInitial {
				require.Len(t, c.Initial[0], len(start))
			}
			held := map[int32]bool{}
			for _, v := range c.Initial[0] {
				held[v] = true
			}
			for next < int32(len(held)) { // those at the start come first, whatever their order
				require.True(t, held[next], "%s seed %d", name, seed)
				next++
			}
			for i := range c.Value {
				if c.Value[i] >= 0 {
					meet(c.Value[i])
				}
			}
		}
	}
	assert.Greater(t, seen, testenv.MoreThan(500))
}
