package specs

// What: the revisions at which ranges show that an operation did not change a key.
//
// A range at revision R that shows key k with modification revision m says that no revision from
// m+1 to R changed k. So what puts k, or deletes a range of keys that k is in, led to none of them.
// This is how the revisions that no response tells are given to operations whose outcome is
// unknown: most of the time, few keys can have changed there.
//
// Source: ours.
//
// Invariant: what fits refuses has no linearization, whatever else took effect.
// TestCountedFitsWitnesses compares it with witnesses of small histories.
//
// Cost: O(shown keys · log), and a binary search for each key of a question.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
)

// span is the revisions after one up to and with another.
type span struct{ after, until int64 }

// unchanged returns, by key, the revisions that did not change it, as spans that ascend and are
// apart.
func (k *etcdPart) unchanged() [][]span {
	spans := make([][]span, len(k.keys))
	for i := range k.ops {
		o := &k.ops[i]
		until := o.revision
		switch {
		case o.at != 0 && o.at < k.init.revision:
			continue // nothing is known of that time
		case o.at != 0:
			until = o.at
		case until == unstated:
			continue
		case o.verb != etcdRange:
			until-- // its own requests may have changed the key after it was shown
		}
		for _, x := range o.shown {
			for _, kv := range x.kvs {
				if kv.number >= 0 && kv.mod != unstated && kv.mod < until {
					spans[kv.number] = append(spans[kv.number], span{kv.mod, until})
				}
			}
		}
	}
	for key, all := range spans {
		sort.Slice(all, func(i, j int) bool { return all[i].after < all[j].after })
		apart := all[:0]
		for _, s := range all {
			if n := len(apart); n > 0 && s.after <= apart[n-1].until {
				apart[n-1].until = max(apart[n-1].until, s.until)
			} else {
				apart = append(apart, s)
			}
		}
		spans[key] = apart
	}
	return spans
}

// fits returns what tells whether an operation can have led to a revision, as far as ranges show.
func (k *etcdPart) fits(gaps *etcdGaps) func(op history.OpID, revision int64) bool {
	spans := k.unchanged()
	changed := func(lo, hi int, revision int64) bool {
		for key := lo; key < hi; key++ {
			after, _ := slices.BinarySearchFunc(spans[key], revision, func(s span, n int64) int {
				return cmp.Compare(s.after, n)
			})
			if after > 0 && spans[key][after-1].until >= revision {
				return false
			}
		}
		return true
	}
	does := func(requests []etcdRequest, revision int64) (raises bool) {
		for j := range requests {
			if q := &requests[j]; q.verb != etcdRange {
				if raises = true; !changed(q.lo, q.hi, revision) {
					return false
				}
			}
		}
		return raises
	}
	return func(op history.OpID, revision int64) bool {
		o := &k.ops[op]
		if o.verb == etcdRevoke {
			if n, known := slices.BinarySearch(k.leases, o.number); !known || len(k.holds[n]) == 0 {
				return false
			}
		}
		if o.refused != "" || gaps != nil && !gaps.fits(o, revision) {
			return false
		}
		return o.verb == etcdRevoke || o.made != no && does(o.then, revision) || o.made != yes &&
			does(o.orElse, revision)
	}
}
