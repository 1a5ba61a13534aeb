package history

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEDNValues compares values in EDN with the JSON that they are written as.
func TestEDNValues(t *testing.T) {
	for in, want := range map[string]string{
		"nil": "null", "true": "true", "false": "false", "7": "7", "-7": "-7", "+7": "7", "7N": "7",
		"-9223372036854775808": "-9223372036854775808",
		`"a"`:                  `"a"`, `"a\"b\n\\"`: `"a\"b\n\\"`, `""`: `""`, `\a`: `"a"`,
		`\newline`: `"\n"`, ":k": `"k"`,
		":a/b": `"a/b"`, "sym": `"sym"`,
		"[1 2]": "[1, 2]", "(1 [nil] {})": "[1, [null], {}]", "[1, #_ 5 2 ; comment\n]": "[1, 2]",
		"{:b 1 :a [2]}": `{"a": [2], "b": 1}`, "{1 2}": `{"1": 2}`,
		"{[1 2] 3}": `{"[1, 2]": 3}`, "#{3 1 2}": "[1, 2, 3]", "#{:b :a}": `["a", "b"]`,
		"#{[1] {:a 1}}": `[[1], {"a": 1}]`, "#my/tag [1]": "[1]",
		`#inst "2026-01-02T03:04:05Z"`: `"2026-01-02 03:04:05 +0000 UTC"`,
	} {
		h, err := Read(strings.NewReader("{:process 0 :type :invoke :f :write :value "+in+"}"), ReadOptions{})
		if assert.NoError(t, err, in) {
			assert.Equal(t, want, h.Values.Format(h.Ops[0].Arg), in)
		}
	}
	for in, what := range map[string]string{
		"9223372036854775808N": "9223372036854775808 is not an integer of 64 bits",
		"1.5M":                 "1.5 is not an integer of 64 bits", "##Infinity": "the value ##Infinity cannot be read",
		"{1 2 \"1\" 3}": `a map has the key "1" twice`, "[1 #(2)]": `'(' after a '#'`, `\`: "the input ends inside",
	} {
		_, err := Read(strings.NewReader("{:process 0 :type :invoke :f :write :value "+in+"}"), ReadOptions{})
		assert.ErrorContains(t, err, what, in)
	}
}

// TestJSONStrings reads escapes as encoding/json does; of broken text it keeps what was broken, so
// that different values stay different.
func TestJSONStrings(t *testing.T) {
	for in, want := range map[string]string{
		`\"\\\/\b\f\n\r\t`: "\"\\/\b\f\n\r\t", `\u0041\u00e9\u20ac`: "Aé€", `\ud83d\ude00`: "😀", `\ud83d`: "\uFFFDd83d",
		`\ud83dx`: "\uFFFDd83dx", `\ud83d\n`: "\uFFFDd83d\n",
		`\ud83d\ud83d\ude00`: "\uFFFDd83d😀", `\ude00`: "\uFFFDde00", "\xff\xfex": "\uFFFDff\uFFFDfex",
		"\xc3(\uFFFD": "\uFFFDc3(\uFFFD", "\u007f\u2028": "\u007f\u2028",
		strings.Repeat("long ", 2000): strings.Repeat("long ", 2000), `\n` + strings.Repeat("é", 5000): "\n" +
			strings.Repeat("é", 5000),
	} {
		h, err := Read(strings.NewReader(`{"process": 0, "f": "f", "call": 0, "arg": "`+in+`"}`), ReadOptions{})
		require.NoError(t, err, in)
		got, ok := h.Values.AsString(h.Ops[0].Arg)
		require.True(t, ok)
		assert.Equal(t, want, got)
	}
	for _, in := range []string{`\u12`, `\u12g4`, `\ud83d\x`, `\ud83d\u12`, `\`, `\u`} {
		_, err := Read(strings.NewReader(`{"process": 0, "f": "f", "call": 0, "arg": "`+in+`"}`), ReadOptions{})
		assert.Error(t, err, in)
	}
}

func TestValues(t *testing.T) {
	v := newValues()
	require.Equal(t, 3, v.Len())
	assert.Equal(t, []Value{Nil, False, True}, []Value{0, v.Bool(false), v.Bool(true)})
	distinct := map[Value]string{Nil: "null", False: "false", True: "true"}
	for _, n := range []int64{0, 1, smallInts - 1, smallInts, -1, 1 << 62} {
		_, known := v.FindInt(n)
		assert.False(t, known)
		x := v.Int(n)
		assert.NotContains(t, distinct, x)
		distinct[x] = big.NewInt(n).String()
		assert.Equal(t, x, v.Int(n))
		found, known := v.FindInt(n)
		assert.True(t, known)
		assert.Equal(t, x, found)
		got, ok := v.AsInt(x)
		assert.True(t, ok)
		assert.Equal(t, n, got)
	}
	_, known := v.FindString("1")
	assert.False(t, known)
	one, s := v.Int(1), v.String("1")
	assert.NotEqual(t, one, s)
	assert.Equal(t, s, v.StringBytes([]byte("1")))
	found, known := v.FindString("1")
	assert.True(t, known)
	assert.Equal(t, s, found)
	assert.Equal(t, v.String("a\uFFFDff"), v.String("a\xff"))
	assert.NotEqual(t, v.String("a\xfe"), v.String("a\xff"))
	assert.NotEqual(t, v.String("a\uFFFD"), v.String("a\xff"))
	list := v.List([]Value{one, s})
	assert.Equal(t, list, v.List([]Value{one, s}))
	assert.NotEqual(t, list, v.List([]Value{s, one}))
	assert.NotEqual(t, v.List(nil), v.Map(nil))
	m := v.Map([]Value{s, one, v.String("0"), Nil, s, list})
	assert.Equal(t, m, v.Map([]Value{v.String("0"), Nil, s, list}))
	assert.Equal(t, `{"0": null, "1": [1, "1"]}`, v.Format(m))
	pairs, ok := v.AsMap(m)
	assert.True(t, ok)
	assert.Len(t, pairs, 4)
	_, ok = v.AsList(m)
	assert.False(t, ok)
	assert.Equal(t, []valueKind{kindNil, kindBool, kindInt, kindString, kindList, kindMap},
		[]valueKind{v.kind(Nil), v.kind(True), v.kind(one), v.kind(s), v.kind(list), v.kind(m)})
}

func TestOpError(t *testing.T) {
	read := func(in string) *History {
		h, err := Read(strings.NewReader(in), ReadOptions{Name: "f"})
		require.NoError(t, err)
		return h
	}
	const a, b = `{"process": 0, "f": "x", "call": 0, "id": "first"}`, `{"process": 1, "f": "x", "call": 1}`
	assert.EqualError(t, read(`{"operations": [`+a+", "+b+"]}").OpError(1, "odd", ""), "f:1: operation 1: odd")
	assert.EqualError(t, read(`{"operations": [`+a+", "+b+"]}").OpError(0, "odd", ""), "f:1: operation first: odd")
	assert.EqualError(t, read(a+"\n"+b).OpError(1, "odd", "hint"), "f:2: odd")
	assert.Equal(t, "hint", read(a).OpError(0, "odd", "hint").Hint)
}

func TestParse(t *testing.T) {
	v := newValues()
	for in, want := range map[string]string{"null": "null", " 12 ": "12",
		"-9223372036854775808": "-9223372036854775808", `{"a": [1, "x"]}`: `{"a": [1, "x"]}`, "true\n": "true"} {
		x, err := v.Parse(in)
		if assert.NoError(t, err, in) {
			assert.Equal(t, want, v.Format(x))
		}
	}
	for in, want := range map[string]string{"": "the input ends inside a value", "1 2": "more than one JSON value",
		"x": `"x" is not a value`, "1.5": "1.5 is not written as an integer", "[1": "the input ends inside a number"} {
		_, err := v.Parse(in)
		assert.EqualError(t, err, want, in)
	}
}
