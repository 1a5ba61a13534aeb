//go:build !linsat_native

package c11

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/relaxed/program"
	"github.com/linsat/linsat/internal/relaxed/trust"
)

// Steps returns the text with which Replay makes this execution again: the accesses in an order in
// which they can happen, as 1:0.2,2:0 for two of thread 1 and one of thread 2. The number of an
// access is its choice of a write to read, of a place in modification order, or of a value. With
// load buffering there may be no such order; then it is #n for the n-th execution of the search.
func (g *Graph) Steps() string {
	if g.of == nil {
		return ""
	}
	if len(g.of.Promises) > 0 {
		return "#" + strconv.Itoa(g.number)
	}
	var b strings.Builder
	thread := -1
	for i, s := range trust.Steps(g.of) {
		switch {
		case s.Thread == thread:
			b.WriteByte('.')
		case i > 0:
			b.WriteByte(',')
			fallthrough
		default:
			thread = s.Thread
			fmt.Fprintf(&b, "%d:", thread)
		}
		b.WriteString(strconv.Itoa(s.Choice))
	}
	return b.String()
}

func parseSteps(text string) ([]trust.Step, error) {
	var steps []trust.Step
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, choices, ok := strings.Cut(part, ":")
		thread, err := strconv.Atoi(name)
		if err != nil || !ok {
			return nil, fmt.Errorf("c11: steps of a thread %q", part)
		}
		for _, c := range strings.Split(choices, ".") {
			n, err := strconv.Atoi(c)
			if err != nil {
				return nil, fmt.Errorf("c11: a step %q of thread %d", c, thread)
			}
			steps = append(steps, trust.Step{Thread: thread, Choice: n})
		}
	}
	return steps, nil
}

// Replay makes one execution of the program, that of Graph.Steps, with the lines of code. Of o it
// takes the limit of accesses and the orders.
func Replay(p Program, o Options, steps string) (*Graph, error) {
	if p == nil {
		return nil, errNoProgram
	}
	if number, found := strings.CutPrefix(steps, "#"); found {
		return visit(p, o, number)
	}
	of, err := parseSteps(steps)
	if err != nil {
		return nil, err
	}
	o.Trace = true
	x, limits := newExec(o)
	s := trust.New(x.runner, limits)
	x.search = s
	defer x.runner.Close()
	var e *program.Execution
	e, err = s.Replay(func() { p(x) }, of)
	if err != nil {
		return nil, err
	}
	g := &Graph{}
	g.fill(e, x.runner)
	return g.Clone(), nil
}

// visit makes the executions of a search with load buffering until the one with that number.
func visit(p Program, o Options, number string) (*Graph, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("c11: an execution %q", number)
	}
	o.LoadBuffering, o.Trace, o.MaxRuns = true, true, 0
	var found *Graph
	_, err = Run(p, o, func(g *Graph) bool {
		if g.number == n {
			found = g.Clone()
		}
		return found == nil
	})
	if err == nil && found == nil {
		err = fmt.Errorf("c11: there is no execution %d", n)
	}
	return found, err
}
