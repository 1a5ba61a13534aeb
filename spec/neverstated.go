package spec

// What: operations that returned, never have a result in the whole history, and may return
// something by the definition. What they returned is not checked: most likely it was not recorded.
//
// Source: ours.
//
// How: some of the history's calls are tried from the initial state on. A result other than null,
// and than the argument, which events do not repeat, shows that an operation returns something.
// With Accept, Open shows it that leaves a state that the result null does not. Code that panics
// tells nothing; the check reports it.
//
// Invariant: an operation is named only if the definition gave it a result in a state that its
// calls lead to.
//
// Cost: one pass over the history, and only if there is such an operation, triedCalls times
// triedStates steps, or triedTime and one step.

import (
	"slices"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
)

// NeverStated implements specs.NeverStated.
func (s custom[S]) NeverStated(h *history.History) (names []string) {
	stated, returned := map[history.Value]bool{}, map[history.Value]history.OpID{}
	for i := range h.Ops {
		switch o := &h.Ops[i]; {
		case o.Pending() || stated[o.F]:
		case !o.Unknown && !o.NoResult:
			stated[o.F] = true
			delete(returned, o.F)
		default:
			if _, met := returned[o.F]; !met {
				returned[o.F] = history.OpID(i)
			}
		}
	}
	if len(returned) == 0 {
		return nil
	}
	gives := s.giving(h, returned)
	for f := range returned {
		if name, _ := h.Values.AsString(f); gives[f] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// giving returns which of the operations return something in a state that calls of h lead to.
func (s custom[S]) giving(h *history.History, asked map[history.Value]history.OpID) (gives map[history.Value]bool) {
	gives = map[history.Value]bool{}
	defer func() {
		if v := recover(); v != nil {
			if _, fault := v.(*model.Fault); !fault {
				panic(v)
			}
		}
	}()
	p := &model.Partition{History: h, Initial: h.Initial, HasInitial: h.HasInitial}
	init, err := s.init(p)
	if err != nil {
		return gives
	}
	seen := map[S]bool{init: true}
	states, calls := []S{init}, triable(h, asked)
	began := time.Now()
	for k := 0; k < len(states); k++ {
		for _, i := range calls {
			if time.Since(began) > triedTime {
				return gives
			}
			o := &h.Ops[i]
			at := func() model.Fault { return s.fault("Step", h, i, "") }
			guest.Guarded(s.watch, h, at, func() bool {
				next, something := s.tried(states[k], s.call(h, o), resultOf(h, o))
				if _, is := asked[o.F]; is && something {
					gives[o.F] = true
				}
				for _, n := range next {
					if !seen[n] && len(states) < triedStates {
						seen[n] = true
						states = append(states, n)
					}
				}
				return something
			})
		}
	}
	return gives
}

// triable returns calls that differ: the first one of each operation that is asked about, and
// others.
func triable(h *history.History, asked map[history.Value]history.OpID) (calls []history.OpID) {
	for _, i := range asked {
		calls = append(calls, i)
	}
	slices.Sort(calls)
	type call struct{ f, key, arg history.Value }
	met := map[call]bool{}
	for i := 0; i < len(h.Ops) && len(calls) < triedCalls; i++ {
		o := &h.Ops[i]
		if c := (call{o.F, o.Key, o.Arg}); !met[c] && asked[o.F] != history.OpID(i) {
			met[c] = true
			calls = append(calls, history.OpID(i))
		}
	}
	return calls
}

// tried returns the states that c may leave whatever it returns, and whether it returns something.
func (s custom[S]) tried(from S, c Call, r Result) (next []S, something bool) {
	d := s.d
	switch {
	case d.Step != nil:
		for _, o := range d.Step(from, c) {
			next = append(next, o.Next)
			something = something || !o.AnyOutput && o.Output != nil && !sameValue(c.Arg, o.Output)
		}
	case d.Open != nil:
		next = d.Open(from, c)
		null := d.Accept(from, c, nil)
		something = slices.ContainsFunc(next, func(n S) bool { return !slices.Contains(null, n) })
	case r.known:
		next = d.Accept(from, c, r.value)
	}
	return next, something
}
