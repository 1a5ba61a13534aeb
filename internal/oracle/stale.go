package oracle

import (
	"math/big"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Stale reads of one cell, a register, a key of a map or an element of a set, from the definitions.
//
// What an operation does is one of its modes in the theory of cells. A mode that leaves a value
// behind makes a version; what was there at the start is the first version.

// cell is a partition that is one cell, with the order that its operations must keep.
type cell struct {
	*order
	theory  *model.RegisterTheory
	read    func(op history.OpID) bool
	initial int32
}

func cellOf(b *model.Instance, read func(op history.OpID) bool) *cell {
	theory := b.Theory.(*model.RegisterTheory)
	initial := theory.Init[0]
	for _, x := range theory.Object {
		initial = theory.Init[x]
	}
	return &cell{order: orderOf(b.Partition), theory: theory, read: read, initial: initial}
}

// StaleLinearizable reports whether the partition is quasi-linearizable (Afek, Korland and
// Yanovsky, Definition 3) where the sets that are bounded are, for each read, that read and all
// operations that make a version, with bound k, and all operations but the reads, with bound 0, and
// where a read moves only to the front: there is a total order ρ′ of the completed and some pending
// operations that extends the order of the partition, and a legal sequence ρ″ of the same
// operations, and of no set does an operation move by more than its bound. It returns both.
func StaleLinearizable(b *model.Instance, read func(op history.OpID) bool, k int) (ok bool, before,
	after []history.OpID) {
	return cellOf(b, read).stale(k)
}

// MovedLinearizable reports whether the partition is linearizable once every read is called earlier
// by delta (Golab, Li and Shah, PODC 2011): what returned at that time or later no longer comes
// before it. Times are those of the input.
func MovedLinearizable(b *model.Instance, read func(op history.OpID) bool, delta int64) bool {
	c := cellOf(b, read)
	c.callEarlier(b.Partition, delta)
	ok, _, _ := c.stale(0)
	return ok
}

// callEarlier calls every read earlier by delta. A stated order is none of time, and stays.
func (c *cell) callEarlier(p *model.Partition, delta int64) {
	origin := func(i int) history.Origin { return p.History.Origins[p.Global(history.OpID(i))] }
	for r := range c.n {
		called := big.NewInt(origin(r).CallTime)
		called.Sub(called, big.NewInt(delta))
		for x := range c.n {
			stated := slices.Contains(p.Edges, history.Edge{Before: history.OpID(x), After: history.OpID(r)})
			if delta > 0 && !stated && c.read(history.OpID(r)) && c.preds[r]>>x&1 == 1 &&
				big.NewInt(origin(x).ReturnTime).Cmp(called) >= 0 {
				c.preds[r] &^= 1 << x
				c.succs[x] &^= 1 << r
			}
		}
	}
}

// LateInOrder is StaleLinearizable of a partition of several cells: one total order extends the
// order of the partition, every read returns one of the last k+1 versions of its cell before it,
// and all else finds the last. With moved, reads are called earlier by delta, as in
// MovedLinearizable.
func LateInOrder(b *model.Instance, read func(op history.OpID) bool, k int, moved bool, delta int64) bool {
	c := cellOf(b, read)
	if moved {
		c.callEarlier(b.Partition, delta)
	}
	return !c.choices(func(included uint64) bool {
		return c.each(included, func(order []history.OpID) bool {
			return c.modes(order, func(modes []model.Mode) bool {
				versions := make([][]int32, len(c.theory.Init))
				for x, v := range c.theory.Init {
					versions[x] = []int32{v}
				}
				for _, op := range order {
					x := c.theory.Object[op]
					last := versions[x][len(versions[x])-1:]
					if read(op) {
						last = versions[x][max(0, len(versions[x])-1-k):]
					}
					if !slices.ContainsFunc(last, modes[op].Allows) {
						return true
					}
					if modes[op].Leaves != model.Keep {
						versions[x] = append(versions[x], modes[op].Leaves)
					}
				}
				return false
			})
		})
	})
}

// stale is StaleLinearizable in the order of c.
func (c *cell) stale(k int) (ok bool, before, after []history.OpID) {
	none := c.choices(func(included uint64) bool {
		return c.each(included, func(order []history.OpID) bool {
			return c.modes(order, func(modes []model.Mode) bool {
				moved, ok := c.moveReads(order, modes, k)
				if !ok || !c.legal(moved, modes) || !c.within(order, moved, modes, k) {
					return true
				}
				before, after = slices.Clone(order), moved
				return false
			})
		})
	})
	return !none, before, after
}

// modes calls yield with every choice of a mode for each operation of the order, by operation.
func (c *cell) modes(order []history.OpID, yield func([]model.Mode) bool) bool {
	chosen := make([]model.Mode, c.n)
	var choose func(t int) bool
	choose = func(t int) bool {
		if t == len(order) {
			return yield(chosen)
		}
		for _, m := range c.theory.Of(order[t]) {
			chosen[order[t]] = m
			if !choose(t + 1) {
				return false
			}
		}
		return true
	}
	return choose(0)
}

// moveReads returns the order with every read that is not legal at its place moved to the nearest
// earlier version that it can have seen, at most k versions earlier, if each has one.
func (c *cell) moveReads(order []history.OpID, modes []model.Mode, k int) (moved []history.OpID, ok bool) {
	versions := []int32{c.initial}
	behind := [][]history.OpID{nil} // by version: what comes between it and the next one
	for _, op := range order {
		now := len(versions) - 1
		switch {
		case c.read(op):
			at := now
			for at >= max(0, now-k) && !modes[op].Allows(versions[at]) {
				at--
			}
			if at < max(0, now-k) {
				return nil, false
			}
			behind[at] = append(behind[at], op)
		case modes[op].Leaves == model.Keep:
			behind[now] = append(behind[now], op)
		default:
			versions = append(versions, modes[op].Leaves)
			behind = append(behind, []history.OpID{op})
		}
	}
	return slices.Concat(behind...), true
}

// legal reports whether each operation of a sequence finds what its mode requires.
func (c *cell) legal(sequence []history.OpID, modes []model.Mode) bool {
	value := c.initial
	for _, op := range sequence {
		if !modes[op].Allows(value) {
			return false
		}
		if modes[op].Leaves != model.Keep {
			value = modes[op].Leaves
		}
	}
	return true
}

// within reports whether, from before to after, no read moves by more than k places to the front
// among itself and the operations that make versions, or at all to the back, and whether the
// operations that are no reads keep their order.
func (c *cell) within(before, after []history.OpID, modes []model.Mode, k int) bool {
	place := func(sequence []history.OpID, read history.OpID) int {
		n := 0
		for _, op := range sequence[:slices.Index(sequence, read)] {
			if !c.read(op) && modes[op].Leaves != model.Keep {
				n++
			}
		}
		return n
	}
	for _, op := range before {
		if by := place(before, op) - place(after, op); c.read(op) && (by < 0 || by > k) {
			return false
		}
	}
	others := func(sequence []history.OpID) []history.OpID {
		return slices.DeleteFunc(slices.Clone(sequence), c.read)
	}
	return slices.Equal(others(before), others(after))
}

// Regular reports whether a partition of reads and writes is regular in the sense of MWRegWO (Shao,
// Welch, Pierce and Lee, SIAM J. Comput. 2011): the completed and some of the pending writes have
// one total order, and for each completed read there is a place in it, such that order and place
// extend the order of the partition among the writes and that read, and the read returns the value
// of the last write before it.
func Regular(b *model.Instance, read func(op history.OpID) bool) bool {
	c := cellOf(b, read)
	var reads uint64
	for i := range c.n {
		if read(history.OpID(i)) {
			reads |= 1 << i
		}
	}
	return !c.choices(func(included uint64) bool {
		return c.each(included&^reads, func(writes []history.OpID) bool {
			for i := range c.n {
				if (c.completed&reads)>>i&1 == 1 && !c.hasPlace(writes, history.OpID(i)) {
					return true
				}
			}
			return false
		})
	})
}

// WeaklyRegular is Regular in the sense of MWRegWeak: each read may have an order of its own.
func WeaklyRegular(b *model.Instance, read func(op history.OpID) bool) bool {
	c := cellOf(b, read)
	var reads uint64
	for i := range c.n {
		if read(history.OpID(i)) {
			reads |= 1 << i
		}
	}
	for i := range c.n {
		if (c.completed&reads)>>i&1 == 0 {
			continue
		}
		none := c.choices(func(included uint64) bool {
			return c.each(included&^reads, func(writes []history.OpID) bool {
				return !c.hasPlace(writes, history.OpID(i))
			})
		})
		if none {
			return false
		}
	}
	return true
}

// hasPlace reports whether a read has a place in an order of writes.
func (c *cell) hasPlace(writes []history.OpID, read history.OpID) bool {
	value := c.initial
	for t := 0; ; t++ {
		fits := c.theory.Of(read)[0].Allows(value)
		for s, w := range writes {
			if s < t && c.succs[read]>>uint(w)&1 == 1 || s >= t && c.preds[read]>>uint(w)&1 == 1 {
				fits = false
			}
		}
		if fits {
			return true
		}
		if t == len(writes) {
			return false
		}
		value = c.theory.Of(writes[t])[0].Leaves
	}
}
