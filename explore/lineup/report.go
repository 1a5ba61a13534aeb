package lineup

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// WriteText writes a result as text: the test as a table, and for a failure the histories that show
// it in the paper's notation, with the schedules that reproduce them.
func (r *Result) WriteText(w io.Writer) error {
	if r.Case == nil {
		return nil // nothing was checked
	}
	b := bufio.NewWriter(w)
	name := "the object"
	if r.Case.Object != nil && r.Case.Object.Name != "" {
		name = r.Case.Object.Name
	}
	fmt.Fprintf(b, "%s: %s\n", name, r.Verdict)
	writeTest(b, r.Case)
	fmt.Fprintf(b, "phase 1: %s, %s, %d of them stuck\n", numbered(r.Serial.Runs, "serial run", "serial runs"),
		numbered(r.Serial.Histories, "history", "histories"), r.Serial.Stuck)
	if r.Observations != nil || r.Concurrent.Runs > 0 {
		fmt.Fprintf(b, "phase 2: %s, %s of histories, %d of them stuck\n", numbered(r.Concurrent.Runs, "run", "runs"),
			numbered(r.Concurrent.Histories, "class", "classes"), r.Concurrent.Stuck)
	}
	if r.Cause != "" {
		fmt.Fprintf(b, "not decided: %s\n", r.Cause)
	}
	if f := r.Failure; f != nil {
		fmt.Fprintln(b, f.headline())
		if r.Observations != nil && r.Observations.Nondeterministic {
			fmt.Fprintln(b, "(no proof: the specification is what the object does serially, and one may allow more)")
		}
		r.writeRun(b, f.Run)
		if f.Other != nil {
			fmt.Fprintln(b, "another serial run:")
			r.writeRun(b, f.Other)
		}
	}
	return b.Flush()
}

// numbered writes a number with its noun.
func numbered(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (f *Failure) headline() string {
	switch f.Kind {
	case Nondeterminism:
		return fmt.Sprintf(
			"Line-Up encountered nondeterminism: after the same operations %s has two outcomes; one serial run:",
			callOf(f))
	case Blocking:
		if f.Run.Outcome == explore.CutOff {
			return fmt.Sprintf(
				"Line-Up encountered a livelock in which %s does not end, although it ends in every corresponding "+
					"serial run:", callOf(f))
		}
		return fmt.Sprintf(
			"Line-Up encountered a stuck history in which %s blocks, although it blocks in no corresponding serial run:", callOf(f))
	case Panic:
		return fmt.Sprintf("Line-Up encountered a panic: %v", f.Run.Panic)
	}
	if f.sequential {
		return "Line-Up encountered a history that is not sequentially consistent:"
	}
	return "Line-Up encountered a non-linearizable history:"
}

func callOf(f *Failure) explore.Call {
	op := &f.Run.Ops[f.Op]
	return explore.Call{F: op.F, Arg: op.Arg}
}

// writeTest writes a column for each thread.
func writeTest(b *bufio.Writer, c *explore.Case) {
	line := func(name string, calls []explore.Call) {
		if len(calls) > 0 {
			fmt.Fprintf(b, "  %-8s %s\n", name, join(calls))
		}
	}
	line("before", c.Before)
	for t, calls := range c.Threads {
		line("thread "+threadName(t), calls)
	}
	line("after", c.After)
	if c.Object != nil {
		line("own", c.Object.Background)
	}
}

// writeRun writes an execution as the paper reports a violation.
func (r *Result) writeRun(b *bufio.Writer, x *explore.Execution) {
	columns := make([][]int, len(r.Case.Threads)+1) // operations by thread, main last
	for i := range x.Ops {
		t := x.Ops[i].Thread
		if t == schedule.Main {
			t = len(r.Case.Threads)
		}
		columns[t] = append(columns[t], i)
	}
	ids := make([]int, len(x.Ops))
	n := 0
	for t, ops := range columns {
		name := mainName
		if t < len(r.Case.Threads) {
			name = threadName(t)
		} else if len(ops) == 0 {
			continue
		}
		var words []string
		for _, i := range ops {
			n++
			ids[i] = n
			word := fmt.Sprint(n)
			if x.Ops[i].Return < 0 {
				word += "B"
			}
			words = append(words, word)
		}
		fmt.Fprintf(b, "  <thread id=\"%s\">%s</thread>\n", name, strings.Join(words, " "))
	}
	for _, ops := range columns {
		for _, i := range ops {
			op := &x.Ops[i]
			var inner []string
			if op.Arg != nil {
				inner = append(inner, `value="`+escape(format(op.Arg))+`"`)
			}
			if op.Return >= 0 && op.Result != nil {
				inner = append(inner, `result="`+escape(format(op.Result))+`"`)
			}
			if len(inner) == 0 {
				fmt.Fprintf(b, "  <op id=\"%d\" name=\"%s\" />\n", ids[i], escape(op.F))
			} else {
				fmt.Fprintf(b, "  <op id=\"%d\" name=\"%s\">%s</op>\n", ids[i], escape(op.F),
					contents(strings.Join(inner, " ")))
			}
		}
	}
	fmt.Fprintf(b, "  <history>%s</history>\n", concurrentText(x, func(op int) int { return ids[op] }))
	fmt.Fprintf(b, "  schedule %s\n", x.Schedule)
}
