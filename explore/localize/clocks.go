package localize

import (
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/internal/schedule"
)

// Two prefixes of schedules are equivalent if they consist of the same accesses and order any two
// dependent ones alike. Accesses of different threads are dependent if they conflict, or if one
// returns from an operation and the other calls one. Equivalent prefixes lead to the same state,
// and whatever follows gives the same results and the same order between operations; so the trees
// below them carry the same labels (Mazurkiewicz' traces, with the dependence of calls and returns
// that keeps interval orders).
//
// The key of a prefix holds, for every access, by thread, the number of accesses of each thread
// that precede it in the partial order which the dependent pairs generate, and the data choices
// after it. The locations need not be in it: threads are deterministic, so an access is determined
// by those before it and the choices.
//
// Invariant, tested: equal keys, equal multisets of labelled subtrees (merging changes no label and
// no count).

// dependent reports whether the order of two adjacent accesses of different threads matters.
func dependent(a, b *schedule.Access) bool {
	return a.Conflicts(b) || a.Last && b.First || a.First && b.Last
}

// clocks holds, for each access of the current prefix, how many accesses of each thread precede it,
// itself included.
type clocks struct {
	accesses []schedule.Access
	rows     [][]uint16
}

// cut drops the accesses from n on.
func (c *clocks) cut(n int) {
	if n < len(c.accesses) {
		c.accesses = c.accesses[:n]
	}
}

// add adds the accesses beyond those it has.
func (c *clocks) add(all []schedule.Access) {
	for i := len(c.accesses); i < len(all); i++ {
		a := all[i]
		if i == len(c.rows) {
			c.rows = append(c.rows, nil)
		}
		row := c.rows[i][:0]
		for j := i - 1; j >= 0; j-- {
			b := &c.accesses[j]
			if b.Thread == a.Thread || !includes(row, b.Thread, c.rows[j]) && dependent(&a, b) {
				row = join(row, c.rows[j])
			}
		}
		for len(row) <= int(a.Thread) {
			row = append(row, 0)
		}
		row[a.Thread]++
		c.rows[i] = row
		c.accesses = append(c.accesses, a)
	}
}

// includes reports whether row counts the access of a thread whose row is given.
func includes(row []uint16, thread int32, of []uint16) bool {
	return int(thread) < len(row) && row[thread] >= of[thread]
}

func join(row, with []uint16) []uint16 {
	for len(row) < len(with) {
		row = append(row, 0)
	}
	for t, n := range with {
		row[t] = max(row[t], n)
	}
	return row
}

// key appends the key of the prefix. choices[i] are the data choices made after i accesses.
func (c *clocks) key(dst []byte, choices []choice) []byte {
	threads := int32(0)
	for i := range c.accesses {
		threads = max(threads, c.accesses[i].Thread+1)
	}
	dst = appendChoices(dst, choices, 0)
	for t := range threads {
		for i := range c.accesses {
			if c.accesses[i].Thread != t {
				continue
			}
			for u, n := range c.rows[i] {
				if int32(u) != t {
					dst = binary.AppendUvarint(dst, uint64(n)<<1)
				}
			}
			dst = appendChoices(dst, choices, i+1)
			dst = append(dst, 3)
		}
		dst = append(dst, 1)
	}
	return dst
}

// choice is the outcome of Memory.Choose after that many accesses.
type choice struct {
	after int
	value int32
}

func appendChoices(dst []byte, choices []choice, after int) []byte {
	from, _ := slices.BinarySearchFunc(choices, after, func(c choice, n int) int { return c.after - n })
	for ; from < len(choices) && choices[from].after == after; from++ {
		dst = binary.AppendUvarint(append(dst, 5), uint64(choices[from].value))
	}
	return dst
}
