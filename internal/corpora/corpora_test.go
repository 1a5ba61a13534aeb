package corpora

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// write makes files of a folder; their contents matter for Porcupine's tests alone.
func write(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return dir
}

func TestVerdictsAreThoseThatACollectionStates(t *testing.T) {
	for want, c := range map[string]struct {
		files map[string]string
		known map[string]bool
		other []string
	}{
		"porcupine": {map[string]string{"test_data/jepsen/etcd_007.log": "x", "test_data/jepsen/etcd_100.log": "x",
			"test_data/jepsen/etcd_095.log": "", "test_data/jepsen/etcd_096.log": "x",
			"test_data/kv/c10-bad.txt": "x", "test_data/README.md": "x",
			"porcupine_test.go": "checkJepsen(t, 7, false)\ncheckJepsen(t, 100, true)\n" +
				`checkKv(t, "c10-bad", false, true)`},
			map[string]bool{"jepsen/etcd_007.log": false, "jepsen/etcd_100.log": true, "kv/c10-bad.txt": false},
			[]string{"jepsen/etcd_096.log"}},
		"knossos": {map[string]string{"data/cas-register/good/a.edn": "x", "data/mutex/bad/b.edn": "x",
			"data/multi-register/good/c.edn": "x", "data/cas-register/bad/d.html": "x"},
			map[string]bool{"cas-register/good/a.edn": true, "mutex/bad/b.edn": false},
			[]string{"multi-register/good/c.edn"}},
		"violin": {map[string]string{"data/histories/generated/small/q/q.1.log": "x",
			"data/histories/simple/lifo-violation-1.log": "x", "data/histories/simple/lifo-safe-dhk-2.log": "x"},
			map[string]bool{"simple/lifo-violation-1.log": false, "simple/lifo-safe-dhk-2.log": true},
			[]string{"small/q/q.1.log"}},
		"fastlin": {map[string]string{"testcases/priorityqueue/lin_hard_0.log": "x",
			"testcases/queue/nonlin_hard_1.log": "x", "testcases/stack/treiber_1.log": "x"},
			map[string]bool{"priorityqueue/lin_hard_0.log": true, "queue/nonlin_hard_1.log": false},
			[]string{"stack/treiber_1.log"}},
		"limo": {map[string]string{"histories/simple/stack/safe/a.hist": "x",
			"histories/simple/stack/violation/b.hist": "x", "histories/simple/stack/violation/b.hist.tex": "x"},
			map[string]bool{"stack/safe/a.hist": true, "stack/violation/b.hist": false}, nil},
	} {
		t.Run(want, func(t *testing.T) {
			clone := write(t, c.files)
			found, files, err := Find(clone)
			require.NoError(t, err)
			require.NotNil(t, found)
			assert.Equal(t, want, found.Name)
			dir := filepath.Join(t.TempDir(), want)
			require.NoError(t, Lay(dir, files))
			require.NoError(t, Lay(dir, files), "again")
			assert.Len(t, files, len(c.known)+len(c.other))
			var names []string
			for _, f := range files {
				names = append(names, filepath.Join(dir, filepath.FromSlash(f.Name)))
				assert.FileExists(t, names[len(names)-1])
			}
			known, err := KnownOf(names)
			require.NoError(t, err)
			stated := map[string]bool{}
			for name, is := range known {
				rel, err := filepath.Rel(dir, name)
				require.NoError(t, err)
				stated[filepath.ToSlash(rel)] = is
			}
			assert.Equal(t, c.known, stated)
		})
	}
	c, _, err := Find(write(t, map[string]string{"data/h.json": "{}"}))
	assert.NoError(t, err)
	assert.Nil(t, c)
}
