package cdsspec

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// randomProgram makes accesses of two locations in two or three threads.
func randomProgram(rng *rand.Rand) c11.Program {
	type access struct{ kind, loc, value int }
	threads := make([][]access, 2+rng.IntN(2))
	for t := range threads {
		for range 1 + rng.IntN(5-len(threads)) {
			threads[t] = append(threads[t], access{rng.IntN(4), rng.IntN(2), 1 + rng.IntN(2)})
		}
	}
	return func(x *c11.Exec) {
		locs := []*c11.Int[int]{c11.NewInt(x, "x", 0), c11.NewInt(x, "y", 0)}
		for _, accesses := range threads {
			x.Go(func() {
				for _, a := range accesses {
					switch a.kind {
					case 0:
						locs[a.loc].Load(c11.Relaxed)
					case 1:
						locs[a.loc].Store(a.value, c11.Release)
					case 2:
						locs[a.loc].FetchAdd(1, c11.AcqRel)
					case 3:
						locs[a.loc].CompareAndSwap(0, a.value, c11.Relaxed, c11.Acquire)
					}
				}
			})
		}
	}
}

// printed reports whether X comes before Y by the five rules as the paper prints them.
func printed(g *c11.Graph, x, y int) map[Rule]bool {
	holds := map[Rule]bool{}
	rf := func(w, r int) bool { return g.Events[r].Reads() && g.Events[r].RF == w }
	for a := range g.Events {
		for b := range g.Events {
			if rf(x, y) {
				holds[ReadsFrom] = true
			}
			if g.MOBefore(x, y) {
				holds[WriteWrite] = true
			}
			if g.MOBefore(a, y) && rf(a, x) {
				holds[ReadWrite] = true
			}
			if g.MOBefore(x, b) && rf(b, y) {
				holds[WriteRead] = true
			}
			if g.MOBefore(a, b) && rf(a, x) && rf(b, y) {
				holds[ReadRead] = true
			}
		}
	}
	return holds
}

// TestRulesAsPrinted compares the order of ranks with the five rules on the graphs of random
// programs, and finds every rule alone at work.
func TestRulesAsPrinted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alone := map[Rule]int{}
	for range 60 {
		_, err := c11.Run(randomProgram(rng), c11.Options{MaxRuns: 400}, func(g *c11.Graph) bool {
			for x := range g.Events {
				for y := range g.Events {
					if x == y || !atomic(g, x) || !atomic(g, y) {
						continue
					}
					holds := printed(g, x, y)
					ranked := precedes([]rankedPoint{{g.Events[x].Place, rank(g, x)}},
						[]rankedPoint{{g.Events[y].Place, rank(g, y)}})
					why := Why(g, x, y)
					if ranked != (len(holds) > 0) || (why != "") != ranked || why != "" && !holds[why] {
						t.Fatalf("%s and %s: printed %v, ranks %v, why %q\n%s", g.Name(x), g.Name(y), holds,
							ranked, why, g.Text())
					}
					if len(holds) == 1 {
						alone[why]++
					}
				}
			}
			return true
		})
		require.NoError(t, err)
	}
	for _, r := range []Rule{ReadsFrom, WriteWrite, ReadWrite, WriteRead, ReadRead} {
		assert.Positive(t, alone[r], "%s", r)
	}
}

func atomic(g *c11.Graph, i int) bool { e := &g.Events[i]; return e.Reads() || e.Writes() }

// TestPathsAndCycles compares reachability and cycles with a search by definition.
func TestPathsAndCycles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	cyclic := 0
	for range 2000 {
		n := 1 + rng.IntN(6)
		o := &Ordering{Nodes: make([]Node, n)}
		edge := make([][]bool, n)
		o.Before, o.Reach = make([]uint64, n), make([]uint64, n)
		for a := range n {
			edge[a] = make([]bool, n)
			for b := range n {
				if a != b && rng.IntN(4) == 0 {
					edge[a][b] = true
					o.Before[b] |= 1 << a
					o.Reach[a] |= 1 << b
				}
			}
		}
		o.close()
		shortest := func(a, b int) int { // number of edges, 0: none
			at := []int{a}
			for d := 1; d <= n; d++ {
				next := map[int]bool{}
				for _, x := range at {
					for y := range n {
						next[y] = next[y] || edge[x][y]
					}
				}
				if next[b] {
					return d
				}
				at = at[:0]
				for y, in := range next {
					if in {
						at = append(at, y)
					}
				}
			}
			return 0
		}
		least := 0
		for a := range n {
			for b := range n {
				d := shortest(a, b)
				require.Equal(t, d > 0, o.Reach[a]>>b&1 != 0)
				if d > 0 {
					path := append(o.path(a, b), b)
					require.Len(t, path, d+1)
					for i := range d {
						require.True(t, edge[path[i]][path[i+1]])
					}
				}
				if a == b && d > 0 && (least == 0 || d < least) {
					least = d
				}
			}
		}
		require.Len(t, o.Cycle, least)
		if least > 0 {
			cyclic++
		}
	}
	assert.Positive(t, cyclic)
	assert.Less(t, cyclic, 2000)
}

// TestTooManyCalls refuses what does not fit into a mask.
func TestTooManyCalls(t *testing.T) {
	m := &Method{Of: &Structure{}, Name: "m", Points: []string{"p"}}
	calls := make([]Call, maxNodes+1)
	for i := range calls {
		calls[i] = Call{Method: m, Outer: -1}
	}
	_, err := Order(&c11.Graph{}, calls)
	assert.ErrorContains(t, err, fmt.Sprint(maxNodes+1))
	_, err = Order(&c11.Graph{}, calls[1:])
	assert.NoError(t, err)
}
