package program

import "github.com/linsat/linsat/internal/relaxed/graph"

// Outcome is how an execution ended.
type Outcome uint8

const (
	Complete      Outcome = iota
	Stuck                 // a thread awaits a value that does not come
	Blocked               // a thread went no further by its own choice (Assume)
	Bounded               // a thread made too many accesses
	Race                  // a data race: A and B
	Uninitialized         // a load, A, of a location before its first write
	Panicked
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"complete", "stuck", "blocked", "bounded", "data race", "uninitialized load", "panic"}[o]
}

// Info is what the running execution knows about an event beside the graph.
type Info struct {
	Value   any // of the write, or of the read
	Request Request
}

// Note is what a program says about itself between its accesses.
type Note struct {
	Thread  int
	After   int // how many events of the thread are before it
	Born    int // threads that it started before it
	Payload any
}

// Execution is an execution that has ended.
type Execution struct {
	Graph   *graph.Graph
	Info    [graph.MaxThreads][]Info
	Inits   []any // by location: the value of Init
	Started []bool
	Notes   []Note
	Outcome Outcome
	A, B    graph.Ref // the events that Outcome is about
	Panic   any
	Stack   string
	Threads int
}

// Reset prepares for the next execution.
func (x *Execution) Reset() {
	for t := range x.Info {
		clear(x.Info[t])
		x.Info[t] = x.Info[t][:0]
	}
	clear(x.Inits)
	x.Inits = x.Inits[:0]
	x.Started = x.Started[:0]
	clear(x.Notes)
	x.Notes = x.Notes[:0]
	x.Outcome, x.A, x.B, x.Panic, x.Stack, x.Threads = Complete, graph.None, graph.None, nil, "", 0
}

// Declare notes a location. started says that Init gives it value; if not, to read Init is an
// error.
func (x *Execution) Declare(loc int32, value any, started bool) {
	for len(x.Inits) <= int(loc) {
		x.Inits = append(x.Inits, nil)
		x.Started = append(x.Started, false)
	}
	x.Inits[loc], x.Started[loc] = value, started
}

// Value returns what a write wrote.
func (x *Execution) Value(loc int32, w graph.Ref) any {
	if w == graph.Init {
		return x.Inits[loc]
	}
	return x.Info[w.Thread()][w.Index()].Value
}

// Search runs a program and shows its executions.
type Search interface {
	Memory
	// Run calls visit for every execution until it returns false. body is the main thread.
	Run(body func(), visit func(*Execution) bool) (Counts, error)
	Execution() *Execution
}

// Counts says what a search did.
type Counts struct {
	Runs     int // of the program
	Graphs   int // visited
	Stuck    int
	Blocked  int
	Bounded  int
	Stopped  bool // by visit, or by the limit of runs
	Outcomes [Panicked + 1]int
}

// Limits bound a search; 0: the default.
type Limits struct {
	Events int // of a thread
	Runs   int
	// Buffers allows load buffering.
	Buffers bool
}
