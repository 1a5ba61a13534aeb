package check

import (
	"context"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/stretchr/testify/require"
)

// access is an operation of a map: it puts a value, or gets it.
type access struct {
	f, key       string
	value        int64
	call, finish int64
}

// accesses returns a history of a map in which the first operation of each pair stated precedes the
// second; operations are numbered by their calls.
func accesses(t *testing.T, all []access, stated ...history.Edge) *stale.History {
	b := history.NewBuilder()
	for i, a := range all {
		r := history.Record{Process: b.ProcessInt(int64(i)), F: b.Values.String(a.f), Key: b.Values.String(a.key),
			Call: a.call, Return: a.finish}
		if v := b.Values.Int(a.value); a.f == "put" {
			r.Arg = v
		} else {
			r.Result = v
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	h.Edges = stated
	sp, _ := specs.Lookup("kv")
	x, err := stale.Of(sp, h)
	require.NoError(t, err)
	return x
}

// refusedWhereStated takes the certificate of a yes for the history without its stated order to the
// verifier, and returns why it is refused with it.
func refusedWhereStated(t *testing.T, q stale.Question, all []access, stated ...history.Edge) error {
	free := Ask(context.Background(), accesses(t, all), q)
	require.Equal(t, Holds, free.Verdict)
	require.True(t, free.Certified)
	return verify.New(accesses(t, all, stated...)).Check(context.Background(), free.Certificate)
}

// TestOrdersOfTwoObjectsAndTimeAreOneOrder: each key has an order by time, and the pair stated is
// in neither. The put of x, the get of x, the put of y and the get of y come in this order, but the
// get of y returned before the put of x was called.
func TestOrdersOfTwoObjectsAndTimeAreOneOrder(t *testing.T) {
	all := []access{{"put", "y", 2, 0, 100}, {"get", "x", 1, 5, 90}, {"get", "y", 2, 10, 20}, {"put", "x", 1, 30, 40}}
	pair := history.Edge{Before: 1, After: 0}
	for _, bound := range []int64{0, stale.Unbounded} {
		q := stale.Question{Bound: bound}
		require.ErrorContains(t, refusedWhereStated(t, q, all, pair), "have a circle")
		require.Equal(t, Fails, Ask(context.Background(), accesses(t, all, pair), q).Verdict)
	}
}

// TestRegularOrdersKeepWhatIsStated: an order of the writes is no answer where the history states
// another one.
func TestRegularOrdersKeepWhatIsStated(t *testing.T) {
	all := []access{{"put", "x", 1, 0, 10}, {"put", "x", 2, 5, 15}, {"get", "x", 1, 20, 30}}
	err := refusedWhereStated(t, stale.Question{Kind: stale.Regular}, all, history.Edge{Before: 0, After: 1})
	require.ErrorContains(t, err, "which is stated to precede it")
}

// TestOperationsOfACoreAreNamedOnce: named twice, a write would count as two versions.
func TestOperationsOfACoreAreNamedOnce(t *testing.T) {
	x := accesses(t, []access{{"put", "x", 1, 0, 1}, {"put", "x", 2, 2, 3}, {"get", "x", 1, 4, 5}})
	q := stale.Question{Bound: 1}
	require.Equal(t, Holds, Ask(context.Background(), x, q).Verdict)
	core := &stale.Core{Operations: []history.OpID{0, 1, 1, 2}, Lemmas: []proof.Lemma{}}
	require.ErrorContains(t, verify.New(x).Core(context.Background(), q, core), "it is named twice")
}
