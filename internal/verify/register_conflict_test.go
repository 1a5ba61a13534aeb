package verify_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// TestForgedRefutationsOfRegistersAreRefused names operations at random: of a history that is
// linearizable every refutation is refused, and of others some are accepted under each rule.
func TestForgedRefutationsOfRegistersAreRefused(t *testing.T) {
	takes := map[proof.RegisterRule]int{proof.RegisterNoMode: 1, proof.RegisterUnwritten: 1, proof.RegisterCircle: 1,
		proof.RegisterTwoTakers: 2, proof.RegisterBackwards: 2, proof.RegisterEntangled: 4, proof.RegisterBetween: 3}
	valid, refused := map[proof.RegisterRule]int{}, map[proof.RegisterRule]int{}
	for seed := range uint64(testenv.Scale(400, 60_000)) {
		s, _ := specs.Lookup("cas-register")
		h, err := gen.Small("cas-register", seed, gen.SmallOptions{Most: 6, NoEdges: true, All: true,
			Distinct: seed%3 > 0, Values: 3})
		require.NoError(t, err)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		if b.Partition.Len() == 0 {
			continue
		}
		yes, _ := oracle.Linearizable(b)
		r := rand.New(rand.NewPCG(seed, 8))
		for _, rule := range slices.Sorted(maps.Keys(takes)) {
			n := takes[rule]
			for range 30 * n {
				f := &proof.RegisterConflict{Rule: rule, Ops: make([]history.OpID, n)}
				for k := range f.Ops {
					f.Ops[k] = history.OpID(r.IntN(b.Partition.Len()))
					if r.IntN(6) == 0 {
						f.Ops[k] = []history.OpID{proof.Initial, proof.NoOp}[r.IntN(2)]
					}
				}
				if verify.RegisterConflict(b, f) != nil {
					refused[rule]++
					continue
				}
				require.False(t, yes, "seed %d: %v %v of %+v", seed, rule, f.Ops, h.Ops)
				valid[rule]++
			}
		}
	}
	t.Log(valid, refused)
	for rule := range takes {
		if rule != proof.RegisterNoMode && rule != proof.RegisterBetween {
			require.Greater(t, min(valid[rule], refused[rule]), testenv.MoreThan(5), rule)
		}
	}
}

// TestBetweenIsBetween: a compare-and-set that finds another value than the one written first and
// read last is refuted only where it is between the two in time.
func TestBetweenIsBetween(t *testing.T) {
	s, _ := specs.Lookup("cas-register")
	for _, c := range []struct {
		call, ret int64
		between   bool
	}{{2, 3, true}, {0, 3, false}, {2, 5, false}, {0, 5, false}} {
		b := history.NewBuilder()
		v := b.Values
		for i, r := range []history.Record{
			{F: v.String("write"), Arg: v.Int(1), Call: 1, Return: 2},
			{F: v.String("cas"), Arg: v.List([]history.Value{v.Int(1), v.Int(5)}),
				Result: v.Bool(false), Call: 10 * c.call, Return: 10 * c.ret},
			{F: v.String("read"), Result: v.Int(1), Call: 40, Return: 41},
			{F: v.String("write"), Arg: v.Int(3), Call: 42, Return: 43},
		} {
			r.Process, r.Key = b.ProcessInt(int64(i)), history.NoKey
			_, err := b.Add(r)
			require.NoError(t, err)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		bound, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		yes, _ := oracle.Linearizable(bound)
		require.Equal(t, c.between, !yes, c)
		of := func(f string) history.OpID {
			return history.OpID(slices.IndexFunc(h.Ops, func(o history.Op) bool { return o.F == v.String(f) }))
		}
		err = verify.RegisterConflict(bound, &proof.RegisterConflict{Rule: proof.RegisterBetween,
			Ops: []history.OpID{of("write"), of("cas"), of("read")}})
		require.Equal(t, c.between, err == nil, "%v: %v", c, err)
	}
}
