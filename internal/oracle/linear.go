package oracle

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Linearizable reports whether some subset of the pending operations and all completed operations
// have a total order that extends the order of the partition and that the specification accepts. It
// returns such an order. It tries all orders, but continues only once from the same state after the
// same set of operations.
func Linearizable(b *model.Instance) (ok bool, witness []history.OpID) {
	o, m := orderOf(b.Partition), b.NewMachine()
	type point struct {
		done  uint64
		state model.State
	}
	dead := map[point]bool{}
	witness = []history.OpID{}
	var try func(done uint64, s model.State) bool
	try = func(done uint64, s model.State) bool {
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
			for _, t := range m.Step(s, history.OpID(i), nil) {
				witness = append(witness, history.OpID(i))
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

// Configuration is a possible end of a partition: the state, and the pending operations that took
// effect, ascending.
type Configuration struct {
	State model.State // of the machine that was given
	Open  []history.OpID
}

// Configurations returns the configurations after the first n operations: all completed and some
// pending ones took effect, in an order that extends the order of the partition and that the
// specification accepts. No operation took effect without those that it demands. States are those
// of m, a machine of b.
func Configurations(b *model.Instance, m model.Machine, n int) []Configuration {
	o := orderOf(b.Partition)
	o.n, o.completed = n, o.completed&(1<<n-1)
	demands := make([]uint64, n)
	for _, e := range b.Partition.Demands {
		demands[e.After] |= 1 << e.Before
	}
	type point struct {
		done  uint64
		state model.State
	}
	seen := map[point]bool{}
	var out []Configuration
	var visit func(done uint64, s model.State)
	visit = func(done uint64, s model.State) {
		if seen[point{done, s}] {
			return
		}
		seen[point{done, s}] = true
		if done&o.completed == o.completed {
			c := Configuration{State: s}
			for i := range o.n {
				if done>>i&1 == 1 && o.completed>>i&1 == 0 {
					c.Open = append(c.Open, history.OpID(i))
				}
			}
			out = append(out, c)
		}
		for i := range o.n {
			if o.next(done, o.completed, i) && demands[i]&^done == 0 {
				for _, t := range m.Step(s, history.OpID(i), nil) {
					visit(done|1<<i, t)
				}
			}
		}
	}
	visit(0, m.Init())
	return out
}

// Replay returns nil if the order is a linearization of the partition, and otherwise an error that
// says why not.
func Replay(b *model.Instance, order []history.OpID) error {
	if err := Extends(b.Partition, order); err != nil {
		return err
	}
	m := b.NewMachine()
	states := []model.State{m.Init()}
	for k, i := range order {
		if states = advance(m, states, i); len(states) == 0 {
			return fmt.Errorf("operation %d is not allowed at place %d", i, k)
		}
	}
	return nil
}

// Extends returns nil if the order has all completed and some pending operations and extends the
// order of the partition, legal or not. Otherwise it returns an error that says why not.
func Extends(p *model.Partition, order []history.OpID) error {
	there := map[history.OpID]bool{}
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
		if !there[history.OpID(i)] && !p.Ops[i].Pending() {
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
func advance(m model.Machine, states []model.State, op history.OpID) []model.State {
	seen := map[model.State]bool{}
	var out []model.State
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
