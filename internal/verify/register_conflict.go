package verify

// Refutations of registers by a few operations or by counting.
//
// What: checks proof.RegisterConflict and proof.ToggleCount on the raw intervals and on what the
// theory of the partition says of each operation. Which operations leave a value, which must take
// effect, and where a block begins is computed here again. The check of each rule says why it is
// sound. Cost: O(n) for n operations of the register.

import (
	"errors"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// cell is one cell of a partition.
type cell struct {
	part    *model.Partition
	theory  *model.RegisterTheory
	ops     []history.OpID // those on the cell
	initial int32
	leaves  []int // by value: how many leave it, the start included
	sole    []history.OpID
	// By operation, one that alone leaves what one that takes effect finds: how it goes, as the
	// place of its mode from 1 on. So it takes effect, too. Others have 0.
	way   []int32
	blind bool // some operation leaves a value whatever it finds
	open  bool // some operation is pending or has several modes: way says more than the theory
}

// RegisterConflict checks that r refutes b's partition. It returns nil or what is wrong.
func RegisterConflict(b *model.Instance, r *proof.RegisterConflict) error {
	want := [...]int{proof.RegisterNoMode: 1, proof.RegisterUnwritten: 1, proof.RegisterCircle: 1,
		proof.RegisterTwoTakers: 2, proof.RegisterBackwards: 2,
		proof.RegisterEntangled: 4, proof.RegisterBetween: 3}
	if int(r.Rule) >= len(want) || len(r.Ops) != want[r.Rule] {
		return base.Faultf(base.Op(b.Partition, r.Ops...), "it is unknown, or does not take %d operations", len(r.Ops))
	}
	var first history.OpID = proof.Initial
	for _, i := range r.Ops {
		if i < proof.NoOp || int(i) >= b.Partition.Len() || i == proof.Before {
			return base.Faultf(base.Op(b.Partition, i), "there is no such operation")
		}
		if i < 0 && r.Rule != proof.RegisterEntangled && (r.Rule != proof.RegisterBetween || i != r.Ops[0]) {
			return base.Faultf(base.Op(b.Partition, r.Ops...), "the rule does not take the start or the end")
		}
		first = max(first, i)
	}
	if first < 0 {
		return base.Faultf("", "it names no operation, only %v", r.Ops)
	}
	theory, ok := b.Axiomatic().(*model.RegisterTheory)
	if !ok {
		return base.Faultf(base.Op(b.Partition, first), "the partition has no registers")
	}
	c, err := newCell(b.Partition, theory, theory.Object[first])
	if err != nil {
		return err
	}
	for _, i := range r.Ops {
		if i >= 0 && theory.Object[i] != theory.Object[first] {
			return base.Faultf(base.Op(b.Partition, first, i), "they are on different registers")
		}
	}
	return c.verify(r)
}

func newCell(p *model.Partition, theory *model.RegisterTheory, number model.CellID) (*cell, error) {
	c := &cell{part: p, theory: theory, initial: theory.Init[number], leaves: make([]int, theory.Values),
		sole: make([]history.OpID, theory.Values),
		way:  make([]int32, p.Len())}
	if len(theory.Init) == 1 {
		c.ops = make([]history.OpID, 0, p.Len())
	}
	c.leaves[c.initial], c.sole[c.initial] = 1, proof.Initial
	for i, x := range theory.Object {
		if x != number {
			continue
		}
		c.ops = append(c.ops, history.OpID(i))
		modes := theory.Of(history.OpID(i))
		c.open = c.open || len(modes) != 1 || p.Ops[i].Pending()
		for _, m := range modes {
			if !leavesAnother(m) {
				continue
			}
			c.leaves[m.Leaves]++
			c.sole[m.Leaves] = history.OpID(i)
			c.blind = c.blind || m.Test != model.Is
		}
	}
	if !c.open {
		return c, nil
	}
	for _, i := range c.ops {
		for c.certain(i) {
			v := c.finds(i)
			if v < 0 || c.leaves[v] != 1 || c.sole[v] < 0 {
				break
			}
			by := c.sole[v]
			if c.way[by] > 0 {
				break
			}
			for k, m := range theory.Of(by) {
				if leavesAnother(m) && m.Leaves == v {
					c.way[by] = int32(k) + 1
				}
			}
			i = by
		}
	}
	return c, nil
}

// leavesAnother reports whether a mode leaves a value, other than the one that it finds.
func leavesAnother(m model.Mode) bool {
	return m.Leaves != model.Keep && (m.Test != model.Is || m.Leaves != m.V)
}

// mode returns how i goes if it takes effect. ok is false if there are several ways, or none.
func (c *cell) mode(i history.OpID) (m model.Mode, ok bool) {
	modes := c.theory.Of(i)
	if c.way[i] > 0 {
		return modes[c.way[i]-1], true
	}
	if len(modes) == 1 {
		return modes[0], true
	}
	return m, false
}

// finds returns the one value that i must find, -1 if there is not just one.
func (c *cell) finds(i history.OpID) int32 {
	if m, ok := c.mode(i); ok && m.Test == model.Is {
		return m.V
	}
	return -1
}

// changes reports whether i, having found its value, leaves another.
func (c *cell) changes(i history.OpID) bool {
	m, _ := c.mode(i)
	return m.Leaves != model.Keep && m.Leaves != m.V
}

// certain reports whether i takes effect in every linearization.
func (c *cell) certain(i history.OpID) bool {
	if i < 0 {
		return false
	}
	return c.way[i] > 0 || !c.part.Ops[i].Pending()
}

// op names operations.
func (c *cell) op(ops ...history.OpID) string { return base.Op(c.part, ops...) }

// precedes is the order of the history, with the start and the end.
func (c *cell) precedes(a, b history.OpID) bool {
	switch {
	case a == proof.NoOp || b == proof.Initial:
		return false
	case a == proof.Initial || b == proof.NoOp:
		return true
	}
	return c.part.Precedes(a, b)
}

// errCircle: an operation comes from itself.
var errCircle = errors.New("it comes from itself")

// root goes back from i to the root of its block: an operation that leaves a value whatever it
// finds, or finds one that has several origins, or the start. Steps counts the operations that
// changed the cell on the way: 2k says that i left the value after k steps, 2k+1 that it sees it.
//
// From the root to i the cell changes only by what comes from the root on the way to i, because
// each value in between has one origin, which cannot bring it back.
func (c *cell) root(i history.OpID) (root history.OpID, steps int, err error) {
	turns := 0
	at := i
	for turns <= len(c.ops) {
		m, ok := c.mode(at)
		switch v := c.finds(at); {
		case !ok && at == i && c.alwaysLeaves(i):
			return i, 0, nil
		case !ok:
			return 0, 0, base.Faultf(c.op(i, at), "the last of them has several possible outcomes")
		case m.Test != model.Is && m.Leaves != model.Keep:
			return at, c.depth(i, turns), nil
		case v < 0:
			return 0, 0, base.Faultf(c.op(i, at), "the last of them does not say what it finds")
		case c.leaves[v] == 0:
			return 0, 0, base.Faultf(c.op(i, at), "no operation leaves what the last of them finds")
		case c.leaves[v] > 1:
			return at, c.depth(i, turns), nil
		case c.sole[v] == proof.Initial:
			return proof.Initial, c.depth(i, turns+1), nil
		default:
			at = c.sole[v]
			turns++
		}
	}
	return 0, 0, errCircle
}

// alwaysLeaves reports whether i leaves a value other than what it finds, or whatever it finds, in
// each of its modes.
func (c *cell) alwaysLeaves(i history.OpID) bool {
	modes := c.theory.Of(i)
	return len(modes) > 0 && !slices.ContainsFunc(modes, func(m model.Mode) bool { return !leavesAnother(m) })
}

// depth is the order within a block of an operation that is so many turns from the root: one that
// sees a value comes after those who left it.
func (c *cell) depth(i history.OpID, turns int) int {
	if c.finds(i) >= 0 && !c.changes(i) {
		return 2*turns - 1
	}
	return 2 * turns
}

// single reports whether v is the one value that i must find, and left by one operation, or there
// from the start and never again.
func (c *cell) single(i history.OpID, v int32) bool {
	return v >= 0 && c.finds(i) == v && c.leaves[v] == 1
}

func (c *cell) verify(r *proof.RegisterConflict) error {
	x := r.Ops[0]
	switch r.Rule {
	case proof.RegisterNoMode:
		if c.part.Ops[x].Pending() || len(c.theory.Of(x)) > 0 {
			return base.Faultf(c.op(x), "it has %d possible outcomes", len(c.theory.Of(x)))
		}
		return nil
	case proof.RegisterUnwritten:
		if v := c.finds(x); !c.certain(x) || v < 0 || c.leaves[v] > 0 {
			return base.Faultf(c.op(x), "it need not take effect, or what it finds may be there")
		}
		return nil
	case proof.RegisterCircle:
		// Each finds what only the next can have left: there is no first one.
		if _, _, err := c.root(x); !c.certain(x) || !errors.Is(err, errCircle) {
			return base.Faultf(c.op(x), "it need not take effect, or does not come from itself")
		}
		return nil
	case proof.RegisterTwoTakers:
		// After the first of them the value does not come back, for its one origin has been.
		y := r.Ops[1]
		v := c.finds(x)
		if x == y || !c.certain(x) || !c.certain(y) || !c.single(x, v) || !c.single(y, v) || !c.changes(x) ||
			!c.changes(y) {
			return base.Faultf(c.op(x, y), "they need not take away the same value, which has one origin")
		}
		return nil
	case proof.RegisterBackwards:
		return c.backwards(x, r.Ops[1])
	case proof.RegisterEntangled:
		return c.entangled(r.Ops)
	}
	return c.between(x, r.Ops[1], r.Ops[2])
}

// backwards: both are in one block, where each value is left before it is seen, seen before it is
// taken, and there is one way from the root (or else two take the same value, and the history is
// refuted all the more).
func (c *cell) backwards(x, y history.OpID) error {
	if !c.certain(x) || !c.certain(y) || !c.precedes(y, x) {
		return base.Faultf(c.op(x, y), "one need not take effect, or the second does not precede the first")
	}
	a, first, err := c.root(x)
	if err != nil {
		return err
	}
	b, second, err := c.root(y)
	if err != nil {
		return err
	}
	if a != b || first >= second {
		return base.Faultf(c.op(x, y),
			"the first need not come first: they are of different blocks, or after %d and %d steps of one", first,
			second)
	}
	return nil
}

// entangled: a block is not interrupted, so one of two blocks is over before the other begins. Here
// an operation of each precedes one of the other.
func (c *cell) entangled(ops []history.OpID) error {
	var roots [4]history.OpID
	for k, i := range ops {
		if i == proof.Initial {
			if c.leaves[c.initial] > 1 {
				return base.Faultf(c.op(ops...), "%d operations leave the initial value, too", c.leaves[c.initial]-1)
			}
			roots[k] = proof.Initial
			continue
		}
		if i == proof.NoOp {
			continue
		}
		if !c.certain(i) {
			return base.Faultf(c.op(i), "it need not take effect")
		}
		var err error
		if roots[k], _, err = c.root(i); err != nil {
			return err
		}
	}
	for _, pair := range [2]int{0, 2} {
		if ops[pair] == proof.NoOp {
			return base.Faultf(c.op(ops...), "a block begins after the end")
		}
		if ops[pair+1] == proof.NoOp {
			roots[pair+1] = roots[pair]
			if err := c.endless(roots[pair]); err != nil {
				return err
			}
		}
	}
	if roots[0] != roots[1] || roots[2] != roots[3] || roots[0] == roots[2] {
		return base.Faultf(c.op(ops...), "they are not two and two of different blocks")
	}
	if !c.precedes(ops[0], ops[3]) || !c.precedes(ops[2], ops[1]) {
		return base.Faultf(c.op(ops...), "the first does not precede the fourth, or the third the second")
	}
	return nil
}

// endless checks that the block of a root, once begun, lasts for ever: all changes are by
// operations that find one value, each value so taken away, but the initial one, has at most one
// origin, and none that comes from this root leaves the initial value. So after the root every
// change is by one that comes from it, and the cell never holds the initial value again, with which
// any other block would have to begin.
func (c *cell) endless(root history.OpID) error {
	switch {
	case root < 0 || c.finds(root) != c.initial || !c.changes(root) || c.leaves[c.initial] < 2:
		return base.Faultf(c.op(root),
			"the block that has no end does not begin with an operation that takes away the initial value, which "+
				"comes back")
	case c.blind:
		return base.Faultf(c.op(root), "blind writes may end its block")
	}
	for _, i := range c.ops {
		if len(c.theory.Of(i)) > 1 {
			return base.Faultf(c.op(root, i),
				"the second has several possible outcomes, so it may end the block of the first")
		}
		for _, m := range c.theory.Of(i) {
			if m.Leaves == model.Keep || m.Leaves == m.V {
				continue
			}
			if m.V != c.initial && c.leaves[m.V] > 1 {
				return base.Faultf(c.op(root, i),
					"what the second takes away has %d origins, so it may end the block of the first", c.leaves[m.V])
			}
			if m.Leaves != c.initial {
				continue
			}
			from, _, err := c.root(i)
			if err != nil && !errors.Is(err, errCircle) {
				return err
			}
			if err == nil && from == root {
				return base.Faultf(c.op(root, i), "the second may end the block of the first")
			}
		}
	}
	return nil
}

// between: from a, which left or saw a value that is left once, to b, which finds it, the cell
// holds it.
func (c *cell) between(a, x, b history.OpID) error {
	if x < 0 || c.part.Ops[x].Pending() || !c.certain(b) {
		return base.Faultf(c.op(a, x, b), "the second or the third need not take effect")
	}
	modes := c.theory.Of(x)
	if len(modes) != 1 || modes[0].Test != model.Not {
		return base.Faultf(c.op(x), "it may find the value")
	}
	v := modes[0].V
	if !c.single(b, v) {
		return base.Faultf(c.op(x, b), "the second does not find what the first excludes, or %d operations leave it",
			c.leaves[v])
	}
	if a != c.sole[v] && !(a >= 0 && c.certain(a) && c.finds(a) == v && !c.changes(a)) {
		return base.Faultf(c.op(a, b), "the first neither leaves nor sees what the second finds")
	}
	if !c.precedes(a, x) || !c.precedes(x, b) {
		return base.Faultf(c.op(a, x, b), "they do not precede one another")
	}
	return nil
}
