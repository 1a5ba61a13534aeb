package linsattest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/internal/shrink"
)

// A program that fails is made smaller by leaving out operations: calls of Process.Do that return
// nil without running. What a process does apart from them stays. So each of the smaller programs
// is one of the same test, and its failure a failure of the object, if only its operations touch
// that. Where operations wait in some executions only, they wait in some of the smaller program
// only: what always waits waits for an operation that was left out.

// place is an operation of a program: a process, and how many it has begun before.
type place [2]int

// call is an operation of the execution that failed.
type call struct {
	at   place
	call explore.Call
	text string
}

// smaller replaces the violation by that of a smaller program which fails in the same way, and says
// what is left of the program; "" if there is none.
func (x *exploration) smaller(r *explore.Report) string {
	v := r.Violation
	if v == nil || x.without != nil {
		return ""
	}
	threads := callsOf(v.Execution)
	all := slices.Concat(threads...)
	left, complete := x.left, x.complete
	defer func() { x.left, x.complete, x.fault = left, complete, nil }() // others than here
	deadline := time.Now().Add(smallerTime)
	var found *explore.Violation
	sometimes := x.ended && (v.What == "stuck" || v.What == "livelock")
	phase := *x.asked
	phase.How, phase.Bound, phase.Runs = "bounded", max(v.Preemptions, leastPreemptions), smallerRuns
	systematic := func() schedule.Strategy { return schedule.Hasty(schedule.Full(phase.Strategy())) }
	last, way := shrink.Test[call]{Threads: threads}, v.Execution
	fails := func(test shrink.Test[call]) bool {
		x.without, x.ended = omittedIn(all, test), false
		guided := func() schedule.Strategy { return schedule.Guided(guide(way, last, x.without)) }
		one := x.within(deadline, phase, guided)
		if !likeIt(one, v) {
			if one = x.within(deadline, phase, systematic); !likeIt(one, v) {
				return false
			}
		}
		if sometimes && !x.ended {
			x.untilEnded = true
			x.within(deadline, phase, systematic)
			if x.untilEnded = false; !x.ended {
				return false
			}
		}
		found, last, way = one, test, one.Execution
		return true
	}
	test := shrink.Smaller(last, func(call) []call { return nil }, fails)
	x.without = nil
	if found == nil {
		return ""
	}
	x.without = omittedIn(all, test)
	simpler := func() schedule.Strategy { return schedule.Full(phase.Strategy()) }
	if one := x.within(time.Now().Add(smallerTime), phase, simpler); likeIt(one, v) {
		found = one
	}
	r.Violation = found
	return rest(len(all), test)
}

// likeIt reports whether there is a violation, and it fails in the same way as another.
func likeIt(one, other *explore.Violation) bool {
	return one != nil && one.What == other.What && fmt.Sprint(one.Execution.Panic) == fmt.Sprint(other.Execution.Panic)
}

// guide returns what is left of the schedule of an execution of a test without more operations.
func guide(e *explore.Execution, of shrink.Test[call], without omissions) schedule.Schedule {
	done := map[int][]call{} // operations by process
	for _, calls := range of.Threads {
		done[calls[0].at[0]] = calls
	}
	dropped := make([]bool, len(e.Ops))
	for i := range e.Ops {
		if calls := done[e.Ops[i].Thread]; len(calls) > 0 {
			dropped[i], done[e.Ops[i].Thread] = without[calls[0].at], calls[1:]
		}
	}
	var ops []int // by access of a thread
	for i := range e.Events {
		if e.Events[i].Thread != schedule.Main {
			ops = append(ops, e.Events[i].Op)
		}
	}
	return schedule.Without(e.Schedule, func(access int) bool {
		return access < len(ops) && ops[access] >= 0 && dropped[ops[access]]
	})
}

// simpler replaces the schedule of a fault by one with fewer preemptions, if there is one. A
// process of its own runs each bound, since a test that has failed stays failed. No operation is
// left out, as what the test asserts of results does not hold of one that was not done.
func (x *exploration) simpler() {
	if x.fault == nil || x.asked.Worker || x.asked.Out == "" {
		return
	}
	deadline := time.Now().Add(smallerTime)
	o := *x.asked
	o.How, o.Runs, o.Only = "bounded", smallerRuns, true
	for o.Bound = 0; o.Bound <= leastPreemptions; o.Bound++ {
		if o.For = time.Until(deadline); o.For <= 0 {
			return
		}
		w := x.beginWork()
		w.start(x.t.Name(), x.seed, x.asWorker(o, filepath.Join(w.dir, "simpler")))
		w.wait()
		found := w.schedule()
		if _, err := w.stop(); err != nil {
			return
		}
		if found == nil || found.What != x.fault.what {
			continue
		}
		way, err := explore.ParseSchedule(found.Schedule)
		if err == nil && json.Unmarshal(found.Shims, &x.shims) == nil {
			x.fault.schedule = way
		}
		return
	}
}

// rest says which operations are left.
func rest(of int, test shrink.Test[call]) string {
	n, processes := 0, make([]string, len(test.Threads))
	for i, calls := range test.Threads {
		texts := make([]string, len(calls))
		for j, c := range calls {
			texts[j] = c.text
		}
		n += len(calls)
		processes[i] = fmt.Sprintf("%s by process %d", strings.Join(texts, ", "), calls[0].at[0])
	}
	return fmt.Sprintf("%d of %d operations: %s", n, of, strings.Join(processes, "; "))
}

// within explores by a strategy until a deadline, and returns a violation or nil.
func (x *exploration) within(deadline time.Time, phase shimrun.Options,
	strategy func() schedule.Strategy) *explore.Violation {
	for {
		if phase.For = time.Until(deadline); phase.For <= 0 {
			return nil
		}
		r, err := x.explore(&phase, strategy(), explore.Options{MaxRuns: phase.Runs, MaxSteps: phase.Steps})
		switch {
		case err == nil:
			return r.Violation
		case err != errAgain:
			return nil // such as a process that cannot do without an operation
		}
	}
}

// callsOf returns the operations of an execution by process.
func callsOf(e *explore.Execution) (threads [][]call) {
	for i := range e.Ops {
		o := &e.Ops[i]
		if o.Thread == schedule.Main {
			continue
		}
		for len(threads) <= o.Thread {
			threads = append(threads, nil)
		}
		c := explore.Call{F: o.F, Arg: o.Arg}
		text := c.String()
		if o.Key != nil {
			text += fmt.Sprintf(" on %v", o.Key)
		}
		threads[o.Thread] = append(threads[o.Thread], call{place{o.Thread, len(threads[o.Thread])}, c, text})
	}
	return slices.DeleteFunc(threads, func(calls []call) bool { return len(calls) == 0 })
}

// omittedIn returns which of all operations a test leaves out.
func omittedIn(all []call, test shrink.Test[call]) omissions {
	without := omissions{}
	for _, c := range all {
		without[c.at] = true
	}
	for _, calls := range test.Threads {
		for _, c := range calls {
			delete(without, c.at)
		}
	}
	return without
}

// omissions are the operations that are left out, as "0.1 2.0" in a file: the processes, and how
// many operations each has begun before.
type omissions map[place]bool

func (o omissions) MarshalText() ([]byte, error) {
	var text []byte
	for _, at := range slices.SortedFunc(maps.Keys(o), func(a, b place) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) }) {
		text = fmt.Appendf(text, " %d.%d", at[0], at[1])
	}
	return bytes.TrimSpace(text), nil
}

func (o *omissions) UnmarshalText(text []byte) error {
	*o = omissions{}
	for _, field := range strings.Fields(string(text)) {
		var at place
		if _, err := fmt.Sscanf(field, "%d.%d", &at[0], &at[1]); err != nil {
			return fmt.Errorf("%q is no operation: %w", field, err)
		}
		(*o)[at] = true
	}
	return nil
}
