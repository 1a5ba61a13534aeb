package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Locks whose state is one number, and whose operations do not say whose they are: mutex, rwmutex
// and semaphore.

// lockOp is a resolved operation: its row, the number of permits, and for an acquisition whether it
// succeeded.
type lockOp struct {
	n      int32
	verb   int8
	result outcome
}

// lock is what distinguishes these locks.
type lock struct {
	initial  func(p *model.Partition) (s int64, ok bool)
	step     func(o lockOp, s int64, dst []int64) []int64
	describe func(s int64) string
	refuse   func(o lockOp, s int64) string
	// actions says what the operations do to a readers-writer lock; nil for other locks.
	actions func(init int64, ops []lockOp) *model.ReadersWriterTheory
	tallies func(init int64, ops []lockOp) *model.Tallies
}

// resolve resolves the operations of p, and determines which are interchangeable and which are
// read-only.
func (l *lock) resolve(s *table, p *model.Partition) (b *model.Instance, init int64, ops []lockOp, err error) {
	init, ok := l.initial(p)
	if !ok {
		return nil, 0, nil, s.wrongInitial(p)
	}
	b, ops = s.instance(p), make([]lockOp, len(p.Ops))
	var sigs signatures
	err = s.each(p, func(i history.OpID, verb int, n int64) (err error) {
		o := lockOp{verb: int8(verb), n: int32(n)}
		o.result, err = s.rows[verb].result(p, i)
		ops[i] = o
		b.ReadOnly[i] = o.result == no || n == 0
		if form := int32(3*verb) + int32(o.result); n <= 1 {
			b.EquivID[i] = sigs.one(form, int32(n), 2)
		} else {
			b.EquivID[i] = sigs.pair(form, int32(n), 0)
		}
		return err
	})
	return b, init, ops, err
}

// bind binds a partition whose states are unbounded numbers. A theory is derived if few states are
// reachable.
func (l *lock) bind(s *table, p *model.Partition) (*model.Instance, error) {
	b, err := model.WithDerived(func(p *model.Partition) (*model.Instance, error) { return l.bindOne(s, p) })(p)
	if err != nil {
		return nil, err
	}
	if t := b.Registers(); t == nil || t.Values <= lockStates {
		return b, nil
	}
	if rw, ok := b.Theory.(*model.ReadersWriterTheory); ok {
		rw.Cells = nil
	} else {
		b.Theory = nil
	}
	return b, nil
}

func (l *lock) bindOne(s *table, p *model.Partition) (*model.Instance, error) {
	b, init, ops, err := l.resolve(s, p)
	if err != nil {
		return nil, err
	}
	b.NewMachine = func() model.Machine {
		return model.NewComparable(init, func(s int64, op history.OpID, dst []int64) []int64 {
			return l.step(ops[op], s, dst)
		}, l.describe, nil)
	}
	b.Refusal = func(m model.Machine, s model.State, op history.OpID) string {
		return l.refuse(ops[op], model.PeekComparable[int64](m, s))
	}
	if l.actions != nil {
		b.Theory = l.actions(init, ops)
	}
	b.Tallies = func() *model.Tallies { return l.tallies(init, ops) }
	return b, nil
}

// holders reads an initial state that is a number of permits or readers.
func holders(p *model.Partition, without int64) (n int64, ok bool) {
	if !stated(p) {
		return without, true
	}
	n, ok = p.History.Values.AsInt(p.Initial)
	return n, ok && n >= 0 && n <= maxHolders
}

// maxHolders bounds permits and readers, so that no sum over a history overflows.
const maxHolders = 1_000_000_000_000

// verdict reads the result of operation i as one that is true or false.
type verdict func(p *model.Partition, i history.OpID) (outcome, error)

// acquires is the verdict of an operation that always succeeds. A result of false is an error: the
// operation was probably a try, and to ignore the result would be to check another history.
func acquires(p *model.Partition, i history.OpID) (outcome, error) {
	if o := &p.Ops[i]; !o.Unknown && o.Result == history.False {
		return unknown, wrongResult(p, i, "null: one that may fail has a try in its name")
	}
	return yes,
		noResult(p, i,
			"leave out what does not say whether it was acquired; fenced-mutex looks at fences, owned-mutex at owners")
}

// tries is the verdict of an operation that may fail.
func tries(p *model.Partition, i history.OpID) (outcome, error) {
	result, ok := truth(&p.Ops[i])
	if !ok {
		return unknown, wrongResult(p, i, "true or false")
	}
	return result, nil
}

// releases is the verdict of an operation without a result.
func releases(hint string) verdict {
	return func(p *model.Partition, i history.OpID) (outcome, error) { return yes, noResult(p, i, hint) }
}

// oneWithout reads a missing argument as 1.
var oneWithout = &argument{noArgument.words, func(_ *history.Values, v history.Value) (int64, bool) {
	return 1, v == history.Nil
}}
