package linsattest_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
)

// maps returns a map that keeps no more than what was put last if it is faulty.
func maps(faulty bool) linsattest.Object {
	return linsattest.Object{
		New: func() func(f string, arg any) any {
			var mu sync.Mutex
			values := map[any]any{}
			return func(f string, arg any) any {
				mu.Lock()
				defer mu.Unlock()
				if f == "get" {
					return values[arg]
				}
				if faulty {
					clear(values)
				}
				pair := arg.([]any)
				values[pair[0]] = pair[1]
				return nil
			}
		},
		Ops: []linsattest.Op{
			{F: "put", Draw: func(r *rand.Rand) any { return []any{r.IntN(2), r.IntN(9)} }},
			{F: "get", Draw: func(r *rand.Rand) any { return r.IntN(2) }},
		},
	}
}

// TestRandomKeys: arguments of kv name their keys.
func TestRandomKeys(t *testing.T) {
	set(t, "linsat.duration", "100ms")
	linsattest.Random(t, spec.MustLookup("kv"), maps(false))
	o := try(t, func(t testing.TB) { linsattest.Random(t, spec.MustLookup("kv"), maps(true)) })
	assert.True(t, o.failed, "a map that forgets the other keys passes")
}
