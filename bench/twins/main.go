// Command twins runs the programs of examples/explored/twins under four tools, each of them for the
// same time, and prints a Markdown table of what they find in the faulty and in the repaired form,
// and how much time and processor time they take for the faulty one:
//
//	go -C bench run ./twins [-for 1s] [-only REGEXP]
//
// The tools are a loop under go test -race, which takes goroutines that have not ended after three
// seconds for stuck; the same with go.uber.org/goleak after each round; a loop in testing/synctest;
// and linsat test --leaks.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

//go:embed harness.txt
var tools string

// patience is how long a process may take beyond the time that a program gets: more than the three
// seconds of a loop, since locks in testing/synctest hang.
const patience = 5 * time.Second

func main() {
	budget := flag.Duration("for", time.Second, "time for each program, form and tool")
	only := flag.String("only", "", "only programs whose name matches this `expression`")
	flag.Parse()
	if err := run(os.Stdout, *budget, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// tool runs a form of a program and reports whether it finds something.
type tool struct {
	name string
	run  func(program, form string) (found bool, cpu time.Duration)
}

func run(w io.Writer, budget time.Duration, only string) error {
	matches, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "twins")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	names, err := prepare(dir)
	if err != nil {
		return err
	}
	loop := func(name, binary string) tool {
		return tool{name, func(program, form string) (bool, time.Duration) {
			return fails(dir, budget+patience, binary, "-budget", budget.String(),
				"-test.run", "^Test"+name+"$/^"+program+"$/^"+form+"$")
		}}
	}
	found := map[string]int{}
	spent, busy := map[string]time.Duration{}, map[string]time.Duration{}
	began := time.Now()
	explored, cpu, err := explore(dir, budget)
	if err != nil {
		return err
	}
	spent["linsat test"], busy["linsat test"] = time.Since(began), cpu
	all := []tool{loop("Stress", "./race.test"), loop("Goleak", "./race.test"), loop("Synctest", "./plain.test"),
		{"linsat test", func(program, form string) (bool, time.Duration) { return explored[form+"/"+program], 0 }}}
	fmt.Fprint(w, "| program |")
	for _, t := range all {
		fmt.Fprintf(w, " %s |", t.name)
	}
	fmt.Fprintln(w, "\n|---|"+strings.Repeat("--|", len(all)))
	programs := 0
	for _, name := range names {
		if !matches.MatchString(name) {
			continue
		}
		programs++
		fmt.Fprintf(w, "| %s |", name)
		for _, t := range all {
			said := " |"
			began := time.Now()
			fault, cpu := t.run(name, "faulty")
			if fault {
				said = " found |"
				found[t.name]++
			}
			spent[t.name] += time.Since(began)
			busy[t.name] += cpu
			if alarm, _ := t.run(name, "repaired"); alarm {
				said = " false alarm" + said
				found[t.name+", false"]++
			}
			fmt.Fprint(w, said)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	for _, t := range all {
		fmt.Fprintf(w, "%s: %d of %d found in %v, %v of processors, %d false alarms\n", t.name, found[t.name], programs,
			spent[t.name].Round(time.Second), busy[t.name].Round(time.Second), found[t.name+", false"])
	}
	return nil
}

// explore runs linsat test once, with what it has to build, and returns what fails.
func explore(dir string, budget time.Duration) (fails map[string]bool, cpu time.Duration, err error) {
	c := exec.Command("./linsat", "test", "--leaks", "--for", budget.String(), "--work", filepath.Join(dir, "work"))
	c.Dir = dir
	out, err := c.Output()
	if c.ProcessState == nil {
		return nil, 0, err
	}
	fails = map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^Test(\w+)/(.*): (.*)$`).FindAllStringSubmatch(string(out), -1) {
		fails[strings.ToLower(m[1])+"/"+m[2]] = m[3] != "no execution fails"
	}
	if len(fails) == 0 {
		return nil, 0, fmt.Errorf("linsat test: %w\n%s", err, out)
	}
	return fails, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

// prepare makes a module of the programs, builds the binaries, and returns the programs' names.
func prepare(dir string) ([]string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/linsat/linsat").Output()
	if err != nil {
		return nil, err
	}
	root := strings.TrimSpace(string(out))
	files, err := filepath.Glob(filepath.Join(root, "examples", "explored", "twins", "*.go"))
	if err != nil {
		return nil, err
	}
	// The other tools need no linsat, which takes long to build with the race detector.
	explored := ""
	write := func(name, text string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644) }
	var names []string
	for _, f := range append(files, filepath.Join(root, "go.sum"), filepath.Join(root, "go.mod")) {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		for _, m := range regexp.MustCompile(`(?m)^\t\t\{"([\w-]+)", "`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
		s := string(text)
		if _, requirements, ok := strings.Cut(s, "\n"); ok && filepath.Base(f) == "go.mod" {
			s = "module twins\n" + requirements + "\nrequire github.com/linsat/linsat v0.0.0\n" +
				"replace github.com/linsat/linsat => " + root + "\n"
		}
		if filepath.Base(f) == "twins_test.go" {
			explored = s
			continue
		}
		if err := write(filepath.Base(f), s); err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{{"build", "-o", filepath.Join(dir, "linsat"), "./cmd/linsat"},
		{"test", "-c", "-race", "-o", "race.test"}, {"test", "-c", "-o", "plain.test"}} {
		c := exec.Command("go", args...)
		if c.Dir = root; args[0] == "test" {
			c.Dir = dir
			if err := write("tools_test.go", tools); err != nil {
				return nil, err
			}
		}
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	if err := write("twins_test.go", explored); err != nil {
		return nil, err
	}
	return names, os.Remove(filepath.Join(dir, "tools_test.go"))
}

// fails reports whether a command fails, or does not end in time, and how long processors ran it.
func fails(dir string, most time.Duration, command string, args ...string) (failed bool, cpu time.Duration) {
	c := exec.Command(command, args...)
	c.Dir = dir
	if err := c.Start(); err != nil {
		return true, 0
	}
	timer := time.AfterFunc(most, func() { _ = c.Process.Kill() })
	defer timer.Stop()
	failed = c.Wait() != nil
	return failed, c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}
