package cds

import (
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

// holders is the sequential lock.
type holders struct {
	writer  bool
	readers int
}

var rwSpec = cdsspec.Structure[holders]{Name: "Linux RW lock", HappensBefore: []string{
	"ReadUnlock -> WriteLock", "WriteUnlock -> WriteLock", "WriteUnlock -> ReadLock",
	"ReadUnlock -> WriteTryLock(got)", "WriteUnlock -> WriteTryLock(got)", "WriteUnlock -> ReadTryLock(got)",
}}

var gotIt = map[string]func(none, bool) bool{"got": func(_ none, got bool) bool { return got }}

var rwReadLock = cdsspec.Method[holders, none, none]{
	Of: &rwSpec, Name: "ReadLock", Points: []string{"sub"},
	PreCondition: func(s *holders, _, _ none) bool { return !s.writer },
	SideEffect:   func(s *holders, _, _ none) { s.readers++ },
}

var rwWriteLock = cdsspec.Method[holders, none, none]{
	Of: &rwSpec, Name: "WriteLock", Points: []string{"sub"},
	PreCondition: func(s *holders, _, _ none) bool { return !s.writer && s.readers == 0 },
	SideEffect:   func(s *holders, _, _ none) { s.writer = true },
}

// Tries may fail though the lock is free: another try has taken for a moment what it gives back.
var rwReadTryLock = cdsspec.Method[holders, none, bool]{
	Of: &rwSpec, Name: "ReadTryLock", Points: []string{"sub"}, Conditions: gotIt,
	PreCondition: func(s *holders, _ none, got bool) bool { return !got || !s.writer },
	SideEffect: func(s *holders, _ none, got bool) {
		if got {
			s.readers++
		}
	},
}

var rwWriteTryLock = cdsspec.Method[holders, none, bool]{
	Of: &rwSpec, Name: "WriteTryLock", Points: []string{"sub"}, Conditions: gotIt,
	PreCondition: func(s *holders, _ none, got bool) bool { return !got || !s.writer && s.readers == 0 },
	SideEffect:   func(s *holders, _ none, got bool) { s.writer = s.writer || got },
}

// rwWriteTryLockFirst is the specification that the paper tried first: no try fails in vain.
var rwWriteTryLockFirst = cdsspec.Method[holders, none, bool]{
	Of: &rwSpec, Name: "WriteTryLock", Points: []string{"sub"}, Conditions: gotIt,
	PreCondition: func(s *holders, _ none, got bool) bool { return got == (!s.writer && s.readers == 0) },
	SideEffect:   rwWriteTryLock.SideEffect,
}

var rwReadUnlock = cdsspec.Method[holders, none, none]{
	Of: &rwSpec, Name: "ReadUnlock", Points: []string{"add"},
	PreCondition: func(s *holders, _, _ none) bool { return s.readers > 0 },
	SideEffect:   func(s *holders, _, _ none) { s.readers-- },
}

var rwWriteUnlock = cdsspec.Method[holders, none, none]{
	Of: &rwSpec, Name: "WriteUnlock", Points: []string{"add"},
	PreCondition: func(s *holders, _, _ none) bool { return s.writer },
	SideEffect:   func(s *holders, _, _ none) { s.writer = false },
}

// rwlock is the reader-writer spinlock of Linux (x86, before 2014), from the benchmarks of
// CDSChecker: a counter that starts at bias. A reader takes 1, a writer all; who fails gives back
// what it took.
type rwlock struct {
	x     *c11.Exec
	n     *c11.Int[int]
	first bool // the specification that the paper tried first
}

const bias = 0x100000

func newRWLock(x *c11.Exec) *rwlock { return &rwlock{x: x, n: c11.NewInt(x, "lock", bias)} }

func (l *rwlock) readLock() {
	call := rwReadLock.Begin(l.x, l, none{})
	prior := l.n.FetchAdd(-1, c11.Acquire)
	cdsspec.Point(l.x, prior > 0, "sub")
	for prior <= 0 {
		l.n.FetchAdd(1, c11.Relaxed)
		l.n.Await(func(n int) bool { return n > 0 }, c11.Relaxed)
		prior = l.n.FetchAdd(-1, c11.Acquire)
		cdsspec.Point(l.x, prior > 0, "sub")
	}
	call.End(none{})
}

func (l *rwlock) writeLock() {
	call := rwWriteLock.Begin(l.x, l, none{})
	prior := l.n.FetchAdd(-bias, c11.Acquire)
	cdsspec.Point(l.x, prior == bias, "sub")
	for prior != bias {
		l.n.FetchAdd(bias, c11.Relaxed)
		l.n.Await(func(n int) bool { return n == bias }, c11.Relaxed)
		prior = l.n.FetchAdd(-bias, c11.Acquire)
		cdsspec.Point(l.x, prior == bias, "sub")
	}
	call.End(none{})
}

func (l *rwlock) readTryLock() bool {
	call := rwReadTryLock.Begin(l.x, l, none{})
	got := l.n.FetchAdd(-1, c11.Acquire) > 0
	cdsspec.Point(l.x, true, "sub")
	if !got {
		l.n.FetchAdd(1, c11.Relaxed)
	}
	call.End(got)
	return got
}

func (l *rwlock) writeTryLock() bool {
	method := &rwWriteTryLock
	if l.first {
		method = &rwWriteTryLockFirst
	}
	call := method.Begin(l.x, l, none{})
	got := l.n.FetchAdd(-bias, c11.Acquire) == bias
	cdsspec.Point(l.x, true, "sub")
	if !got {
		l.n.FetchAdd(bias, c11.Relaxed)
	}
	call.End(got)
	return got
}

func (l *rwlock) readUnlock() {
	call := rwReadUnlock.Begin(l.x, l, none{})
	l.n.FetchAdd(1, c11.Release)
	cdsspec.Point(l.x, true, "add")
	call.End(none{})
}

func (l *rwlock) writeUnlock() {
	call := rwWriteUnlock.Begin(l.x, l, none{})
	l.n.FetchAdd(bias, c11.Release)
	cdsspec.Point(l.x, true, "add")
	call.End(none{})
}
