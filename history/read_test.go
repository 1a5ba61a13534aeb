package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history/internal/lex"
)

// TestSamplesOfEveryFormatAreRead reads a sample of each format and compares it with what it says.
// TestProgress: it ends with the size of the file, compressed or not.
func TestProgress(t *testing.T) {
	text := `{"spec": "queue", "operations": [{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}]}` +
		strings.Repeat(" ", 1<<20)
	var last int64
	calls := 0
	_, err := Read(strings.NewReader(text), ReadOptions{Progress: func(n int64) {
		assert.GreaterOrEqual(t, n, last)
		last = n
		calls++
	}})
	require.NoError(t, err)
	assert.EqualValues(t, len(text), last)
	assert.Greater(t, calls, 2)
}

func TestSamplesOfEveryFormatAreRead(t *testing.T) {
	for _, row := range []struct {
		file, format, spec, initial string
		failed                      int
		notes                       []Note
		ops                         []string
		edges                       []Edge
	}{
		{"queue.json", "json", "queue", `[4, "four"]`, 1, []Note{{Time: 3, End: 3, Text: "node 3 killed"},
			{Time: 9, End: 9, Text: "node 3 back"}}, []string{
			"0 enq 1 → null [0 5]",
			"1 deq → 4 [1 9]",
			`late é😀 enq [3, {"x": null}] pending [2]`,
			"2 deq → ? [4 11]",
			"0 enq true → null [6 8]",
			"3 enq -9223372036854775808 pending [10]",
		}, []Edge{{0, 3}, {2, 4}}},
		{"kv.jsonl", "jsonl", "kv", `{"x": "0"}`, 0, nil, []string{
			`0 put "x": "a" → null [0 2]`,
			`1 append "x": "b" → null [1 4]`,
			`2 get "y": → null [3 9]`,
			`0 get "x": → "ab" [5 7]`,
			`1 cas "x": ["ab", "c"] → true [6 10]`,
			`0 delete "x": pending [8]`,
		}, []Edge{{1, 2}}},
		{"bare.jsonl", "jsonl", "", "null", 0, nil, []string{"t1 push 1 → null [0 2]", "t2 pop → 1 [1 3]"}, nil},
		{"register.edn", "edn", "", "null", 1, []Note{{Time: 1, End: 1, Process: ":nemesis", Text: `:kill ["n1" 1/2]`}},
			[]string{
				"0 write 3 → null [0 2]",
				"1 cas [3, 4] pending [1]",
				"2 read → 3 [3 4]",
				"3 read → 4 [7 8]",
			}, nil},
		{"queue.edn", "edn", "", "null", 0, nil, []string{
			`0 enqueue {"id": 7, "tags": ["a", "b"]} → null [0 1]`,
			`1 dequeue → {"id": 7, "tags": ["a", "b"]} [2 3]`,
			"1 dequeue → null [4 5]",
		}, nil},
		{"independent.edn", "edn", "", "null", 0, nil, []string{
			"0 write 10: 1 → null [0 2]",
			"1 read 11: → ? [1 3]",
			"0 cas 10: [1, 2] → true [4 5]",
			"1 read 10: → 2 [6 7]",
		}, nil},
		{"mutex.edn", "edn", "", "null", 0, nil, []string{"1 acquire → null [0 1]", "2 acquire pending [2]",
			"1 release → null [3 4]"}, nil},
		{"kv.txt", "porcupine", "", `{"a": "", "b": ""}`, 0, nil, []string{
			`0 put "a": "1" → null [0 2]`,
			`1 get "b": → "" [1 3]`,
			`1 append "a": "\"2\"" → null [4 5]`,
			`0 get "a": → "1\"2\"" [6 7]`,
		}, nil},
		{"register.log", "jepsen", "", "null", 2, []Note{{Time: 3, End: 3, Process: ":nemesis", Text: ":start"}},
			[]string{
				"0 write 1 → null [0 2]", "1 read → 1 [1 3]", "2 cas [1, 2] pending [4]",
			}, nil},
		{"register.jepsen", "fressian", "cas-register", "3", 0,
			[]Note{{Time: 1, End: 1, Process: ":nemesis", Text: `:start "n1"`}},
			[]string{"0 read → 3 [0 1]", "1 cas [3, 4] pending [2]"}, nil},
		{"register.fressian", "fressian", "", "null", 0, nil, []string{"0 write 1 → null [0 1]", "0 read → 1 [2 3]"},
			nil},
		{"queue-jepsen.log", "jepsen", "", "null", 0, nil, []string{"0 enqueue 7 → null [0 1]", "1 dequeue → 7 [2 3]"},
			nil},
		{"stack.log", "violin", "stack", "null", 0, nil, []string{
			"1 push 1 → null [0 2]", "2 push 2 → null [1 4]", "3 pop → 2 [3 5]", "4 pop → 1 [6 9]",
			`5 push "x" pending [7]`, "6 pop → null [8 10]",
		}, nil},
		{"limo.log", "violin", "queue", "null", 0, nil, []string{"0 enqueue 1 → null [0 2]", "1 dequeue → 1 [1 3]",
			"0 dequeue → null [4 5]"}, nil},
		{"queue-fastlin.log", "fastlin", "queue", "null", 0, nil, []string{
			"0 enq 2 → null [0 1]", "1 enq 1 → null [2 3]", "2 peek → 2 [4 5]", "3 deq → 2 [6 7]", "4 deq → 1 [8 9]",
			"5 deq → null [10 11]",
		}, nil},
		{"heap-fastlin.log", "fastlin", "priority-queue", "null", 0, nil, []string{
			"1 peek → null [0 1]", "0 insert [-2, 2] → null [2 4]", "2 insert [-3, 3] → null [3 5]",
			"3 poll → [-3, 3] [6 7]",
		}, nil},
		{"set-polylin.log", "fastlin", "set", "null", 0, nil, []string{
			"0 insert 1 → true [0 2]", "1 contains 1 → true [1 3]", "2 insert 1 → false [4 5]",
			"3 remove 1 → true [6 7]", "4 contains 1 → false [8 9]",
		}, nil},
		{"heap-polylin.log", "fastlin", "priority-queue", "null", 0, nil, []string{
			"0 insert [-5, 5] → null [0 3]", "1 peek → [-5, 5] [1 4]", "2 insert [-6, 6] → null [2 5]",
			"3 poll → [-5, 5] [6 7]",
		}, nil},
		{"heap-fptlin.log", "fptlin", "priority-queue", "null", 0, nil, []string{
			"0 insert [-2, 2] → null [0 2]", "1 insert [-3, 3] → null [1 3]", "0 peek → [-3, 3] [4 5]",
			"1 poll → [-3, 3] [6 7]", "1 poll → [-2, 2] [8 9]", "0 poll → null [10 11]",
		}, nil},
		{"rmw-fptlin.log", "fptlin", "cas-register", "0", 0, nil, []string{"0 cas [0, 2] → true [0 2]",
			"1 cas [2, 3] → true [1 3]"}, nil},
		{"semaphore-fptlin.log", "fptlin", "semaphore", "0", 0, nil, []string{"0 release → null [0 2]",
			"1 tryacquire → true [1 4]", "0 tryacquire → false [3 5]"}, nil},
		{"txns.bincode", "dbcop", "multi-register", `{"0": 0, "1": 0}`, 1, nil, []string{
			`0 txn [["w", 0, 1], ["r", 1, null]] → [["w", 0, 1], ["r", 1, 0]] [0 3]`,
			`1 txn [["r", 0, null], ["w", 1, 3]] → [["r", 0, 1], ["w", 1, 3]] [2 5]`}, nil},
		{"txns-cobra.bin", "cobra", "multi-register", "null", 0, nil, []string{
			`T txn [["w", 3, 41], ["r", 4, null]] → [["w", 3, 41], ["r", 4, null]] [0 3]`,
			`T txn [["r", 3, null]] → [["r", 3, 41]] [1 4]`, `T txn [["w", 4, 42]] pending [2]`},
			[]Edge{{0, 1}, {1, 2}}},
		{"txns-plume.txt", "plume", "multi-register", `{"0": 1, "1": 1}`, 1, nil, []string{
			`1 txn [["r", 0, null], ["w", 0, 2]] → [["r", 0, 1], ["w", 0, 2]] [0 4]`,
			`2 txn [["r", 1, null], ["r", 0, null]] → [["r", 1, 1], ["r", 0, 2]] [1 5]`,
			`1 txn [["w", 1, 5]] → [["w", 1, 5]] [3 7]`}, []Edge{{0, 2}}},
		{"txns-awdit.txt", "awdit", "multi-register", `{"0": 0, "1": 0}`, 0, nil, []string{
			`1 txn [["w", 0, 1]] → [["w", 0, 1]] [0 3]`,
			`1 txn [["r", 0, null], ["r", 1, null]] → [["r", 0, 1], ["r", 1, 0]] [1 4]`,
			`2 txn [["r", 0, null]] → [["r", 0, 0]] [2 5]`}, []Edge{{0, 1}}},
		{"set-lowe.log", "lowe", "set", "null", 0, nil, []string{"2 add 23 → true [0 2]", "0 contains 3 → false [1 3]",
			"1 remove 23 → true [4 5]"}, nil},
		{"pops-limo.log", "violin", "stack", "null", 0, nil, []string{`0 push "?\u003c0,1\u003e" → null [0 1]`,
			`1 pop → "?\u003c0,1\u003e" [2 3]`, "1 pop → null [4 5]"}, nil},
		{"register-events.json", "jepsen-json", "", "null", 0,
			[]Note{{Time: 3, End: 3, Process: ":nemesis", Text: `kill "0.5"`}}, []string{
				"0 write 3 → null [0 2]", "1 read → 3 [1 3]", "1 read → ? [4 5]",
			}, nil},
		{"queue-events.jsonl", "jepsen-json", "", "null", 1, nil, []string{`c1 enqueue "a" → null [0 1]`,
			"2 dequeue pending [2]"}, nil},
		{"kv-porcupine.json", "porcupine-json", "", `{"x": "", "y": ""}`, 0, nil, []string{
			`0 put "x": "a" → null [0 2]`, `1 append "x": "b" pending [1]`, `1~2 get "x": → "ab" [3 4]`,
			`0 get "y": → "" [5 6]`,
		}, nil},
		{"spans.json", "otlp", "", "null", 0, nil, []string{"c1 write 3 → null [0 3]", "spans 1 read → null [1 2]",
			`spans 1 write "x" pending [4]`}, nil},
		{"tuples.edn", "edn", "", "null", 0, []Note{{Time: 2, End: 2, Process: ":nemesis", Text: ":start ##NaN"}},
			[]string{`0 write "1/2" → null [0 1]`, `1 read → "1/2" [2 3]`}, nil},
		{"txn-reads.edn", "edn", "", "null", 0, nil, []string{
			`0 txn [["r", "x", null]] → null [0 3]`, `1 txn [["w", "x", "##Inf"]] → null [1 2]`,
		}, nil},
		{"kv.csv", "csv", "", "null", 0, nil, []string{
			`0 put "x": "a" → null [0 2]`, `1 put "x": "b, \"c\"" pending [1]`, `2 get "x": → "b, \"c\"" [3 4]`,
			`2 get "y": → null [5 6]`,
		}, nil},
		{"set.tsv", "csv", "", "null", 1, nil, []string{
			"t1 add [1, 2] → true [0 2]", `t1 contains "007" → false [4 5]`,
		}, nil},
	} {
		t.Run(row.file, func(t *testing.T) {
			path := filepath.Join("testdata", "samples", row.file)
			h, err := ReadFile(path, ReadOptions{})
			require.NoError(t, err)
			assert.Equal(t, row.format, h.Format)
			assert.Equal(t, path, h.Source)
			assert.Equal(t, row.spec, h.Spec)
			assert.Equal(t, row.initial, h.Values.Format(h.Initial))
			assert.Equal(t, row.initial != "null", h.HasInitial)
			assert.Equal(t, row.failed, h.Failed)
			assert.Equal(t, row.notes, h.Notes)
			assert.Equal(t, row.ops, List(h))
			assert.Equal(t, row.edges, h.Edges)
			requireRoundTrip(t, h, row.file)

			named, err := ReadFile(path, ReadOptions{Format: row.format, Name: "given"})
			require.NoError(t, err)
			assert.Equal(t, List(h), List(named))
			assert.Equal(t, "given", named.Source)
		})
	}
}

// TestRecognise tells formats apart by their first bytes.
func TestRecognise(t *testing.T) {
	for in, want := range map[string]string{
		`{"a"`: "json", "{ \n}": "json", "\ufeff{\"a\"": "json", `[{"a": 1}`: "json", "{:a": "edn", "({:a": "edn",
		"[ ,\n{:a": "edn", "[]": "edn", "; x": "edn", "#_1 {": "edn",
		"#knossos.op.Op{:type": "edn", "[#jepsen.history.Op{:type": "edn", "[3] call push": "violin",
		"  [a] return": "violin", "# x\n\n[3] return": "violin",
		"# queue\nenq 1 2 3": "fastlin", "#queue\n enq -1 2 3 \n": "fastlin", "INFO - 3 :invoke :read nil": "jepsen",
		"x\ny\n:nemesis\t:info\t:kill\n": "jepsen",
		"process,f,call,return":          "csv", "f\tthread\tstart_ns\tend_ns\nwrite\t1\t2\t3": "csv",
		"\"op\";client;type\nread;1;invoke": "csv", "process,f,type\n1,read,int": "",
		"process,f,call": "", "f call return process": "", "process,f,call,return\n1,2": "",
		"w(0,1,3,0)": "plume", "r(0,-1,3,-1)\n": "plume", "w 0 1\n---": "awdit", "w(0,1,3)": "", "w 0 1 2 3": "fastlin",
		"hello": "", "# queue": "", "[3] calls": "edn", "3 :invoked :read": "",
	} {
		f, err := formatOf(lex.NewSource(strings.NewReader(in), 0), "")
		if want == "" {
			assert.Error(t, err, in)
		} else if assert.NoError(t, err, in) {
			assert.Equal(t, want, f.Name, in)
		}
	}
}

// TestSamplesComplete checks that no sample is left out above.
func TestSamplesComplete(t *testing.T) {
	files, err := Files(filepath.Join("testdata", "samples"), nil)
	require.NoError(t, err)
	assert.Len(t, files, 35)
	formats := map[string]bool{}
	for _, f := range files {
		h, err := ReadFile(f, ReadOptions{})
		require.NoError(t, err)
		formats[h.Format] = true
	}
	for _, name := range Formats() {
		assert.True(t, formats[name], "no sample of %s", name)
	}
}

// TestPackedFilesAreRead reads each sample packed with gzip and zstd, and cut off anywhere.
func TestPackedFilesAreRead(t *testing.T) {
	files, err := filepath.Glob("testdata/samples/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		plain, err := os.ReadFile(f)
		require.NoError(t, err)
		want, err := Read(bytes.NewReader(plain), ReadOptions{})
		require.NoError(t, err)
		for kind, packed := range map[string][]byte{"gzip": gzipped(t, plain), "zstd": zstded(t, plain)} {
			got, err := Read(bytes.NewReader(packed), ReadOptions{})
			require.NoError(t, err)
			assert.Equal(t, List(want), List(got))
			for n := 5; n < len(packed); n += 7 {
				_, err := Read(bytes.NewReader(packed[:n]), ReadOptions{Name: "f"})
				require.Error(t, err, "%s of %s cut off at byte %d", kind, f, n)
				require.Contains(t, err.Error(), "f: the "+kind+" data is ", "%s cut off at byte %d", f, n)
			}
		}
	}
}

func gzipped(t require.TestingT, plain []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(plain)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func zstded(t require.TestingT, plain []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	require.NoError(t, err)
	return w.EncodeAll(plain, nil)
}

// repeated is a text over and over, n bytes of it.
type repeated struct {
	text string
	n, i int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.i == r.n {
		return 0, io.EOF
	}
	k := 0
	for k < len(p) && r.i < r.n {
		p[k] = r.text[r.i%len(r.text)]
		k++
		r.i++
	}
	return k, nil
}

// TestExpandingInputsAreRefused checks that inputs which expand without end are refused within the
// limit.
func TestExpandingInputsAreRefused(t *testing.T) {
	const limit, size = 1 << 18, 1 << 22
	op := `{"process": 0, "f": "enq", "call": 0, "return": 0}` + "\n"
	for name, text := range map[string]string{
		"space": " ", "zeros": "\x00", "lists": "[", "one string": "a", "operations": op,
	} {
		first := ""
		switch name {
		case "space":
			first = op
		case "one string", "lists":
			first = `{"process": 0, "call": 0, "arg": "`
			if name == "lists" {
				first = strings.TrimSuffix(first, `"`)
			}
		}
		for kind, pack := range map[string]func(io.Writer) io.WriteCloser{
			"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
			"zstd": func(w io.Writer) io.WriteCloser {
				z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<17))
				require.NoError(t, err)
				return z
			},
			"plain": nil,
		} {
			var packed bytes.Buffer
			var in io.Reader = io.MultiReader(strings.NewReader(first), &repeated{text: text, n: size})
			if pack != nil {
				w := pack(&packed)
				_, err := io.Copy(w, in)
				require.NoError(t, err)
				require.NoError(t, w.Close())
				in = &packed
			}
			_, err := Read(in, ReadOptions{Name: "bomb", MemoryLimit: limit})
			if name == "space" && kind == "plain" {
				require.NoError(t, err, "white space takes no memory")
				continue
			}
			require.Error(t, err, "%s %s", kind, name)
			if name != "zeros" && name != "lists" {
				assert.Contains(t, err.Error(), "memory limit", "%s %s", kind, name)
			}
			if name == "lists" {
				assert.Contains(t, err.Error(), "nested more than 1000 deep", "%s %s", kind, name)
			}
		}
	}
}

// TestLongLinesHavePositions reads a large history on one line, and the positions in its errors.
func TestLongLinesHavePositions(t *testing.T) {
	var in bytes.Buffer
	in.WriteString(`{"spec": "counter", "operations": [`)
	const n = 20_000
	for i := range n {
		if i > 0 {
			in.WriteString(", ")
		}
		fmt.Fprintf(&in, `{"process": %d, "f": "inc", "call": %d, "return": %d, "comment": "%s"}`, i%3, i, i+1,
			strings.Repeat("x", i%50))
	}
	good := in.String() + "]}"
	h, err := Read(strings.NewReader(good), ReadOptions{})
	require.NoError(t, err)
	require.Len(t, h.Ops, n)
	for at, what := range map[int]string{
		7:     `f:1: operation 7: "call" is null, not an integer`,
		19999: `f:1: operation 19999: "call" is null, not an integer`,
	} {
		_, err = Read(strings.NewReader(strings.Replace(good, fmt.Sprintf(`"call": %d,`, at), `"call": null,`, 1)),
			ReadOptions{Name: "f"})
		assert.EqualError(t, err, what)
	}
}

// errorReader fails after some bytes.
type errorReader struct{ in io.Reader }

func (e errorReader) Read(p []byte) (int, error) {
	n, err := e.in.Read(p)
	if err == io.EOF {
		err = errors.New("the disk is on fire")
	}
	return n, err
}

// TestReadError checks that an input which cannot be read is not taken for one that ends.
func TestReadError(t *testing.T) {
	files, err := filepath.Glob("testdata/samples/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		plain, err := os.ReadFile(f)
		require.NoError(t, err)
		for n := 0; n <= len(plain); n += 13 {
			_, err := Read(errorReader{bytes.NewReader(plain[:n])}, ReadOptions{Name: "f"})
			require.Error(t, err, "%s at %d", f, n)
			require.Contains(t, err.Error(), "the disk is on fire", "%s at %d", f, n)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.json": "{}", "a.edn": "", "sub/x": "# queue\nenq 1 0 1\n", "sub/notes": "nothing to see",
		"README.md": "[1] call push(1)", "LICENSE": "[1] call push(1)",
		".hidden.json": "{}", ".git/c.json": "{}", "verdicts.csv": "a,b",
		"rows.csv": "process,f,call,return\n0,read,1,2", "d.jsonl.gz": "", "sub/e.log.zst": "",
		"program.go": "package x",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	files, err := Files(dir, nil)
	require.NoError(t, err)
	for i := range files {
		files[i], err = filepath.Rel(dir, files[i])
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"a.edn", "b.json", "d.jsonl.gz", "rows.csv", filepath.Join("sub", "e.log.zst"),
		filepath.Join("sub", "x")}, files)

	empty := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(empty, "README.md"), []byte("{}"), 0o644))
	_, err = Files(empty, nil)
	assert.EqualError(t, err, empty+": no history in this directory")
	_, err = Files(filepath.Join(empty, "missing"), nil)
	assert.EqualError(t, err, filepath.Join(empty, "missing")+": cannot open it: no such file or directory")
	files, err = Files("-", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"-"}, files)
	_, err = ReadFile(empty, ReadOptions{})
	assert.EqualError(t, err, empty+": is a directory")
}

// TestWideValuesAreRead reads a value of many lists, none of them deep.
func TestWideValuesAreRead(t *testing.T) {
	txn := "[" + strings.Repeat(`[:w "#(" 1] `, 2000) + "]"
	h, err := Read(strings.NewReader("INFO  jepsen.util - 0\t:invoke\t:txn\t"+txn+
		"\nINFO  jepsen.util - 0\t:ok\t:txn\t"+txn+"\n"), ReadOptions{})
	require.NoError(t, err)
	require.Len(t, h.Ops, 1)
	list, ok := h.Values.AsList(h.Ops[0].Arg)
	require.True(t, ok)
	assert.Len(t, list, 2000)
}
