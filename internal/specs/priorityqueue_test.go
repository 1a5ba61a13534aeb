package specs

import (
	"math"
	"testing"
)

func TestPriorityQueueBehaviour(t *testing.T) {
	x, y := []any{1, "x"}, []any{1, "y"}
	testBehaviour(t, PriorityQueue(), []behaviour{
		{"least first", noInitial{}, []call{{"insert", 3, nil}, {"insert", 1, nil}, {"insert", 3, nil}, {"min", nil, 1},
			{"deletemin", nil, 1}, {"deletemin", nil, 3}}, []string{"[3]"}, ""},
		{"negative and extreme", noInitial{}, []call{{"insert", -1, nil}, {"insert", int64(math.MinInt64), nil},
			{"insert", int64(math.MaxInt64), nil}, {"deletemin", nil, int64(math.MinInt64)}, {"deletemin", nil, -1}},
			[]string{"[9223372036854775807]"}, ""},
		{"any of equal ones", noInitial{}, []call{{"insert", x, nil}, {"insert", y, nil}, {"insert", 1, nil},
			{"deletemin", nil, y}, {"min", nil, 1}, {"deletemin", nil, x}}, []string{"[1]"}, ""},
		{"unknown results", []any{x, y, 2}, []call{{"deletemin", nil, unknownResult{}}, {"min", nil, pendingCall{}}},
			[]string{`[[1, "y"], 2]`, `[[1, "x"], 2]`}, ""},
		{"unknown result, equal elements", []any{x, x}, []call{{"deletemin", nil, unknownResult{}}},
			[]string{`[[1, "x"]]`}, ""},
		{"empty", noInitial{}, []call{{"deletemin", nil, nil}, {"min", nil, nil}, {"deletemin", nil, pendingCall{}}},
			[]string{"empty"}, ""},
		{"initial in any order", []any{5, 3, 4}, []call{{"deletemin", nil, 3}}, []string{"[4, 5]"}, ""},
		{"not the least", []any{5, 3}, []call{{"deletemin", nil, 5}}, []string{"[3, 5]"}, "3 goes before 5"},
		{"not the least to see", []any{5, 3}, []call{{"min", nil, 5}}, []string{"[3, 5]"}, "3 goes before 5"},
		{"not there", []any{5}, []call{{"deletemin", nil, 3}}, []string{"[5]"}, "3 is not in the priority queue"},
		{"without its value", []any{x}, []call{{"deletemin", nil, 1}}, []string{`[[1, "x"]]`},
			"1 is not in the priority queue"},
		{"nothing there", noInitial{}, []call{{"deletemin", nil, 3}}, []string{"empty"}, "the priority queue is empty"},
		{"not empty", []any{5}, []call{{"deletemin", nil, nil}}, []string{"[5]"},
			"the priority queue is not empty: its next element is 5"},
	})
}

func TestPriorityQueueRefusesBadInput(t *testing.T) {
	testBadInput(t, PriorityQueue(), []badInput{
		{"operation", noInitial{}, []call{{"write", 1, nil}}, `operation 0: priority-queue has no operation "write"`},
		{"priority", noInitial{}, []call{{"insert", "x", nil}},
			`operation 0: argument of "insert" is "x", not an integer priority or [priority, value]`},
		{"pair", noInitial{}, []call{{"insert", []any{"x", 1}, nil}},
			`operation 0: argument of "insert" is ["x", 1], not an integer priority or [priority, value]`},
		{"result", noInitial{}, []call{{"deletemin", nil, true}},
			`operation 0: result of "deletemin" is true, not an integer priority or [priority, value] or null`},
		{"argument", noInitial{}, []call{{"min", 1, 1}},
			`operation 0: argument of "min" is 1, not null: it takes no argument`},
		{"initial", []any{"x"}, []call{{"deletemin", nil, nil}},
			`initial state of priority-queue is ["x"], not a list of elements p or [p, v] in any order, p an integer (default: empty)`},
	})
}

func TestPriorityQueueAliases(t *testing.T) {
	testAliases(t, PriorityQueue(), map[string]any{"insert": 1})
}
