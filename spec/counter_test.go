package spec

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCounterBehaviour(t *testing.T) {
	testBehaviour(t, Counter(), []behaviour{
		{"up and down", noInitial{}, []call{{"inc", nil, nil}, {"inc", 5, nil}, {"dec", nil, nil}, {"dec", 2, nil}, {"read", nil, 3}, {"inc", -4, nil}, {"read", nil, -1}}, []string{"-1"}, ""},
		{"tickets", noInitial{}, []call{{"getandinc", nil, 0}, {"getandinc", nil, 1}, {"getandinc", 3, 2}, {"read", nil, 5}}, []string{"5"}, ""},
		{"initial", 7, []call{{"read", nil, 7}}, []string{"7"}, ""},
		{"initial null", nil, []call{{"read", nil, 0}}, []string{"0"}, ""},
		{"results of increments are ignored", noInitial{}, []call{{"inc", 2, 99}, {"dec", 1, "ok"}}, []string{"1"}, ""},
		{"unknown results", noInitial{}, []call{{"getandinc", 2, unknownResult{}}, {"read", nil, pendingCall{}}, {"inc", nil, pendingCall{}}}, []string{"3"}, ""},
		{"up to the end of the range", int64(math.MaxInt64 - 1), []call{{"inc", nil, nil}}, []string{"9223372036854775807"}, ""},
		{"wrong read", 3, []call{{"read", nil, 5}}, []string{"3"}, "the counter is 3, not 5"},
		{"wrong ticket", 3, []call{{"getandinc", nil, 5}}, []string{"3"}, "the counter is 3, not 5"},
	})
}

func TestCounterRefusesBadInput(t *testing.T) {
	beyond := "operation 0: the counter could leave the range of 64-bit integers"
	testBadInput(t, Counter(), []badInput{
		{"operation", noInitial{}, []call{{"cas", 1, nil}}, `operation 0: counter has no operation "cas"`},
		{"argument", noInitial{}, []call{{"inc", "x", nil}}, `operation 0: argument of "inc" is "x", not an integer`},
		{"argument of read", noInitial{}, []call{{"read", 1, 1}}, `operation 0: argument of "read" is 1, not null: it takes no argument`},
		{"result of read", noInitial{}, []call{{"read", nil, nil}}, `operation 0: result of "read" is null, not an integer`},
		{"result of getandinc", noInitial{}, []call{{"getandinc", nil, true}}, `operation 0: result of "getandinc" is true, not an integer`},
		{"initial", "x", []call{{"read", nil, 1}}, `initial state of counter is "x", not an integer (default: 0)`},
		{"past the greatest", int64(math.MaxInt64), []call{{"inc", nil, nil}}, beyond},
		{"past the least", int64(math.MinInt64), []call{{"dec", nil, nil}}, beyond},
		{"past the least by inc", -1, []call{{"inc", int64(math.MinInt64), nil}}, beyond},
		{"past the greatest by dec", noInitial{}, []call{{"dec", int64(math.MinInt64), nil}}, beyond},
	})
}

func TestCounterPurity(t *testing.T) {
	b, err := Counter().Bind(sequential(t, noInitial{}, []call{{"read", nil, 0}, {"read", nil, pendingCall{}}, {"inc", 0, nil}, {"getandinc", 0, 0}, {"dec", 0, nil}, {"inc", nil, nil}, {"getandinc", nil, 0}}))
	require.NoError(t, err)
	assert.Equal(t, []bool{true, true, true, true, true, false, false}, b.Pure)
	assert.Equal(t, []int8{1, 1, 0, 2, 0, 0, 2}, b.Class)
}

func TestCounterAliases(t *testing.T) {
	testAliases(t, Counter(), nil)
}
