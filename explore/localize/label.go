package localize

import "math"

// Label classifies a node of the interleaving tree by its possible outcomes.
type Label uint8

// The labels. A node is White if all its traces are linearizable, and Black if all fail. Other
// nodes are named after their children, which are white, black, or mixed: Grey has white and black
// ones and no others, WhiteGrey white and mixed ones, BlackGrey black and mixed ones (and perhaps
// white ones), GreyGrey mixed ones only. A node with one child decides nothing and has the label of
// its child.
const (
	Unlabelled Label = iota
	White
	Black
	Grey
	WhiteGrey
	BlackGrey
	GreyGrey
)

var labelNames = [...]string{"?", "W", "B", "G", "WG", "BG", "GG"}

func (l Label) String() string { return labelNames[l] }

// mixed reports whether both outcomes are possible.
func (l Label) mixed() bool { return l > Black }

// Critical reports whether a node of that label can be in a critical data race sequence: a decision
// there can exclude one outcome.
func (l Label) Critical() bool { return l >= Grey && l <= BlackGrey }

// Symbol returns the label as written in a sequence: Wg, Bg, G.
func (l Label) Symbol() string {
	switch l {
	case WhiteGrey:
		return "Wg"
	case BlackGrey:
		return "Bg"
	}
	return l.String()
}

// Combine returns the label of a node whose children have the given labels. Unlabelled children are
// ignored.
//
// With two children this is Definition 8 of the paper. With more, a node can have white, black and
// mixed children at once. It is then BlackGrey, since only then every failing trace has a sequence
// of the form of Theorem 3: the last critical node before only failures remain has a black child,
// and one that leads to it a mixed child.
func Combine(children ...Label) Label {
	white, black, mixed, n := false, false, false, 0
	only := Unlabelled
	for _, c := range children {
		if c == Unlabelled {
			continue
		}
		n++
		only = c
		white = white || c == White
		black = black || c == Black
		mixed = mixed || c.mixed()
	}
	switch {
	case n <= 1:
		return only
	case mixed && black:
		return BlackGrey
	case mixed && white:
		return WhiteGrey
	case mixed:
		return GreyGrey
	case white && black:
		return Grey
	case black:
		return Black
	}
	return White
}

// label labels the graph and counts traces; failed reports whether a leaf fails.
func (g *graph) label(failed func(leaf int32) bool) {
	var children []Label
	var visit func(at int32)
	visit = func(at int32) {
		n := &g.nodes[at]
		if n.traces > 0 || n.label != Unlabelled {
			return
		}
		if n.kind == leaf {
			if n.leaf < 0 { // stopped before it was checked
				n.open = true
				return
			}
			n.traces, n.label = 1, White
			if failed(n.leaf) {
				n.failing, n.label = 1, Black
			}
			return
		}
		for i := range n.edges {
			if child := n.edges[i].child; child >= 0 {
				visit(child)
			}
		}
		children = children[:0]
		for i := range n.edges {
			if n.edges[i].child < 0 {
				continue
			}
			c := &g.nodes[n.edges[i].child]
			children = append(children, c.label)
			n.traces, n.failing = add(n.traces, c.traces), add(n.failing, c.failing)
			n.open = n.open || c.open
		}
		n.label = Combine(children...)
	}
	if len(g.nodes) > 0 {
		visit(0)
	}
}

// add adds numbers of traces, saturating at math.MaxUint64.
func add(a, b uint64) uint64 {
	if a+b < a {
		return math.MaxUint64
	}
	return a + b
}
