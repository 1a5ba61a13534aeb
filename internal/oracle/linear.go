package oracle

import (
	"fmt"

	"github.com/linsat/linsat/spec"
)

// Linearizable says whether some subset of the pending operations and all completed operations
// have a total order that extends the order of the part and that the specification accepts; and
// gives such an order. It tries them all, but never goes on twice from the same state after the
// same set of operations.
func Linearizable(b *spec.Bound) (ok bool, witness []int32) {
	o, m := orderOf(b.Part), b.NewMachine()
	type point struct {
		done  uint64
		state spec.State
	}
	dead := map[point]bool{}
	witness = []int32{}
	var try func(done uint64, s spec.State) bool
	try = func(done uint64, s spec.State) bool {
		if done&o.completed == o.completed {
			return true
		}
		if dead[point{done, s}] {
			return false
		}
		for i := range o.n {
			if !o.next(done, o.completed, i) {
				continue
			}
			for _, t := range m.Step(s, int32(i), nil) {
				witness = append(witness, int32(i))
				if try(done|1<<i, t) {
					return true
				}
				witness = witness[:len(witness)-1]
			}
		}
		dead[point{done, s}] = true
		return false
	}
	if try(0, m.Init()) {
		return true, witness
	}
	return false, nil
}

// Replay says why the operations in this order are no linearization of the part, or returns nil
// if they are one.
func Replay(b *spec.Bound, order []int32) error {
	if err := Extends(b.Part, order); err != nil {
		return err
	}
	m := b.NewMachine()
	states := []spec.State{m.Init()}
	for k, i := range order {
		if states = advance(m, states, i); len(states) == 0 {
			return fmt.Errorf("operation %d is not allowed at place %d", i, k)
		}
	}
	return nil
}

// Extends says why the operations in this order are no total order of all completed and some pending
// operations that extends the order of the part, or returns nil if they are one, legal or not.
func Extends(p *spec.Part, order []int32) error {
	there := map[int32]bool{}
	for _, i := range order {
		if i < 0 || int(i) >= p.Len() {
			return fmt.Errorf("there is no operation %d", i)
		}
		if there[i] {
			return fmt.Errorf("operation %d occurs twice", i)
		}
		there[i] = true
	}
	for i := range p.Ops {
		if !there[int32(i)] && !p.Ops[i].Pending() {
			return fmt.Errorf("completed operation %d is missing", i)
		}
	}
	for k, b := range order {
		for _, a := range order[k+1:] {
			if before(p, a, b) {
				return fmt.Errorf("operation %d comes after operation %d, which it must precede", a, b)
			}
		}
	}
	return nil
}

// advance returns every state that operation op can leave behind, from any of the given ones.
func advance(m spec.Machine, states []spec.State, op int32) []spec.State {
	seen := map[spec.State]bool{}
	var out []spec.State
	for _, s := range states {
		for _, t := range m.Step(s, op, nil) {
			if !seen[t] {
				seen[t] = true
				out = append(out, t)
			}
		}
	}
	return out
}
