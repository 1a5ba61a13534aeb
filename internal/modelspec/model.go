package modelspec

import (
	"fmt"
	"math"

	"github.com/linsat/linsat/spec/meta"
)

// Model is a linsat.Model, which says what its fields mean.
type Model[S, I, O any] struct {
	Name           string
	Init           S
	Step           func(s S, in I) []meta.Outcome[S, O]
	Accept         func(s S, in I, out O) []S
	Open           func(s S, in I) []S
	Key            func(in I) any
	Pieces         func(in I) []any
	ReadOnly       func(in I) bool
	Classes        []string
	Class          func(in I) int
	As             *Words[I, O]
	EqualOut       func(computed, observed O) bool
	Equal          func(a, b S) bool
	Hash           func(s S) uint64
	DescribeInput  func(in I) string
	DescribeOutput func(out O) string
	DescribeState  func(s S) string
}

// Op is a linsat.Op, which says what its fields mean.
type Op[I, O any] struct {
	Client   int
	Input    I
	Call     int64
	Output   O
	Return   int64
	Pending  bool
	Revision *int64
	Chain    string
	Unknown  bool
}

// noClient is the Client of an operation whose client is not known.
const noClient = -1

// defaultName is that of a model without a name.
const defaultName = "model"

// refuse reports what is wrong with a model, nil if nothing is.
func (m *Model[S, I, O]) refuse() error {
	if m.Name == "" {
		m.Name = defaultName
	}
	bad := func(what string) error { return fmt.Errorf("linsat: model %s %s", m.Name, what) }
	switch {
	case m.Step == nil && m.Accept == nil && (m.As == nil || m.Open != nil):
		return bad("has no Step: it says what an operation does in a state")
	case m.Step != nil && (m.Accept != nil || m.Open != nil):
		return bad("has both Step and Accept or Open: Step says all that they say")
	case m.Hash != nil && m.Equal == nil:
		return bad("has Hash without Equal, which says what states are equal to those of the same hash")
	case (m.Class == nil) != (len(m.Classes) == 0):
		return bad("has only one of Class and Classes")
	case m.As != nil && m.As.refuse() != "":
		return bad(m.As.refuse())
	case m.As != nil && len(m.Classes) > 0:
		return bad("has both As and Classes: the classes are those of the specification")
	case len(m.Classes) > math.MaxInt8:
		return bad(fmt.Sprintf("has %d classes of operations; there can be %d", len(m.Classes), math.MaxInt8))
	}
	return nil
}
