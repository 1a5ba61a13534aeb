package solve

import (
	"slices"

	iso "github.com/linsat/linsat/internal/isolation"
)

// read is a read of what others wrote.
type read struct {
	place  iso.Place
	object int32
	// from are those that can be its source, Initial first: one, or several if values repeat.
	from []int32
	// shown is how many elements of a list it shows that others appended.
	shown int32
}

// slot is what a transaction writes of an object, or the start of an object.
type slot struct {
	txn, object int32   // Initial for the start
	last        int32   // the access that writes it last
	times       int32   // how often it is written
	shown       int32   // how many of its appends the longest read shows, in their order
	version     int32   // where they begin in list.versions; -1 if none is shown
	readers     []int32 // positions in reads of those that are from it
	maybe       []int32 // of those that can be from it or from others
}

// list is what is known of the order of appends to an object.
type list struct {
	spine    iso.Place // the longest read
	longest  []int32   // what it shows of others
	versions []int32   // the transactions that appended it, neighbours once
	at       []int32   // by element of longest: position in versions
	unseen   []int32   // the others that append
	repeats  bool      // elements of it repeat, so that its versions are not known
	doubts   *doubtful
}

// digest is a history as an engine needs it: who reads what from whom, and who writes what.
type digest struct {
	h       *iso.History
	reads   []read
	first   []int32 // reads of transaction i are reads[first[i]:first[i+1]]
	slots   []slot
	own     []int32   // slots of transaction i are slots[own[i]:own[i+1]], by object
	start   []int32   // by object: the slot of its start
	writers [][]int32 // by object: transactions that write it and can take effect, ascending
	lists   []list    // by object
	gone    []bool    // aborted, or open and read by nobody
	// uncertain are open ones that nobody is known to read from, although somebody can.
	uncertain []bool
	// wrong is a clause without literals, if the history contradicts itself whatever the order.
	wrong *iso.Clause
	// optional are open transactions that append to a list and that are only read from, if at all,
	// where several can be the source.
	optional []int32
	repeats  bool // elements of some list do
	values   *values
	// unclear says why the history is not decided.
	unclear string
	limit   int64   // on the bytes of a table
	looks   int     // at accesses and slots: for tests
	shown   []int32 // by value: the list, plus one, whose longest read shows it
}

// written is an object with a value.
type written struct{ object, value int32 }

// newDigest reads all accesses.
func newDigest(h *iso.History) *digest {
	n := len(h.Txns)
	d := &digest{h: h, first: make([]int32, n+1), own: make([]int32, n+1), gone: make([]bool, n),
		uncertain: make([]bool, n), writers: make([][]int32, len(h.Objects)), lists: make([]list, len(h.Objects)),
		shown: make([]int32, len(h.Values))}
	d.values = d.findSlots()
	within := &within{digest: d, written: make([]int32, len(h.Objects)), round: make([]int32, len(h.Objects))}
	for i := range h.Txns {
		d.first[i] = int32(len(d.reads))
		if h.Txns[i].Status == iso.Committed && !within.readsOf(int32(i)) {
			return d
		}
	}
	d.first[n] = int32(len(d.reads))
	if !d.order(d.values) || !d.sources(d.values) {
		return d
	}
	d.leaveOut()
	return d
}

// values finds writers: for a register those whose last write is the value; for a list those who
// appended the element.
type values struct {
	most []byValue // by value: an object that it is written to
	rest map[written]writer
	more map[written][]int32
}

// byValue is the object, plus one, to which a value is written first, and who does it.
type byValue struct {
	object int32
	writer
}

// writer is the first transaction that writes a value: of a list as the one of its appends that has
// a number from 0, and how often all append it.
type writer struct{ txn, number, times int32 }

func (v *values) add(w written, i, number int32) {
	first, known := v.first(w)
	if !known {
		first = writer{txn: i, number: number}
	} else if all := v.more[w]; first.txn != i && (all == nil || all[len(all)-1] != i) {
		if all == nil {
			all = []int32{first.txn}
		}
		v.more[w] = append(all, i)
	}
	first.times++
	if m := &v.most[w.value]; m.object == 0 || m.object == w.object+1 {
		*m = byValue{w.object + 1, first}
	} else {
		v.rest[w] = first
	}
}

// first returns the first transaction that writes a value.
func (v *values) first(w written) (first writer, known bool) {
	if m := &v.most[w.value]; m.object == w.object+1 {
		return m.writer, true
	}
	first, known = v.rest[w]
	return first, known
}

// of returns the writers of a value in ascending order.
func (v *values) of(w written) []int32 {
	if all := v.more[w]; all != nil {
		return all
	}
	if first, known := v.first(w); known {
		return []int32{first.txn}
	}
	return nil
}

// findSlots finds who writes what.
func (d *digest) findSlots() *values {
	accesses := 0
	for i := range d.h.Txns {
		accesses += len(d.h.Txns[i].Accesses)
	}
	v := &values{most: make([]byValue, len(d.h.Values)), rest: map[written]writer{}, more: map[written][]int32{}}
	d.slots = make([]slot, 0, accesses/2+len(d.h.Objects)) // about every other access is a write
	at := make([]int32, len(d.h.Objects))                  // the last slot of each, plus one
	var own []slot                                         // of a transaction
	var order []uint64                                     // their objects and places
	for i := range d.h.Txns {
		t := &d.h.Txns[i]
		from := int32(len(d.slots))
		d.own[i] = from
		if t.Status == iso.Aborted {
			d.gone[i] = true
			continue
		}
		for k, a := range t.Accesses {
			if a.Kind == iso.Read {
				continue
			}
			if at[a.Object] <= from {
				d.slots = append(d.slots, slot{txn: int32(i), object: a.Object, version: -1})
				d.writers[a.Object] = append(d.writers[a.Object], int32(i))
				at[a.Object] = int32(len(d.slots))
			}
			s := &d.slots[at[a.Object]-1]
			if a.Kind == iso.Append {
				v.add(written{a.Object, a.Value}, int32(i), s.times)
			}
			s.last = int32(k)
			s.times++
		}
		d.looks += len(t.Accesses)
		own, order = append(own[:0], d.slots[from:]...), order[:0]
		for k, s := range own {
			order = append(order, uint64(s.object)<<32|uint64(k))
		}
		slices.Sort(order)
		for k, o := range order {
			d.slots[int(from)+k] = own[uint32(o)]
		}
		for _, s := range d.slots[from:] {
			if a := &t.Accesses[s.last]; a.Kind == iso.Write {
				v.add(written{a.Object, a.Value}, int32(i), 0)
			}
		}
	}
	d.own[len(d.h.Txns)] = int32(len(d.slots))
	for x := range d.h.Objects {
		d.start = append(d.start, int32(len(d.slots)))
		d.slots = append(d.slots, slot{txn: iso.Initial, object: int32(x), version: -1})
	}
	return v
}

// slot returns the slot of a transaction, or Initial, and an object; -1 if it does not write it.
func (d *digest) slot(i, object int32) int32 {
	if i == iso.Initial {
		return d.start[object]
	}
	from, to := d.own[i], d.own[i+1]
	for from < to {
		d.looks++
		middle := (from + to) / 2
		switch x := d.slots[middle].object; {
		case x == object:
			return middle
		case x < object:
			from = middle + 1
		default:
			to = middle
		}
	}
	return -1
}

// within goes through the accesses of one transaction after the other.
type within struct {
	*digest
	written []int32 // by object: the access that wrote it last,
	round   []int32 // and the transaction that did, plus one
	before  []int32 // by access: the one that wrote its object before, or -1
}

// readsOf adds the reads of a committed transaction that are from others. It is false if one
// contradicts what the transaction wrote itself.
func (w *within) readsOf(i int32) bool {
	t := &w.h.Txns[i]
	w.before = w.before[:0]
	for k := range t.Accesses {
		a, last := &t.Accesses[k], int32(-1)
		if w.round[a.Object] == i+1 {
			last = w.written[a.Object]
		}
		w.before = append(w.before, last)
		if a.Kind != iso.Read {
			w.round[a.Object], w.written[a.Object] = i+1, int32(k)
			continue
		}
		p := iso.Place{Txn: i, Access: int32(k)}
		if w.h.Objects[a.Object].List {
			n := len(a.List)
			for ; last >= 0; last = w.before[last] {
				if n--; n < 0 || a.List[n] != t.Accesses[last].Value {
					return w.never(iso.Clause{Rule: iso.RuleInternal, Places: []iso.Place{p}})
				}
			}
			w.looks += len(a.List) - n
			w.reads = append(w.reads, read{place: p, object: a.Object, shown: int32(n)})
			continue
		}
		switch {
		case last < 0:
			w.reads = append(w.reads, read{place: p, object: a.Object})
		case t.Accesses[last].Value != a.Value:
			return w.never(iso.Clause{Rule: iso.RuleInternal, Places: []iso.Place{p}})
		}
	}
	w.looks += len(t.Accesses)
	return true
}

// never notes a clause without literals.
func (d *digest) never(c iso.Clause) bool {
	d.wrong = &c
	return false
}

// access returns the access of a read.
func (d *digest) access(r *read) *iso.Access { return &d.h.Txns[r.place.Txn].Accesses[r.place.Access] }

// others returns what a read of a list shows that others appended.
func (d *digest) others(r *read) []int32 { return d.access(r).List[:r.shown] }

// order finds the order of appends to each list from its longest read. It is false if there is
// none.
func (d *digest) order(v *values) bool {
	longest := make([]*read, len(d.h.Objects))
	for k := range d.reads {
		r := &d.reads[k]
		if d.h.Objects[r.object].List && (longest[r.object] == nil || r.shown > longest[r.object].shown) {
			longest[r.object] = r
		}
	}
	for k := range d.reads {
		r := &d.reads[k]
		if m := longest[r.object]; m != nil && r != m && !slices.Equal(d.others(r), d.others(m)[:r.shown]) {
			for _, p := range []*read{r, m} {
				if slices.ContainsFunc(d.others(p), func(e int32) bool { return v.of(written{p.object, e}) == nil }) {
					return d.never(iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{p.place}})
				}
			}
			return d.never(iso.Clause{Rule: iso.RuleIncompatible, Places: []iso.Place{r.place, m.place}})
		}
	}
	for x, r := range longest {
		if r == nil {
			d.lists[x].unseen = d.writers[x]
			continue
		}
		if !d.orderOf(int32(x), r, v) {
			return false
		}
	}
	return true
}

// orderOf finds the order of appends to a list. Its longest read has to show all that those append
// whom it shows at all, in their order.
func (d *digest) orderOf(x int32, r *read, v *values) bool {
	l := &d.lists[x]
	l.spine, l.longest = r.place, d.others(r)
	l.at = make([]int32, len(l.longest))
	whole := true
	var times map[int32]int32 // of elements that are shown twice
	for k, e := range l.longest {
		w, known := v.first(written{x, e})
		if !known {
			return d.never(iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{d.shortest(x, k)}})
		}
		twice := d.shown[e] == x+1
		if d.shown[e] = x + 1; twice {
			if times == nil {
				times = map[int32]int32{}
			}
			if times[e]++; times[e] >= w.times {
				return d.never(iso.Clause{Rule: iso.RuleTwice, Places: []iso.Place{r.place}})
			}
		}
		l.repeats = l.repeats || twice || w.times > 1 && v.more[written{x, e}] != nil
		if n := len(l.versions); n == 0 || l.versions[n-1] != w.txn {
			l.versions = append(l.versions, w.txn)
		}
		l.at[k] = int32(len(l.versions)) - 1
		s := &d.slots[d.slot(w.txn, x)]
		if s.version < 0 {
			s.version = l.at[k]
		}
		whole = whole && w.number == s.shown
		s.shown++
	}
	if l.repeats {
		d.repeats = true
		l.versions, l.at = nil, nil
		return true
	}
	for _, i := range d.writers[x] {
		switch s := &d.slots[d.slot(i, x)]; s.shown {
		case 0:
			l.unseen = append(l.unseen, i)
		case s.times:
		default:
			whole = false
		}
	}
	return whole || d.never(iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{r.place}})
}

// shortest returns the shortest read of a list that shows its element k, the earliest of them.
func (d *digest) shortest(x int32, k int) iso.Place {
	var best *read
	for n := range d.reads {
		if r := &d.reads[n]; r.object == x && int(r.shown) > k && (best == nil || r.shown < best.shown) {
			best = r
		}
	}
	return best.place
}

// sources finds the source of each read. It is false if one has none.
func (d *digest) sources(v *values) bool {
	for k := range d.reads {
		r := &d.reads[k]
		if d.h.Objects[r.object].List {
			l := &d.lists[r.object]
			if l.repeats {
				continue
			}
			r.from = []int32{iso.Initial}
			if r.shown > 0 {
				v := l.at[r.shown-1]
				w := l.versions[v]
				last := d.h.Txns[w].Accesses[d.slots[d.slot(w, r.object)].last].Value
				own := d.slot(r.place.Txn, r.object)
				future := own >= 0 && d.slots[own].version >= 0 && d.slots[own].version <= v
				if future || d.others(r)[r.shown-1] != last {
					return d.never(iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{r.place}})
				}
				r.from[0] = w
			}
		} else {
			a := d.access(r)
			if d.h.Objects[r.object].Initial == a.Value {
				r.from = append(r.from, iso.Initial)
			}
			for _, w := range v.of(written{r.object, a.Value}) {
				if w != r.place.Txn {
					r.from = append(r.from, w)
				}
			}
			if len(r.from) == 0 {
				return d.never(iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{r.place}})
			}
		}
	}
	return true
}

// leaveOut leaves out open transactions that nobody reads from: of a commit order with them, what
// is left without them is one as well. It notes the readers of each slot.
func (d *digest) leaveOut() {
	for k := range d.reads {
		r := &d.reads[k]
		for _, s := range r.from {
			x := &d.slots[d.slot(s, r.object)]
			if len(r.from) == 1 {
				x.readers = append(x.readers, int32(k))
			} else {
				x.maybe = append(x.maybe, int32(k))
			}
		}
	}
	shown, doubtful := make([]bool, len(d.h.Txns)), make([]bool, len(d.h.Txns))
	for x := range d.lists {
		for _, i := range d.lists[x].versions {
			shown[i] = true
		}
		if d.lists[x].repeats {
			for _, i := range d.writers[x] {
				doubtful[i] = true
			}
		}
	}
	for i := range d.h.Txns {
		if d.h.Txns[i].Status != iso.Open {
			continue
		}
		known, possible := shown[i], false
		for k := d.own[i]; k < d.own[i+1]; k++ {
			known = known || len(d.slots[k].readers) > 0
			possible = possible || len(d.slots[k].maybe) > 0
		}
		d.gone[i], d.uncertain[i] = !known && !possible && !doubtful[i], !known && possible
		isList := func(s slot) bool { return d.h.Objects[s.object].List }
		if d.uncertain[i] && slices.ContainsFunc(d.slots[d.own[i]:d.own[i+1]], isList) {
			d.optional = append(d.optional, int32(i))
		}
	}
	for x := range d.writers {
		left := func(i int32) bool { return d.gone[i] }
		if slices.ContainsFunc(d.writers[x], left) {
			d.writers[x] = slices.DeleteFunc(slices.Clone(d.writers[x]), left)
			d.lists[x].unseen = slices.DeleteFunc(slices.Clone(d.lists[x].unseen), left)
		}
	}
}

// writes reports whether a transaction writes an object.
func (d *digest) writes(i, object int32) bool { return d.slot(i, object) >= 0 }
