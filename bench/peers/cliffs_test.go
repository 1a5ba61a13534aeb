//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
)

// parse reads lines of JSON operations with the given specification.
func parse(t *testing.T, spec, operations string) *history.History {
	t.Helper()
	h, err := history.Read(strings.NewReader(`{"spec":"`+spec+`","operations":[`+operations+`]}`),
		history.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestFormatsOfPeers(t *testing.T) {
	const put, got, nothing = `{"process":7,"f":"enq","arg":5,"call":0,"return":3}`,
		`{"process":0,"f":"deq","call":1,"return":2,"result":5}`,
		`{"process":0,"f":"deq","call":4,"return":5,"result":null}`
	queue := parse(t, "queue", put+","+got+","+nothing)
	for _, c := range []struct {
		translate func(h *history.History) (string, string)
		h         *history.History
		want, no  string
	}{
		{fptlinText, queue, "# queue\n0 0 3 ENQ 5\n1 1 2 DEQ 5\n1 4 5 DEQ -1\n", ""},
		{polylinText, queue, "# queue\nenq 5 0 3\ndeq 5 1 2\ndeq -1 4 5\n", ""},
		{distinctText, queue, "# queue\nenq 5 0 3\ndeq 5 1 2\ndeq -1 4 5\n", ""},
		{polylinText,
			parse(t, "deque",
				`{"process":1,"f":"pushfront","arg":5,"call":0,"return":3},{"process":0,"f":"popback","call":1,"return":2,"result":5}`), "# deque\npush_front 5 0 3\npop_back 5 1 2\n", ""},
		{fptlinText, parse(t, "queue", `{"process":1,"f":"enq","arg":5,"call":0}`), "", refusesPending},
		{fptlinText, parse(t, "queue", `{"process":1,"f":"enq","arg":"a","call":0,"return":1}`), "", refusesValue},
		{fptlinText, parse(t, "deque", `{"process":1,"f":"pushfront","arg":5,"call":0,"return":3}`), "", refusesSpec},
		{distinctText, parse(t, "queue", put+`,{"process":2,"f":"enq","arg":5,"call":6,"return":7}`), "",
			refusesRepeated},
		{polylinText, parse(t, "queue", put+`,{"process":2,"f":"enq","arg":5,"call":6,"return":7}`), "",
			refusesRepeated},
	} {
		if text, refusal := c.translate(c.h); text != c.want || refusal != c.no {
			t.Errorf("%q, %q instead of %q, %q", text, refusal, c.want, c.no)
		}
	}
}

// build builds the program into o.dir.
func (o *options) build(t *testing.T) {
	t.Helper()
	o.linsat = filepath.Join(o.dir, "linsat")
	build := exec.Command("go", "build", "-o", o.linsat, "./cmd/linsat")
	build.Dir = o.root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestCliffLine decides two small histories by the program itself, and one whose verdict is not
// what is claimed.
func TestCliffLine(t *testing.T) {
	o := options{runs: 1, timeout: 10 * time.Second, dir: t.TempDir(), root: "../..", only: regexp.MustCompile("")}
	o.build(t)
	small := func(wrong bool, want engine.Verdict) cliff {
		return cliff{name: "small", goal: time.Minute, load: func(o options) (question, error) {
			q, err := recorded(o, "deque", 100, 0, wrong)
			q.want = want
			return q, err
		}}
	}
	for _, c := range []struct {
		c          cliff
		line, says string
	}{
		{small(false, engine.Linearizable), `^\| small \| 100 \| linearizable \| .* \| yes \| 1m0s \| kept \|`, ""},
		{small(true, engine.NotLinearizable), `^\| small \| 100 \| not linearizable \| .* \| yes \| 1m0s \| kept \|`,
			""},
		{small(true, engine.Linearizable), `^$`, "WRONG: linsat says not linearizable of deque, which is linearizable"},
	} {
		// Porcupine is this program, which is a test here.
		var out strings.Builder
		wrong, err := o.cliffLine(&out, c.c)
		if err != nil || wrong != c.says || !regexp.MustCompile(c.line).MatchString(out.String()) {
			t.Errorf("%q, %v: %s", wrong, err, out.String())
		}
	}
}

func TestPorcupineAlone(t *testing.T) {
	for _, name := range []string{"queue", "deque", "counter"} {
		for _, v := range []gen.Violation{gen.NoViolation, gen.Swap} {
			c, err := gen.Generate(gen.Options{Spec: name, Operations: 40, Seed: 5, Violation: v})
			if err != nil {
				t.Fatal(err)
			}
			file, err := store(t.TempDir(), "h.jsonl", func(f *os.File) error {
				return history.WriteJSONL(f, c.History)
			})
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			if err := porcupineAlone(&out, file, time.Minute); err != nil {
				t.Fatal(err)
			}
			if v == gen.NoViolation && !strings.HasPrefix(out.String(), "1 ") || c.Known == gen.No &&
				!strings.HasPrefix(out.String(), "0 ") {
				t.Errorf("%s, %q: %s", name, v, out.String())
			}
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	_, err := executeWithin(time.Minute, 1<<10, "sleep", "20")
	if err == nil || !strings.Contains(err.Error(), "within 0 MB") {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	dir := t.TempDir()
	for text, ok := range map[string]bool{"{\"a\": 1}\n[2]\n": true, "{\"a\": 1}\n{\n": false} {
		file := filepath.Join(dir, "x")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := validate(file); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestEveryCell decides small histories of two specifications; one has no such violation.
func TestEveryCell(t *testing.T) {
	o := options{runs: 1, timeout: 10 * time.Second, dir: t.TempDir(), root: "../..", only: regexp.MustCompile("")}
	o.build(t)
	for _, c := range []struct {
		spec string
		v    gen.Violation
		want string
	}{{"owned-mutex", gen.NoViolation, "yes "}, {"queue", gen.Lost, "no "}, {"owned-mutex", gen.Lost, "–"}} {
		text, _, wrong, err := o.everyCell(c.spec, c.v, 500)
		if err != nil || wrong != "" || !strings.HasPrefix(text, c.want) || strings.Contains(text, "not certified") {
			t.Errorf("%s, %s: %q, %q, %v", c.spec, c.v, text, wrong, err)
		}
	}
}
