package explore

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/linsat/linsat/internal/model"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/words"
)

// TextStyle configures how reports are written.
type TextStyle struct {
	Color bool
	Width int  // columns of the timeline, 0 for 100
	Brief bool // leave the accesses, the history and the argument of the violation out
}

// WriteText writes a readable report: what was run, the verdict, and for a violation the schedule,
// the accesses in order, the history and linsat's argument.
func (r *Report) WriteText(w io.Writer, style TextStyle) {
	if r.Case == nil || r.Case.Object == nil {
		return
	}
	name := r.Case.Object.Name
	if name == "" {
		name = "object"
	}
	verdict := words.Verdict(&result.Result{Verdict: r.Verdict, Quasi: r.Quasi, Spec: model.Full(r.Spec)})
	switch {
	case r.Violation != nil:
		verdict = r.Violation.What
	case r.Verdict == engine.Linearizable && !r.called:
		verdict = "no execution fails"
	case r.Verdict == engine.Linearizable:
		verdict = "every history is " + verdict
	}
	fmt.Fprintf(w, "%s: %s\n", name, verdict)
	if r.Case.program != nil {
		fmt.Fprintf(w, "  ran %s\n", r.Summary())
	} else if r.whole == nil {
		fmt.Fprintf(w, "  test: %s\n  ran %s\n", r.Case, r.Summary())
	} else {
		fmt.Fprintf(w, "  test: %s\n  ran %s\n  a smaller test fails, too: %s\n", r.whole, r.Summary(), r.Case)
	}
	if r.Why != "" {
		fmt.Fprintf(w, "  undecided: %s\n", r.Why)
	}
	if r.Violation != nil && !style.Brief {
		r.Violation.write(w, name, style, strings.HasPrefix(r.Strategy, "replay "))
	}
}

// Summary returns in one line what was run: the strategy, how many executions, how many distinct
// histories, and how they ended.
func (r *Report) Summary() string {
	var b strings.Builder
	until := ""
	switch {
	case r.Bad > 0 && r.Stats.Stopped == "visit":
		until = " until the violation"
	case r.Stats.Stopped == "visit":
		until = " until it was ended"
	case r.Stats.Stopped != "":
		b.WriteString("only part of ")
	}
	fmt.Fprintf(&b, "%s: %s%s", r.Strategy, count(r.Stats.Executions, "execution"), until)
	if r.called {
		fmt.Fprintf(&b, ", %s", count(r.Classes, "different history", "different histories"))
	}
	for o := Stuck; o < schedule.Outcomes; o++ {
		if n := r.Stats.Outcomes[o]; n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, o)
		}
	}
	if n := r.Stats.Pruned; n > 0 {
		fmt.Fprintf(&b, ", %d given up", n)
	}
	if r.Bad > 1 {
		fmt.Fprintf(&b, ", %d histories violate, in %s", r.Bad, count(r.BadRuns, "execution"))
	}
	fmt.Fprintf(&b, ", in %s", words.Duration(r.Stats.Elapsed))
	return b.String()
}

func count(n int, one string, many ...string) string {
	if n == 1 {
		return "1 " + one
	}
	if len(many) > 0 {
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// write writes the violation; whole asks for all accesses.
func (v *Violation) write(w io.Writer, name string, style TextStyle, whole bool) {
	e := v.Execution
	if len(e.Schedule) == 0 {
		fmt.Fprintln(w, "\nno schedule: it happens before any access of the threads")
	} else {
		fmt.Fprintf(w, "\nschedule %s (%s)\n", e.Schedule, count(v.Preemptions, "preemption"))
	}
	var hidden []bool
	if !whole {
		hidden = e.unmet()
	}
	e.trace(w, hidden)
	switch v.What {
	case "panic":
		e.writePanic(w)
	case "stuck":
		fmt.Fprintf(w, "stuck: no thread can go on\n%s\n", v.waits)
	case "livelock":
		fmt.Fprintf(w, "livelock: the last %s repeated for ever\n%s\n", count(v.round, "access is", "accesses are"),
			v.waits)
	}
	if v.History == nil {
		return
	}
	run := &words.Run{File: name, History: v.History}
	if v.Result != nil {
		run.Result = *result.Of(v.Result)
	}
	fmt.Fprintln(w)
	if v.Result != nil {
		words.Text(w, run, words.Style{Color: style.Color, Witness: 24})
	}
	width := style.Width
	if width == 0 {
		width = 100
	}
	picture.Timeline{Width: width, Color: style.Color}.Draw(w, picture.New(run, picture.CoreHighlight(&run.Result)))
}

// writePanic writes the panic of an execution: the value, the operation, and where in the code.
func (e *Execution) writePanic(w io.Writer) {
	fmt.Fprintf(w, "panic: %v\n", e.Panic)
	if o := e.PanicOp; o != nil {
		fmt.Fprintf(w, "  in %s of %s\n", o.call(), threadName(o.Thread))
	}
	for line := range strings.Lines(e.Stack) {
		fmt.Fprintf(w, "  %s", line)
	}
}

// WriteTrace writes the accesses of a traced execution in order, with the calls and returns of
// operations, the values and the lines of code.
func (e *Execution) WriteTrace(w io.Writer) { e.trace(w, nil) }

// trace writes the accesses, but for those that hidden has, which it counts.
func (e *Execution) trace(w io.Writer, hidden []bool) {
	last := schedule.Main - 1
	skipped := 0
	tell := func() {
		if skipped > 0 {
			fmt.Fprintf(w, "      … %s that no other thread's conflicts with\n", count(skipped, "access", "accesses"))
		}
		skipped = 0
	}
	for i := range e.Events {
		v := &e.Events[i]
		if hidden != nil && hidden[i] && v.Thread == last {
			skipped++
			continue
		}
		tell()
		if v.Thread != last {
			fmt.Fprintf(w, "  %s\n", v.who())
			last = v.Thread
		}
		first := v.Op >= 0 && e.starts(i)
		if first {
			fmt.Fprintf(w, "    %s\n", e.Ops[v.Op].call())
		}
		line := "      " + v.What()
		if v.File != "" {
			line = fmt.Sprintf("%-52s %s:%d", line, filepath.Base(v.File), v.Line)
		}
		fmt.Fprintln(w, line)
		if v.Op >= 0 && e.Ops[v.Op].Return >= 0 && e.ends(i) {
			fmt.Fprintf(w, "      → %s\n", text(e.Ops[v.Op].Result))
		}
	}
	tell()
	for i := range e.Waiting {
		v := &e.Waiting[i]
		fmt.Fprintf(w, "%-52s %s:%d\n", fmt.Sprintf("  %s waits: %s", v.who(), v.What()), filepath.Base(v.File), v.Line)
	}
	for i := range e.Ops {
		o := &e.Ops[i]
		if o.Return < 0 {
			fmt.Fprintf(w, "  %s: %s did not return\n", threadName(o.Thread), o.call())
		}
	}
}

// starts reports whether event i is the first of its operation.
func (e *Execution) starts(i int) bool {
	for j := i - 1; j >= 0; j-- {
		if e.Events[j].Op == e.Events[i].Op {
			return false
		}
	}
	return true
}

// ends reports whether event i is the last of its operation.
func (e *Execution) ends(i int) bool {
	for j := i + 1; j < len(e.Events); j++ {
		if e.Events[j].Op == e.Events[i].Op {
			return false
		}
	}
	return true
}

// threadName is how a thread is called in texts.
func threadName(thread int) string {
	if thread == schedule.Main {
		return "main"
	}
	return fmt.Sprintf("thread %d", thread)
}

// who is how the thread of an event is called in texts.
func (v *Event) who() string {
	if v.own {
		return "background " + threadName(v.Thread)
	}
	return threadName(v.Thread)
}

// What describes an event in a few words: "write head: #1 → #2", "update head: #1, failed".
func (v *Event) What() string {
	a := schedule.Inside(&v.Access)
	switch {
	case a.Kind == schedule.Local:
		return "touches no shared memory"
	case a.Failed:
		return fmt.Sprintf("update %s: %s, failed", v.Name, v.Before)
	case a.Kind.Writes() && v.Before != v.After:
		return fmt.Sprintf("%s %s: %s → %s", a.Kind, v.Name, v.Before, v.After)
	case v.Before != "":
		return fmt.Sprintf("%s %s: %s", a.Kind, v.Name, v.Before)
	}
	return fmt.Sprintf("%s %s", a.Kind, v.Name)
}
