package specs

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

// Treaps are compared with plain sorted lists: equal contents, and only they, are the same state,
// on whatever ways they came about; they are search trees by priority and heaps by weight.
func TestTreapsAreTheirContents(t *testing.T) {
	for seed := range int64(200) {
		rng := rand.New(rand.NewSource(seed))
		values := 1 + rng.Intn(6)
		var calls []call
		for v := range values {
			calls = append(calls, call{"insert", []any{v / 2, v}, nil})
		}
		for v := range values {
			calls = append(calls, call{"deletemin", nil, []any{v / 2, v}})
		}
		calls = append(calls, call{"deletemin", nil, unknownResult{}}, call{"min", nil, unknownResult{}},
			call{"min", nil, []any{0, 0}}, call{"deletemin", nil, nil})
		b, err := PriorityQueue().Bind(sequential(t, noInitial{}, calls))
		require.NoError(t, err)
		m := b.NewMachine().(*treapMachine)
		type pair struct {
			state model.State
			list  []int // sorted
		}
		without := func(list []int, v int) []int {
			i := slices.Index(list, v)
			return slices.Concat(list[:i], list[i+1:])
		}
		states := []pair{{m.Init(), nil}}
		byList := map[string]model.State{"[]": m.Init()}
		for range 400 {
			p := states[rng.Intn(len(states))]
			op := rng.Intn(len(calls))
			var want [][]int
			least := func(v int) bool { return slices.Contains(p.list, v) && v/2 == p.list[0]/2 }
			switch {
			case op < values:
				list := append(slices.Clone(p.list), op)
				slices.Sort(list)
				want = [][]int{list}
			case op < 2*values:
				if v := op - values; least(v) {
					want = [][]int{without(p.list, v)}
				}
			case op == 2*values:
				for _, v := range slices.Compact(slices.Clone(p.list)) {
					if least(v) {
						want = append(want, without(p.list, v))
					}
				}
				if len(p.list) == 0 {
					want = [][]int{nil}
				}
			case op == 2*values+1, op == 2*values+2 && least(0), op == 2*values+3 && len(p.list) == 0:
				want = [][]int{p.list}
			}
			next := m.Step(p.state, history.OpID(op), nil)
			require.Len(t, next, len(want), "seed %d: %v of %v", seed, calls[op], p.list)
			for i, list := range want {
				key := fmt.Sprint(list)
				if known, ok := byList[key]; ok {
					require.Equal(t, known, next[i], "seed %d: %s", seed, key)
				}
				byList[key] = next[i]
				if len(list) < 12 {
					states = append(states, pair{next[i], list})
				}
			}
		}
		byState := map[model.State]bool{}
		for key, s := range byList {
			require.False(t, byState[s], "seed %d: %s", seed, key)
			byState[s] = true
			requireTreap(t, m, int32(s), math.MaxUint64)
			require.True(t, slices.IsSortedFunc(m.values(int32(s), nil), m.contents.compare), "seed %d: %s", seed, key)
		}
	}
}

func requireTreap(t *testing.T, m *treapMachine, k int32, below uint64) {
	if k == 0 {
		return
	}
	n := m.nodes[k]
	require.Less(t, weight(n.value), below)
	require.Positive(t, n.count)
	requireTreap(t, m, n.left, weight(n.value))
	requireTreap(t, m, n.right, weight(n.value))
}
