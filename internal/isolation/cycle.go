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
