package cdsspec

// Structure is an equivalent sequential structure, whatever the type of its state.
type Structure struct {
	Name  string
	Init  func() any // a fresh state
	Rules []string   // as written: "Update -> Read"
}

// Method is a method of a structure, whatever the types of its arguments and results. Functions
// that the author left out are nil.
type Method struct {
	Of         *Structure
	Name       string
	Points     []string // its ordering point set; empty: an aggregate
	Conditions map[string]func(args, result any) bool
	ID         func(args, result any) any
	Pre, Post  func(state, args, result any) bool
	Effect     func(state, args, result any)
}

// Begun is noted where a call begins.
type Begun struct {
	Method *Method
	This   any // the object
	Args   any
}

// Ended is noted where a call ends. ID and Holds are evaluated there.
type Ended struct {
	Begun  *Begun
	Result any
	ID     any
	Holds  map[string]bool // the conditions
}

// End returns what is noted where a call ends.
func End(b *Begun, result any) *Ended {
	m := b.Method
	e := &Ended{Begun: b, Result: result, ID: b.This}
	if m.ID != nil {
		e.ID = m.ID(b.Args, result)
	}
	if len(m.Conditions) > 0 {
		e.Holds = make(map[string]bool, len(m.Conditions))
		for label, holds := range m.Conditions {
			e.Holds[label] = holds(b.Args, result)
		}
	}
	return e
}

// PointKind is what an annotation of an ordering point does.
type PointKind uint8

// Kinds of annotations. An annotation whose condition is false is not noted.
const (
	Potential PointKind = iota // this may be an ordering point
	Confirm                    // a potential point was one
	Here                       // this is one
	Clear                      // those so far are none
)

// Point is noted where an annotation of an ordering point stands.
type Point struct {
	Kind  PointKind
	Label string
	Of    string // Confirm: the label of the potential point
}
