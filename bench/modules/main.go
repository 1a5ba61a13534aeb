// Command modules rewrites public Go modules as `linsat test --include` does, builds what comes of
// it, and prints a Markdown table of them: what is refused, and why.
//
//	go -C bench run ./modules [-list FILE] [-only REGEXP] [-most 5]
//
// The list has a module and a version a line; the go command fetches them into its cache. The
// packages of a module that build as they are count, but for programs and those below internal,
// which are rewritten with the packages that import them. The command fails if a greater share of
// the modules than -most, in percent, cannot be rewritten, or if one that is rewritten does not
// build.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/linsat/linsat/internal/rewrite"
	"github.com/linsat/linsat/internal/shimrun/order"
)

//go:embed list.txt
var known string

func main() {
	list := flag.String("list", "", "`file` of modules, one a line with its version; by default those of this program")
	only := flag.String("only", "", "only modules whose path matches this `expression`")
	most := flag.Float64("most", 5, "percent of the modules that may be refused")
	flag.Parse()
	if err := run(os.Stdout, *list, *only, *most); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, list, only string, most float64) error {
	text := known
	if list != "" {
		content, err := os.ReadFile(list)
		if err != nil {
			return err
		}
		text = string(content)
	}
	matches, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/linsat/linsat").Output()
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "| module | packages | |\n|---|--:|---|")
	all, refused, broken := 0, 0, 0
	for line := range strings.Lines(text) {
		path, version, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || !matches.MatchString(path) {
			continue
		}
		all++
		packages, err := one(strings.TrimSpace(string(root)), path, version)
		says := "builds"
		var no rewrite.Refused
		switch {
		case errors.As(err, &no):
			refused++
			says = "refused: " + kinds(no)
		case err != nil:
			broken++
			says = "does not build: " + firstLines(err.Error())
		}
		fmt.Fprintf(w, "| %s %s | %d | %s |\n", path, version, packages, says)
	}
	fmt.Fprintf(w, "\n%d modules: %d refused, %d that do not build\n", all, refused, broken)
	if share := 100 * float64(refused) / float64(max(all, 1)); share > most || broken > 0 {
		return fmt.Errorf("%.0f %% of the modules are refused, and %d do not build", share, broken)
	}
	return nil
}

// one rewrites and builds a module, and returns how many of its packages.
func one(root, path, version string) (packages int, err error) {
	dir, err := os.MkdirTemp("", "linsat-modules-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	mod := fmt.Sprintf("module modules\n\ngo 1.25\n\nrequire github.com/linsat/linsat v0.0.0\nrequire %s %s\n"+
		"replace github.com/linsat/linsat => %s\n", path, version, root)
	for name, text := range map[string]string{"go.mod": mod, "x.go": "package modules\n\n" +
		"import _ \"github.com/linsat/linsat/linsattest\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	out, err := command(dir, "list", "-mod=mod", "-e", "-f",
		`{{if and (not .Error) (not .DepsErrors) .GoFiles (ne .Name "main")}}{{.ImportPath}}{{end}}`, path+"/...")
	if err != nil {
		return 0, err
	}
	var named []string
	for _, p := range strings.Fields(out) {
		if !strings.Contains(p+"/", "/internal/") {
			named = append(named, p)
		}
	}
	built, err := rewrite.Do(order.Rewrite{Dir: dir, Patterns: []string{"."}, Include: named, Cache: filepath.Join(dir,
		"cache"), Flags: []string{"-mod=mod"}})
	if err != nil {
		return len(named), err
	}
	args := []string{"build", "-overlay", built.Overlay, "-mod=mod"}
	if built.ModFile != "" {
		args = append(args, "-modfile", built.ModFile)
	}
	_, err = command(dir, append(args, named...)...)
	return len(named), err
}

// command runs the go command.
func command(dir string, args ...string) (string, error) {
	c := exec.Command("go", args...)
	c.Dir = dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, errs.String())
	}
	return out.String(), nil
}

// kinds says what is refused, each kind once with its first place.
func kinds(all rewrite.Refused) string {
	var says []string
	seen := map[string]bool{}
	for _, r := range all {
		if !seen[r.What] {
			seen[r.What] = true
			says = append(says, fmt.Sprintf("%s (%s)", r.What, filepath.Base(r.At.String())))
		}
	}
	return strings.Join(says, ", ")
}

// firstLines returns the beginning of an error.
func firstLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:min(len(lines), 3)], " ")
}
