package claim

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// owned calls f with the operations of an owner in their order, and how often it holds the lock
// before each, and after it if it takes effect, until f returns false. It reports whether none of
// them overlap: else their order is not known.
func (w *Whole) owned(owner int32, f func(i history.OpID, before, after int32) bool) bool {
	lock := w.b.Holding()
	until := history.Rank(-1)
	if !w.each(func(i history.OpID, o *history.Op) bool {
		if lock.Owner[i] != owner {
			return true
		}
		apart := until < o.Call
		until = o.Return
		return apart
	}) {
		return false
	}
	held := int32(0)
	if lock.Holder == owner {
		held = lock.Held
	}
	w.each(func(i history.OpID, _ *history.Op) bool {
		if lock.Owner[i] != owner {
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
	return true
}

// Holds claims that the owner of Op holds the lock Times when Op is called, and, unless Since names
// none, that this is so since Since.
type Holds struct {
	Op, Since history.OpID
	Times     int32
}

func (c Holds) holds(w *Whole) bool {
	if w.b.Holding() == nil || !w.are(c.Op) {
		return false
	}
	holds, last := false, history.OpID(-1)
	return w.owned(w.b.Holding().Owner[c.Op], func(i history.OpID, before, after int32) bool {
		if i == c.Op {
			holds = before == c.Times && (c.Since < 0 || last == c.Since)
			return false
		}
		if before != after {
			last = i
		}
		return true
	}) && holds
}

// HeldThroughout claims that one owner holds the lock from Acquisition (Start: from the start) to
// Release (not an operation: to the end).
type HeldThroughout struct{ Acquisition, Release history.OpID }

// owner is who holds the lock, if the claim is true.
func (c HeldThroughout) owner(lock *model.Holding) int32 {
	if c.Acquisition >= 0 {
		return lock.Owner[c.Acquisition]
	}
	return lock.Holder
}

func (c HeldThroughout) holds(w *Whole) bool {
	lock := w.b.Holding()
	switch {
	case lock == nil, c.Acquisition >= 0 && !w.are(c.Acquisition), c.Release >= 0 && !w.are(c.Release):
		return false
	case c.Acquisition >= 0 && (lock.Does[c.Acquisition] != model.Acquires || w.ops[c.Acquisition].Pending()),
		c.Acquisition < 0 && lock.Held == 0:
		return false
	case c.Release >= 0 && (lock.Does[c.Release] != model.Releases || lock.Owner[c.Release] != c.owner(lock)):
		return false
	}
	inside, holds := c.Acquisition < 0, true
	return w.owned(c.owner(lock), func(i history.OpID, before, after int32) bool {
		switch {
		case i == c.Acquisition:
			inside, holds = true, before == 0
		case i == c.Release:
			holds = holds && inside
			return false
		case inside:
			holds = holds && after > 0
		}
		return true
	}) && inside && holds
}

// AtOnce claims that two times of two owners, each from an acquisition's return to a release's
// call, overlap.
type AtOnce struct{ A, B HeldThroughout }

func (c AtOnce) holds(w *Whole) bool {
	if !c.A.holds(w) || !c.B.holds(w) || c.A.owner(w.b.Holding()) == c.B.owner(w.b.Holding()) {
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
	return w.b.Holding() != nil && w.are(c.Op) && w.b.Holding().Does[c.Op] == model.NotReady &&
		Holds{Op: c.Op, Since: -1}.holds(w)
}
