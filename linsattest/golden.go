package linsattest

import (
	"fmt"
	"strings"
	"sync"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
)

// What: an object as the specification of another one, which may be relaxed: a history is right if
// the operations, in some order, do what they do on a new golden object one after the other.
//
// Source: the golden model of Round-Up (Zhang, Chattopadhyay and Wang, ASE 2013). Its phase 1 lists
// the serial runs of one test; here each order that a check asks for is run, those that a factor
// allows included.
//
// Invariant: a state is the operations that lead to it. What they have done is done again for each
// step, on a new object.
//
// Cost: the orders that the check asks for, times their length: states that are alike are not known
// to be.

// Golden returns the specification that an object is: its operations do what they do one after the
// other. Operations of one name are a class for linsat.Quasi. An object that needs no locks is
// best; arguments come as nil, bool, int, string and []any. An operation that panics is not allowed
// there; none may wait.
func Golden(o Object) spec.Spec {
	d := spec.Definition[*applied]{Name: "golden", Summary: "what an object does, one operation after the other",
		Step: (&golden{o: o, known: map[applied]*applied{}}).step,
		Init: func(initial any) (*applied, error) {
			if initial != nil {
				return nil, fmt.Errorf("a golden object begins as it is made, not with %v", initial)
			}
			return nil, nil
		},
		Describe: func(s *applied) string {
			text := []string{"as it is made"}
			s.on(func(f string, arg any) any {
				text = append(text, explore.Call{F: f, Arg: arg}.String())
				return nil
			})
			return strings.Join(text[min(1, len(text)-1):], ", ")
		}}
	seen := map[string]bool{}
	for _, op := range o.Ops {
		if !seen[op.F] {
			d.Operations = append(d.Operations, meta.Operation{Name: op.F})
			d.Classes = append(d.Classes, meta.Class{Name: op.F, Operations: []string{op.F}, Relaxable: true})
		}
		seen[op.F] = true
	}
	s, err := spec.Define(d)
	if err != nil {
		panic("linsattest.Golden: " + err.Error())
	}
	return s
}

type golden struct {
	o     Object
	mu    sync.Mutex
	known map[applied]*applied // by what they are, with the text of the argument
}

// applied is a list of operations, the last one first; nil is empty.
type applied struct {
	before *applied
	f      string
	arg    any
}

func (g *golden) step(s *applied, c spec.Call) (outcomes []spec.Outcome[*applied]) {
	defer func() {
		if recover() != nil {
			outcomes = nil
		}
	}()
	apply := g.o.New()
	s.on(apply)
	arg := argument(c.Arg)
	result := value(apply(c.F, arg))
	g.mu.Lock()
	defer g.mu.Unlock()
	key := applied{s, c.F, fmt.Sprintf("%T %v", arg, arg)}
	if g.known[key] == nil {
		g.known[key] = &applied{s, c.F, arg}
	}
	return []spec.Outcome[*applied]{{Output: result, Next: g.known[key]}}
}

// on applies the operations, the first one first.
func (a *applied) on(apply func(f string, arg any) any) {
	if a != nil {
		a.before.on(apply)
		apply(a.f, a.arg)
	}
}

// argument returns an argument as a test gives it: an integer is an int.
func argument(x any) any {
	switch x := x.(type) {
	case int64:
		return int(x)
	case []any:
		all := make([]any, len(x))
		for i := range x {
			all[i] = argument(x[i])
		}
		return all
	}
	return x
}
