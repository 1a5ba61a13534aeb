package history

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// driver uses the recorder of docs/jepsen.md: four threads, a timeout, an operation without an
// effect, and a process that is killed in the middle of a write.
const driver = `
import signal, sys
recorder, lock, store = Recorder(sys.argv[1]), threading.Lock(), {}
def put(v):
    with lock: store["x"] = v
def get():
    with lock: return store.get("x")
def fails(e):
    raise e
def client(n):
    for i in range(25):
        recorder.call("write", lambda: put(100 * n + i), 100 * n + i, key="x")
        recorder.call("read", get, key="x")
threads = [threading.Thread(target=client, args=(n,)) for n in range(4)]
for t in threads: t.start()
for t in threads: t.join()
for e in (TimeoutError(), NoEffect()):
    try: recorder.call("write", lambda: fails(e), 7, key="x")
    except Exception: pass
if os.fork() == 0:
    recorder.call("write", lambda: os.kill(os.getpid(), signal.SIGKILL), 8, key="x")
os.wait()
`

// TestPythonRecorder runs the recorder of the manual where there is a Python, and reads its files.
func TestPythonRecorder(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "jepsen.md"))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```python\n")
	code, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	assert.LessOrEqual(t, strings.Count(code, "\n"), 30)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("there is no python3 here")
		return
	}
	folder := t.TempDir()
	out, err := exec.Command(python, "-c", code+driver, folder).CombinedOutput()
	require.NoError(t, err, string(out))
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	require.NoError(t, err)
	require.Greater(t, len(files), 2)
	var all bytes.Buffer
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(text)
	}
	h, err := Read(&all, ReadOptions{Order: "time"})
	require.NoError(t, err)
	assert.Equal(t, "jepsen-json", h.Format)
	assert.Len(t, h.Ops, 202)
	assert.Equal(t, 1, h.Failed)
	assert.Empty(t, h.Warnings)
	pending := 0
	for i := range h.Ops {
		if h.Ops[i].Pending() {
			pending++
		}
	}
	assert.Equal(t, 2, pending, "the timeout, and the write of the process that was killed")
}
