package explore

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/spec"
)

// scheduleVariable is the environment variable that makes Test replay one schedule, as the failure
// of Test prints it.
const scheduleVariable = "LINSAT_SCHEDULE"

// Test runs tests of an object under the schedules that o asks for and fails t at the first
// violation, shrunk to a smaller test if one fails in the same way, with the schedule, the
// accesses, the history and linsat's argument. s may be nil if
// the object names its specification. Each test is written as ParseCase reads it ("push(1) pop |
// push(2) | pop"); without any, 20 tests of three threads with up to three operations each are
// drawn from object.Ops, the same ones every time. Strategies are used up by one test: with more
// than one, o.Strategy must be nil.
//
//	func TestStack(t *testing.T) {
//		explore.Test(t, stack, specs.Stack(), explore.CheckOptions{}, "push(1) pop | push(2) pop")
//	}
//
// What could not be decided within the bounds of o fails t, too. With the environment variable
// LINSAT_SCHEDULE set as the failure says, Test runs only that schedule of that test and logs its
// accesses, whatever the verdict; calls of Test with other tests run nothing. A test is identified
// by the name of the object and by its calls.
func Test(t testing.TB, object *Object, s spec.Spec, o CheckOptions, tests ...string) []*Report {
	t.Helper()
	if s == nil {
		var ok bool
		if s, ok = specs.Lookup(object.Spec); !ok {
			t.Fatalf("object %q names no specification of linsat: %q", object.Name, object.Spec)
		}
	}
	cases, err := casesOf(object, tests)
	if err != nil {
		t.Fatal(err)
	}
	if o.Strategy != nil && len(cases) > 1 {
		t.Fatalf("one strategy for %d tests: a strategy serves one", len(cases))
	}
	if text := os.Getenv(scheduleVariable); text != "" {
		replayTest(t, cases, o, text)
		return nil
	}
	var reports []*Report
	for _, c := range cases {
		o.Shrink = true
		r, err := Check(context.Background(), c, s, o)
		if err != nil {
			t.Fatalf("%s: %s: %v", object.Name, c, err)
		}
		reports = append(reports, r)
		var b strings.Builder
		r.WriteText(&b, TextStyle{})
		if r.Verdict == engine.Linearizable {
			t.Log("\n" + b.String())
			continue
		}
		if v := r.Violation; v != nil {
			fmt.Fprintf(&b, "\nreplay: %s='%s' go test -run '%s' -v\n", scheduleVariable,
				quoted(replayOf(c, r)), pattern(t))
		}
		t.Fatal("\n" + b.String())
	}
	return reports
}

func casesOf(object *Object, tests []string) ([]*Case, error) {
	var cases []*Case
	for _, text := range tests {
		c, err := ParseCase(object, text)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		if len(object.Ops) == 0 {
			return nil, fmt.Errorf("no test is given, and object %q has no example operations (Ops) to draw tests from",
				object.Name)
		}
		r := rand.New(rand.NewPCG(1, 1))
		for range drawnCases {
			cases = append(cases, drawCase(object, r))
		}
	}
	return cases, nil
}

// drawCase makes a test of three threads with one to three of the object's example operations each.
func drawCase(object *Object, r *rand.Rand) *Case {
	c := &Case{Object: object}
	for range 3 {
		var calls []Call
		for range 1 + r.IntN(3) {
			calls = append(calls, object.Ops[r.IntN(len(object.Ops))])
		}
		c.Threads = append(c.Threads, calls)
	}
	return c
}

// caseName is a short name of a test that distinguishes it from tests of other objects, and with
// other operations.
func caseName(c *Case) string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\n%s", c.Object.Name, c)
	return fmt.Sprintf("%08x", h.Sum32())
}

var caseNames = regexp.MustCompile("^[0-9a-f]{8}$")

// pattern is the argument of go test -run for a test, or for a subtest.
func pattern(t testing.TB) string {
	parts := strings.Split(t.Name(), "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	return strings.Join(parts, "/")
}

// replayOf is what replayTest takes to run the violation of a report again.
func replayOf(c *Case, r *Report) string {
	text := fmt.Sprintf("%s/%s", caseName(c), r.Violation.Execution.Schedule)
	if r.Case != c {
		text += "/" + r.Case.String()
	}
	return text
}

// quoted writes a text that is to stand between single quotes in a shell.
func quoted(text string) string { return strings.ReplaceAll(text, "'", `'\''`) }

// replayTest runs one schedule, "1b2c3d4e/0110", of the test of that name, if it is among the
// cases; or of a smaller test that it was shrunk to, "1b2c3d4e/0110/push(1) | pop()". A schedule
// that does not fit fails t but does not end it, since another Test may have a test of the same
// name.
func replayTest(t testing.TB, cases []*Case, o CheckOptions, text string) {
	t.Helper()
	name, schedule, ok := strings.Cut(text, "/")
	schedule, smaller, shrunk := strings.Cut(schedule, "/")
	if !ok || !caseNames.MatchString(name) {
		t.Fatalf("%s=%q: it takes the name of a test and a schedule, NAME/SCHEDULE, as a failing test prints them",
			scheduleVariable, text)
	}
	s, err := ParseSchedule(schedule)
	if err != nil {
		t.Fatalf("%s: %v", scheduleVariable, err)
	}
	which := slices.IndexFunc(cases, func(c *Case) bool { return caseName(c) == name })
	if which < 0 {
		t.Logf("%s asks for the test %s, which is none of these: nothing is run", scheduleVariable, name)
		return
	}
	c := cases[which]
	if shrunk {
		if c, err = ParseCase(c.Object, smaller); err != nil {
			t.Fatalf("%s: %v", scheduleVariable, err)
		}
	}
	e, err := once(c.Program(), s, Options{MaxSteps: o.MaxSteps, Hang: o.Hang, Trace: true})
	if err != nil {
		t.Errorf("%s: %v", scheduleVariable, err)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\ntest: %s\n", c)
	if len(e.Schedule) == 0 {
		fmt.Fprintf(&b, "no access of a thread: %s\n", e.Outcome)
	} else {
		fmt.Fprintf(&b, "schedule %s: %s\n", e.Schedule, e.Outcome)
	}
	e.WriteTrace(&b)
	if e.Outcome == Panicked {
		e.writePanic(&b)
	}
	t.Log(b.String())
}
