package search

import "github.com/linsat/linsat/history"

// What: doubly linked lists of operations; removed operations are restored in reverse order.
//
// Source: Knuth's dancing links (2000).
//
// Cost: O(1).

// ring holds doubly linked lists of operations. Each is a cycle through its own head; heads are
// numbered after the operations.
type ring struct{ next, prev []history.OpID }

// newRing returns empty lists for n operations and the given number of heads.
func newRing(n, heads history.OpID) ring {
	r := ring{make([]history.OpID, n+heads), make([]history.OpID, n+heads)}
	for i := range r.next {
		r.next[i], r.prev[i] = history.OpID(i), history.OpID(i)
	}
	return r
}

// push puts v at the end of the list with that head.
func (r *ring) push(head, v history.OpID) {
	last := r.prev[head]
	r.next[last], r.prev[v], r.next[v], r.prev[head] = v, last, head, v
}

// remove takes v out of its list.
func (r *ring) remove(v history.OpID) { r.next[r.prev[v]], r.prev[r.next[v]] = r.next[v], r.prev[v] }

// restore puts back what was removed last.
func (r *ring) restore(v history.OpID) { r.next[r.prev[v]], r.prev[r.next[v]] = v, v }
