package explain

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// byDefinition decides all by brute force.
var byDefinition = Engines{
	Decide: func(_ context.Context, p *engine.Task, _ *engine.Budget) (engine.Answer, error) {
		if ok, order := oracle.Linearizable(p.Instance); ok {
			return engine.Answer{Verdict: engine.Linearizable, Witness: order}, nil
		}
		return engine.Answer{Verdict: engine.NotLinearizable}, nil
	},
	Weakened: func(_ context.Context, p *engine.Task, _ *engine.Budget) engine.Verdict {
		if ok, _ := oracle.Linearizable(p.Instance); ok {
			return engine.Linearizable
		}
		return engine.NotLinearizable
	},
}

// TestWhatIsSureAboutAPrefixIsRight: a prefix that some operations are said to refute, whatever the
// other ones do, is not linearizable.
func TestWhatIsSureAboutAPrefixIsRight(t *testing.T) {
	for _, name := range []string{"queue", "stack", "priority-queue", "unordered-queue", "deque"} {
		s, _ := specs.Lookup(name)
		sure, unsure := 0, 0
		for seed := range uint64(4000) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, NoEdges: true})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			c := b.Taken()
			if c == nil || b.Partition.Len() == 0 {
				continue
			}
			r := rand.New(rand.NewPCG(seed, 2))
			cut := history.Rank(r.IntN(2 * b.Partition.Len()))
			some := r.Uint32()
			var named []history.OpID
			for i := range b.Partition.Ops {
				if v := c.Value[i]; v < 0 && r.IntN(2) == 0 || v >= 0 && some>>v&1 != 0 {
					named = append(named, history.OpID(i))
				}
			}
			l := &locating{Engines: byDefinition, budget: engine.NewBudget(0, 0), spec: s, part: b.Partition}
			if !l.sure(context.Background(), b, named, cut) {
				unsure++
				continue
			}
			sure++
			prefix, err := s.Bind(b.Partition.Prefix(cut))
			require.NoError(t, err)
			linearizable, _ := oracle.Linearizable(prefix)
			require.False(t, linearizable, "%s, seed %d, cut %d, named %v", name, seed, cut, named)
		}
		require.Greater(t, sure, 20, name)
		require.Greater(t, unsure, 20, name)
	}
}

// TestWhatASumRefutesItRefutesAtItsReturn: the prefix up to the observation of a sum that cannot be
// right, or the later of two that leave each other out, is not linearizable.
func TestWhatASumRefutesItRefutesAtItsReturn(t *testing.T) {
	s, _ := specs.Lookup("counter")
	sums := 0
	for seed := range uint64(testenv.Scale(2000, 40_000)) {
		h, err := gen.Small("counter", seed, gen.SmallOptions{Keys: 1, NoEdges: seed%2 == 0})
		require.NoError(t, err)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		l := &locating{part: b.Partition, returns: byReturn(b.Partition, history.Never)}
		for op := range history.OpID(b.Partition.Len()) {
			for after := history.OpID(proof.Initial); after < history.OpID(b.Partition.Len()); after++ {
				evidence := &proof.SumConflict{After: after, Op: op}
				if verify.Sum(b, evidence) != nil {
					continue
				}
				sums++
				cut, known := l.guessed(context.Background(), b, evidence, 0)
				require.True(t, known)
				last := op // or the other one, where they leave each other out
				if after >= 0 && b.Partition.Ops[after].Return > b.Partition.Ops[op].Return {
					last = after
				}
				require.Equal(t, last, l.returns[l.place(cut)])
				some := byReturn(b.Partition, cut)
				require.Equal(t, l.returns[:l.place(cut)+1], some)
				prefix, err := s.Bind(b.Partition.Prefix(cut))
				require.NoError(t, err)
				linearizable, _ := oracle.Linearizable(prefix)
				require.False(t, linearizable, "seed %d, %+v", seed, evidence)
			}
		}
	}
	require.Greater(t, sums, testenv.MoreThan(500))
}

// TestPrefixesAsRecorded: the order that is found for a prefix of a collection, with what its open
// removals returned later, is one of the prefix, whatever is said to refute a case; and it is found
// for most prefixes that are linearizable.
func TestPrefixesAsRecorded(t *testing.T) {
	for _, name := range []string{"deque", "queue", "stack", "priority-queue", "unordered-queue"} {
		s, _ := specs.Lookup(name)
		found, again, missed, refused := 0, 0, 0, 0
		for seed := range uint64(testenv.Scale(5000, 100_000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Least: 5, Most: 9, Keys: 1, NoEdges: true,
				All: seed%4 == 0})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			if b.Taken() == nil || b.Partition.Len() == 0 {
				continue
			}
			r := rand.New(rand.NewPCG(seed, 2))
			cut := history.Rank(r.IntN(2 * b.Partition.Len()))
			failing := history.OpID(r.IntN(b.Partition.Len()))
			if returns := byReturn(b.Partition, history.Never); seed%2 != 0 {
				at := firstRefuted(t, s, b.Partition, returns)
				if at <= 0 || at == len(returns) {
					continue
				}
				failing, cut = returns[at], b.Partition.Ops[returns[at-1]].Return
			}
			tries := 0
			engines := byDefinition
			engines.Decide = func(ctx context.Context, p *engine.Task, m *engine.Budget) (engine.Answer, error) {
				tries++
				a, err := byDefinition.Decide(ctx, p, m)
				if a.Verdict == engine.NotLinearizable {
					a.Proof = namesSome(p.Instance, r)
				}
				return a, err
			}
			l := &locating{Engines: engines, budget: engine.NewBudget(0, 0), spec: s, part: b.Partition}
			order, _ := l.asRecorded(context.Background(), b, cut, failing)
			prefix, err := s.Bind(b.Partition.Prefix(cut))
			require.NoError(t, err)
			if order != nil {
				found++
				if tries > 1 {
					again++
				}
				require.NoError(t, verify.Witness(prefix, order), "%s, seed %d, cut %d", name, seed, cut)
			} else if ok, _ := oracle.Linearizable(prefix); ok {
				missed++
			} else {
				refused++
			}
		}
		require.Greater(t, found, testenv.MoreThan(1000), name)
		require.Greater(t, found, 4*missed, name)
		require.Greater(t, again, testenv.MoreThan(0), name)
		require.Greater(t, refused, testenv.MoreThan(100), name)
		t.Logf("%s: found %d, %d of them not at first, missed %d, refused %d", name, found, again, missed, refused)
	}
}

// firstRefuted returns the place of the first return at which the prefix is not linearizable.
func firstRefuted(t *testing.T, s model.Spec, p *model.Partition, returns []history.OpID) int {
	for at, i := range returns {
		prefix, err := s.Bind(p.Prefix(p.Ops[i].Return))
		require.NoError(t, err)
		if ok, _ := oracle.Linearizable(prefix); !ok {
			return at
		}
	}
	return len(returns)
}

// namesSome is evidence that names all operations, or those of some values; it need not be right.
func namesSome(b *model.Instance, r *rand.Rand) proof.Proof {
	c := b.Taken()
	e := &proof.Exhaustion{Weakening: &proof.Weakening{Retain: make([]proof.Retained, b.Partition.Len())}}
	some := r.Uint32() | r.Uint32()
	for i, v := range c.Value {
		if v >= 0 && some>>v&1 == 0 {
			e.Weakening.Retain[i] = proof.RetainNothing
		}
	}
	return e
}
