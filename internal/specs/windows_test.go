package specs

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

// The windows of a tree are compared with plain lists: equal contents, and only they, are the same
// state, on whatever ways they came about.
func TestWindowsAreTheirContents(t *testing.T) {
	for seed := range int64(200) {
		rng := rand.New(rand.NewSource(seed))
		values := 1 + rng.Intn(3)
		var calls []call
		for v := range values {
			calls = append(calls, call{"enq", v, nil})
		}
		calls = append(calls, call{"deq", nil, unknownResult{}}, call{"peek", nil, unknownResult{}})
		var initial []any
		for range rng.Intn(5) {
			initial = append(initial, rng.Intn(values))
		}
		b, err := Queue().Bind(sequential(t, initial, calls))
		require.NoError(t, err)
		m := b.NewMachine().(*windowMachine)
		type pair struct {
			state model.State
			list  []any
		}
		states := []pair{{m.Init(), initial}}
		byList := map[string]model.State{fmt.Sprint(initial): m.Init()}
		byState := map[model.State]string{m.Init(): fmt.Sprint(initial)}
		for range 300 {
			p := states[rng.Intn(len(states))]
			op := rng.Intn(len(calls))
			next := m.Step(p.state, history.OpID(op), nil)
			require.Len(t, next, 1)
			list := p.list
			switch {
			case op < values:
				list = append(append([]any(nil), list...), op)
			case op == values && len(list) > 0:
				list = list[1:]
			}
			key := fmt.Sprint(list)
			if known, ok := byList[key]; ok {
				require.Equal(t, known, next[0], "seed %d: %s", seed, key)
			}
			if known, ok := byState[next[0]]; ok {
				require.Equal(t, known, key, "seed %d", seed)
			}
			byList[key], byState[next[0]] = next[0], key
			want := "empty"
			if len(list) > 0 {
				want = string(m.contents.part.History.Values.AppendJSON(nil,
					value(m.contents.part.History.Values, list)))
			}
			require.Equal(t, want, m.Describe(next[0]), "seed %d", seed)
			states = append(states, pair{next[0], list})
		}
	}
}

func TestWindowsSurviveCollidingHashes(t *testing.T) {
	b, err := Queue().Bind(sequential(t, []any{}, []call{{"enq", "a", nil}, {"enq", "b", nil}, {"enq", "c", nil}}))
	require.NoError(t, err)
	m := newWindowMachine(b.NewMachine().(*windowMachine).contents)
	way := func(values ...int32) (node int32) {
		for _, v := range values {
			node = m.child(node, v)
		}
		return node
	}
	forge := func(node int32) model.State { return m.intern(window{node: node, length: 2, hash: 7}) }
	ab, ba := forge(way(0, 1)), forge(way(1, 0))
	require.NotEqual(t, ab, ba)
	require.Equal(t, ab, forge(way(2, 0, 1)))
	require.Equal(t, ba, forge(way(2, 2, 1, 0)))
	require.NotEqual(t, ab, forge(way(0, 2)))
	require.NotEqual(t, ab, m.intern(window{node: way(0, 0, 1), length: 3, hash: 7}))
}

// BenchmarkLongQueue explores the states of a queue of 1,000 elements under eight insertions and
// eight removals.
func BenchmarkLongQueue(b *testing.B) {
	initial := make([]any, 1000)
	for i := range initial {
		initial[i] = i
	}
	var calls []call
	for i := range 8 {
		calls = append(calls, call{"enq", i, nil}, call{"deq", nil, unknownResult{}})
	}
	bound, err := Queue().Bind(sequential(b, initial, calls))
	require.NoError(b, err)
	var m model.Machine
	steps := 0
	for b.Loop() {
		m = bound.NewMachine()
		states := []model.State{m.Init()}
		seen := map[model.State]bool{m.Init(): true}
		for at := 0; at < len(states) && at < 2000; at++ {
			for op := range calls {
				steps++
				for _, s := range m.Step(states[at], history.OpID(op), nil) {
					if !seen[s] {
						seen[s] = true
						states = append(states, s)
					}
				}
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
	b.ReportMetric(float64(m.Bytes()), "state-bytes")
}
