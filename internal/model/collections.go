package model

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// Discipline says which value leaves a collection first.
type Discipline uint8

// The disciplines.
const (
	FIFO       Discipline = iota // the oldest
	LIFO                         // the youngest
	ByPriority                   // the one of least Rank, any of equal ones
)

// Action is what an operation does to a collection.
type Action uint8

// The actions.
const (
	Insert Action = iota // puts Value in
	Remove               // takes Value out, or finds Nothing
	Peek                 // sees Value next to leave, or finds Nothing
	Aside                // what no theory tells, and a legal sequence does without: see Taken
)

// The values of a removal or a peek that returned no known value.
const (
	Nothing  int32 = -1 // it found the collection empty
	Anything int32 = -2 // its result is unknown: a value or Nothing
)

// CollectionTheory describes queues, stacks and priority queues.
type CollectionTheory struct {
	Discipline Discipline
	Object     []CellID  // collection of every operation, 0..len(Initial)-1
	Does       []Action  // by operation
	Value      []int32   // by operation: a value, Nothing or Anything
	Rank       []int64   // by value: its priority, least first (ByPriority only)
	Initial    [][]int32 // by collection: the values in it at the start, next to leave first
	Values     int       // values are 0..Values-1
}

// Stored is a value in one of several objects.
type Stored struct {
	Object CellID
	Value  int32
}

// Stored returns the value of operation i and the collection that it is on.
func (t *CollectionTheory) Stored(i history.OpID) Stored { return Stored{t.Object[i], t.Value[i]} }

// DequeTheory says what the operations of one double-ended queue do, and which of them do it at the
// back.
type DequeTheory struct {
	// Moves has the values that operations insert, remove or see, and the initial ones. Its
	// discipline and the order of the initial values mean nothing.
	Moves CollectionTheory
	Back  []bool
}

// BoundedQueueTheory says what the operations of one first-in first-out queue of limited capacity
// do.
type BoundedQueueTheory struct {
	// Moves has the values that operations insert, remove or see; what neither inserts nor removes
	// one is a Peek. It is nil if some operation needs room or none, and it is not known which.
	Moves *CollectionTheory
	// Counts marks operations that depend on how many values there are, a size or an insertion that
	// found no room. A legal sequence stays legal without any of them.
	Counts []bool
	Front  func(m Machine, s State) int32 // the value next to leave, or Nothing
	// Cases returns instances of the same partition in which the capacity is settled, where the
	// initial state leaves it open. The partition is linearizable exactly if it is in one of them,
	// and then in the same order; of other orders than linearizations it says nothing. Nil for no
	// cases.
	Cases func() []*Instance
}

// OneCollection returns the theory of one collection of these operations, values and initial
// values. Without an order of the values, the discipline means nothing.
func OneCollection(does []Action, values, initial []int32) CollectionTheory {
	c := CollectionTheory{Object: make([]CellID, len(values)), Does: does, Value: values, Initial: [][]int32{initial}}
	for _, list := range [...][]int32{values, initial} {
		for _, v := range list {
			c.Values = max(c.Values, int(v)+1)
		}
	}
	return c
}

// Contents returns the values that operations insert, remove or see, of one collection of which a
// legal sequence stays legal without all operations on one value, once those that count values are
// left out (CountsValues). It is nil for other objects, and for those with axioms.
func (b *Instance) Contents() *CollectionTheory {
	switch t := b.Theory.(type) {
	case *DequeTheory:
		return &t.Moves
	case *BoundedQueueTheory:
		return t.Moves
	}
	return nil
}

// CountsValues reports whether operation i depends on how many values there are. A legal sequence
// stays legal without it.
func (b *Instance) CountsValues(i history.OpID) bool {
	q, ok := b.Theory.(*BoundedQueueTheory)
	return ok && q.Moves != nil && q.Counts[i]
}

// Ends says which operations of a deque are at its back; nil for other objects.
type Ends []bool

// Of returns 1 for an operation at the back of a deque, else 0.
func (e Ends) Of(op history.OpID) int {
	if e != nil && e[op] {
		return 1
	}
	return 0
}

// Collection returns the theory of queues, stacks and priority queues, or that of a deque with its
// operations at the back. It is nil for other objects.
func (b *Instance) Collection() (t *CollectionTheory, back Ends) {
	if d := As[*DequeTheory](b); d != nil {
		return &d.Moves, d.Back
	}
	t, _ = b.Axiomatic().(*CollectionTheory)
	return t, nil
}

// Taken returns what is put in and taken out, of one collection: its theory, or Contents. Of a
// bounded queue this is the queue of unlimited capacity that the partition would be without the
// operations that count: these are Aside, and so are pending insertions of values that nothing
// sees. It allows more. It is nil for other objects.
func (b *Instance) Taken() *CollectionTheory {
	switch t := b.Theory.(type) {
	case *CollectionTheory:
		return t
	case *DequeTheory:
		return &t.Moves
	case *BoundedQueueTheory:
		if t.Moves != nil {
			return t.unlimited(b.Partition)
		}
	}
	return nil
}

// unlimited is the queue of unlimited capacity.
func (t *BoundedQueueTheory) unlimited(p *Partition) *CollectionTheory {
	moves := *t.Moves
	known := make([]bool, moves.Values) // certainly inserted, or seen
	for _, v := range moves.Initial[0] {
		known[v] = true
	}
	for i, v := range moves.Value {
		if v >= 0 && (moves.Does[i] != Insert || !p.Ops[i].Pending()) {
			known[v] = true
		}
	}
	moves.Does = slices.Clone(moves.Does)
	for i, v := range moves.Value {
		if t.Counts[i] || moves.Does[i] == Insert && !known[v] {
			moves.Does[i] = Aside
		}
	}
	return &moves
}
