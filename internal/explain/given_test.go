package explain_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOrderThroughAbsentOperationsDoesNotHold: explicit order through an operation that never took
// effect orders nothing, unless the history says so.
func TestOrderThroughAbsentOperationsDoesNotHold(t *testing.T) {
	h, err := history.Read(
		strings.NewReader(
			`{"spec": "counter", "operations": [{"process": 0, "f": "read", "call": 0, "return": 5, "result": 1},
		{"process": 1, "f": "inc", "call": 1}, {"process": 2, "f": "inc", "call": 2, "return": 6}], "order": [[0, 1], [1, 2]]}`), history.ReadOptions{})
	require.NoError(t, err)
	p := model.Split(specs.Counter(), h, model.Unpartitioned)[0]
	for _, c := range []struct {
		edges  []history.Edge
		proved bool
	}{
		{[]history.Edge{{Before: 0, After: 1}, {Before: 1, After: 2}}, false},
		{[]history.Edge{{Before: 0, After: 1}, {Before: 0, After: 2}, {Before: 1, After: 2}}, true},
	} {
		q := *p
		q.Edges = c.edges
		b, err := specs.Counter().Bind(&q)
		require.NoError(t, err)
		ok, _ := oracle.Linearizable(b)
		assert.Equal(t, c.proved, !ok)
		proof, err := explain.Prove(context.Background(), b, proof.Everything(), 1000)
		require.NoError(t, err)
		assert.Equal(t, c.proved, proof.Argument != nil, "%v", c.edges)
	}
}
