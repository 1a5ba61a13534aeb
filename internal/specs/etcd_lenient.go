package specs

// What: a store that does not keep which leases exist, of those that an operation of unknown
// outcome may have granted or revoked.
//
// Each such operation, taken or not, would leave another state for good, although few operations
// ever ask for the lease. Here, an operation that asks for it finds it, or does not find it. Keys
// keep their leases, so revoking one deletes the same keys.
//
// Source: ours.
//
// Invariant: whatever the machine allows in a row, the lenient one allows, and leaves the same keys
// and the same revision.
//
// Cost: two steps in place of one, where an operation asks for such a lease.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// lenient returns the instance with lenient machines. Nothing that never returned changes only the
// leases there.
func (k *etcdPart) lenient(b *model.Instance, strict *model.RevisionTheory) *model.Instance {
	loose := make([]bool, len(k.leases))
	for i := range k.ops {
		if o := &k.ops[i]; !o.known && (o.verb == etcdGrant || o.verb == etcdRevoke) {
			if n, known := slices.BinarySearch(k.leases, o.number); known {
				loose[n] = true
			}
		}
	}
	counted := *strict
	counted.Silent, counted.About = slices.Clone(counted.Silent), slices.Clone(counted.About)
	out := *b
	out.ReadOnly = slices.Clone(b.ReadOnly)
	for i := range k.ops {
		o := &k.ops[i]
		if o.verb == etcdGrant || o.verb == etcdRevoke {
			if n, known := slices.BinarySearch(k.leases, o.number); known && loose[n] {
				counted.Silent[i] = false
				out.ReadOnly[i] = o.verb == etcdGrant
			}
		}
		counted.About[i] = slices.DeleteFunc(slices.Clone(counted.About[i]), func(topic int32) bool {
			return int(topic) < len(loose) && loose[topic]
		})
	}
	out.Theory = &counted
	out.NewMachine = func() model.Machine {
		m := newEtcdMachine(k)
		m.loose = loose
		for n := range loose {
			if loose[n] {
				m.states[0].leases = m.set(m.states[0].leases, k.levels[1], int32(n), 0)
			}
		}
		m.index = map[etcdState]model.State{m.states[0]: 0}
		return m
	}
	return &out
}

// with returns the leases with some that all exist, or all do not.
func (m *etcdMachine) with(leases int32, some []int32, exist bool) int32 {
	leaf := int32(0)
	if exist {
		leaf = m.leaf(etcdLeaf{})
	}
	for _, n := range some {
		leases = m.set(leases, m.k.levels[1], n, leaf)
	}
	return leases
}

// asksFor lists the leases that are not kept and that an operation asks for.
func (m *etcdMachine) asksFor(o *etcdOp) (all []int32) {
	if m.loose == nil {
		return nil
	}
	add := func(n int32) {
		if m.loose[n] && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	if n, known := slices.BinarySearch(m.k.leases, o.number); known && (o.verb == etcdGrant || o.verb == etcdRevoke) {
		add(int32(n))
	}
	o.each(func(q *etcdRequest) {
		if q.held > 0 {
			add(q.held - 1)
		}
	})
	return all
}

// leniently is Step for an operation that asks for leases that are not kept.
func (m *etcdMachine) leniently(s model.State, op history.OpID, asked []int32, dst []model.State) []model.State {
	from := len(dst)
	for _, exist := range [...]bool{false, true} {
		state := m.states[s]
		state.leases = m.with(state.leases, asked, exist)
		next, why := m.after(state, &m.k.ops[op])
		if why != "" {
			continue
		}
		next.leases = m.with(next.leases, asked, false)
		if t := m.intern(next); !slices.Contains(dst[from:], t) {
			dst = append(dst, t)
		}
	}
	return dst
}
