package localize

import "strings"

// Race says how the two accesses at a node race.
type Race uint8

// The races. Data: they touch the same variable and one of them writes; the elements of an array
// are one variable, as in the paper's pair snapshot. Order: one returns from its operation and the
// other calls one, so their order determines whether the first operation precedes the second. Coin:
// no accesses, but a data choice of the object. Commuting: their order does not matter, the state
// is the same either way; the node decides when another race is reached.
const (
	Commuting Race = iota
	Order
	Data
	Coin
)

var raceNames = [...]string{"commuting", "order", "data", "coin"}

func (r Race) String() string { return raceNames[r] }

// races returns how the accesses of two edges of one node race.
func races(a, b *edge) Race {
	switch {
	case a.decision < 0:
		return Coin
	case (a.access.Kind.Writes() || b.access.Kind.Writes()) && meet(a.touches, b.touches),
		a.access.Conflicts(&b.access):
		return Data
	case dependent(&a.access, &b.access):
		return Order
	}
	return Commuting
}

func meet(a, b [2]int32) bool { return common(a, b) >= 0 }

// common returns a variable that both accesses touch, -1 if there is none.
func common(a, b [2]int32) int32 {
	for _, v := range a {
		if v >= 0 && (v == b[0] || v == b[1]) {
			return v
		}
	}
	return -1
}

// on returns the name of the variable over which two edges race as Data.
func (g *graph) on(a, b *edge) string {
	v := common(a.touches, b.touches)
	if v < 0 {
		return ""
	}
	name, _, _ := strings.Cut(g.variables[v], "\x00")
	return name
}

// decisive returns the strongest race at a node between the edge taken and the edges with another
// outcome: those whose nodes differ from its node in being white, black, or mixed.
func (g *graph) decisive(n *node, taken int) Race {
	best := Commuting
	c := g.class(&n.edges[taken])
	for i := range n.edges {
		if i != taken && n.edges[i].child >= 0 && g.class(&n.edges[i]) != c {
			best = max(best, races(&n.edges[taken], &n.edges[i]))
		}
	}
	return best
}

// class returns White or Black, or GreyGrey for any mixed label.
func (g *graph) class(e *edge) Label {
	l := g.nodes[e.child].label
	if l.mixed() {
		return GreyGrey
	}
	return l
}
