package explain

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withAxioms are the specifications that have a theory, at least for some of their histories.
var withAxioms = []string{"register", "cas-register", "multi-register", "kv", "set", "mutex", "queue", "stack",
	"priority-queue", "counter"}

// Every small history that is not linearizable has an argument, and no linearizable one has.
func TestEverySmallViolationHasAnArgument(t *testing.T) {
	rounds := uint64(400)
	if testenv.Full() {
		rounds = 6000
	}
	for _, name := range withAxioms {
		t.Run(name, func(t *testing.T) {
			s := testkit.Spec(t, name)
			refuted, linearizable, steps, cases, nodes := 0, 0, 0, 0, 0
			for seed := range rounds {
				h, err := gen.Small(name, seed, gen.SmallOptions{})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				if b.Axiomatic() == nil {
					continue
				}
				yes, _ := oracle.Linearizable(b)
				p, err := Prove(context.Background(), b, proof.Everything(), 0)
				require.NoError(t, err, "%s seed %d", name, seed)
				nodes += p.Nodes
				if yes {
					linearizable++
					require.Nil(t, p.Argument, "%s seed %d is linearizable", name, seed)
					continue
				}
				refuted++
				if assert.NotNil(t, p.Argument, "%s seed %d is not linearizable: %v %s", name, seed,
					p.Cause, p.Detail) {
					z := p.Argument.Size()
					steps += z.Steps
					if z.Depth > 0 {
						cases++
					}
				}
			}
			t.Logf("%d refuted in %d steps, %d with cases; %d linearizable; %d nodes", refuted, steps, cases,
				linearizable, nodes)
			assert.Greater(t, refuted, int(rounds/10))
			assert.Greater(t, linearizable, int(rounds/10))
		})
	}
}

// randomClaim forgets some facts.
func randomClaim(rng *rand.Rand, b *model.Instance) *proof.Weakening {
	c := proof.Everything()
	last := history.Rank(1)
	for _, o := range b.Partition.Ops {
		last = max(last, o.Call+1)
	}
	if rng.IntN(2) == 0 {
		c.Cut = history.Rank(rng.Int32N(int32(last) + 4))
	}
	if _, collection := b.Theory.(*model.CollectionTheory); !collection && rng.IntN(2) == 0 {
		c.From = history.Rank(rng.Int32N(int32(last)))
	}
	if rng.IntN(2) == 0 {
		c.Retain = make([]proof.Retained, b.Partition.Len())
		for i := range c.Retain {
			c.Retain[i] = proof.Retained(rng.IntN(2) * rng.IntN(3))
		}
	}
	if rng.IntN(4) == 0 {
		c.SomeOrder = true
		for i := range b.Partition.Ops {
			for j := range b.Partition.Ops {
				if rng.IntN(2) == 0 {
					c.Order = append(c.Order, [2]history.OpID{history.OpID(i), history.OpID(j)})
				}
			}
		}
	}
	return c
}

// No weakening of a linearizable history is proved; one that drops only the future, responses and
// results is proved exactly if what is left is not linearizable.
func TestClaimsAreProvedExactlyIfTrue(t *testing.T) {
	rounds := uint64(200)
	if testenv.Full() {
		rounds = 1200
	}
	for _, name := range withAxioms {
		s := testkit.Spec(t, name)
		sound, exact, refuted := 0, 0, 0
		for seed := range rounds {
			h, err := gen.Small(name, seed, gen.SmallOptions{NoEdges: seed%2 == 0})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			if b.Axiomatic() == nil {
				continue
			}
			yes, _ := oracle.Linearizable(b)
			rng := rand.New(rand.NewPCG(seed, 21))
			for range 4 {
				c := randomClaim(rng, b)
				weak, err := base.Weakened(b, c)
				require.NoError(t, err)
				if weak.Axiomatic() == nil {
					continue
				}
				p, err := Prove(context.Background(), b, c, 0)
				require.NoError(t, err, "%s seed %d: %+v", name, seed, c)
				if p.Argument != nil {
					refuted++
				}
				if yes {
					require.Nil(t, p.Argument, "%s seed %d is linearizable, but not with %+v", name, seed, c)
					sound++
				}
				if c.From == 0 && !c.SomeOrder && len(h.Edges) == 0 {
					want, _ := oracle.Linearizable(weak)
					require.Equal(t, want, p.Argument == nil, "%s seed %d with %+v: %v", name, seed, c, p.Cause)
					exact++
				}
			}
		}
		t.Logf("%s: %d claims about linearizable histories, %d compared exactly, %d proved", name, sound,
			exact, refuted)
		assert.Greater(t, exact, 50)
		assert.Greater(t, refuted, 10)
	}
}

// Without the past, a weakening about one cell is proved exactly if no value at the start and no
// choice of what had happened already gives a linearization.
func TestClaimsWithoutThePastAreProvedExactlyIfTrue(t *testing.T) {
	rounds := uint64(600)
	if testenv.Full() {
		rounds = 5000
	}
	values := []string{"null", "1", "2", "3", "4", "5", "6", "7", "8", `"other"`}
	for n := range int64(4) { // what gen.Small draws from the ends of int64
		values = append(values, strconv.FormatInt(math.MinInt64+n, 10), strconv.FormatInt(math.MaxInt64-n, 10))
	}
	for name, initials := range map[string][]string{"register": values, "cas-register": values,
		"mutex": {"true", "false"}} {
		s := testkit.Spec(t, name)
		refuted, held, open := 0, 0, 0
		for seed := range rounds {
			h, err := gen.Small(name, seed, gen.SmallOptions{NoEdges: true, Keys: 1})
			require.NoError(t, err)
			// edges: of operations of one process at one time
			if len(h.Edges) > 0 || len(h.Ops) == 0 {
				continue
			}
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(seed, 22))
			c := proof.Everything()
			c.From = 1 + history.Rank(rng.Int32N(int32(h.Ops[len(h.Ops)-1].Call)+1))
			p, err := Prove(context.Background(), b, c, 0)
			require.NoError(t, err)
			possible, some := anyStart(t, s, h, c.From, initials)
			require.Equal(t, possible, p.Argument == nil, "%s seed %d from %d: %v", name, seed, c.From, p.Cause)
			if possible {
				held++
			} else if refuted++; some {
				open++
			}
		}
		t.Logf("%s: %d windows refuted (%d with operations open at the start), %d not", name, refuted, open, held)
		assert.Greater(t, refuted, 10)
		assert.Greater(t, open, 3)
	}
}

// anyStart asks the oracle about every start: a value, and which of the operations that were open
// then had happened.
func anyStart(t *testing.T, s model.Spec, h *history.History, from history.Rank, initials []string) (possible,
	open bool) {
	var inside, openOps []int
	for i, o := range h.Ops {
		switch {
		case o.Return < from:
		case o.Call < from:
			openOps = append(openOps, i)
		default:
			inside = append(inside, i)
		}
	}
	for done := range 1 << len(openOps) {
		var ops []history.Op
		for k, i := range openOps {
			if done>>k&1 == 0 {
				ops = append(ops, h.Ops[i])
			}
		}
		for _, i := range inside {
			ops = append(ops, h.Ops[i])
		}
		for _, text := range initials {
			g := *h
			g.Ops = ops
			v, err := h.Values.Parse(text)
			require.NoError(t, err)
			g.Initial, g.HasInitial = v, true
			b, err := s.Bind(model.Whole(&g))
			require.NoError(t, err)
			if yes, _ := oracle.Linearizable(b); yes {
				return true, len(openOps) > 0
			}
		}
	}
	return false, len(openOps) > 0
}

// What an argument does not need can be forgotten: it still proves what is left, and the oracle
// agrees that this is not linearizable.
func TestWhatArgumentsDoNotNeedIsForgotten(t *testing.T) {
	rounds := uint64(100)
	if testenv.Full() {
		rounds = 1500
	}
	for _, name := range withAxioms {
		s := testkit.Spec(t, name)
		before, after := 0, 0
		for seed := range rounds {
			h, err := gen.Small(name, seed, gen.SmallOptions{})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			if b.Axiomatic() == nil {
				continue
			}
			p, err := Prove(context.Background(), b, proof.Everything(), 2000)
			require.NoError(t, err)
			if p.Argument == nil {
				_, err = Weakest(b, proof.Everything(), &proof.Node{})
				require.Error(t, err)
				continue
			}
			c, err := Weakest(b, proof.Everything(), p.Argument)
			require.NoError(t, err)
			require.NoError(t, verify.Argument(b, c, p.Argument), "%s seed %d", name, seed)
			before += len(RetainedOps(b, proof.Everything(), proof.RetainResponse))
			after += len(RetainedOps(b, c, proof.RetainResponse))
			if len(h.Edges) == 0 {
				weak, err := base.Weakened(b, c)
				require.NoError(t, err)
				yes, _ := oracle.Linearizable(weak)
				require.False(t, yes, "%s seed %d", name, seed)
			}
		}
		t.Logf("%s: of %d responses %d are needed", name, before, after)
		assert.Less(t, after, before*3/4)
	}
}

// The prover stops soon after it is asked to, and says so.
func TestProverKeepsItsDeadline(t *testing.T) {
	s := testkit.Spec(t, "cas-register")
	c, err := gen.Generate(gen.Options{Spec: "cas-register", Operations: 400, Seed: 1, Values: 4, Overlap: 3})
	require.NoError(t, err)
	b, err := s.Bind(model.Whole(c.History))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	p, err := Prove(ctx, b, proof.Everything(), 1<<30)
	require.NoError(t, err)
	assert.Nil(t, p.Argument)
	assert.Equal(t, engine.Timeout, p.Cause)
	assert.Less(t, time.Since(start), 2*time.Second)

	c, err = gen.Generate(gen.Options{Spec: "cas-register", Operations: 40, Seed: 1, Values: 4, Overlap: 3})
	require.NoError(t, err)
	b, err = s.Bind(model.Whole(c.History))
	require.NoError(t, err)
	p, err = Prove(context.Background(), b, proof.Everything(), 1)
	require.NoError(t, err)
	assert.Equal(t, engine.Steps, p.Cause)

	log, err := testkit.Spec(t, "log").Bind(model.Whole(&history.History{Values: history.NewBuilder().Values}))
	require.NoError(t, err)
	p, err = Prove(context.Background(), log, proof.Everything(), 0)
	require.NoError(t, err)
	assert.Equal(t, engine.Unsupported, p.Cause)

	_, err = Prove(context.Background(), b, &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, 3)}, 0)
	require.ErrorContains(t, err, "3 operations")
}

// Too many acquisitions for the releases: one step, however many there are.
func TestTooManyAcquisitionsAreOneStep(t *testing.T) {
	s := testkit.Spec(t, "mutex")
	for _, k := range []int{2, 5, 40} {
		b := history.NewBuilder()
		b.SetSpec("mutex")
		add := func(f string, process int) {
			_, err := b.Add(history.Record{Process: b.Process(fmt.Sprint(process)), F: b.Values.String(f),
				Key: history.NoKey, Call: 0, Return: 9})
			require.NoError(t, err)
		}
		for i := range k {
			add("acquire", i)
		}
		for i := range k - 2 {
			add("release", k+i)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		bound, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		p, err := Prove(context.Background(), bound, proof.Everything(), 10)
		require.NoError(t, err)
		require.NotNil(t, p.Argument, "%d acquisitions", k)
		assert.Equal(t, proof.Size{Steps: 1, Leaves: 1}, p.Argument.Size())
		assert.Equal(t, proof.COUNT, p.Argument.Steps[0].Axiom)
	}
}
