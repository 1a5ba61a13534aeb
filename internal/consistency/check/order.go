package check

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/crash"
	"github.com/linsat/linsat/internal/model"
)

// order is a question of one order of all operations, as a question of linearizability.
type order struct {
	spec    model.Spec
	history *history.History
	whole   bool           // it must not be split by key or object
	from    []history.OpID // the operations of the input by those of history; nil if all stay
}

// orderOf returns what a question asks about h. The error says what h lacks.
func orderOf(s model.Spec, h *history.History, q *consistency.Question) (*order, error) {
	var crashes []crash.Crash
	if q.Crashes {
		event := q.Event
		if event == "" {
			event = crash.Name
		}
		var err error
		if crashes, err = crash.Find(h, event); err != nil {
			return nil, err
		}
	}
	switch q.Name {
	case "durable":
		return &order{spec: s, history: crash.Durable(h, crashes)}, nil
	case "buffered-durable":
		x := &order{whole: true}
		x.history, x.spec, x.from = crash.Buffered(h, s, crashes)
		return x, nil
	case "sequential":
		// Sequential consistency is not local: keys that are sequential one by one need not be so
		// together. So the history is not split.
		return &order{spec: s, history: consistency.ByProcess(h), whole: true}, nil
	}
	return &order{spec: s, history: h}, nil
}

// original returns the operation of the input that is operation i of the history, -1 if it was
// added.
func (x *order) original(i history.OpID) history.OpID {
	if x.from == nil {
		return i
	}
	return x.from[i]
}
