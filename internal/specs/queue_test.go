package specs

import "testing"

func TestQueueBehaviour(t *testing.T) {
	testBehaviour(t, Queue(), []behaviour{
		{"in order", noInitial{}, []call{{"enq", 1, nil}, {"enq", "x", nil}, {"enq", 1, nil}, {"deq", nil, 1},
			{"peek", nil, "x"}, {"deq", nil, "x"}}, []string{"[1]"}, ""},
		{"empty", noInitial{}, []call{{"deq", nil, nil}, {"peek", nil, nil}}, []string{"empty"}, ""},
		{"emptied", noInitial{}, []call{{"enq", 1, true}, {"deq", nil, 1}, {"deq", nil, nil}}, []string{"empty"}, ""},
		{"initial", []any{3, 4}, []call{{"deq", nil, 3}, {"enq", 5, nil}}, []string{"[4, 5]"}, ""},
		{"initial null", nil, []call{{"deq", nil, nil}}, []string{"empty"}, ""},
		{"wrong value", []any{3, 4}, []call{{"deq", nil, 4}}, []string{"[3, 4]"}, "the front is 3, not 4"},
		{"wrong peek", []any{3}, []call{{"peek", nil, 4}}, []string{"[3]"}, "the front is 3, not 4"},
		{"nothing there", noInitial{}, []call{{"deq", nil, 4}}, []string{"empty"}, "the queue is empty"},
		{"not empty", []any{"a"}, []call{{"deq", nil, nil}}, []string{`["a"]`},
			`the queue is not empty: its front is "a"`},
		{"unknown removals", []any{1, 2}, []call{{"deq", nil, unknownResult{}}, {"deq", nil, pendingCall{}},
			{"deq", nil, unknownResult{}}, {"peek", nil, unknownResult{}}}, []string{"empty"}, ""},
		{"unknown result of an insertion", noInitial{}, []call{{"enq", 1, unknownResult{}}}, []string{"[1]"}, ""},
	})
}

func TestQueueRefusesBadInput(t *testing.T) {
	testBadInput(t, Queue(), []badInput{
		{"operation", noInitial{}, []call{{"write", 1, nil}}, `operation 0: queue has no operation "write"`},
		{"null", noInitial{}, []call{{"enq", nil, nil}}, `operation 0: argument of "enq" is null, not a value`},
		{"argument", noInitial{}, []call{{"deq", 1, 1}},
			`operation 0: argument of "deq" is 1, not null: it takes no argument`},
		{"initial", 3, []call{{"deq", nil, 1}},
			"initial state of queue is 3, not a list of values, front first (default: empty)"},
		{"initial element", []any{1, nil}, []call{{"deq", nil, 1}},
			"initial state of queue is [1, null], not a list of values, front first (default: empty)"},
	})
}

func TestQueueAliases(t *testing.T) {
	testAliases(t, Queue(), map[string]any{"enq": 1})
}
