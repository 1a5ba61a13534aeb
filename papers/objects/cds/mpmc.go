package cds

import (
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

// ends counts what was ordered so far.
type ends struct{ prepared, published, fetched, consumed int }

// bin is the result of prepare and fetch.
type bin struct {
	n  uint32
	ok bool
}

var mpmcSpec = cdsspec.Structure[ends]{Name: "MPMC queue", HappensBefore: []string{"Publish -> Fetch(ok)",
	"Consume -> Prepare(ok)"}}

var mpmcPrepare = cdsspec.Method[ends, int, bin]{
	Of: &mpmcSpec, Name: "Prepare", Points: []string{"read"},
	Conditions:   map[string]func(int, bin) bool{"ok": func(_ int, b bin) bool { return b.ok }},
	PreCondition: func(s *ends, size int, b bin) bool { return !b.ok || s.prepared-s.consumed < size },
	SideEffect: func(s *ends, _ int, b bin) {
		if b.ok {
			s.prepared++
		}
	},
}

var mpmcPublish = cdsspec.Method[ends, none, none]{
	Of: &mpmcSpec, Name: "Publish", Points: []string{"written"},
	SideEffect: func(s *ends, _, _ none) { s.published++ },
}

var mpmcFetch = cdsspec.Method[ends, none, bin]{
	Of: &mpmcSpec, Name: "Fetch", Points: []string{"written"},
	Conditions:   map[string]func(none, bin) bool{"ok": func(_ none, b bin) bool { return b.ok }},
	PreCondition: func(s *ends, _ none, b bin) bool { return !b.ok || s.fetched < s.published },
	SideEffect: func(s *ends, _ none, b bin) {
		if b.ok {
			s.fetched++
		}
	},
}

var mpmcConsume = cdsspec.Method[ends, none, none]{
	Of: &mpmcSpec, Name: "Consume", Points: []string{"read"},
	SideEffect: func(s *ends, _, _ none) { s.consumed++ },
}

// mpmc is the bounded queue for many producers and consumers of Bloom's blog, from the benchmarks
// of CDSChecker. started counts the reads and writes that have begun, 16 bits each; read and
// written count those that have ended.
type mpmc struct {
	x             *c11.Exec
	started       *c11.Int[uint32]
	read, written *c11.Int[uint32]
	bins          []*c11.Cell[int]
}

func newMPMC(x *c11.Exec, size int) *mpmc {
	q := &mpmc{x, c11.NewInt(x, "rdwr", uint32(0)), c11.NewInt(x, "read", uint32(0)),
		c11.NewInt(x, "written", uint32(0)), nil}
	for range size {
		q.bins = append(q.bins, c11.NewCell(x, "bin", 0))
	}
	return q
}

func (q *mpmc) size() uint32 { return uint32(len(q.bins)) }

// fetch returns a bin to read, and false if the queue is empty.
func (q *mpmc) fetch() bin {
	call := mpmcFetch.Begin(q.x, q, none{})
	b := q.tryFetch()
	call.End(b)
	return b
}

func (q *mpmc) tryFetch() bin {
	s := q.started.Load(c11.Acquire)
	for {
		rd, wr := s>>16, s&0xffff
		if wr == rd {
			return bin{}
		}
		seen, won := q.started.CompareAndSwap(s, s+1<<16, c11.AcqRel, c11.Acquire)
		if won {
			q.written.Await(func(w uint32) bool { return w&0xffff == wr }, c11.Acquire)
			cdsspec.Point(q.x, true, "written")
			return bin{rd % q.size(), true}
		}
		s = seen
	}
}

// consume gives back the bin that fetch returned.
func (q *mpmc) consume() {
	call := mpmcConsume.Begin(q.x, q, none{})
	q.read.FetchAdd(1, c11.Release)
	cdsspec.Point(q.x, true, "read")
	call.End(none{})
}

// prepare returns a bin to write, and false if the queue is full.
func (q *mpmc) prepare() bin {
	call := mpmcPrepare.Begin(q.x, q, len(q.bins))
	b := q.tryPrepare()
	call.End(b)
	return b
}

func (q *mpmc) tryPrepare() bin {
	s := q.started.Load(c11.Acquire)
	for {
		rd, wr := s>>16, s&0xffff
		if wr == (rd+q.size())&0xffff {
			return bin{}
		}
		seen, won := q.started.CompareAndSwap(s, rd<<16|(wr+1)&0xffff, c11.AcqRel, c11.Acquire)
		if won {
			q.read.Await(func(r uint32) bool { return r&0xffff == rd }, c11.Acquire)
			cdsspec.Point(q.x, true, "read")
			return bin{wr % q.size(), true}
		}
		s = seen
	}
}

// publish shows the bin that prepare returned to readers.
func (q *mpmc) publish() {
	call := mpmcPublish.Begin(q.x, q, none{})
	q.written.FetchAdd(1, c11.Release)
	cdsspec.Point(q.x, true, "written")
	call.End(none{})
}
