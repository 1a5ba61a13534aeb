package encode

// Before anything is encoded: pending operations on registers that cannot help, and a count.
//
// A mode of a pending operation that leaves the value as it is need not happen. Nor need one that
// leaves a value which no test of another, possibly later operation accepts: if it is removed from
// a linearization, the operations up to the next change find another value than before, but none of
// them tests it (a test would have had to accept this one). Dropping one operation can make a mode
// of another useless, so this is repeated until nothing changes (chains of pending cas that lead
// nowhere).
//
// The count: the value of a cell can leave v only as often as it becomes v. k acquires of a lock
// need k−1 releases in any order; resolution takes exponentially many steps to see that.

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// reduce implements encoding.
func (c *registers) reduce(keep []history.OpID) ([]history.OpID, string) {
	for _, i := range keep {
		pending := c.part.Ops[i].Pending()
		c.modes[i] = simplify(c.theory.Of(i), pending)
		if len(c.modes[i]) == 0 && !pending {
			return nil, fmt.Sprintf("operation #%s contradicts itself", c.part.ID(i))
		}
	}
	c.dropUseless()
	if why := c.count(); why != "" {
		return nil, why
	}
	return slices.DeleteFunc(keep, func(i history.OpID) bool { return len(c.modes[i]) == 0 }), ""
}

// simplify returns the distinct modes; a mode with a value that is found and left becomes one with
// Keep. Of a pending operation it returns those that change something.
func simplify(modes []model.Mode, pending bool) []model.Mode {
	type short struct {
		test      model.Test
		v, leaves int32
	}
	var seen map[short]bool // of modes without further values; made for operations of many modes
	if len(modes) > 8 {
		seen = make(map[short]bool, len(modes))
	}
	out := make([]model.Mode, 0, len(modes))
	for _, m := range modes {
		if m.Test == model.Is && m.Leaves == m.V {
			m.Leaves = model.Keep
		}
		if pending && m.Leaves == model.Keep {
			continue
		}
		if seen != nil && (m.Test != model.Not || len(m.Others) == 0) {
			k := short{m.Test, m.V, m.Leaves}
			if m.Test == model.Any {
				k.v = 0
			}
			if seen[k] {
				continue
			}
			seen[k] = true
		} else if slices.ContainsFunc(out, func(x model.Mode) bool { return sameMode(x, m) }) {
			continue
		}
		out = append(out, m)
	}
	return out
}

func sameMode(x, y model.Mode) bool {
	switch {
	case x.Test != y.Test || x.Leaves != y.Leaves:
		return false
	case x.Test == model.Any:
		return true
	default:
		return x.V == y.V && (x.Test == model.Is || slices.Equal(x.Others, y.Others))
	}
}

// want is a test that some operation makes: for one value, or for anything else.
type want struct {
	cell  model.CellID
	value int32
}

const otherThan int32 = -1 // value of a want: the tests that are no Is

func (c *registers) wantOf(i history.OpID, m model.Mode) want {
	if m.Test == model.Is {
		return want{c.theory.Object[i], m.V}
	}
	return want{c.theory.Object[i], otherThan}
}

// dropUseless removes from pending operations the modes that cannot help.
func (c *registers) dropUseless() {
	latest := map[want]history.Rank{} // the latest return of the completed operations that want it
	var pending []history.OpID
	for i, modes := range c.modes {
		o := &c.part.Ops[i]
		if o.Pending() {
			if len(modes) > 0 {
				pending = append(pending, history.OpID(i))
			}
			continue
		}
		for _, m := range modes {
			if m.Test != model.Any {
				w := c.wantOf(history.OpID(i), m)
				latest[w] = max(latest[w], o.Return)
			}
		}
	}
	for dropped := true; dropped; {
		dropped = false
		wanted := map[want]int{} // by how many modes of pending operations
		for _, i := range pending {
			for _, m := range c.modes[i] {
				if m.Test != model.Any {
					wanted[c.wantOf(i, m)]++
				}
			}
		}
		for _, i := range pending {
			own := map[want]int{}
			for _, m := range c.modes[i] {
				if m.Test != model.Any {
					own[c.wantOf(i, m)]++
				}
			}
			kept := slices.DeleteFunc(c.modes[i], func(m model.Mode) bool {
				for _, w := range [...]want{{c.theory.Object[i], m.Leaves}, {c.theory.Object[i], otherThan}} {
					if latest[w] > c.part.Ops[i].Call || wanted[w] > own[w] {
						return false
					}
				}
				return true
			})
			dropped = dropped || len(kept) < len(c.modes[i])
			c.modes[i] = kept
		}
		pending = slices.DeleteFunc(pending, func(i history.OpID) bool { return len(c.modes[i]) == 0 })
	}
}

// count compares, for every value, how often a cell must leave it with how often it can become it.
func (c *registers) count() string {
	type balance struct {
		leave, come int
		by          int // the last operation counted in come
	}
	counts := map[want]*balance{}
	at := func(cell model.CellID, value int32) *balance {
		k := want{cell, value}
		if counts[k] == nil {
			counts[k] = &balance{by: -1}
		}
		return counts[k]
	}
	for i, modes := range c.modes {
		cell := c.theory.Object[i]
		if len(modes) == 1 && !c.part.Ops[i].Pending() {
			if m := modes[0]; m.Test == model.Is && m.Leaves != model.Keep {
				at(cell, m.V).leave++
			}
		}
		for _, m := range modes {
			if m.Leaves == model.Keep {
				continue
			}
			if n := at(cell, m.Leaves); n.by != i {
				n.come++
				n.by = i
			}
		}
	}
	for k, n := range counts {
		if c.theory.Init[k.cell] == k.value {
			n.come++
		}
		if n.leave > n.come {
			return fmt.Sprintf("%d operations change a value that the register can have only %d times", n.leave, n.come)
		}
	}
	return ""
}
