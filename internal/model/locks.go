package model

// LockTheory describes one lock that has owners.
type LockTheory struct {
	Cells   *RegisterTheory // its states as values; nil with tokens, or if states are many
	Holding *Holding        // nil where some owner or result is not known
	Tokens  *Tokens         // nil for a lock without fencing tokens
}

// Tokens says that in every linearization no completed operation comes before one with a smaller
// number. With Distinct, no two have the same one either. Operations with the number 0 have none.
type Tokens struct {
	Numbers  []uint64
	Distinct bool
}

// Holding says who holds a lock, and how often. An owner that holds it may acquire it again, up to
// Limit times, and nobody else may acquire it then.
type Holding struct {
	Owner []int32      // of every operation, from 0 on
	Does  []HoldAction // by operation; of one that never returned, what it may have done
	Limit int32
	// Held says how often Holder holds the lock at the start; 0: it is free.
	Held, Holder int32
	// Exact says that nothing else is observed. Else more is forbidden than Holding tells.
	Exact bool
}

// Holding says who holds the lock that b's partition is about, and how often; nil if it is about
// none, or that is not known.
func (b *Instance) Holding() *Holding {
	if t, ok := b.Theory.(*LockTheory); ok {
		return t.Holding
	}
	return nil
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

// ReadersWriterTheory says what the operations of one readers-writer lock do.
type ReadersWriterTheory struct {
	Cells *RegisterTheory // derived from the states, nil if they are many

	Readers int64 // that hold it at the start
	Writing bool  // a writer holds it at the start
	Does    []LockAction
}

// LockAction is what an operation does to a readers-writer lock.
type LockAction uint8

// The actions. The first four change the lock. A refused one is a try that failed, as it does where
// the lock cannot be taken; TryRead and TryWrite are tries of unknown result.
const (
	ReadLock LockAction = iota
	ReadUnlock
	WriteLock
	WriteUnlock
	ReadRefused
	WriteRefused
	TryRead
	TryWrite
)
