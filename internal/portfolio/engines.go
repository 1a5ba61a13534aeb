package portfolio

import (
	"time"

	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/monitor"
	quasimonitor "github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/sat"
	quasisearch "github.com/linsat/linsat/internal/quasi/search"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/txn"
	"github.com/linsat/linsat/solver"
)

// member is an engine that takes part, and how long it waits in a race before it starts.
type member struct {
	engine.Decider
	delay time.Duration
}

// CheckLeftOut returns an error if LINSAT_WITHOUT names what is no technique. Of the engines, those
// of clauses can be left out, where they are not asked for by name.
func CheckLeftOut() error {
	all := append(append(monitor.Techniques(), search.Techniques()...), string(SAT), string(SMT))
	for _, s := range steps {
		all = append(all, s.name)
	}
	return engine.CheckLeftOut(all)
}

// team returns the engines, cheapest first. Many small histories are decided by the probe alone,
// and never ask.
func (p *Portfolio) team() []member {
	p.once.Do(func() { p.made = p.members() })
	return p.made
}

// members lists who takes part, cheapest first. Under a limit of steps Auto leaves out the SAT
// engine, which counts none.
func (p *Portfolio) members() []member {
	var all []member
	add := func(one Engines, e engine.Decider, delay time.Duration) {
		if p.o.Engines == one || p.o.Engines == Auto || p.o.Engines == All {
			all = append(all, member{e, delay})
		}
	}
	if p.o.Quasi {
		add(Monitor, quasimonitor.New(), 0)
		add(Search, quasisearch.New(), 0)
	} else {
		add(Monitor, engine.For(monitor.New()), 0)
		add(Search, p.search(), 0)
	}
	if p.o.Engines == SAT || !engine.LeftOut(string(SAT)) && !(p.o.Sequential && p.o.Engines == Auto) {
		add(SAT, p.sat(), headStart)
	}
	smt, notAsked := p.smtMembers()
	p.notAsked = notAsked
	return append(all, smt...)
}

// search is the search engine, which tells no more than the verdict where no more is asked for.
func (p *Portfolio) search() engine.Decider {
	if p.o.VerdictOnly {
		return searchVerdict
	}
	return searchFailure
}

// The searches, which all checks share.
var (
	searchVerdict = engine.For(search.New(search.VerdictOnly()))
	searchFailure = engine.For(search.New())
)

// sat is the SAT engine on top of the chosen solver.
func (p *Portfolio) sat() engine.Decider {
	factory := p.o.Solver
	if factory == nil {
		factory = builtIn
	}
	e := engine.For(txn.Before(engine.Open(encode.New(factory)), factory))
	if p.o.Quasi {
		e = sat.New(factory)
	}
	if p.o.Solver != nil {
		e = renamed{e, "sat (" + p.o.SolverName + ")"}
	}
	return e
}

func builtIn() solver.Solver { return gini.New() }

// renamed is an engine that names the solver it uses.
type renamed struct {
	engine.Decider
	name string
}

// Name implements engine.Decider.
func (r renamed) Name() string { return r.name }
