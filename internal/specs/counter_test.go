package specs

import (
	"math"
	"testing"

	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCounterBehaviour(t *testing.T) {
	testBehaviour(t, Counter(), []behaviour{
		{"up and down", noInitial{}, []call{{"inc", nil, nil}, {"inc", 5, nil}, {"dec", nil, nil}, {"dec", 2, nil},
			{"read", nil, 3}, {"inc", -4, nil}, {"read", nil, -1}}, []string{"-1"}, ""},
		{"tickets", noInitial{}, []call{{"getandinc", nil, 0}, {"getandinc", nil, 1}, {"getandinc", 3, 2},
			{"read", nil, 5}}, []string{"5"}, ""},
		{"initial", 7, []call{{"read", nil, 7}}, []string{"7"}, ""},
		{"initial null", nil, []call{{"read", nil, 0}}, []string{"0"}, ""},
		{"increments that only acknowledge", noInitial{}, []call{{"inc", 2, true}, {"dec", 1, "ok"}},
			[]string{"1"}, ""},
		{"increments that result in the value after", noInitial{}, []call{{"inc", 2, 2}, {"incr", nil, 3},
			{"dec", 1, 2}, {"decrby", 2, 0}}, []string{"0"}, ""},
		{"a lost increment", noInitial{}, []call{{"incr", nil, 1}, {"incr", nil, 1}}, []string{"1"},
			"the counter is 1, so it returns 2, not 1"},
		{"a lost decrement", 5, []call{{"decrementAndGet", nil, 4}, {"sub", 2, 3}}, []string{"4"},
			"the counter is 4, so it returns 2, not 3"},
		{"before and after", 5, []call{{"getAndDecrement", nil, 5}, {"addAndGet", 6, 10}, {"fetchsub", 10, 10},
			{"incrementAndGet", nil, 1}}, []string{"1"}, ""},
		{"set, swapped, compared", noInitial{}, []call{{"set", 7, nil}, {"inc", nil, nil}, {"swap", 2, 8},
			{"cas", []any{2, 5}, true}, {"cas", []any{2, 9}, false},
			{"compareAndExchange", []any{5, 6}, 5}, {"compareAndExchange", []any{5, 7}, 6}, {"read", nil, 6}},
			[]string{"6"}, ""},
		{"a cas that must not fail", noInitial{}, []call{{"cas", []any{0, 5}, false}}, []string{"0"},
			"the counter is 0, so the cas cannot fail"},
		{"a cas that must fail", 3, []call{{"cas", []any{0, 5}, true}}, []string{"3"}, "the counter is 3, not 0"},
		{"a swap that is wrong", 3, []call{{"getAndSet", 5, 4}}, []string{"3"}, "the counter is 3, not 4"},
		{"a cas of unknown outcome", noInitial{}, []call{{"cas", []any{0, 5}, unknownResult{}},
			{"cas", []any{0, 6}, nil}}, []string{"5"}, ""},
		{"pending", noInitial{}, []call{{"swap", 3, pendingCall{}}, {"incandget", nil, pendingCall{}},
			{"cas", []any{4, 9}, pendingCall{}}}, []string{"9"}, ""},
		{"unknown results", noInitial{}, []call{{"getandinc", 2, unknownResult{}}, {"read", nil, pendingCall{}},
			{"inc", nil, pendingCall{}}}, []string{"3"}, ""},
		{"up to the end of the range", int64(math.MaxInt64 - 1), []call{{"inc", nil, nil}},
			[]string{"9223372036854775807"}, ""},
		{"wrong read", 3, []call{{"read", nil, 5}}, []string{"3"}, "the counter is 3, not 5"},
		{"wrong ticket", 3, []call{{"getandinc", nil, 5}}, []string{"3"}, "the counter is 3, not 5"},
	})
}

func TestCounterRefusesBadInput(t *testing.T) {
	beyond := "operation 0: the counter could leave the range of 64-bit integers"
	testBadInput(t, Counter(), []badInput{
		{"operation", noInitial{}, []call{{"push", 1, nil}}, `operation 0: counter has no operation "push"`},
		{"result of inc", noInitial{}, []call{{"inc", nil, false}},
			`operation 0: result of "inc" is false, not the value after it, an integer, or null`},
		{"result of write", noInitial{}, []call{{"write", 4, 3}},
			`operation 0: "write" gives no result, but returned 3`},
		{"argument of write", noInitial{}, []call{{"write", nil, nil}},
			`operation 0: argument of "write" is null, not an integer`},
		{"result of incandget", noInitial{}, []call{{"incandget", nil, nil}},
			`operation 0: result of "incandget" is null, not an integer`},
		{"result of swap", noInitial{}, []call{{"swap", 1, nil}},
			`operation 0: result of "swap" is null, not an integer`},
		{"argument of cas", noInitial{}, []call{{"cas", []any{1, "x"}, true}},
			`operation 0: argument of "cas" is [1, "x"], not a list [old, new] of integers`},
		{"result of cas", noInitial{}, []call{{"cas", []any{1, 2}, 1}},
			`operation 0: result of "cas" is 1, not true or false: one that returns what it found is a compareandexchange`},
		{"result of compareandexchange", noInitial{}, []call{{"compareandexchange", []any{1, 2}, "x"}},
			`operation 0: result of "compareandexchange" is "x", not an integer, which it found`},
		{"a result past the least", noInitial{}, []call{{"incandget", nil, int64(math.MinInt64)}}, beyond},
		{"set to the end and past it", noInitial{}, []call{{"write", int64(math.MaxInt64), nil}, {"write", 0, nil},
			{"inc", nil, nil}}, "operation 2" + beyond[len("operation 0"):]},
		{"argument", noInitial{}, []call{{"inc", "x", nil}}, `operation 0: argument of "inc" is "x", not an integer`},
		{"argument of read", noInitial{}, []call{{"read", 1, 1}},
			`operation 0: argument of "read" is 1, not null: it takes no argument`},
		{"result of read", noInitial{}, []call{{"read", nil, nil}},
			`operation 0: result of "read" is null, not an integer`},
		{"result of getandinc", noInitial{}, []call{{"getandinc", nil, true}},
			`operation 0: result of "getandinc" is true, not an integer`},
		{"initial", "x", []call{{"read", nil, 1}}, `initial state of counter is "x", not an integer (default: 0)`},
		{"past the greatest", int64(math.MaxInt64), []call{{"inc", nil, nil}}, beyond},
		{"past the least", int64(math.MinInt64), []call{{"dec", nil, nil}}, beyond},
		{"past the least by inc", -1, []call{{"inc", int64(math.MinInt64), nil}}, beyond},
		{"past the greatest by dec", noInitial{}, []call{{"dec", int64(math.MinInt64), nil}}, beyond},
	})
}

func TestCounterPurity(t *testing.T) {
	b, err := Counter().Bind(sequential(t, noInitial{}, []call{{"read", nil, 0}, {"read", nil, pendingCall{}},
		{"inc", 0, nil}, {"getandinc", 0, 0}, {"dec", 0, nil}, {"inc", nil, nil}, {"getandinc", nil, 0}}))
	require.NoError(t, err)
	assert.Equal(t, []bool{true, true, true, true, true, false, false}, b.ReadOnly)
	assert.Equal(t, []model.ClassID{1, 1, 0, 2, 0, 0, 2}, b.Class)
}

func TestCounterAliases(t *testing.T) {
	testAliases(t, Counter(), map[string]any{"write": 1, "swap": 1, "cas": []any{1, 2},
		"compareandexchange": []any{1, 2}})
}
