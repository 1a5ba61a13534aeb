package specs

// What: what can have happened to each key at the revisions that no response tells of: nothing, a
// put, or a deletion.
//
// A key alone is a small machine: absent, or present with a modification revision and a version,
// the number of puts since it was created. Ranges show it now and then. In between, the revisions
// with an owner do what the owner does, and each of the others leaves the key as it is, puts it or
// deletes it. What leads from one showing to the next is found by a pass forward and a pass back.
// An operation of unknown outcome fits a revision only if it does to every key what can have
// happened there.
//
// Source: ours; it is the filtering of a sequence by forward and backward reachability (Trick,
// Annals of Operations Research 2003), one for each key.
//
// Invariants: the states of a pass are all in which the key can be, if the operations that returned
// are linearizable at all: each step leaves out only what contradicts a result. Where a key cannot
// be explained, nothing is left out, and the search refutes.
//
// Cost: O(keys · gaps · states), where few states are possible between two showings; more than
// mostKeyStates are not followed.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// What a revision did to a key, as bits of a mask.
const (
	keyLeft   uint8 = 1 << iota // it stays as it is
	keyAbsent                   // it does not exist before and after
	keyPut
	keyDeleted
	keyTwice // two requests of one transaction changed it
)

// keyState is a key at some revision; without a modification revision and a version, it is absent.
type keyState struct{ mod, version int64 }

// keyShown is what a range shows of a key; unstated numbers are not known.
type keyShown struct {
	absent       bool
	mod, version int64
}

func (x keyShown) agrees(s keyState) bool {
	if x.absent {
		return s == keyState{}
	}
	return s != keyState{} && (x.mod == unstated || x.mod == s.mod) && (x.version == unstated || x.version == s.version)
}

// exact returns the only state that agrees, if there is one.
func (k *etcdPart) exact(x keyShown) (s keyState, one bool) {
	if x.absent {
		return s, true
	}
	if k.mod {
		s.mod = x.mod
	}
	if k.version {
		s.version = x.version
	}
	return s, s.mod != unstated && s.version != unstated
}

// keyEvent is what a pass meets at a revision: a gap, an owner, or a range that shows the key.
type keyEvent struct {
	revision int64
	gap      int // its number, -1 for none
	owner    history.OpID
	shows    bool
	shown    keyShown
}

// etcdGaps knows what can have happened at the revisions without owner.
type etcdGaps struct {
	k     *etcdPart
	gaps  []int64
	did   [][]uint8 // by key and gap
	must  [][]int32 // by gap: keys that it changed for certain
	owner map[int64]history.OpID
	moves []keyMove // scratch
}

// newEtcdGaps returns nil if the question is too large, or three requests of one transaction change
// the same key.
func newEtcdGaps(k *etcdPart, p *model.Partition, c *model.RevisionTheory) *etcdGaps {
	if !k.mod && !k.version || slices.ContainsFunc(k.ops, func(o etcdOp) bool { return o.most() > 2 }) {
		return nil
	}
	g := &etcdGaps{k: k, owner: map[int64]history.OpID{}}
	last := k.init.revision
	for i := range k.ops {
		if last = max(last, c.At[i]); c.Raises[i] {
			g.owner[c.At[i]] = history.OpID(i)
		}
		if at, told := k.showsAt(&k.ops[i]); told {
			last = max(last, at)
		}
	}
	if last-k.init.revision > int64(len(k.ops)) {
		return nil
	}
	for n := k.init.revision + 1; n <= last; n++ {
		if _, owned := g.owner[n]; !owned {
			g.gaps = append(g.gaps, n)
		}
	}
	if len(g.gaps)*len(k.keys) > mostGapKeys {
		return nil
	}
	g.possible(p, c)
	g.must = make([][]int32, len(g.gaps))
	for key, events := range g.events(c) {
		g.pass(key, events)
		for j := range g.gaps {
			if g.did[key][j]&(keyLeft|keyAbsent) == 0 {
				g.must[j] = append(g.must[j], int32(key))
			}
		}
	}
	return g
}

// most returns how many requests of one branch change one key, at most.
func (o *etcdOp) most() (most int) {
	for _, requests := range [2][]etcdRequest{o.then, o.orElse} {
		for j := range requests {
			if a := &requests[j]; a.verb != etcdRange {
				same := 0
				for x := range j + 1 {
					if b := &requests[x]; b.verb != etcdRange && a.lo < b.hi && b.lo < a.hi {
						same++
					}
				}
				most = max(most, same)
			}
		}
	}
	return most
}

// branches calls do with the requests of every branch that an operation may have taken.
func (o *etcdOp) branches(do func(requests []etcdRequest)) {
	if o.refused != "" {
		return
	}
	if o.made != no {
		do(o.then)
	}
	if o.made != yes {
		do(o.orElse)
	}
}

// changes calls do with the keys that an operation may change.
func (k *etcdPart) changes(o *etcdOp, do func(key int, did uint8)) {
	if o.verb == etcdRevoke {
		if n, known := slices.BinarySearch(k.leases, o.number); known && o.refused == "" {
			for _, key := range k.holds[n] {
				do(int(key), keyDeleted)
			}
		}
		return
	}
	twice := uint8(0)
	if o.most() > 1 {
		twice = keyTwice
	}
	o.branches(func(requests []etcdRequest) {
		for j := range requests {
			q := &requests[j]
			did := keyDeleted | twice
			switch q.verb {
			case etcdRange:
				continue
			case etcdPut:
				did = keyPut | twice
			}
			for key := q.lo; key < q.hi; key++ {
				do(key, did)
			}
		}
	})
}

// possible finds out what operations that were called in time may have done at each gap.
func (g *etcdGaps) possible(p *model.Partition, c *model.RevisionTheory) {
	g.did = make([][]uint8, len(g.k.keys))
	for key := range g.did {
		g.did[key] = make([]uint8, len(g.gaps))
		for j := range g.did[key] {
			g.did[key][j] = keyLeft | keyAbsent
		}
	}
	// What leads to a number is called before anything returns that tells as much.
	returns := make([]history.Rank, len(g.gaps))
	for j := range returns {
		returns[j] = history.Never
	}
	for i := range g.k.ops {
		if j, _ := slices.BinarySearch(g.gaps, c.At[i]+1); j > 0 && !p.Ops[i].Pending() {
			returns[j-1] = min(returns[j-1], p.Ops[i].Return)
		}
	}
	for j := len(returns) - 2; j >= 0; j-- {
		returns[j] = min(returns[j], returns[j+1])
	}
	first := make([][8]int, len(g.did)) // by key and mask, the first gap
	for key := range first {
		for what := range first[key] {
			first[key][what] = len(g.gaps)
		}
	}
	for i := range g.k.ops {
		if c.At[i] < 0 {
			from, _ := slices.BinarySearch(returns, p.Ops[i].Call)
			g.k.changes(&g.k.ops[i], func(key int, what uint8) {
				at := &first[key][what>>2]
				*at = min(*at, from)
			})
		}
	}
	for key := range first {
		for what, from := range first[key] {
			for j := from; j < len(g.gaps); j++ {
				g.did[key][j] |= uint8(what) << 2
			}
		}
	}
	for i := range g.k.ops {
		if j, found := slices.BinarySearch(g.gaps, c.At[i]); found {
			g.k.changes(&g.k.ops[i], func(key int, what uint8) { g.did[key][j] |= what })
		}
	}
}

// events lists, by key, what happened at which revision: changes before showings.
func (g *etcdGaps) events(c *model.RevisionTheory) [][]keyEvent {
	k := g.k
	events := make([][]keyEvent, len(k.keys))
	for i := range k.ops {
		o, by := &k.ops[i], history.OpID(i)
		if n := c.At[i]; c.Raises[i] && g.owner[n] == by {
			k.changes(o, func(key int, _ uint8) {
				if all := events[key]; len(all) == 0 || all[len(all)-1].shows || all[len(all)-1].owner != by {
					events[key] = append(events[key], keyEvent{revision: n, gap: -1, owner: by})
				}
			})
		}
		if at, told := k.showsAt(o); told {
			for j := range o.shown {
				k.showings(&o.then[j], &o.shown[j], func(key int, x keyShown) {
					events[key] = append(events[key], keyEvent{revision: at, gap: -1, owner: by, shows: true, shown: x})
				})
			}
		}
	}
	for key := range events {
		for j, n := range g.gaps {
			events[key] = append(events[key], keyEvent{revision: n, gap: j})
		}
		all := events[key]
		sort.SliceStable(all, func(i, j int) bool {
			x, y := all[i], all[j]
			shows := 0
			if x.shows {
				shows++
			}
			if y.shows {
				shows--
			}
			return cmp.Or(cmp.Compare(x.revision, y.revision), shows) < 0
		})
	}
	return events
}

// showsAt returns the revision whose contents an operation shows, if that is known.
func (k *etcdPart) showsAt(o *etcdOp) (revision int64, told bool) {
	switch {
	case o.verb != etcdRange || !o.shows || o.refused != "":
		return 0, false
	case o.at != 0:
		return o.at, o.at >= k.init.revision
	}
	return o.revision, o.revision != unstated
}

// showings calls do with the keys of which a range shows something.
func (k *etcdPart) showings(q *etcdRequest, x *etcdResponse, do func(key int, x keyShown)) {
	if !x.listed {
		return
	}
	next := q.lo
	for _, kv := range x.kvs {
		if int(kv.number) < next || int(kv.number) >= q.hi {
			return // the search refutes
		}
		for ; next < int(kv.number); next++ {
			do(next, keyShown{absent: true})
		}
		do(next, keyShown{mod: kv.mod, version: kv.version})
		next++
	}
	if q.limit > 0 && int64(len(x.kvs)) >= q.limit {
		return // there may be more
	}
	for ; next < q.hi; next++ {
		do(next, keyShown{absent: true})
	}
}

// keyMove is a state that may come next, and what was done.
type keyMove struct {
	to  keyState
	did uint8
}

// after returns what may follow a state of a key at an event that changes it.
func (g *etcdGaps) after(key int, s keyState, e *keyEvent) []keyMove {
	g.moves = g.moves[:0]
	if e.gap < 0 {
		g.k.ops[e.owner].branches(func(requests []etcdRequest) {
			to := s
			for j := range requests {
				if q := &requests[j]; q.lo <= key && key < q.hi && q.verb == etcdPut {
					to = g.k.put(to, e.revision)
				} else if q.lo <= key && key < q.hi && q.verb == etcdDelete {
					to = keyState{}
				}
			}
			g.moves = append(g.moves, keyMove{to, 0})
		})
		return g.moves
	}
	did, gone, put := g.did[key][e.gap], keyState{}, g.k.put(s, e.revision)
	if s == gone {
		g.moves = append(g.moves, keyMove{s, keyAbsent})
	} else {
		g.moves = append(g.moves, keyMove{s, keyLeft})
	}
	if did&keyPut != 0 {
		g.moves = append(g.moves, keyMove{put, keyPut})
	}
	if did&keyDeleted != 0 && s != gone {
		g.moves = append(g.moves, keyMove{gone, keyDeleted})
	}
	if did&keyTwice != 0 {
		g.moves = append(g.moves, keyMove{g.k.put(put, e.revision), keyTwice}, keyMove{g.k.put(gone, e.revision),
			keyTwice}, keyMove{gone, keyTwice})
	}
	return g.moves
}

// put returns the state of a key after a put.
func (k *etcdPart) put(s keyState, revision int64) keyState {
	if k.mod {
		s.mod = revision
	}
	if k.version {
		s.version++
	}
	return s
}

// pass follows a key through its events.
func (g *etcdGaps) pass(key int, events []keyEvent) {
	now := []keyState{g.k.initially(key)}
	var before [][]keyState // since from, the states before each event
	from := 0
	for j := range events {
		e := &events[j]
		if now != nil {
			before = append(before, now)
			now = g.next(key, now, e)
		}
		switch s, one := g.k.exact(e.shown); {
		case e.shows && one:
			if len(now) > 0 {
				g.back(key, events[from:j+1], before, now)
			}
			now, before, from = []keyState{s}, nil, j+1
		case len(now) == 0 || len(now) > mostKeyStates:
			now, before = nil, nil // until the next time that it is exactly known
		}
	}
	if len(now) > 0 {
		g.back(key, events[from:], before, now)
	}
}

// initially returns the state of a key at the start.
func (k *etcdPart) initially(key int) (s keyState) {
	for _, kv := range k.init.kvs {
		if int(kv.number) == key {
			s, _ = k.exact(keyShown{mod: kv.mod, version: kv.version})
		}
	}
	return s
}

// next returns the states after an event, none twice.
func (g *etcdGaps) next(key int, now []keyState, e *keyEvent) []keyState {
	next := make([]keyState, 0, len(now)+1)
	add := func(s keyState) {
		if !slices.Contains(next, s) {
			next = append(next, s)
		}
	}
	for _, s := range now {
		if e.shows {
			if e.shown.agrees(s) {
				add(s)
			}
			continue
		}
		for _, m := range g.after(key, s, e) {
			add(m.to)
		}
	}
	return next
}

// back leaves out at each gap what does not lead to one of the states at the end.
func (g *etcdGaps) back(key int, events []keyEvent, before [][]keyState, alive []keyState) {
	for j := len(events) - 1; j >= 0; j-- {
		e := &events[j]
		did := uint8(0)
		var was []keyState
		for _, s := range before[j] {
			if e.shows {
				if slices.Contains(alive, s) {
					was = append(was, s)
				}
				continue
			}
			leads := false
			for _, m := range g.after(key, s, e) {
				if slices.Contains(alive, m.to) {
					did |= m.did
					leads = true
				}
			}
			if leads {
				was = append(was, s)
			}
		}
		if !e.shows && e.gap >= 0 {
			g.did[key][e.gap] = did
		}
		alive = was
	}
}

// fits reports whether an operation can have led to a revision.
func (g *etcdGaps) fits(o *etcdOp, revision int64) bool {
	j, found := slices.BinarySearch(g.gaps, revision)
	if !found {
		return true
	}
	if o.verb == etcdRevoke {
		n, _ := slices.BinarySearch(g.k.leases, o.number)
		held := g.k.holds[n]
		for _, key := range g.must[j] {
			if _, holds := slices.BinarySearch(held, key); !holds || g.did[key][j]&keyDeleted == 0 {
				return false
			}
		}
		return slices.ContainsFunc(held, func(key int32) bool { return g.did[key][j]&keyDeleted != 0 })
	}
	fits, either := false, uint8(0)
	if o.most() > 1 {
		either = keyTwice
	}
	o.branches(func(requests []etcdRequest) { fits = fits || g.branchFits(requests, j, either) })
	return fits
}

// branchFits is fits for a gap and the requests of one branch; either is keyTwice if two requests
// of the operation change one key.
func (g *etcdGaps) branchFits(requests []etcdRequest, gap int, either uint8) bool {
	raises := false
	for x := range requests {
		switch q := &requests[x]; q.verb {
		case etcdPut:
			if raises = true; g.did[q.lo][gap]&(keyPut|either) == 0 {
				return false
			}
		case etcdDelete:
			for key := q.lo; key < q.hi; key++ {
				did := g.did[key][gap]
				if did&(keyDeleted|keyAbsent|either) == 0 {
					return false
				}
				raises = raises || did&(keyDeleted|either) != 0
			}
		}
	}
	for _, key := range g.must[gap] {
		if !slices.ContainsFunc(requests, func(q etcdRequest) bool {
			return q.verb != etcdRange && q.lo <= int(key) && int(key) < q.hi
		}) {
			return false
		}
	}
	return raises
}
