package explore

import (
	"errors"
	"fmt"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/schedule"
)

// errNoOperation is the error for an execution in which no operation was called, for instance
// because it panicked before the first access. A history has at least one operation.
var errNoOperation = errors.New("no operation was called")

var errNoCase = errors.New("explore: there is no case to run; ParseCase makes one")

// History returns the history of the execution, ready for linsat.Check and for history.WriteJSON.
// Threads become processes 0, 1, ...; operations before and after the threads belong to process
// "main". It returns an error for arguments and results that are not values of a history, and
// where no operation was called.
func (e *Execution) History() (*history.History, error) {
	return e.history(history.NewBuilder())
}

// History returns the history of an execution of the test, with the object's specification and
// initial state. Its errors are those of Execution.History, or an initial state that is not a
// value.
func (c *Case) History(e *Execution) (*history.History, error) {
	if c.Object == nil {
		return nil, errNoCase
	}
	if e == nil {
		return nil, errors.New("explore: there is no execution; Case.Replay gives one")
	}
	b, err := c.builder(e)
	if err != nil {
		return nil, err
	}
	return e.history(b)
}

// builder begins a history of an execution of the test.
func (c *Case) builder(e *Execution) (*history.Builder, error) {
	b := history.NewBuilder()
	if c.Object.Spec != "" {
		b.SetSpec(c.Object.Spec)
	}
	initial := c.Object.Initial
	if e.initial != nil {
		initial = e.initial
	}
	if initial != nil {
		v, err := b.Values.Of(initial)
		if err != nil {
			return nil, fmt.Errorf("initial state: %w", err)
		}
		b.SetInitial(v)
	}
	return b, nil
}

// recorded is History with operations that have returned results which are not known.
func (c *Case) recorded(e *Execution, forgotten []bool) (*history.History, error) {
	b, err := c.builder(e)
	if err != nil {
		return nil, err
	}
	for i := range e.Ops {
		o := &e.Ops[i]
		key, arg, err := o.called(b)
		if err != nil {
			return nil, err
		}
		r := history.Record{Process: o.process(b), F: b.Values.String(o.F), Key: key, Arg: arg,
			Call: int64(o.Call), Return: int64(o.Return), Forgotten: forgotten[i]}
		if !r.Forgotten {
			if r.Result, err = o.returned(b); err != nil {
				return nil, err
			}
		}
		if _, err := b.Add(r); err != nil {
			return nil, err
		}
	}
	return b.Finish()
}

func (o *Op) process(b *history.Builder) int32 {
	if o.Thread == schedule.Main {
		return b.Process("main")
	}
	return b.ProcessInt(int64(o.Thread))
}

// called returns the key and the argument.
func (o *Op) called(b *history.Builder) (key, arg history.Value, err error) {
	if arg, err = b.Values.Of(o.Arg); err != nil {
		return key, arg, fmt.Errorf("argument of %s: %w", o, err)
	}
	key = history.NoKey
	if o.Key != nil {
		if key, err = b.Values.Of(o.Key); err != nil {
			return key, arg, fmt.Errorf("key of %s: %w", o, err)
		}
	}
	return key, arg, nil
}

func (o *Op) returned(b *history.Builder) (history.Value, error) {
	result, err := b.Values.Of(o.Result)
	if err != nil {
		return result, fmt.Errorf("result of %s: %w", o, err)
	}
	return result, nil
}

func (e *Execution) history(b *history.Builder) (*history.History, error) {
	if len(e.Ops) == 0 {
		return nil, errNoOperation
	}
	type moment struct {
		at int32
		op int
	}
	moments := make([]moment, 0, 2*len(e.Ops))
	for i := range e.Ops {
		moments = append(moments, moment{e.Ops[i].Call, i})
		if r := e.Ops[i].Return; r >= 0 {
			moments = append(moments, moment{r, i})
		}
	}
	sort.Slice(moments, func(i, j int) bool { return moments[i].at < moments[j].at })
	for _, m := range moments {
		o := &e.Ops[m.op]
		process := o.process(b)
		if m.at == o.Call {
			key, arg, err := o.called(b)
			if err != nil {
				return nil, err
			}
			if err := b.Invoke(process, b.Values.String(o.F), key, arg, 0); err != nil {
				return nil, err
			}
			continue
		}
		result, err := o.returned(b)
		if err != nil {
			return nil, err
		}
		if err := b.Complete(process, result, false, 0); err != nil {
			return nil, err
		}
	}
	return b.Finish()
}
