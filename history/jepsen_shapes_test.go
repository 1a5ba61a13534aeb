package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// jepsen writes a log of calls: each is a process, a function, and what it was given and gave, or
// only what it was given if it never returned.
func jepsen(calls ...[]string) string {
	var b strings.Builder
	for _, c := range calls {
		f := ""
		if c[1] != "" {
			f = " :f :" + c[1]
		}
		b.WriteString("{:process " + c[0] + " :type :invoke" + f + " :value " + c[2] + "}\n")
		if len(c) > 3 {
			b.WriteString("{:process " + c[0] + " :type :ok" + f + " :value " + c[3] + "}\n")
		}
	}
	return b.String()
}

// TestShapesOfValues: what the values of clients are read as: function, key, argument and result.
func TestShapesOfValues(t *testing.T) {
	for _, row := range []struct {
		calls [][]string
		want  []string
	}{
		{[][]string{{"0", "cas", `["a" 1 2]`, `["a" 1 2]`}, {"1", "read", `["a" nil]`, `["a" 2]`}},
			[]string{`cas "a" [1, 2] true`, `read "a" null 2`}},
		{[][]string{{"0", "cas", `["a" 1 2]`}}, []string{`cas "a" [1, 2] null`}},
		{[][]string{{"0", "cas", `[1 2]`, `[1 2]`}, {"1", "cas", `[1 2 3]`}},
			[]string{`cas - [1, 2] true`, `cas - [1, 2, 3] null`}},
		{[][]string{{"0", "try_acquire", `"L"`, "true"}, {"0", "release", `"L"`, "()"},
			{"1", "try_acquire", `"L"`, `"L"`}},
			[]string{`try_acquire "L" null true`, `release "L" null null`, `try_acquire "L" null null`}},
		// several locks, one of them used by two processes in turn
		{[][]string{{"0", "acquire", ":a", "nil"}, {"1", "acquire", ":b", "nil"}, {"0", "release", ":a", "nil"},
			{"1", "acquire", ":a", "nil"}, {"1", "release", ":a", "nil"}, {"0", "acquire", ":a", "nil"}},
			[]string{`acquire "a" null null`, `acquire "b" null null`, `release "a" null null`, `acquire "a" null null`,
				`release "a" null null`, `acquire "a" null null`}},
		// one lock of two processes, none of which crashed
		{[][]string{{"0", "acquire", ":a", "nil"}, {"0", "release", ":a", "nil"}, {"1", "acquire", ":a", "nil"}},
			[]string{`acquire "a" null null`, `release "a" null null`, `acquire "a" null null`}},
		// locks without a name
		{[][]string{{"0", "acquire", "nil", "()"}, {"0", "release", "nil", "()"}}, []string{`acquire - null null`,
			`release - null null`}},
		// owners: the first one goes on as another process
		{[][]string{{"0", "acquire", ":a", "7"}, {"0", "release", ":a"}, {"1", "release", ":a", "nil"}},
			[]string{`acquire - "a" 7`, `release - "a" null`, `release - "a" null`}},
		{[][]string{{"0", "acquire", ":a"}, {"1", "acquire", ":b", "nil"}, {"2", "release", ":a", "nil"}},
			[]string{`acquire - "a" null`, `acquire - "b" null`, `release - "a" null`}},
		{[][]string{{"0", "", "[[:w 1 1]]", "[[:w 1 1]]"}, {"1", "", "[[:r 1 nil]]", "[[:r 1 1]]"}},
			[]string{`txn - [["w", 1, 1]] null`, `txn - [["r", 1, null]] [["r", 1, 1]]`}},
		{[][]string{{"0", "inc", "[nil nil]", "[10 1]"}, {"0", "read", "[9 nil]", "[9 0]"}, {"0", "inc", "[nil nil]"}},
			[]string{`inc - null 1`, `inc - null null`}},
		{[][]string{{"0", "read", "[9 nil]", "[9 0]"}}, []string{`read 9 null 0`}}, // a key
		{[][]string{{"0", "r", "[:r 6 nil]", "[:r 6 1]"}, {"0", "txn", "[[:w 6 2]]", "[[:w 6 2]]"},
			{"1", "w", "[:w 6 3]"}}, []string{`txn - [["r", 6, null]] [["r", 6, 1]]`, `txn - [["w", 6, 2]] null`,
			`txn - [["w", 6, 3]] null`}},
		{[][]string{{"0", "insert", "[4 [nil 1]]", "[4 [nil 1]]"}, {"1", "insert", "[4 [2 nil]]"}},
			[]string{`cas 4 [null, [null, 1]] true`, `cas 4 [null, [2, null]] null`}},
		{[][]string{{"0", "echo", `"a"`, `{:echo "b", :type "echo_ok"}`}, {"0", "echo", `"a"`, `{:echo "a"}`}},
			[]string{`echo - "a" "b"`, `echo - "a" null`}},
		{[][]string{{"0", "echo", `"a"`, `{:echo "b"}`}, {"0", "echo", `"a"`, `"b"`}},
			[]string{`echo - "a" {"echo": "b"}`, `echo - "a" "b"`}},
		{[][]string{{"0", "insert", "[4 [3 1]]", "[4 [3 1]]"}}, []string{`insert - [4, [3, 1]] null`}},
	} {
		text := jepsen(row.calls...)
		h, err := Read(strings.NewReader(text), ReadOptions{})
		require.NoError(t, err, text)
		assert.Equal(t, row.want, opsOf(h), text)
	}
}

// TestReadsOfThePast: a call that states its timestamp is not checked, with a warning, and
// timestamps order nothing.
func TestReadsOfThePast(t *testing.T) {
	h, err := Read(strings.NewReader(jepsen([]string{"0", "inc", "[nil nil]", "[10 1]"},
		[]string{"1", "read", "[9 nil]", "[9 0]"}, []string{"1", "read", "[nil nil]", "[8 1]"})), ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, h.Ops, 2)
	assert.Nil(t, h.Revisions)
	require.Len(t, h.Warnings, 1)
	assert.Contains(t, h.Warnings[0].Error(), "3: reads at a timestamp of the past are not checked")
}

// TestWithoutAFunction: an event without :f is refused where its value is no transaction.
func TestWithoutAFunction(t *testing.T) {
	_, err := Read(strings.NewReader("{:process 0 :type :invoke :value 3}"), ReadOptions{})
	assert.ErrorContains(t, err, "an event without :f")
}
