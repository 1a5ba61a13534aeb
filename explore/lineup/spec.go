package lineup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// SpecName is the name of every specification that was synthesised.
const SpecName = "observations"

// Blocks is the result of an operation that blocks, in the histories that StuckHistory makes.
const Blocks = "blocks"

// stuckResult marks an operation that blocks for ever. No observation may have it as an ordinary
// result.
func stuckResult() any { return map[string]any{Blocks: true} }

// Spec returns the observations as a specification for linsat. Its states are the nodes of the
// automaton; processes are the threads of the test, by name or by number. It allows what some
// serial run did. An operation with the result {"blocks": true} must be one that blocks there, and
// nothing comes after it. Operations that the test does not have are bad input.
func (o *Observations) Spec() spec.Spec {
	s, err := spec.Define(spec.Definition[int32]{
		Name:      SpecName,
		Summary:   "what the serial runs of a test did (Line-Up)",
		Initial:   "that of the test",
		ByProcess: true,
		Init:      func(any) (int32, error) { return 0, nil },
		Check:     o.known,
		Step:      o.step,
		Waits:     o.waits,
		Describe:  o.describeNode,
		Refusal:   o.refusal,
	})
	if err != nil { // it has a name and a step
		panic("lineup: " + err.Error())
	}
	return s
}

// known returns an error for a call of a thread or an operation that the test does not have.
func (o *Observations) known(c spec.Call, _ spec.Result) error {
	if o.learns { // it comes after what no serial run did
		return nil
	}
	t := o.threadOf(c.Process)
	if t < 0 {
		return fmt.Errorf("process %s is not one of the observed threads: %s", c.Process, o.threadNames())
	}
	for _, op := range o.threads[t].ops {
		if op.f == c.F && op.arg == o.values.find(c.Arg) {
			return nil
		}
	}
	return fmt.Errorf("thread %s of the observed test does not call %s", o.threads[t].name,
		explore.Call{F: c.F, Arg: c.Arg})
}

func (o *Observations) threadNames() string {
	names := make([]string, len(o.threads))
	for t := range o.threads {
		names[t] = o.threads[t].name
	}
	return strings.Join(names, ", ")
}

// edgesOf returns the edges of the calling thread out of a node, if they are of the operation that
// it calls: one for each outcome.
func (o *Observations) edgesOf(node int32, c spec.Call) (found []*edge) {
	if node == blocked {
		return nil
	}
	t := int32(o.threadOf(c.Process))
	for i := range o.nodes[node] {
		e := &o.nodes[node][i]
		if e.thread != t {
			continue
		}
		if op := &o.threads[t].ops[e.index]; op.f == c.F && op.arg == o.values.find(c.Arg) {
			found = append(found, e)
		}
	}
	return found
}

func (o *Observations) step(node int32, c spec.Call) (outcomes []spec.Outcome[int32]) {
	for _, e := range o.edgesOf(node, c) {
		if e.to == blocked {
			outcomes = append(outcomes, spec.Outcome[int32]{Output: stuckResult(), Next: blocked})
		} else {
			outcomes = append(outcomes, spec.Outcome[int32]{Output: o.values.list[e.result], Next: e.to})
		}
	}
	return outcomes
}

// waits reports whether some serial run blocks there.
func (o *Observations) waits(node int32, c spec.Call) bool {
	return slices.ContainsFunc(o.edgesOf(node, c), func(e *edge) bool { return e.to == blocked })
}

// who is the thread that calls.
func (o *Observations) who(c spec.Call) string {
	if o.learns {
		return "process " + c.Process
	}
	return "thread " + c.Process
}

// describeNode describes what may come next.
func (o *Observations) describeNode(node int32) string {
	if node == blocked {
		return "blocked for ever"
	}
	if len(o.nodes[node]) == 0 {
		return "the end"
	}
	next := make([]string, len(o.nodes[node]))
	for i := range o.nodes[node] {
		e := &o.nodes[node][i]
		next[i] = o.threads[e.thread].name + ": " + o.describeEdge(e)
	}
	return "next " + strings.Join(next, " or ")
}

func (o *Observations) describeEdge(e *edge) string {
	call := o.call(e.thread, e.index).String()
	switch {
	case e.to == blocked:
		return call + " blocks"
	case e.result == 0 && !o.learns:
		return call
	}
	return call + " → " + format(o.values.list[e.result])
}

func (o *Observations) refusal(node int32, c spec.Call, r spec.Result) string {
	edges := o.edgesOf(node, c)
	call := explore.Call{F: c.F, Arg: c.Arg}.String()
	switch {
	case node == blocked:
		return "nothing comes after an operation that blocks"
	case len(edges) == 0:
		return "no serial run goes on with " + call + " of " + o.who(c) + " here"
	case len(edges) == 1 && edges[0].to == blocked:
		return call + " blocks in the serial run that goes so far"
	case r.Is(stuckResult()):
		return call + " does not block in the serial run that goes so far"
	}
	next := make([]string, len(edges))
	for i, e := range edges {
		next[i] = o.describeEdge(e)
	}
	return "the serial run with this prefix continues with " + strings.Join(next, " or ")
}

// History returns the history of the failing run for linsat: it is not linearizable with respect to
// the Spec of the observations. For Blocking it is H[e] of the operation e that blocks (see
// StuckHistory). For Nondeterminism and Panic, which no history shows, it is the history of the
// run.
func (f *Failure) History() (*history.History, error) {
	if f.Run == nil {
		return nil, errors.New("lineup: the failure has no execution")
	}
	if f.Kind == Blocking {
		return StuckHistory(f.Run, f.Op)
	}
	return f.Run.History()
}

// StuckHistory returns H[e] of a stuck execution, for a pending operation e (a position in Ops), as
// a history for linsat: the other pending operations are left out, and e returns at the end with
// the result {"blocks": true}. It is linearizable with respect to Spec exactly if the observations
// have a stuck serial witness for H[e].
func StuckHistory(x *explore.Execution, e int) (*history.History, error) {
	if e < 0 || e >= len(x.Ops) || x.Ops[e].Return >= 0 {
		return nil, fmt.Errorf("operation %d is not pending", e)
	}
	h := x.Clone()
	h.Ops = h.Ops[:0]
	last := int32(0)
	for i, op := range x.Ops {
		last = max(last, op.Call, op.Return)
		if i == e || op.Return >= 0 {
			h.Ops = append(h.Ops, op)
		}
	}
	for i := range h.Ops {
		if h.Ops[i].Return < 0 {
			h.Ops[i].Return, h.Ops[i].Result = last+1, stuckResult()
		}
	}
	return h.History()
}
