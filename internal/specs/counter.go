package specs

import (
	"math"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Counter returns the specification of a counter: inc and dec by 1 or by n, read, getandinc and
// getanddec, which return the value before (a ticket dispenser), incandget and decandget, which
// return the value after, and write, swap, cas and compareandexchange as for a register. An inc or
// dec that returned an integer is an incandget or decandget. Its initial state is an integer, 0 by
// default.
func Counter() model.Spec { return counter }

// The counter's operations, in the order of Info.Operations.
const (
	counterInc = iota
	counterDec
	counterRead
	counterGetInc
	counterGetDec
	counterIncGet
	counterDecGet
	counterWrite
	counterSwap
	counterCAS
	counterExchange
)

// counterWrites is the class of operations that set the counter.
const counterWrites = 3

const (
	counterBy    = "how much, an integer (default: 1)"
	counterAfter = "the value after, an integer; null, true or \"ok\": not recorded"
)

var counter = newTable(table{
	info: model.Info{
		Name:    "counter",
		Summary: "counter, also a dispenser of tickets and an integer that is set",
		Initial: "an integer (default: 0)",
		Classes: []model.Class{
			{Name: "increments", Operations: []string{"inc", "dec"}},
			{Name: "reads", Operations: []string{"read"}},
			{Name: "tickets", Operations: []string{"getandinc", "getanddec", "incandget", "decandget"},
				Relaxable: true},
			{Name: "writes", Operations: []string{"write", "swap", "cas", "compareandexchange"}},
		},
		Example: `{"spec": "counter", "operations": [{"process": 0, "f": "inc", "arg": 2, "call": 0, "return": 3}, {"process": 1, "f": "read", "call": 1, "return": 2, "result": 0}, {"process": 1, "f": "getandinc", "call": 4, "return": 5, "result": 2}, {"process": 0, "f": "read", "call": 6, "return": 7, "result": 3}, {"process": 1, "f": "inc", "call": 8, "return": 9, "result": 4}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "inc", Aliases: []string{"increment", "incr", "incrby", "add", "increase"},
			Arg: counterBy, Result: counterAfter}, arg: oneByDefault},
		{Operation: model.Operation{Name: "dec", Aliases: []string{"decrement", "decr", "decrby", "sub", "subtract",
			"decrease"}, Arg: counterBy, Result: counterAfter}, arg: oneByDefault},
		{Operation: model.Operation{Name: "read", Aliases: []string{"get", "value", "load", "count"},
			Result: "the counter's value, an integer"}, arg: noArgument, observes: true},
		{Operation: model.Operation{Name: "getandinc", Aliases: []string{"getandincrement", "ticket", "next",
			"getandadd", "fetchadd", "fetchandadd", "fetchinc", "fetchandinc", "fetchandincrement", "faa"},
			Arg: counterBy, Result: "the value before, an integer"}, arg: oneByDefault, observes: true},
		{Operation: model.Operation{Name: "getanddec", Aliases: []string{"getanddecrement", "getandsub",
			"getandsubtract", "fetchsub", "fetchandsub", "fetchdec", "fetchanddec", "fetchanddecrement"},
			Arg: counterBy, Result: "the value before, an integer"}, arg: oneByDefault, observes: true},
		{Operation: model.Operation{Name: "incandget", Aliases: []string{"incrementandget", "addandget", "incandfetch",
			"incrementandfetch", "addandfetch", "addfetch"}, Arg: counterBy, Result: "the value after, an integer"},
			arg: oneByDefault, observes: true},
		{Operation: model.Operation{Name: "decandget", Aliases: []string{"decrementandget", "subandget",
			"subtractandget", "decandfetch", "decrementandfetch", "subandfetch", "subfetch"}, Arg: counterBy,
			Result: "the value after, an integer"}, arg: oneByDefault, observes: true},
		{Operation: model.Operation{Name: "write", Aliases: []string{"set", "store", "put", "w"},
			Arg: "the new value, an integer"}, arg: anInteger},
		{Operation: model.Operation{Name: "swap", Aliases: swapOperation.Aliases, Arg: "the new value, an integer",
			Result: "the value before, an integer"}, arg: anInteger, observes: true},
		{Operation: model.Operation{Name: "cas", Aliases: casOperation.Aliases, Arg: "[old, new], integers",
			Result: casOperation.Result}},
		{Operation: model.Operation{Name: "compareandexchange", Aliases: exchangeOperation.Aliases,
			Arg: "[old, new], integers", Result: exchangeOperation.Result}},
	},
	bind: bindCounter,
})

var (
	anInteger    = &argument{"an integer", (*history.Values).AsInt}
	oneByDefault = &argument{"an integer", func(t *history.Values, v history.Value) (int64, bool) {
		if v == history.Nil {
			return 1, true
		}
		return t.AsInt(v)
	}}
)

// The kinds of a counter's operations after resolution.
const (
	counterAdds = iota // finds found, if sees, and adds delta
	counterSets        // finds found, if sees, and leaves value
	// leaves value if it finds found, and changes nothing else: a cas of unknown outcome
	counterTries
	counterMisses // does not find found: a cas that failed
)

// counterOp is a resolved operation.
type counterOp struct {
	class               model.ClassID
	form                int8
	sees                bool
	after               bool // the result is the value after it
	found, delta, value int64
}

// counterKinds is alike for operations of a counter, of which there are as many as values.
type counterKinds struct {
	index slots
	first []counterOp // by number
}

func (a *counterKinds) of(o *counterOp) int32 {
	h := uint64(o.class)<<16 | uint64(uint8(o.form))<<8
	for _, n := range [...]int64{o.found, o.delta, o.value} {
		h = (h ^ uint64(n)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	n, known := a.index.find(h, func(k int32) bool { return a.first[k] == *o })
	if !known {
		n = int32(len(a.first))
		a.first = append(a.first, *o)
		a.index.add(h, n)
	}
	return n
}

// bindCounter refuses a partition that could leave the range of 64-bit integers, so that sums of
// its operations, in any order, do not overflow.
func bindCounter(s *table, p *model.Partition) (*model.Instance, error) {
	init := int64(0)
	if stated(p) {
		var ok bool
		if init, ok = p.History.Values.AsInt(p.Initial); !ok {
			return nil, s.wrongInitial(p)
		}
	}
	ops := make([]counterOp, len(p.Ops))
	b := s.instance(p)
	b.Class = make([]model.ClassID, len(ops))
	kinds := counterKinds{}
	err := s.each(p, func(i history.OpID, verb int, n int64) (err error) {
		o := &ops[i]
		if *o, err = resolveCounter(p, i, verb, n); err != nil {
			return err
		}
		o.class = s.rows[verb].class
		b.Class[i] = o.class
		b.ReadOnly[i] = o.form == counterAdds && o.delta == 0 || o.form == counterMisses || o.form != counterAdds &&
			o.found == o.value && (o.sees || o.form == counterTries)
		b.EquivID[i] = kinds.of(o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if i := leavesRange(init, ops); i >= 0 {
		return nil, outOfRange(p, i)
	}
	if c := counting(init, ops); c != nil {
		b.Theory = c
	} else {
		b.Tallies = func() *model.Tallies { return counterTallies(init, ops) }
	}
	b.NewMachine = func() model.Machine {
		return model.NewComparable(init, func(s int64, op history.OpID, dst []int64) []int64 {
			return ops[op].step(s, dst)
		},
			func(s int64) string { return strconv.FormatInt(s, 10) }, nil)
	}
	b.Refusal = func(m model.Machine, s model.State, op history.OpID) string {
		v := model.PeekComparable[int64](m, s)
		text := "the counter is " + strconv.FormatInt(v, 10)
		switch o := &ops[op]; {
		case o.form == counterMisses && v == o.found:
			return text + ", so the cas cannot fail"
		case !o.sees || v == o.found:
			return ""
		case o.after:
			return text + ", so it returns " + strconv.FormatInt(v+o.delta, 10) + ", not " +
				strconv.FormatInt(o.found+o.delta, 10)
		default:
			return text + ", not " + strconv.FormatInt(o.found, 10)
		}
	}
	return b, nil
}

// resolveCounter resolves operation i, whose argument is n.
func resolveCounter(p *model.Partition, i history.OpID, f int, n int64) (counterOp, error) {
	t, o := p.History.Values, &p.Ops[i]
	op := counterOp{}
	switch f {
	case counterRead:
	case counterWrite, counterSwap:
		op.form, op.value = counterSets, n
		if f == counterWrite {
			return op, noResult(p, i, writeHint)
		}
	case counterCAS, counterExchange:
		return resolveCounterCAS(p, i, op, f == counterExchange)
	case counterDec, counterGetDec, counterDecGet:
		if n == math.MinInt64 {
			return op, outOfRange(p, i)
		}
		op.delta = -n
	default:
		op.delta = n
	}
	if o.Unknown {
		return op, nil
	}
	if op.found, op.sees = t.AsInt(o.Result); !op.sees {
		switch optional := f == counterInc || f == counterDec; {
		case !optional:
			return op, wrongResult(p, i, "an integer")
		case !acknowledges(p, i):
			return op, wrongResult(p, i, "the value after it, an integer, or null")
		}
		return op, nil
	}
	if f != counterRead && f != counterGetInc && f != counterGetDec && f != counterSwap {
		before := op.found - op.delta
		if (before < op.found) != (op.delta > 0) && op.delta != 0 {
			return op, outOfRange(p, i)
		}
		op.found, op.after = before, true
	}
	return op, nil
}

func resolveCounterCAS(p *model.Partition, i history.OpID, op counterOp, exchange bool) (counterOp, error) {
	c, err := resolveCAS(p, i, exchange)
	if err != nil {
		return op, err
	}
	var isOld, isNew bool
	op.found, isOld = p.History.Values.AsInt(c.old)
	op.value, isNew = p.History.Values.AsInt(c.new)
	if !isOld || !isNew {
		return op, wrongArg(p, i, "a list [old, new] of integers")
	}
	switch {
	case c.other:
		if op.found, op.sees = p.History.Values.AsInt(c.found); !op.sees {
			return op, wrongResult(p, i, "an integer, which it found")
		}
		op.value = 0 // it is a read
	case c.result == yes:
		op.form, op.sees = counterSets, true
	case c.result == no:
		op.form = counterMisses
	default:
		op.form = counterTries
	}
	return op, nil
}

func outOfRange(p *model.Partition, i history.OpID) error {
	return p.Error(i, "the counter could leave the range of 64-bit integers",
		"count from elsewhere, or in larger units")
}

// leavesRange returns an operation with which the counter could leave the range of 64-bit integers,
// or -1. Between two operations that set it, the counter differs from the value that was set by a
// sum of what other operations add.
func leavesRange(init int64, ops []counterOp) history.OpID {
	low, high := init, init
	for i := range ops {
		if f := ops[i].form; f == counterSets || f == counterTries {
			low, high = min(low, ops[i].value), max(high, ops[i].value)
		}
	}
	for i := range ops {
		switch d := ops[i].delta; {
		case d > 0 && high > math.MaxInt64-d, d < 0 && low < math.MinInt64-d:
			return history.OpID(i)
		case d > 0:
			high += d
		default:
			low += d
		}
	}
	return -1
}

// counting describes the operations as additions, nil if there are others. That depends on their
// names, not on their results, so that a partition keeps its theory when results are forgotten.
func counting(init int64, ops []counterOp) *model.CountingTheory {
	n := len(ops)
	c := &model.CountingTheory{Object: make([]model.CellID, n), Delta: make([]int64, n), Observes: make([]bool, n),
		Observed: make([]int64, n), Init: []int64{init}}
	for i := range ops {
		o := &ops[i]
		if o.class == counterWrites {
			return nil
		}
		c.Delta[i], c.Observes[i], c.Observed[i] = o.delta, o.sees, o.found
	}
	return c
}

// counterTallies describes a counter that is also set, by its value.
func counterTallies(init int64, ops []counterOp) *model.Tallies {
	t := &model.Tallies{Init: []int64{init}, Ways: make([][]model.Way, len(ops))}
	for i, o := range ops {
		misses := model.Way{Finds: []model.Found{model.Except(0, o.found)}}
		w := model.Way{Adds: []model.Added{{By: o.value, Sets: true}}}
		if o.form == counterAdds {
			w.Adds[0] = model.Added{By: o.delta}
		}
		if o.sees || o.form == counterTries {
			w.Finds = []model.Found{model.Exactly(0, o.found)}
		}
		switch t.Ways[i] = []model.Way{w}; o.form {
		case counterTries:
			t.Ways[i] = []model.Way{w, misses}
		case counterMisses:
			t.Ways[i] = []model.Way{misses}
		}
	}
	return t
}

func (o *counterOp) step(s int64, dst []int64) []int64 {
	switch {
	case o.form == counterTries && s == o.found, o.form == counterSets && (!o.sees || s == o.found):
		return append(dst, o.value)
	case o.form == counterTries, o.form == counterMisses && s != o.found:
		return append(dst, s)
	case o.form == counterAdds && (!o.sees || s == o.found):
		return append(dst, s+o.delta)
	}
	return dst
}
