package localize

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCombineTwo is Algorithm 2 of the paper, case by case, for every pair of labels.
func TestCombineTwo(t *testing.T) {
	isMixed := func(l Label) bool { return l == Grey || l == WhiteGrey || l == BlackGrey || l == GreyGrey }
	for _, l := range []Label{White, Black, Grey, WhiteGrey, BlackGrey, GreyGrey} {
		for _, r := range []Label{White, Black, Grey, WhiteGrey, BlackGrey, GreyGrey} {
			var want Label
			switch {
			case l == White && r == White:
				want = White
			case l == Black && r == Black:
				want = Black
			case l == White && r == Black || l == Black && r == White:
				want = Grey
			case isMixed(l) && r == White || l == White && isMixed(r):
				want = WhiteGrey
			case isMixed(l) && r == Black || l == Black && isMixed(r):
				want = BlackGrey
			case isMixed(l) && isMixed(r):
				want = GreyGrey
			}
			assert.Equal(t, want, Combine(l, r), "%v %v", l, r)
		}
		assert.Equal(t, l, Combine(l), "an only child")
		assert.Equal(t, l, Combine(Unlabelled, l), "a child that was not explored")
	}
	assert.Equal(t, Unlabelled, Combine())
	assert.Equal(t, BlackGrey, Combine(White, Black, GreyGrey), "the tie")
	assert.Equal(t, WhiteGrey, Combine(White, White, Grey))
	assert.Equal(t, Grey, Combine(Black, White, Black))
}

// explicit is a tree as Definition 7 has it, without merging; leaves have no children.
type explicit struct {
	children []*explicit
	fails    bool
	known    bool // white and black are
	w, b     int
}

func randomTree(r *rand.Rand, depth int, bias float64) *explicit {
	n := &explicit{}
	if depth == 0 || r.IntN(6) == 0 {
		n.fails = r.Float64() < bias
		return n
	}
	if r.IntN(4) == 0 {
		bias = []float64{0, 1, 0.5}[r.IntN(3)]
	}
	for range 1 + r.IntN(4) {
		n.children = append(n.children, randomTree(r, depth-1, bias))
	}
	return n
}

func (n *explicit) leaves() (white, black int) {
	if len(n.children) == 0 {
		if n.fails {
			return 0, 1
		}
		return 1, 0
	}
	if !n.known {
		for _, c := range n.children {
			w, b := c.leaves()
			n.w, n.b = n.w+w, n.b+b
		}
		n.known = true
	}
	return n.w, n.b
}

// byDefinition labels one node by looking at the leaves below it and below its children, and at
// nothing else.
func (n *explicit) byDefinition() Label {
	white, black := n.leaves()
	switch {
	case black == 0:
		return White
	case white == 0:
		return Black
	case len(n.children) == 1:
		return n.children[0].byDefinition()
	}
	ok, bad, mix := 0, 0, 0
	for _, c := range n.children {
		switch w, b := c.leaves(); {
		case b == 0:
			ok++
		case w == 0:
			bad++
		default:
			mix++
		}
	}
	switch {
	case mix == 0:
		return Grey
	case mix == len(n.children):
		return GreyGrey
	case bad > 0:
		return BlackGrey
	}
	return WhiteGrey
}

// graph turns the tree into the form that the package labels.
func (n *explicit) graph(g *graph) int32 {
	at := int32(len(g.nodes))
	g.nodes = append(g.nodes, node{kind: race, leaf: -1})
	if len(n.children) == 0 {
		g.nodes[at].kind, g.nodes[at].leaf = leaf, 0
		if n.fails {
			g.nodes[at].leaf = 1
		}
	}
	var edges []edge
	for i, c := range n.children {
		edges = append(edges, edge{decision: int32(i), child: c.graph(g), touches: [2]int32{-1, -1}})
	}
	g.nodes[at].edges = edges
	return at
}

// TestRandomTrees compares the labels of random trees with the definition, and checks Theorem 3 on
// every path to a failing leaf.
func TestRandomTrees(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 8))
		tree := randomTree(r, 1+r.IntN(5), r.Float64())
		g := &graph{}
		tree.graph(g)
		g.label(func(leaf int32) bool { return leaf == 1 })
		paths := map[string]uint64{}
		var walk func(n *explicit, at int32, s Sequence)
		walk = func(n *explicit, at int32, s Sequence) {
			label := n.byDefinition()
			require.Equal(t, label, g.nodes[at].label, "seed %d", seed)
			w, b := n.leaves()
			require.Equal(t, uint64(w+b), g.nodes[at].traces, "seed %d", seed)
			require.Equal(t, uint64(b), g.nodes[at].failing, "seed %d", seed)
			if len(n.children) > 1 && (label == Grey || label == WhiteGrey || label == BlackGrey) {
				s = append(s[:len(s):len(s)], label)
			}
			if len(n.children) == 0 {
				if n.fails {
					require.True(t, s.WellFormed() || len(s) == 0 && g.nodes[0].label == Black, "seed %d: %v", seed, s)
					paths[s.String()]++
				}
				return
			}
			for i, c := range n.children {
				walk(c, g.nodes[at].edges[i].child, s)
			}
		}
		walk(tree, 0, nil)
		counted := map[string]uint64{}
		for _, p := range g.patterns(false) {
			counted[p.Sequence.String()] = p.Traces
		}
		require.Equal(t, paths, counted, "seed %d", seed)
	}
}

func TestSequence(t *testing.T) {
	for _, text := range []string{"G", "Bg", "WgG", "WgWgG", "Wg{5}G", "WgBgWg{3}BgBgG"} {
		s, err := ParseSequence(text)
		require.NoError(t, err, text)
		assert.Equal(t, text, s.String())
		assert.True(t, s.WellFormed(), text)
	}
	for _, text := range []string{"Wg", "GG", "GWgG", ""} {
		s, err := ParseSequence(text)
		require.NoError(t, err, text)
		assert.False(t, s.WellFormed(), text)
	}
	for _, text := range []string{"W", "Wg{", "Wg{0}G", "Wg{99999}G", "x", "Wg{2"} {
		_, err := ParseSequence(text)
		assert.Error(t, err, text)
	}
}
