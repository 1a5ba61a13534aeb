package cdsspec

// Label names an ordering point.
type Label = string

// Structure is an equivalent sequential structure with state S. Helper types and functions of the
// specification are ordinary Go. Every object has a state of its own.
type Structure[S any] struct {
	Name string
	Init func() *S // the initial state, made afresh; nil: new(S)

	// HappensBefore lists rules "m -> n", "m(condition) -> n(condition)": a call of m that fulfils
	// the condition happens before all later calls of n that fulfil theirs and have the same ID.
	// Later is what the ordering points say.
	HappensBefore []string

	erased structure
}

// Method is a method of a structure: A holds its arguments, R its results. The functions of a
// method see these as they were at Begin and End. They are called after the execution, except ID
// and Conditions, which End calls.
type Method[S, A, R any] struct {
	Of   *Structure[S]
	Name string

	// Points is the ordering point set: the labels of the annotations that are ordering points of
	// this method. A method without any is an aggregate: the calls inside it are checked, but it
	// has no place in the sequential history itself.
	Points []Label

	// Conditions are the guards that rules of HappensBefore name.
	Conditions map[Label]func(args A, result R) bool
	// ID says which calls rules relate; nil: the object.
	ID func(args A, result R) any

	PreCondition  func(s *S, args A, result R) bool // before the side effect
	SideEffect    func(s *S, args A, result R)
	PostCondition func(s *S, args A, result R) bool // after it

	erased method
}
