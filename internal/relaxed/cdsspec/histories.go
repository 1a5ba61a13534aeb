package cdsspec

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// Executions checked without annotated points: the calls are a history, ordered by happens-before
// instead of time, and a specification that linsat ships says which results are right.
//
// Call a is before call b if the end of a happens before the beginning of b. With points, opo
// counts as well. A violation under happens-before alone is one under both, since more order only
// removes linearizations.
//
// Synchronisation is missing between a and b (after Golovin, Kokologiannakis and Vafeiadis,
// "Relinche", POPL 2025, which refines against a synchronised specification) if b needs a: b is
// left out where the calls of a linearization, in its order and without a, are taken as long as the
// history of those taken is linearizable; a is before b in every linearization; and the beginning
// of a does not happen before the end of b. We look at one history at a time; Relinche looks at all
// clients.
//
// Cost: at most two checks for each pair of calls, once for each distinct history; none for a call
// that happens before the end of all others that it does not follow.

// Operation is a call as a shipped specification knows it. A call without F is left out: the
// specification does not know such calls. The order through it stays.
type Operation struct {
	F           string
	Key         any // nil: none
	Arg, Result any // of types that history.Values.Of takes
}

// Plain checks executions without annotated points.
type Plain struct {
	Spec   spec.Spec
	Record func(method string, args, result any) Operation
	Points bool // use the ordering points as well

	known map[string]answer
}

type answer struct {
	result  *linsat.Result
	history *history.History
	missing [][2]int
}

// NewPlain returns a checker that has seen nothing.
func NewPlain(s spec.Spec, record func(method string, args, result any) Operation, points bool) *Plain {
	return &Plain{Spec: s, Record: record, Points: points, known: map[string]answer{}}
}

// Check checks an execution. Its verdict is Correctness if the history is not linearizable, and
// Synchronization if it is and synchronisation is missing.
func (p *Plain) Check(ctx context.Context, g *c11.Graph) (*Finding, error) {
	f := &Finding{Graph: g, Verdict: ended(g)}
	if f.Verdict != Passed {
		return f, nil
	}
	calls, err := Calls(g, nil)
	if err != nil {
		return nil, err
	}
	if f.inside.Ordering, err = Order(g, calls); err != nil {
		return nil, err
	}
	h := p.related(f.inside.Ordering)
	if h.cyclic {
		f.Verdict = Cycle
		return f, nil
	}
	a, err := p.answer(ctx, h)
	if err != nil {
		return nil, err
	}
	f.History, f.Result = a.history, a.result
	switch {
	case f.Result != nil && f.Result.Verdict == linsat.NotLinearizable:
		f.Verdict = Correctness
	case f.Result != nil && f.Result.Verdict == linsat.Unknown:
		f.Verdict = Undecided
	case len(a.missing) > 0:
		f.Verdict = Synchronization
		for _, m := range a.missing {
			f.inside.Needed = append(f.inside.Needed, [2]int{h.calls[m[0]], h.calls[m[1]]})
		}
	}
	return f, nil
}

// related is a history to be: outermost calls, their operations, and their order.
type related struct {
	calls  []int
	ops    []Operation
	key    []int // number of the object, -1 if there is one only
	before [][]bool
	synced [][]bool
	cyclic bool
}

func (p *Plain) related(o *Ordering) *related {
	h := &related{}
	at := map[int]int{} // outermost call → position
	for i := range o.Calls {
		if c := &o.Calls[i]; c.Outer < 0 {
			at[i] = len(h.calls)
			h.calls = append(h.calls, i)
			h.ops = append(h.ops, p.Record(c.Method.Name, c.Args, c.Result))
		}
	}
	objects := map[any]int{}
	for _, i := range h.calls {
		if _, known := objects[o.Calls[i].This]; !known {
			objects[o.Calls[i].This] = len(objects)
		}
	}
	n := len(h.calls)
	h.before, h.synced = square(n), square(n)
	for a, i := range h.calls {
		h.key = append(h.key, -1)
		if len(objects) > 1 {
			h.key[a] = objects[o.Calls[i].This]
		}
		for b, j := range h.calls {
			h.before[a][b] = a != b && o.Graph.NoteHB(o.Calls[i].Ended, o.Calls[j].Began)
			h.synced[a][b] = a == b || o.Graph.NoteHB(o.Calls[i].Began, o.Calls[j].Ended)
		}
	}
	if p.Points {
		for x := range o.Nodes {
			for y := range o.Nodes {
				a, b := at[o.outermost(x)], at[o.outermost(y)]
				h.before[a][b] = h.before[a][b] || a != b && o.Before[y]>>x&1 != 0
			}
		}
	}
	closeOver(h.before)
	for a := range n {
		h.cyclic = h.cyclic || h.before[a][a]
	}
	return h
}

// outermost returns the call around all calls of a node.
func (o *Ordering) outermost(node int) int {
	c := o.Nodes[node].Calls[0]
	for o.Calls[c].Outer >= 0 {
		c = o.Calls[c].Outer
	}
	return c
}

func square(n int) [][]bool {
	s := make([][]bool, n)
	for i := range s {
		s[i] = make([]bool, n)
	}
	return s
}

func closeOver(r [][]bool) {
	for k := range r {
		for a := range r {
			for b := range r {
				r[a][b] = r[a][b] || r[a][k] && r[k][b]
			}
		}
	}
}

func (p *Plain) answer(ctx context.Context, h *related) (answer, error) {
	var key strings.Builder
	fmt.Fprintf(&key, "%#v %v %v %v", h.ops, h.key, h.before, h.synced)
	if a, known := p.known[key.String()]; known {
		return a, nil
	}
	var a answer
	var err error
	if a.result, a.history, err = p.decide(ctx, h, nil, nil); err != nil {
		return a, err
	}
	if a.result != nil && a.result.Verdict == linsat.Linearizable {
		if a.missing, err = p.missing(ctx, h, a.order()); err != nil {
			return a, err
		}
	}
	p.known[key.String()] = a
	return a, nil
}

// order returns the linearization, as positions among the outermost calls.
func (a *answer) order() []int {
	position := make([]int, 0, len(a.result.Witness))
	for _, op := range a.result.Witness {
		position = append(position, int(a.history.Ops[op].Process)) // every call has its own
	}
	return position
}

// missing returns the pairs of calls that need to synchronise, and do not.
func (p *Plain) missing(ctx context.Context, h *related, order []int) ([][2]int, error) {
	var out [][2]int
	for a := range h.calls {
		last := -1 // in the linearization, of the calls that may need a without synchronisation
		for i, b := range order {
			if !h.synced[a][b] && !h.before[b][a] {
				last = i
			}
		}
		taken := make([]bool, len(h.calls))
		for _, b := range order[:last+1] {
			if b == a {
				continue
			}
			taken[b] = true
			possible, err := p.linearizable(ctx, h, taken, nil)
			if err != nil {
				return nil, err
			}
			if taken[b] = possible; possible || h.synced[a][b] || h.before[b][a] {
				continue
			}
			if !h.before[a][b] {
				if possible, err = p.linearizable(ctx, h, nil, &[2]int{b, a}); err != nil {
					return nil, err
				}
			}
			if !possible {
				out = append(out, [2]int{a, b})
			}
		}
	}
	return out, nil
}

// linearizable reports whether the history of the calls taken is linearizable (nil: all), with one
// more pair in order.
func (p *Plain) linearizable(ctx context.Context, h *related, taken []bool, extra *[2]int) (bool, error) {
	r, _, err := p.decide(ctx, h, taken, extra)
	if err != nil {
		return false, err
	}
	if r.Verdict == linsat.Unknown {
		return false, fmt.Errorf("cdsspec: not decided: %s", r.Cause)
	}
	return r.Verdict == linsat.Linearizable, nil
}

// decide checks the history of the calls taken (nil: all), with one more pair in order. Without
// calls there is no result.
func (p *Plain) decide(ctx context.Context, h *related, taken []bool, extra *[2]int) (*linsat.Result,
	*history.History, error) {
	b := history.NewBuilder()
	at := make([]int, len(h.ops))
	for i := range h.ops {
		at[i] = -1
		process := b.ProcessInt(int64(i)) // every call has its own, so the number is i
		if h.ops[i].F == "" || taken != nil && !taken[i] {
			continue
		}
		op := &h.ops[i]
		arg, err := b.Values.Of(op.Arg)
		if err != nil {
			return nil, nil, err
		}
		result, err := b.Values.Of(op.Result)
		if err != nil {
			return nil, nil, err
		}
		r := history.Record{Process: process, F: b.Values.String(op.F), Key: history.NoKey, Arg: arg, Result: result,
			Return: 1, ID: strconv.Itoa(i)}
		switch {
		case h.key[i] >= 0 && op.Key != nil:
			r.Key = b.Values.String(fmt.Sprint(h.key[i], ".", op.Key))
		case h.key[i] >= 0:
			r.Key = b.Values.Int(int64(h.key[i]))
		case op.Key != nil:
			if r.Key, err = b.Values.Of(op.Key); err != nil {
				return nil, nil, err
			}
		}
		if at[i], err = b.Add(r); err != nil {
			return nil, nil, err
		}
	}
	if b.Len() == 0 {
		return nil, nil, nil
	}
	for x := range h.ops {
		for y := range h.ops {
			if at[x] >= 0 && at[y] >= 0 && (h.before[x][y] || extra != nil && *extra == [2]int{x, y}) {
				if err := b.Edge(at[x], at[y], 0); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	made, err := b.Finish()
	if err != nil {
		return nil, nil, err
	}
	r, err := linsat.Check(ctx, p.Spec, made)
	if err != nil {
		return nil, nil, err
	}
	return &r, made, nil
}
