package history

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// write puts files into a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

// found lists the histories below a directory of dir, and what was said about others, relative to
// dir.
func found(t *testing.T, dir, inside string) (files, notes []string) {
	relative := func(path string) string {
		path, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		return filepath.ToSlash(path)
	}
	all, err := Files(filepath.Join(dir, inside), func(file, why string) {
		notes = append(notes, relative(file)+": "+why)
	})
	require.NoError(t, err)
	for _, f := range all {
		files = append(files, relative(f))
	}
	return files, notes
}

const (
	oneWrite = "{:process 0 :type :invoke :f :write :value 1}\n"
	oneRead  = "{:process 0 :type :invoke :f :read :value nil}\n"
)

// TestStoresListEachTestOnce lists one file for each test of a store, with links and with copies of
// them.
func TestStoresListEachTestOnce(t *testing.T) {
	dir := write(t, map[string]string{
		"store/a/T1/history.edn":               oneWrite,
		"store/a/T1/history.txt":               "0\t:invoke\t:write\t1\n",
		"store/a/T1/jepsen.log":                "INFO  jepsen.util - 0\t:invoke\t:write\t1\n",
		"store/a/T1/results.edn":               "{:valid? true}",
		"store/a/T1/test.edn":                  "{:name \"a\"}",
		"store/a/T1/test.jepsen":               string(storedSample(t)),
		"store/a/T1/independent/0/history.edn": oneWrite,
		"store/a/T1/independent/0/results.edn": "{:valid? true}",
		"store/a/T1/n1/db.log":                 "[a log of the system",
		"store/a/T2/history.edn.gz":            oneRead,
		"store/a/T2/jepsen.log":                "x",
		"store/b/T3/test.jepsen":               string(storedSample(t)),
		"store/b/T3/jepsen.log":                "x",
		"store/b/T3/history.edn":               "", // it ended before it was written
		"store/b/T4/jepsen.log":                "INFO  jepsen.util - 0\t:invoke\t:write\t1\n",
		"store/b/T5/results.edn":               "{:valid? true}",
	})
	link := func(target, name string) {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))))
	}
	link("a/T1", "store/latest")
	link("T1", "store/a/latest")
	link("b/T9", "store/current") // leads nowhere
	all := []string{"store/a/T1/history.edn", "store/a/T2/history.edn.gz", "store/b/T3/test.jepsen",
		"store/b/T4/jepsen.log"}
	files, notes := found(t, dir, "store")
	assert.Equal(t, all, files)
	assert.Equal(t, []string{"store/b/T5/results.edn: results of a Jepsen test whose history is not here"}, notes)

	files, notes = found(t, dir, "store/latest")
	assert.Equal(t, []string{"store/latest/history.edn"}, files)
	assert.Empty(t, notes)
	files, _ = found(t, dir, "store/a/latest")
	assert.Equal(t, []string{"store/a/latest/history.edn"}, files)
	files, _ = found(t, dir, "store/a/T1/independent")
	assert.Equal(t, []string{"store/a/T1/independent/0/history.edn"}, files)

	link("../store/a", "store/b/elsewhere") // inside the store by its own name
	link("../..", "store/b/outside")
	_, notes = found(t, dir, "store/b")
	assert.Equal(t, []string{
		"store/b/T5/results.edn: results of a Jepsen test whose history is not here",
		"store/b/outside: a link to a directory elsewhere is skipped; name it to check it",
	}, notes)

	copied := write(t, map[string]string{
		"t/T1/history.edn": oneWrite, "t/T2/history.edn": oneRead, "t/latest/history.edn": oneRead,
		"current/history.edn": oneWrite + oneRead, "latest/history.edn": oneWrite + oneRead,
	})
	files, notes = found(t, copied, ".")
	assert.Equal(t, []string{"current/history.edn", "t/T1/history.edn", "t/T2/history.edn"}, files)
	require.Len(t, notes, 2)
	assert.Contains(t, notes[0], "latest/history.edn: the same as ")
	assert.Contains(t, notes[1], "t/latest/history.edn: the same as ")
}

// TestPlainDirectory keeps files and directories beside a history that Jepsen did not store.
func TestPlainDirectory(t *testing.T) {
	dir := write(t, map[string]string{"history.edn": oneWrite, "other.edn": oneRead,
		"sub/history.txt": "0\t:invoke\t:write\t1\n", "independent/0/history.edn": oneWrite})
	files, notes := found(t, dir, ".")
	assert.Equal(t, []string{"history.edn", "other.edn", "sub/history.txt"}, files)
	assert.Empty(t, notes)
}

// TestCopiesOfHistoriesArePassedOver passes over copies of histories, and says so.
func TestCopiesOfHistoriesArePassedOver(t *testing.T) {
	dir := write(t, map[string]string{
		"a.edn": oneWrite, "a.edn.bak": oneWrite, "a.edn~": oneWrite, "#a.edn#": oneWrite, "history.orig": oneWrite,
		"b.edn.old.gz": "", "notes.txt~": "nothing to see",
	})
	files, notes := found(t, dir, ".")
	assert.Equal(t, []string{"a.edn"}, files)
	want := []string{}
	for _, name := range []string{"#a.edn#", "a.edn.bak", "a.edn~", "b.edn.old.gz", "history.orig"} {
		want = append(want, name+": a backup copy is skipped; name it to check it")
	}
	assert.Equal(t, want, notes)

	dir = write(t, map[string]string{"history.edn~": oneWrite})
	_, err := Files(dir, nil)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "no history in this directory", e.What)
	assert.Contains(t, e.Hint, filepath.Join(dir, "history.edn~"))
	h, err := ReadFile(filepath.Join(dir, "history.edn~"), ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, h.Ops, 1)
}

// TestTestInfo reads the name and the model of a test from beside its history.
func TestTestInfo(t *testing.T) {
	edn := func(model string) string {
		return fmt.Sprintf("{:nodes [\"n1\"] :name \"a %s\" :model %s}", "test", model)
	}
	for _, row := range []struct {
		name, file, beside string
		test, spec, value  string
	}{
		{"history.edn", oneWrite, "", "", "", ""},
		{"history.edn", oneWrite, edn("nil"), "a test", "", ""},
		{"history.edn", oneWrite, edn("#knossos.model.CASRegister{:value 0}"), "a test", "cas-register", "0"},
		{"history.txt", "0\t:invoke\t:write\t1\n", edn("#knossos.model.Register{:value nil}"), "a test",
			"register", "null"},
		{"history.edn", oneWrite, edn("#knossos.model.Unheard{:value 0}"), "a test", "", ""},
		{"history.edn", oneWrite, edn("#knossos.model.UnorderedQueue{:pending #{}}"), "a test", "unordered-queue", ""},
		{"history.edn", oneWrite, edn("nil :workload :total-queue"), "a test", "unordered-queue", ""},
		{"history.edn", oneWrite, edn("#object[a 1] :broken"), "a test", "", ""},
		{"history.edn", oneWrite, "no map", "", "", ""},
		{"other.edn", oneWrite, edn("#knossos.model.CASRegister{:value 0}"), "", "", ""},
	} {
		files := map[string]string{row.name: row.file}
		if row.beside != "" {
			files["test.edn"] = row.beside
		}
		dir := write(t, files)
		h, err := ReadFile(filepath.Join(dir, row.name), ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, row.test, h.Test, row)
		assert.Equal(t, row.spec, h.Spec, row)
		assert.Equal(t, row.value != "", h.HasInitial, row)
		if h.HasInitial {
			assert.Equal(t, row.value, h.Values.Format(h.Initial), row)
		}
	}

	dir := write(t, map[string]string{"history.edn": oneWrite, "test.jepsen": string(storedSample(t)),
		"results.edn": "{:valid? true}"})
	_, err := ReadFile(filepath.Join(dir, "results.edn"), ReadOptions{})
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Contains(t, e.Hint, "history.edn")
	for _, name := range []string{"history.edn", "test.jepsen"} {
		h, err := ReadFile(filepath.Join(dir, name), ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, "a test", h.Test)
		assert.Equal(t, "cas-register", h.Spec)
		assert.Equal(t, "3", h.Values.Format(h.Initial))
	}
}

// storedSample is a test in blocks.
func storedSample(t *testing.T) []byte {
	data, err := os.ReadFile(filepath.Join("testdata", "samples", "register.jepsen"))
	require.NoError(t, err)
	return data
}
