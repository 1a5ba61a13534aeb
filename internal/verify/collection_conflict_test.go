package verify_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var collectionNames = []string{"queue", "stack", "priority-queue"}

// forged makes a refutation of any rule, mostly well-formed.
func forged(r *rand.Rand, c *model.CollectionTheory) *proof.CollectionConflict {
	f := &proof.CollectionConflict{Rule: proof.CollectionRule(r.IntN(int(proof.Overdrawn) + 1)), Op: -1,
		Other: -1, Via: -1}
	f.Values = []int32{}
	for _, v := range r.Perm(c.Values) {
		f.Values = append(f.Values, int32(v))
	}
	f.Values = f.Values[:min(len(f.Values), 1+r.IntN(4))]
	operation := func(v int32) history.OpID { // on v, if it finds one
		at := r.IntN(len(c.Does))
		for k := range c.Does {
			if i := (at + k) % len(c.Does); c.Value[i] == v {
				return history.OpID(i)
			}
		}
		return history.OpID(at)
	}
	switch f.Rule {
	case proof.RemovedTwice, proof.NeverInserted, proof.Disordered, proof.Overdrawn:
		f.Values = f.Values[:min(len(f.Values), 1)]
		if len(f.Values) == 1 {
			f.Op, f.Other = operation(f.Values[0]), operation(f.Values[0])
		}
	case proof.Covered:
		f.Op = operation(model.Nothing)
	case proof.Outranked:
		f.Op = history.OpID(r.IntN(len(c.Does)))
	case proof.Crossed:
		f.Values = f.Values[:min(len(f.Values), 2)]
	case proof.Overtaken:
		if r.IntN(2) == 0 && len(f.Values) > 2 {
			f.Via, f.Values = f.Values[len(f.Values)-1], f.Values[:len(f.Values)-1]
		}
	}
	if r.IntN(20) == 0 {
		f.Op, f.Other, f.Via = history.OpID(r.IntN(len(c.Does)+2)-1), history.OpID(r.IntN(len(c.Does)+2)-1),
			int32(r.IntN(c.Values+2)-1)
	}
	return f
}

// changedRefutation changes what a refutation names.
func changedRefutation(r *rand.Rand, c *model.CollectionTheory, f *proof.CollectionConflict) *proof.CollectionConflict {
	g := *f
	g.Values = slices.Clone(f.Values)
	for range 1 + r.IntN(2) {
		k := r.IntN(len(g.Values))
		switch r.IntN(6) {
		case 0:
			if len(g.Values) > 1 {
				g.Values = slices.Delete(g.Values, k, k+1)
			}
		case 1:
			g.Values[k] = int32(r.IntN(c.Values))
		case 2:
			g.Values = append(g.Values, int32(r.IntN(c.Values)))
		case 3:
			g.Op = history.OpID(r.IntN(len(c.Does)))
		case 4:
			g.Rule = proof.CollectionRule(r.IntN(int(proof.Overdrawn) + 1))
		case 5:
			g.Via = int32(r.IntN(c.Values+1) - 1)
		}
	}
	return &g
}

// A refutation of a linearizable history is refused, whoever made it; forged ones of others are
// refused, or prove what is true.
func TestForgedRefutationsOfCollectionsAreRefused(t *testing.T) {
	n := uint64(testenv.Scale(3000, 60_000))
	for _, name := range collectionNames {
		s, _ := specs.Lookup(name)
		refused, valid := map[proof.CollectionRule]int{}, map[proof.CollectionRule]int{}
		for seed := range n {
			h, err := gen.Small(name, seed, gen.SmallOptions{Distinct: seed%5 > 0, Keys: 1, Values: 5, Most: 9})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			c, ok := b.Theory.(*model.CollectionTheory)
			if !ok || c.Values == 0 || len(c.Does) == 0 {
				continue
			}
			yes, _ := oracle.Linearizable(b)
			r := rand.New(rand.NewPCG(seed, 7))
			judge := func(f *proof.CollectionConflict) {
				err := verify.Collection(b, f)
				if err != nil {
					refused[f.Rule]++
					return
				}
				valid[f.Rule]++
				if yes {
					require.Fail(t, "a linearizable history refuted", "%s seed %d: %v", name, seed, f)
				}
			}
			for range 20 {
				judge(forged(r, c))
			}
			a, err := monitor.New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
			require.NoError(t, err)
			if f, ok := a.Proof.(*proof.CollectionConflict); ok {
				for range 10 {
					judge(changedRefutation(r, c, f))
				}
			}
		}
		t.Logf("%s: refused %v, valid %v", name, refused, valid)
		for rule := proof.RemovedTwice; rule <= proof.Overdrawn; rule++ {
			assert.Positive(t, refused[rule], "%s: %v", name, rule)
		}
		for _, rule := range map[string][]proof.CollectionRule{"queue": {proof.Overtaken, proof.Crossed},
			"stack": {proof.Blocked}, "priority-queue": {proof.Outranked}}[name] {
			assert.Positive(t, valid[rule], "%s: %v", name, rule)
		}
		assert.Positive(t, valid[proof.Covered])
	}
}

// TestUnknownRemovalsMayConcernAnyValue: a value that a removal of an unknown result may have taken
// is not certainly inside.
func TestUnknownRemovalsMayConcernAnyValue(t *testing.T) {
	b := history.NewBuilder()
	v := b.Values
	for i, r := range []history.Record{{F: v.String("enq"), Arg: v.Int(7)}, {F: v.String("deq"), Forgotten: true},
		{F: v.String("deq")}} {
		r.Process, r.Key, r.Call, r.Return = b.ProcessInt(int64(i)), history.NoKey, int64(2*i), int64(2*i+1)
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	bound, err := specs.Queue().Bind(model.Whole(h))
	require.NoError(t, err)
	yes, _ := oracle.Linearizable(bound)
	require.True(t, yes)
	covered := &proof.CollectionConflict{Rule: proof.Covered, Values: []int32{0}, Op: 2, Other: -1, Via: -1}
	assert.ErrorContains(t, verify.Collection(bound, covered), "operation 1 (deq → ?): its result is not known")
}

// TestCollectionRefuses names the ways in which a refutation can be malformed.
func TestCollectionRefuses(t *testing.T) {
	h, err := gen.Small("queue", 1, gen.SmallOptions{Least: 6, Distinct: true, Keys: 1, NoPending: true, NoEdges: true,
		NoInitial: true})
	require.NoError(t, err)
	b, err := specs.Queue().Bind(model.Whole(h))
	require.NoError(t, err)
	of := func(rule proof.CollectionRule, values ...int32) *proof.CollectionConflict {
		return &proof.CollectionConflict{Rule: rule, Op: -1, Other: -1, Via: -1, Values: values}
	}
	for want, f := range map[string]*proof.CollectionConflict{
		"no value is named": of(proof.Crossed),
		"is named twice":    of(proof.Crossed, 0, 0),
		"no such value":     of(proof.Crossed, 0, 1000),
		"it is unknown":     of(0, 0),
		"is not a stack":    of(proof.Blocked, 0),
		"no value is over":  of(proof.Overtaken, 0),
		"no completed":      of(proof.Covered, 0),
	} {
		assert.ErrorContains(t, verify.Collection(b, f), want)
	}
	assert.Error(t, verify.Collection(b, nil))
	register, _ := specs.Lookup("register")
	assert.ErrorContains(t, verify.Collection(bound(t, register, 1), of(proof.Crossed, 0, 1)), "not a queue")
}
