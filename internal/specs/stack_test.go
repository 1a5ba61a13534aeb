package specs

import "testing"

func TestStackBehaviour(t *testing.T) {
	testBehaviour(t, Stack(), []behaviour{
		{"in order", noInitial{}, []call{{"push", 1, nil}, {"push", "x", nil}, {"push", 1, nil}, {"pop", nil, 1},
			{"peek", nil, "x"}, {"push", 2, nil}}, []string{`[1, "x", 2] (top last)`}, ""},
		{"empty", noInitial{}, []call{{"pop", nil, nil}, {"peek", nil, nil}}, []string{"empty"}, ""},
		{"emptied", noInitial{}, []call{{"push", 1, true}, {"pop", nil, 1}, {"pop", nil, nil}}, []string{"empty"}, ""},
		{"initial, top last", []any{3, 4}, []call{{"pop", nil, 4}, {"push", 5, nil}}, []string{"[3, 5] (top last)"},
			""},
		{"initial null", nil, []call{{"pop", nil, nil}}, []string{"empty"}, ""},
		{"wrong value", []any{3, 4}, []call{{"pop", nil, 3}}, []string{"[3, 4] (top last)"}, "the top is 4, not 3"},
		{"wrong peek", []any{3}, []call{{"peek", nil, 4}}, []string{"[3] (top last)"}, "the top is 3, not 4"},
		{"nothing there", noInitial{}, []call{{"pop", nil, 4}}, []string{"empty"}, "the stack is empty"},
		{"not empty", []any{"a"}, []call{{"pop", nil, nil}}, []string{`["a"] (top last)`},
			`the stack is not empty: its top is "a"`},
		{"unknown removals", []any{1, 2}, []call{{"pop", nil, unknownResult{}}, {"pop", nil, pendingCall{}},
			{"pop", nil, unknownResult{}}, {"peek", nil, unknownResult{}}}, []string{"empty"}, ""},
	})
}

func TestStackRefusesBadInput(t *testing.T) {
	testBadInput(t, Stack(), []badInput{
		{"operation", noInitial{}, []call{{"write", 1, nil}}, `operation 0: stack has no operation "write"`},
		{"null", noInitial{}, []call{{"push", nil, nil}}, `operation 0: argument of "push" is null, not a value`},
		{"argument", noInitial{}, []call{{"pop", 1, 1}},
			`operation 0: argument of "pop" is 1, not null: it takes no argument`},
		{"initial", "x", []call{{"pop", nil, 1}},
			`initial state of stack is "x", not a list of values, bottom first and top last (default: empty)`},
	})
}

func TestStackAliases(t *testing.T) {
	testAliases(t, Stack(), map[string]any{"push": 1})
}
