package claim

import "github.com/linsat/linsat/history"

// Before claims that A returned before B was called. What is no operation is before and after all.
type Before struct{ A, B history.OpID }

func (c Before) holds(w *Whole) bool {
	if c.A < 0 || c.B < 0 {
		return true
	}
	return w.are(c.A, c.B) && w.ops[c.A].Return < w.ops[c.B].Call
}

// Given claims that the history puts A before B itself, whatever the times: by an edge, or by
// revisions.
type Given struct{ A, B history.OpID }

func (c Given) holds(w *Whole) bool {
	if !w.are(c.A, c.B) {
		return false
	}
	x, y := w.b.Partition.Revision(c.A), w.b.Partition.Revision(c.B)
	if x != nil && y != nil && x.Chain == y.Chain && x.Number < y.Number {
		return true
	}
	w.work -= len(w.b.Partition.Edges)
	for _, e := range w.b.Partition.Edges {
		if e.Before == c.A && e.After == c.B {
			return true
		}
	}
	return false
}
