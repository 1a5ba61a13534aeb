package porcupine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/spec/meta"
)

// CheckOperations reports whether a history is linearizable. It panics if memory runs out
// (MemoryLimit), since neither answer would be right.
func CheckOperations(model Model, history []Operation) bool {
	return must(CheckOperationsTimeout(model, history, 0))
}

// CheckOperationsTimeout decides whether a history is linearizable, in that time; 0 is no bound.
func CheckOperationsTimeout(model Model, history []Operation, timeout time.Duration) CheckResult {
	r, _ := checkOperations(model, history, timeout, false)
	return r
}

// CheckOperationsVerbose is CheckOperationsTimeout, and returns what Visualize needs.
func CheckOperationsVerbose(model Model, history []Operation, timeout time.Duration) (CheckResult, LinearizationInfo) {
	return checkOperations(model, history, timeout, true)
}

// CheckEvents reports whether a history is linearizable. It panics if memory runs out
// (MemoryLimit), since neither answer would be right.
func CheckEvents(model Model, history []Event) bool {
	return must(CheckEventsTimeout(model, history, 0))
}

// CheckEventsTimeout decides whether a history is linearizable, in that time; 0 is no bound.
func CheckEventsTimeout(model Model, history []Event, timeout time.Duration) CheckResult {
	r, _ := checkEvents(model, history, timeout, false)
	return r
}

// CheckEventsVerbose is CheckEventsTimeout, and returns what Visualize needs.
func CheckEventsVerbose(model Model, history []Event, timeout time.Duration) (CheckResult, LinearizationInfo) {
	return checkEvents(model, history, timeout, true)
}

func must(r CheckResult) bool {
	if r == Unknown {
		panic("porcupine: memory ran out before a verdict; CheckOperationsTimeout and CheckEventsTimeout answer " +
			"Unknown then, and MemoryLimit is the bound")
	}
	return r == Ok
}

func checkOperations(m Model, history []Operation, timeout time.Duration, verbose bool) (CheckResult,
	LinearizationInfo) {
	m = m.complete()
	return check(m, m.Partition(history), timeout, verbose)
}

func checkEvents(m Model, history []Event, timeout time.Duration, verbose bool) (CheckResult, LinearizationInfo) {
	m = m.complete()
	var parts [][]Operation
	for _, events := range m.PartitionEvent(history) {
		parts = append(parts, paired(events))
	}
	return check(m, parts, timeout, verbose)
}

// paired makes operations of events: their times are positions among the events. A call without a
// return has an unknown outcome. An id may be used again once its operation has returned.
func paired(events []Event) []Operation {
	at := map[int]int{} // event id → operation
	var ops []Operation
	returned := map[int]bool{}
	for i, e := range events {
		switch e.Kind {
		case CallEvent:
			if done, used := returned[e.Id]; used && !done {
				panic(fmt.Sprintf(
					"porcupine: event %d calls operation %d again, whose call, event %d, has not returned; each call "+
						"needs an Id of its own until it returns", i, e.Id, ops[at[e.Id]].Call))
			}
			at[e.Id] = len(ops)
			returned[e.Id] = false
			ops = append(ops, Operation{ClientId: e.ClientId, Input: e.Value, Call: int64(i), Metadata: e.Metadata})
		case ReturnEvent:
			k, called := at[e.Id]
			if !called || returned[e.Id] {
				panic(fmt.Sprintf("porcupine: event %d returns operation %d, which is not open", i, e.Id))
			}
			returned[e.Id] = true
			ops[k].Output, ops[k].Return = e.Value, int64(i)
			if e.Metadata != nil {
				ops[k].Metadata = e.Metadata
			}
		}
	}
	for id, done := range returned {
		if !done {
			ops[at[id]].Output = outcome{[]any{nil}}
		}
	}
	return ops
}

// question is a check that can be repeated for reasons.
type question struct {
	model   Model
	parts   [][]Operation
	timeout time.Duration

	once    sync.Once
	failing linsat.OpsResult // of a violation, with its reasons

	walked  sync.Once
	partial [][][]int // by partition: partial linearizations
}

// part is what is known about one partition.
type part struct {
	done   bool
	result linsat.OpsResult
	now    *current // of the model that was asked
	// quick says that the search of the textbook decided: result has the verdict and the witness.
	// explained asks the engines for the rest, once.
	quick bool
	asked sync.Once
}

// check decides every partition, or, unless verbose, up to the first that is not linearizable.
func check(m Model, parts [][]Operation, timeout time.Duration, verbose bool) (CheckResult, LinearizationInfo) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	q := &question{model: m, parts: parts, timeout: timeout}
	found, err := q.decide(ctx, cancel, verbose)
	if err != nil {
		panic(err)
	}
	verdict := Ok
	for _, p := range found {
		switch {
		case p.result.Verdict == linsat.NotLinearizable:
			verdict = Illegal
		case p.result.Verdict != linsat.Linearizable && verdict == Ok:
			verdict = Unknown
		}
	}
	info := LinearizationInfo{}
	if verbose {
		info = LinearizationInfo{question: q, verdict: verdict, parts: found}
	}
	return verdict, info
}

// decide asks about all partitions, several at once.
func (q *question) decide(ctx context.Context, cancel context.CancelFunc, verbose bool) ([]*part, error) {
	found := make([]*part, len(q.parts))
	var failed error
	var mutex sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, max(runtime.GOMAXPROCS(0), leastAtOnce))
	beside := func(ask func()) { go ask() }
	if len(q.parts) == 1 {
		beside = func(ask func()) { ask() }
	}
	for i := range found {
		found[i] = &part{}
	}
	for i, ops := range q.parts {
		if len(ops) == 0 {
			found[i] = decided(linsat.Linearizable, nil)
			continue
		}
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		all.Add(1)
		beside(func() {
			defer all.Done()
			defer func() { <-slots }()
			p, err := q.decidePart(ctx, ops, verbose)
			mutex.Lock()
			defer mutex.Unlock()
			switch {
			case err != nil && ctx.Err() != nil: // a step that was cut off, above all
			case err != nil:
				if _, described := q.one(currently(ctx), ops, true); described != nil && !verbose {
					err = described // in the words of the model
				}
				failed = err
				cancel()
			default:
				found[i] = p
				if p.result.Verdict == linsat.NotLinearizable && !verbose {
					cancel()
				}
			}
		})
	}
	all.Wait()
	return found, failed
}

// one decides one partition.
func (q *question) one(now *current, ops []Operation, describe bool) (linsat.OpsResult, error) {
	t := translate(&q.model, ops, describe)
	m := q.model.linsat(now, t)
	reasons := linsat.ExplainOptions{Cores: linsat.NoCore}
	if m.As != nil {
		reasons = linsat.ExplainOptions{Time: coreTime} // for a core, which is tried on the model
	}
	options := []linsat.Option{linsat.Explain(reasons), linsat.Workers(1), linsat.Memory(memoryLimit())}
	if !q.model.Quasi.none() {
		m.As = nil // whose classes are others
		options = append(options, q.model.Quasi.ask(&m))
	}
	r, err := linsat.CheckOps(now.context(), m, t.ops, options...)
	if fault := (*meta.Fault)(nil); errors.As(err, &fault) && (fault.Func == "Accept" || fault.Func == "Open") {
		named := *fault
		named.Func = "Step"
		return r, &named
	}
	return r, err
}
