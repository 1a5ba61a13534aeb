//go:build !linsat_native

package c11

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Text returns the graph for people: one line for each event, thread by thread, with what it reads
// from, and below it the modification order of every location that is written more than once.
func (g *Graph) Text() string {
	var b strings.Builder
	thread := -1
	for i := range g.Events {
		e := &g.Events[i]
		if e.Kind == InitEvent {
			continue
		}
		if e.Thread != thread {
			thread = e.Thread
			if thread == 0 {
				b.WriteString("main\n")
			} else {
				fmt.Fprintf(&b, "thread %d\n", thread)
			}
		}
		fmt.Fprintf(&b, "  %-4s %s", g.Name(i), g.describe(e))
		if e.File != "" {
			fmt.Fprintf(&b, "  (%s:%d)", filepath.Base(e.File), e.Line)
		}
		b.WriteByte('\n')
	}
	for _, of := range g.MO {
		if len(of) > 2 || len(of) == 2 && g.Events[of[0]].Kind != InitEvent {
			fmt.Fprintf(&b, "mo of %s:", g.Events[of[0]].Loc)
			for _, w := range of {
				fmt.Fprintf(&b, " %s=%v", g.Name(w), g.Events[w].Wrote)
			}
			b.WriteByte('\n')
		}
	}
	switch {
	case g.Outcome == Race:
		fmt.Fprintf(&b, "data race of %s and %s\n", g.Name(g.A), g.Name(g.B))
	case g.Outcome == Uninitialized:
		fmt.Fprintf(&b, "%s reads %s before its first write\n", g.Name(g.A), g.Events[g.A].Loc)
	case g.Outcome == Panicked:
		fmt.Fprintf(&b, "panic: %v\n", g.Panic)
	case g.Outcome != Complete:
		fmt.Fprintf(&b, "%v\n", g.Outcome)
	}
	for _, w := range g.Waiting {
		fmt.Fprintf(&b, "thread %d waits for %s", w.Thread, w.Loc)
		if w.File != "" {
			fmt.Fprintf(&b, " (%s:%d)", filepath.Base(w.File), w.Line)
		}
		fmt.Fprintf(&b, ", whose last value is %v\n", w.Last)
	}
	return b.String()
}

// Name returns the short name of an event: thread and position, as 1.2.
func (g *Graph) Name(event int) string {
	if !g.has(event) {
		return ""
	}
	e := &g.Events[event]
	if e.Thread < 0 {
		return "init"
	}
	return fmt.Sprintf("%d.%d", e.Thread, e.Index)
}

func (g *Graph) describe(e *Event) string {
	from := ""
	if e.RF >= 0 {
		from = " from " + g.Name(e.RF)
	}
	switch e.Kind {
	case ReadEvent:
		what := "read"
		if e.Failed {
			what = "compare-and-swap fails, reads"
		}
		return fmt.Sprintf("%s %s=%v %s%s", what, e.Loc, e.Read, e.Order, from)
	case WriteEvent:
		return fmt.Sprintf("write %s=%v %s", e.Loc, e.Wrote, e.Order)
	case UpdateEvent:
		return fmt.Sprintf("update %s=%v, was %v %s%s", e.Loc, e.Wrote, e.Read, e.Order, from)
	case FenceEvent:
		return "fence " + e.Order.String()
	case JoinEvent:
		return fmt.Sprintf("join thread %d", e.Arg)
	}
	return fmt.Sprintf("choose %d", e.Arg)
}
