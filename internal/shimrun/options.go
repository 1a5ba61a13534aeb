package shimrun

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/linsat/linsat/explore"
)

// Variable is the environment variable by which `linsat test` asks the tests of a package to be
// explored: Options as JSON, or @ and
// the file that holds them.
const Variable = "LINSAT_TEST"

// Options say how tests are explored.
type Options struct {
	// How is the strategy: dpor, exhaustive, bounded, pct or random; "auto" is dpor for half of the
	// time and then, if that was not enough, pct.
	How     string
	Bound   int    // preemptions of bounded, depth of pct
	Seed    uint64 // of pct and random
	For     time.Duration
	Runs    int             // of pct and random, and at most
	Steps   int             // of one execution, at most
	Replay  json.RawMessage `json:",omitempty"`
	Out     string          // file to which outcomes are appended
	Include []string        // packages that were rewritten besides those under test
	Exclude []string        // packages that were not
	// Jobs is how many processes run schedules of one test at a time; Worker marks one that another
	// has started, and Nth which check of its test it explores, from 0.
	Jobs   int
	Worker bool
	Nth    int
	// Only is that of explore.CheckOptions.
	Only bool
	// Localize asks which accesses decide whether a history is linearizable.
	Localize bool
	// Leaks says that a goroutine that has not ended when all processes have is a failure.
	Leaks bool
	// Skew is how long goroutines may take, in place of what the test says (linsattest.Run.Skew).
	Skew *time.Duration `json:",omitempty"`
	// Resume says that a search that runs out of time is kept, and goes on from where it was kept.
	Resume bool
	// HTML is the file for the page of a replayed schedule, "" for none.
	HTML string
	// Debug says that someone watches, so that no execution takes too long.
	Debug bool
	// Now is the file in which the test that runs says how far it is, "" for none.
	Now string
	// RaceLog is where the race detector writes, but for the number of the process; "" if it does
	// not watch.
	RaceLog string
}

// Outcome is what exploring one test showed.
type Outcome struct {
	Package, Test, Verdict, Summary, Why, Replay string
	Text                                         string // of a failure
	Smaller                                      string // what a smaller failing program has
	Learned                                      string // what the specification is learned from
	Overlapped                                   string // which operations did in some execution
	Warnings                                     []string
	Executions, Classes                          int
	Complete                                     bool
	Asserts                                      bool // it has no operations
	Seconds                                      float64
	Limit                                        bool            // kept it from being explored
	Refused                                      bool            // something in it is not modelled
	Found                                        json.RawMessage `json:",omitempty"` // by a worker
}

// Now is how far the exploration of a test is.
type Now struct {
	Test, Strategy string
	Executions     int
	Seconds        float64 // since it began
	Limit          float64 // seconds that it may take, 0 if there is none
	Share          float64 // of the schedules that are known of, 0 if it is not known
}

// Failed reports whether the outcome is a failure of the test.
func (o *Outcome) Failed() bool {
	return !o.Limit && !o.Refused && o.Verdict != everyHistory && o.Verdict != noExecution &&
		o.Verdict != "unknown" && o.Verdict != foundFault
}

// The verdict where no violation was found, and where there are no operations.
const (
	everyHistory = "every history is linearizable"
	noExecution  = "no execution fails"
)

// Verdict of a control whose deliberate fault was found, and not found.
const (
	foundFault    = "the deliberate fault was found"
	notFoundFault = "the deliberate fault was not found"
)

// Judged sets the verdict of a test: that of its histories, or what is wrong.
func (o *Outcome) Judged(linearizable bool, wrong string) {
	switch {
	case wrong != "":
		o.Verdict = wrong
	case linearizable && o.Asserts:
		o.Verdict = noExecution
	case linearizable:
		o.Verdict = everyHistory
	}
}

// Control is the outcome of a control.
func (o *Outcome) Control(found bool) {
	if o.Verdict = notFoundFault; found {
		o.Verdict = foundFault
	}
}

var asked = sync.OnceValues(func() (*Options, error) {
	text := os.Getenv(Variable)
	if text == "" {
		return nil, nil
	}
	if file, is := strings.CutPrefix(text, "@"); is {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text = string(content)
	}
	o := &Options{}
	if err := json.Unmarshal([]byte(text), o); err != nil {
		return nil, fmt.Errorf("%s: %w", Variable, err)
	}
	return o, nil
})

// Asked returns how tests are to be explored, nil if they are not. It panics if the environment
// variable is not what `linsat test` writes.
func Asked() *Options {
	o, err := asked()
	if err != nil {
		panic(err)
	}
	return o
}

// Phases returns how a test is explored, one after the other until one is complete or finds
// something.
func (o *Options) Phases() []Options {
	if o.How != "auto" {
		return []Options{*o}
	}
	first, then := *o, *o
	first.How, first.For = "dpor", o.For/2
	then.How, then.Bound, then.Runs, then.For = "pct", autoDepth, max(o.Runs, autoRuns), o.For-first.For
	return []Options{first, then}
}

// Strategy returns a new strategy.
func (o *Options) Strategy() explore.Strategy {
	switch o.How {
	case "exhaustive":
		return explore.Exhaustive()
	case "bounded":
		return explore.Bounded(o.Bound)
	case "pct":
		return explore.PCT(o.Seed, o.Bound, o.Runs)
	case "random":
		return explore.Random(o.Seed, o.Runs)
	}
	return explore.DPOR()
}

// Samples reports whether the strategy only draws schedules, so that it never covers all.
func (o *Options) Samples() bool { return o.How == "pct" || o.How == "random" }

// Tell says how far the exploration is. It fails silently: the next one may work.
func (o *Options) Tell(now Now) {
	if text, err := json.Marshal(now); err == nil && o.Now != "" {
		_ = os.WriteFile(o.Now, text, 0o600)
	}
}

// Report appends an outcome to the file for them.
func (o *Options) Report(outcome Outcome) error {
	if o.Out == "" {
		return nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	outcome.Package = dir
	line, err := json.Marshal(outcome)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(o.Out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Close()
}
