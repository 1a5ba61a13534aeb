package specs

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRegisterBehaviour(t *testing.T) {
	testBehaviour(t, Register(), []behaviour{
		{"default", noInitial{}, []call{{"read", nil, nil}}, []string{"null"}, ""},
		{"initial", 4, []call{{"get", nil, 4}, {"store", "x", "x"}, {"load", nil, "x"}}, []string{`"x"`}, ""},
		{"initial of any kind", []any{1, 2}, []call{{"read", nil, []any{1, 2}}}, []string{"[1, 2]"}, ""},
		{"stale", noInitial{}, []call{{"write", 1, nil}, {"write", 2, nil}, {"read", nil, 1}}, []string{"2"},
			"the register holds 2, not 1"},
		{"null is observed", 1, []call{{"read", nil, nil}}, []string{"1"}, "the register holds 1, not null"},
		{"unknown read", noInitial{}, []call{{"write", 1, unknownResult{}}, {"read", nil, unknownResult{}}},
			[]string{"1"}, ""},
	})
}

func TestCASRegisterBehaviour(t *testing.T) {
	testBehaviour(t, CASRegister(), []behaviour{
		{"swap", 0, []call{{"cas", []any{0, 1}, true}, {"cas", []any{0, 1}, false}, {"read", nil, 1}},
			[]string{"1"}, ""},
		{"swap in Jepsen's words", 0, []call{{"cas", []any{0, 1}, []any{0, 1}}, {"read", nil, 1}}, []string{"1"}, ""},
		{"not recorded", 0, []call{{"cas", []any{0, 1}, nil}, {"cas", []any{0, 2}, nil}}, []string{"1"}, ""},
		{"unknown", 0, []call{{"compare-and-set", []any{3, 1}, unknownResult{}}, {"CompareAndSwap", []any{0, 2},
			pendingCall{}}}, []string{"2"}, ""},
		{"wrongly succeeded", 3, []call{{"cas", []any{0, 1}, true}}, []string{"3"}, "the register holds 3, not 0"},
		{"wrongly failed", 3, []call{{"cas", []any{3, 1}, false}}, []string{"3"},
			"the register holds 3, so the cas cannot fail"},
	})
}

func TestSetBehaviour(t *testing.T) {
	testBehaviour(t, Set(), []behaviour{
		{"add and remove", noInitial{}, []call{{"add", 1, true}, {"insert", 1, false}, {"add", "x", true},
			{"member", 1, true}, {"delete", 1, true}, {"remove", 1, false},
			{"contains", 1, false}, {"size", nil, 1}, {"elements", nil, []any{"x"}}}, []string{`{"x"}`}, ""},
		{"initial", []any{1, 2}, []call{{"size", nil, 2}, {"read", nil, []any{2, 1}}, {"add", 2, false}},
			[]string{"{1, 2}"}, ""},
		{"initial element that no operation names", []any{1, 2}, []call{{"contains", 2, true}}, []string{"{2}"}, ""},
		{"not recorded", noInitial{}, []call{{"add", 1, nil}, {"add", 1, nil}, {"add", 1, 1}, {"remove", 1, nil},
			{"contains", 1, nil}, {"size", nil, 0}}, []string{"{}"}, ""},
		{"twice added", noInitial{}, []call{{"add", 1, true}, {"add", 1, true}}, []string{"{1}"}, "1 is in the set"},
		{"not there", noInitial{}, []call{{"remove", "x", true}}, []string{"{}"}, `"x" is not in the set`},
		{"size", []any{1}, []call{{"size", nil, 2}}, []string{"{1}"}, "the set has 1 elements, not 2"},
		{"elements", []any{1}, []call{{"elements", nil, []any{1, 2}}}, []string{"{1}"}, "the set is {1}, not {1, 2}"},
		{"a long result lacks some", []any{"this is a long element", "this is a longer element",
			"this is the longest element of all of them"},
			[]call{{"elements", nil, []any{"this is a long element", "this is a longer element", "another"}}},
			[]string{`{"this is a long element", "this is a longer element", "this is the longest element of all of them"}`},
			`the result lacks {"this is the longest element of all of them"} of the set, and the result has {"another"}, which the set lacks`},
		{"many", noInitial{}, many(70), []string{"{" + numbers(70) + "}"}, ""},
	})
}

func many(n int) (calls []call) {
	for i := range n {
		calls = append(calls, call{"add", 100 + i, true})
	}
	return append(calls, call{"size", nil, n})
}

func numbers(n int) string {
	var texts []string
	for i := range n {
		texts = append(texts, strconv.Itoa(100+i))
	}
	return strings.Join(texts, ", ")
}

func TestLockBehaviour(t *testing.T) {
	testBehaviour(t, Mutex(), []behaviour{
		{"turns", noInitial{}, []call{{"acquire", nil, nil}, {"tryacquire", nil, false}, {"unlock", nil, nil},
			{"trylock", nil, true}}, []string{"held"}, ""},
		{"initial", true, []call{{"release", nil, nil}, {"lock", nil, true}, {"release", nil, nil}},
			[]string{"free"}, ""},
		{"twice", noInitial{}, []call{{"lock", nil, nil}, {"lock", nil, nil}}, []string{"held"}, "the mutex is held"},
		{"release of a free one", false, []call{{"release", nil, nil}}, []string{"free"}, "the mutex is free"},
		{"unknown try", true, []call{{"trylock", nil, nil}, {"release", nil, nil}, {"trylock", nil, unknownResult{}}},
			[]string{"held"}, ""},
	})
	testBehaviour(t, RWMutex(), []behaviour{
		{"readers", noInitial{}, []call{{"rlock", nil, nil}, {"tryrlock", nil, true}, {"trylock", nil, false},
			{"runlock", nil, nil}}, []string{"held by 1 reader"}, ""},
		{"writer", 1, []call{{"runlock", nil, nil}, {"trylock", nil, true}, {"tryrlock", nil, false},
			{"tryrlock", nil, nil}}, []string{"held by a writer"}, ""},
		{"writer among readers", 2, []call{{"lock", nil, nil}}, []string{"held by 2 readers"},
			"the lock is held by 2 readers"},
		{"reader beside a writer", true, []call{{"rlock", nil, nil}}, []string{"held by a writer"},
			"the lock is held by a writer"},
		{"no reader", noInitial{}, []call{{"runlock", nil, nil}}, []string{"free"}, "the lock is free"},
		{"no writer", 1, []call{{"unlock", nil, nil}}, []string{"held by 1 reader"}, "the lock is held by 1 reader"},
	})
	testBehaviour(t, Semaphore(), []behaviour{
		{"default", noInitial{}, []call{{"acquire", nil, nil}, {"tryacquire", nil, false}, {"release", 3, nil},
			{"tryacquire", 2, true}}, []string{"1 permit"}, ""},
		{"initial", 5, []call{{"down", 2, nil}, {"up", nil, nil}, {"acquire", 0, nil}}, []string{"4 permits"}, ""},
		{"too few", 1, []call{{"acquire", 2, nil}}, []string{"1 permit"}, "there are 1 permit, and it asks for 2"},
		{"unknown try", 1, []call{{"tryacquire", nil, nil}, {"tryacquire", nil, nil}}, []string{"0 permits"}, ""},
	})
}

func TestCellsRefuseBadInput(t *testing.T) {
	testBadInput(t, Register(), []badInput{
		{"operation", noInitial{}, []call{{"cas", []any{1, 2}, true}}, `operation 0: register has no operation "cas"`},
	})
	testBadInput(t, CASRegister(), []badInput{
		{"cas of one value", noInitial{}, []call{{"cas", []any{1}, true}},
			`operation 0: argument of "cas" is [1], not a list [old, new]`},
		{"cas of an integer", noInitial{}, []call{{"cas", 1, true}},
			`operation 0: argument of "cas" is 1, not a list [old, new]`},
		{"result", noInitial{}, []call{{"cas", []any{1, 2}, 1}},
			`operation 0: result of "cas" is 1, not true or false: one that returns what it found is a compareandexchange`},
	})
	testBadInput(t, Set(), []badInput{
		{"null", noInitial{}, []call{{"add", nil, true}}, `operation 0: argument of "add" is null, not an element`},
		{"result", noInitial{}, []call{{"add", 1, 2}}, `operation 0: result of "add" is 2, not true or false`},
		{"echo of a look", noInitial{}, []call{{"contains", 1, 1}},
			`operation 0: result of "contains" is 1, not true or false`},
		{"size of", noInitial{}, []call{{"size", 1, 2}},
			`operation 0: argument of "size" is 1, not null: it takes no argument`},
		{"size", noInitial{}, []call{{"size", nil, "x"}}, `operation 0: result of "size" is "x", not an integer`},
		{"elements", noInitial{}, []call{{"elements", nil, 2}},
			`operation 0: result of "elements" is 2, not a list of elements`},
		{"initial", 3, []call{{"add", 1, true}}, "initial state of set is 3, not a list of elements (default: empty)"},
	})
	testBadInput(t, Mutex(), []badInput{
		{"acquire that failed", noInitial{}, []call{{"acquire", nil, false}},
			`operation 0: result of "acquire" is false, not null: one that may fail has a try in its name`},
		{"argument", noInitial{}, []call{{"acquire", 1, nil}},
			`operation 0: argument of "acquire" is 1, not null: it takes no argument`},
		{"initial", 3, []call{{"acquire", nil, nil}},
			"initial state of mutex is 3, not false (free) or true (held) (default: free)"},
	})
	testBadInput(t, RWMutex(), []badInput{
		{"initial", -1, []call{{"lock", nil, nil}},
			"initial state of rwmutex is -1, not the number of readers that hold it, or true if a writer does " +
				"(default: free)"},
	})
	testBadInput(t, Semaphore(), []badInput{
		{"negative", noInitial{}, []call{{"release", -1, nil}},
			`operation 0: argument of "release" is -1, not a number of permits from 0 to a million`},
		{"initial", "x", []call{{"acquire", nil, nil}},
			`initial state of semaphore is "x", not the number of permits (default: 1)`},
	})
}

// read reads a history in JSON.
func read(t *testing.T, text string) *history.History {
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

// parts binds the partitions of a history and returns their names and what their machines say
// after all operations, or why one is refused.
func parts(t *testing.T, s model.Spec, text string) []string {
	var out []string
	for _, p := range model.Split(s, read(t, text), model.ByKey) {
		b, err := s.Bind(p)
		if err != nil {
			var bad *history.Error
			require.ErrorAs(t, err, &bad)
			return []string{regexp.MustCompile("^operation [0-9]+: ").ReplaceAllString(bad.What, "")}
		}
		states, _, refusal := run(t, b)
		if refusal != "" {
			states = []string{refusal}
		}
		name := ""
		if p.Name != "" {
			name = p.Name + ": "
		}
		out = append(out, name+strings.Join(states, " or "))
	}
	return out
}

// oneAfterAnother makes a history in JSON of operations one after another.
func oneAfterAnother(head string, operations ...string) string {
	var b strings.Builder
	b.WriteString("{" + head + `"operations": [`)
	for i, o := range operations {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(`{"process": ` + strconv.Itoa(i) + `, "call": ` + strconv.Itoa(2*i) + `, "return": ` +
			strconv.Itoa(2*i+1) + ", " + o + "}")
	}
	b.WriteString("]}")
	return b.String()
}

func TestKVByKey(t *testing.T) {
	s := KV()
	assert.Equal(t, []string{`"x": "ab"`, `1: 5`}, parts(t, s, oneAfterAnother(`"initial": {"x": "a", "1": 5}, `,
		`"f": "append", "key": "x", "arg": "b"`, `"f": "get", "key": 1, "result": 5`,
		`"f": "get", "key": "x", "result": "ab"`)))
	assert.Equal(t, []string{`some other string`}, parts(t, s, oneAfterAnother(``,
		`"f": "get", "key": "x"`, `"f": "append", "key": "x", "arg": "b"`)))
	assert.Equal(t, []string{`the value is "b", not null`}, parts(t, s, oneAfterAnother(``,
		`"f": "put", "key": "x", "arg": "b"`, `"f": "append", "key": "x", "arg": null`,
		`"f": "cas", "key": "x", "arg": ["b", "b"], "result": true`, `"f": "get", "key": "x"`)))
	assert.Equal(t, []string{`the value is "b", so the cas cannot fail`}, parts(t, s, oneAfterAnother(``,
		`"f": "append", "key": "x", "arg": "b"`, `"f": "cas", "key": "x", "arg": ["b", "c"], "result": false`)))
	long := strings.Repeat("é", 100)
	assert.Equal(t, []string{`the value is "` + strings.Repeat("é", 11) + " … " + strings.Repeat("é", 23) +
		`a", not null`}, parts(t, s, oneAfterAnother(``,
		`"f": "put", "key": "x", "arg": "`+long+`a"`, `"f": "get", "key": "x", "result": null`)))
	assert.Equal(t, []string{`"get" names no key`}, parts(t, s, oneAfterAnother(``, `"f": "put", "key": "x", "arg": 1`,
		`"f": "get"`)))
	assert.Equal(t, []string{`argument of "put" is 5, not a string or null, which is what can be appended to`},
		parts(t, s, oneAfterAnother(``, `"f": "put", "key": "x", "arg": 5`, `"f": "append", "key": "x", "arg": "a"`)))
	assert.Equal(t, []string{`initial value of key "x" is 5, not a string or null, which is what can be appended to`},
		parts(t, s, oneAfterAnother(`"initial": {"x": 5}, `, `"f": "append", "key": "x", "arg": "a"`)))
	assert.Equal(t, []string{`argument of "append" is 5, not a string`},
		parts(t, s, oneAfterAnother(``, `"f": "append", "key": "x", "arg": 5`)))
	assert.Equal(t,
		[]string{`initial state of kv is 5, not a map from keys to values, strings where they are appended to (default: empty)`},
		parts(t, s, oneAfterAnother(`"initial": 5, `, `"f": "get", "key": "x"`)))
}

func TestMultiRegisterSplitsByName(t *testing.T) {
	s := MultiRegister()
	assert.Equal(t, []string{`"x": {"x": 1}`, `"y": {"y": 7}`},
		parts(t, s, oneAfterAnother(`"initial": {"x": 0, "y": 7}, `,
			`"f": "write", "arg": {"x": 1}`, `"f": "read", "arg": ["y"], "result": {"y": 7}`,
			`"f": "txn", "arg": [["r", "x", null], ["w", "x", 1]], "result": [["r", "x", 1], ["w", "x", 1]]`)))
	assert.Equal(t, []string{`{"x": 1, "y": 2}`}, parts(t, s, oneAfterAnother(``, `"f": "write", "arg": {"x": 1}`,
		`"f": "write", "arg": {"x": 1, "y": 2}`,
		`"f": "read", "result": {"y": 2}`)))
	assert.Equal(t, []string{`{"1": 5}`}, parts(t, s, oneAfterAnother(`"initial": {"1": 4}, `,
		`"f": "txn", "arg": [["r", 1, null], ["w", 1, 5]], "result": [["r", 1, 4], ["w", 1, 5]]`,
		`"f": "read", "arg": {"1": null}, "result": {"1": 5}`)),
		"JSON spells names that are integers as strings in maps")
	assert.Equal(t, []string{`"x" holds 2, not 3`},
		parts(t, s,
			oneAfterAnother(``,
				`"f": "txn", "arg": [["w", "x", 2], ["r", "x", null]], "result": [["w", "x", 2], ["r", "x", 3]]`)))
	b, err := s.Bind(model.Whole(read(t,
		oneAfterAnother(``,
			`"f": "txn", "arg": [["w", "x", 2], ["r", "x", null]], "result": [["w", "x", 2], ["r", "x", 3]]`))))
	require.NoError(t, err)
	assert.Empty(t, b.Axiomatic().(*model.RegisterTheory).Of(0), "a transaction that contradicts itself has no mode")
	for want, operation := range map[string]string{
		`argument of "write" is 1, not a map from names to values`:                    `"f": "write", "arg": 1`,
		`argument of "read" is "x", not a map with names as keys, or a list of names`: `"f": "read", "arg": "x"`,
		`result of "read" is {"y": 1}, not a map with the names of its argument`:      `"f": "read", "arg": ["x"], "result": {"y": 1}`,
		`result of "read" is {"x": 1}, not a map with the names of its argument`:      `"f": "read", "arg": ["x", "y"], "result": {"x": 1}`,
		`argument of "txn" is [["append", "x", 1]], not a list of ["r", name, null] and ["w", name, value]` +
			`; levels of isolation, such as strict-serializable, are asked of lists too`: `"f": "txn", "arg": [["append", "x", 1]]`,
		`result of "txn" is [["w", "x", 1]], not its argument with the values that were read`:      `"f": "txn", "arg": [["r", "x", 1]], "result": [["w", "x", 1]]`,
		`initial state of multi-register is 5, not a map from names to values (default: all null)`: ``,
	} {
		head := ``
		if operation == "" {
			head, operation = `"initial": 5, `, `"f": "read", "arg": ["x"]`
		}
		assert.Equal(t, []string{want}, parts(t, s, oneAfterAnother(head, operation)))
	}
}

func TestCellsAliases(t *testing.T) {
	testAliases(t, Register(), nil)
	testAliases(t, CASRegister(), map[string]any{"cas": []any{1, 2}, "compareandexchange": []any{1, 2}})
	testAliases(t, Set(), map[string]any{"add": 1, "remove": 1, "contains": 1})
	testAliases(t, Mutex(), nil)
	testAliases(t, RWMutex(), nil)
	testAliases(t, Semaphore(), nil)
}
