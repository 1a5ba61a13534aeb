package explore

import "github.com/linsat/linsat/internal/schedule"

// Operations that get to know of others in ways that are not modelled.
//
// What: a thread that has made no access and no choice has learnt nothing of the others, whatever
// the schedule: its operations return the same in every execution. If one does not, then it uses
// something that is not modelled, and neither the intervals of its operations nor the schedules
// mean anything. Where there is such an operation, further executions are drawn, in which the
// threads start in the other order: what an operation does before its first access is done there.
//
// Invariant: where a choice was made before the threads start, nothing is compared.
//
// Cost: one look-up for each such operation of a class of executions that is met for the first
// time, and apartRuns executions more if there is any.

// apart is what the operations returned whose threads had touched nothing.
type apart map[place]returned

// place is an operation by its thread and its position there.
type place struct{ thread, at int }

type returned struct{ class, text string }

// learns compares what such operations return in an execution with what they returned before.
func (a *apart) learns(e *Execution) error {
	at := map[int]int{}
	for i := range e.Ops {
		o := &e.Ops[i]
		where := place{o.Thread, at[o.Thread]}
		at[o.Thread]++
		if !o.apart || o.Return < 0 {
			continue
		}
		if *a == nil {
			*a = apart{}
		}
		now := returned{string(appendValue(nil, o.Result)), text(o.Result)}
		if before, known := (*a)[where]; known && before.class != now.class {
			return &schedule.Unmodelled{Op: o.call(), Results: [2]string{before.text, now.text}}
		}
		(*a)[where] = now
	}
	return nil
}

// unmodelled looks for an operation that returns different results and touches nothing.
func (k *checking) unmodelled() error {
	if len(k.apart) == 0 || k.left || schedule.Replays(k.o.Strategy) {
		return nil
	}
	o := Options{MaxSteps: k.o.MaxSteps, OpSteps: k.o.OpSteps, Hang: k.o.Hang, MaxRuns: apartRuns, MaxTime: simplerTime,
		SetUps: k.o.SetUps, backwards: true}
	var found error
	_, err := Run(k.c.Program(), Random(1, apartRuns), o, func(e *Execution) bool {
		found = k.compare(e, o)
		return found == nil && k.ctx.Err() == nil
	})
	if found != nil {
		return found
	}
	return err
}

// compare is learns, unless the execution is another one when it is run again.
func (k *checking) compare(e *Execution, o Options) error {
	found := k.apart.learns(e)
	if found == nil {
		return nil
	}
	again, err := once(k.c.Program(), e.Schedule, Options{MaxSteps: o.MaxSteps, OpSteps: o.OpSteps, Hang: o.Hang,
		backwards: o.backwards})
	if err == nil && string(again.Class(nil)) != string(e.Class(nil)) {
		err = &Nondeterministic{Schedule: e.Schedule, What: "the results of operations"}
	}
	if err != nil {
		return err
	}
	return found
}
