package verify_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var withAxioms = []string{"register", "cas-register", "multi-register", "kv", "set", "mutex", "queue", "stack",
	"priority-queue", "counter"}

// proved makes a history that is not linearizable, with its argument; ok is false for other seeds.
func proved(t *testing.T, s model.Spec, seed uint64) (b *model.Instance, a *proof.Node, ok bool) {
	b = bound(t, s, seed)
	if b.Axiomatic() == nil {
		return b, nil, false
	}
	p, err := explain.Prove(context.Background(), b, proof.Everything(), 2000)
	require.NoError(t, err, "%s seed %d", s.Info().Name, seed)
	return b, p.Argument, p.Argument != nil
}

func bound(t *testing.T, s model.Spec, seed uint64) *model.Instance {
	h, err := gen.Small(s.Info().Name, seed, gen.SmallOptions{})
	require.NoError(t, err)
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}

// copied returns an argument that shares nothing with a, by way of JSON.
func copied(t *testing.T, a *proof.Node) *proof.Node {
	text, err := json.Marshal(a)
	require.NoError(t, err)
	out := &proof.Node{}
	require.NoError(t, json.Unmarshal(text, out), "%s", text)
	return out
}

// nodes lists an argument and all its cases.
func nodes(a *proof.Node) []*proof.Node {
	out := []*proof.Node{a}
	if a.Split != nil {
		for _, c := range a.Split.Cases {
			out = append(out, nodes(c)...)
		}
	}
	return out
}

var axioms = []proof.Axiom{proof.RT, proof.EDGE, proof.TR, proof.EITHER, proof.MODE, proof.SRC, proof.SB, proof.SI,
	proof.BT, proof.PP, proof.INV, proof.HALL,
	proof.COUNT, proof.ONE, proof.PK, proof.QF, proof.QN, proof.SL, proof.SN, proof.PF, proof.PN, proof.Z,
	proof.ZN, proof.SUM}

// altered changes an argument in one or two places.
func altered(t *testing.T, rng *rand.Rand, a *proof.Node, n int32) *proof.Node {
	a = copied(t, a)
	op := func() history.OpID { return history.OpID(rng.Int32N(n+3) - 3) }
	for range 1 + rng.IntN(2) {
		all := nodes(a)
		x := all[rng.IntN(len(all))]
		if x.Split != nil && (len(x.Steps) == 0 || rng.IntN(3) == 0) {
			switch rng.IntN(3) {
			case 0:
				x.Split.Cases = x.Split.Cases[:len(x.Split.Cases)-1]
			case 1:
				slices.Reverse(x.Split.Cases)
			case 2:
				if len(x.Split.Args) > 0 {
					x.Split.Args[rng.IntN(len(x.Split.Args))] = op()
				}
			}
			continue
		}
		if len(x.Steps) == 0 {
			continue
		}
		k := rng.IntN(len(x.Steps))
		s := &x.Steps[k]
		switch rng.IntN(8) {
		case 0:
			x.Steps = slices.Delete(x.Steps, k, k+1)
		case 1, 2:
			if len(s.Args) > 0 {
				s.Args[rng.IntN(len(s.Args))] = op()
			}
		case 3:
			s.Axiom = axioms[rng.IntN(len(axioms))]
		case 4:
			s.So = s.So.Negated()
		case 5:
			s.So = proof.Literal{}
			x.Steps = x.Steps[:k+1]
		case 6:
			if len(s.Given) > 0 {
				s.Given = slices.Delete(s.Given, 0, 1)
			}
		case 7:
			j := rng.IntN(len(x.Steps))
			x.Steps[k], x.Steps[j] = x.Steps[j], x.Steps[k]
		}
	}
	return a
}

// An altered argument is refused, or it proves what is true; for linearizable histories all are
// refused, those made for another history included.
func TestAlteredArgumentsAreRefused(t *testing.T) {
	n := uint64(testenv.Scale(60, 1500))
	for _, name := range withAxioms {
		t.Run(name, func(t *testing.T) {
			s, _ := specs.Lookup(name)
			refused, valid, foreign := 0, 0, 0
			var arguments []*proof.Node
			var linearizable []*model.Instance
			for seed := range n {
				b, a, ok := proved(t, s, seed)
				if !ok {
					if b.Axiomatic() != nil {
						linearizable = append(linearizable, b)
					}
					continue
				}
				require.NoError(t, verify.Argument(b, proof.Everything(), copied(t, a)), "%s seed %d: through JSON",
					name, seed)
				arguments = append(arguments, a)
				rng := rand.New(rand.NewPCG(seed, 3))
				yes, _ := oracle.Linearizable(b)
				require.False(t, yes, "%s seed %d is linearizable and refuted", name, seed)
				for range 10 {
					if verify.Argument(b, proof.Everything(), altered(t, rng, a, int32(b.Partition.Len()))) == nil {
						valid++
					} else {
						refused++
					}
				}
			}
			if len(arguments) == 0 && testing.Short() {
				return
			}
			rng := rand.New(rand.NewPCG(n, 4))
			for _, b := range linearizable {
				for range 20 {
					a := altered(t, rng, arguments[rng.IntN(len(arguments))], int32(b.Partition.Len()))
					foreign++
					require.Error(t, verify.Argument(b, proof.Everything(), a),
						"%s: an argument against a linearizable history", name)
				}
			}
			t.Logf("%d altered arguments refused, %d still valid, %d against linearizable histories refused", refused,
				valid, foreign)
			assert.Greater(t, refused, testenv.MoreThan(int(n)))
			assert.Greater(t, foreign, testenv.MoreThan(int(n)))
		})
	}
}

// changed alters a history: results, returns, and what is pending.
func changed(rng *rand.Rand, h *history.History) *history.History {
	out := *h
	out.Ops = slices.Clone(h.Ops)
	for range min(len(out.Ops), 1+rng.IntN(3)) {
		o := &out.Ops[rng.IntN(len(out.Ops))]
		other := &out.Ops[rng.IntN(len(out.Ops))]
		switch rng.IntN(5) {
		case 0, 1:
			if o.F == other.F && !o.Unknown && !other.Unknown {
				o.Result, other.Result = other.Result, o.Result
			}
		case 2:
			if !o.Unknown {
				o.Result = []history.Value{other.Arg, other.Result}[rng.IntN(2)]
			}
		case 3:
			if other.Return != history.Never && other.Return > o.Return {
				o.Return = other.Return
			}
		case 4:
			// Explicit order through pending operations is closed when a history is read.
			if c := o.Call; !slices.ContainsFunc(out.Edges, func(e history.Edge) bool {
				return out.Ops[e.Before].Call == c || out.Ops[e.After].Call == c
			}) {
				o.Return, o.Result, o.Unknown = history.Never, history.Nil, true
			}
		}
	}
	return &out
}

// A valid argument is refused for its history once that is altered so that it is linearizable.
func TestArgumentsAgainstAlteredHistories(t *testing.T) {
	n := uint64(testenv.Scale(150, 3500))
	total := 0
	for _, name := range withAxioms {
		s, _ := specs.Lookup(name)
		refused := 0
		for seed := range n {
			b, a, ok := proved(t, s, seed)
			if !ok {
				continue
			}
			rng := rand.New(rand.NewPCG(seed, 5))
			for range 20 {
				c, err := s.Bind(model.Whole(changed(rng, b.Partition.History)))
				if err != nil {
					continue
				}
				if yes, _ := oracle.Linearizable(c); yes {
					require.Error(t, verify.Argument(c, proof.Everything(), a), "%s seed %d", name, seed)
					refused++
					break
				}
			}
		}
		t.Logf("%s: %d refused", name, refused)
		total += refused
	}
	assert.Greater(t, total, int(uint64(testenv.Scale(300, 10_000))))
}
