package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// Need is a switch that forbids skipping a test for want of something.
type Need string

// What tests may be skipped for.
const (
	Corpora  Need = "LINSAT_REQUIRE_CORPORA"
	Chromium Need = "LINSAT_REQUIRE_CHROMIUM"
	Solvers  Need = "LINSAT_REQUIRE_SOLVERS"
	Checker  Need = "LINSAT_REQUIRE_CHECKER"
	Servers  Need = "LINSAT_REQUIRE_SERVERS"
	Clang    Need = "LINSAT_REQUIRE_CLANG"
	// Recorders are for Python, Rust and Java.
	Recorders Need = "LINSAT_REQUIRE_RECORDERS"
)

// Full reports whether random comparisons run in full.
func Full() bool { return on("LINSAT_FULL") }

// Scale returns the second number if random comparisons run in full, and otherwise the first; under
// go test -short, which the race detector makes slow, a small part of that.
func Scale(sample, full int) int {
	switch {
	case Full():
		return full
	case testing.Short():
		return max(1, sample/shortShare)
	}
	return sample
}

// OneOf returns n, for a sample that takes one of n cases, and otherwise 1, which is all of them;
// under go test -short, a larger number.
func OneOf(n int) int {
	switch {
	case Full():
		return 1
	case testing.Short():
		return n * shortShare
	}
	return n
}

// MoreThan returns what a count of a sample is to exceed: n, and under go test -short nothing.
func MoreThan(n int) int {
	if testing.Short() && !Full() {
		return -1
	}
	return n
}

// Update reports whether golden files are written anew.
func Update() bool { return on("LINSAT_UPDATE") }

// on reads a switch. A value that is neither on nor off ends the test program, because a misspelt
// switch that silently does nothing costs more.
func on(name string) bool {
	text := os.Getenv(name)
	if text == "" {
		return false
	}
	v, err := strconv.ParseBool(text)
	if err != nil {
		panic(fmt.Sprintf("%s=%s: want 1 or 0", name, text))
	}
	return v
}

// Missing skips t for want of something, or fails it where need forbids that. What is missing is
// said by why.
func Missing(t testing.TB, need Need, why any) {
	t.Helper()
	if on(string(need)) {
		t.Fatalf("%v (and %s is set)", why, need)
	}
	t.Skip(why)
}

// Recorded returns a path below the folder of recorded histories. Without that folder, t is skipped
// or fails.
func Recorded(t testing.TB, path ...string) string {
	t.Helper()
	dir, ok := RecordedIfAny(path...)
	if !ok {
		Missing(t, Corpora, "LINSAT_CORPORA names no folder of recorded histories")
	}
	return dir
}

// RecordedIfAny returns a path below the folder of recorded histories. ok is false if no folder is
// named.
func RecordedIfAny(path ...string) (dir string, ok bool) {
	root := os.Getenv("LINSAT_CORPORA")
	if root == "" {
		return "", false
	}
	return filepath.Join(append([]string{root}, path...)...), true
}

// Browser returns the path of Chromium. Without it, t is skipped or fails.
func Browser(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, Chromium, "no chromium: apt-get install chromium")
	return ""
}

// NeedsClang skips or fails t where clang or its linker for WebAssembly is not installed.
func NeedsClang(t testing.TB) {
	t.Helper()
	for _, program := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(program); err != nil {
			Missing(t, Clang, fmt.Sprintf("no %s: scripts/install-tools installs it", program))
		}
	}
}

// Golden compares got with a file, or writes it there if golden files are written anew.
func Golden(t testing.TB, file, got string) {
	t.Helper()
	if Update() {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (LINSAT_UPDATE=1 writes it)", err)
	}
	if string(want) != got {
		t.Errorf("%s is out of date (LINSAT_UPDATE=1 writes it anew):\n%s", file, firstDifference(string(want), got))
	}
}
