package history

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMergedPartsAreTheWhole: a history that is divided by its processes and merged is the same
// history, in its operations, its order and its edges, however failed operations and explicit order
// lead from one file to another.
func TestMergedPartsAreTheWhole(t *testing.T) {
	dir := t.TempDir()
	formats := map[string]int{}
	failures, edges := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		format := [...]string{"json", "jsonl", "porcupine-json", "csv"}[r.IntN(4)]
		parts := make([][]string, 1+r.IntN(4))
		for p := range parts {
			time := r.IntN(5)
			for k := range r.IntN(6) {
				from := time
				time += r.IntN(4)
				var line string
				open, failed := r.IntN(8) == 0, format != "porcupine-json" && r.IntN(4) == 0
				switch f := [...]string{"get", "put"}[r.IntN(2)]; {
				case format == "porcupine-json":
					end := time
					if open {
						end = -1
					}
					line = fmt.Sprintf(
						`{"ClientId": %d, "Input": {"Op": %q, "Key": "k%d", "Value": "%d-%d"}, "Call": %d, "Output": {"Value": "%d"}, "Return": %d}`, p, f, r.IntN(3), p, k, from, r.IntN(3), end)
				case format == "csv":
					line = fmt.Sprintf(`%d-%d,p%d,%d,%s,"[%d, {""x"": ""%d""}]",%d,`, p, k, p, r.IntN(2), f, r.IntN(3),
						r.IntN(3), from)
					switch {
					case failed:
						line += [...]string{"", fmt.Sprint(time)}[r.IntN(2)] + ",fail"
					case open:
						line += ","
					default:
						line += fmt.Sprint(time) + ",ok"
					}
				default:
					line = fmt.Sprintf(
						`{"id": "%d-%d", "process": "p%d", "key": %d, "f": %q, "arg": [%d, {"x": "%d"}], "call": %d`, p,
						k, p, r.IntN(2), f, r.IntN(3), r.IntN(3), from)
					if r.IntN(20) == 0 {
						line += fmt.Sprintf(`, "revision": ["c%d", %d]`, p, k)
					}
					switch {
					case failed:
						line += `, "status": "fail"`
						failures++
						if r.IntN(2) == 0 {
							line += fmt.Sprintf(`, "return": %d`, time)
						}
					case !open:
						line += fmt.Sprintf(`, "return": %d`, time)
					}
					line += "}"
				}
				parts[p] = append(parts[p], line)
				if time += r.IntN(4); open && !failed {
					break
				}
			}
		}
		file := func(name string, operations []string, order string) string {
			path := filepath.Join(dir, name)
			text := strings.Join(operations, "\n")
			switch format {
			case "json":
				text = `{"spec": "kv", "initial": {"a": 1}, "operations": [` + strings.Join(operations, ",\n") +
					`]` + order + `}`
			case "csv":
				text = "id,process,key,f,arg,call,return,status\n" + text
			case "jsonl":
				text = `{"spec": "kv", "initial": {"a": 1}` + order + "}\n" + text
			}
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			return path
		}
		parts = slices.DeleteFunc(parts, func(operations []string) bool { return len(operations) == 0 })
		if len(parts) == 0 {
			continue
		}
		var files, orders []string
		base := 0
		for p, operations := range parts {
			order := ""
			if n := len(operations); format == "json" && n > 1 && r.IntN(3) == 0 {
				order = fmt.Sprintf(`, "order": [[%d, %d]]`, 0, n-1)
				orders = append(orders, fmt.Sprintf("[%d, %d]", base, base+n-1))
				edges++
			}
			files = append(files, file(fmt.Sprintf("part%d", p), operations, order))
			base += len(operations)
		}
		order := ""
		if len(orders) > 0 {
			order = `, "order": [` + strings.Join(orders, ", ") + `]`
		}
		want, err := ReadFile(file("whole", slices.Concat(parts...), order), ReadOptions{Format: format})
		got, mergedErr := ReadMerged(files, ReadOptions{Name: "merged", Format: format})
		if err != nil { // in some, what failed at no stated time overlaps what follows it
			require.Error(t, mergedErr, "seed %d: %v", seed, err)
			continue
		}
		err = mergedErr
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, got.Validate())
		require.Equal(t, OperationTexts(want), OperationTexts(got), "seed %d", seed)
		require.Equal(t, want.Edges, got.Edges, "seed %d", seed)
		require.Equal(t, want.Processes, got.Processes, "seed %d", seed)
		require.Equal(t, want.Spec, got.Spec)
		require.Equal(t, want.HasInitial, got.HasInitial, "seed %d", seed)
		if want.HasInitial {
			require.Equal(t, want.Values.Format(want.Initial), got.Values.Format(got.Initial), "seed %d", seed)
		}
		require.Equal(t, want.Failed, got.Failed)
		var a, b bytes.Buffer
		require.NoError(t, WriteJSON(&a, want))
		require.NoError(t, WriteJSON(&b, got))
		if format != "porcupine-json" { // whose operations get names from their files
			require.Equal(t, a.String(), b.String(), "seed %d", seed)
		}
		formats[format]++
	}
	for _, format := range withClocks {
		assert.Greater(t, formats[format], 300, format)
	}
	assert.Greater(t, failures, 500)
	assert.Greater(t, edges, 100)
}

// TestOrderThroughFailedOperations: what precedes an operation that failed in another file precedes
// what follows it.
func TestOrderThroughFailedOperations(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	one := write("one.json", `{"spec": "register", "operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 30},
		{"process": 1, "f": "write", "arg": 2, "call": 0, "return": 100, "status": "fail"},
		{"process": 2, "f": "read", "call": 20, "return": 90, "result": null}], "order": [[0, 1], [1, 2]]}`)
	two := write("two.json",
		`{"spec": "register", "operations": [{"process": 3, "f": "write", "arg": 3, "call": 200, "return": 300}]}`)
	h, err := ReadMerged([]string{one, two}, ReadOptions{})
	require.NoError(t, err)
	require.Len(t, h.Ops, 3)
	assert.True(t, h.Ops[0].Return < h.Ops[1].Call || len(h.Edges) == 1,
		"the write precedes the read through the failed write")
}

// TestFormatsWithoutClockAreNotMerged: every format is merged or refused by name.
func TestFormatsWithoutClockAreNotMerged(t *testing.T) {
	dir := t.TempDir()
	for format, text := range map[string]string{
		"jepsen-json": `{"type": "invoke", "f": "read", "process": 0}`,
		"edn":         `{:process 0, :type :invoke, :f :read, :value nil}`,
		"porcupine":   `{:process 0, :type :invoke, :f :get, :key "x", :value nil}`,
		"jepsen":      "0\t:invoke\t:read\tnil",
		"violin":      "[3] call push(1)",
		"fastlin":     "# queue\nenq 1 0 5",
		"fptlin":      "# queue\n1 0 5 ENQ 1",
		"lowe":        "2 invokes add 23",
		"plume":       "w(0,1,0,0)",
		"awdit":       "w 0 1",
		"csv":         "process,type,f\n0,call,read",
	} {
		path := filepath.Join(dir, format)
		require.NoError(t, os.WriteFile(path, []byte(text+"\n"), 0o600))
		_, err := ReadMerged([]string{path}, ReadOptions{})
		require.ErrorContains(t, err, "does not state times that could be compared", format)
		require.ErrorContains(t, err, path)
	}
}
