// Command size prints how much there is to compile, read and know: lines by module, what an import
// of the library and the command bring along, exported names, words of documentation, and the size
// of the command. With -cold it also builds both from an empty cache, and prints what that took.
//
//	go -C bench run ./size
//	go -C bench run ./size -cold
//
// Lines are those of Go files that are in the repository and neither tests nor generated.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const module = "github.com/linsat/linsat"

// checker are the packages that who checks histories has to know.
var checker = []string{"", "/history", "/spec", "/spec/meta", "/spec/spectest", "/quasi", "/solver", "/report",
	"/verdict"}

func main() {
	cold := flag.Bool("cold", false, "build from an empty cache, too")
	flag.Parse()
	if err := measure(*cold); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func measure(cold bool) error {
	top, err := run("", nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	root := strings.TrimSpace(top)
	files, err := run(root, nil, "git", "ls-files")
	if err != nil {
		return err
	}
	listed := strings.Fields(files)
	if err := modules(root, listed); err != nil {
		return err
	}
	for _, p := range []string{".", "./cmd/linsat"} {
		if err := closure(root, p); err != nil {
			return err
		}
	}
	if err := names(root); err != nil {
		return err
	}
	words := 0
	for _, f := range listed {
		if path.Ext(f) == ".md" && (strings.HasPrefix(f, "docs/") || !strings.Contains(f, "/")) {
			text, err := os.ReadFile(filepath.Join(root, f))
			if err != nil {
				return err
			}
			words += len(bytes.Fields(text))
		}
	}
	fmt.Printf("%9d words in docs and the pages of the root\n", words)
	return build(root, cold)
}

// modules prints the lines of each module.
func modules(root string, files []string) error {
	lines := map[string]int{}
	for _, f := range files {
		if path.Base(f) == "go.mod" {
			lines[path.Dir(f)] = 0
		}
	}
	for _, f := range files {
		of := path.Dir(f)
		for {
			if _, ok := lines[of]; ok || of == "." {
				break
			}
			of = path.Dir(of)
		}
		n, err := count(filepath.Join(root, f))
		if err != nil {
			return err
		}
		lines[of] += n
	}
	for _, m := range slices.Sorted(maps.Keys(lines)) {
		fmt.Printf("%9d lines in module %s\n", lines[m], strings.TrimSuffix(module+"/"+m, "/."))
	}
	return nil
}

// count returns the lines of a Go file that is neither a test nor generated, 0 for others.
func count(file string) (int, error) {
	if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
		return 0, nil
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) { // deleted, and not committed yet
		return 0, nil
	}
	if bytes.HasPrefix(text, []byte("// Code generated ")) {
		return 0, err
	}
	return bytes.Count(text, []byte("\n")), err
}

// closure prints how many of our packages an import of p compiles, and their lines.
func closure(root, p string) error {
	out, err := run(root, nil, "go", "list", "-deps", "-f",
		"{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$.Dir}}/{{.}} {{end}}\n{{end}}{{end}}", p)
	if err != nil {
		return err
	}
	packages, lines := 0, 0
	for of := range strings.Lines(out) {
		if strings.TrimSpace(of) == "" {
			continue
		}
		packages++
		for _, f := range strings.Fields(of) {
			n, err := count(f)
			if err != nil {
				return err
			}
			lines += n
		}
	}
	fmt.Printf("%9d lines in %d packages behind %s\n", lines, packages, path.Join(module, p))
	return nil
}

// names prints how many names the checker exports, as docs/api.txt lists them.
func names(root string) error {
	text, err := os.ReadFile(filepath.Join(root, "docs", "api.txt"))
	if err != nil {
		return err
	}
	sum := 0
	for line := range strings.Lines(string(text)) {
		n, name := 0, ""
		if _, err := fmt.Sscan(line, &n, &name); err != nil {
			continue
		}
		if p, ours := strings.CutPrefix(name, module); ours && slices.Contains(checker, p) {
			sum += n
		}
	}
	fmt.Printf("%9d names exported by the checker\n", sum)
	return nil
}

// build prints the size of the command without symbols, as it is released, and what a build from an
// empty cache takes.
func build(root string, cold bool) error {
	dir, err := os.MkdirTemp("", "size")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "linsat")
	static := []string{"CGO_ENABLED=0"}
	if _, err := run(root, static, "go", "build", "-ldflags", "-s -w", "-o", file, "./cmd/linsat"); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	fmt.Printf("%9d bytes has the command\n", info.Size())
	if !cold {
		return nil
	}
	for k, p := range []string{".", "./cmd/linsat"} {
		begin := time.Now()
		c := command(root, append(static, fmt.Sprintf("GOCACHE=%s/%d", dir, k)), "go", "build", "-o", file, p)
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("go build %s: %w\n%s", p, err, out)
		}
		used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		fmt.Printf("%8.0fs of processor time, %.0f s in all, for %s from an empty cache\n", used.Seconds(),
			time.Since(begin).Seconds(), path.Join(module, p))
	}
	return nil
}

func command(dir string, env []string, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	return c
}

func run(dir string, env []string, name string, args ...string) (string, error) {
	c := command(dir, env, name, args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(out), nil
}
