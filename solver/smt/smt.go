// Package smt lets linsat.Check ask an SMT solver: import it for its effect alone.
//
//	import _ "github.com/linsat/linsat/solver/smt"
//
// Then linsat.Engine takes "smt:z3" and "smt:cvc5", which run the program of that name, and "smt",
// which runs the first of them that is installed. Without linsat.Engine one is asked last, where
// one is installed, of histories that the other engines do not decide within seconds. Its answers
// are certified as theirs are. The command linsat imports it.
package smt

import (
	"sync"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/smt"
)

func init() {
	// Every check asks for the first one.
	first := sync.OnceValues(func() (engine.Decider, error) { return smt.New("") })
	portfolio.NewSMT = func(program string) (engine.Decider, error) {
		if program == "" {
			return first()
		}
		return smt.New(program)
	}
}
