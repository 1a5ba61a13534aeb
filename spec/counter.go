package spec

import (
	"math"
	"strconv"

	"github.com/linsat/linsat/history"
)

// counter is an integer that can be raised, lowered and read.
type counter struct{}

// Counter returns the specification of a counter: inc and dec by 1 or by n, read, and getandinc, which raises it and
// results in the value before (a ticket dispenser). Its initial state is an integer, 0 by default.
func Counter() Spec { return counter{} }

// The counter's operations, in the order of Info.Operations.
const (
	counterInc = iota
	counterDec
	counterRead
	counterTicket
)

func (counter) Info() Info {
	return Info{
		Name:    "counter",
		Summary: "counter, also a dispenser of tickets",
		Initial: "an integer (default: 0)",
		Operations: []Operation{
			{Name: "inc", Aliases: []string{"increment", "incr", "incrby", "add", "increase"}, Arg: "how much, an integer (default: 1)"},
			{Name: "dec", Aliases: []string{"decrement", "decr", "decrby", "sub", "subtract", "decrease"}, Arg: "how much, an integer (default: 1)"},
			{Name: "read", Aliases: []string{"get", "value", "load", "count"}, Result: "the counter's value, an integer"},
			{Name: "getandinc", Aliases: []string{"getandincrement", "ticket", "next", "getandadd", "fetchadd", "fetchandadd", "fetchinc", "fetchandinc", "fetchandincrement", "faa"}, Arg: "how much, an integer (default: 1)", Result: "the value before, an integer"},
		},
		Classes: []Class{
			{Name: "increments", Operations: []string{"inc", "dec"}},
			{Name: "reads", Operations: []string{"read"}},
			{Name: "tickets", Operations: []string{"getandinc"}, Relaxable: true},
		},
		Example: `{"spec": "counter", "operations": [{"process": 0, "f": "inc", "arg": 2, "call": 0, "return": 3}, {"process": 1, "f": "read", "call": 1, "return": 2, "result": 0}, {"process": 1, "f": "getandinc", "call": 4, "return": 5, "result": 2}, {"process": 0, "f": "read", "call": 6, "return": 7, "result": 3}]}`,
	}
}

// Touches: every operation concerns the whole counter.
func (counter) Touches(_ *history.History, _ int32, dst []history.Value) []history.Value {
	return append(dst, Everything)
}

func (s counter) Bind(p *Part) (*Bound, error) { return bindObjects(s, p, s.bind) }

// bind resolves a part that holds one counter. It refuses one that could leave the range of 64-bit integers, so that
// nobody who adds up its operations, in any order, has to think of that.
func (s counter) bind(p *Part) (*Bound, error) {
	n := len(p.Ops)
	info := s.Info()
	t := p.History.Values
	init := int64(0)
	if p.HasInitial && p.Initial != history.Nil {
		var ok bool
		if init, ok = t.AsInt(p.Initial); !ok {
			return nil, wrongInitial(p, info)
		}
	}
	c := &Counting{Object: make([]int32, n), Delta: make([]int64, n), Observes: make([]bool, n), Observed: make([]int64, n), Init: []int64{init}}
	b := &Bound{Spec: s, Part: p, Pure: make([]bool, n), Sig: make([]int32, n), Class: make([]int8, n), Theory: c}
	type kind struct {
		class           int8
		observes        bool
		delta, observed int64
	}
	kinds := map[kind]int32{}
	low, high := init, init // the counter stays between them
	verbs := newVerbs(info, p.History)
	for i := range p.Ops {
		o := &p.Ops[i]
		f := verbs.of(o.F)
		k := kind{class: [...]int8{0, 0, 1, 2}[max(f, 0)], delta: 1}
		switch {
		case f < 0:
			return nil, verbs.unknown(p, int32(i))
		case f == counterRead && o.Arg != history.Nil:
			return nil, wrongArg(p, int32(i), "null: it takes no argument")
		case f == counterRead:
			k.delta = 0
		case o.Arg != history.Nil:
			var ok bool
			if k.delta, ok = t.AsInt(o.Arg); !ok {
				return nil, wrongArg(p, int32(i), "an integer")
			}
		}
		overflow := false
		if f == counterDec {
			overflow = k.delta == math.MinInt64
			k.delta = -k.delta
		}
		if k.delta > 0 {
			overflow = overflow || high > math.MaxInt64-k.delta
			high += k.delta
		} else {
			overflow = overflow || low < math.MinInt64-k.delta
			low += k.delta
		}
		if overflow {
			return nil, p.Error(int32(i), "the counter could leave the range of 64-bit integers", "count from elsewhere, or in larger units")
		}
		if (f == counterRead || f == counterTicket) && !o.Unknown {
			k.observes = true
			var ok bool
			if k.observed, ok = t.AsInt(o.Result); !ok {
				return nil, wrongResult(p, int32(i), "an integer")
			}
		}
		c.Delta[i], c.Observes[i], c.Observed[i] = k.delta, k.observes, k.observed
		b.Class[i] = k.class
		b.Pure[i] = k.delta == 0
		sig, ok := kinds[k]
		if !ok {
			sig = int32(len(kinds))
			kinds[k] = sig
		}
		b.Sig[i] = sig
	}
	b.NewMachine = func() Machine {
		return NewComparable(init, func(s int64, op int32, dst []int64) []int64 {
			if c.Observes[op] && s != c.Observed[op] {
				return dst
			}
			return append(dst, s+c.Delta[op])
		}, func(s int64) string { return strconv.FormatInt(s, 10) }, nil)
	}
	b.Refusal = func(m Machine, s State, op int32) string {
		if v := peekComparable[int64](m, s); c.Observes[op] && v != c.Observed[op] {
			return "the counter is " + strconv.FormatInt(v, 10) + ", not " + strconv.FormatInt(c.Observed[op], 10)
		}
		return ""
	}
	return b, nil
}
