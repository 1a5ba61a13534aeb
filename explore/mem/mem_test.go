package mem_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/stretchr/testify/assert"
)

// What an object can be written against, to run over package sync and sync/atomic as well.
type pointer[T any] interface {
	Load() *T
	Store(*T)
	Swap(*T) *T
	CompareAndSwap(from, to *T) bool
}

type integer interface {
	Load() int64
	Store(int64)
	Swap(int64) int64
	CompareAndSwap(from, to int64) bool
	Add(int64) int64
}

type mutex interface {
	sync.Locker
	TryLock() bool
}

type rwmutex interface {
	mutex
	RLock()
	RUnlock()
	TryRLock() bool
}

var (
	_, _ pointer[int] = (*atomic.Pointer[int])(nil), (*mem.Atomic[*int])(nil)
	_, _ integer      = (*atomic.Int64)(nil), (*mem.Int64)(nil)
	_, _ mutex        = (*sync.Mutex)(nil), (*mem.Mutex)(nil)
	_, _ rwmutex      = (*sync.RWMutex)(nil), (*mem.RWMutex)(nil)
)

// TestWithoutScheduler uses everything as ordinary sequential code.
func TestWithoutScheduler(t *testing.T) {
	m := mem.New()
	v := mem.NewVar(m, "v", "a")
	v.Store(v.Load() + "b")
	assert.Equal(t, "ab", v.Load())
	a := mem.NewAtomic(m, "a", 1)
	assert.Equal(t, 1, a.Swap(2))
	assert.False(t, a.CompareAndSwap(1, 3))
	assert.True(t, a.CompareAndSwap(2, 3))
	a.Store(a.Load() + 1)
	assert.Equal(t, 4, a.Await(func(n int) bool { return n == 4 }))
	n := mem.NewInt64(m, "n", 5)
	assert.EqualValues(t, 3, n.Add(-2))
	assert.True(t, mem.CompareAndSwap2(a, &n.Atomic, 4, 3, 7, 8))
	assert.False(t, mem.CompareAndSwap2(a, &n.Atomic, 4, 8, 0, 0))
	assert.EqualValues(t, 15, int64(a.Load())+n.Load())
	assert.Zero(t, m.Choose(3))
	m.Yield()
	l := mem.NewMutex(m, "l")
	l.Lock()
	assert.False(t, l.TryLock())
	l.Unlock()
	assert.True(t, l.TryLock())
	c := mem.NewCond(m, "c", l)
	c.Signal()
	c.Broadcast()
	rw := mem.NewRWMutex(m, "rw")
	rw.RLock()
	rw.RLock()
	assert.False(t, rw.TryLock())
	rw.RUnlock()
	rw.RUnlock()
	assert.True(t, rw.TryLock())
	assert.False(t, rw.TryRLock())
	rw.Unlock()
	rw.Lock()
	assert.False(t, rw.TryLock())
	rw.Unlock()
	assert.True(t, rw.TryRLock())
	s := mem.NewSemaphore(m, "s", 1)
	s.Acquire()
	assert.False(t, s.TryAcquire())
	s.Release()
	assert.True(t, s.TryAcquire())
}

// TestWhatWouldBlockPanics, for no thread would ever wake it.
func TestWhatWouldBlockPanics(t *testing.T) {
	m := mem.New()
	l, rw, s := mem.NewMutex(m, "l"), mem.NewRWMutex(m, "rw"), mem.NewSemaphore(m, "s", 0)
	a := mem.NewAtomic(m, "a", 0)
	l.Lock()
	rw.Lock()
	for name, f := range map[string]func(){
		"lock": l.Lock, "rlock": rw.RLock, "write lock": rw.Lock, "acquire": s.Acquire,
		"await": func() { a.Await(func(n int) bool { return n > 0 }) },
		"wait": func() {
			own := mem.NewMutex(m, "own")
			own.Lock()
			mem.NewCond(m, "c", own).Wait()
		},
	} {
		assert.PanicsWithValue(t, "mem: the access would block for ever, as no execution is running", f, name)
	}
	assert.Panics(t, func() { mem.CompareAndSwap2(a, mem.NewAtomic(mem.New(), "b", 0), 0, 0, 1, 1) })
	assert.Panics(t, func() { m.Choose(0) })
}

// TestText writes values without addresses, and pointers in the order in which they appear.
func TestText(t *testing.T) {
	m := schedule.NewMemory(nil, true).(*mem.Memory)
	type node struct{ value int }
	type reference struct {
		node *node
		mark bool
	}
	first, second := &node{value: 1}, &node{value: 2}
	assert.Equal(t, "nil", m.Text((*node)(nil)))
	assert.Equal(t, "#1", m.Text(second))
	assert.Equal(t, "#2", m.Text(first))
	assert.Equal(t, "#1", m.Text(second))
	assert.Equal(t, "{#2 true}", m.Text(reference{first, true}))
	assert.Equal(t, "[1 2]", m.Text([2]int8{1, 2}))
	assert.Equal(t, "7", m.Text(uint8(7)))
	assert.Equal(t, `"x"`, m.Text("x"))
	assert.Equal(t, `"x"`, m.Text(struct{ any }{"x"}.any))
	assert.Equal(t, "nil", m.Text(nil))
	assert.Equal(t, "1.5", m.Text(1.5))
	type named string
	assert.Equal(t, `{"y" nil}`, m.Text(struct {
		n named
		e error
	}{n: "y"}))
	for k, want := range map[schedule.Kind]string{schedule.Local: "local", schedule.Await: "await",
		schedule.Release: "release", schedule.ReadUnlock: "runlock"} {
		assert.Equal(t, want, k.String())
	}
}

// TestConflicts: common location and one of them writes.
func TestConflicts(t *testing.T) {
	access := func(k schedule.Kind, loc, loc2 int32) *schedule.Access {
		return &schedule.Access{Kind: k, Loc: loc, Loc2: loc2}
	}
	for _, c := range []struct {
		a, b *schedule.Access
		want bool
	}{
		{access(schedule.Read, 0, -1), access(schedule.Read, 0, -1), false},
		{access(schedule.Read, 0, -1), access(schedule.Write, 0, -1), true},
		{access(schedule.Await, 0, -1), access(schedule.Update, 0, -1), true},
		{access(schedule.Await, 0, -1), access(schedule.Read, 0, -1), false},
		{access(schedule.Write, 0, -1), access(schedule.Write, 1, -1), false},
		{access(schedule.Update, 0, 1), access(schedule.Read, 1, -1), true},
		{access(schedule.Update, 0, 1), access(schedule.Update, 2, 0), true},
		{access(schedule.Update, 0, 1), access(schedule.Update, 2, 3), false},
		{access(schedule.Local, -1, -1), access(schedule.Lock, 1, -1), false},
		{access(schedule.Unlock, 3, -1), access(schedule.Lock, 3, -1), true},
	} {
		assert.Equal(t, c.want, c.a.Conflicts(c.b))
		assert.Equal(t, c.want, c.b.Conflicts(c.a))
	}
}
