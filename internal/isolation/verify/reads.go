package verify

import "github.com/linsat/linsat/internal/isolation"

// reader goes through the accesses of one transaction after the other, and tells what it reads of
// others from what it wrote itself.
type reader struct {
	names
	round int32
	wrote []int32 // by object: the round in which it was written last,
	last  []int32 // and the access that did
	prev  []int32 // by access: the one that appended to the same object before, or -1
}

func newReader(h *isolation.History) *reader {
	return &reader{names: names{h}, wrote: make([]int32, len(h.Objects)), last: make([]int32, len(h.Objects))}
}

// read is a read, and the others' part of it where it is of a list.
type read struct {
	access int32
	part   []int32
	shows  shows
}

// shows says of whom a read is.
type shows int8

const (
	others   shows = iota // of a list, those before the reader's own
	itself                // the value of a register that the transaction wrote before
	conflict              // not what the transaction wrote before
)

// each yields the reads of t in their order. It ends with the first error.
func (r *reader) each(t int32, yield func(read) error) error {
	r.round++
	r.prev = r.prev[:0]
	for j, a := range r.h.Txns[t].Accesses {
		j, x, before := int32(j), a.Object, int32(-1)
		if r.wrote[x] == r.round {
			before = r.last[x]
		}
		r.prev = append(r.prev, before)
		if a.Kind != isolation.Read {
			r.wrote[x], r.last[x] = r.round, j
			continue
		}
		one := read{access: j}
		switch {
		case r.h.Objects[x].List:
			one.part, one.shows = r.others(t, a.List, before)
		case before >= 0 && r.h.Txns[t].Accesses[before].Value == a.Value:
			one.shows = itself
		case before >= 0:
			one.shows = conflict
		}
		if err := yield(one); err != nil {
			return err
		}
	}
	return nil
}

// others returns the list without what t appended, the last of it at access k, if it ends so.
func (r *reader) others(t int32, list []int32, k int32) ([]int32, shows) {
	for ; k >= 0; k = r.prev[k] {
		n := len(list)
		if n == 0 || list[n-1] != r.h.Txns[t].Accesses[k].Value {
			return nil, conflict
		}
		list = list[:n-1]
	}
	return list, others
}

// lasting calls f for what t writes that lasts: the last write of each register, and every append.
func (r *reader) lasting(t int32, f func(x, value int32)) {
	r.round++
	all := r.h.Txns[t].Accesses
	for j := len(all) - 1; j >= 0; j-- {
		if a := all[j]; a.Kind == isolation.Write && r.wrote[a.Object] != r.round {
			r.wrote[a.Object] = r.round
			f(a.Object, a.Value)
		}
	}
	for _, a := range all {
		if a.Kind == isolation.Append {
			f(a.Object, a.Value)
		}
	}
}
