package portfolio

import (
	"errors"
	"strings"

	"github.com/linsat/linsat/internal/engine"
)

// NewSMT makes the engine that asks a program for SMT, "" for the first that is installed. Package
// solver/smt sets it, so that those who do not import that do not link it.
var NewSMT func(program string) (engine.Decider, error)

// smt returns the program of the engine "smt" or "smt:PROGRAM"; ok is false for other choices.
func (e Engines) smt() (program string, ok bool) {
	name, program, _ := strings.Cut(string(e), ":")
	return program, name == string(SMT)
}

func smtEngine(program string) (engine.Decider, error) {
	if NewSMT == nil {
		return nil, errors.New("the engine smt is not linked: import github.com/linsat/linsat/solver/smt for it")
	}
	return NewSMT(program)
}

// smtMembers are the members that ask an SMT solver: alone where it was chosen, and under Auto last
// where one is installed.
func (p *Portfolio) smtMembers() []member {
	program, chosen := p.o.Engines.smt()
	if !chosen && (p.o.Engines != Auto || p.o.Sequential || NewSMT == nil || engine.LeftOut(string(SMT))) {
		return nil
	}
	e, err := smtEngine(program)
	if err != nil {
		return nil
	}
	if chosen {
		return []member{{e, 0}}
	}
	return []member{{e, smtDelay}}
}
