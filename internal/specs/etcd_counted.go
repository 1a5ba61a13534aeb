package specs

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// revisions tells the search which operation leaves which revision.
//
// An operation that returned says so itself. The put of a value that only one request puts, and
// that some range shows with its modification revision, took effect at that revision, even if its
// outcome is unknown: the range cannot have found it otherwise. It is no evidence where the initial
// state holds the value.
func (k *etcdPart) revisions(p *model.Partition) *model.RevisionTheory {
	if !k.revision {
		return nil
	}
	c := &model.RevisionTheory{At: make([]int64, len(k.ops)), Raises: make([]bool, len(k.ops)),
		Silent: make([]bool, len(k.ops)), About: make([][]int32, len(k.ops)),
		Of: func(m model.Machine, s model.State) int64 { return m.(*etcdMachine).states[s].revision }}
	shown := k.shownRevisions()
	for i := range k.ops {
		o := &k.ops[i]
		c.About[i] = k.topics(o)
		c.Silent[i] = o.verb == etcdGrant || o.verb == etcdRevoke || o.verb == etcdCompact
		if c.At[i] = o.revision; o.revision != unstated {
			c.Raises[i] = o.raises()
		}
		if !p.Ops[i].Pending() {
			continue
		}
		o.each(func(q *etcdRequest) {
			if q.verb != etcdPut {
				return
			}
			if n, known := shown[q.value]; known && n > 0 {
				c.At[i], c.Raises[i] = n, true
			}
		})
	}
	c.Fits = k.fits(newEtcdGaps(k, p, c))
	return c
}

// topics returns what an operation depends on besides keys, or changes without a revision: leases,
// by their numbers, and compaction, one more than all of these.
func (k *etcdPart) topics(o *etcdOp) (all []int32) {
	switch {
	case o.verb == etcdCompact || o.at != 0:
		return []int32{int32(len(k.leases))}
	case o.verb == etcdGrant || o.verb == etcdRevoke:
		if n, found := slices.BinarySearch(k.leases, o.number); found {
			return []int32{int32(n)}
		}
		return nil
	}
	o.each(func(q *etcdRequest) {
		if q.held > 0 && !slices.Contains(all, q.held-1) {
			all = append(all, q.held-1)
		}
	})
	return all
}

// raises reports whether an operation that returned certainly counted a revision.
func (o *etcdOp) raises() bool {
	requests := o.then
	switch {
	case o.refused != "" || o.made == unknown:
		return false
	case o.made == no:
		requests = o.orElse
	}
	for j := range requests {
		if q := &requests[j]; q.verb == etcdPut || q.verb == etcdDelete && o.shows && j < len(o.shown) &&
			o.shown[j].deleted > 0 {
			return true
		}
	}
	return false
}

// shownRevisions returns, by value, the revision at which ranges show it; 0 if several requests put
// the value, or ranges show several revisions.
func (k *etcdPart) shownRevisions() map[history.Value]int64 {
	shown := map[history.Value]int64{}
	for i := range k.ops {
		if o := &k.ops[i]; o.at != 0 && o.at < k.init.revision {
			continue // nothing is known of that time
		}
		for _, x := range k.ops[i].shown {
			for _, kv := range x.kvs {
				if !kv.valued || kv.mod == unstated {
					continue
				}
				if n, known := shown[kv.value]; known && n != kv.mod {
					shown[kv.value] = 0
				} else {
					shown[kv.value] = kv.mod
				}
			}
		}
	}
	puts := map[history.Value]int{}
	for _, kv := range k.init.kvs {
		puts[kv.value]++
	}
	for i := range k.ops {
		k.ops[i].each(func(q *etcdRequest) {
			if q.verb == etcdPut {
				puts[q.value]++
			}
		})
	}
	for v, n := range puts {
		if n > 1 {
			shown[v] = 0
		}
	}
	return shown
}
