package specs

import (
	"math/rand"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

func TestDequeBehaviour(t *testing.T) {
	testBehaviour(t, Deque(), []behaviour{
		{"both ends", noInitial{}, []call{{"pushback", 1, nil}, {"pushfront", 2, nil}, {"pushback", 3, nil},
			{"peekfront", nil, 2}, {"peekback", nil, 3}}, []string{"[2, 1, 3]"}, ""},
		{"as a queue", noInitial{}, []call{{"pushback", 1, nil}, {"pushback", 2, nil}, {"popfront", nil, 1}},
			[]string{"[2]"}, ""},
		{"as a stack", noInitial{}, []call{{"pushback", 1, nil}, {"pushback", 2, nil}, {"popback", nil, 2}},
			[]string{"[1]"}, ""},
		{"backwards", noInitial{}, []call{{"pushfront", 1, nil}, {"pushfront", 2, nil}, {"popback", nil, 1},
			{"popfront", nil, 2}, {"popback", nil, nil}, {"popfront", nil, nil}, {"peekback", nil, nil},
			{"peekfront", nil, nil}}, []string{"empty"}, ""},
		{"initial", []any{1, 2}, []call{{"popfront", nil, 1}, {"popback", nil, 2}}, []string{"empty"}, ""},
		{"unknown results", []any{1, 2, 3}, []call{{"popfront", nil, unknownResult{}}, {"popback", nil, pendingCall{}},
			{"peekback", nil, unknownResult{}}}, []string{"[2]"}, ""},
		{"wrong front", []any{1, 2}, []call{{"popfront", nil, 2}}, []string{"[1, 2]"}, "the front is 1, not 2"},
		{"wrong back", []any{1, 2}, []call{{"popback", nil, 1}}, []string{"[1, 2]"}, "the back is 2, not 1"},
		{"wrong peek", []any{1, 2}, []call{{"peekback", nil, 1}}, []string{"[1, 2]"}, "the back is 2, not 1"},
		{"nothing there", noInitial{}, []call{{"popback", nil, 1}}, []string{"empty"}, "the deque is empty"},
		{"not empty", []any{1, 2}, []call{{"popback", nil, nil}}, []string{"[1, 2]"},
			"the deque is not empty: its back is 2"},
	})
}

func TestDequeRefusesBadInput(t *testing.T) {
	testBadInput(t, Deque(), []badInput{
		{"ambiguous name", noInitial{}, []call{{"pop", nil, 1}}, `operation 0: deque has no operation "pop"`},
		{"null", noInitial{}, []call{{"pushback", nil, nil}},
			`operation 0: argument of "pushback" is null, not a value`},
		{"argument", noInitial{}, []call{{"popback", 1, 1}},
			`operation 0: argument of "popback" is 1, not null: it takes no argument`},
		{"initial", 1, []call{{"popback", nil, 1}},
			"initial state of deque is 1, not a list of values, front first (default: empty)"},
	})
}

func TestDequeAliases(t *testing.T) {
	testAliases(t, Deque(), map[string]any{"pushfront": 1, "pushback": 1})
}

// A deque that runs along an order accepts it as far as its machine does step by step, from any
// contents, with sizes, drains and unknown results.
func TestDequesRunAsTheyStep(t *testing.T) {
	whole, partly, unequal := 0, 0, 0
	for seed := range int64(2000) {
		rng := rand.New(rand.NewSource(seed))
		values := 1 + rng.Intn(4)
		one := func() any { return 1 + rng.Intn(values) }
		var initial []any
		for range rng.Intn(3) {
			initial = append(initial, one())
		}
		calls := []call{}
		for range 4 + rng.Intn(20) {
			result := []any{nil, one(), one(), unknownResult{}}[rng.Intn(4)]
			switch name := []string{"pushfront", "pushback", "pushfront", "pushback", "popfront", "popback",
				"peekfront", "peekback", "size", "drain"}[rng.Intn(10)]; name {
			case "pushfront", "pushback":
				calls = append(calls, call{name, one(), nil})
			case "size":
				calls = append(calls, call{name, nil, rng.Intn(4)})
			case "drain":
				list := []any{}
				for range rng.Intn(3) {
					list = append(list, one())
				}
				calls = append(calls, call{name, nil, list})
			default:
				calls = append(calls, call{name, nil, result})
			}
		}
		b, err := Deque().Bind(sequential(t, initial, calls))
		require.NoError(t, err)
		m := b.NewMachine()
		s, order, refused := m.Init(), []history.OpID{}, history.OpID(-1)
		for range 80 {
			op := history.OpID(rng.Intn(len(calls)))
			next := m.Step(s, op, nil)
			if len(next) == 0 {
				refused = op
				continue
			}
			require.Len(t, next, 1)
			s, order = next[0], append(order, op)
		}
		run := b.NewMachine().(model.Runner).Run
		require.Equal(t, len(order), run(order), "seed %d", seed)
		whole++
		if refused >= 0 { // it may be allowed by now
			want := len(order)
			if len(m.Step(s, refused, nil)) > 0 {
				want++
			} else {
				partly++
			}
			require.Equal(t, want, run(append(order, refused)), "seed %d", seed)
		}
		// any order at all: as far as the machine goes
		s = m.Init()
		any, want := make([]history.OpID, 30), 30
		for k := range any {
			any[k] = history.OpID(rng.Intn(len(calls)))
			if next := m.Step(s, any[k], nil); len(next) > 0 && want == 30 {
				s = next[0]
			} else if want == 30 {
				want = k
				unequal++
			}
		}
		require.Equal(t, want, run(any), "seed %d", seed)
	}
	require.Greater(t, whole, 1000)
	require.Greater(t, partly, 500)
	require.Greater(t, unequal, 500)
}
