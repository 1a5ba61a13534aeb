package model

// Theory says what the operations of a partition do, in the vocabulary of one kind of object. The
// kinds are those of this list, one struct each. The executable machine and the theory are two
// descriptions of the same thing, and law tests compare them.
//
//	*RegisterTheory       cells that hold one value at a time
//	*CollectionTheory     queues, stacks and priority queues
//	*CountingTheory       counters
//	*DequeTheory          one double-ended queue
//	*BoundedQueueTheory   one queue of limited capacity
//	*LogTheory            one append-only log
//	*LockTheory           one lock that has owners, or hands out tokens
//	*ReadersWriterTheory  one readers-writer lock
//	*GrowingTheory        one set from which nothing is removed
//	*BankTheory           one bank
//	*RevisionTheory       one store whose states are numbered
type Theory interface {
	// axiomatic returns the part of the theory for which engines have axioms; nil for none.
	axiomatic() Axiomatic
}

// Axiomatic is a theory for which engines have axioms: *RegisterTheory, *CollectionTheory or
// *CountingTheory.
type Axiomatic interface {
	Theory
	axioms()
}

// Axiomatic returns what the theory says in a vocabulary for which engines have axioms; nil if
// there is none for this partition. A partition that has one keeps one of that kind when results
// are forgotten and operations left out.
func (b *Instance) Axiomatic() Axiomatic {
	if b.Theory == nil {
		return nil
	}
	return b.Theory.axiomatic()
}

// Clausal reports whether clauses are known that say what the operations do. For other partitions
// the SAT engine lists states, as the search does.
func (b *Instance) Clausal() bool {
	q := As[*BoundedQueueTheory](b)
	return b.Axiomatic() != nil || b.Tallies != nil || As[*DequeTheory](b) != nil || q != nil && q.Cases != nil
}

// Registers returns the theory of registers that b.Axiomatic returns; nil if it is another one.
func (b *Instance) Registers() *RegisterTheory {
	t, _ := b.Axiomatic().(*RegisterTheory)
	return t
}

// As returns the theory of b if it is of that kind, else nil.
func As[T Theory](b *Instance) T {
	t, _ := b.Theory.(T)
	return t
}

// orNone returns c, or nil without a type.
func orNone(c *RegisterTheory) Axiomatic {
	if c == nil {
		return nil
	}
	return c
}

func (t *RegisterTheory) axiomatic() Axiomatic      { return t }
func (t *CollectionTheory) axiomatic() Axiomatic    { return t }
func (t *CountingTheory) axiomatic() Axiomatic      { return t }
func (*DequeTheory) axiomatic() Axiomatic           { return nil }
func (*BoundedQueueTheory) axiomatic() Axiomatic    { return nil }
func (*LogTheory) axiomatic() Axiomatic             { return nil }
func (t *LockTheory) axiomatic() Axiomatic          { return orNone(t.Cells) }
func (t *ReadersWriterTheory) axiomatic() Axiomatic { return orNone(t.Cells) }
func (*GrowingTheory) axiomatic() Axiomatic         { return nil }
func (*BankTheory) axiomatic() Axiomatic            { return nil }
func (*RevisionTheory) axiomatic() Axiomatic        { return nil }

func (*RegisterTheory) axioms()   {}
func (*CollectionTheory) axioms() {}
func (*CountingTheory) axioms()   {}
