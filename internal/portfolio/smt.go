package portfolio

import (
	"context"
	"errors"
	"strings"
	"time"

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

// smtMembers are the members that ask an SMT solver: alone where it was chosen; under Auto last,
// and under All beside the others, where one is installed. Else notAsked says why, of these two.
func (p *Portfolio) smtMembers() (all []member, notAsked string) {
	program, chosen := p.o.Engines.smt()
	switch {
	case !chosen && engine.LeftOut(string(SMT)):
		return nil, "LINSAT_WITHOUT names it"
	case chosen || (p.o.Engines == Auto || p.o.Engines == All) && !p.o.Sequential && NewSMT != nil:
	case p.o.Engines != Auto && p.o.Engines != All:
		return nil, ""
	case NewSMT == nil:
		return nil, "it is not linked"
	default:
		return nil, "it counts no steps"
	}
	e, err := smtEngine(program)
	switch {
	case err != nil:
		return nil, "no solver was found"
	case p.o.Engines == Auto:
		return []member{{e, smtDelay}}, ""
	}
	return []member{{e, 0}}, ""
}

// isSMT reports whether an engine of this name asks an SMT solver.
func isSMT(name string) bool { return strings.HasPrefix(name, string(SMT)+" ") }

// within is the context of e under All: SMT solvers have a share of the time of all partitions.
func (p *Portfolio) within(ctx context.Context, e member) (context.Context, context.CancelFunc) {
	end, limited := ctx.Deadline()
	if !isSMT(e.Name()) || !limited {
		return ctx, func() {}
	}
	p.share.Do(func() { p.smtUntil = time.Now().Add(time.Until(end) / leaveShare) })
	return context.WithDeadline(ctx, p.smtUntil)
}
