package oracle

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Sequential objects, written from docs/specifications.md and independent of package specs. An
// operation maps a state to outcomes, each with an answer. A recorded result matches the answer,
// does not, or must be refused. The machines of package specs read results before they execute
// anything, so these objects check that reading.
//
// A state is a value: the value of a register or key, a list (front or bottom first; of a set and
// a priority queue, sorted), an integer, or a map of registers.

// outcome is a state that an operation may leave, and its answer.
type outcome struct{ state, answer history.Value }

// fit is how a recorded result relates to an answer.
type fit int

const (
	wrong   fit = iota // it is a different answer
	right              // it is the answer, or carries no information
	refused            // it is not a result of this operation: the history must be refused
)

// object is a sequential object with its conventions on results.
type object struct {
	start func(t *history.Values, initial history.Value) history.Value
	does  map[string]effect // by canonical name
}

// effect is one operation.
type effect struct {
	run func(t *history.Values, s, arg history.Value) []outcome
	// says compares the result of a completed operation with the answer.
	says func(t *history.Values, o *history.Op, answer history.Value) fit
}

// HasObject reports whether CheckAnswers has an object for the specification.
func HasObject(name string) bool { return objectsByName()[name].does != nil }

// CheckAnswers reports whether a history of at most 64 operations is linearizable, by executing the
// objects of this file in every order. checked is false if some result must be refused.
func CheckAnswers(s model.Spec, h *history.History) (linearizable, checked bool) {
	info := s.Info()
	object := objectsByName()[info.Name]
	does := make([]effect, len(h.Ops))
	of := make([]int, len(h.Ops)) // by operation: its object
	var keys []history.Value
	for i := range h.Ops {
		o := &h.Ops[i]
		does[i] = object.does[canonical(info, h.Values, o.F)]
		if does[i].run == nil {
			panic(fmt.Sprintf("oracle: %s has no operation %s", info.Name, h.Values.Format(o.F)))
		}
		if of[i] = slices.Index(keys, o.Key); of[i] < 0 {
			of[i] = len(keys)
			keys = append(keys, o.Key)
		}
		if !o.Unknown && does[i].says(h.Values, o, o.Result) == refused {
			return false, false
		}
	}
	states := make([]history.Value, len(keys))
	for k, key := range keys {
		initial := history.Nil
		if h.HasInitial {
			initial = h.Initial
		}
		if info.KeyIsPiece && initial != history.Nil {
			initial = at(h.Values, initial, key)
		}
		states[k] = object.start(h.Values, initial)
	}
	order := orderOf(model.Whole(h))
	dead := map[string]bool{}
	var extend func(done, included uint64, states []history.Value) bool
	extend = func(done, included uint64, states []history.Value) bool {
		if done == included {
			return true
		}
		here := fmt.Sprint(done, included, states)
		if dead[here] {
			return false
		}
		for i := range h.Ops {
			if included>>i&1 == 0 || !order.next(done, included, i) {
				continue
			}
			o := &h.Ops[i]
			for _, out := range does[i].run(h.Values, states[of[i]], o.Arg) {
				if !o.Unknown && does[i].says(h.Values, o, out.answer) != right {
					continue
				}
				next := slices.Clone(states)
				next[of[i]] = out.state
				if extend(done|1<<i, included, next) {
					return true
				}
			}
		}
		dead[here] = true
		return false
	}
	return !order.choices(func(included uint64) bool { return !extend(0, included, states) }), true
}

func canonical(info model.Info, t *history.Values, f history.Value) string {
	fold := func(name string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
	}
	name, _ := t.AsString(f)
	for _, o := range info.Operations {
		for _, n := range append([]string{o.Name}, o.Aliases...) {
			if fold(n) == fold(name) {
				return o.Name
			}
		}
	}
	return ""
}

// at returns the value of a key in a map, null if there is none.
func at(t *history.Values, m, key history.Value) history.Value {
	pairs, _ := t.AsMap(m)
	for k := 0; k < len(pairs); k += 2 {
		if pairs[k] == key {
			return pairs[k+1]
		}
	}
	return history.Nil
}

func one(state, answer history.Value) []outcome { return []outcome{{state, answer}} }

func ownValue(_ *history.Values, initial history.Value) history.Value { return initial }

func integerOr(n int64) func(t *history.Values, initial history.Value) history.Value {
	return func(t *history.Values, initial history.Value) history.Value {
		if initial == history.Nil {
			return t.Int(n)
		}
		return initial
	}
}

func list(t *history.Values, initial history.Value) history.Value {
	if initial == history.Nil {
		return t.List(nil)
	}
	return initial
}

// The operations.

func look(_ *history.Values, s, _ history.Value) []outcome      { return one(s, s) }
func replace(_ *history.Values, s, arg history.Value) []outcome { return one(arg, s) }
func erase(_ *history.Values, s, _ history.Value) []outcome     { return one(history.Nil, s) }

func compare(t *history.Values, s, arg history.Value) []outcome {
	if pair, _ := t.AsList(arg); s == pair[0] {
		return one(pair[1], s)
	}
	return one(s, s)
}

// add adds sign times the argument, or 1, and returns the value after or before.
func add(sign int64, after bool) func(t *history.Values, s, arg history.Value) []outcome {
	return func(t *history.Values, s, arg history.Value) []outcome {
		n, _ := t.AsInt(s)
		by := int64(1)
		if k, ok := t.AsInt(arg); ok {
			by = k
		}
		next := t.Int(n + sign*by)
		if after {
			return one(next, next)
		}
		return one(next, s)
	}
}

// put inserts at the front or the back of a list.
func put(front bool) func(t *history.Values, s, arg history.Value) []outcome {
	return func(t *history.Values, s, arg history.Value) []outcome {
		items, _ := t.AsList(s)
		if front {
			return one(t.List(append([]history.Value{arg}, items...)), history.Nil)
		}
		return one(t.List(append(slices.Clone(items), arg)), history.Nil)
	}
}

// end takes or observes the first or last element of a list.
func end(front, take bool) func(t *history.Values, s, arg history.Value) []outcome {
	return func(t *history.Values, s, _ history.Value) []outcome {
		items, _ := t.AsList(s)
		if len(items) == 0 {
			return one(s, history.Nil)
		}
		v, rest := items[len(items)-1], items[:len(items)-1]
		if front {
			v, rest = items[0], items[1:]
		}
		if !take {
			return one(s, v)
		}
		return one(t.List(slices.Clone(rest)), v)
	}
}

func length(t *history.Values, s, _ history.Value) []outcome {
	items, _ := t.AsList(s)
	return one(s, t.Int(int64(len(items))))
}

// drain removes all elements, from the front or the back on.
func drain(front bool) func(t *history.Values, s, arg history.Value) []outcome {
	return func(t *history.Values, s, _ history.Value) []outcome {
		items, _ := t.AsList(s)
		items = slices.Clone(items)
		if !front {
			slices.Reverse(items)
		}
		return one(t.List(nil), t.List(items))
	}
}

func priority(t *history.Values, v history.Value) int64 {
	if pair, ok := t.AsList(v); ok {
		v = pair[0]
	}
	n, _ := t.AsInt(v)
	return n
}

// least takes or observes each of the elements of least priority.
func least(take bool) func(t *history.Values, s, arg history.Value) []outcome {
	return func(t *history.Values, s, _ history.Value) (out []outcome) {
		items, _ := t.AsList(s)
		for k, v := range items {
			if slices.ContainsFunc(items, func(w history.Value) bool { return priority(t, w) < priority(t, v) }) {
				continue
			}
			if take {
				out = append(out, outcome{t.List(slices.Delete(slices.Clone(items), k, k+1)), v})
			} else {
				out = append(out, outcome{s, v})
			}
		}
		if len(items) == 0 {
			return one(s, history.Nil)
		}
		return out
	}
}

// member adds, removes or looks for an element of a set. The answer is whether that changed the
// set, or whether it is there.
func member(adds, removes bool) func(t *history.Values, s, arg history.Value) []outcome {
	return func(t *history.Values, s, arg history.Value) []outcome {
		items, _ := t.AsList(s)
		there := slices.Contains(items, arg)
		switch {
		case adds && !there:
			items = append(slices.Clone(items), arg)
			slices.Sort(items)
			return one(t.List(items), history.True)
		case removes && there:
			return one(t.List(slices.DeleteFunc(slices.Clone(items), func(v history.Value) bool {
				return v == arg
			})), history.True)
		}
		return one(s, t.Bool(there && !adds))
	}
}

// hold acquires or releases n permits of a semaphore; a mutex has one permit.
func hold(release, try, most bool) func(t *history.Values, s, arg history.Value) []outcome {
	return func(t *history.Values, s, arg history.Value) []outcome {
		free, _ := t.AsInt(s)
		n := int64(1)
		if k, ok := t.AsInt(arg); ok {
			n = k
		}
		switch {
		case release && !(most && free > 0):
			return one(t.Int(free+n), history.Nil)
		case !release && free >= n:
			return one(t.Int(free-n), history.True)
		case try:
			return one(s, history.False)
		}
		return nil
	}
}

// share is an operation on a readers-writer lock, whose state is the number of readers, or -1 for a
// writer.
func share(from func(n int64) bool, to func(n int64) int64, try bool) func(t *history.Values, s,
	arg history.Value) []outcome {
	return func(t *history.Values, s, _ history.Value) []outcome {
		n, _ := t.AsInt(s)
		switch {
		case from(n):
			return one(t.Int(to(n)), history.True)
		case try:
			return one(s, history.False)
		}
		return nil
	}
}

func collectionOf(own map[string]effect, front bool) object {
	own["size"] = effect{length, size}
	own["drain"] = effect{drain(front), ofKind(model.KindList, exactly)}
	return object{list, own}
}

// The objects are made when they are first asked for: programs that never do link none of them.
var (
	onceObjects sync.Once
	allObjects  map[string]object
)

func objectsByName() map[string]object {
	onceObjects.Do(func() { allObjects = everyObject() })
	return allObjects
}

func everyObject() map[string]object {
	return map[string]object{
		"register": {ownValue, map[string]effect{"read": {look, exactly}, "write": {replace, nothing},
			"swap": {replace, exactly}}},
		"cas-register": {ownValue, map[string]effect{"read": {look, exactly}, "write": {replace, nothing},
			"swap": {replace, exactly},
			"cas":  {compare, compared(false)}, "compareandexchange": {compare, compared(true)}}},
		"kv": {ownValue, map[string]effect{"get": {look, exactly}, "swap": {replace, exactly},
			"getanddelete": {erase, exactly},
			"put": {replace, unless(func(t *history.Values, o *history.Op, answer history.Value) fit {
				if o.Result == history.False {
					return refused
				}
				return exactly(t, o, answer)
			}, acknowledgement)},
			"append": {func(t *history.Values, s, arg history.Value) []outcome {
				head, _ := t.AsString(s)
				tail, isString := t.AsString(arg)
				if !isString {
					return one(s, history.Nil)
				}
				return one(t.String(head+tail), history.Nil)
			}, nothing},
			"delete": {erase, unless(func(t *history.Values, o *history.Op, answer history.Value) fit {
				if n, isInt := t.AsInt(o.Result); isInt && (n == 0 || n == 1) {
					return refused
				}
				if isBool(t, o.Result) { // no key holds true or false in the generated histories
					answer = t.Bool(answer != history.Nil)
				}
				return exactly(t, o, answer)
			}, func(t *history.Values,
				o *history.Op) bool {
				return o.Result != history.True && acknowledgement(t, o)
			})},
			"cas": {compare, compared(false)}, "compareandexchange": {compare, compared(true)}}},
		"set": {func(t *history.Values, initial history.Value) history.Value {
			items, _ := t.AsList(initial)
			items = slices.Clone(items)
			slices.Sort(items)
			return t.List(items)
		}, map[string]effect{"add": {member(true, false), changed}, "remove": {member(false, true), changed},
			"contains": {member(false, false), tried},
			"size":     {length, size}, "elements": {look, ofKind(model.KindList, func(t *history.Values, o *history.Op,
				answer history.Value) fit {
				items, _ := t.AsList(o.Result)
				items = slices.Clone(items)
				slices.Sort(items)
				if t.List(items) == answer {
					return right
				}
				return wrong
			})}}},
		"queue": collectionOf(map[string]effect{"enq": {put(false), nothing}, "deq": {end(true, true), taken},
			"peek": {end(true, false), taken}}, true),
		"stack": collectionOf(map[string]effect{"push": {put(false), nothing}, "pop": {end(false, true), taken},
			"peek": {end(false, false), taken}}, false),
		"deque": collectionOf(map[string]effect{"pushfront": {put(true), nothing}, "pushback": {put(false), nothing},
			"popfront": {end(true, true), taken},
			"popback":  {end(false, true), taken}, "peekfront": {end(true, false), taken},
			"peekback": {end(false, false),
				taken}}, true),
		"priority-queue": {list, map[string]effect{"insert": {put(false), nothing}, "deletemin": {least(true), taken},
			"min":  {least(false), taken},
			"size": {length, size}, "drain": {drain(true), drained}}},
		"counter": {integerOr(0), map[string]effect{"inc": {add(1, true), adjusted}, "dec": {add(-1, true), adjusted},
			"read":      {look, integer},
			"getandinc": {add(1, false), integer}, "getanddec": {add(-1, false), integer},
			"incandget": {add(1, true), integer}, "decandget": {add(-1, true), integer},
			"write": {replace, nothing}, "swap": {replace, integer}, "cas": {compare, compared(false)},
			"compareandexchange": {compare, compared(true)}}},
		"mutex": {func(t *history.Values, initial history.Value) history.Value {
			if initial == history.True {
				return t.Int(0)
			}
			return t.Int(1)
		}, map[string]effect{"acquire": {hold(false, false, true), nothing}, "release": {hold(true,
			false, true), nothing},
			"tryacquire": {hold(false, true, true), tried}}},
		"semaphore": {integerOr(1), map[string]effect{"acquire": {hold(false, false, false), nothing},
			"release":    {hold(true, false, false), nothing},
			"tryacquire": {hold(false, true, false), tried}}},
		"rwmutex": {func(t *history.Values, initial history.Value) history.Value {
			switch {
			case initial == history.True:
				return t.Int(-1)
			case model.KindOf(t, initial) == model.KindInt:
				return initial
			}
			return t.Int(0)
		}, map[string]effect{
			"rlock": {share(notWritten, oneMore, false), nothing}, "tryrlock": {share(notWritten, oneMore,
				true), tried},
			"lock": {share(unheld, writer, false), nothing}, "trylock": {share(unheld, writer, true), tried},
			"runlock": {share(func(n int64) bool { return n > 0 }, func(n int64) int64 { return n - 1 },
				false), nothing},
			"unlock": {share(func(n int64) bool { return n < 0 }, func(int64) int64 { return 0 }, false), nothing}}},
		// the ids that were returned, and how many values there are that results may be
		"unique-ids": {func(t *history.Values, initial history.Value) history.Value {
			values := t.Len()
			return t.List([]history.Value{list(t, initial), t.Int(int64(values))})
		}, map[string]effect{"generate": {func(t *history.Values, s, _ history.Value) []outcome {
			state, _ := t.AsList(s)
			used, _ := t.AsList(state[0])
			values, _ := t.AsInt(state[1])
			all := one(s, history.NoKey) // an id that occurs nowhere
			for v := range history.Value(values) {
				if !slices.Contains(used, v) {
					all = append(all, outcome{t.List([]history.Value{t.List(append(slices.Clone(used), v)),
						state[1]}), v})
				}
			}
			return all
		}, func(_ *history.Values, o *history.Op, answer history.Value) fit {
			switch o.Result {
			case history.Nil:
				return refused
			case answer:
				return right
			}
			return wrong
		}}}},
		"log": {list, map[string]effect{"append": {func(t *history.Values, s, arg history.Value) []outcome {
			items, _ := t.AsList(s)
			return one(t.List(append(slices.Clone(items), arg)), t.Int(int64(len(items))))
		}, adjusted}, "read": {func(t *history.Values, s, arg history.Value) []outcome {
			items, _ := t.AsList(s)
			most := len(items)
			if pair, ok := t.AsList(arg); ok {
				n, _ := t.AsInt(pair[1])
				arg, most = pair[0], int(n)
			}
			from, _ := t.AsInt(arg)
			rest := items[min(int(from), len(items)):]
			return one(s, t.List(slices.Clone(rest[:min(most, len(rest))])))
		}, func(t *history.Values, o *history.Op, answer history.Value) fit {
			if o.Result == history.Nil {
				answer, o = t.List(nil), &history.Op{Result: answer}
			} else if model.KindOf(t, o.Result) != model.KindList {
				return refused
			}
			return exactly(t, o, answer)
		}}}},
		"multi-register": {ownValue, map[string]effect{
			"write": {func(t *history.Values, s, arg history.Value) []outcome {
				pairs, _ := t.AsMap(arg)
				for k := 0; k < len(pairs); k += 2 {
					s = set(t, s, pairs[k], pairs[k+1])
				}
				return one(s, history.Nil)
			}, nothing},
			"read": {func(t *history.Values, s, arg history.Value) []outcome {
				pairs, _ := t.AsMap(arg)
				var found []history.Value
				for k := 0; k < len(pairs); k += 2 {
					found = append(found, pairs[k], at(t, s, pairs[k]))
				}
				return one(s, t.Map(found))
			}, unless(alikeMap, nil)},
			"txn": {func(t *history.Values, s, arg history.Value) []outcome {
				steps, _ := t.AsList(arg)
				var found []history.Value
				for _, v := range steps {
					step, _ := t.AsList(v)
					if step[0] == t.String("w") {
						s = set(t, s, step[1], step[2])
					}
					found = append(found, t.List([]history.Value{step[0], step[1], at(t, s, step[1])}))
				}
				return one(s, t.List(found))
			}, unless(alikeTxn, nil)}}},
	}
}

func notWritten(n int64) bool { return n >= 0 }
func unheld(n int64) bool     { return n == 0 }
func oneMore(n int64) int64   { return n + 1 }
func writer(int64) int64      { return -1 }

// set returns a map with another value for a key.
func set(t *history.Values, m, key, value history.Value) history.Value {
	pairs, _ := t.AsMap(m)
	pairs = slices.Clone(pairs)
	for k := 0; k < len(pairs); k += 2 {
		if pairs[k] == key {
			pairs[k+1] = value
			return t.Map(pairs)
		}
	}
	return t.Map(append(pairs, key, value))
}
