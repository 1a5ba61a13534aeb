package specs

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Plain operations of collections.
//
// What: most operations insert something and returned nothing, or returned a number or a value that
// was met before. These are resolved in one loop, by the number of their name. All others are
// resolved one by one, and so is the first of each name.
//
// How: which of both an operation is, and whether it inserts a new value, is as good as random. So
// the loop has no branch on that: argument and result are chosen, and a number is given, without
// one. Values are numbered in the order in which they are met, as ever.
//
// Invariant: what is resolved here is resolved as by contents.resolve
// (TestPlainOperationsAreBoundLikeOthers).

// plainName is what the plain operations of a name do.
type plainName struct {
	verb    int8
	does    model.Action
	known   bool
	inserts bool // its value is its argument, else its result
	bare    bool // the other of both has to be null
}

// plainNames are by the number of a name.
type plainNames [quickNames]plainName

// of returns what plain operations of the name of o do; nil if it is not known or o has no result.
func (names *plainNames) of(o *history.Op) *plainName {
	if f := uint32(o.F); f < quickNames && names[f].known && !o.Unknown {
		return &names[f]
	}
	return nil
}

// resolvePlain resolves plain operations from position k on, and returns where it ended: at one
// that is not plain, or behind the last.
func (c *contents) resolvePlain(names *plainNames, k int) int {
	ops, direct := c.part.Ops, c.numbers.direct
	if direct == nil || len(c.lists) > 0 {
		return k
	}
	table := c.part.History.Values
	checked := c.element.check != nil
	count := int32(len(c.numbers.values))
	// Each operation writes one value, which may be known. Initial values have taken some room.
	values := slices.Grow(c.numbers.values, min(len(ops)-k, table.Len()-int(count))+1)
	values = values[:cap(values)]
	does, numbers, verb := c.does[:len(ops)], c.value[:len(ops)], c.verb[:len(ops)]
	for ; k < len(ops); k++ {
		o := &ops[k]
		name := names.of(o)
		if name == nil || checked && name.inserts {
			break
		}
		v, other := o.Result, o.Arg
		if name.inserts {
			v, other = other, v
		}
		number := direct[v]
		if v == history.Nil || both(other != history.Nil, name.bare) {
			break
		}
		if both(number == 0, !name.inserts) { // it may be a word for failure, or no element
			if _, isInt := table.AsInt(v); !isInt || checked {
				break
			}
		}
		values[count] = v
		next := count + 1
		if number != 0 {
			next = count
		}
		if number == 0 {
			number = next
		}
		direct[v] = number
		does[k], numbers[k], verb[k] = name.does, number-1, name.verb
		count = next
	}
	c.numbers.values = values[:count]
	return k
}
