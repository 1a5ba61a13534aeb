package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// taskSource is a future that is completed once: with a result, with an exception, or as cancelled.
// The thread that completes it reserves it (completing), writes the outcome and publishes it
// (completed). A second thread waits until the first one has published before it reports that it
// came too late.
type taskSource struct {
	state   *mem.Atomic[taskState]
	outcome *mem.Var[outcome]
	early   bool // seeded, class F: published before the outcome is written
	rude    bool // seeded, class G: a second thread does not wait for the first
}

type taskState uint8

const (
	waiting taskState = iota
	completing
	completed
)

type outcome struct {
	kind  string // "none", "result", "exception", "canceled"
	value any
}

// complete reports whether it was the first.
func (t *taskSource) complete(o outcome) bool {
	if t.early {
		if !t.state.CompareAndSwap(waiting, completed) {
			return false
		}
		t.outcome.Store(o)
		return true
	}
	if t.state.CompareAndSwap(waiting, completing) {
		t.outcome.Store(o)
		t.state.Store(completed)
		return true
	}
	if !t.rude {
		t.state.Await(func(s taskState) bool { return s == completed })
	}
	return false
}

func (t *taskSource) mustComplete(o outcome) any {
	if !t.complete(o) {
		return invalid
	}
	return nil
}

// Wait returns the kind of the outcome, once there is one.
func (t *taskSource) Wait() string {
	t.state.Await(func(s taskState) bool { return s == completed })
	return t.outcome.Load().kind
}

// look returns the value of the outcome if it is of that kind, else nil.
func (t *taskSource) look(kind string) any {
	if t.state.Load() != completed {
		return nil
	}
	if o := t.outcome.Load(); o.kind == kind {
		return o.value
	}
	return nil
}

func newTaskSource(early, rude bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		t := &taskSource{mem.NewAtomic(m, "state", waiting), mem.NewVar(m, "outcome", outcome{kind: "none"}), early,
			rude}
		canceled, exception, result := outcome{"canceled", nil}, outcome{"exception", "overflow"}, outcome{"result", 42}
		return func(f string, _ any) any {
			switch f {
			case "trySetCanceled":
				return t.complete(canceled)
			case "trySetException":
				return t.complete(exception)
			case "trySetResult":
				return t.complete(result)
			case "setCanceled":
				return t.mustComplete(canceled)
			case "setException":
				return t.mustComplete(exception)
			case "setResult":
				return t.mustComplete(result)
			case "wait":
				return t.Wait()
			case "exception":
				return t.look("exception")
			case "tryResult":
				return t.look("result")
			}
			panic(unknown(f))
		}
	}
}

var taskCalls = []explore.Call{
	{F: "exception"}, {F: "trySetCanceled"}, {F: "trySetException"}, {F: "trySetResult"},
	{F: "setCanceled"}, {F: "setException"}, {F: "setResult"}, {F: "wait"}, {F: "tryResult"},
}
