package certify_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/certify"
	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/gen"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/monitor"
	"github.com/linsat/linsat/spec"
)

var collectionNames = []string{"queue", "stack", "priority-queue"}

// forged makes a refutation of any rule, mostly well-formed.
func forged(r *rand.Rand, c *spec.Collection) *check.CollectionRefutation {
	f := &check.CollectionRefutation{Rule: check.CollectionRule(r.IntN(int(check.Crossed) + 1)), Op: -1, Other: -1, Via: -1}
	f.Values = []int32{}
	for _, v := range r.Perm(c.Values) {
		f.Values = append(f.Values, int32(v))
	}
	f.Values = f.Values[:min(len(f.Values), 1+r.IntN(4))]
	operation := func(v int32) int32 { // on v, if it finds one
		at := r.IntN(len(c.Does))
		for k := range c.Does {
			if i := (at + k) % len(c.Does); c.Value[i] == v {
				return int32(i)
			}
		}
		return int32(at)
	}
	switch f.Rule {
	case check.RemovedTwice, check.NeverInserted, check.Disordered:
		f.Values = f.Values[:min(len(f.Values), 1)]
		if len(f.Values) == 1 {
			f.Op, f.Other = operation(f.Values[0]), operation(f.Values[0])
		}
	case check.Covered:
		f.Op = operation(spec.Nothing)
	case check.Outranked:
		f.Op = int32(r.IntN(len(c.Does)))
	case check.Crossed:
		f.Values = f.Values[:min(len(f.Values), 2)]
	case check.Overtaken:
		if r.IntN(2) == 0 && len(f.Values) > 2 {
			f.Via, f.Values = f.Values[len(f.Values)-1], f.Values[:len(f.Values)-1]
		}
	}
	if r.IntN(20) == 0 {
		f.Op, f.Other, f.Via = int32(r.IntN(len(c.Does)+2)-1), int32(r.IntN(len(c.Does)+2)-1), int32(r.IntN(c.Values+2)-1)
	}
	return f
}

// changedRefutation changes what a refutation names.
func changedRefutation(r *rand.Rand, c *spec.Collection, f *check.CollectionRefutation) *check.CollectionRefutation {
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
			g.Op = int32(r.IntN(len(c.Does)))
		case 4:
			g.Rule = check.CollectionRule(r.IntN(int(check.Crossed) + 1))
		case 5:
			g.Via = int32(r.IntN(c.Values+1) - 1)
		}
	}
	return &g
}

// A refutation of a linearizable history is refused, whoever made it; forged ones of others are refused, or prove what is true.
func TestForgedRefutationsOfCollections(t *testing.T) {
	n := rounds(3000, 60_000)
	for _, name := range collectionNames {
		s, _ := spec.Lookup(name)
		refused, valid := map[check.CollectionRule]int{}, map[check.CollectionRule]int{}
		for seed := range n {
			h, err := gen.Small(name, seed, gen.SmallOptions{Distinct: seed%5 > 0, Keys: 1, Values: 5, Most: 9})
			require.NoError(t, err)
			b, err := s.Bind(spec.Whole(h))
			require.NoError(t, err)
			c, ok := b.Theory.(*spec.Collection)
			if !ok || c.Values == 0 || len(c.Does) == 0 {
				continue
			}
			yes, _ := oracle.Linearizable(b)
			r := rand.New(rand.NewPCG(seed, 7))
			judge := func(f *check.CollectionRefutation) {
				err := certify.Collection(b, f)
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
			a, err := monitor.New().Check(context.Background(), &check.Problem{Bound: b}, nil)
			require.NoError(t, err)
			if f, ok := a.Evidence.(*check.CollectionRefutation); ok {
				for range 10 {
					judge(changedRefutation(r, c, f))
				}
			}
		}
		t.Logf("%s: refused %v, valid %v", name, refused, valid)
		for rule := check.RemovedTwice; rule <= check.Crossed; rule++ {
			assert.Positive(t, refused[rule], "%s: %v", name, rule)
		}
		for _, rule := range map[string][]check.CollectionRule{"queue": {check.Overtaken, check.Crossed}, "stack": {check.Blocked}, "priority-queue": {check.Outranked}}[name] {
			assert.Positive(t, valid[rule], "%s: %v", name, rule)
		}
		assert.Positive(t, valid[check.Covered])
	}
}

// TestCollectionRefuses names the ways in which a refutation can be malformed.
func TestCollectionRefuses(t *testing.T) {
	h, err := gen.Small("queue", 1, gen.SmallOptions{Least: 6, Distinct: true, Keys: 1, NoPending: true, NoEdges: true, NoInitial: true})
	require.NoError(t, err)
	b, err := spec.Queue().Bind(spec.Whole(h))
	require.NoError(t, err)
	of := func(rule check.CollectionRule, values ...int32) *check.CollectionRefutation {
		return &check.CollectionRefutation{Rule: rule, Op: -1, Other: -1, Via: -1, Values: values}
	}
	for want, f := range map[string]*check.CollectionRefutation{
		"no value is named": of(check.Crossed),
		"twice or does not": of(check.Crossed, 0, 0),
		"does not exist":    of(check.Crossed, 0, 1000),
		"no such rule":      of(0, 0),
		"no stack":          of(check.Blocked, 0),
		"nobody is over":    of(check.Overtaken, 0),
		"no completed":      of(check.Covered, 0),
	} {
		assert.ErrorContains(t, certify.Collection(b, f), want)
	}
	assert.Error(t, certify.Collection(b, nil))
	register, _ := spec.Lookup("register")
	assert.ErrorContains(t, certify.Collection(bound(t, register, 1), of(check.Crossed, 0, 1)), "no queue")
}
