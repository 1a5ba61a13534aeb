package specs

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

// TestPlainOperationsAreBoundLikeOthers compares the short way to bind an operation, and to see
// that its result is stated, with the general one: the same random histories, right and wrong, of
// few values and of many, with initial contents, with names among the first values, and with names
// of larger numbers than the short way looks at.
func TestPlainOperationsAreBoundLikeOthers(t *testing.T) {
	bound, refused := 0, 0
	for _, s := range []*table{Queue().(*table), Stack().(*table), PriorityQueue().(*table), Deque().(*table),
		UnorderedQueue().(*table)} {
		r := rand.New(rand.NewPCG(7, 7))
		for range 3000 {
			seed, length := r.Uint64(), 1+r.IntN(12)
			short, inShort := bindRandom(t, s, seed, length, 0)
			general, inGeneral := bindRandom(t, s, seed, length, quickNames)
			require.Equal(t, inGeneral, inShort)
			if inShort != "" {
				refused++
				continue
			}
			bound++
			require.Equal(t, general.Class, short.Class)
			require.Equal(t, general.Items.Delta, short.Items.Delta)
			require.Equal(t, general.ReadOnly, short.ReadOnly)
			require.Equal(t, general.EquivID, short.EquivID)
			require.Equal(t, general.Items.Bulk, short.Items.Bulk)
			require.Equal(t, general.Theory, short.Theory)
		}
	}
	require.Greater(t, bound, 1000)
	require.Greater(t, refused, 1000)
}

// bindRandom binds a random history of one collection, in whose table so many values come before
// all others. It returns the error, if it is refused.
func bindRandom(t *testing.T, s *table, seed uint64, length, before int) (b *model.Instance, refusal string) {
	r := rand.New(rand.NewPCG(seed, 1))
	build := history.NewBuilder()
	for i := range before {
		build.Values.Int(int64(1000 + i))
	}
	odd := r.IntN(4) == 0 // few histories are wrong
	few := 4 + r.IntN(2)*100
	element := func() history.Value {
		values := []any{1 + r.IntN(few), 2, 3, 4}
		if few > 4 {
			values = values[:1]
		}
		if odd {
			values = append(values, true, "empty", nil, []any{5, 6}, "x")
		}
		return value(build.Values, values[r.IntN(len(values))])
	}
	var initial []history.Value
	for range r.IntN(3) * r.IntN(6) {
		initial = append(initial, element())
	}
	build.SetInitial(build.Values.List(initial))
	for i := range length {
		row := &s.rows[r.IntN(len(s.rows))]
		if (row.does == counts || row.does == empties) && !odd && r.IntN(8) > 0 {
			row = &s.rows[r.IntN(2)]
		}
		rec := history.Record{Process: build.ProcessInt(0), F: build.Values.String(row.Name), Key: history.NoKey,
			Call: int64(2 * i), Return: int64(2*i + 1), Line: i + 1}
		switch row.does {
		case model.Insert:
			rec.Arg = element()
			rec.NoResult = r.IntN(2) == 0
		case model.Remove, model.Peek:
			if r.IntN(5) > 0 {
				rec.Result = element()
			}
			rec.NoResult = odd && rec.Result == history.Nil && r.IntN(8) == 0
		case counts:
			rec.Result = build.Values.Int(int64(r.IntN(3)))
		case empties:
			rec.Result = build.Values.List([]history.Value{element()})
		}
		if odd && r.IntN(10) == 0 {
			rec.Arg = element()
		}
		if odd && r.IntN(10) == 0 {
			rec.F = build.Values.String("jump")
		}
		if r.IntN(10) == 0 {
			rec.Result, rec.NoResult, rec.Forgotten = history.Nil, false, true
		}
		_, err := build.Add(rec)
		require.NoError(t, err)
	}
	h, err := build.Finish()
	require.NoError(t, err)
	for i := range h.Ops {
		if h.Ops[i].Unknown {
			h.Ops[i].Result = element() // meaningless
		}
	}
	if err := CheckStated(s, h); err != nil {
		return nil, err.Error()
	}
	b, err = s.Bind(model.Whole(h))
	if err != nil {
		return nil, err.Error()
	}
	return b, ""
}
