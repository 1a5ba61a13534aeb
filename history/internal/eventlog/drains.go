package eventlog

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
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
//
// Where no other event falls between the call and the return of a drain, its dequeues follow each
// other there, which says the same as their order and needs no edges.

// splitDrains replaces the drains of a log that has dequeues or enqueues.
func (l *EventLog) splitDrains() error {
	if !l.Names["drain"] || !l.Names["enqueue"] && !l.Names["dequeue"] {
		return nil
	}
	t := l.b.Values
	drain, dequeue := t.String("drain"), t.String("dequeue")
	alone := l.aloneWhere(func(r *history.Record) bool { return r.F == drain && completed(r) })
	var gaps []gap
	for i := range len(l.b.Records()) {
		r := &l.b.Records()[i]
		if r.F != drain {
			continue
		}
		if r.Pending {
			return &history.Error{Line: r.Line, What: "a drain never returned, so nothing says which values it removed",
				Hint: "end the history before it if nothing after it needs to be checked"}
		}
		list, isList := t.AsList(r.Result)
		if completed(r) && !isList {
			return &history.Error{Line: r.Line,
				What: fmt.Sprintf("a drain returned %s, not the list of the values that it removed",
					lex.Abbreviate(t.Format(r.Result))),
				Hint: "a drain that removed nothing returns []"}
		}
		r.F, r.Arg, r.Result = dequeue, history.Nil, history.Nil
		if len(list) == 0 {
			r.Pending, r.Failed = false, true // it removed nothing
			continue
		}
		r.Result, r.NoResult = list[0], false
		one := *r
		last := i
		if alone[i] {
			gaps = append(gaps, gap{one.Call, 2 * int64(len(list)-1)})
		}
		for _, v := range list[1:] {
			next := one
			next.Result = v
			if !alone[i] {
				next.Process = l.b.Twin(one.Process)
			}
			at, err := l.b.Add(next)
			if err != nil {
				return err
			}
			if alone[i] {
				continue
			}
			if err := l.b.Edge(last, at, one.Line); err != nil {
				return err
			}
			last = at
		}
	}
	l.makeGaps(gaps)
	delete(l.Names, "drain")
	l.Names["dequeue"] = true
	return nil
}

// aloneWhere returns, for each record that is meant, whether no event of another operation that may
// have taken effect falls between its call and its return.
func (l *EventLog) aloneWhere(meant func(r *history.Record) bool) []bool {
	b := l.b
	var times []int64
	for i := range b.Records() {
		r := &b.Records()[i]
		if !r.Failed {
			times = append(times, r.Call)
		}
		if completed(r) {
			times = append(times, r.Return)
		}
	}
	slices.Sort(times)
	alone := make([]bool, len(b.Records()))
	for i := range b.Records() {
		if r := &b.Records()[i]; meant(r) {
			at, _ := slices.BinarySearch(times, r.Call)
			alone[i] = times[at+1] == r.Return
		}
	}
	return alone
}

// gap is a number of moments that are wanted between a call and the event after it.
type gap struct{ call, moments int64 }

// makeGaps puts moments behind calls, and has the operations of each of these calls follow each
// other there, in their order.
func (l *EventLog) makeGaps(gaps []gap) {
	b := l.b
	if len(gaps) == 0 {
		return
	}
	sort.Slice(gaps, func(x, y int) bool { return gaps[x].call < gaps[y].call })
	moments := make([]int64, len(gaps)+1) // of all gaps before one
	for k, r := range gaps {
		moments[k+1] = moments[k] + r.moments
	}
	moved := func(t int64) int64 { // gaps of earlier calls lie before t
		k, _ := slices.BinarySearchFunc(gaps, t, func(r gap, t int64) int { return cmp.Compare(r.call, t) })
		return t + moments[k]
	}
	used := make([]int64, len(gaps))
	for i := range b.Records() {
		r := &b.Records()[i]
		if r.Return != neverTime {
			r.Return = moved(r.Return)
		}
		k, inside := slices.BinarySearchFunc(gaps, r.Call, func(r gap, t int64) int { return cmp.Compare(r.call, t) })
		r.Call = moved(r.Call)
		if inside {
			r.Call += used[k]
			r.Return = r.Call + 1
			used[k] += 2
		}
	}
	for k := range b.Notes() {
		n := &b.Notes()[k]
		n.Time, n.End = moved(n.Time), moved(n.End)
	}
	b.SetClock(moved(b.Clock()))
}

// squeezed is a name in lower case, without hyphens and underscores.
func squeezed(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

// answers reports whether an operation with that name always has a result of its own. A result
// equal to the argument then does not merely repeat it.
func answers(name string) bool {
	name = squeezed(name)
	for _, sign := range [...]string{"getand", "andget", "fetch", "swap", "exchange", "getset"} {
		if strings.Contains(name, sign) && !strings.HasPrefix(name, "compareandswap") {
			return true
		}
	}
	return false
}
