package smt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/solver/process"
	"github.com/linsat/linsat/solver"
)

// Engine decides by a program. It is safe for concurrent use.
type Engine struct{ program string }

var _ engine.Decider = (*Engine)(nil)

// New returns the engine that asks the named program, one of process.Scripts, or the first of them
// that is installed if the name is "". The error is that of process.ScriptProgram.
func New(program string) (*Engine, error) {
	names := []string{program}
	if program == "" {
		names = process.Scripts()
	}
	var all error
	for _, name := range names {
		_, err := process.ScriptProgram(name)
		if err == nil {
			return &Engine{name}, nil
		}
		all = errors.Join(all, err)
	}
	return nil, all
}

// Name implements engine.Decider.
func (e *Engine) Name() string { return "smt (" + e.program + ")" }

// question is one partition with its formula.
type question struct {
	script
	part  *model.Partition
	at    []string // by operation: its position
	in    []string // by operation: it takes effect
	drain int      // drains at the end of ρ′
	// rearrange reads ρ″ from the values of slots; nil for plain linearizability
	rearrange func(first []history.OpID, value func(name string) int64) []history.OpID
}

// Check implements engine.Decider. It supports specifications with a theory, and what Unsupported
// details otherwise.
func (e *Engine) Check(ctx context.Context, t *engine.Task, _ *engine.Budget) (engine.Answer, error) {
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	if t.Quasi != nil && len(t.Quasi.Sets) > 0 {
		return engine.Answer{Cause: engine.Unsupported,
			Detail: "no formula for bounds on sets of operations that are no classes"}, nil
	}
	q := &question{part: t.Instance.Partition, script: script{logic: "QF_IDL", ended: ctx.Err}}
	q.order()
	why := ""
	switch theory := t.Instance.Axiomatic().(type) {
	case *model.RegisterTheory:
		if t.Quasi == nil {
			q.registers(theory)
		} else {
			why = "no formula for registers under a factor"
		}
	case *model.CountingTheory:
		if t.Quasi == nil {
			q.counters(theory)
		} else {
			why = "no formula for counters under a factor"
		}
	case *model.CollectionTheory:
		why = q.collections(t.Instance, theory, t.Quasi)
	default:
		why = "no theory of this specification"
	}
	switch {
	case ctx.Err() != nil:
		return engine.Stopped(ctx), nil
	case why != "":
		return engine.Answer{Cause: engine.Unsupported, Detail: why}, nil
	case !q.room():
		return engine.Answer{Cause: engine.Unsupported, Detail: "the formula is too large"}, nil
	}
	return e.ask(ctx, q)
}

// ask runs the program, and reads ρ′ and ρ″ from its model.
func (e *Engine) ask(ctx context.Context, q *question) (engine.Answer, error) {
	names := slices.Clone(q.at)
	for i, in := range q.in {
		if in != yes {
			// A Boolean as an integer, since only integers are asked for.
			name := q.integer(fmt.Sprintf("e%d", i))
			q.assert(fmt.Sprintf("(= %s (= %s 1))", in, name))
			names = append(names, name)
		}
	}
	for _, d := range q.declared {
		var name, sort string
		if _, err := fmt.Sscanf(d, "(declare-const %s %s", &name, &sort); err == nil &&
			(name[0] == 's' || name[0] == 'l') {
			names = append(names, name)
		}
	}
	effort := engine.Effort{Clauses: int64(len(q.asserted)), Vars: int64(len(q.declared))}
	if len(names) == 0 {
		return engine.Answer{Verdict: engine.Linearizable, Effort: effort}, nil
	}
	status, values, err := process.RunScript(ctx, e.program, q.write, names)
	switch {
	case err != nil && ctx.Err() != nil:
		return engine.Stopped(ctx), nil
	case err != nil:
		return engine.Answer{Cause: engine.Undecided, Detail: e.program + ": " + err.Error()}, nil
	case status == solver.Unsatisfiable:
		return engine.Answer{Verdict: engine.NotLinearizable, Effort: effort}, nil
	}
	value := make(map[string]int64, len(names))
	for k, name := range names {
		value[name] = values[k]
	}
	var first []history.OpID
	for i, in := range q.in {
		if in == yes || value[fmt.Sprintf("e%d", i)] == 1 {
			first = append(first, history.OpID(i))
		}
	}
	slices.SortStableFunc(first, func(x, y history.OpID) int {
		return int(min(1, max(-1, value[q.at[x]]-value[q.at[y]])))
	})
	a := engine.Answer{Verdict: engine.Linearizable, Witness: first, Effort: effort}
	if q.rearrange != nil {
		for k := range q.drain {
			a.Witness = append(a.Witness, history.OpID(len(q.in)+k))
		}
		a.Drains = q.drain
		a.Rearranged = q.rearrange(a.Witness, func(name string) int64 { return value[name] })
	}
	return a, nil
}

// order adds the positions: integers, different for concurrent operations, in the order of time.
// Of the pairs in order, those that follow from others are left out.
func (q *question) order() {
	ops := q.part.Ops
	q.at, q.in = make([]string, len(ops)), make([]string, len(ops))
	for i := range ops {
		q.at[i], q.in[i] = q.integer(fmt.Sprintf("p%d", i)), yes
		if ops[i].Pending() {
			q.in[i] = q.boolean(fmt.Sprintf("in%d", i))
		}
	}
	for a := range ops {
		soonest := history.Never // return of those called after a returned
		for b := a + 1; b < len(ops) && q.room(); b++ {
			switch {
			case ops[b].Call < ops[a].Return:
				q.assert(or(q.before(a, b), q.before(b, a)))
			case ops[b].Call > soonest:
				b = len(ops) // the others follow, by the one that returned
			default:
				q.assert(q.before(a, b))
				soonest = min(soonest, ops[b].Return)
			}
		}
	}
	for _, e := range q.part.Edges {
		q.imply([]string{q.in[e.Before], q.in[e.After]}, q.before(int(e.Before), int(e.After)))
	}
}

// before says that operation a comes before b.
func (q *question) before(a, b int) string { return less(q.at[a], 1, q.at[b]) }

// open says that a comes before b, folded where time decides.
func (q *question) open(a, b int) string {
	ops := q.part.Ops
	switch {
	case a == b || ops[b].Return < ops[a].Call:
		return no
	case ops[a].Return < ops[b].Call:
		return yes
	}
	return q.before(a, b)
}
