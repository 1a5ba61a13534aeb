package specs_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stutters reports whether a specification has a stuttering: not one whose states stand for
// several.
func stutters(s model.Spec) bool {
	_, err := specs.Relax(s, specs.SemanticRelaxation{Stuttering: 1})
	return err == nil
}

// TestStutteringByDefinition: for every specification, a sequence of operations is allowed exactly
// if the operations whose change is left out can be chosen so that no more than k of them find the
// object in a state that nothing changes in between.
func TestStutteringByDefinition(t *testing.T) {
	runs := uint64(testenv.Scale(150, 5000))
	for _, s := range specs.All() {
		name := s.Info().Name
		if !stutters(s) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			only := 0 // sequences that a relaxation alone allows
			for seed := range runs {
				h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, NoEdges: true})
				require.NoError(t, err)
				if len(h.Ops) == 0 {
					continue
				}
				r := rand.New(rand.NewPCG(seed, 6))
				ops := make([]history.OpID, 1+r.IntN(6))
				for k := range ops {
					ops[k] = history.OpID(r.IntN(len(h.Ops)))
				}
				bound, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				strict := bound.NewMachine()
				least := leastStuttering(strict, strict.Init(), ops, 0)
				for k := range 4 {
					m := bindRelaxed(t, name, specs.SemanticRelaxation{Stuttering: k}, h).NewMachine()
					states := []model.State{m.Init()}
					for _, op := range ops {
						states = stepAll(m, states, op)
					}
					require.Equal(t, least <= k, len(states) > 0, "stuttering=%d, seed %d, operations %v", k, seed, ops)
				}
				if least > 0 && least < 4 {
					only++
				}
			}
			assert.Greater(t, only, testenv.MoreThan(0))
		})
	}
}

// leastStuttering returns the least greatest number of changes left out in a state, over all ways
// from s, in which left have been left out.
func leastStuttering(m model.Machine, s model.State, ops []history.OpID, left int) int {
	if len(ops) == 0 {
		return left
	}
	least := 100
	for _, t := range m.Step(s, ops[0], nil) {
		if t == s {
			least = min(least, leastStuttering(m, s, ops[1:], left))
			continue
		}
		least = min(least, max(left, leastStuttering(m, t, ops[1:], 0)), leastStuttering(m, s, ops[1:], left+1))
	}
	return least
}
