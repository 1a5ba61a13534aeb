package verify

// Orders.
//
// What: checks that an order has the operations that it must have, extends that of the history, and
// lets every operation find what its results say.
//
// Cost: O(n), and of weakly regular questions O(n log n).

import (
	"math"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/verify/base"
)

// Order checks that an order shows that the answer for object k is yes.
func (v *Verifier) Order(k int, q stale.Question, order *stale.Order) error {
	j := &judged{v, &v.h.Objects[k], q}
	if order.Object != j.o.Name {
		return base.Faultf(order.Object, "its order stands where that of %s should", j.title())
	}
	if j.regular() {
		if err := j.readsAndWrites(); err != nil {
			return err
		}
	}
	if j.q.Kind == stale.WeaklyRegular {
		return j.sources(order.Sources)
	}
	sequence, err := j.complete(order.Operations)
	if err != nil {
		return err
	}
	if j.q.Kind == stale.Regular {
		err = j.extendsRegular(sequence)
	} else {
		err = j.extends(sequence)
	}
	if err != nil {
		return err
	}
	return j.replay(sequence, order.Late)
}

// complete checks that the operations are of the object, each once, all completed ones among them.
func (j *judged) complete(ids []history.OpID) ([]*stale.Op, error) {
	sequence, taken := make([]*stale.Op, len(ids)), make([]bool, len(j.o.Ops))
	for k, id := range ids {
		at, err := j.find(id)
		if err != nil {
			return nil, err
		}
		if taken[at] {
			return nil, base.Faultf(j.name(id), "it stands there twice")
		}
		taken[at], sequence[k] = true, &j.o.Ops[at]
	}
	for at := range j.o.Ops {
		if o := &j.o.Ops[at]; !taken[at] && !o.Pending() {
			return nil, base.Faultf(j.name(o.ID), "it returned, and is missing")
		}
	}
	return sequence, nil
}

// extends checks that none of the operations precedes one that stands before it.
func (j *judged) extends(sequence []*stale.Op) error {
	moved := j.q.Kind == stale.Moved && j.q.Bound > 0
	// Of those so far, the one called last, and the same of the reads that are moved.
	var latest, read *stale.Op
	for _, o := range sequence {
		for _, before := range [...]*stale.Op{latest, read} {
			if before != nil && j.precedes(o, before) {
				return j.misplaced(o, before)
			}
		}
		switch {
		case moved && o.Read:
			if read == nil || o.Call > read.Call {
				read = o
			}
		case latest == nil || o.Call > latest.Call:
			latest = o
		}
	}
	return nil
}

func (j *judged) misplaced(o, before *stale.Op) error {
	return base.Faultf(j.name(o.ID), "it comes after %s, which it precedes", j.name(before.ID))
}

// extendsRegular is extends where reads are in no order with each other.
func (j *judged) extendsRegular(sequence []*stale.Op) error {
	var latest *stale.Op // write
	for _, o := range sequence {
		if latest != nil && j.precedes(o, latest) {
			return j.misplaced(o, latest)
		}
		if !o.Read && (latest == nil || o.Call > latest.Call) {
			latest = o
		}
	}
	var first *stale.Op // write, of those behind
	for _, o := range slices.Backward(sequence) {
		if first != nil && j.precedes(first, o) {
			return j.misplaced(first, o)
		}
		if !o.Read && (first == nil || o.Return < first.Return) {
			first = o
		}
	}
	return nil
}

// replay checks that every operation finds what it should, a read among the last versions, and that
// late says which reads do not find the last one.
func (j *judged) replay(sequence []*stale.Op, late []stale.Lateness) error {
	versions := []int32{j.o.Initial}
	bound := 0
	if j.q.Kind == stale.Late {
		bound = int(min(j.q.Bound, math.MaxInt32))
	}
	for _, o := range sequence {
		if o.Read {
			by, most := 0, min(bound, len(versions)-1)
			for by <= most && !o.Modes[0].Allows(versions[len(versions)-1-by]) {
				by++
			}
			if by > most {
				return base.Faultf(j.name(o.ID), "it returns none of the last %d versions", most+1)
			}
			if by > 0 {
				if len(late) == 0 || late[0] != (stale.Lateness{Read: o.ID, By: int32(by)}) {
					return base.Faultf(j.name(o.ID), "it is late by %d, which is not said", by)
				}
				late = late[1:]
			}
			continue
		}
		k := slices.IndexFunc(o.Modes, func(m model.Mode) bool { return m.Allows(versions[len(versions)-1]) })
		if k < 0 {
			return base.Faultf(j.name(o.ID), "it does not find what it should")
		}
		if v := o.Modes[k].Leaves; v != model.Keep {
			versions = append(versions, v)
		}
	}
	if len(late) > 0 {
		return base.Faultf(j.name(late[0].Read), "it is not late by %d there", late[0].By)
	}
	return nil
}

// sources checks the writes that reads return, each in an order of its own: the write of a read is
// not behind it, and no other one is between them whatever the order.
func (j *judged) sources(sources []stale.Source) error {
	var writes []*stale.Op
	for i := range j.o.Ops {
		if !j.o.Ops[i].Read {
			writes = append(writes, &j.o.Ops[i])
		}
	}
	sort.Slice(writes, func(i, j int) bool { return writes[i].Return < writes[j].Return })
	var latest *stale.Op // of the writes that precede the read, the one called last
	for i := range j.o.Ops {
		read := &j.o.Ops[i]
		if !read.Read {
			continue
		}
		for ; len(writes) > 0 && writes[0].Return < read.Call; writes = writes[1:] {
			if latest == nil || writes[0].Call > latest.Call {
				latest = writes[0]
			}
		}
		if len(sources) == 0 || sources[0].Read != read.ID {
			return base.Faultf(j.name(read.ID), "what it returns is not said")
		}
		source, value, over := sources[0].Write, j.o.Initial, latest != nil
		if source >= 0 {
			at, err := j.find(source)
			if err != nil {
				return err
			}
			w := &j.o.Ops[at]
			if w.Read || j.precedes(read, w) {
				return base.Faultf(j.name(read.ID), "it cannot return %s", j.name(source))
			}
			value, over = w.Modes[0].Leaves, latest != nil && j.precedes(w, latest)
		}
		if over || !read.Modes[0].Allows(value) {
			return base.Faultf(j.name(read.ID), "it does not return what its source left, or that was overwritten")
		}
		sources = sources[1:]
	}
	if len(sources) > 0 {
		return base.Faultf(j.name(sources[0].Read), "it has a source, and is none of the reads")
	}
	return nil
}
