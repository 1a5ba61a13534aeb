//go:build !linsat_native

package c11

import (
	"errors"
	"runtime"

	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/relaxed/program"
	"github.com/linsat/linsat/internal/relaxed/trust"
)

// Options of a Run.
type Options struct {
	MaxEvents int  // of a thread, before the execution counts as Bounded; at most 250, 0: 100
	MaxRuns   int  // of the program, before the search stops; 0: no limit
	Trace     bool // note the lines of code; slower
	// Orders, if given, is asked at every access of an atomic and at every fence for the memory
	// order to use there, for instance a weaker one than the code has. A relaxed fence is none.
	// Slower.
	Orders func(at Site, order Order) Order
	// LoadBuffering also visits executions in which a load reads from a store that comes later in
	// sb ∪ rf: the store is made, with the same value, whether the load reads it or not. RC11 has
	// an axiom against all of them, the C++ standard only against values that justify themselves,
	// which are not visited. The search keeps what it met in memory, and takes longer.
	LoadBuffering bool
}

// Stats says what a Run did.
type Stats struct {
	Runs     int // calls of the program
	Graphs   int // executions visited
	Outcomes map[Outcome]int
	// All reports whether every execution of the program was visited: neither visit nor MaxRuns
	// stopped the search, and no execution was Bounded.
	All bool
}

// Outcome is how an execution ended.
type Outcome = program.Outcome

// Outcomes. Uninitialized and Panicked end the thread to which they happen; the others go on. What
// a program does after a Race means nothing.
const (
	Complete      = program.Complete
	Stuck         = program.Stuck
	Blocked       = program.Blocked
	Bounded       = program.Bounded
	Race          = program.Race
	Uninitialized = program.Uninitialized
	Panicked      = program.Panicked
)

// Run calls visit for every execution of the program that the memory model allows, once each, until
// it returns false. The graph is valid during the call; Graph.Clone keeps it.
func Run(p Program, o Options, visit func(*Graph) bool) (Stats, error) {
	return run(p, o, func(r *program.Runner, l program.Limits) program.Search { return trust.New(r, l) }, visit)
}

var errNoProgram = errors.New("c11: there is no program to run, or no function to visit what happened")

func run(p Program, o Options, search func(*program.Runner, program.Limits) program.Search,
	visit func(*Graph) bool) (Stats, error) {
	if p == nil || visit == nil {
		return Stats{}, errNoProgram
	}
	x, limits := newExec(o)
	x.search = search(x.runner, limits)
	defer x.runner.Close()
	g := &Graph{}
	counts, err := x.search.Run(func() { p(x) }, func(e *program.Execution) bool {
		g.number++
		g.fill(e, x.runner)
		return visit(g)
	})
	stats := Stats{Runs: counts.Runs, Graphs: counts.Graphs, Outcomes: map[Outcome]int{}}
	for o, n := range counts.Outcomes {
		if n > 0 {
			stats.Outcomes[Outcome(o)] = n
		}
	}
	stats.All = err == nil && !counts.Stopped && stats.Outcomes[Bounded] == 0
	return stats, err
}

func newExec(o Options) (*Exec, program.Limits) {
	if o.MaxEvents == 0 {
		o.MaxEvents = defaultMaxEvents
	}
	o.MaxEvents = min(o.MaxEvents, graph.MaxEvents)
	return &Exec{runner: &program.Runner{}, trace: o.Trace || o.Orders != nil, orders: o.Orders,
			frames: map[[callers]uintptr]*runtime.Frame{}}, program.Limits{Events: o.MaxEvents, Runs: o.MaxRuns,
			Buffers: o.LoadBuffering}
}
