package schedule

// Exhaustive runs every schedule, depth first: the thread that ran goes on first, then the others
// in order.
func Exhaustive() Strategy {
	return &tree{allow: func(s *State) uint64 { return s.Enabled }, name: "every schedule"}
}

// Serial runs every schedule in which threads take turns only between operations. An operation that
// blocks ends its execution as Stuck, with that one operation pending; a blocked operation is also
// tried wherever it can be called.
func Serial() Strategy { return &tree{allow: serially, name: "every serial schedule"} }

// tree walks a tree of decisions depth first; allow says which threads may be picked.
type tree struct {
	allow func(s *State) uint64
	name  string
	nodes []node
	depth int
	begun bool
}

// node is one decision: a pick if n is 0, else a choice among n.
type node struct {
	todo   uint64 // threads not tried yet
	chosen int32
	n      int32
}

func (t *tree) Begin() bool {
	t.depth = 0
	if !t.begun {
		t.begun = true
		return true
	}
	for len(t.nodes) > 0 {
		n := &t.nodes[len(t.nodes)-1]
		if n.chosen+1 < n.n {
			n.chosen++
			return true
		}
		if n.todo != 0 {
			n.chosen = int32(Lowest(n.todo))
			n.todo &= n.todo - 1
			return true
		}
		t.nodes = t.nodes[:len(t.nodes)-1]
	}
	return false
}

func (t *tree) Pick(s *State) (int, bool) {
	if t.depth == len(t.nodes) {
		todo := t.allow(s)
		first := Lowest(todo)
		if Has(todo, s.Prev) {
			first = s.Prev
		}
		t.nodes = append(t.nodes, node{todo: todo &^ (1 << uint(first)), chosen: int32(first)})
	}
	t.depth++
	return int(t.nodes[t.depth-1].chosen), true
}

func (t *tree) Choose(n int) int {
	if t.depth == len(t.nodes) {
		t.nodes = append(t.nodes, node{n: int32(n)})
	}
	t.depth++
	return int(t.nodes[t.depth-1].chosen)
}

func (t *tree) End(*Finished)  {}
func (t *tree) String() string { return t.name }

func serially(s *State) uint64 {
	if Has(s.Live, s.Prev) && !s.Boundary {
		return 1 << uint(s.Prev)
	}
	return s.Live
}
