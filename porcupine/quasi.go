package porcupine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/quasi"
)

// Quasi asks for quasi-linearizability: operations may miss their places by up to a bound for each
// class of operations. A history is accepted if its operations have an order ρ′ that extends the
// order of time, and an order ρ″ that the model allows, in which no operation is further from its
// place in ρ′ than its class permits; places are counted within the class.
//
// Every partition is judged on its own. Partitions should be objects: under a factor, splitting one
// object by values is not sound.
type Quasi struct {
	// Class names the class of the operations with that input. "" is no class: such operations, and
	// those of classes without a bound, keep their places.
	Class func(input any) string
	// Factor bounds by how many places operations of a class may move; quasi.Unbounded is no bound.
	Factor map[string]int32
	// Meaning is quasi.Slots, the default, if ρ″ has the classes of ρ′ in the same pattern, or
	// quasi.Classes, for small histories, if it may have them in any order.
	Meaning quasi.Meaning
}

// refuse panics if the question makes no sense.
func (q *Quasi) refuse() {
	if q.Class == nil {
		panic("porcupine: Quasi has no Class: it names the class of an operation")
	}
	for class, bound := range q.Factor {
		switch {
		case class == "":
			panic(`porcupine: Quasi.Factor bounds the class ""; operations without a class keep their places`)
		case bound < 0:
			panic(fmt.Sprintf("porcupine: the bound %d of class %s is negative", bound, class))
		}
	}
}

// none reports whether no class has a bound: plain linearizability.
func (q *Quasi) none() bool { return q == nil || len(q.Factor) == 0 }

// classes are those with a bound, in order.
func (q *Quasi) classes() []string { return slices.Sorted(maps.Keys(q.Factor)) }

// ask adds the classes to a model, and returns the option that asks the question.
func (q *Quasi) ask(m *linsat.Model[any, any, any]) linsat.Option {
	m.Classes = q.classes()
	m.Class = func(in any) int {
		in = plain(in)
		if u, ok := in.(unknown); ok {
			in = u.input
		}
		return slices.Index(m.Classes, q.Class(unboxed(in)))
	}
	question := quasi.Question{Meaning: q.Meaning}
	for _, class := range m.Classes {
		question.Factor = append(question.Factor, q.Factor[class])
	}
	return linsat.Quasi(question)
}
