package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What goroutines did is linearizable, and Check says so, with few values and many.
func TestRecorded(t *testing.T) {
	for _, object := range []string{"stack", "deque", "queue"} {
		for _, values := range []int{0, 1, 4} {
			t.Run(fmt.Sprintf("%s of %d values", object, values), func(t *testing.T) {
				h, err := record(options{Object: object, Goroutines: 4, Operations: 2000, Values: values,
					Seed: uint64(values)})
				require.NoError(t, err)
				require.Len(t, h.Ops, 2000)
				s, ok := specs.Lookup(h.Spec)
				require.True(t, ok)
				r, err := linsat.Check(context.Background(), s, h)
				require.NoError(t, err)
				assert.Equal(t, engine.Linearizable, r.Verdict)
				assert.True(t, r.Certified)
			})
		}
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []options{
		{Object: "stack", Goroutines: 0, Operations: 1},
		{Object: "stack", Goroutines: 1, Operations: 0},
		{Object: "stack", Goroutines: 1, Operations: 1, Values: -1},
		{Object: "stack", Goroutines: 1, Operations: 1, Insertions: 2},
		{Object: "stack", Goroutines: 1, Operations: 1, Yield: -1},
		{Object: "heap", Goroutines: 1, Operations: 1},
	} {
		_, err := record(o)
		assert.Error(t, err, "%+v", o)
	}
}
