package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
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

// refuteAlone asks for a conflict among values with one origin, whether or not chains decide.
func refuteAlone(b *model.Instance, theory *model.RegisterTheory) engine.Answer {
	k := &cells{p: &engine.Problem{Instance: b}, ops: b.Partition.Ops, c: theory}
	k.accesses = make([]access, len(k.ops))
	k.byCell()
	return k.refute(context.Background())
}

// refutations counts what became of histories, and how often a rule refuted.
type refutations struct {
	violations, refuted int
	rules               map[proof.RegisterRule]int
}

// compare compares a refutation with the definition and has the verifier check it.
func (n *refutations) compare(t *testing.T, b *model.Instance, what func() string) {
	theory, ok := b.Axiomatic().(*model.RegisterTheory)
	if !ok || len(b.Partition.Edges) > 0 {
		return
	}
	want, _ := oracle.Linearizable(b)
	if !want {
		n.violations++
	}
	a := refuteAlone(b, theory)
	if a.Verdict == engine.Unknown {
		return
	}
	n.refuted++
	e, ok := a.Proof.(*proof.RegisterConflict)
	if !ok || want {
		assert.Fail(t, "not a violation, or no evidence", "%s: %v", what(), a.Proof)
		return
	}
	n.rules[e.Rule]++
	assert.NoError(t, verify.RegisterConflict(b, e), "%s: %v", what(), e)
}

// TestRelaxedRegistersRefuteOnlyViolations compares with brute force on random histories of all
// specifications of registers, with pending operations, repeated values and several outcomes, and
// on small ones of mostly distinct values.
func TestRelaxedRegistersRefuteOnlyViolations(t *testing.T) {
	n := refutations{rules: map[proof.RegisterRule]int{}}
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(sample(40_000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{All: seed%2 == 1})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			n.compare(t, b, func() string { return fmt.Sprintf("%s seed %d", name, seed) })
			if t.Failed() {
				return
			}
		}
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for turn := range sample(1_000_000) {
		steps := randomCell(rng, cellOptions{most: 8, swaps: true, fails: true, pending: turn%2 == 0,
			absent: turn%5 == 0})
		for i := range steps { // so that some values have several origins
			if s := &steps[i]; s.f != "read" && s.new > 2 && turn%3 == 0 {
				if s.new %= 5; s.new == s.old {
					s.new++
				}
			}
		}
		n.compare(t, bindCell(t, steps, turn%3), func() string { return fmt.Sprintf("%+v", steps) })
		if t.Failed() {
			return
		}
	}
	t.Logf("%+v", n)
	for r := proof.RegisterUnwritten; r <= proof.RegisterBetween; r++ {
		assert.Greater(t, n.rules[r], testenv.MoreThan(0), r.String())
	}
}

// TestRelaxedRegistersOfFourOperations compares with brute force on all histories of four
// operations out of a few kinds, which may never return.
func TestRelaxedRegistersOfFourOperations(t *testing.T) {
	kinds := []step{{f: "write"}, {f: "write", new: 1}, {f: "write", new: 2}, {f: "read"}, {f: "read", new: 1},
		{f: "read", new: 2}, {f: "cas", old: 0, new: 1},
		{f: "cas", old: 1, new: 2}, {f: "cas", old: 1, new: 2, fails: true}, {f: "write", new: 1, ret: -1},
		{f: "cas", old: 1, new: 2, ret: -1}}
	n := refutations{rules: map[proof.RegisterRule]int{}}
	turn, every := 0, testenv.OneOf(80)
	var each func(from int, steps []step)
	each = func(from int, steps []step) {
		if len(steps) < 4 {
			for k := from; k < len(kinds); k++ {
				each(k, append(steps, kinds[k]))
			}
			return
		}
		eachOrder(4, func(call, ret []int) {
			if turn++; turn%every != 0 || t.Failed() {
				return
			}
			for i := range steps {
				if steps[i].call = call[i]; steps[i].ret >= 0 {
					steps[i].ret = ret[i]
				}
			}
			n.compare(t, bindCell(t, steps, 0), func() string { return fmt.Sprintf("%+v", steps) })
		})
	}
	each(0, nil)
	t.Logf("%+v", n)
	assert.Greater(t, n.refuted, testenv.MoreThan(0))
}
