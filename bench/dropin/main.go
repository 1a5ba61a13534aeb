//go:build unix

// Command dropin runs the tests of programs that use Porcupine twice: as they are, and with the
// import path of module porcupine instead. It prints a table of their results, times and memory.
//
//	go -C bench run ./dropin [-only porcupine|etcd|users|etcd-files]
//		[-timeout 10s] [-memory 4096] [-runs 3] [-history REGEXP]
//
// The programs are fetched from the Go module proxy into the module cache, and changed in a
// temporary folder: Porcupine's own test suite, whose models are a register, a key-value store with
// and without partitions, sets and nondeterministic ones, on 102 logs of etcd and others; and the
// model and the validation of etcd's robustness tests. Tests that look at unexported parts of
// Porcupine, or at the data in its page, are left out and named.
//
// The program of bench/peers/users checks histories with models that are written for Porcupine: a
// key-value store of a lab, append logs, a nondeterministic set, and 15 models that users write
// most, correct, stale and with a lost update, of 160 to 50,000 operations, easy ones and ones with
// invented returns. Each history is decided by one process at a time; a verdict that differs, or is
// not the known one, is an error. Bars in processor time are counted at the end.
//
// The files of etcd are generated histories of up to 60,000 operations, as reports of its tests of
// robustness: Porcupine and the drop-in decide them with etcd's own model, and linsat solve with
// its specification.
//
//	leaveout.go  which tests are left out
//	users.go     processes, their limits, and the program of users
//	etcdfile.go  the files of etcd
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

const (
	peer       = "github.com/anishathalye/porcupine"
	peerModule = peer + "@v1.3.1"
	etcdModule = "go.etcd.io/etcd/tests/v3@v3.6.8"
	ours       = "github.com/linsat/linsat/porcupine"
)

// suite is a program with tests.
type suite struct {
	name     string
	packages []string // import paths below its root
	// prepare writes the program into a new folder, as it is or with our import path. It returns
	// the names of tests that are left out.
	prepare func(dir string, changed bool) ([]string, error)
}

func main() {
	var l limits
	only := flag.String("only", "", "run one program alone: porcupine, etcd, users or etcd-files")
	flag.DurationVar(&l.timeout, "timeout", 10*time.Second, "time limit of each check of users and etcd-files")
	flag.Int64Var(&l.memory, "memory", 4096, "memory limit of each of these checks, in megabytes")
	flag.IntVar(&l.runs, "runs", 3, "runs of each of these checks")
	histories := flag.String("history", "", "histories of users whose names match this `regular expression`")
	keep := flag.String("keep", "", "keep the changed programs in this new folder")
	flag.Parse()
	var err error
	if l.only, err = regexp.Compile(*histories); err == nil {
		err = run(*only, *keep, l)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dropin:", err)
		os.Exit(1)
	}
}

func run(only, keep string, l limits) error {
	if l.timeout <= 0 || l.memory <= 0 || l.runs < 1 {
		return errors.New("-timeout, -memory and -runs are positive")
	}
	root, err := repository()
	if err != nil {
		return err
	}
	dir := keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "dropin"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	suites := []suite{
		{"porcupine", []string{"."}, func(dir string, changed bool) ([]string, error) {
			return preparePeer(root, dir, changed)
		}},
		{"etcd", []string{"./robustness/model", "./robustness/validate"}, func(dir string, changed bool) ([]string,
			error) {
			return nil, prepareEtcd(root, dir, changed)
		}},
	}
	differ := 0
	for _, s := range suites {
		if only != "" && only != s.name {
			continue
		}
		n, err := s.compare(filepath.Join(dir, s.name))
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		differ += n
	}
	if only == "" || only == "users" {
		n, err := compareUsers(os.Stdout, root, filepath.Join(dir, "users"), l)
		if err != nil {
			return fmt.Errorf("users: %w", err)
		}
		differ += n
	}
	if only == "" || only == "etcd-files" {
		n, err := compareEtcdFiles(os.Stdout, root, filepath.Join(dir, "etcd-files"), l)
		if err != nil {
			return fmt.Errorf("etcd-files: %w", err)
		}
		differ += n
	}
	if differ > 0 {
		return fmt.Errorf("%d tests or histories have different results", differ)
	}
	return nil
}

// repository returns the folder of this repository, of which the working directory is a part.
func repository() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/linsat/linsat").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w; run this command in the repository", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// result is what running the tests of one package gave.
type result struct {
	passed   map[string]bool
	took     map[string]time.Duration
	wall     time.Duration
	resident int64 // bytes at most
}

// compare runs both and prints a row for each package. It returns how many results differ.
func (s *suite) compare(dir string) (differ int, err error) {
	both := []string{filepath.Join(dir, "as-it-is"), filepath.Join(dir, "changed")}
	for i, d := range both {
		left, err := s.prepare(d, i == 1)
		if err != nil {
			return 0, err
		}
		if len(left) > 0 && i == 1 {
			fmt.Printf("%s: left out, since they look at unexported parts of it or of its page: %s\n\n", s.name,
				strings.Join(left, ", "))
		}
	}
	fmt.Printf(
		"| %s, package | tests | same result | Porcupine | linsat | Porcupine, MB | linsat, MB | slowest test: "+
			"Porcupine, linsat |\n|---|---|---|---|---|---|---|---|\n", s.name)
	for _, p := range s.packages {
		var r [2]result
		for i, d := range both {
			if r[i], err = test(d, p); err != nil {
				return 0, err
			}
		}
		same, slowest := 0, ""
		for name := range r[1].passed {
			if r[0].passed[name] == r[1].passed[name] {
				same++
			} else {
				fmt.Fprintf(os.Stderr, "%s: %s passes with Porcupine: %v; with linsat: %v\n", s.name, name,
					r[0].passed[name], r[1].passed[name])
			}
			if slowest == "" || cmp.Or(cmp.Compare(r[0].took[name], r[0].took[slowest]),
				cmp.Compare(slowest, name)) > 0 {
				slowest = name
			}
		}
		differ += len(r[1].passed) - same
		fmt.Printf("| %s | %d | %d | %.2f s | %.2f s | %d | %d | %s: %.2f s, %.2f s |\n", p, len(r[1].passed), same,
			r[0].wall.Seconds(), r[1].wall.Seconds(), r[0].resident>>20, r[1].resident>>20, slowest,
			r[0].took[slowest].Seconds(), r[1].took[slowest].Seconds())
	}
	fmt.Println()
	return differ, nil
}

// test builds the tests of a package and runs them.
func test(dir, pkg string) (result, error) {
	binary := filepath.Join(dir, strings.ReplaceAll(strings.Trim(pkg, "./"), "/", "-")+".test")
	if out, err := command(dir, "go", "test", "-mod=mod", "-c", "-o", binary, pkg).CombinedOutput(); err != nil {
		return result{}, fmt.Errorf("%s: go test -c %s: %w\n%s", dir, pkg, err, tail(out))
	}
	run := command(filepath.Join(dir, pkg), "go", "tool", "test2json", "-t", binary, "-test.v=test2json")
	var out bytes.Buffer
	run.Stdout = &out
	start := time.Now()
	err := run.Run() // a test that fails is a result
	r := result{passed: map[string]bool{}, took: map[string]time.Duration{}, wall: time.Since(start)}
	if usage, ok := run.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.resident = int64(usage.Maxrss) << 10
	}
	for lines := json.NewDecoder(&out); lines.More(); {
		var e struct {
			Action, Test string
			Elapsed      float64
		}
		if err := lines.Decode(&e); err != nil {
			return r, err
		}
		if e.Test != "" && (e.Action == "pass" || e.Action == "fail") {
			r.passed[e.Test] = e.Action == "pass"
			r.took[e.Test] = time.Duration(e.Elapsed * float64(time.Second))
		}
	}
	if len(r.passed) == 0 {
		return r, fmt.Errorf("%s: no test ran: %v", pkg, err)
	}
	return r, nil
}

func command(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off")
	return c
}

func tail(out []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-12):], []byte("\n"))
}

// download returns the folder of a module in the module cache.
func download(module string) (string, error) {
	c := command(os.TempDir(), "go", "mod", "download", "-json", module)
	out, err := c.Output()
	var d struct{ Dir, Error string }
	if bad := json.Unmarshal(out, &d); bad != nil || d.Error != "" || err != nil {
		return "", fmt.Errorf("go mod download %s: %v %s", module, err, d.Error)
	}
	return d.Dir, nil
}

// copied copies a folder of the module cache, to be changed.
func copied(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.Walk(to, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, info.Mode()|0o200)
	})
}

// edit changes a file.
func edit(path string, change func(text string) string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(change(string(text))), 0o644)
}

// replacements are the lines of a go.mod that name our modules.
func replacements(root string) string {
	var b strings.Builder
	for _, m := range [][2]string{{"github.com/linsat/linsat", root}, {ours, filepath.Join(root, "porcupine")}} {
		fmt.Fprintf(&b, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", m[0], m[0], m[1])
	}
	return b.String()
}

// preparePeer copies Porcupine, or puts its tests beside our package.
func preparePeer(root, dir string, changed bool) ([]string, error) {
	from, err := download(peerModule)
	if err != nil {
		return nil, err
	}
	if err := copied(from, dir); err != nil {
		return nil, err
	}
	names, err := internals(dir)
	if err != nil {
		return nil, err
	}
	var left []string
	tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range tests {
		gone, err := leaveOut(file, names)
		if err != nil {
			return nil, err
		}
		left = append(left, gone...)
	}
	if !changed {
		return left, nil
	}
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range all {
		if !strings.HasSuffix(file, "_test.go") {
			if err := os.Remove(file); err != nil {
				return nil, err
			}
		}
	}
	mine, err := filepath.Glob(filepath.Join(root, "porcupine", "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range mine {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o644); err != nil {
			return nil, err
		}
	}
	sums, err := os.ReadFile(filepath.Join(root, "porcupine", "go.sum"))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644); err != nil {
		return nil, err
	}
	mod := "module " + peer + "\n\ngo 1.25.0\n" + strings.Split(replacements(root), "\nrequire "+ours)[0]
	return left, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644)
}

var localReplacements = regexp.MustCompile(`(?s)\nreplace \(.*?\n\)\n`)

// prepareEtcd copies etcd's tests, without the replacements that only etcd's repository has.
func prepareEtcd(root, dir string, changed bool) error {
	from, err := download(etcdModule)
	if err != nil {
		return err
	}
	if err := copied(from, dir); err != nil {
		return err
	}
	mod := ""
	if changed {
		mod = replacements(root)
	}
	if err := edit(filepath.Join(dir, "go.mod"), func(text string) string {
		return localReplacements.ReplaceAllString(text, "\n") + mod
	}); err != nil {
		return err
	}
	if !changed {
		return nil
	}
	return changeImports(dir)
}

// changeImports changes the import path in all files of a folder.
func changeImports(dir string) error {
	return filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		return edit(path, func(text string) string { return strings.ReplaceAll(text, `"`+peer+`"`, `"`+ours+`"`) })
	})
}
