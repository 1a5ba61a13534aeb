package conformance_test

// Random finite tables as a caller's opaque models: by the definition, by every engine, and by
// CheckOps with its reasons.

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// finiteTable is an opaque model: what each kind of operation may do in each of its states.
type finiteTable struct {
	states, kinds int
	does          [][][]linsat.Outcome[int, int] // kind, state
	deterministic bool
}

// drawFiniteTable draws tables with 2 to 40 states. Half of them are deterministic. Rows are those
// of reads, writes, swaps, steps around a ring, and anything at all.
func drawFiniteTable(r *rand.Rand) finiteTable {
	t := finiteTable{states: 2 + r.IntN(39), kinds: 2 + r.IntN(7), deterministic: r.IntN(2) == 0}
	for range t.kinds {
		rows := make([][]linsat.Outcome[int, int], t.states)
		shape, a, b, outputs := r.IntN(6), r.IntN(t.states), r.IntN(t.states), 1+r.IntN(3)
		for s := range rows {
			switch shape {
			case 0: // a read
				rows[s] = linsat.Returns(s%outputs, s)
			case 1: // a write
				rows[s] = []linsat.Outcome[int, int]{{Next: a, AnyOutput: true}}
			case 2: // a swap of two states
				if s == a || s == b {
					rows[s] = linsat.Returns(1, a+b-s)
				} else {
					rows[s] = linsat.Returns(0, s)
				}
			case 3: // around a ring
				rows[s] = linsat.Returns(s%outputs, (s+1+a)%t.states)
			case 4: // a partial function
				if r.IntN(4) > 0 {
					rows[s] = linsat.Returns(r.IntN(outputs), r.IntN(t.states))
				}
			default:
				for range r.IntN(4) {
					rows[s] = append(rows[s], linsat.Outcome[int, int]{Output: r.IntN(outputs), Next: r.IntN(t.states),
						AnyOutput: r.IntN(6) == 0})
				}
				if t.deterministic && len(rows[s]) > 1 {
					rows[s] = rows[s][:1]
				}
			}
		}
		t.does = append(t.does, rows)
	}
	return t
}

func (t finiteTable) model() linsat.Model[int, int, int] {
	return linsat.Model[int, int, int]{
		Name: "table",
		Step: func(s, kind int) []linsat.Outcome[int, int] { return t.does[kind][s] },
	}
}

// draw draws up to 8 operations around the points of a run, some pending, some of unknown output,
// and in half of the histories a few outputs changed.
func (t finiteTable) draw(r *rand.Rand) []linsat.Op[int, int] {
	ops := make([]linsat.Op[int, int], 2+r.IntN(7))
	spread, s, changed := int64(1+r.IntN(16)), 0, r.IntN(2) == 0
	for i := range ops {
		o := linsat.Op[int, int]{Client: -1, Input: r.IntN(t.kinds), Call: 4*int64(i) - r.Int64N(spread),
			Return: 4*int64(i) + r.Int64N(spread)}
		o.Pending = r.IntN(7) == 0
		o.Unknown = !o.Pending && r.IntN(10) == 0
		if rows := t.does[o.Input][s]; len(rows) > 0 && (!o.Pending || r.IntN(2) == 0) {
			c := rows[r.IntN(len(rows))]
			o.Output, s = c.Output, c.Next
		}
		if changed && r.IntN(4) == 0 {
			o.Output = r.IntN(3)
		}
		ops[i] = o
	}
	r.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	return ops
}

// tables are histories of random tables, each of which is drawn with the history.
func tables(testing.TB) []source {
	return []source{{name: "tables", n: testenv.Scale(800, 100_000), least: 0.2, most: 0.8,
		draw: func(t testing.TB, seed uint64) (spec.Spec, *history.History) {
			r := rand.New(rand.NewPCG(seed, 1501))
			table := drawFiniteTable(r)
			s, h, err := table.model().Prepare(table.draw(r))
			require.NoError(t, err)
			return s, h
		},
		asks:  [][]linsat.Option{{}, {linsat.Engine("all")}},
		told:  func(t *testing.T, a *answer) { assert.True(t, a.said.Certified, a.about) },
		holds: func(t *testing.T, n int, count map[string]int) { assert.Greater(t, count["with a theory"], n/5) }}}
}

// TestDerivedTheoriesByExhaustion proves, for every operation and every pair of states, that the
// modes of a derived theory are the transitions of the table, one mode each: what the operation
// keeps and what it leaves. Values are the states that the theory lists.
func TestDerivedTheoriesByExhaustion(t *testing.T) {
	theories, transitions := 0, 0
	for k := range uint64(testenv.Scale(300, 10_000)) {
		r := rand.New(rand.NewPCG(k, 1502))
		table := drawFiniteTable(r)
		ops := table.draw(r)
		s, h, err := table.model().Prepare(ops)
		require.NoError(t, err)
		b, err := model.Full(s).Bind(model.Whole(h))
		require.NoError(t, err)
		c, ok := b.Axiomatic().(*model.RegisterTheory)
		if !ok {
			continue
		}
		theories++
		states := make([]int, c.Values)
		value := map[int]int{}
		for v := range states {
			states[v], err = strconv.Atoi(c.Name(int32(v)))
			require.NoError(t, err)
			value[states[v]] = v
		}
		require.Len(t, value, c.Values)
		require.Equal(t, 0, states[c.Init[0]])
		for i := range h.Ops {
			o := ops[h.Origins[i].Position]
			want, got := pairs(c.Values), pairs(c.Values)
			for v, s := range states {
				for _, does := range table.does[o.Input][s] {
					if to, known := value[does.Next]; known && (o.Pending || o.Unknown || does.AnyOutput ||
						does.Output == o.Output) {
						want[v][to] = true
					}
				}
				for _, m := range c.Of(history.OpID(i)) {
					switch {
					case !m.Allows(int32(v)):
					case m.Leaves == model.Keep:
						require.False(t, got[v][v] && !o.Pending, "two modes for one transition")
						got[v][v] = true
					default:
						require.False(t, got[v][m.Leaves], "two modes for one transition")
						got[v][m.Leaves] = true
					}
				}
				if o.Pending { // it may also not take effect, so it need not list what it keeps
					want[v][v], got[v][v] = true, true
				}
			}
			require.Equal(t, want, got, "table %d, operation %d of %+v", k, i, ops)
			transitions += c.Values * c.Values
		}
	}
	t.Logf("%d theories, %d pairs of states", theories, transitions)
	assert.Greater(t, theories, 50)
}

func pairs(n int) [][]bool {
	out := make([][]bool, n)
	for i := range out {
		out[i] = make([]bool, n)
	}
	return out
}
