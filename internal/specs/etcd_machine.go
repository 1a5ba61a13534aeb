package specs

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// etcdState is a state of a store: the trees of keys and leases, and what ranges can still read at
// earlier revisions. Without observed revisions, the revision stays as it is.
type etcdState struct {
	revision, compacted int64
	root, leases, past  int32
}

// etcdMachine executes a store. Every operation leaves one state at most.
type etcdMachine struct {
	*etcdTrees
	k      *etcdPart
	states []etcdState
	index  map[etcdState]model.State
	kept   int    // nodes that were left when states were dropped last
	loose  []bool // leases that are not kept (etcd_lenient.go); nil keeps all
}

func newEtcdMachine(k *etcdPart) *etcdMachine {
	m := &etcdMachine{etcdTrees: newEtcdTrees(), k: k, index: map[etcdState]model.State{}}
	s := etcdState{revision: k.init.revision, compacted: k.init.compacted}
	for _, lease := range k.init.leases {
		n, _ := slices.BinarySearch(k.leases, lease)
		s.leases = m.set(s.leases, k.levels[1], int32(n), m.leaf(etcdLeaf{}))
	}
	for _, kv := range k.init.kvs {
		l := etcdLeaf{value: k.classOf(kv.value), create: kv.create, mod: kv.mod, version: kv.version}
		if n, found := slices.BinarySearch(k.leases, kv.lease); found && kv.lease > 0 {
			l.lease = int32(n) + 1
		}
		s.root = m.set(s.root, k.levels[0], kv.number, m.leaf(k.observedOf(l)))
	}
	m.intern(s)
	return m
}

// observedOf leaves out what no operation observes.
func (k *etcdPart) observedOf(l etcdLeaf) etcdLeaf {
	if !k.create {
		l.create = 0
	}
	if !k.mod {
		l.mod = 0
	}
	if !k.version {
		l.version = 0
	}
	if !k.lease {
		l.lease = 0
	}
	return l
}

func (m *etcdMachine) intern(s etcdState) model.State {
	if k, known := m.index[s]; known {
		return k
	}
	k := model.State(len(m.states))
	m.states = append(m.states, s)
	m.index[s] = k
	return k
}

// Init implements model.Machine.
func (m *etcdMachine) Init() model.State { return 0 }

// Bytes implements model.Machine.
func (m *etcdMachine) Bytes() int64 {
	return int64(len(m.states))*3*int64(unsafe.Sizeof(etcdState{})) + m.bytes()
}

// Forget implements model.Forgetter.
func (m *etcdMachine) Forget(s model.State) model.State {
	if len(m.states) < model.ForgetFrom && len(m.nodes) < 4*(model.ForgetFrom+m.kept) {
		return s
	}
	keep := []model.State{s}
	m.Collect(keep)
	return keep[0]
}

// Collect implements model.Collector.
func (m *etcdMachine) Collect(keep []model.State) {
	old, states := m.etcdTrees, m.states
	m.etcdTrees, m.states, m.index = newEtcdTrees(), nil, map[etcdState]model.State{}
	as := map[int32]int32{}
	for i, k := range keep {
		s := states[k]
		s.root, s.leases, s.past = m.adopt(old, s.root, as), m.adopt(old, s.leases, as), m.adoptPast(old, s.past, as)
		keep[i] = m.intern(s)
	}
	m.kept = len(m.nodes)
}

// Step implements model.Machine.
func (m *etcdMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	o := &m.k.ops[op]
	if asked := m.asksFor(o); asked != nil {
		return m.leniently(s, op, asked, dst)
	}
	next, why := m.after(m.states[s], o)
	if why != "" {
		return dst
	}
	return append(dst, m.intern(next))
}

// after applies an operation to a state, or says why it is not allowed.
func (m *etcdMachine) after(s etcdState, o *etcdOp) (next etcdState, why string) {
	next, refused, why := m.applied(s, o)
	switch {
	case refused != "" && o.known && o.refused != refused:
		return s, "etcd refuses it: " + refused
	case refused != "":
		next = s
	case o.refused != "":
		return s, "etcd does not refuse it: " + m.instead(o.refused, s, o)
	case why != "":
		return s, why
	}
	if o.revision != unstated && next.revision != o.revision {
		return s, fmt.Sprintf("the revision is %d, not %d", next.revision, o.revision)
	}
	return next, ""
}

// instead says what is the case where an operation was refused without reason.
func (m *etcdMachine) instead(refused string, s etcdState, o *etcdOp) string {
	switch refused {
	case "compacted":
		return fmt.Sprintf("what is before revision %d is compacted", s.compacted)
	case "future":
		return fmt.Sprintf("the revision is %d", s.revision)
	case "no lease":
		return "the lease exists"
	}
	return fmt.Sprintf("lease %d does not exist", o.number)
}

// applied returns the state that an operation leaves; or the error with which etcd refuses it; or
// why it cannot return what it returned.
func (m *etcdMachine) applied(s etcdState, o *etcdOp) (next etcdState, refused, why string) {
	switch o.verb {
	case etcdDefragment:
		return s, "", ""
	case etcdCompact:
		switch {
		case o.number <= s.compacted:
			return s, "compacted", ""
		case o.number > s.revision:
			return s, "future", ""
		}
		s.compacted, s.past = o.number, m.compact(s.past, o.number)
		return s, "", ""
	case etcdGrant:
		if o.number == 0 {
			return s, "", ""
		}
		n, _ := slices.BinarySearch(m.k.leases, o.number)
		if m.get(s.leases, m.k.levels[1], int32(n)) != nil {
			return s, "lease exists", ""
		}
		s.leases = m.set(s.leases, m.k.levels[1], int32(n), m.leaf(etcdLeaf{}))
		return s, "", ""
	case etcdRevoke:
		return m.revoked(s, o.number)
	case etcdRange:
		if o.at != 0 {
			return m.earlier(s, o)
		}
	}
	return m.transaction(s, o)
}

// revoked ends a lease, and deletes its keys.
func (m *etcdMachine) revoked(s etcdState, lease int64) (next etcdState, refused, why string) {
	n, known := slices.BinarySearch(m.k.leases, lease)
	if !known || m.get(s.leases, m.k.levels[1], int32(n)) == nil {
		return s, "no lease", ""
	}
	before := s
	s.leases = m.set(s.leases, m.k.levels[1], int32(n), 0)
	for _, key := range m.k.holds[n] {
		if leaf := m.get(s.root, m.k.levels[0], key); leaf != nil && leaf.lease == int32(n)+1 {
			s.root = m.set(s.root, m.k.levels[0], key, 0)
		}
	}
	return m.advanced(before, s, s.root != before.root), "", ""
}

// advanced counts a revision after a change.
func (m *etcdMachine) advanced(before, s etcdState, changed bool) etcdState {
	if !changed || !m.k.revision {
		return s
	}
	if _, asked := slices.BinarySearch(m.k.asked, before.revision); asked && before.revision >= before.compacted {
		s.past = m.past(etcdPast{before.past, before.root, before.revision})
	}
	s.revision++
	return s
}

// earlier is a range at a revision. Nothing is known of revisions before the initial one.
func (m *etcdMachine) earlier(s etcdState, o *etcdOp) (next etcdState, refused, why string) {
	root := s.root
	switch {
	case o.at > s.revision:
		return s, "future", ""
	case o.at < s.compacted:
		return s, "compacted", ""
	case o.at < m.k.init.revision:
		return s, "", ""
	case o.at < s.revision:
		past := s.past
		for m.pasts[past-1].revision != o.at {
			past = m.pasts[past-1].before
		}
		root = m.pasts[past-1].root
	}
	if o.shows {
		why = m.differs(root, &o.then[0], &o.shown[0])
	}
	return s, "", why
}

// transaction compares and does the requests of one branch.
func (m *etcdMachine) transaction(s etcdState, o *etcdOp) (next etcdState, refused, why string) {
	requests, made := o.then, yes
	for j := range o.compares {
		c := &o.compares[j]
		var leaf *etcdLeaf
		if c.number >= 0 {
			leaf = m.get(s.root, m.k.levels[0], c.number)
		}
		if !c.holdsIn(m.k, leaf) {
			requests, made = o.orElse, no
			break
		}
	}
	for j := range requests {
		if q := &requests[j]; q.lease != 0 && (q.held == 0 || m.get(s.leases, m.k.levels[1], q.held-1) == nil) {
			return s, "no lease", ""
		}
	}
	switch {
	case o.made != unknown && o.made != made && made == yes:
		return s, "", "its comparisons hold"
	case o.made != unknown && o.made != made:
		return s, "", "its comparisons do not hold"
	case o.shows && len(o.shown) != len(requests):
		return s, "", fmt.Sprintf("it has %d responses, not %d", len(requests), len(o.shown))
	}
	next = s
	changed := false
	for j := range requests {
		q := &requests[j]
		deleted := int64(0)
		switch q.verb {
		case etcdPut:
			m.put(&next, q)
			changed = true
		case etcdDelete:
			if deleted = int64(m.remove(&next, q)); deleted > 0 {
				changed = true
			}
		}
		if !o.shows {
			continue
		}
		if q.verb == etcdRange {
			if why := m.differs(next.root, q, &o.shown[j]); why != "" {
				return s, "", why
			}
		} else if x := &o.shown[j]; x.listed || x.count != unstated {
			return s, "", "a request that is no range shows no keys"
		}
		if x := &o.shown[j]; x.deleted != unstated && x.deleted != deleted {
			return s, "", fmt.Sprintf("%d keys are deleted, not %d", deleted, x.deleted)
		}
	}
	return m.advanced(s, next, changed), "", ""
}

func (m *etcdMachine) put(s *etcdState, q *etcdRequest) {
	l := etcdLeaf{value: q.class, lease: q.held, create: s.revision + 1, mod: s.revision + 1, version: 1}
	if was := m.get(s.root, m.k.levels[0], int32(q.lo)); was != nil {
		l.create, l.version = was.create, was.version+1
	}
	s.root = m.set(s.root, m.k.levels[0], int32(q.lo), m.leaf(m.k.observedOf(l)))
}

// remove deletes a range of keys and returns how many there were.
func (m *etcdMachine) remove(s *etcdState, q *etcdRequest) int {
	n := m.count(s.root, m.k.levels[0], q.lo, q.hi)
	var gone []int32
	m.walk(s.root, m.k.levels[0], 0, q.lo, q.hi, func(key int32, _ *etcdLeaf) bool {
		gone = append(gone, key)
		return true
	})
	for _, key := range gone {
		s.root = m.set(s.root, m.k.levels[0], key, 0)
	}
	return n
}

// differs says how the keys of a range differ from those shown, or returns "".
func (m *etcdMachine) differs(root int32, q *etcdRequest, x *etcdResponse) (why string) {
	n := m.count(root, m.k.levels[0], q.lo, q.hi)
	if x.count != unstated && int(x.count) != n {
		return fmt.Sprintf("there are %d keys, not %d", n, x.count)
	}
	if !x.listed {
		return ""
	}
	if q.limit > 0 && q.limit < int64(n) {
		n = int(q.limit)
	}
	if n != len(x.kvs) {
		return fmt.Sprintf("it finds %d keys, not %d", n, len(x.kvs))
	}
	j := 0
	m.walk(root, m.k.levels[0], 0, q.lo, q.hi, func(key int32, leaf *etcdLeaf) bool {
		if j == n {
			return false
		}
		why = m.k.shows(key, leaf, &x.kvs[j])
		j++
		return why == ""
	})
	return why
}

// shows says how a key differs from what a range shows of it, or returns "".
func (k *etcdPart) shows(key int32, leaf *etcdLeaf, kv *etcdShown) string {
	name := shorten(k.keys[key])
	if key != kv.number {
		return fmt.Sprintf("it finds key %s, not %s", name, shorten(kv.key))
	}
	if kv.valued && leaf.value != int32(kv.value) {
		return fmt.Sprintf("key %s has %s, not %s", name, k.valueOf(leaf), k.table.Format(kv.value))
	}
	lease := int64(0)
	if leaf.lease > 0 {
		lease = k.leases[leaf.lease-1]
	}
	for _, f := range [...]struct {
		name         string
		found, shown int64
	}{{"mod revision", leaf.mod, kv.mod}, {"create revision", leaf.create, kv.create},
		{"version", leaf.version, kv.version}, {"lease", lease, kv.lease}} {
		if f.shown != unstated && f.shown != f.found {
			return fmt.Sprintf("the %s of key %s is %d, not %d", f.name, name, f.found, f.shown)
		}
	}
	return ""
}

func (k *etcdPart) valueOf(l *etcdLeaf) string {
	if l.value == someValue {
		return "a value that no operation observes"
	}
	return shorten(k.table.Format(history.Value(l.value)))
}

// Describe implements model.Machine.
func (m *etcdMachine) Describe(state model.State) string {
	s := m.states[state]
	var parts []string
	if m.k.revision {
		parts = append(parts, fmt.Sprintf("revision %d", s.revision))
	}
	if s.compacted > 0 {
		parts = append(parts, fmt.Sprintf("compacted at %d", s.compacted))
	}
	parts = m.contents(parts, s.root)
	m.walk(s.leases, m.k.levels[1], 0, 0, len(m.k.leases), func(n int32, _ *etcdLeaf) bool {
		parts = append(parts, fmt.Sprintf("lease %d", m.k.leases[n]))
		return true
	})
	for past := s.past; past != 0; past = m.pasts[past-1].before {
		p := m.pasts[past-1]
		parts = append(parts, fmt.Sprintf("at revision %d {%s}", p.revision,
			strings.Join(m.contents(nil, p.root), ", ")))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// contents appends a text for every key.
func (m *etcdMachine) contents(parts []string, root int32) []string {
	m.walk(root, m.k.levels[0], 0, 0, len(m.k.keys), func(key int32, leaf *etcdLeaf) bool {
		text := shorten(m.k.keys[key]) + ": " + m.k.valueOf(leaf)
		for _, f := range [...]struct {
			name string
			n    int64
		}{{"mod", leaf.mod}, {"created", leaf.create}, {"version", leaf.version}} {
			if f.n > 0 {
				text += fmt.Sprintf(" %s %d", f.name, f.n)
			}
		}
		if leaf.lease > 0 {
			text += fmt.Sprintf(" lease %d", m.k.leases[leaf.lease-1])
		}
		parts = append(parts, text)
		return true
	})
	return parts
}

func (k *etcdPart) refuse(m model.Machine, st model.State, op history.OpID) string {
	machine := m.(*etcdMachine)
	_, why := machine.after(machine.states[st], &k.ops[op])
	return why
}
