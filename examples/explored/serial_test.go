package explored

import (
	"testing"
	"time"

	"github.com/alphadose/haxmap"
	"github.com/bluele/gcache"
	"github.com/bytedance/gopkg/collection/skipset"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jellydator/ttlcache/v3"
	"github.com/linsat/linsat/linsattest"
	cmap "github.com/orcaman/concurrent-map/v2"
	gocache "github.com/patrickmn/go-cache"
	"github.com/puzpuzpuz/xsync/v4"
	"github.com/smallnest/ringbuffer"
	"github.com/sony/gobreaker/v2"
)

// call is an operation on an object.
type call[O any] struct {
	name string
	arg  any
	f    func(o O) any
}

// alone compares what operations of several goroutines do with what they do one after the other.
func alone[O any](t *testing.T, newObject func() O, threads ...[]call[O]) {
	linsattest.Check(t, nil, func(r *linsattest.Run) {
		o := newObject()
		for _, calls := range threads {
			r.Go(func(p *linsattest.Process) {
				for _, c := range calls {
					p.Do(c.name, c.arg, func() any { return c.f(o) })
				}
			})
		}
	})
}

// pair is two results.
type pair struct {
	A any
	B bool
}

func TestSerialLRU(t *testing.T) {
	type cache = *lru.Cache[int, int]
	add := func(k int) call[cache] {
		return call[cache]{"add", k, func(c cache) any { return c.Add(k, k) }}
	}
	peekOrAdd := call[cache]{"peek or add", 1, func(c cache) any {
		v, ok, evicted := c.PeekOrAdd(1, 9)
		return []any{v, ok, evicted}
	}}
	remove := call[cache]{"remove", 1, func(c cache) any { return c.Remove(1) }}
	size := call[cache]{"len", nil, func(c cache) any { return c.Len() }}
	alone(t, func() cache {
		c, err := lru.New[int, int](2)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}, []call[cache]{add(1), peekOrAdd, size}, []call[cache]{add(2), remove, add(3)})
}

func TestSerialHaxmap(t *testing.T) {
	type object = *haxmap.Map[int, int]
	swap := call[object]{"compare and swap", 1, func(m object) any { return m.CompareAndSwap(1, 1, 2) }}
	take := call[object]{"get and delete", 1, func(m object) any {
		v, ok := m.GetAndDel(1)
		return pair{v, ok}
	}}
	get := call[object]{"get", 1, func(m object) any {
		v, ok := m.Get(1)
		return pair{v, ok}
	}}
	alone(t, func() object {
		m := haxmap.New[int, int]()
		m.Set(1, 1)
		return m
	}, []call[object]{take, get}, []call[object]{take, swap})
}

func TestSerialXsyncMap(t *testing.T) {
	type object = *xsync.Map[int, int]
	inc := call[object]{"compute", 1, func(m object) any {
		v, ok := m.Compute(1, func(old int, loaded bool) (int, xsync.ComputeOp) { return old + 1, xsync.UpdateOp })
		return pair{v, ok}
	}}
	take := call[object]{"load and delete", 1, func(m object) any {
		v, ok := m.LoadAndDelete(1)
		return pair{v, ok}
	}}
	size := call[object]{"size", nil, func(m object) any { return m.Size() }}
	alone(t, func() object { return xsync.NewMap[int, int]() }, []call[object]{inc, take}, []call[object]{inc, size})
}

func TestSerialSkipset(t *testing.T) {
	type object = *skipset.IntSet
	add := func(k int) call[object] {
		return call[object]{"add", k, func(s object) any { return s.Add(k) }}
	}
	remove := call[object]{"remove", 1, func(s object) any { return s.Remove(1) }}
	contains := call[object]{"contains", 1, func(s object) any { return s.Contains(1) }}
	size := call[object]{"len", nil, func(s object) any { return s.Len() }}
	alone(t, skipset.NewInt, []call[object]{add(1), contains}, []call[object]{add(1), remove, size})
}

func TestSerialTTLCache(t *testing.T) {
	type object = *ttlcache.Cache[int, int]
	getOrSet := func(v int) call[object] {
		return call[object]{"get or set", v, func(c object) any {
			item, ok := c.GetOrSet(1, v)
			return pair{item.Value(), ok}
		}}
	}
	take := call[object]{"get and delete", nil, func(c object) any {
		item, ok := c.GetAndDelete(1)
		if !ok {
			return nil
		}
		return item.Value()
	}}
	alone(t, func() object { return ttlcache.New[int, int](ttlcache.WithTTL[int, int](time.Hour)) },
		[]call[object]{getOrSet(1), take}, []call[object]{getOrSet(2), take})
}

func TestSerialConcurrentMap(t *testing.T) {
	type object = cmap.ConcurrentMap[string, int]
	setIfAbsent := func(v int) call[object] {
		return call[object]{"set if absent", v, func(m object) any { return m.SetIfAbsent("a", v) }}
	}
	pop := call[object]{"pop", nil, func(m object) any {
		v, ok := m.Pop("a")
		return pair{v, ok}
	}}
	set := call[object]{"set b", nil, func(m object) any { m.Set("b", 1); return nil }}
	count := call[object]{"count", nil, func(m object) any { return m.Count() }}
	alone(t, func() object { return cmap.New[int]() },
		[]call[object]{setIfAbsent(1), pop, set}, []call[object]{setIfAbsent(2), count})
}

func TestSerialGoCache(t *testing.T) {
	type object = *gocache.Cache
	add := call[object]{"add", 1, func(c object) any { return c.Add("a", 1, 0) == nil }}
	inc := call[object]{"increment", nil, func(c object) any { return c.Increment("a", 1) == nil }}
	get := call[object]{"get", nil, func(c object) any {
		v, ok := c.Get("a")
		return pair{v, ok}
	}}
	del := call[object]{"delete", nil, func(c object) any { c.Delete("a"); return nil }}
	alone(t, func() object { return gocache.New(gocache.NoExpiration, 0) },
		[]call[object]{add, inc, get}, []call[object]{add, inc, del})
}

func TestSerialGCache(t *testing.T) {
	type object = gcache.Cache
	loads := call[object]{"get", 1, func(c object) any {
		v, err := c.Get(1)
		return pair{v, err == nil}
	}}
	set := call[object]{"set", 1, func(c object) any { return c.Set(1, 7) == nil }}
	remove := call[object]{"remove", 1, func(c object) any { return c.Remove(1) }}
	alone(t, func() object {
		return gcache.New(2).LRU().LoaderFunc(func(k any) (any, error) { return 1, nil }).Build()
	}, []call[object]{loads, loads}, []call[object]{set, remove})
}

func TestSerialRingBuffer(t *testing.T) {
	type object = *ringbuffer.RingBuffer
	write := func(s string) call[object] {
		return call[object]{"write", s, func(r object) any { n, err := r.Write([]byte(s)); return pair{n, err == nil} }}
	}
	read := call[object]{"read", nil, func(r object) any {
		b := make([]byte, 2)
		n, err := r.Read(b)
		return pair{string(b[:n]), err == nil}
	}}
	size := call[object]{"length", nil, func(r object) any { return r.Length() }}
	alone(t, func() object { return ringbuffer.New(3) },
		[]call[object]{write("ab"), read}, []call[object]{write("cd"), size, read})
}

func TestSerialBreaker(t *testing.T) {
	type object = *gobreaker.CircuitBreaker[int]
	fail := call[object]{"fail", nil, func(b object) any {
		_, err := b.Execute(func() (int, error) { return 0, errFails })
		return err.Error()
	}}
	state := call[object]{"state", nil, func(b object) any { return b.State().String() }}
	alone(t, func() object {
		return gobreaker.NewCircuitBreaker[int](gobreaker.Settings{ReadyToTrip: func(c gobreaker.Counts) bool {
			return c.ConsecutiveFailures > 1
		}})
	}, []call[object]{fail, state}, []call[object]{fail, fail})
}

type failure struct{}

func (failure) Error() string { return "fails" }

var errFails error = failure{}
