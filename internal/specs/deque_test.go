package specs

import "testing"

func TestDequeBehaviour(t *testing.T) {
	testBehaviour(t, Deque(), []behaviour{
		{"both ends", noInitial{}, []call{{"pushback", 1, nil}, {"pushfront", 2, nil}, {"pushback", 3, nil}, {"peekfront", nil, 2}, {"peekback", nil, 3}}, []string{"[2, 1, 3]"}, ""},
		{"as a queue", noInitial{}, []call{{"pushback", 1, nil}, {"pushback", 2, nil}, {"popfront", nil, 1}}, []string{"[2]"}, ""},
		{"as a stack", noInitial{}, []call{{"pushback", 1, nil}, {"pushback", 2, nil}, {"popback", nil, 2}}, []string{"[1]"}, ""},
		{"backwards", noInitial{}, []call{{"pushfront", 1, nil}, {"pushfront", 2, nil}, {"popback", nil, 1}, {"popfront", nil, 2}, {"popback", nil, nil}, {"popfront", nil, nil}, {"peekback", nil, nil}, {"peekfront", nil, nil}}, []string{"empty"}, ""},
		{"initial", []any{1, 2}, []call{{"popfront", nil, 1}, {"popback", nil, 2}}, []string{"empty"}, ""},
		{"unknown results", []any{1, 2, 3}, []call{{"popfront", nil, unknownResult{}}, {"popback", nil, pendingCall{}}, {"peekback", nil, unknownResult{}}}, []string{"[2]"}, ""},
		{"wrong front", []any{1, 2}, []call{{"popfront", nil, 2}}, []string{"[1, 2]"}, "the front is 1, not 2"},
		{"wrong back", []any{1, 2}, []call{{"popback", nil, 1}}, []string{"[1, 2]"}, "the back is 2, not 1"},
		{"wrong peek", []any{1, 2}, []call{{"peekback", nil, 1}}, []string{"[1, 2]"}, "the back is 2, not 1"},
		{"nothing there", noInitial{}, []call{{"popback", nil, 1}}, []string{"empty"}, "the deque is empty"},
		{"not empty", []any{1, 2}, []call{{"popback", nil, nil}}, []string{"[1, 2]"}, "the deque is not empty: its back is 2"},
	})
}

func TestDequeRefusesBadInput(t *testing.T) {
	testBadInput(t, Deque(), []badInput{
		{"ambiguous name", noInitial{}, []call{{"pop", nil, 1}}, `operation 0: deque has no operation "pop"`},
		{"null", noInitial{}, []call{{"pushback", nil, nil}}, `operation 0: argument of "pushback" is null, not a value`},
		{"argument", noInitial{}, []call{{"popback", 1, 1}}, `operation 0: argument of "popback" is 1, not null: it takes no argument`},
		{"initial", 1, []call{{"popback", nil, 1}}, "initial state of deque is 1, not a list of values, front first (default: empty)"},
	})
}

func TestDequeAliases(t *testing.T) {
	testAliases(t, Deque(), map[string]any{"pushfront": 1, "pushback": 1})
}
