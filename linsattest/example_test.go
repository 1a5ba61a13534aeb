package linsattest_test

import (
	"flag"
	"sync"
	"testing"

	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/spec"
)

func lookup(name string) *flag.Flag { return flag.Lookup(name) }

// A map behind a mutex, as a test function of go test checks it.
func Example() {
	TestMap := func(t *testing.T) {
		linsattest.Check(t, spec.MustLookup("kv"), func(r *linsattest.Run) {
			var mu sync.Mutex
			m := map[string]int{}
			for range 4 {
				r.Go(func(p *linsattest.Process) {
					for range 20 {
						key, value := string(rune('a'+p.Rand().IntN(3))), p.Rand().IntN(100)
						p.DoKey(key, "put", value, func() any {
							mu.Lock()
							defer mu.Unlock()
							m[key] = value
							return nil
						})
					}
				})
			}
		})
	}
	_ = TestMap
}
