package model

// Holding says what the operations of one lock do that has owners: who holds it, and how often. An
// owner that holds it may acquire it again, up to Limit times, and nobody else may acquire it then.
// It is not a theory: there are no axioms for it.
type Holding struct {
	Owner []int32      // of every operation, from 0 on
	Does  []HoldAction // by operation; of one that never returned, what it may have done
	Limit int32
	// Held says how often Holder holds the lock at the start; 0: it is free.
	Held, Holder int32
	// Exact says that nothing else is observed. Else more is forbidden than Holding tells.
	Exact bool
}

// HoldAction is what an operation does to a lock.
type HoldAction uint8

// The actions.
const (
	Acquires   HoldAction = iota // its owner holds the lock once more
	Releases                     // its owner, who holds it, holds it once less
	NotReady                     // an attempt to acquire it that was refused
	NotAllowed                   // a release that was refused: its owner did not hold the lock
)

// Refuses reports whether an operation whose owner holds the lock so often (not at all: others may
// hold it) contradicts that.
func (h *Holding) Refuses(does HoldAction, held int32) bool {
	switch does {
	case Acquires:
		return held == h.Limit
	case Releases:
		return held == 0
	case NotReady:
		return held > 0 && held < h.Limit
	}
	return held > 0
}
