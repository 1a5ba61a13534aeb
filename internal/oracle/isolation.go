package oracle

import (
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/internal/isolation"
)

// Isolation of transactions, from the axioms of isolation.Level.
//
// What: all commit orders are tried, with every set of open transactions that take effect, and in
// each of them all sources of what was read. Transactions are appended to the order one by one,
// and the axioms of a transaction are about it and those before it only, so they are judged when
// it is appended.
//
// At every level
//   - a read after a write of its own transaction shows that write, and one after appends of its
//     own ends in just these; neither says more;
//   - any other read of a register is from a transaction earlier in the commit order, committed, or
//     open and in the order, whose last write of the register is what it shows, or from the start;
//   - any other read of a list, and the rest of one that ends in own appends, is from such a
//     transaction s that appends to it, and shows exactly what all up to s in the commit order
//     append to it, in that order; it is from the start if it shows nothing.
//
// A transaction writes an object, in the axioms, if it writes or appends to it. With lists, "w
// before s", where s is the source of a read, therefore says that the read shows what w appended.
//
// Under parallel snapshot isolation there is no commit order, but visibility, a partial order. What
// is appended to the sequence is a transaction with the set of those visible to it: all orders
// that visibility can have with all sets. A read of a register is from the last visible one that
// writes it, and a read of a list shows what all visible ones append. Of two that write one object
// one is visible to the other, so none of this depends on the sequence beside its visibility: a
// beginning with the sets of one that failed fails.

// Isolated reports whether a history of at most 64 transactions is at a level.
func Isolated(h *isolation.History, l isolation.Level) bool {
	o := &commits{h: h, level: l, txns: make([]txnInOrder, len(h.Txns))}
	for i := range h.Txns {
		x := &o.txns[i]
		var consistent bool
		if x.reads, consistent = externalReads(h, &h.Txns[i]); !consistent {
			return false
		}
		x.sources = make([]int32, len(x.reads))
		x.writes = make([]bool, len(h.Objects))
		for _, a := range h.Txns[i].Accesses {
			x.writes[a.Object] = x.writes[a.Object] || a.Kind != isolation.Read
		}
	}
	if l.Model == isolation.ParallelSnapshot {
		o.failed = map[string]bool{}
		return o.nextVisible()
	}
	return o.next()
}

// externalRead is what a transaction read that it did not write itself.
type externalRead struct {
	object int32
	value  int32   // of a register
	list   []int32 // of a list, without own appends
}

// externalReads lists the external reads of a transaction that committed. It returns false if
// another read is not of what the transaction itself wrote.
func externalReads(h *isolation.History, x *isolation.Txn) (reads []externalRead, consistent bool) {
	if x.Status != isolation.Committed {
		return nil, true
	}
	written := map[int32]int32{}
	appended := map[int32][]int32{}
	for _, a := range x.Accesses {
		own := appended[a.Object]
		switch last, wrote := written[a.Object]; {
		case a.Kind == isolation.Write:
			written[a.Object] = a.Value
		case a.Kind == isolation.Append:
			appended[a.Object] = append(own, a.Value)
		case h.Objects[a.Object].List:
			others := len(a.List) - len(own)
			if others < 0 || !slices.Equal(a.List[others:], own) {
				return nil, false
			}
			reads = append(reads, externalRead{object: a.Object, list: a.List[:others]})
		case !wrote:
			reads = append(reads, externalRead{object: a.Object, value: a.Value})
		case last != a.Value:
			return nil, false
		}
	}
	return reads, true
}

// commits is a beginning of a commit order, or of a sequence that extends visibility.
type commits struct {
	h     *isolation.History
	level isolation.Level
	order []int32
	txns  []txnInOrder
	// failed are beginnings of sequences that cannot be completed: by transaction the set of those
	// that are visible to it, with itself; 0 if it is not in the sequence.
	failed map[string]bool
}

// txnInOrder is a transaction. Sets of transactions are bits.
type txnInOrder struct {
	reads   []externalRead
	writes  []bool  // by object
	sources []int32 // of the reads
	place   int     // in the order, from 1; 0 if it is not in it
	reached uint64  // those from which Given and reads-from lead to it
	visible uint64
}

// complete reports whether all that committed are in the order.
func (o *commits) complete() bool {
	for i := range o.txns {
		if o.h.Txns[i].Status == isolation.Committed && o.txns[i].place == 0 {
			return false
		}
	}
	return true
}

// append puts a transaction at the end of the order, unless it is there, aborted, or has to be
// before one that is there.
func (o *commits) append(i int32) bool {
	if o.h.Txns[i].Status == isolation.Aborted || o.txns[i].place > 0 {
		return false
	}
	for _, j := range o.order {
		if o.h.GivenBefore(o.level.Given, i, j) {
			return false
		}
	}
	o.order = append(o.order, i)
	o.txns[i].place = len(o.order)
	return true
}

func (o *commits) remove(i int32) {
	o.order = o.order[:len(o.order)-1]
	o.txns[i].place = 0
}

// next reports whether the order can be completed.
func (o *commits) next() bool {
	if o.complete() {
		return true
	}
	for i := range int32(len(o.txns)) {
		if !o.append(i) {
			continue
		}
		if o.read(i, 0) {
			return true
		}
		o.remove(i)
	}
	return false
}

// read reports whether reads of i from number k on have sources with which the order can be
// completed.
func (o *commits) read(i int32, k int) bool {
	x := &o.txns[i]
	if k == len(x.reads) {
		return o.holds(i) && o.next()
	}
	for _, s := range append([]int32{isolation.Initial}, o.order...) {
		if s != i && o.shows(s, &x.reads[k]) {
			if x.sources[k] = s; o.read(i, k+1) {
				return true
			}
		}
	}
	return false
}

// shows reports whether a read can be from s in this order.
func (o *commits) shows(s int32, r *externalRead) bool {
	if !o.h.Objects[r.object].List {
		if s == isolation.Initial {
			return o.h.Objects[r.object].Initial == r.value
		}
		written, ok := o.lastWrite(s, r.object)
		return ok && written == r.value
	}
	if s == isolation.Initial {
		return len(r.list) == 0
	}
	return o.txns[s].writes[r.object] && slices.Equal(r.list, o.appended(o.order[:o.txns[s].place], r.object))
}

// lastWrite returns the last value that a transaction writes to a register.
func (o *commits) lastWrite(s, object int32) (value int32, ok bool) {
	for _, a := range o.h.Txns[s].Accesses {
		if a.Kind == isolation.Write && a.Object == object {
			value, ok = a.Value, true
		}
	}
	return value, ok
}

// appended lists what transactions append to a list.
func (o *commits) appended(txns []int32, object int32) (list []int32) {
	for _, s := range txns {
		for _, a := range o.h.Txns[s].Accesses {
			if a.Kind == isolation.Append && a.Object == object {
				list = append(list, a.Value)
			}
		}
	}
	return list
}

// given reports whether w is Given before i.
func (o *commits) given(w, i int32) bool { return o.h.GivenBefore(o.level.Given, w, i) }

// holds reports whether the axioms hold for i, the last of the order: each other transaction that
// writes what i reads and that i has to see comes before the source of the read.
func (o *commits) holds(i int32) bool {
	x := &o.txns[i]
	x.reached = 0
	for _, j := range o.order {
		if j != i && (o.given(j, i) || slices.Contains(x.sources, j)) {
			x.reached |= 1<<j | o.txns[j].reached
		}
	}
	for k, r := range x.reads {
		from := 0 // the place of the source; Initial is before all
		if s := x.sources[k]; s != isolation.Initial {
			from = o.txns[s].place
		}
		for _, w := range o.order {
			if w != i && o.txns[w].writes[r.object] && o.txns[w].place > from && o.seen(w, i, k) {
				return false
			}
		}
	}
	return true
}

// seen reports whether i has to see w in its read k.
func (o *commits) seen(w, i int32, k int) bool {
	x := &o.txns[i]
	switch o.level.Model {
	case isolation.ReadCommitted:
		return slices.Contains(x.sources[:k], w)
	case isolation.ReadAtomic:
		return o.given(w, i) || slices.Contains(x.sources, w)
	case isolation.Causal:
		return x.reached&(1<<w) != 0
	case isolation.Serializable:
		return true
	}
	for _, p := range o.order[o.txns[w].place-1:] { // w, and those that it comes before
		if p == i {
			continue
		}
		if o.given(p, i) || slices.Contains(x.sources, p) {
			return true
		}
		if o.level.Model == isolation.Snapshot && o.conflict(p, i) {
			return true
		}
	}
	return false
}

// conflict reports whether two transactions write one object.
func (o *commits) conflict(p, i int32) bool {
	for object, writes := range o.txns[i].writes {
		if writes && o.txns[p].writes[object] {
			return true
		}
	}
	return false
}

// nextVisible reports whether the sequence can be completed, with sets of visible transactions.
func (o *commits) nextVisible() bool {
	if o.complete() {
		return true
	}
	var sets []byte
	for i, x := range o.txns {
		if x.place == 0 {
			x.visible = 0
		} else {
			x.visible |= 1 << i
		}
		sets = binary.LittleEndian.AppendUint64(sets, x.visible)
	}
	if o.failed[string(sets)] {
		return false
	}
	for i := range int32(len(o.txns)) {
		if !o.append(i) {
			continue
		}
		for set := range uint64(1) << (len(o.order) - 1) {
			if o.txns[i].visible = o.among(set); o.sees(i) && o.nextVisible() {
				return true
			}
		}
		o.remove(i)
	}
	o.failed[string(sets)] = true
	return false
}

// among returns the transactions at those places of the order that are bits of a set.
func (o *commits) among(set uint64) (txns uint64) {
	for k, j := range o.order {
		if set&(1<<k) != 0 {
			txns |= 1 << j
		}
	}
	return txns
}

// sees reports whether i, the last of the sequence, can see those that are visible to it: with
// them what they see, all that are Given before it, and all that write what it writes; and whether
// it reads what they wrote.
func (o *commits) sees(i int32) bool {
	x := &o.txns[i]
	var visible []int32
	for _, j := range o.order {
		switch {
		case j == i:
		case x.visible&(1<<j) == 0:
			if o.given(j, i) || o.conflict(j, i) {
				return false
			}
		case o.txns[j].visible&^x.visible != 0:
			return false
		default:
			visible = append(visible, j)
		}
	}
	for _, r := range x.reads {
		if o.h.Objects[r.object].List {
			if !slices.Equal(r.list, o.appended(visible, r.object)) {
				return false
			}
			continue
		}
		value := o.h.Objects[r.object].Initial
		for _, j := range visible {
			if written, ok := o.lastWrite(j, r.object); ok {
				value = written
			}
		}
		if value != r.value {
			return false
		}
	}
	return true
}
