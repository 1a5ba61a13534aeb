package encode

// Configurations: any other specification, state by state.
//
// What: a configuration is a set of operations that may have taken effect together, and a state in
// which they may have left the object. Those that can be reached are explored with the machine of
// the specification, breadth first; each has a literal that the order passes it, and so has each
// step from one to the next. The start is passed; a configuration that is passed and lacks
// completed operations is left by one of its steps; a step leads to its configuration, and puts its
// operation behind those that the configuration has, before all others.
//
// Why: specifications without a theory and without numbers (etcd, one's own) have an answer of the
// SAT engine, too. This is the search of Wing, Gong and Lowe as a formula: propagation from
// configurations without steps decides it, so nothing is won by a solver, and what it costs is the
// exploration. In a race it is left out.
//
// Source: Wing, Gong: Testing and verifying concurrent objects, JPDC 17, 1993; Lowe: Testing for
// linearizability, CCPE 29, 2017. Two reductions are as in the search: an operation that cannot
// change the state takes effect as soon as its result allows, and of interchangeable operations the
// one that returns first comes first. Neither is applied to operations in explicit order.
//
// Invariant: every linearization has one, up to these exchanges, whose prefixes are configurations.
//
// Cost: exponential in the operations open at once, and in the length where states remember the
// order of operations.

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// passed is the axiom of configurations.
const passed cnf.Axiom = "an order passes one configuration after the other"

// configurations are those that can be reached from the start, and the steps between them.
type configurations struct {
	bound *model.Instance
	free  []bool // by operation: in no explicit order
	nodes []configuration
	steps []step // by the configuration that they leave
	index map[configuration]int32
}

// configuration is what took effect, eight operations a byte, and the state.
type configuration struct {
	done  string
	state model.State
}

type step struct {
	from, to int32
	op       history.OpID
}

// explore finds the configurations. It returns nil and an answer if a limit is reached.
func explore(ctx context.Context, bound *model.Instance, m *engine.Budget) (*configurations, engine.Answer) {
	part := bound.Partition
	c := &configurations{bound: bound, free: slices.Repeat([]bool{true}, part.Len()),
		index: map[configuration]int32{}}
	for _, e := range part.Edges {
		c.free[e.Before], c.free[e.After] = false, false
	}
	machine := bound.NewMachine()
	words := make([]uint64, (part.Len()+63)/64)
	c.number(words, machine.Init())
	need := int64(0)
	defer func() { m.Grow(-need) }()
	var states []model.State
	for v := int32(0); int(v) < len(c.nodes); v++ {
		if ctx.Err() != nil {
			return nil, engine.Stopped(ctx)
		}
		if len(c.nodes) > maxConfigurations {
			return nil, engine.Answer{Cause: engine.Unsupported,
				Detail: "no axioms for this specification, and too many states to list"}
		}
		if now := int64(len(c.nodes))*int64(8*len(words)+configurationBytes) + machine.Bytes(); now > need {
			if !m.Grow(now + now/4 - need) {
				return nil, engine.Answer{Cause: engine.Memory}
			}
			need = now + now/4
		}
		here := c.nodes[v]
		unpack(here.done, words)
		for _, i := range c.next(words, machine, here.state) {
			states = machine.Step(here.state, i, states[:0])
			words[i/64] |= 1 << (i % 64)
			for _, s := range states {
				c.steps = append(c.steps, step{v, c.number(words, s), i})
			}
			words[i/64] &^= 1 << (i % 64)
		}
	}
	return c, engine.Answer{}
}

// number returns the number of a configuration.
func (c *configurations) number(words []uint64, s model.State) int32 {
	done := make([]byte, 0, 8*len(words))
	for _, w := range words {
		done = binary.LittleEndian.AppendUint64(done, w)
	}
	x := configuration{string(done), s}
	k, known := c.index[x]
	if !known {
		k = int32(len(c.nodes))
		c.index[x], c.nodes = k, append(c.nodes, x)
	}
	return k
}

func unpack(done string, words []uint64) {
	for k := range words {
		words[k] = binary.LittleEndian.Uint64([]byte(done[8*k : 8*k+8]))
	}
}

func has(words []uint64, i history.OpID) bool { return words[i/64]>>(i%64)&1 != 0 }

// next lists the operations that may take effect next.
func (c *configurations) next(words []uint64, machine model.Machine, s model.State) []history.OpID {
	ops := c.bound.Partition.Ops
	var open []history.OpID
	until := history.Never // no operation called later may take effect
	for i := range ops {
		if has(words, history.OpID(i)) {
			continue
		}
		if ops[i].Call > until {
			break
		}
		open = append(open, history.OpID(i))
		until = min(until, ops[i].Return)
	}
	open = slices.DeleteFunc(open, func(i history.OpID) bool {
		return ops[i].Call > until || !c.ordered(words, i) || c.free[i] && ops[i].Pending() && c.bound.ReadOnly[i]
	})
	slices.SortStableFunc(open, func(x, y history.OpID) int { return int(ops[x].Return) - int(ops[y].Return) })
	for _, i := range open {
		if c.free[i] && c.bound.ReadOnly[i] && len(machine.Step(s, i, nil)) > 0 {
			return []history.OpID{i}
		}
	}
	for k := 0; k < len(open); k++ {
		x := open[k]
		for j := len(open) - 1; j > k; j-- {
			if y := open[j]; c.free[x] && c.free[y] && c.bound.EquivID[x] == c.bound.EquivID[y] &&
				ops[x].Pending() == ops[y].Pending() {
				open = slices.Delete(open, j, j+1)
			}
		}
	}
	return open
}

// ordered reports whether the explicit order allows operation i to take effect next.
func (c *configurations) ordered(words []uint64, i history.OpID) bool {
	part := c.bound.Partition
	for _, e := range part.Edges {
		if e.After == i && !has(words, e.Before) && !part.Ops[e.Before].Pending() ||
			e.Before == i && has(words, e.After) {
			return false
		}
	}
	return true
}

// reduce implements encoding.
func (c *configurations) reduce(keep []history.OpID) ([]history.OpID, string) { return keep, "" }

// Outcomes implements cnf.Encoding.
func (c *configurations) Outcomes(b *cnf.Builder) {
	for i := range b.Order.N {
		b.Effect(i, c.bound.Partition.Ops[i].Pending())
	}
}

// Axioms implements cnf.Encoding.
func (c *configurations) Axioms(b *cnf.Builder) {
	b.Index()
	ops := c.bound.Partition.Ops
	words := make([]uint64, (len(ops)+63)/64)
	lits := make([]cnf.Lit, len(c.nodes))
	for v := range lits {
		lits[v] = b.Fresh()
	}
	b.Clause(passed, cnf.By(), lits[0])
	steps := c.steps
	var out []cnf.Lit
	for v := range lits {
		unpack(c.nodes[v].done, words)
		out, steps = c.leave(b, lits, int32(v), words, out[:0], steps)
		ends := true
		for i := range ops {
			ends = ends && (has(words, history.OpID(i)) || ops[i].Pending())
		}
		if ends { // all pending operations that it lacks may never take effect
			stay := b.Fresh()
			out = append(out, stay)
			for i := range ops {
				if !has(words, history.OpID(i)) {
					b.Clause(passed, cnf.By(history.OpID(i)), -stay, -b.In[i])
				}
			}
		}
		b.Imply(passed, cnf.By(), lits[v:v+1], out...)
		if !b.Alive(int64(len(ops) / 16)) {
			return
		}
	}
}

// leave emits the first of some steps, as many as leave configuration v, and returns their literals
// and the other steps.
func (c *configurations) leave(b *cnf.Builder, lits []cnf.Lit, v int32, words []uint64, out []cnf.Lit,
	steps []step) (taken []cnf.Lit, rest []step) {
	for ; len(steps) > 0 && steps[0].from == v; steps = steps[1:] {
		t := steps[0]
		is := b.Fresh()
		out = append(out, is)
		b.Clause(passed, cnf.By(t.op), -is, lits[t.to])
		b.Clause(passed, cnf.By(t.op), -is, b.In[t.op])
		behind := func(x history.OpID) {
			if has(words, x) {
				b.Clause(passed, cnf.By(t.op, x), -is, b.Order.Before(x, t.op))
			} else {
				b.Clause(passed, cnf.By(t.op, x), -is, b.Order.Before(t.op, x))
			}
		}
		for _, x := range b.Order.Open(t.op) {
			behind(x)
		}
		for x := t.op + 1; x <= b.Order.Last[t.op]; x++ {
			behind(x)
		}
	}
	return out, steps
}
