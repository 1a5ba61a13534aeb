package explored

import (
	"strconv"
	"sync"
	"testing"

	"github.com/alphadose/haxmap"
	"github.com/bytedance/gopkg/collection/skipmap"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jellydator/ttlcache/v3"
	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/spec"
	cmap "github.com/orcaman/concurrent-map/v2"
	gocache "github.com/patrickmn/go-cache"
	"github.com/puzpuzpuz/xsync/v4"
)

// kv is a map from integers to integers. What delete returns is whether the key was there, or nil
// where the map does not say it.
type kv struct {
	get    func(k int) any
	put    func(k, v int)
	delete func(k int) any
}

func found[V any](v V, ok bool) any {
	if !ok {
		return nil
	}
	return v
}

// two goroutines use one key.
func two(t *testing.T, newMap func() kv) {
	linsattest.Check(t, spec.MustLookup("kv"), func(r *linsattest.Run) {
		m := newMap()
		r.Go(func(p *linsattest.Process) {
			p.DoKey(1, "put", 10, func() any { m.put(1, 10); return nil })
			p.DoKey(1, "get", nil, func() any { return m.get(1) })
		})
		r.Go(func(p *linsattest.Process) {
			p.DoKey(1, "put", 20, func() any { m.put(1, 20); return nil })
			p.DoKey(1, "delete", nil, func() any { return m.delete(1) })
		})
	})
}

func TestSkipmap(t *testing.T) {
	two(t, func() kv {
		m := skipmap.NewInt()
		return kv{func(k int) any {
			return found(m.Load(k))
		}, func(k, v int) { m.Store(k, v) }, func(k int) any { return m.Delete(k) }}
	})
}

func TestSyncMap(t *testing.T) {
	two(t, func() kv {
		m := &sync.Map{}
		return kv{func(k int) any {
			return found(m.Load(k))
		}, func(k, v int) { m.Store(k, v) }, func(k int) any { m.Delete(k); return nil }}
	})
}

func TestTTLCache(t *testing.T) {
	two(t, func() kv {
		m := ttlcache.New[int, int]()
		get := func(k int) any {
			if item := m.Get(k); item != nil {
				return item.Value()
			}
			return nil
		}
		return kv{get, func(k, v int) { m.Set(k, v, ttlcache.NoTTL) }, func(k int) any { m.Delete(k); return nil }}
	})
}

func TestGoCache(t *testing.T) {
	two(t, func() kv {
		m := gocache.New(gocache.NoExpiration, 0)
		name := strconv.Itoa
		return kv{func(k int) any {
			return found(m.Get(name(k)))
		}, func(k, v int) { m.Set(name(k), v, 0) }, func(k int) any { m.Delete(name(k)); return nil }}
	})
}

func TestXsyncMap(t *testing.T) {
	two(t, func() kv {
		m := xsync.NewMap[int, int]()
		return kv{func(k int) any { return found(m.Load(k)) }, m.Store, func(k int) any { m.Delete(k); return nil }}
	})
}

func TestConcurrentMap(t *testing.T) {
	two(t, func() kv {
		m := cmap.NewWithCustomShardingFunction[int, int](func(k int) uint32 { return uint32(k) })
		return kv{func(k int) any { return found(m.Get(k)) }, m.Set, func(k int) any { m.Remove(k); return nil }}
	})
}

func TestHaxmap(t *testing.T) {
	two(t, func() kv {
		m := haxmap.New[int, int]()
		return kv{func(k int) any { return found(m.Get(k)) }, m.Set, func(k int) any { m.Del(k); return nil }}
	})
}

func TestLRU(t *testing.T) {
	two(t, func() kv {
		m, err := lru.New[int, int](4)
		if err != nil {
			t.Fatal(err)
		}
		return kv{func(k int) any {
			return found(m.Get(k))
		}, func(k, v int) { m.Add(k, v) }, func(k int) any { return m.Remove(k) }}
	})
}
