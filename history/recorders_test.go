package history

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// driver uses the recorder of examples/recorders: four threads, a timeout, an operation without an
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

// rustDriver and javaDriver do the same in one process, which aborts in the middle of a write.
const rustDriver = `
use std::{sync::Mutex, thread};
static STORE: Mutex<Option<i64>> = Mutex::new(None);
fn main() {
    let folder = std::env::args().nth(1).unwrap();
    thread::scope(|s| for n in 0..4i64 {
        let folder = &folder;
        s.spawn(move || for i in 0..25i64 {
            let v = 100 * n + i;
            call(folder, "write", "\"x\"", &v.to_string(), || { *STORE.lock().unwrap() = Some(v); Outcome::Returned("null".into()) });
            call(folder, "read", "\"x\"", "null", || Outcome::Returned(STORE.lock().unwrap().map_or("null".into(), |v| v.to_string())));
        });
    });
    call(&folder, "write", "\"x\"", "7", || Outcome::Unknown);
    thread::scope(|s| { s.spawn(|| call(&folder, "write", "\"x\"", "7", || Outcome::NoEffect)); });
    thread::scope(|s| { s.spawn(|| call(&folder, "write", "\"x\"", "8", || process::abort())); });
}
`

const javaDriver = `
class Driver {
    static Long store;
    static synchronized String put(long v) { store = v; return null; }
    static synchronized String get() { return store == null ? "null" : store.toString(); }
    public static void main(String[] args) throws Exception {
        Recorder recorder = new Recorder(args[0]);
        Thread[] threads = new Thread[4];
        for (int n = 0; n < 4; n++) {
            long first = 100 * n;
            threads[n] = new Thread(() -> {
                try {
                    for (long i = 0; i < 25; i++) {
                        long v = first + i;
                        recorder.call("write", "\"x\"", Long.toString(v), () -> put(v));
                        recorder.call("read", "\"x\"", "null", Driver::get);
                    }
                } catch (Exception e) { throw new RuntimeException(e); }
            });
            threads[n].start();
        }
        for (Thread t : threads) t.join();
        try { recorder.call("write", "\"x\"", "7", () -> { throw new java.util.concurrent.TimeoutException(); }); } catch (Exception e) { }
        try { recorder.call("write", "\"x\"", "7", () -> { throw new Recorder.NoEffect(); }); } catch (Recorder.NoEffect e) { }
        recorder.call("write", "\"x\"", "8", () -> { Runtime.getRuntime().halt(9); return null; });
    }
}
`

// TestRecorders compiles and runs the recorders of examples/recorders, and reads their files.
func TestRecorders(t *testing.T) {
	for _, row := range []struct {
		language, driver, file string
		build, run             []string // DIR is the folder of the program
		dies                   bool
	}{
		{"python", driver, "recorder.py", nil, []string{"python3", "DIR/recorder.py"}, false},
		{"rust", rustDriver, "recorder.rs", []string{"rustc", "--edition", "2021", "-o", "DIR/recorder",
			"DIR/recorder.rs"}, []string{"DIR/recorder"}, true},
		{"java", javaDriver, "Recorder.java", []string{"javac", "-d", "DIR", "DIR/Recorder.java"},
			[]string{"java", "-cp", "DIR", "Driver"}, true},
	} {
		t.Run(row.language, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "examples", "recorders", row.file))
			require.NoError(t, err)
			code := string(text)
			assert.LessOrEqual(t, strings.Count(code, "\n"), 30)
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, row.file), []byte(code+row.driver), 0o600))
			command := func(words []string, more ...string) *exec.Cmd {
				program, err := lookPath(strings.ReplaceAll(words[0], "DIR", dir))
				if err != nil {
					testenv.Missing(t, testenv.Recorders, err)
				}
				var args []string
				for _, w := range words[1:] {
					args = append(args, strings.ReplaceAll(w, "DIR", dir))
				}
				return exec.Command(program, append(args, more...)...)
			}
			if row.build != nil {
				out, err := command(row.build).CombinedOutput()
				require.NoError(t, err, string(out))
			}
			folder := filepath.Join(dir, "recorded")
			out, err := command(row.run, folder).CombinedOutput()
			require.Equal(t, row.dies, err != nil, string(out))
			checkRecorded(t, folder)
		})
	}
}

// lookPath finds a program, also that of Rust where its installer puts it.
func lookPath(program string) (string, error) {
	path, err := exec.LookPath(program)
	if home, homeErr := os.UserHomeDir(); err != nil && homeErr == nil {
		if at, err := exec.LookPath(filepath.Join(home, ".cargo", "bin", program)); err == nil {
			return at, nil
		}
	}
	return path, err
}

// checkRecorded reads what a driver has recorded.
func checkRecorded(t *testing.T, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	require.NoError(t, err)
	require.Greater(t, len(files), 4)
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
