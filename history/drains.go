package history

import (
	"fmt"
	"strings"
)

// A drain, as Jepsen's clients call it, removes values until it finds none, and reports their list.
//
//	{:process 0, :type :invoke, :f :drain, :value nil}
//	{:process 0, :type :ok,     :f :drain, :value [4 7]}
//
// That is not an operation at one moment, since others may remove values meanwhile, and often
// several clients drain at once. As Jepsen's own expand-queue-drain-ops does, it is taken as
// a dequeue for every value. All of them lie between the call and the return of the
// drain, in the order of the list. That the last one found nothing is not assumed: some
// clients stop when the time is up.

// splitDrains replaces the drains of a log that has dequeues or enqueues.
func (l *eventLog) splitDrains() error {
	if !l.names["drain"] || !l.names["enqueue"] && !l.names["dequeue"] {
		return nil
	}
	t := l.b.Values
	drain, dequeue := t.String("drain"), t.String("dequeue")
	for i := range len(l.b.records) {
		r := &l.b.records[i]
		if r.F != drain {
			continue
		}
		if r.Status == Open {
			return &Error{Line: r.Line, What: "a drain never returned, so nothing says which values it removed",
				Hint: "end the history before it if nothing after it needs to be checked"}
		}
		list, isList := t.AsList(r.Result)
		if r.Status == Returned && !isList {
			return &Error{Line: r.Line, What: fmt.Sprintf("a drain returned %s, not the list of the values that it removed", abbreviate(t.Format(r.Result))),
				Hint: "a drain that removed nothing returns []"}
		}
		r.F, r.Arg, r.Result = dequeue, Nil, Nil
		if len(list) == 0 {
			r.Status = Failed // it removed nothing
			continue
		}
		r.Result, r.NoResult = list[0], false
		one := *r
		last := i
		for _, v := range list[1:] {
			next := one
			next.Process, next.Result = l.b.twin(one.Process), v
			at, err := l.b.Add(next)
			if err != nil {
				return err
			}
			if err := l.b.Edge(last, at, one.Line); err != nil {
				return err
			}
			last = at
		}
	}
	delete(l.names, "drain")
	l.names["dequeue"] = true
	return nil
}

// answers reports whether an operation with that name always has a result of its own. A result
// equal to the argument then does not merely repeat it.
func answers(name string) bool {
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
	for _, sign := range [...]string{"getand", "andget", "fetch", "swap", "exchange", "getset"} {
		if strings.Contains(name, sign) && !strings.HasPrefix(name, "compareandswap") {
			return true
		}
	}
	return false
}
