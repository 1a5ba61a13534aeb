package verify

// Contents of a stack, many at a time (saturation.go). A set of contents says, for each value that
// can be on top, in which set the contents below are; the empty stack has model.Nothing on top.
// Equal sets have one number: that of their first pair of a value and what is below, with the
// number of the set of the other pairs, whose values are greater. These are the deterministic
// automata of sequence binary decision diagrams (Loekito, Bailey and Pei, 2010).

import "github.com/linsat/linsat/internal/model"

const (
	noContents = 0 // the set without contents
	emptyStack = 1 // the set of the empty stack
)

// contentsID numbers sets of contents.
type contentsID int32

// topmost is a value on top, the set of what is below, and the set of the contents with a greater
// value on top.
type topmost struct {
	value         int32
	below, others contentsID
}

// contentSets are sets of contents by number.
type contentSets struct {
	first  numbering[topmost] // the first pair of each
	united []united           // by hash, the last one; the size is a power of two
	work   int                // unions that were computed
	height int                // of the one that is computed
	tooBig bool
}

// united is a union that was computed.
type united struct{ a, b, union contentsID }

func newContentSets() *contentSets {
	c := &contentSets{united: make([]united, fewUnited)}
	c.set(topmost{})
	c.set(topmost{value: model.Nothing})
	return c
}

// set returns the number of a set.
func (c *contentSets) set(t topmost) contentsID {
	return c.first.find(t, hashOf(uint64(uint32(t.value)), uint64(uint32(t.below))<<32|uint64(uint32(t.others))))
}

// at returns the first pair of a set that is not empty.
func (c *contentSets) at(set contentsID) topmost { return c.first.keys[set] }

// onto returns the contents of a set with a value on top.
func (c *contentSets) onto(value int32, set contentsID) contentsID {
	if set == noContents {
		return noContents
	}
	return c.set(topmost{value: value, below: set})
}

// only returns the contents of a set with a value on top.
func (c *contentSets) only(value int32, set contentsID) contentsID {
	for set != noContents {
		t := c.at(set)
		if t.value == value {
			return c.set(topmost{value: value, below: t.below})
		}
		set = t.others
	}
	return noContents
}

// but returns the contents of a set that do not have a value on top.
func (c *contentSets) but(value int32, set contentsID) contentsID {
	if set == noContents {
		return noContents
	}
	t := c.at(set)
	if t.value == value {
		return t.others
	}
	t.others = c.but(value, t.others)
	return c.set(t)
}

// union returns the contents that are in either set. Beyond the limits tooBig is set, and the
// result is wrong.
func (c *contentSets) union(a, b contentsID) contentsID {
	a, b = min(a, b), max(a, b)
	if a == b || a == noContents {
		return b
	}
	hash := (uint64(a)<<32 | uint64(b)) * 0x9e3779b97f4a7c15 >> 32
	if u := c.united[hash&uint64(len(c.united)-1)]; u.a == a && u.b == b {
		return u.union
	}
	if c.work++; c.work > maxUnions || c.height > maxHeight {
		c.tooBig = true
	}
	if c.tooBig {
		return b
	}
	c.height++
	x, y := c.at(a), c.at(b)
	switch {
	case x.value < y.value:
		x.others = c.union(x.others, b)
	case x.value > y.value:
		y.others = c.union(a, y.others)
		x = y
	default:
		x.below, x.others = c.union(x.below, y.below), c.union(x.others, y.others)
	}
	c.height--
	n := c.set(x)
	if len(c.united) < min(len(c.first.keys), mostUnited) {
		c.united = make([]united, 4*len(c.united))
	}
	c.united[hash&uint64(len(c.united)-1)] = united{a, b, n}
	return n
}
