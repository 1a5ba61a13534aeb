package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/spec"
)

// ScheduleVariable is the environment variable that makes Test replay one schedule, as the failure of Test prints it.
const ScheduleVariable = "LINSAT_SCHEDULE"

// Test runs tests of an object under the schedules that o asks for and fails t at the first violation, with the schedule,
// the accesses, the history and linsat's argument. s may be nil if the object names its specification. Each test is written
// as ParseCase reads it ("push(1) pop | push(2) | pop"); without any, 20 tests of three threads with up to three operations
// each are drawn from object.Ops, the same ones every time. Strategies are used up by one test: with more than one, o.Strategy
// must be nil.
//
//	func TestStack(t *testing.T) {
//		explore.Test(t, stack, spec.Stack(), explore.CheckOptions{}, "push(1) pop | push(2) pop")
//	}
//
// What could not be decided within the bounds of o fails t, too. With the environment variable LINSAT_SCHEDULE set as the
// failure says, Test runs that schedule only and logs its accesses, whatever the verdict.
func Test(t testing.TB, object *Object, s spec.Spec, o CheckOptions, tests ...string) []*Report {
	t.Helper()
	if s == nil {
		var ok bool
		if s, ok = spec.Lookup(object.Spec); !ok {
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
	if text := os.Getenv(ScheduleVariable); text != "" {
		replayTest(t, cases, text)
		return nil
	}
	var reports []*Report
	for i, c := range cases {
		r, err := Check(context.Background(), c, s, o)
		if err != nil {
			t.Fatalf("%s: %s: %v", object.Name, c, err)
		}
		reports = append(reports, r)
		var b strings.Builder
		r.WriteText(&b, TextStyle{})
		if r.Verdict == check.Linearizable {
			t.Log("\n" + b.String())
			continue
		}
		if v := r.Violation; v != nil {
			fmt.Fprintf(&b, "\nreplay: %s='%d/%s' go test -run '^%s$' -v\n", ScheduleVariable, i, v.Execution.Schedule, t.Name())
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
			return nil, fmt.Errorf("no test, and object %q has no example operations to draw tests from", object.Name)
		}
		r := rand.New(rand.NewPCG(1, 1))
		for range 20 {
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

// replayTest runs one schedule of one test: "0/0110", or "0110" for the first.
func replayTest(t testing.TB, cases []*Case, text string) {
	t.Helper()
	which := 0
	if number, rest, ok := strings.Cut(text, "/"); ok {
		if _, err := fmt.Sscan(number, &which); err != nil || which < 0 || which >= len(cases) {
			t.Fatalf("%s=%q: there is no test %q", ScheduleVariable, text, number)
		}
		text = rest
	}
	s, err := ParseSchedule(text)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Once(cases[which].Program(), s, Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\ntest: %s\nschedule %s: %s\n", cases[which], e.Schedule, e.Outcome)
	e.WriteTrace(&b)
	if e.Panic != nil {
		fmt.Fprintf(&b, "panic: %v\n%s", e.Panic, e.Stack)
	}
	t.Log(b.String())
}
