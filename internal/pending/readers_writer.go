package pending

// What: readers-writer locks with operations that never returned. Plain search takes each number of
// readers for another state, and any pending operation can change it, at every node.
//
// Source: ours. A set of vectors of which none is below another is the usual way to keep what is
// enough of an upward closed set, as in the antichain algorithms for automata (De Wulf, Doyen,
// Henzinger and Raskin, CAV'06).
//
// A configuration is the set of open completed operations that have taken effect, the state, and
// how many pending operations of each kind have taken effect: read locks, read unlocks, write locks
// and write unlocks. Configurations are listed from return to return.
//
// Of two configurations with the same set, in which completed operations have done the same to the
// state (tries of unknown result need not), the one that used no more of any kind is enough. Let
// the other one have used d more, kind by kind. Then the first one leads to its state by pending
// operations that are within d, at once:
//
//   - From r to more readers, by read locks; to fewer, by read unlocks: the difference is within d.
//   - From r readers to a writer: d has r more read unlocks than read locks at least, and a write
//     lock more than write unlocks.
//   - From a writer to readers: d has a write unlock more, and as many read locks as there are
//     readers then.
//   - From a writer to a writer nothing is needed.
//
// So pending operations take effect only right before an operation that needs them, and as few as
// it needs: the ways to get where it is legal that are not within each other are one or two. A try
// that failed changes nothing, so it takes effect as soon as it is legal. Of operations that do the
// same, the one that returns first comes first (wgl/dfs.go).
//
// Where configurations are many, only those are kept in which much has taken effect by few pending
// operations. Such a beam finds linearizations, and does not refute; if it dies, it starts again
// and keeps more.
//
// Invariant: no configuration of a group uses as few pending operations of every kind as another
// one.
//
// Cost: configurations × open operations. Without the beam, the sets are at most as many as the
// products of the open operations of each kind.

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wgl"
)

// rwSet is a set of open operations, by slot.
type rwSet [rwWords]uint64

func (s *rwSet) has(slot uint8) bool { return s[slot/64]>>(slot%64)&1 == 1 }
func (s *rwSet) flip(slot uint8)     { s[slot/64] ^= 1 << (slot % 64) }

// rwCounts counts operations of the kinds that change the lock: ReadLock, ReadUnlock, WriteLock,
// WriteUnlock.
type rwCounts [model.WriteUnlock + 1]int32

// within reports whether no count is greater.
func (c rwCounts) within(d rwCounts) bool {
	return c[0] <= d[0] && c[1] <= d[1] && c[2] <= d[2] && c[3] <= d[3]
}

// rwGroup is what configurations must have in common to be compared: the set, and the state that
// completed operations would have led to alone, which may be none of a lock.
type rwGroup struct {
	taken            rwSet
	readers, writing int32
}

// rwConfig is a configuration.
type rwConfig struct {
	taken   rwSet
	used    rwCounts
	readers int32
	writing int32 // 1 if a writer holds the lock
	path    int32 // the last operation that took effect, in steps
	next    int32 // of its group, plus one
	gone    bool  // another one uses less
}

// rwStep is an operation that took effect, and the one before it; -1 for none.
type rwStep struct {
	op     history.OpID
	before int32
}

// rwOp is an open completed operation.
type rwOp struct {
	op   history.OpID
	ret  history.Rank
	does model.LockAction
	slot uint8
}

// rwConfigs are configurations after as many returns.
type rwConfigs struct {
	all   []rwConfig
	heads map[rwGroup]int32 // the first of a group, plus one
}

func (l *rwConfigs) reset() {
	l.all = l.all[:0]
	clear(l.heads)
}

// admit adds a configuration unless another one of its group uses as little.
func (l *rwConfigs) admit(c rwConfig) {
	group := c.group()
	head := l.heads[group]
	for k := head; k > 0; k = l.all[k-1].next {
		if !l.all[k-1].gone && l.all[k-1].used.within(c.used) {
			return
		}
	}
	for k := head; k > 0; k = l.all[k-1].next {
		if c.used.within(l.all[k-1].used) {
			l.all[k-1].gone = true
		}
	}
	c.next, c.gone = head, false
	l.all = append(l.all, c)
	l.heads[group] = int32(len(l.all))
}

func (c *rwConfig) group() rwGroup {
	u := &c.used
	return rwGroup{c.taken, c.readers - u[model.ReadLock] + u[model.ReadUnlock], c.writing - u[model.WriteLock] +
		u[model.WriteUnlock]}
}

// readersWriter is the search on one lock.
type readersWriter struct {
	*engine.Account
	ops     []history.Op
	lock    *model.ReadersWriterTheory
	returns []history.OpID
	pending [model.WriteUnlock + 1][]history.OpID // by call
	width   int                                   // configurations that are kept
	widest  int                                   // at most
	cut     bool                                  // some were left out

	called    int
	open      []rwOp // by return
	free      []uint8
	avail     rwCounts // pending operations called so far
	now, then rwConfigs
	beam      []rwConfig
	seen      []model.LockAction
	steps     []rwStep
}

// newReadersWriter returns the search, nil for other partitions.
func newReadersWriter(b *model.Instance, account *engine.Account) *readersWriter {
	p := b.Partition
	lock := model.As[*model.ReadersWriterTheory](b)
	if lock == nil || len(p.Edges)+len(p.Demands) > 0 {
		return nil
	}
	s := &readersWriter{Account: account, ops: p.Ops, lock: lock, width: rwWidth, widest: rwWidest}
	for i := range p.Ops {
		if !p.Ops[i].Pending() {
			s.returns = append(s.returns, history.OpID(i))
		} else if k, changes := whatPendingDoes(s.lock.Does[i]); changes {
			s.pending[k] = append(s.pending[k], history.OpID(i))
		}
	}
	slices.SortStableFunc(s.returns, func(x, y history.OpID) int {
		return cmp.Compare(p.Ops[x].Return, p.Ops[y].Return)
	})
	s.now.heads, s.then.heads = map[rwGroup]int32{}, map[rwGroup]int32{}
	s.Footprint = func() int64 {
		return int64(cap(s.now.all)+cap(s.then.all)+cap(s.beam))*72 + int64(len(s.now.heads)+len(s.then.heads))*96 +
			int64(cap(s.steps))*8
	}
	return s
}

// whatPendingDoes returns what a pending operation does if it changes the lock. One that failed
// never takes effect.
func whatPendingDoes(a model.LockAction) (k model.LockAction, changes bool) {
	switch a {
	case model.TryRead:
		return model.ReadLock, true
	case model.TryWrite:
		return model.WriteLock, true
	}
	return a, a <= model.WriteUnlock
}

// ReadersWriter decides a partition that is one readers-writer lock. It does not decide others.
func ReadersWriter(b *model.Instance, account *engine.Account) (a engine.Answer) {
	s := newReadersWriter(b, account)
	if s == nil {
		return a
	}
	switch s.search() {
	case wgl.Found:
		a.Verdict, a.Witness = engine.Linearizable, s.linearization()
	case wgl.Failed:
		a.Verdict = engine.NotLinearizable
	case wgl.GaveUp:
		a.Cause = account.Cause
	}
	return a
}

// search answers found, failed, undecided or gaveUp.
func (s *readersWriter) search() wgl.Outcome {
	for ; s.width <= s.widest; s.width *= rwWider {
		s.begin()
		o := s.walk()
		if o != wgl.Failed || !s.cut {
			return o
		}
	}
	return wgl.Undecided
}

// begin goes to the start.
func (s *readersWriter) begin() {
	s.called, s.cut, s.avail, s.steps = 0, false, rwCounts{}, s.steps[:0]
	s.open, s.free = s.open[:0], s.free[:0]
	for k := range rwOpen {
		s.free = append(s.free, uint8(rwOpen-1-k))
	}
	// more readers than operations never leave
	first := rwConfig{path: -1, readers: int32(min(s.lock.Readers, int64(len(s.ops))+1))}
	if s.lock.Writing {
		first.writing = 1
	}
	s.beam = append(s.beam[:0], first)
}

// walk passes one return after the other: found, or failed if no configuration passes one.
func (s *readersWriter) walk() wgl.Outcome {
	for _, due := range s.returns {
		if !s.call(s.ops[due].Return) {
			return wgl.Undecided
		}
		if !s.pass(due) {
			return wgl.GaveUp
		}
		if len(s.beam) == 0 {
			return wgl.Failed
		}
	}
	return wgl.Found
}

// call opens what is called before a return. It returns false if too many are open.
func (s *readersWriter) call(rank history.Rank) bool {
	for ; s.called < len(s.ops) && s.ops[s.called].Call <= rank; s.called++ {
		o, does := &s.ops[s.called], s.lock.Does[s.called]
		if o.Pending() {
			if k, changes := whatPendingDoes(does); changes {
				s.avail[k]++
			}
			continue
		}
		if len(s.free) == 0 {
			return false
		}
		x := rwOp{history.OpID(s.called), o.Return, does, s.free[len(s.free)-1]}
		s.free = s.free[:len(s.free)-1]
		s.open = inorder.Insert(s.open, x, func(a, b rwOp) int {
			return cmp.Or(cmp.Compare(a.ret, b.ret), cmp.Compare(a.op, b.op))
		})
	}
	return true
}

// pass lets an operation return. It returns false if the search has to stop.
func (s *readersWriter) pass(due history.OpID) bool {
	s.now.reset()
	s.then.reset()
	at := slices.IndexFunc(s.open, func(o rwOp) bool { return o.op == due })
	slot := s.open[at].slot
	for _, c := range s.beam {
		s.reach(c, slot)
	}
	for k := 0; k < len(s.now.all); k++ {
		if s.now.all[k].gone {
			continue
		}
		if !s.Spend(int64(len(s.open))) {
			return false
		}
		s.expand(s.now.all[k], slot)
	}
	s.open = slices.Delete(s.open, at, at+1)
	s.free = append(s.free, slot)
	s.beam = s.beam[:0]
	for _, c := range s.then.all {
		if !c.gone {
			s.beam = append(s.beam, c)
		}
	}
	if len(s.beam) > s.width {
		sort.SliceStable(s.beam, func(i, j int) bool { return s.beam[j].rating() < s.beam[i].rating() })
		s.beam, s.cut = s.beam[:s.width], true
	}
	return true
}

// rating is higher the more has taken effect, by fewer pending operations.
func (c *rwConfig) rating() int32 {
	n := int32(0)
	for _, w := range c.taken {
		n += int32(bits.OnesCount64(w))
	}
	return rwTaken*n - rwUsed*(c.used[0]+c.used[1]+c.used[2]+c.used[3])
}

// reach adds a configuration, with all tries that fail in it, to those before a return or, if what
// returns has taken effect, to those after it.
func (s *readersWriter) reach(c rwConfig, due uint8) {
	if c.writing+c.readers > 0 {
		for _, o := range s.open {
			if (o.does == model.WriteRefused || o.does == model.ReadRefused && c.writing > 0) && !c.taken.has(o.slot) {
				s.take(&c, o)
			}
		}
	}
	if c.taken.has(due) {
		c.taken.flip(due)
		s.then.admit(c)
		return
	}
	s.now.admit(c)
}

// expand lets each open operation take effect next, with the pending ones that it needs.
func (s *readersWriter) expand(c rwConfig, due uint8) {
	toFree := rwCounts{model.ReadUnlock: c.readers, model.WriteUnlock: c.writing}
	toWriter := rwCounts{}
	if c.writing == 0 {
		toWriter = rwCounts{model.ReadUnlock: c.readers, model.WriteLock: 1}
	}
	toReaders := rwCounts{model.WriteUnlock: c.writing} // as many as there are, perhaps none
	s.seen = s.seen[:0]
	for _, o := range s.open {
		if c.taken.has(o.slot) || slices.Contains(s.seen, o.does) {
			continue
		}
		s.seen = append(s.seen, o.does)
		switch o.does {
		case model.ReadLock:
			s.try(c, o, toReaders, due)
		case model.WriteLock:
			s.try(c, o, toFree, due)
		case model.WriteUnlock, model.ReadRefused:
			s.try(c, o, toWriter, due)
		case model.TryRead:
			s.try(c, o, toReaders, due)
			s.try(c, o, toWriter, due)
		case model.ReadUnlock:
			s.try(c, o, withReader(c, toReaders), due)
		case model.WriteRefused, model.TryWrite:
			if o.does == model.TryWrite {
				s.try(c, o, toFree, due)
			}
			switch {
			case c.readers+c.writing > 0:
				s.try(c, o, rwCounts{}, due)
			default:
				s.try(c, o, toWriter, due)
				s.try(c, o, withReader(c, toReaders), due)
			}
		}
	}
}

// withReader adds a read lock to what leads to no writer, if there is no reader.
func withReader(c rwConfig, need rwCounts) rwCounts {
	if c.readers == 0 {
		need[model.ReadLock]++
	}
	return need
}

// try lets pending operations and then an open one take effect, if there are as many.
func (s *readersWriter) try(c rwConfig, o rwOp, need rwCounts, due uint8) {
	for k := range need {
		if c.used[k]+need[k] > s.avail[k] {
			return
		}
	}
	for _, k := range [...]model.LockAction{model.WriteUnlock, model.ReadUnlock, model.ReadLock, model.WriteLock} {
		for range need[k] {
			s.step(&c, s.pending[k][c.used[k]])
			c.used[k]++
			c.change(k)
		}
	}
	switch o.does {
	case model.TryRead:
		if c.writing == 0 {
			c.change(model.ReadLock)
		}
	case model.TryWrite:
		if c.readers+c.writing == 0 {
			c.change(model.WriteLock)
		}
	default:
		c.change(o.does)
	}
	s.take(&c, o)
	s.reach(c, due)
}

// change changes the state as an operation does.
func (c *rwConfig) change(does model.LockAction) {
	switch does {
	case model.ReadLock:
		c.readers++
	case model.ReadUnlock:
		c.readers--
	case model.WriteLock:
		c.writing++
	case model.WriteUnlock:
		c.writing--
	}
}

// take marks an open operation.
func (s *readersWriter) take(c *rwConfig, o rwOp) {
	c.taken.flip(o.slot)
	s.step(c, o.op)
}

// step notes an operation that takes effect.
func (s *readersWriter) step(c *rwConfig, op history.OpID) {
	s.steps = append(s.steps, rwStep{op, c.path})
	c.path = int32(len(s.steps) - 1)
}

// linearization returns the operations in order, after search has found one.
func (s *readersWriter) linearization() []history.OpID {
	order := []history.OpID{}
	for at := s.beam[0].path; at >= 0; at = s.steps[at].before {
		order = append(order, s.steps[at].op)
	}
	slices.Reverse(order)
	return order
}
