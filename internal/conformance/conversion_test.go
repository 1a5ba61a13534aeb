package conformance_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestConversionKeepsVerdicts: what convert writes of a history, in whatever format it was, solve
// reads without a warning of its own and judges as it judges the history itself. Random histories
// of every specification are written in every format that can hold them.
func TestConversionKeepsVerdicts(t *testing.T) {
	read := map[string]int{}
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(testenv.Scale(40, 1500)) {
			small, err := gen.Small(name, seed, gen.SmallOptions{All: seed%2 == 1, Most: 6,
				NoEdges: seed%4 != 0, Keys: 1})
			require.NoError(t, err)
			sameConverted(t, s, small, name)
			for format, text := range texts(small, name) {
				h, err := history.Read(strings.NewReader(text), history.ReadOptions{Format: format})
				if err != nil {
					continue // the format cannot say this
				}
				read[h.Format]++
				sameConverted(t, s, h, text)
			}
		}
	}
	elsewhere := []string{"json", "jsonl", "fressian", // written above; binary
		"dbcop", "cobra", "plume", "awdit"} // without times; read_test.go of history
	for _, format := range history.Formats() {
		if !slices.Contains(elsewhere, format) {
			assert.Greater(t, read[format], 20, "%s: too few of the histories could be written in it", format)
		}
	}
}

// sameConverted writes h in both formats of linsat's own, reads that, and compares the verdicts.
func sameConverted(t *testing.T, s model.Spec, h *history.History, about string) {
	t.Helper()
	options := []linsat.Option{linsat.Engine("search"), linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}),
		linsat.Steps(200_000)}
	want, wantErr := linsat.Check(context.Background(), s, h, options...)
	for _, write := range []func(io.Writer, *history.History) error{history.WriteJSON, history.WriteJSONL} {
		var b bytes.Buffer
		require.NoError(t, write(&b, h))
		again, err := history.Read(bytes.NewReader(b.Bytes()), history.ReadOptions{})
		require.NoError(t, err, "%s\n%s", about, b.String())
		if again.Completed() > 0 {
			require.Empty(t, again.Warnings, "%s\n%s", about, b.String())
		}
		got, gotErr := linsat.Check(context.Background(), s, again, options...)
		require.Equal(t, wantErr == nil, gotErr == nil, "%v and %v about %s\n%s", wantErr, gotErr, about, b.String())
		if wantErr == nil {
			require.Equal(t, want.Verdict, got.Verdict, "%s\n%s", about, b.String())
		}
	}
}

// texts writes h as the formats that linsat reads and does not write. They hold less than h does:
// what counts is what is read.
func texts(h *history.History, name string) map[string]string {
	var edn, tuples, logs, keyed, calls, lowe, fast, five, fpt, porcupine, table strings.Builder
	var events, spans []string
	object := map[string]string{"priority-queue": "priorityqueue", "cas-register": "rmw"}[name]
	if object == "" {
		object = name
	}
	cell := func(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
	table.WriteString("process,op,key,arg,result,start,end\n")
	fmt.Fprintf(&calls, "# @object atomic-%s\n", name)
	fmt.Fprintf(&fast, "# %s\n", object)
	fmt.Fprintf(&five, "# %s\n", object)
	fmt.Fprintf(&fpt, "# %s\n", object)
	upper := map[string]string{"add": "INSERT", "insert": "INSERT", "deletemin": "POLL", "min": "PEEK",
		"release": "INCR", "tryacquire": "DECR", "cas": "READ_MODIFY_WRITE"}
	forEachEvent(h, func(i int, returns bool) {
		op, v := &h.Ops[i], h.Values
		f, _ := v.AsString(op.F)
		p := h.Processes[op.Process]
		kind, value := "invoke", op.Arg
		if returns {
			kind, value = "ok", op.Result
			if f == "write" || f == "put" || f == "append" {
				value = op.Arg
			}
		}
		if op.Unknown && returns {
			kind = "info"
		}
		shown, json := strings.NewReplacer("null", "nil", `": `, `" `).Replace(v.Format(value)), v.Format(value)
		fmt.Fprintf(&edn, "{:process %s, :type :%s, :f :%s, :value %s}\n", p, kind, f, shown)
		fmt.Fprintf(&tuples, "[%s :%s :%s %s]\n", p, kind, f, shown)
		fmt.Fprintf(&logs, "INFO  jepsen.util - %s\t:%s\t:%s\t%s\n", p, kind, f, shown)
		if op.Key != history.NoKey {
			fmt.Fprintf(&keyed, "{:process %s, :type :%s, :f :%s, :key %s, :value %s}\n", p, kind, f,
				v.Format(op.Key), shown)
		}
		events = append(events, fmt.Sprintf(`{"process": %s, "type": "%s", "f": "%s", "value": %s}`, p, kind, f, json))
		arg, result := "", ""
		if op.Arg != history.Nil {
			arg = v.Format(op.Arg)
		}
		if op.Result != history.Nil {
			result = v.Format(op.Result)
		}
		if returns {
			fmt.Fprintf(&calls, "[%s] return %s\n", p, result)
			fmt.Fprintf(&lowe, "%s returns %s\n", p, result)
			fetched := result
			if fetched == "" {
				fetched = "-1"
			}
			value, truth := arg, map[string]string{"true": " 1", "false": " 0"}[result]
			if arg == "" {
				value = fetched
			}
			fmt.Fprintf(&fast, "%s %s %d %d\n", f, value, op.Call, op.Return)
			fmt.Fprintf(&five, "%s %s%s %d %d\n", f, value, truth, op.Call, op.Return)
			method := upper[f]
			if method == "" {
				method = strings.ToUpper(f)
			}
			fmt.Fprintf(&fpt, "%d %d %d %s %s%s\n", op.Process, op.Call, op.Return, method, value, truth)
		} else {
			fmt.Fprintf(&calls, "[%s] call %s(%s)\n", p, f, arg)
			fmt.Fprintf(&lowe, "%s invokes %s %s\n", p, f, arg)
			end := int64(op.Return)
			if op.Pending() {
				end = -1
			}
			key, found, until := "", v.Format(op.Result), fmt.Sprint(end)
			if op.Key != history.NoKey {
				key = v.Format(op.Key)
			}
			if op.Unknown || op.NoResult {
				found = ""
			}
			if op.Pending() {
				until = ""
			}
			spans = append(spans, span(h, i))
			fmt.Fprintf(&table, "%s,%s,%s,%s,%s,%d,%s\n", p, f, cell(key), cell(arg), cell(found), op.Call, until)
			if op.Key != history.NoKey {
				fmt.Fprintf(&porcupine,
					`{"ClientId": %d, "Input": {"Op": "%s", "Key": %s, "Value": %s}, "Call": %d, "Output": {"Value": %s}, "Return": %d}`+"\n",
					op.Process, f, v.Format(op.Key), v.Format(op.Arg), op.Call, v.Format(op.Result), end)
			}
		}
	})
	all := map[string]string{"edn": edn.String(), "jepsen": logs.String(), "porcupine": keyed.String(),
		"violin": calls.String(), "lowe": lowe.String(), "fastlin": fast.String(),
		"fptlin": fpt.String(), "porcupine-json": porcupine.String(), "csv": table.String(),
		"otlp":        `{"resourceSpans": [{"scopeSpans": [{"spans": [` + strings.Join(spans, ",\n") + `]}]}]}`,
		"jepsen-json": "[" + strings.Join(events, ",\n") + "]"}
	if len(h.Ops)%2 == 0 {
		all["edn"] = tuples.String()
	}
	if name == "set" {
		all["fastlin"] = five.String()
	}
	return all
}

// span writes an operation as a span of OpenTelemetry.
func span(h *history.History, i int) string {
	op, v := &h.Ops[i], h.Values
	f, _ := v.AsString(op.F)
	attributes := fmt.Sprintf(`{"key": "linsat.process", "value": {"stringValue": "p%d"}}`, op.Process)
	add := func(name string, value history.Value) {
		if value != history.Nil && value != history.NoKey {
			attributes += fmt.Sprintf(`, {"key": "linsat.%s.json", "value": {"stringValue": %q}}`, name,
				v.Format(value))
		}
	}
	add("arg", op.Arg)
	if !op.Unknown && !op.NoResult {
		add("result", op.Result)
	}
	if op.Key != history.NoKey {
		kind := map[bool]string{true: "stringValue", false: "intValue"}[strings.HasPrefix(v.Format(op.Key), `"`)]
		attributes += fmt.Sprintf(`, {"key": "linsat.key", "value": {"%s": %s}}`, kind, v.Format(op.Key))
	}
	end := int64(op.Return) + 1000
	if op.Pending() {
		end = 0
	}
	return fmt.Sprintf(
		`{"spanId": "%x", "name": "%s", "startTimeUnixNano": "%d", "endTimeUnixNano": "%d", "attributes": [%s]}`, i, f,
		int64(op.Call)+1000, end, attributes)
}

// forEachEvent calls yield for the calls and returns of a history in their order.
func forEachEvent(h *history.History, yield func(i int, returns bool)) {
	type event struct {
		rank    history.Rank
		i       int
		returns bool
	}
	var events []event
	for i := range h.Ops {
		events = append(events, event{h.Ops[i].Call, i, false})
		if !h.Ops[i].Pending() {
			events = append(events, event{h.Ops[i].Return, i, true})
		}
	}
	slices.SortStableFunc(events, func(x, y event) int { return int(x.rank) - int(y.rank) })
	for _, e := range events {
		yield(e.i, e.returns)
	}
}
