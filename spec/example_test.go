package spec_test

import (
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every example is one line of linsat's JSON that names its specification, has some concurrency,
// and is linearizable.
func TestExamplesAreLinearizable(t *testing.T) {
	for _, s := range specs.All() {
		info := s.Info()
		t.Run(info.Name, func(t *testing.T) {
			assert.NotContains(t, info.Example, "\n")
			h, err := history.Read(strings.NewReader(info.Example), history.ReadOptions{})
			require.NoError(t, err)
			assert.Equal(t, info.Name, h.Spec)
			p := model.Whole(h)
			b, err := s.Bind(p)
			require.NoError(t, err)
			ok, _ := oracle.Linearizable(b)
			assert.True(t, ok)
			concurrent := false
			for i := 1; i < p.Len(); i++ {
				concurrent = concurrent || !p.Precedes(history.OpID(i-1), history.OpID(i))
			}
			assert.True(t, concurrent, "no two operations are concurrent")
		})
	}
}
