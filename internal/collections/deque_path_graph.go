package collections

// What: the graph of deque_paths.go, whose paths are the contents of a deque in all configurations.
// Paths have directions from either end, and all of it is symmetric: a node that is made for one
// end has its edges inward from there at once, and gets others when the other end comes near.
//
// Source: ours.
//
// Invariants: sets of states are not changed in place. An edge is there from when the later of its
// nodes is. Nothing is forgotten, since trace goes back over it; what is dead is in lists of its
// own. Where the same edges follow, the same node is used. What follows a wider node includes what
// follows the other one, so of edges to both by the same item the latter is left out.
//
// Cost: O(1) for an edge that comes or dies; settling takes O(edges log edges) for those that come
// together.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/layout"
)

// pathNodeID and pathEdgeID number the nodes and the edges of a pathGraph.
type (
	pathNodeID int32
	pathEdgeID int32
)

// pathGraph are contents as paths.
type pathGraph struct {
	nodes []pathNode
	edges []pathEdge
	sides [2][]pathState           // states of the ends
	known [2]map[uint64]pathNodeID // nodes by a hash of what follows them from an end
	held  int64                    // bytes of states
	now   int32                    // the pass
	last  [2]int32                 // that of either end
	work  int64                    // edges looked at
	lost  bool                     // some states are at dead nodes
	// scratch
	more  []pathStep
	own   []pathStep
	far   []uint64
	dying []pathNodeID
}

// pathNode is a place between items. Its lists by end are those of edges inward from there.
type pathNode struct {
	edges  [2]pathEdgeID // first of the list; some of it may be dead
	gone   [2]pathEdgeID // first of the list of dead ones
	degree [2]int32      // how many are not dead
	states [2]int32      // of the ends that are here
	newer  [2]int32      // the pass in which edges, or states of the other end, were added
	wider  [2]pathNodeID // a later node that was made for what follows this one, and for more; none
	dead   bool
}

// pathEdge is an item.
type pathEdge struct {
	at    [2]pathNodeID // the node nearer to either end
	next  [2]pathEdgeID // in the lists of these nodes
	value int32
	dead  bool
}

// pathStep is an edge from a node: the item, and the node behind it.
type pathStep struct {
	value int32
	node  pathNodeID
}

// none is no node, edge or cell.
const none = -1

// newPathGraph returns the path of the initial values.
func newPathGraph(initial []int32) (g pathGraph) {
	g.known = [2]map[uint64]pathNodeID{{}, {}}
	n := g.add()
	g.become(1, []pathState{{0, n}})
	for _, v := range slices.Backward(initial) {
		front := g.add()
		g.connect(0, front, pathStep{v, n})
		n = front
	}
	g.become(0, []pathState{{0, n}})
	return g
}

func (g *pathGraph) bytes() int64 {
	return int64(cap(g.nodes))*52 + int64(cap(g.edges))*24 + int64(len(g.known[0])+len(g.known[1]))*32 + g.held
}

// add adds a node.
func (g *pathGraph) add() pathNodeID {
	g.nodes = append(g.nodes, pathNode{edges: [2]pathEdgeID{none, none}, gone: [2]pathEdgeID{none, none},
		wider: [2]pathNodeID{none, none}})
	return pathNodeID(len(g.nodes) - 1)
}

// connect adds an edge inward from an end.
func (g *pathGraph) connect(e int8, n pathNodeID, x pathStep) {
	d := pathEdge{value: x.value}
	d.at[e], d.at[1-e] = n, x.node
	for k, m := range d.at {
		at := &g.nodes[m]
		d.next[k], at.edges[k] = at.edges[k], pathEdgeID(len(g.edges))
		at.degree[k]++
		at.newer[k] = g.now
	}
	g.edges = append(g.edges, d)
}

// first returns the first edge inward from an end, none for none.
func (g *pathGraph) first(e int8, n pathNodeID) pathEdgeID {
	x := &g.nodes[n]
	for i := x.edges[e]; i >= 0 && g.edges[i].dead; i = x.edges[e] {
		x.edges[e] = g.edges[i].next[e]
		g.edges[i].next[e], x.gone[e] = x.gone[e], i
	}
	return x.edges[e]
}

// next returns the edge after another one in the list of a node.
func (g *pathGraph) next(e int8, n pathNodeID, i pathEdgeID) pathEdgeID {
	x, d := &g.nodes[n], &g.edges[i]
	for k := d.next[e]; k >= 0 && g.edges[k].dead; k = d.next[e] {
		d.next[e] = g.edges[k].next[e]
		g.edges[k].next[e], x.gone[e] = x.gone[e], k
	}
	return d.next[e]
}

// begin begins a pass of an end, and returns the last one.
func (g *pathGraph) begin(e int8) int32 {
	last := g.last[e]
	g.now++
	g.last[e] = g.now
	return last
}

// become changes the states of an end.
func (g *pathGraph) become(e int8, states []pathState) {
	from := g.sides[e]
	g.sides[e] = states
	g.held += int64(cap(states)) * 16
	for _, x := range states {
		g.nodes[x.node].states[e]++
	}
	for _, x := range from {
		g.nodes[x.node].states[e]--
		g.prune(x.node)
	}
	if !g.lost {
		return
	}
	g.lost = false
	dead := func(x pathState) bool { return g.nodes[x.node].dead }
	for e := range g.sides {
		if slices.ContainsFunc(g.sides[e], dead) {
			g.sides[e] = slices.DeleteFunc(slices.Clone(g.sides[e]), dead)
		}
	}
}

// prune marks a node as dead if it lies on no path, and those for which that follows.
func (g *pathGraph) prune(n pathNodeID) {
	g.dying = append(g.dying[:0], n)
	for len(g.dying) > 0 {
		n := g.dying[len(g.dying)-1]
		g.dying = g.dying[:len(g.dying)-1]
		x := &g.nodes[n]
		if x.dead || x.degree[0]+x.states[1] > 0 && x.degree[1]+x.states[0] > 0 {
			continue
		}
		x.dead = true
		g.lost = g.lost || x.states[0]+x.states[1] > 0
		for e := range int8(2) {
			for i := g.first(e, n); i >= 0; i = g.next(e, n, i) {
				d := &g.edges[i]
				other := d.at[1-e]
				d.dead = true
				g.nodes[other].degree[1-e]--
				g.dying = append(g.dying, other)
			}
		}
	}
}

// settle returns the node for what comes together in a cell, none if there is nothing. The end was
// closed in an earlier pass.
func (g *pathGraph) settle(e int8, c *pathCell, closed int32) pathNodeID {
	c.grew = c.own == 0
	c.fresh = c.grew || slices.ContainsFunc(c.sources[:c.own], func(n pathNodeID) bool {
		return g.nodes[n].newer[e] > closed
	})
	if len(c.sources) == 1 && len(c.steps)+len(c.empty) == 0 {
		return g.arrive(e, c, c.sources[0])
	}
	g.more = append(g.more[:0], c.steps...)
	c.steps, g.far = c.steps[:0], g.far[:0]
	for _, n := range c.sources[:c.own] {
		g.gather(e, c, n)
	}
	g.tidy(c)
	g.own = append(g.own[:0], c.steps...)
	met := len(g.far)
	c.steps = append(c.steps, g.more...)
	for _, n := range c.sources[c.own:] {
		g.gather(e, c, n)
	}
	for _, n := range c.empty {
		g.meet(e, n)
	}
	g.tidy(c)
	if g.work += int64(len(c.steps) + len(g.far)); len(c.steps)+len(g.far) == 0 {
		return none
	}
	if !c.grew && len(c.steps) == len(g.own) && len(g.far) == met {
		if c.own == 1 {
			return c.sources[0]
		}
	} else {
		c.grew, c.fresh = true, true
	}
	g.reduce(e, c)
	n := g.followed(e, c)
	for _, x := range c.sources[:c.own] {
		if x < n {
			g.nodes[x].wider[e] = n
		}
	}
	return g.arrive(e, c, n)
}

// reduce leaves out the steps to nodes where there is one to a wider node by the same item.
func (g *pathGraph) reduce(e int8, c *pathCell) {
	k := 0
	for i, x := range c.steps {
		n := g.nodes[x.node].wider[e]
		for ; n != none; n = g.nodes[n].wider[e] {
			if _, ok := slices.BinarySearchFunc(c.steps[i+1:], pathStep{x.value, n}, pathStep.compare); ok {
				break
			}
		}
		if n == none {
			c.steps[k] = x
			k++
		}
	}
	c.steps = c.steps[:k]
}

// compare orders steps.
func (x pathStep) compare(y pathStep) int {
	return cmp.Or(int(x.node-y.node), int(x.value-y.value))
}

// gather adds what follows a node.
func (g *pathGraph) gather(e int8, c *pathCell, n pathNodeID) {
	for i := g.first(e, n); i >= 0; i = g.next(e, n, i) {
		c.steps = append(c.steps, pathStep{g.edges[i].value, g.edges[i].at[1-e]})
	}
	g.meet(e, n)
}

// meet adds the states of the other end that are at a node.
func (g *pathGraph) meet(e int8, n pathNodeID) {
	if g.nodes[n].states[1-e] == 0 {
		return
	}
	for _, x := range g.sides[1-e] {
		if x.node == n {
			g.far = append(g.far, x.mask)
		}
	}
}

// stepsSorted are steps to be sorted.
type stepsSorted []pathStep

func (s stepsSorted) Len() int           { return len(s) }
func (s stepsSorted) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s stepsSorted) Less(i, j int) bool { return s[i].compare(s[j]) < 0 }

// tidy sorts what was gathered, and leaves out what is there twice.
func (g *pathGraph) tidy(c *pathCell) {
	sort.Sort(stepsSorted(c.steps))
	c.steps = slices.Compact(c.steps)
	g.far = inorder.Distinct(g.far)
}

// followed returns a node that is followed by what was gathered in a cell.
func (g *pathGraph) followed(e int8, c *pathCell) pathNodeID {
	steps := c.steps
	for _, n := range c.sources {
		if int(g.nodes[n].states[1-e]) == len(g.far) && g.follow(e, n, steps) {
			return n
		}
	}
	hash := uint64(0)
	for _, x := range steps {
		hash = layout.Mix(hash, uint64(x.node)<<32|uint64(uint32(x.value)))
	}
	if len(g.far) == 0 {
		if n, ok := g.known[e][hash]; ok && g.nodes[n].states[1-e] == 0 && g.follow(e, n, steps) {
			return n
		}
	}
	n := g.add()
	for _, x := range steps {
		g.connect(e, n, x)
	}
	if len(g.far) == 0 {
		g.known[e][hash] = n
		return n
	}
	far := slices.Clone(g.sides[1-e])
	for _, m := range g.far {
		far = append(far, pathState{m, n})
	}
	g.sides[1-e] = far // nothing is pruned, since the states of this end have not come yet
	g.held += int64(cap(far)) * 16
	g.nodes[n].states[1-e] = int32(len(g.far))
	g.nodes[n].newer[e] = g.now
	return n
}

// follow reports whether these edges alone follow a node.
func (g *pathGraph) follow(e int8, n pathNodeID, steps []pathStep) bool {
	if g.nodes[n].dead || int(g.nodes[n].degree[e]) != len(steps) {
		return false
	}
	for i := g.first(e, n); i >= 0; i = g.next(e, n, i) {
		d := &g.edges[i]
		if _, ok := slices.BinarySearchFunc(steps, pathStep{d.value, d.at[1-e]}, pathStep.compare); !ok {
			return false
		}
	}
	return true
}

// arrive notes that the states of a cell come to a node, which it returns.
func (g *pathGraph) arrive(e int8, c *pathCell, n pathNodeID) pathNodeID {
	if !slices.Contains(c.sources[:c.own], n) {
		g.nodes[n].newer[1-e] = g.now
	}
	return n
}

// pathState is what took effect at an end, and where the contents begin.
type pathState struct {
	mask uint64
	node pathNodeID
}

// pathCell is what comes together after the same operations.
type pathCell struct {
	own     int          // how many sources there were before
	sources []pathNodeID // nodes whose paths are continued
	empty   []pathNodeID // nodes of whose paths only the empty one is
	steps   []pathStep   // first edges
	grew    bool         // there is more than before
	fresh   bool         // or than when the end was closed
}
