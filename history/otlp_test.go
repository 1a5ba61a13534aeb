package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// spansOf writes a trace of spans.
func spansOf(spans ...string) string {
	return `{"resourceSpans":[{"resource":{"attributes":[{"key":"host.name","value":{"stringValue":"n1"}}]},"scopeSpans":[{"scope":{"name":"x"},"spans":[` + strings.Join(spans, ",\n") + `]}]}]}` + "\n"
}

// spanOf writes a span: its id, its name, its times, and pairs of attributes and values.
func spanOf(id, name, start, end string, attributes ...string) string {
	s := `{"traceId":"t","spanId":"` + id + `","parentSpanId":"p","kind":3,"name":"` + name +
		`","startTimeUnixNano":"` + start + `","endTimeUnixNano":"` + end +
		`","events":[{"name":"e"}],"attributes":[{"key":"net","value":{"doubleValue":0.5}}`
	for k := 0; k+1 < len(attributes); k += 2 {
		s += `,{"key":"` + attributes[k] + `","value":` + attributes[k+1] + `}`
	}
	return s + `]}`
}

func TestTraces(t *testing.T) {
	spans := []string{
		spanOf("a1", "write", "1544712660000000000", "1544712660000000010", "linsat.arg", `{"intValue":"7"}`,
			"linsat.process", `{"stringValue":"c1"}`),
		spanOf("a2", "GET /x", "1544712660000000005", "1544712660000000020", "db.operation.name",
			`{"stringValue":"read"}`, "linsat.result", `{"intValue":7}`),
		spanOf("a3", "request", "1544712660000000001", "1544712660000000030"),
		spanOf("a4", "x", "1544712660000000021", "1544712660000000030", "linsat.f", `{"stringValue":"cas"}`,
			"db.operation.name", `{"stringValue":"no"}`, "linsat.arg",
			`{"arrayValue":{"values":[{"intValue":"7"},{"intValue":"8"}]}}`, "linsat.result", `{"boolValue":true}`),
		strings.Replace(spanOf("a5", "write", "1544712660000000022", "1544712660000000040", "linsat.arg",
			`{"stringValue":"12"}`), `"kind":3`, `"status":{"code":2,"message":"timeout"}`, 1),
		spanOf("a6", "read", "1544712660000000050", "1544712660000000060", "linsat.result.json",
			`{"stringValue":"null"}`),
		spanOf("a7", "write", "1544712660000000051", "0", "linsat.arg",
			`{"kvlistValue":{"values":[{"key":"k","value":{"arrayValue":{}}},{"key":"n","value":{}}]}}`),
		strings.Replace(spanOf("a8", "write", "1544712660000000061", "1544712660000000062", "linsat.arg",
			`{"intValue":"9"}`, "linsat.status", `{"stringValue":"ok"}`), `"kind":3`,
			`"status":{"code":"STATUS_CODE_ERROR"}`, 1),
		spanOf("a9", "write", "1544712660000000063", "1544712660000000064", "linsat.arg", `{"intValue":"9"}`,
			"linsat.status", `{"stringValue":"fail"}`),
	}
	want := []string{`write - 7 null`, `read - null 7`, `cas - [7, 8] true`, `write - "12" null`, `read - null null`,
		`write - {"k": [], "n": null} null`, `write - 9 null`}
	lines := ""
	for _, s := range spans {
		lines += spansOf(s)
	}
	for _, text := range []string{spansOf(spans...), lines, strings.ReplaceAll(spansOf(spans...), ",", " ,\n\t")} {
		h, err := Read(strings.NewReader(text), ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, "otlp", h.Format)
		assert.Equal(t, want, opsOf(h))
		assert.Equal(t, []string{"a1", "a2", "a4", "a5", "a6", "a7", "a8"}, h.IDs)
		pending := ""
		for i := range h.Ops {
			if h.Ops[i].Pending() {
				pending += h.IDs[i] + " "
			}
		}
		assert.Equal(t, "a5 a7 ", pending)
		assert.Equal(t, 1, h.Failed)
		assert.Equal(t, "c1", h.Processes[h.Ops[0].Process])
		assert.Empty(t, h.Warnings)
		asJSON(t, h)
	}
}

// TestRowsOfSpans: spans without a process share as few rows as they fit, and none follows a
// pending one.
func TestRowsOfSpans(t *testing.T) {
	h, err := Read(strings.NewReader(spansOf(
		spanOf("d", "inc", "30", "40", "linsat.key", `{"stringValue":"k"}`), spanOf("a", "inc", "1", "10", "linsat.key",
			`{"stringValue":"k"}`),
		spanOf("b", "inc", "5", "0", "linsat.key", `{"stringValue":"k"}`), spanOf("c", "inc", "10", "20", "linsat.key",
			`{"stringValue":"k"}`))), ReadOptions{})
	require.NoError(t, err)
	var rows []string
	for i := range h.Ops {
		rows = append(rows, h.IDs[i]+" "+h.Processes[h.Ops[i].Process])
	}
	assert.Equal(t, []string{"a spans 1", "b spans 2", "c spans 3", "d spans 1"}, rows)
}

func TestTracesWithWarnings(t *testing.T) {
	one := spanOf("a", "inc", "1", "10", "linsat.key", `{"stringValue":"k"}`)
	h, err := Read(strings.NewReader(spansOf(one)+spansOf(one, spanOf("b", "inc", "3", "4", "linsat.keys",
		`{"stringValue":"k"}`))+strings.Replace(spansOf(spanOf("c", "inc", "5", "6", "linsat.key", `{"intValue":"1"}`)),
		"n1", "n2", 1)), ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, h.Ops, 3)
	require.Len(t, h.Warnings, 3)
	assert.Contains(t, h.Warnings[0].Error(), "2: a span stands in the file twice: a")
	assert.Contains(t, h.Warnings[1].Error(), `"linsat.keys"`)
	assert.Contains(t, h.Warnings[2].Error(), "spans of several hosts, whose clocks may differ: n1, n2")
}

func TestTracesAreRefused(t *testing.T) {
	arg := func(v string) string { return spansOf(spanOf("a", "inc", "1", "10", "linsat.arg", v)) }
	for text, want := range map[string]string{
		spansOf(): "none of 0 spans is an operation",
		spansOf(spanOf("a", "x", "1", "2"), spanOf("b", "x", "1", "2")): "none of 2 spans is an operation",
		arg(`{"intValue":"x"}`):     `line 1: the value of an attribute is {"intValue": "x"}`,
		arg(`3`):                    "line 1: the value of an attribute is 3",
		arg(`{"doubleValue":0.25}`): "line 1: 0.25 is not written as an integer",
		spansOf(spanOf("a", "inc", "x", "10", "linsat.key",
			`{"stringValue":""}`)): `line 1: startTimeUnixNano is "x", not a number of nanoseconds`,
		spansOf(spanOf("a", "inc", "0", "10", "linsat.key",
			`{"stringValue":""}`)): `line 1: a span without "startTimeUnixNano"`,
		spansOf(spanOf("a", "inc", "9", "5", "linsat.key",
			`{"stringValue":""}`)): "line 1: operation a returns at 5, before its call at 9",
		spansOf(spanOf("a", "inc", "1", "5", "linsat.status",
			`{"stringValue":"good"}`)): "line 1: linsat.status is good",
		spansOf(spanOf("a", "inc", "1", "5", "linsat.arg.json",
			`{"stringValue":"[1"}`)): "line 1: linsat.arg.json is no JSON value of integers, strings, lists and " +
			"maps: [1",
		spansOf(spanOf("a", "inc", "1", "5", "linsat.arg.json", `{"stringValue":"1"}`, "linsat.arg",
			`{"intValue":"1"}`)): "line 1: a span has both linsat.arg and linsat.arg.json",
		`{"resourceSpans":3}`:     `"resourceSpans"`,
		`{"resourceSpans":[{"sco`: "line 1",
		spansOf(spanOf("a", "inc", "1", "5", "linsat.process", `{"stringValue":"c"}`),
			spanOf("b", "inc", "2", "6", "linsat.process", `{"stringValue":"c"}`)): "process c",
	} {
		_, err := Read(strings.NewReader(text), ReadOptions{})
		require.ErrorContains(t, err, want, text)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.NotEmpty(t, e.Hint, text)
	}
}
