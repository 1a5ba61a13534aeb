package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/internal/shimrun/order"
)

// modules are the flags of the go command for a go.mod or go.work of ours, none without one.
func modules(file string) []string {
	switch filepath.Base(file) {
	case ".":
		return nil
	case "go.work":
		return []string{"-mod=readonly"}
	}
	return []string{"-modfile=" + file, "-mod=mod"}
}

// unvendored returns a copy of the go.mod of a module, or the go.work of a workspace, with a vendor
// folder, "" for another one: the shims are not among what is vendored, so all comes from the
// module cache instead.
func unvendored(cache string) (string, error) {
	mod, err := order.FindMod("")
	if err != nil || mod == "" {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(mod), "vendor", "modules.txt")); err != nil {
		return "", nil
	}
	return order.CopyMod(mod, filepath.Join(cache, "vendored"))
}

// loading are those flags of go test that say which files and modules there are. The race detector
// is a build tag, too.
func loading(flags []string, race bool) (all []string) {
	for i := 0; i < len(flags); i++ {
		name, _, whole := strings.Cut(strings.TrimLeft(flags[i], "-"), "=")
		if name != "tags" && name != "mod" && name != "modfile" || !strings.HasPrefix(flags[i], "-") {
			continue
		}
		all = append(all, flags[i])
		if !whole && i+1 < len(flags) {
			i++
			all = append(all, flags[i])
		}
	}
	if race {
		all = append(all, "-race")
	}
	return all
}

// withoutRace takes -race out of the flags of go test: it is --race. So it does with -mod=vendor,
// which unvendored is for.
func withoutRace(flags []string, race bool) ([]string, bool) {
	var rest []string
	for _, f := range flags {
		if f == "-race" || f == "--race" || f == "-race=true" {
			race = true
		} else if f != "-mod=vendor" {
			rest = append(rest, f)
		}
	}
	return rest, race
}

// tagged adds a build tag to those of the flags.
func tagged(flags []string, tag string) []string {
	flags = append([]string(nil), flags...)
	for i, f := range flags {
		name, list, whole := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if name != "tags" || !strings.HasPrefix(f, "-") {
			continue
		}
		if whole {
			flags[i] = "-tags=" + list + "," + tag
			return flags
		}
		if i+1 < len(flags) {
			flags[i+1] += "," + tag
			return flags
		}
	}
	return append(flags, "-tags="+tag)
}

// rewriter is the command that rewrites packages.
const rewriter = "github.com/linsat/linsat/cmd/linsat-rewrite"

// rewritten has packages rewritten by the version of linsat that their module has.
func rewritten(request order.Rewrite, work []string) (*order.Rewritten, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	c := exec.Command("go", append(append([]string{"run"}, request.Flags...), rewriter)...)
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &out, &errs
	c.Env = append(os.Environ(), work...)
	if err := c.Run(); err != nil {
		return nil, cli.Hint(fmt.Errorf("the packages cannot be rewritten: %w: %s", err,
			strings.TrimSpace(errs.String())),
			"the module must have linsat, as its tests do: go get github.com/linsat/linsat")

	}
	built := &order.Rewritten{}
	if err := json.Unmarshal(out.Bytes(), built); err != nil {
		return nil, err
	}
	if built.Error != "" {
		return nil, errors.New(built.Error)
	}
	return built, nil
}

// buildFlags are the flags of go test for rewritten packages.
func buildFlags(built *order.Rewritten) []string {
	return append([]string{"-vet=off", "-trimpath=false", "-overlay", built.Overlay}, modules(built.ModFile)...)
}

// debug builds the test for a debugger, and runs Delve with it, or says how it is run.
func (s *tester) debug(built *order.Rewritten, patterns []string, run string, flags []string, o *shimrun.Options,
	cache string) error {
	program, asked := filepath.Join(cache, "debug.test"), filepath.Join(cache, "debug.json")
	args := append([]string{"test", "-c", "-o", program, "-gcflags=all=-N -l"}, buildFlags(built)...)
	c := exec.Command("go", append(append(args, flags...), patterns...)...)
	c.Stdout, c.Stderr = s.out, s.err
	c.Env = append(os.Environ(), order.InWorkspace(built.ModFile)...)
	if err := c.Run(); err != nil {
		return cli.Hint(fmt.Errorf("the test does not build: %w", err), "name one package")
	}
	o.Out, o.Now, o.Debug = "", "", true
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := os.WriteFile(asked, text, 0o600); err != nil {
		return err
	}
	first := filepath.Join(cache, "debug.dlv")
	if err := os.WriteFile(first, []byte("break github.com/linsat/linsat/explore.switched\n"), 0o600); err != nil {
		return err
	}
	what := []string{"exec", program, "--init", first, "--", "-test.run", run, "-test.v"}
	if _, err := exec.LookPath("dlv"); err != nil {
		fmt.Fprintf(s.out,
			"built for a debugger; breakpoints are on the lines of your source:\n  %s=@%s dlv %s '%s' -test.v\n",
			shimrun.Variable, asked, strings.Join(what[:6], " "), run)
		return nil
	}
	c = exec.Command("dlv", what...)
	c.Env = append(os.Environ(), shimrun.Variable+"=@"+asked)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, s.out, s.err
	return c.Run()
}

// goTest runs the tests. Output holds what go test printed.
func (s *tester) goTest(built *order.Rewritten, patterns []string, run string, flags []string, o *shimrun.Options,
	over func(io.Writer) io.Writer) (code int, output string, err error) {
	args := append([]string{"test", "-count=1", "-timeout=0"}, buildFlags(built)...)
	if run != "" {
		args = append(args, "-run", run)
	}
	if s.verbose || s.replay != "" {
		args = append(args, "-v")
	}
	if s.race {
		args, flags = append(args, raceFlags()...), tagged(flags, "linsatrace")
	}
	args = append(append(args, flags...), patterns...)
	text, err := json.Marshal(o)
	if err != nil {
		return 0, "", err
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	c := exec.CommandContext(ctx, "go", args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = stopDelay
	c.Env = append(append(os.Environ(), order.InWorkspace(built.ModFile)...), shimrun.Variable+"="+string(text))
	var all bytes.Buffer
	c.Stdout, c.Stderr = io.MultiWriter(over(s.out), &all), io.MultiWriter(over(s.err), &all)
	if s.race {
		// The race detector reports what the exploration itself does, too, and fails tests for it.
		c.Env = append(c.Env, "GORACE="+os.Getenv("GORACE")+" halt_on_error=0 exitcode=0 atexit_sleep_ms=0 log_path="+
			o.RaceLog)
		if !s.verbose {
			c.Stdout, c.Stderr = &all, &all
		}
	}
	err = c.Run()
	s.interrupted = ctx.Err() != nil
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode(), all.String(), nil
	}
	if s.interrupted {
		return 0, all.String(), nil
	}
	return 0, all.String(), err
}

// raceFlags are the flags of go test for --race. The race detector watches the code under test, and
// not what explores it: it sees the order that the shims state, and no other.
func raceFlags() []string {
	flags := []string{"-race"}
	for _, p := range []string{"explore/...", "internal/schedule", "internal/shimrun", "linsattest"} {
		flags = append(flags, "-gcflags=github.com/linsat/linsat/"+p+"=-race=false -l")
	}
	return flags
}
