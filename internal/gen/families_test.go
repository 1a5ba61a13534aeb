package gen_test

import (
	"testing"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFamilies(t *testing.T) {
	for _, f := range gen.Families() {
		if f.Name == "long" {
			continue // a thousand operations at least
		}
		t.Run(f.Name, func(t *testing.T) {
			for _, spec := range f.Specs {
				for size := 1; size <= 5; size++ {
					for operations := 1; operations <= 9; operations += 4 {
						for violated := range 2 {
							c, err := f.Make(gen.FamilyOptions{Spec: spec, Size: size, Operations: operations,
								Processes: 3, Violated: violated == 1, Seed: uint64(10*size + operations)})
							require.NoError(t, err)
							ok, _ := oracle.Linearizable(bind(t, spec, c.History))
							require.Equal(t, violated == 0, ok, "%s, size %d, %d operations, violated %d", spec, size,
								operations, violated)
							require.Equal(t, map[bool]gen.Known{true: gen.Yes, false: gen.No}[ok], c.Known)
							require.Equal(t, ok, c.Mutation == "")
						}
					}
				}
			}
		})
	}
}

func TestFamiliesDefault(t *testing.T) {
	for _, f := range gen.Families() {
		c, err := f.Make(gen.FamilyOptions{})
		require.NoError(t, err)
		assert.Equal(t, f.Specs[0], c.History.Spec)
		assert.GreaterOrEqual(t, len(c.History.Ops), 16, f.Name)
		if f.Name == "long" {
			assert.GreaterOrEqual(t, len(c.History.Ops), 8000)
		}
		_, err = f.Make(gen.FamilyOptions{Spec: "log"})
		assert.ErrorContains(t, err, `of specification "log"`)
		_, err = f.Make(gen.FamilyOptions{Size: -1})
		assert.ErrorContains(t, err, "must not be negative")
	}
}
