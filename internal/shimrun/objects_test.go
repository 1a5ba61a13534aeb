package shimrun_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/explore/shim/atomic"
	"github.com/linsat/linsat/explore/shim/sync"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The same objects over explore/mem and over the shims.

type cell struct {
	value int
	next  reference
}

type reference interface {
	Load() *cell
	Store(*cell)
	CompareAndSwap(from, to *cell) bool
}

type integer interface {
	Load() int64
	Store(int64)
	Add(int64) int64
	CompareAndSwap(from, to int64) bool
}

// memory makes what objects are made of.
type memory interface {
	integer() integer
	reference() reference
	lock() sync.Locker
}

type shims struct{}

func (shims) integer() integer     { return &atomic.Int64{} }
func (shims) reference() reference { return &atomic.Pointer[cell]{} }
func (shims) lock() sync.Locker    { return &sync.Mutex{} }

type memories struct{ m *mem.Memory }

func (m memories) integer() integer     { return mem.NewInt64(m.m, "integer", 0) }
func (m memories) reference() reference { return mem.NewAtomic[*cell](m.m, "reference", nil) }
func (m memories) lock() sync.Locker    { return mem.NewMutex(m.m, "lock") }

// objects make an object and return its two operations.
var objects = map[string]func(m memory) (put func(v int) any, take func() any){
	"treiber stack": func(m memory) (func(v int) any, func() any) {
		top := m.reference()
		return func(v int) any {
				n := &cell{value: v, next: m.reference()}
				for {
					old := top.Load()
					n.next.Store(old)
					if top.CompareAndSwap(old, n) {
						return nil
					}
				}
			}, func() any {
				for {
					old := top.Load()
					if old == nil {
						return nil
					}
					if top.CompareAndSwap(old, old.next.Load()) {
						return old.value
					}
				}
			}
	},
	"torn stack": func(m memory) (func(v int) any, func() any) {
		top := m.reference()
		return func(v int) any {
				n := &cell{value: v, next: m.reference()}
				n.next.Store(top.Load())
				top.Store(n)
				return nil
			}, func() any {
				old := top.Load()
				if old == nil {
					return nil
				}
				top.Store(old.next.Load())
				return old.value
			}
	},
	"michael and scott queue": func(m memory) (func(v int) any, func() any) {
		head, tail := m.reference(), m.reference()
		first := &cell{next: m.reference()}
		head.Store(first)
		tail.Store(first)
		return func(v int) any {
				n := &cell{value: v, next: m.reference()}
				for {
					last := tail.Load()
					next := last.next.Load()
					if next != nil {
						tail.CompareAndSwap(last, next)
						continue
					}
					if last.next.CompareAndSwap(nil, n) {
						tail.CompareAndSwap(last, n)
						return nil
					}
				}
			}, func() any {
				for {
					h, t := head.Load(), tail.Load()
					next := h.next.Load()
					switch {
					case next == nil:
						return nil
					case h == t:
						tail.CompareAndSwap(t, next)
					case head.CompareAndSwap(h, next):
						return next.value
					}
				}
			}
	},
	"counter of a lock": func(m memory) (func(v int) any, func() any) {
		l, n := m.lock(), 0
		return func(v int) any { l.Lock(); defer l.Unlock(); n += v; return n },
			func() any { l.Lock(); defer l.Unlock(); n--; return n }
	},
	"counter of two locks": func(m memory) (func(v int) any, func() any) {
		a, b, n := m.lock(), m.lock(), m.integer()
		return func(v int) any { a.Lock(); defer a.Unlock(); return int(n.Add(int64(v))) },
			func() any { b.Lock(); defer b.Unlock(); old := n.Load(); n.Store(old - 1); return int(old) }
	},
	"register with versions": func(m memory) (func(v int) any, func() any) {
		version, a, b := m.integer(), m.integer(), m.integer()
		return func(v int) any {
				old := version.Load()
				if old%2 == 1 || !version.CompareAndSwap(old, old+1) {
					return false
				}
				a.Store(int64(v))
				b.Store(int64(v))
				version.Store(old + 2)
				return true
			}, func() any {
				before := version.Load()
				x, y := a.Load(), b.Load()
				if before%2 == 1 || version.Load() != before {
					return nil
				}
				return []any{int(x), int(y)}
			}
	},
	"counter with retries": func(m memory) (func(v int) any, func() any) {
		n := m.integer()
		change := func(d int64) any {
			for {
				old := n.Load()
				if n.CompareAndSwap(old, old+d) {
					return int(old)
				}
			}
		}
		return func(v int) any { return change(int64(v)) }, func() any { return change(-1) }
	},
}

// An object has the same classes of histories over the shims as over explore/mem.
func TestShimsAreMem(t *testing.T) {
	for name, object := range objects {
		explored := func(over func(x *explore.Exec) (memory, func())) map[string]bool {
			found := map[string]bool{}
			stats, err := explore.Run(func(x *explore.Exec) {
				m, ready := over(x)
				put, take := object(m)
				for p := range 2 {
					x.Go(func(t *explore.Thread) {
						t.Do("put", p+1, func() any { return put(p + 1) })
						t.Do("take", nil, take)
					})
				}
				ready()
			}, explore.DPOR(), explore.Options{}, func(e *explore.Execution) bool {
				found[string(e.Class(nil))] = true
				return true
			})
			require.NoError(t, err)
			require.True(t, stats.Complete)
			return found
		}
		inMem := explored(func(x *explore.Exec) (memory, func()) { return memories{x.Memory()}, func() {} })
		inShims := explored(func(x *explore.Exec) (memory, func()) {
			begun := shimrun.Begin(x, &shimrun.Needs{})
			return shims{}, begun.Ready
		})
		shimrun.End()
		assert.Equal(t, slices.Sorted(maps.Keys(inMem)), slices.Sorted(maps.Keys(inShims)), name)
		assert.Greater(t, len(inMem), 2, name)
	}
}
