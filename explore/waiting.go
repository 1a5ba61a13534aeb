package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
)

// What: which operation of a stuck execution waits although it need not.
//
// Source: Line-Up (Burckhardt, Dern, Musuvathi and Tan, PLDI 2010), Definitions 2 and 3: a stuck
// history is linearizable if for each pending operation there is an order of the completed ones,
// without the other pending ones, after which it is disabled.
//
// What we changed: the specification tells what is disabled, not a serial run. An operation is
// disabled where the specification has no outcome for it, or says so (Definition.Waits); a removal
// also where it finds nothing,
// and an insertion where something is, since the object may be bounded (specs.Waits). Under a quasi
// factor any order of the completed operations will do, so some needless waits pass. Threads that
// wait outside of operations may wait for those that wait inside. With CheckOptions.Blocking an
// insertion may also wait where there is nothing, unless a removal waits at the same time.
//
// Invariant: final has exactly the states after the orders of the completed operations that the
// specification and real time allow.
//
// Cost: exponential in the operations that overlap; mostConfigurations bounds it.

// needlessWait is an operation that waits although it need not.
type needlessWait struct {
	op    int      // in Execution.Ops, -1 if threads wait and no operation is open
	none  bool     // there is no order of the completed operations
	after []string // one such order
	state string   // after it
}

// errUndecided says that there are too many orders of the operations.
var errUndecided = errors.New("too many orders")

// needless returns the first operation of a stuck execution that waits although it need not, nil if
// there is none.
func (k *checking) needless(e *Execution) (found *needlessWait, err error) {
	if !slices.ContainsFunc(e.Ops, func(o Op) bool { return o.Return < 0 }) {
		if k.o.Blocking {
			return nil, nil
		}
		return &needlessWait{op: -1}, nil
	}
	h, probe, err := k.waitHistory(e)
	if err != nil {
		return nil, err
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *model.Fault:
			found, err = nil, v
		default:
			panic(v)
		}
	}()
	b, err := engine.Bind(k.spec, model.Whole(h))
	if err != nil {
		return nil, err
	}
	x := &waitSearch{b: b, m: b.NewMachine(), e: e, anyOrder: k.o.Quasi != nil, seen: map[string]bool{}}
	for i := range h.Ops {
		x.ids = append(x.ids, -1)
		if n := int(h.Origins[i].Position); n < len(e.Ops) {
			x.ids[i] = n
		}
	}
	if err := x.orders(make([]byte, (len(h.Ops)+7)/8), x.m.Init(), nil); err != nil {
		return nil, err
	}
	for i := range h.Ops {
		o := &e.Ops[max(x.ids[i], 0)]
		if x.ids[i] < 0 || o.Return >= 0 {
			continue
		}
		waits, _ := specs.Waits(k.spec, o.F)
		if waits == specs.ForRoom && k.o.Blocking && !k.removalWaits(e) {
			continue
		}
		if !slices.ContainsFunc(x.final, func(s model.State) bool {
			return x.disabled(s, history.OpID(i), waits, probe)
		}) {
			found := &needlessWait{op: x.ids[i], none: len(x.final) == 0, after: x.example}
			if len(x.final) > 0 {
				found.state = x.m.Describe(x.final[0])
			}
			return found, nil
		}
	}
	return nil, nil
}

// removalWaits reports whether a removal has not returned.
func (k *checking) removalWaits(e *Execution) bool {
	return slices.ContainsFunc(e.Ops, func(o Op) bool {
		w, _ := specs.Waits(k.spec, o.F)
		return o.Return < 0 && w == specs.ForItems
	})
}

// waitHistory is the history of a stuck execution in which the pending operations return at the
// end, with results that are not known. If one of them waits for room, a removal follows.
func (k *checking) waitHistory(e *Execution) (h *history.History, probe bool, err error) {
	ended := e.Clone()
	last := int32(0)
	for i := range ended.Ops {
		last = max(last, ended.Ops[i].Call, ended.Ops[i].Return)
	}
	var forgotten []bool
	removal := ""
	for i := range ended.Ops {
		o := &ended.Ops[i]
		forgotten = append(forgotten, o.Return < 0)
		if o.Return < 0 {
			o.Return, o.Result = last+1, nil
			if w, by := specs.Waits(k.spec, o.F); w == specs.ForRoom {
				removal = by
			}
		}
	}
	if removal != "" {
		ended.Ops = append(ended.Ops, Op{Thread: len(e.Ops) + 1, F: removal, Call: last + 2, Return: last + 3})
		forgotten = append(forgotten, true)
	}
	h, err = k.c.recorded(ended, forgotten)
	return h, removal != "", err
}

// waitSearch lists the states after the completed operations.
type waitSearch struct {
	b        *model.Instance
	m        model.Machine
	e        *Execution
	ids      []int // position in the execution by operation of the history, -1 for the probe
	anyOrder bool
	seen     map[string]bool
	final    []model.State
	example  []string // an order that leads to the first of them
}

// orders goes through all orders of the completed operations that are not done.
func (x *waitSearch) orders(done []byte, s model.State, order []string) error {
	key := fmt.Sprintf("%s%d", done, s)
	if x.seen[key] {
		return nil
	}
	if x.seen[key] = true; len(x.seen) > mostConfigurations {
		return errUndecided
	}
	left := false
	ops := x.b.Partition.Ops
	for i := range ops {
		if !x.completed(i) || done[i/8]>>(i%8)&1 == 1 {
			continue
		}
		left = true
		if !x.anyOrder && x.waitsFor(i, done) {
			continue
		}
		done[i/8] |= 1 << (i % 8)
		for _, next := range x.m.Step(s, history.OpID(i), nil) {
			if err := x.orders(done, next, append(order, x.e.Ops[x.ids[i]].String())); err != nil {
				return err
			}
		}
		done[i/8] &^= 1 << (i % 8)
	}
	if !left && !slices.Contains(x.final, s) {
		if len(x.final) == 0 {
			x.example = slices.Clone(order)
		}
		x.final = append(x.final, s)
	}
	return nil
}

// waitsFor reports whether a completed operation that is not done returned before i was called.
func (x *waitSearch) waitsFor(i int, done []byte) bool {
	ops := x.b.Partition.Ops
	for j := range ops {
		if x.completed(j) && done[j/8]>>(j%8)&1 == 0 && ops[j].Return < ops[i].Call {
			return true
		}
	}
	return false
}

func (x *waitSearch) completed(i int) bool { return x.ids[i] >= 0 && x.e.Ops[x.ids[i]].Return >= 0 }

// disabled reports whether an operation may wait in a state.
func (x *waitSearch) disabled(s model.State, op history.OpID, waits specs.Waiting, probe bool) bool {
	next := x.m.Step(s, op, nil)
	switch {
	case len(next) == 0 || x.b.Waits != nil && x.b.Waits(x.m, s, op):
		return true
	case waits == specs.ForItems:
		return !slices.ContainsFunc(next, func(n model.State) bool { return n != s })
	case waits == specs.ForRoom && probe:
		after := x.m.Step(s, history.OpID(slices.Index(x.ids, -1)), nil)
		return slices.ContainsFunc(after, func(n model.State) bool { return n != s })
	}
	return false
}

// text says why the operation need not wait.
func (w *needlessWait) text(e *Execution) string {
	if w.op < 0 {
		return "none of them is inside an operation"
	}
	o := &e.Ops[w.op]
	who := fmt.Sprintf("%s of %s waits", o.call(), threadName(o.Thread))
	switch {
	case w.none:
		return who + ", and what others returned is possible only if one that waits has taken effect"
	case len(w.after) == 0:
		return fmt.Sprintf("%s, although it could go on: the state is %s", who, w.state)
	}
	return fmt.Sprintf("%s, although it could go on in every order of what returned; for instance, after %s the "+
		"state is %s", who, strings.Join(w.after, ", "), w.state)
}
