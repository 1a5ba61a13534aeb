package claim

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// owned calls f with the completed operations of an owner in their order, and how often it holds
// the lock before and after each, until f returns false.
func (w *Whole) owned(owner int32, f func(i history.OpID, before, after int32) bool) {
	lock := w.b.Holding
	held := int32(0)
	if lock.Holder == owner {
		held = lock.Held
	}
	w.each(func(i history.OpID, o *history.Op) bool {
		if lock.Owner[i] != owner || o.Pending() {
			return true
		}
		before := held
		switch lock.Does[i] {
		case model.Acquires:
			held++
		case model.Releases:
			held--
		}
		return f(i, before, held)
	})
}

// Holds claims that the owner of Op holds the lock Times when Op is called, and, unless Since names
// none, that this is so since Since.
type Holds struct {
	Op, Since history.OpID
	Times     int32
}

func (c Holds) holds(w *Whole) bool {
	if w.b.Holding == nil || !w.are(c.Op) {
		return false
	}
	holds, last := false, history.OpID(-1)
	w.owned(w.b.Holding.Owner[c.Op], func(i history.OpID, before, after int32) bool {
		if i == c.Op {
			holds = before == c.Times && (c.Since < 0 || last == c.Since)
			return false
		}
		if before != after {
			last = i
		}
		return true
	})
	return holds
}

// HeldThroughout claims that one owner holds the lock from Acquisition (Start: from the start) to
// Release (not an operation: to the end).
type HeldThroughout struct{ Acquisition, Release history.OpID }

func (c HeldThroughout) holds(w *Whole) bool {
	lock := w.b.Holding
	if lock == nil || c.Acquisition >= 0 && !w.are(c.Acquisition) || c.Release >= 0 && !w.are(c.Release) {
		return false
	}
	owner, inside, holds := lock.Holder, c.Acquisition < 0, c.Acquisition >= 0 || lock.Held > 0
	if c.Acquisition >= 0 {
		owner = lock.Owner[c.Acquisition]
	}
	began := inside
	w.owned(owner, func(i history.OpID, before, after int32) bool {
		switch {
		case i == c.Acquisition:
			inside, began = true, true
			holds = holds && lock.Does[i] == model.Acquires && before == 0
		case i == c.Release:
			holds = holds && inside && lock.Does[i] == model.Releases
			return false
		case inside && c.Release >= 0 && w.ops[c.Release].Call < w.ops[i].Call: // it never returned
			return false
		case inside:
			holds = holds && after > 0
		}
		return true
	})
	return holds && began && (c.Release < 0 || lock.Owner[c.Release] == owner)
}

// AtOnce claims that two times, each from an acquisition's return to a release's call, overlap.
type AtOnce struct{ A, B HeldThroughout }

func (c AtOnce) holds(w *Whole) bool {
	if !c.A.holds(w) || !c.B.holds(w) {
		return false
	}
	began, ended := history.Rank(-1), history.Never
	for _, x := range []HeldThroughout{c.A, c.B} {
		if x.Acquisition >= 0 {
			began = max(began, w.ops[x.Acquisition].Return)
		}
		if x.Release >= 0 {
			ended = min(ended, w.ops[x.Release].Call)
		}
	}
	return began < ended
}

// Refused claims that Op tried to acquire the lock, in vain, and that its owner did not hold it.
type Refused struct{ Op history.OpID }

func (c Refused) holds(w *Whole) bool {
	return w.b.Holding != nil && w.are(c.Op) && w.b.Holding.Does[c.Op] == model.NotReady && Holds{Op: c.Op, Since: -1}.holds(w)
}
