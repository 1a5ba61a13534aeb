package specs

import "testing"

func TestLogBehaviour(t *testing.T) {
	testBehaviour(t, Log(), []behaviour{
		{"append and read", noInitial{}, []call{{"append", "a", 0}, {"append", 1, nil}, {"append", "a", 2},
			{"read", nil, []any{"a", 1, "a"}}, {"read", 0, []any{"a", 1, "a"}}, {"read", 2, []any{"a"}}},
			[]string{`["a", 1, "a"]`}, ""},
		{"read at and past the end", []any{1}, []call{{"read", 1, []any{}}, {"read", 1, nil}, {"read", 9, []any{}}},
			[]string{"[1]"}, ""},
		{"empty", noInitial{}, []call{{"read", nil, []any{}}, {"read", nil, nil}}, []string{"empty"}, ""},
		{"initial", []any{1, 2}, []call{{"append", 3, 2}, {"read", 1, []any{2, 3}}}, []string{"[1, 2, 3]"}, ""},
		{"unknown results", noInitial{}, []call{{"append", 1, unknownResult{}}, {"append", 2, pendingCall{}},
			{"read", nil, unknownResult{}}, {"read", 5, pendingCall{}}}, []string{"[1, 2]"}, ""},
		{"wrong offset", []any{1}, []call{{"append", 2, 0}}, []string{"[1]"}, "the next offset is 1, not 0"},
		{"too few read", []any{1, 2, 3}, []call{{"read", 1, []any{2}}}, []string{"[1, 2, 3]"},
			"the log has 2 values from offset 1 on, not 1"},
		{"too many read", []any{1}, []call{{"read", nil, []any{1, 2}}}, []string{"[1]"},
			"the log has 1 value from offset 0 on, not 2"},
		{"wrong value read", []any{1, 2}, []call{{"read", nil, []any{1, 3}}}, []string{"[1, 2]"},
			"offset 1 holds 2, not 3"},
		{"nothing read", []any{1}, []call{{"read", nil, nil}}, []string{"[1]"},
			"the log has 1 value from offset 0 on, not 0"},
	})
}

func TestLogRefusesBadInput(t *testing.T) {
	testBadInput(t, Log(), []badInput{
		{"operation", noInitial{}, []call{{"deq", nil, 1}}, `operation 0: log has no operation "deq"`},
		{"null", noInitial{}, []call{{"append", nil, nil}}, `operation 0: argument of "append" is null, not a value`},
		{"offset", noInitial{}, []call{{"append", 1, "x"}},
			`operation 0: result of "append" is "x", not an offset or null`},
		{"from", noInitial{}, []call{{"read", -1, nil}},
			`operation 0: argument of "read" is -1, not an offset, counted from 0, or [offset, n]`},
		{"limit", noInitial{}, []call{{"read", []any{0, 1}, []any{1, 2}}},
			`operation 0: result of "read" is [1, 2], not a list of at most 1 values`},
		{"values", noInitial{}, []call{{"read", nil, 3}}, `operation 0: result of "read" is 3, not a list of values`},
		{"initial", []any{nil}, []call{{"read", nil, nil}},
			"initial state of log is [null], not a list of values, oldest first (default: empty)"},
	})
}

func TestLogAliases(t *testing.T) {
	testAliases(t, Log(), map[string]any{"append": 1})
}
