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
	Sealed
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
	if s.Own != 0 {
		return besideOwn(s)
	}
	if Has(s.Live, s.Prev) && !s.Boundary {
		return 1 << uint(s.Prev)
	}
	return callers(s, s.Live)
}

// callers returns those of some threads that can go on, or stand before an operation, which may
// block. What waits outside of operations has to wait, as it is none.
func callers(s *State, among uint64) uint64 {
	for set := among &^ s.Enabled; set != 0; set &= set - 1 {
		if t := Lowest(set); !s.Pending[t].First && s.Pending[t].Op < 0 {
			among &^= 1 << uint(t)
		}
	}
	return among
}

// besideOwn is serially for an object with threads of its own. These take turns with the one
// operation that runs, which is blocked only if they cannot go on either.
func besideOwn(s *State) uint64 {
	own := s.Own & s.Enabled
	calls := s.Live &^ s.Own
	for set := calls; set != 0; set &= set - 1 {
		if t := Lowest(set); !s.Pending[t].First && s.Pending[t].Op >= 0 { // inside an operation
			calls = 1 << uint(t)
			break
		}
	}
	if own == 0 {
		return callers(s, calls)
	}
	return own | calls&s.Enabled
}
