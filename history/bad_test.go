package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBadInput checks place, text and hint of every kind of bad input.
func TestBadInput(t *testing.T) {
	const queue = `{"spec": "queue", "operations": [`
	const integers = "numbers are integers from -9223372036854775808 to 9223372036854775807"
	for _, row := range []struct{ name, in, what, hint string }{
		// Nothing there.
		{"empty file", "", "f: the input is empty", "at least one operation"},
		{"only space", " \n\t\n", "f: the input is empty", "at least one operation"},
		{"unknown format", "hello\nworld\n", "f: the format is not recognised", "--input-format"},
		{"no operations", queue + "]}", "f: the history has no operations", "at least one operation"},
		{"no events", "[]", "f: the history has no operations", "at least one operation"},
		{"header alone", `{"spec": "queue"}` + "\n", `f:1: missing "operations"`, "one operation a line"},
		{"misspelled operations", "{\"spec\": \"queue\",\n\"operation\": []}", `f:1: missing "operations"`,
			"operations"},
		{"bare list", `[{"process": 0, "f": "enq", "call": 0}]`, "f:1: the input is a bare list", `"operations"`},
		{"comments alone", "# queue\n", "f: the format is not recognised", ""},

		// JSON that is cut off or is none.
		{"cut off in the list", "{\"operations\": [\n{\"process\": 0, \"f\": \"enq\", \"call\": 0},\n",
			"f:3: the input ends inside the operations", "cut off"},
		{"cut off in an operation", "{\"operations\": [\n{\"process\": 0, \"f\": \"enq\", \"call\"",
			"f:2: the input ends inside an operation", "cut off"},
		{"cut off in a string", "{\"operations\": [\n{\"process\": 0, \"f\": \"en",
			"f:2: the input ends inside a string", "cut off"},
		{"cut off in a number", "{\"operations\": [\n\n{\"process\": 0, \"call\": 12",
			"f:3: the input ends inside a number", "cut off"},
		{"cut off in a value", "{\"operations\": [\n\n{\"process\": 0, \"arg\": tr",
			"f:3: the input ends inside a value", "cut off"},
		{"cut off after the operations", "{\"operations\": []", "f:1: the input ends inside the history", "cut off"},
		{"missing comma", "{\"operations\": [\n{\"process\": 0 \"f\": \"enq\", \"call\": 0}]}",
			`f:2: '"' where ',' or '}' belongs, in an operation`, "valid JSON"},
		{"trailing comma", "{\"operations\": [\n{\"process\": 0, \"f\": \"enq\", \"call\": 0},\n]}",
			"f:3: operation 1 is ']', not an object", "an operation is"},
		{"single quotes", "{\"operations\": [\n{'process': 0}]}",
			`f:2: '\'' where a name in quotes belongs, in an operation`, "valid JSON"},
		{"no value", "{\"operations\": [\n{\"arg\": NaN}]}", `f:2: "NaN" is not a value`, "valid JSON"},
		{"no number", "{\"operations\": [\n{\"arg\": 01}]}", `f:2: "01" is not a number`, "valid JSON"},
		{"line end in a string", "{\"operations\": [\n{\"arg\": \"a\nb\"}]}",
			"f:2: a line end or control character inside a string", "valid JSON"},
		{"bad escape", "{\"operations\": [\n{\"arg\": \"\\x\"}]}", `f:2: 'x' after a backslash in a string`,
			"valid JSON"},
		{"more after the end", queue + `{"process": 0, "f": "enq", "call": 0}]}` + "\n{}",
			`f:2: '{' after the end of the history`, "valid JSON"},
		{"nested too deep", `{"initial": ` + strings.Repeat("[", 5000), "f:1: a value is nested more than 1000 deep",
			"as a string"},

		// Numbers.
		{"past int64",
			"{\"operations\": [\n{\"process\": 0, \"f\": \"enq\", \"arg\": 9223372036854775808, \"call\": 0}]}",
			"f:2: 9223372036854775808 is beyond the integers of 64 bits", integers},
		{"fraction", "{\"operations\": [\n{\"process\": 0, \"f\": \"enq\", \"arg\": 1, \"call\": 0.5}]}",
			"f:2: 0.5 is not written as an integer", integers},
		{"exponent", "{\"operations\": [\n{\"process\": 0, \"f\": \"enq\", \"arg\": 1e3, \"call\": 0}]}",
			"f:2: 1e3 is not written as an integer", integers},
		{"on one line", queue + `{"process": 0, "f": "enq", "arg": 1.5, "call": 0}]}`,
			"f:1: operation 0: 1.5 is not written as an integer", integers},

		// Fields.
		{"missing f", queue + "\n" + `{"process": 0, "call": 0}]}`, `f:2: operation 0: missing "f"`, "an operation is"},
		{"missing call", queue + "\n" + `{"process": 0, "f": "enq", "calls": 0}]}`, `f:2: operation 0: missing "call"`,
			"an operation is"},
		{"missing process", queue + "\n" + `{"proc": 0, "f": "enq", "call": 0}]}`,
			`f:2: operation 0: missing "process"`, "an operation is"},
		{"f is a number", queue + "\n" + `{"process": 0, "f": 1, "call": 0}]}`, `f:2: "f" is a number, not a string`,
			"as a string"},
		{"call is a string", queue + "\n" + `{"process": 0, "f": "enq", "call": "0"}]}`,
			`f:2: "call" is a string, not an integer`, "as an integer"},
		{"process is a list", queue + "\n" + `{"process": [0], "f": "enq", "call": 0}]}`,
			`f:2: "process" is a list, not an integer or a string`, "as an integer"},
		{"id is a number", queue + "\n" + `{"process": 0, "id": 3, "f": "enq", "call": 0}]}`,
			`f:2: "id" is a number, not a string`, "as a string"},
		{"operations is a map", `{"operations": {}}`, `f:1: "operations" is a map, not a list`, "as a list"},
		{"operation is a number", "{\"operations\": [\n3]}", "f:2: operation 0 is a number, not an object",
			"an operation is"},
		{"spec is a number", `{"spec": 3}`, `f:1: "spec" is a number, not a string`, "as a string"},
		{"forgotten is null", queue + "\n" + `{"forgotten": null}]}`, `f:2: "forgotten" is not true or false`, ""},
		{"unknown status", queue + "\n" + `{"process": 0, "f": "enq", "call": 0, "status": "OK"}]}`,
			`f:2: operation 0 has status "OK"`, `"info"`},
		{"ok without return", queue + "\n" + `{"process": 0, "f": "enq", "call": 0, "status": "ok"}]}`,
			`f:2: operation 0 has status "ok", but no "return"`, "say when it returned"},
		{"result without return", queue + "\n" + `{"process": 0, "f": "deq", "call": 0, "result": 1}]}`,
			`f:2: operation 0 has a result, but no "return"`, "say when it returned"},
		{"event is a string", `{"events": ["x"]}`,
			`f:1: "events" is a string, not a list of objects with "time" and "text"`, ""},

		// Times and processes.
		{"return before call", queue + "\n" + `{"process": 0, "f": "enq", "call": 5, "return": 4}]}`,
			"f:2: operation 0 returns at 4, before its call at 5", `leave out "return"`},
		{"two open operations", queue + "\n" + `{"process": 0, "f": "enq", "call": 0, "return": 5},` + "\n" +
			`{"process": 0, "f": "enq", "call": 4, "return": 6}]}`,
			"f:3: process 0 has operations 0 and 1 open at once (at time 4)", "one operation open at a time"},
		{"after a pending one", queue + "\n" + `{"process": "a", "f": "enq", "call": 0},` + "\n" +
			`{"process": "a", "f": "enq", "call": 4, "return": 6}]}`,
			"f:3: process a calls operation 1, but its operation 0 never returned", "another process"},

		// Ids and order.
		{"duplicate ids", queue + "\n" + `{"process": 0, "id": "a", "f": "enq", "call": 0},` + "\n" +
			`{"process": 1, "id": "a", "f": "enq", "call": 4}]}`,
			`f:3: id "a" is used twice, first by operation 0`, "unique"},
		{"cyclic order",
			`{"operations": [{"process": 0, "f": "enq", "call": 0}, {"process": 1, "f": "enq", "call": 0}],` + "\n" +
				`"order": [[0, 1], [1, 0]]}`,
			`f:1: "order" is cyclic: operation 0 comes before itself`, "remove one edge"},
		{"order against time", queue + "\n" + `{"process": 0, "f": "enq", "call": 0, "return": 1},` + "\n" +
			`{"process": 1, "f": "enq", "call": 2, "return": 3}], "order": [[1, 0]]}`,
			`f:2: "order" puts operation 1 before operation 0, which returned before operation 1 was called`,
			"check the times"},
		{"order of one", queue + `{"process": 0, "f": "enq", "call": 0}],` + "\n" + `"order": [[0, 0]]}`,
			`f:2: "order" puts operation 0 before itself`, "remove that edge"},
		{"order of no operation", queue + `{"process": 0, "f": "enq", "call": 0}],` + "\n" + `"order": [[0, 1]]}`,
			`f:2: "order" names operation 1, but there are 1`, "count from 0"},
		{"order of a missing id", queue + `{"process": 0, "f": "enq", "call": 0}],` + "\n" + `"order": [[0, "x"]]}`,
			`f:2: "order" names operation "x", but no operation has that id`, "ids are strings"},
		{"order of three", queue + `{"process": 0, "f": "enq", "call": 0}],` + "\n" + `"order": [[0, 1, 2]]}`,
			`f:2: "order" has an entry that is not a pair of operations`, "[[0, 1]"},
		{"order below zero", `{"order": [[-1, 0]]}`, `f:1: "order" names operation -1`, "count from 0"},
		{"order is flat", `{"order": [0, 1]}`, `f:1: "order" is a number, not a list of pairs`, ""},

		// JSON Lines.
		{"line without f", "{\"spec\": \"queue\"}\n{\"process\": 0, \"call\": 0}\n", `f:2: operation 0: missing "f"`,
			"an operation is"},
		{"cut off line",
			"{\"spec\": \"queue\"}\n{\"process\": 0, \"f\": \"enq\", \"call\": 0}\n{\"process\": 1, \"f\":",
			"f:3: the input ends inside \"f\"", "cut off"},
		{"line of another kind", "{\"spec\": \"queue\"}\nenq\n", "f:2: operation 0 is 'e', not an object",
			"an operation is"},

		// Events.
		{"return without call", "{:process 1 :type :ok :f :read :value 1}",
			"f:1: process 1 returns, but has no operation open", "its call is missing"},
		{"second call", "[{:process 1 :type :invoke :f :read}\n{:process 1 :type :invoke :f :read}]",
			"f:2: process 1 calls again while its operation of line 1 is open", "one operation open"},
		{"second completion",
			"{:process 1 :type :invoke :f :read}\n{:process 1 :type :ok :f :read :value 1}\n{:process 1 :type :ok :f " +
				":read :value 1}", "f:3: process 1 returns, but has no operation open", ""},
		{"completion after info",
			"{:process 1 :type :invoke :f :read}\n{:process 1 :type :info :f :read}\n{:process 1 :type :ok :f :read " +
				":value 1}", "f:3: process 1 returns, but has no operation open",
			"of line 1 was already reported as unknown"},
		{"info without call", "{:process 1 :type :info :f :read}",
			"f:1: process 1 reports an unknown outcome, but has no operation open", ""},
		{"another function", "{:process 1 :type :invoke :f :read}\n{:process 1 :type :ok :f :write}",
			"f:2: process 1 reports on write, but its open operation is read, called in line 1", "in between"},
		{"another key", "{:process 1 :type :invoke :f :get :key 1}\n{:process 1 :type :ok :f :get :key 2 :value 3}",
			"f:2: process 1 reports on another key than it called with in line 1", "in between"},
		{"another tuple",
			"{:process 1 :type :invoke :f :read :value [1 nil]}\n{:process 1 :type :ok :f :read :value [2 0]}",
			"f:1: an operation on key 1 returns [2, 0]", "same key"},
		{"unknown type", "{:process 1 :type :invoke :f :read}\n{:process 1 :type :done :f :read}",
			"f:2: an event of type :done", ":info"},
		{"no type", "{:process 1 :f :read}", "f:1: an event without :type", "an event is"},
		{"no process", "\n{:type :ok :f :read}", "f:2: an event without :process", "an event is"},
		{"no f", "{:type :invoke :process 1}", "f:1: an event without :f", "an event is"},
		{"process is a vector", "{:type :invoke :process [1] :f :read}", "f:1: the process is a list", "an integer"},
		{"cut off event", "[{:process 1\n :type", "f:2: the input ends inside an event", "cut off"},
		{"cut off vector", "[{:process 1 :type :invoke :f :read}\n", "f:2: the input ends inside the list of events",
			"cut off"},
		{"cut off EDN string", "[{:process 1 :f \"x", "f:1: the input ends inside a string", "cut off"},
		{"key without value", "{:process 1 :type}", "f:1: an event has a key without a value", "an event is"},
		{"bracket", "[{:process 1 :value (1 2]}]", "f:1: ']' where ')' belongs", "opened in line 1"},
		{"no event", "[{:process 1 :type :invoke :f :read}\n 17]", "f:2: '1' where an event belongs", "an event is"},
		{"EDN past int64", "{:process 1 :type :invoke :f :write :value 9223372036854775808}",
			"f:1: 9223372036854775808 is not an integer of 64 bits", integers},
		{"EDN fraction", "\n{:process 1 :type :invoke :f :write :value [1 2.5]}",
			"f:2: 2.5 is not an integer of 64 bits", integers},
		{"EDN ratio over nothing", "{:process 1 :type :invoke :f :write :value 1/}", "f:1: the value 1/ cannot be read",
			"valid EDN"},
		{"EDN decimal", "{:process 1 :type :invoke :f :write :value [##NaN 2.5M]}",
			"f:1: 2.5 is not an integer of 64 bits", integers},
		{"EDN discards nested too deep", "{:process 1 :type :invoke :f :write :value " + strings.Repeat("#_", 5000),
			"f:1: a value is nested more than 1000 deep", "as a string"},
		{"short tuple", "[0 :invoke :read nil]\n[0 :ok]", "f:2: an event of 2 parts", "a tuple like"},
		{"long tuple", "[0 :invoke :read nil 3]", "f:1: an event of more than four parts", "a tuple like"},
		{"cut off tuple", "[0 :invoke :read", "f:1: the input ends inside an event", "cut off"},
		{"tuple that returns", "[0 :ok :read 1]", "f:1: process 0 returns, but has no operation open", ""},
		{"EDN nested too deep", "{:process 1 :type :invoke :f :write :value " + strings.Repeat("[", 5000),
			"f:1: a value is nested more than 1000 deep", "as a string"},
		{"EDN tags nested too deep", "{:process 1 :type :invoke :f :write :value " + strings.Repeat("#a ", 5000),
			"f:1: a value is nested more than 1000 deep", "as a string"},

		// Text logs.
		{"jepsen return", "INFO  jepsen.util - 0\t:invoke\t:read\tnil\nINFO  jepsen.util - 1\t:ok\t:read\t3\n",
			"f:2: process 1 returns, but has no operation open", ""},
		{"jepsen cut off line", "INFO  jepsen.util - 0\t:invoke\t:read\tnil\nINFO  jepsen.util - 0\t:o",
			"f:2: an event without type or function", "an event reads"},
		{"jepsen value", "INFO  jepsen.util - 0\t:invoke\t:cas\t[1 2\n", "f:1: the value [1 2 cannot be read",
			"valid EDN"},
		{"jepsen number", "INFO  jepsen.util - 0\t:invoke\t:write\t99999999999999999999\n",
			"f:1: 99999999999999999999 is not an integer of 64 bits", integers},
		{"jepsen nested too deep", "INFO  jepsen.util - 0\t:invoke\t:write\t" + strings.Repeat(`["]" `, 1001) + "\n",
			"f:1: a value is nested more than 1000 deep", "as a string"},
		{"jepsen quote", "INFO  jepsen.util - 0\t:invoke\t:write\t\"\n", "f:1: the value \" cannot be read",
			"valid EDN"},
		{"bytes that are not text", "[1] call push(" + strings.Repeat("\x97", 50) + "\n", "f:1: ", "[1] call push(7)"},
		{"line end in a name", `{"process": "a\nb", "f": "enq", "call": 0} {"process": "a\nb", "f": "enq", "call": 1}`,
			"f:1: process a\\nb calls operation 1, but its operation 0 never returned", "another process"},
		{"violin return", "[1] call push(1)\n[2] return\n", "f:2: process 2 returns, but has no operation open",
			"its call is missing"},
		{"violin call", "[1] call push(1)\n[1] call push(2)\n",
			"f:2: process 1 calls again while its operation of line 1 is open", ""},
		{"violin line", "[1] call push(1)\n[1] returns\n", `f:2: "[1] returns" is neither a call nor a return`,
			"[1] call push(7)"},
		{"violin brackets", "[1] call push(1\n", `f:1: "[1] call push(1" is neither a call nor a return`, ""},
		{"violin number", "[1] call push(1.5)\n", "f:1: 1.5 is not an integer of 64 bits", integers},
		{"LiMo's pop of two items", "# @object atomic-stack\n[1] call pop(1)\n[1] return 2\n",
			"f:3: pop was called with 1 and returns 2", "states its item"},
		{"PolyLin and fastlin", "# set\ninsert 1 1 2\ninsert 1 0 3 4\n",
			"f:3: lines with four columns and lines with five", "method value result"},
		{"PolyLin result", "# set\ninsert 1 2 3 4\n", `f:2: the result "2" is neither 0 nor 1`, "method value result"},
		{"PolyLin removal", "# queue\ndeq 1 1 3 4\n", "f:2: deq has a result column", ""},
		{"FPTLin without header", "0 1 2 PUSH 3\n", "f:1: an operation before the header", "# stack"},
		{"FPTLin object", "# counter\n0 1 2 INCR 1\n", `f:1: unknown FPTLin object "counter"`, "semaphore"},
		{"FPTLin method", "# stack\n0 1 2 ENQ 3\n", "f:2: ENQ is not a method of a stack", ""},
		{"FPTLin values", "# set\n0 1 2 INSERT 3\n", "f:2: INSERT has 1 values, not 2", "two values"},
		{"FPTLin truth", "# set\n0 1 2 INSERT 3 4\n", "f:2: INSERT says 4, where 0 (it failed) or 1 belongs", ""},
		{"FPTLin nothing", "# stack\n0 1 2 PUSH -1\n", "f:2: PUSH of -1, which stands for nothing", ""},
		{"FPTLin times", "# stack\n0 2 1 PUSH 1\n", "f:2: PUSH returns at 1, before its call at 2", ""},
		{"FPTLin release that fails", "# semaphore\n0 1 2 INCR 0\n", "f:2: INCR 0, but a release cannot fail", ""},
		{"FPTLin process twice", "# stack\n0 1 5 PUSH 1\n0 2 3 PUSH 2\n",
			"f:3: process 0 has operations 0 and 1 open at once", ""},
		{"FPTLin cut off", "# stack\n0 1 2 PUSH 1\n0 2 3\n", `f:3: "0 2 3" has 3 fields, not 5 or 6`, ""},
		{"Lowe return", "2 invokes add 3\n1 returns true\n", "f:2: process 1 returns, but has no operation open", ""},
		{"Lowe line", "2 invokes add 3\n2 answers true\n", `f:2: "2 answers true" is neither a call nor a return`,
			"2 invokes add 23"},
		{"two text formats", "# queue\nenq 1 2 3\n[1] call enq(2)\n",
			"f:3: this line has the format violin, but line 2 has fastlin", "--input-format"},
		{"two JSON formats", `{"type": "x", "f": "enq", "process": 0, "call": 1}`,
			"f: the first object has the fields of two formats", "--input-format"},
		{"JSON event without type", `[{"type": "invoke", "f": "read", "process": 1},` + "\n" +
			`{"f": "read", "process": 1}]`, `f:2: an event without "type"`, "an event is"},
		{"JSON event without process", `[{"type": "invoke", "f": "read", "process": 1},` + "\n" +
			`{"f": "read", "type": "ok"}]`, `f:2: an event without "process"`, "an event is"},
		{"JSON event without f", `[{"type": "invoke", "f": "read", "process": 1},` + "\n" +
			`{"type": "ok", "process": 1}]`, `f:2: an event without "f"`, "an event is"},
		{"JSON event of another type", `{"type": "invoke", "f": "read", "process": 1}` + "\n" +
			`{"type": "done", "f": "read", "process": 1}`, "f:2: an event of type :done", ":info"},
		{"JSON event with a fraction", `{"type": "invoke", "f": "write", "value": [1, 2.5], "process": 1}`,
			"f:1: 2.5 is not written as an integer", integers},
		{"JSON events after the end", `[{"type": "invoke", "f": "read", "process": 1}] {}`,
			"f:1: '{' after the end of the list", "valid JSON"},
		{"JSON event that is none", `[{"type": "invoke", "f": "read", "process": 1}, 3]`,
			"f:1: a number where an event belongs", ""},
		{"Porcupine without input", `{"ClientId": 0, "Input": null, "Call": 1, "Return": 2}`,
			`f:1: "Input" is null, not an object`, ""},
		{"Porcupine without return", `{"ClientId": 0, "Input": {"Op": 0}, "Call": 1}`,
			`f:1: operation 0: missing "Return"`, "an operation is"},
		{"Porcupine's verb", `{"ClientId": 0, "Input": {"Op": 3}, "Call": 1, "Return": 2}`, "f:1: operation number 3",
			"0 get, 1 put, 2 append"},
		{"etcd's request", `{"ClientId": 0, "Input": {"Type": "watch", "Range": {}}, "Call": 1, "Return": 2}`,
			`f:1: a request of type "watch" without its content`, "leaseGrant"},
		{"fastlin fields", "# queue\nenq 1 2 3\nenq 1 2\n", `f:3: "enq 1 2" has 3 fields, not 4`,
			"method value call return"},
		{"fastlin times", "# queue\nenq 1 3 2\n", "f:2: enq returns at 2, before its call at 3", ""},
		{"fastlin value", "enq 1 0 1\nenq x 0 1\n", "f:2: x is not an integer of 64 bits", integers},
		{"fastlin time", "enq 1 0 1\nenq 1 0 -1\n", `f:2: "-1" is not a time`, "from 0 on"},
		{"fastlin nothing", "enq -1 0 1\n", "f:1: enq of -1, which stands for nothing", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			h, err := Read(strings.NewReader(row.in), ReadOptions{Name: "f"})
			require.Error(t, err)
			require.Nil(t, h)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "f", e.File)
			assert.True(t, strings.HasPrefix(err.Error(), row.what), "%s, not %s", err, row.what)
			assert.NotContains(t, err.Error(), "\n")
			assert.Contains(t, e.Hint, row.hint)
		})
	}
}

// TestWrongFormat checks what --input-format is told.
func TestWrongFormat(t *testing.T) {
	_, err := Read(strings.NewReader("{}"), ReadOptions{Format: "xml"})
	assert.EqualError(t, err, `unknown input format "xml"`)
	const whole = `{"operations": [{"process": 0, "f": "enq", "call": 0}]}`
	_, err = Read(strings.NewReader(whole), ReadOptions{Format: "jsonl"})
	assert.EqualError(t, err, `line 1: the header of JSON Lines has "operations"`)
	_, err = Read(strings.NewReader(`{"process": 0, "f": "enq", "call": 0}`), ReadOptions{Format: "json"})
	assert.EqualError(t, err, `line 1: missing "operations"`)
	for _, name := range Formats() {
		_, err = Read(strings.NewReader("\x00\x01\x02 [ no format at all"), ReadOptions{Format: name})
		assert.Error(t, err, name)
	}
}

// TestFailedOperationsWithoutAnEndLastUntilTheNextCall checks failed operations that do not say
// when they failed: they lasted until the process went on, and order nothing that the rest does
// not.
func TestFailedOperationsWithoutAnEndLastUntilTheNextCall(t *testing.T) {
	h, err := Read(strings.NewReader(`{"operations": [{"process": 0, "f": "a", "call": 0, "status": "fail"},
		{"process": 0, "f": "b", "call": 4, "return": 5}, {"process": 1, "f": "c", "call": 0, "return": 1}, {"process": 1, "f": "d", "call": 1, "status": "fail"}], "order": [[2, 0]]}`), ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, 2, h.Failed)
	assert.Equal(t, []string{"1 c → null [0 2]", "0 b → null [5 6]"}, List(h))
	assert.Empty(t, h.Edges)
}
