package isolation

// Cycle is transactions each of which comes before the next, and the last before the first: what
// nobody can order. The edges are in this order.
type Cycle struct{ Edges []Edge }

// Edge says why one transaction comes before another.
type Edge struct {
	From, To int32
	Kind     EdgeKind
	Object   int32 // but of Session and Time
	// Place is the read: of To where the edge is WR, of From where it is RW; and where it is WW the
	// one that shows the order of the two writes. If it is of From, that one read without what To
	// wrote, and itself wrote the object: of two that write one object one sees the other, under
	// parallel snapshot isolation and what implies it.
	Place Place
	// Value is what From wrote where the edge is WW, and Next what To wrote where it is WW or RW.
	Value, Next int32
}

// EdgeKind is a kind of dependency, as Adya says it, or of a given order.
type EdgeKind uint8

// The kinds of edges.
const (
	WW      EdgeKind = iota // From wrote what To overwrote, or appended before To
	WR                      // From wrote what To read
	RW                      // From read what To overwrote, or without what To appended
	Session                 // From is before To in their session
	Time                    // From returned before To was called
)

var edgeNames = []string{"ww", "wr", "rw", "session", "time"}

// String returns the name of the kind.
func (k EdgeKind) String() string { return nameOf(edgeNames, k) }

// MarshalText and UnmarshalText write and read the name.
func (k EdgeKind) MarshalText() ([]byte, error)     { return []byte(k.String()), nil }
func (k *EdgeKind) UnmarshalText(text []byte) error { return named(edgeNames, k, text) }

// Components numbers the strongly connected components of a graph of n nodes, by node (Tarjan,
// 1972, without recursion). Edge k of node u leads to target(u, k), which is -1 after the last one.
func Components(n int, target func(u, k int32) int32) (of []int32) {
	of = make([]int32, n)
	low, index, next := make([]int32, n), make([]int32, n), make([]int32, n)
	var stack, calls []int32
	counter, number := int32(0), int32(0)
	for root := range n {
		if index[root] != 0 {
			continue
		}
		calls = append(calls, int32(root))
		for len(calls) > 0 {
			u := calls[len(calls)-1]
			if index[u] == 0 {
				counter++
				index[u], low[u] = counter, counter
				stack = append(stack, u)
			}
			if v := target(u, next[u]); v >= 0 {
				switch {
				case index[v] == 0:
					calls = append(calls, v)
					continue
				case of[v] == 0:
					low[u] = min(low[u], low[v])
				}
				next[u]++
				continue
			}
			calls = calls[:len(calls)-1]
			if low[u] != index[u] {
				continue
			}
			number++
			for v := int32(-1); v != u; {
				v = stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				of[v] = number
			}
		}
	}
	for u := range of {
		of[u]--
	}
	return of
}
