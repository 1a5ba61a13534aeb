package localize

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
)

// graph is the tree of all interleavings, in which nodes with equal futures are one: a node is a
// state with a past, an edge the next decision. Nodes are numbered in the order in which the search
// meets them; the root is 0.
type graph struct {
	nodes     []node
	variables []string // names of what edges touch
}

type node struct {
	kind  kind
	label Label
	// a bound stopped the search below it; its label and counts hold for the explored part
	open  bool
	edges []edge
	// Traces from here to an end, those of them that fail; saturated.
	traces, failing uint64
	leaf            int32 // of a leaf: position in the results
	from            int32 // the node from which the search first came here; -1 for the root
}

// kind is what a node decides.
type kind uint8

const (
	race kind = iota // which thread goes on; if only one can, nothing is decided
	coin             // the value of a data choice
	leaf
)

// edge is one decision: a thread, or the data choice v as -1-v, as in schedules.
type edge struct {
	decision int32
	child    int32 // -1: not explored
	access   schedule.Access
	touches  [2]int32 // the variables it touches: positions in graph.variables, -1 for none
}

// interleave is the strategy: depth first, as explore.Exhaustive, with the thread that ran first.
// An execution that reaches a state with a known past ends there.
type interleave struct {
	schedule.Sealed
	g        *graph
	plain    bool // never merge
	maxNodes int
	memory   *mem.Memory // of the current execution
	names    map[string]int32

	index   map[string]int32
	path    []step
	depth   int   // decisions made in this execution
	steps   []int // position in path of each access
	choices []choice
	clocks  clocks
	key     []byte
	begun   bool
	full    bool // maxNodes was reached
	fresh   int32
	abrupt  bool // the bound on the steps of an execution ended the last one
	merged  int  // executions that ended in a known state

	atomic *pair // what is one event, nil: nothing
	places       // of the threads, where the search is
}

// step is a decision on the current path: the edge taken is the last of its node.
type step struct {
	node     int32
	todo     uint64 // threads not tried
	n        int32  // values of a coin
	accesses int    // made before it, and finished
	// a thread was held back by Yield before: what follows depends on the order of the past, so
	// such states are not merged
	apart  bool
	places *places // of the threads before it, if pairs are made one event; nil for coins
}

func newInterleave(plain bool, maxNodes int) *interleave {
	return &interleave{g: &graph{}, plain: plain, maxNodes: maxNodes, index: map[string]int32{},
		names: map[string]int32{}}
}

func (x *interleave) Begin() bool {
	x.depth, x.steps = 0, x.steps[:0]
	x.choices = x.choices[:0]
	if !x.begun {
		x.begun = true
		return true
	}
	if x.full {
		return false
	}
	for len(x.path) > 0 {
		s := &x.path[len(x.path)-1]
		edges := &x.g.nodes[s.node].edges
		last := (*edges)[len(*edges)-1].decision
		switch {
		case s.todo != 0:
			thread := bits.TrailingZeros64(s.todo)
			s.todo &= s.todo - 1
			*edges = append(*edges, edge{decision: int32(thread), child: -1, touches: [2]int32{-1, -1}})
		case s.n > 0 && -last < s.n: // the value -1-last was tried
			*edges = append(*edges, edge{decision: last - 1, child: -1, touches: [2]int32{-1, -1}})
		default:
			x.path = x.path[:len(x.path)-1]
			continue
		}
		x.clocks.cut(s.accesses)
		return true
	}
	return false
}

// current returns the edge that step k of the path takes.
func (x *interleave) current(k int) *edge {
	edges := x.g.nodes[x.path[k].node].edges
	return &edges[len(edges)-1]
}

// sync records the accesses that happened since it was last called.
func (x *interleave) sync(accesses []schedule.Access) {
	for i := len(x.clocks.accesses); i < len(accesses); i++ {
		e := x.current(x.steps[i])
		last := e.access.Last // under another value of a coin after it
		e.access = accesses[i]
		e.access.Last = e.access.Last || last
		e.touches = [2]int32{x.variable(e.access.Loc), x.variable(e.access.Loc2)}
	}
	x.clocks.add(accesses)
}

// variable returns the variable of a location: the location itself, or the array that its name says
// it is an element of ("d[0]").
func (x *interleave) variable(loc int32) int32 {
	if loc < 0 {
		return -1
	}
	name := x.memory.Name(loc)
	if array, _, ok := strings.Cut(name, "["); ok && strings.HasSuffix(name, "]") {
		name = array + "[]"
	} else {
		name += "\x00" + strconv.Itoa(int(loc))
	}
	v, ok := x.names[name]
	if !ok {
		v = int32(len(x.g.variables))
		x.names[name] = v
		x.g.variables = append(x.g.variables, name)
	}
	return v
}

// enter creates the node at the end of the path, or finds it; met reports whether it existed
// before.
func (x *interleave) enter(k kind, apart bool) (at int32, met bool) {
	at = int32(len(x.g.nodes))
	if !x.plain && !apart && k != coin {
		x.key = x.clocks.key(append(x.key[:0], byte(k)), x.choices)
		if old, ok := x.index[string(x.key)]; ok {
			at, met = old, true
		} else {
			x.index[string(x.key)] = at
		}
	}
	from := int32(-1)
	if n := len(x.path); n > 0 {
		from = x.path[n-1].node
		x.current(n - 1).child = at
	}
	if !met {
		x.g.nodes = append(x.g.nodes, node{kind: k, from: from, leaf: -1})
		x.full = x.full || len(x.g.nodes) >= x.maxNodes
	}
	return at, met
}

// apart reports whether the path has left the states that may be merged.
func (x *interleave) apart() bool { return len(x.path) > 0 && x.path[len(x.path)-1].apart }

func (x *interleave) Pick(s *schedule.State) (int, bool) {
	x.sync(s.Accesses)
	if x.depth == len(x.path) {
		enabled, places := x.inEvent(s)
		apart := x.apart() || s.Held != 0
		at, met := x.enter(race, apart)
		if met {
			x.merged++
			return 0, false
		}
		if x.full {
			return 0, false
		}
		todo := enabled
		first := bits.TrailingZeros64(todo)
		if schedule.Has(todo, s.Prev) {
			first = s.Prev
		}
		x.g.nodes[at].edges = append(x.g.nodes[at].edges, edge{decision: int32(first), child: -1,
			touches: [2]int32{-1, -1}})
		x.path = append(x.path, step{node: at, todo: todo &^ (1 << uint(first)), accesses: len(s.Accesses),
			apart: apart, places: places})
	}
	x.steps = append(x.steps, x.depth)
	x.depth++
	return int(x.current(x.depth - 1).decision), true
}

func (x *interleave) Choose(n int) int {
	if x.depth == len(x.path) {
		at, _ := x.enter(coin, true)
		x.g.nodes[at].edges = append(x.g.nodes[at].edges, edge{decision: -1, child: -1, touches: [2]int32{-1, -1}})
		// Whether the last access is the last of its operation may depend on the choice, so it
		// counts as not finished.
		x.path = append(x.path, step{node: at, n: int32(n), accesses: max(0, len(x.steps)-1), apart: x.apart()})
	}
	x.depth++
	v := -1 - x.current(x.depth-1).decision
	x.choices = append(x.choices, choice{len(x.steps), v})
	return int(v)
}

// End enters the leaf; fresh is then its node, or -1 if there is no new one.
func (x *interleave) End(e *schedule.Finished) {
	x.fresh, x.abrupt = -1, e.Abrupt
	if e.Pruned || e.Outcome == explore.TimedOut {
		return
	}
	x.sync(e.Accesses)
	at, met := x.enter(leaf, x.apart())
	if met {
		x.merged++
		return
	}
	x.fresh = at
}

// finish marks the nodes whose edges are not all explored.
func (x *interleave) finish() {
	for k, s := range x.path {
		n := &x.g.nodes[s.node]
		if s.todo != 0 || s.n > int32(len(n.edges)) || x.current(k).child < 0 {
			n.open = true
		}
	}
	for i := range x.g.nodes {
		n := &x.g.nodes[i]
		if n.kind != leaf && len(n.edges) == 0 {
			n.open = true
		}
	}
}
