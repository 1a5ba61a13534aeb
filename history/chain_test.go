package history

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// number gives some of the records revisions, most of them along the calls.
func number(rng *rand.Rand, v *Values, records []Record) {
	chains := []Value{Nil, v.String("a")}[:1+rng.IntN(2)]
	share, disorder := 1+rng.IntN(4), rng.IntN(3)
	order := rng.Perm(len(records))
	if rng.IntN(8) > 0 { // by a time of the interval
		at := make([]int64, len(records))
		for i, r := range records {
			if at[i] = r.Call + rng.Int64N(4); !r.Pending {
				at[i] = r.Call + rng.Int64N(r.Return-r.Call+1)
			}
		}
		slices.SortStableFunc(order, func(x, y int) int { return int(at[x] - at[y]) })
	}
	for k, i := range order {
		if share < 4 && rng.IntN(4) >= share {
			continue
		}
		n := int64(k / (1 + rng.IntN(2)*rng.IntN(3)))
		if disorder == 0 && rng.IntN(4) == 0 {
			n += rng.Int64N(3)
		}
		records[i].Revision = &Revision{chains[rng.IntN(len(chains))], n}
	}
}

// closed closes a relation transitively.
func closed(r [][]bool) [][]bool {
	for k := range r {
		for i := range r {
			for j := range r {
				r[i][j] = r[i][j] || r[i][k] && r[k][j]
			}
		}
	}
	return r
}

// pendingMask is the set of the pending operations.
func pendingMask(h *History) (mask int) {
	for i := range h.Ops {
		if h.Ops[i].Pending() {
			mask |= 1 << i
		}
	}
	return mask
}

// allowed is the order by ranks and edges of the operations at the given positions, if of the
// pending ones those in sub take effect. It has no others.
func allowed(h *History, at []OpID, sub int) [][]bool {
	n := len(h.Ops)
	out := make([][]bool, n)
	there := func(i int) bool { return !h.Ops[at[i]].Pending() || sub>>i&1 == 1 }
	for i := range n {
		out[i] = make([]bool, n)
		for j := range n {
			out[i][j] = i != j && there(i) && there(j) && (h.Ops[at[i]].Return < h.Ops[at[j]].Call ||
				slices.Contains(h.Edges, Edge{at[i], at[j]}))
		}
	}
	return closed(out)
}

// TestChainsByDefinition compares ranks and edges of histories with revisions with the definition:
// whichever pending operations take effect, the same orders of those that do are allowed.
func TestChainsByDefinition(t *testing.T) {
	rounds := testenv.Scale(60_000, 1_500_000)
	impossible, possible, left, none := 0, 0, 0, 0
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 11))
		records, processes, edges := randomRecords(rng)
		if rng.IntN(3) > 0 {
			edges = nil
		}
		want := closure(records, edges)
		if cyclic(want) || len(records) > 9 {
			continue
		}
		b := NewBuilder()
		number(rng, b.Values, records)
		show := func() string {
			var s strings.Builder
			for i, r := range records {
				fmt.Fprintf(&s, "%d: process %d [%d, %d] pending %t, failed %t", i, r.Process, r.Call,
					r.Return, r.Pending, r.Failed)
				if r.Revision != nil {
					fmt.Fprintf(&s, " chain %d number %d", r.Revision.Chain, r.Revision.Number)
				}
				s.WriteByte('\n')
			}
			return fmt.Sprintf("seed %d\n%sedges %v\n", seed, &s, edges)
		}
		add(t, b, processes, records, edges)
		h, err := b.Finish()
		require.NoError(t, err, "%s", show())
		RequireRanks(t, h, seed)
		n := len(h.Ops)
		same := make([]OpID, n)
		for i := range same {
			same[i] = OpID(i)
		}
		open := pendingMask(h)
		some, all := false, true // of the choices of pending operations have an order
		for sub := open; ; sub = (sub - 1) & open {
			there := func(i int) bool { return !h.Ops[i].Pending() || sub>>i&1 == 1 }
			defined, got := make([][]bool, n), allowed(h, same, sub)
			for i := range n {
				defined[i] = make([]bool, n)
				for j := range n {
					if !there(i) || !there(j) || i == j {
						continue
					}
					x, y := h.Origins[i].Position, h.Origins[j].Position
					a, b := records[x].Revision, records[y].Revision
					defined[i][j] = want[x][y] || a != nil && b != nil && a.Chain == b.Chain && a.Number < b.Number
				}
			}
			defined = closed(defined)
			if cyclic(defined) || cyclic(got) {
				all = false
				require.Equal(t, cyclic(defined), cyclic(got), "%s%+v\n%v\ntaking effect: %b", show(),
					h.Ops, h.Edges, sub)
			} else {
				some = true
				require.Equal(t, defined, got, "%s%+v\n%v\ntaking effect: %b", show(), h.Ops, h.Edges, sub)
			}
			if sub == 0 {
				break
			}
		}
		if some {
			possible++
			for _, e := range h.Edges {
				x, y := &h.Ops[e.Before], &h.Ops[e.After]
				if all && !x.Pending() && (len(edges) == 0 || !y.Pending()) &&
					(x.Call > y.Call || x.Return > y.Return) {
					require.Fail(t, "an edge leads back", "%s%+v\n%v", show(), h.Ops, h.Edges)
				}
			}
		} else {
			impossible++
		}
		left += len(h.Edges)
		if h.Revisions != nil && len(h.Edges) == 0 {
			none++
		}
	}
	t.Logf("%d possible, %d impossible, %d edges left, %d with revisions and no edges", possible,
		impossible, left, none)
	require.Greater(t, possible, rounds/3)
	require.Greater(t, impossible, rounds/50)
	require.Greater(t, left, rounds/5)
	require.Greater(t, none, rounds/10)
}
