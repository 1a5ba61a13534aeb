package window

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// solutions calls found with every assignment of positions that satisfies the conditions in the
// head of windows.go, written down as they stand there.
func solutions(q *Queue, bound int32, found func(pos []Position)) {
	pos := make([]Position, q.M+q.R)
	m, r, k := q.M, Position(q.R), Position(bound)
	ok := func() bool {
		for x := range q.M {
			taker := q.Taker[x]
			switch {
			case taker >= 0:
				if d := pos[x] - pos[m+int(taker)]; d > k || -d > k {
					return false
				}
				if !q.Drain && pos[x] > r {
					return false
				}
			case q.Drain && pos[x] <= r-k, !q.Drain && pos[x] <= r:
				return false
			}
		}
		for i := range q.N {
			for j := range q.N {
				if q.InsRet[i] < q.InsCall[j] && pos[i] >= pos[j] {
					return false
				}
			}
		}
		for a := range q.R {
			for b := range q.R {
				if q.RemRet[a] < q.RemCall[b] && pos[m+a] >= pos[m+b] {
					return false
				}
			}
		}
		if q.Free() {
			return true
		}
		for i := range q.N {
			for a := range q.R {
				if q.RemRet[a] < q.InsCall[i] && pos[m+a] >= pos[i] {
					return false
				}
			}
			for e := q.N; e < q.M; e++ {
				for a := range q.R {
					if q.InsRet[i] < q.RemCall[a] && pos[i] > pos[e] && pos[e] >= pos[m+a] {
						return false
					}
				}
				if q.D > 0 && pos[i] > pos[e] && pos[e] >= r+1 {
					return false
				}
			}
		}
		return true
	}
	var place func(v int)
	place = func(v int) {
		if v == len(pos) {
			if ok() {
				found(pos)
			}
			return
		}
		first, size := 0, q.M
		if v >= m {
			first, size = m, q.R
		}
	next:
		for p := Position(1); int(p) <= size; p++ {
			for u := first; u < v; u++ {
				if pos[u] == p {
					continue next
				}
			}
			pos[v] = p
			place(v + 1)
		}
	}
	place(0)
}

// Windows hold every solution, the fixpoint agrees with the order, and what is refuted has no
// solution.
func TestWindowsHoldSolutions(t *testing.T) {
	n := testenv.Scale(1000, 20000)
	refuted, open, tight, beyond := 0, 0, 0, 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		b := testkit.DistinctQueue(t, rng, 4)
		relax := &quasi.Question{Factor: quasi.Factor{0, int32(rng.IntN(4)), 0}, Meaning: quasi.Meaning(rng.IntN(2)),
			Drain: rng.IntN(2) == 0}
		q, k := Collect(b, relax)
		require.NotNil(t, q)
		require.Equal(t, Exact, q.Fit)
		if q.M > 6 {
			continue
		}
		w := q.Propagate(context.Background(), k)
		lo, hi := make([]Position, len(w.Lo)), make([]Position, len(w.Lo))
		any := false
		solutions(q, k, func(pos []Position) {
			for v, p := range pos {
				if !any {
					lo[v], hi[v] = p, p
				}
				lo[v], hi[v] = min(lo[v], p), max(hi[v], p)
				if w.Refuted || p < w.Lo[v] || p > w.Hi[v] {
					require.Fail(t, "a solution is lost", "seed %d, variable %d at %d, windows %+v", seed, v, p, w)
				}
			}
			any = true
		})
		switch {
		case w.Refuted:
			refuted++
		case any:
			open++
			same := true
			for v := range lo {
				same = same && lo[v] == w.Lo[v] && hi[v] == w.Hi[v]
			}
			if same {
				tight++
			}
			for i := range q.N {
				for j := range q.N {
					if q.InsRet[i] < q.InsCall[j] {
						require.Less(t, w.Lo[i], w.Lo[j], "seed %d", seed)
						require.Less(t, w.Hi[i], w.Hi[j], "seed %d", seed)
					}
				}
			}
		default:
			beyond++ // the rules are not complete
		}
	}
	t.Logf("%d refuted, %d without solution that are not; %d open, of which %d with the tightest possible windows",
		refuted, beyond, open, tight)
	require.Less(t, beyond, max(1, n/100))
	require.Greater(t, refuted, testenv.MoreThan(0))
	require.Greater(t, tight, open/2)
}

func TestSortedBy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		keys := make([]history.Rank, rng.IntN(300))
		for i := range keys {
			keys[i] = history.Rank(rng.Uint32()) >> rng.IntN(31)
		}
		order := sortedBy[Variable](keys)
		require.Len(t, order, len(keys))
		seen := make([]bool, len(keys))
		for k, i := range order {
			require.False(t, seen[i])
			seen[i] = true
			if k > 0 {
				require.LessOrEqual(t, keys[order[k-1]], keys[i])
				if keys[order[k-1]] == keys[i] {
					require.Less(t, order[k-1], i)
				}
			}
		}
	}
}
