package specs

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// A register holds one value. A cas-register can also compare and swap.
//
// The machine's states are numbers of values as the partition's numbering gives them, so nothing is
// interned while it runs.

// Register returns the specification of a register: read, write v and swap v, which returns the
// previous value. Its initial state is any value; null by default.
func Register() model.Spec { return register }

// CASRegister returns the specification of a register with read, write v, swap v, and cas [old,
// new] (compare and set, compare and swap), also as compareandexchange, which returns the value
// that it found. Its initial state is any value; null by default.
func CASRegister() model.Spec { return casRegister }

const registerInitial = "any value (default: null)"

var (
	readOperation  = model.Operation{Name: "read", Aliases: []string{"get", "load", "r"}, Result: "the value"}
	writeOperation = model.Operation{Name: "write", Aliases: []string{"put", "set", "store", "w"}, Arg: "the new value"}
	swapOperation  = model.Operation{Name: "swap", Aliases: []string{"get-and-set", "exchange", "get-set",
		"atomic-exchange", "xchg"}, Arg: "the new value", Result: "the value before"}
	casOperation = model.Operation{Name: "cas", Aliases: []string{"compare-and-set", "compare-and-swap"},
		Arg:    "[old, new]",
		Result: "true if it found old, else false; [old, new] again counts as true, null as not recorded"}
	exchangeOperation = model.Operation{Name: "compareandexchange", Aliases: []string{"compare-exchange"},
		Arg:    "[old, new]",
		Result: "the value that it found, old if it swapped; or true if it found old, else false; null: not recorded"}
)

var register = newTable(table{
	info: model.Info{
		Name:    "register",
		Summary: "a value that is read, written and swapped",
		Initial: registerInitial,
		Example: `{"spec": "register", "operations": [{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 4}, ` +
			`{"process": 1, "f": "read", "call": 1, "return": 3, "result": null}, {"process": 1, "f": "read", "call": 5, "return": 6, "result": 1}]}`,
	},
	rows: []row{
		{Operation: readOperation, observes: true},
		{Operation: writeOperation},
		{Operation: swapOperation, observes: true},
	},
	bind: bindRegister,
})

var casRegister = newTable(table{
	info: model.Info{
		Name:    "cas-register",
		Summary: "a value that is read, written, swapped, and compared and swapped",
		Initial: registerInitial,
		Example: `{"spec": "cas-register", "initial": 0, "operations": [{"process": 0, "f": "cas", "arg": [0, 1], "call": 0, "return": 4, "result": true}, ` +
			`{"process": 1, "f": "cas", "arg": [0, 2], "call": 1, "return": 3, "result": false}, {"process": 1, "f": "read", "call": 5, "return": 6, "result": 1}, ` +
			`{"process": 0, "f": "write", "arg": 3, "call": 7}]}`,
	},
	rows: []row{
		{Operation: readOperation, observes: true},
		{Operation: writeOperation},
		{Operation: swapOperation, observes: true},
		{Operation: casOperation},
		{Operation: exchangeOperation},
	},
	bind: bindRegister,
})

// The operations of a register, as they stand in its Info.
const (
	registerRead = iota
	registerWrite
	registerSwap
	registerCAS
	registerExchange
)

// The kinds of a register's operations after resolution.
const (
	regRead    = iota // any value
	regSee            // the value a
	regWrite          // a
	regCAS            // from a to b, result unknown
	regCASDone        // it found a; a swap, too
	regCASFailed
)

type regOp struct {
	form int32
	a, b int32
}

func bindRegister(s *table, p *model.Partition) (*model.Instance, error) {
	initial := history.Nil
	if p.HasInitial {
		initial = p.Initial
	}
	values := newNumbering(p)
	values.of(initial) // number 0
	ops := make([]regOp, len(p.Ops))
	err := s.each(p, func(i history.OpID, verb int, _ int64) (err error) {
		ops[i], err = resolveRegister(p, i, verb, values)
		return err
	})
	values.release()
	if err != nil {
		return nil, err
	}
	b := s.instance(p)
	cells := model.NewRegisterTheory(len(ops))
	cells.Init, cells.Values = []int32{0}, len(values.values)
	var sigs signatures
	for i, o := range ops {
		switch o.form {
		case regRead:
			b.ReadOnly[i] = true
			cells.Add(0, model.Mode{Test: model.Any, Leaves: model.Keep})
		case regSee:
			b.ReadOnly[i] = true
			cells.Add(0, model.Mode{Test: model.Is, V: o.a, Leaves: model.Keep})
		case regWrite:
			cells.Add(0, model.Mode{Test: model.Any, Leaves: o.a})
		default:
			b.ReadOnly[i] = o.form == regCASFailed || o.a == o.b
			cells.Add(0, casModes(o.a, o.b, o.outcome(), p.Ops[i].Pending())...)
			b.EquivID[i] = sigs.pair(o.form, o.a, o.b)
			continue
		}
		b.EquivID[i] = sigs.one(o.form, o.a, len(values.values))
	}
	b.Theory = cells
	b.NewMachine = func() model.Machine {
		return &registerMachine{ops: ops, values: values.values, table: p.History.Values}
	}
	b.Refusal = func(m model.Machine, s model.State, op history.OpID) string {
		format := func(v int32) string { return p.History.Values.Format(values.values[v]) }
		switch o := ops[op]; o.form {
		case regSee, regCASDone: // also a swap
			return fmt.Sprintf("the register holds %s, not %s", format(int32(s)), format(o.a))
		case regCASFailed:
			return fmt.Sprintf("the register holds %s, so the cas cannot fail", format(o.a))
		}
		return ""
	}
	return b, nil
}

func (o regOp) outcome() outcome {
	switch o.form {
	case regCASDone:
		return yes
	case regCASFailed:
		return no
	}
	return unknown
}

func resolveRegister(p *model.Partition, i history.OpID, verb int, values *numbering) (regOp, error) {
	o := &p.Ops[i]
	switch verb {
	case registerRead:
		if o.Unknown {
			return regOp{form: regRead}, nil
		}
		return regOp{form: regSee, a: values.of(o.Result)}, nil
	case registerWrite:
		return regOp{form: regWrite, a: values.of(o.Arg)}, noResult(p, i, writeHint)
	case registerSwap:
		if o.Unknown {
			return regOp{form: regWrite, a: values.of(o.Arg)}, nil
		}
		return regOp{form: regCASDone, a: values.of(o.Result), b: values.of(o.Arg)}, nil
	}
	c, err := resolveCAS(p, i, verb == registerExchange)
	if err != nil {
		return regOp{}, err
	}
	if c.other {
		return regOp{form: regSee, a: values.of(c.found)}, nil
	}
	form := [...]int32{unknown: regCAS, yes: regCASDone, no: regCASFailed}[c.result]
	return regOp{form: form, a: values.of(c.old), b: values.of(c.new)}, nil
}

// writeHint says how to write a write that returned something.
const writeHint = "a swap returns the previous value; one that did not take effect has the status fail; null, true, " +
	"\"ok\" and the argument again only acknowledge"

// casOp is a resolved compare-and-swap. One that returned another value than old has found set, and
// is a read of that value.
type casOp struct {
	old, new, found history.Value
	result          outcome
	other           bool
}

// resolveCAS reads the argument and the result of a compare-and-swap. Jepsen's clients return the
// argument of a successful one. One that is an exchange may return what it found (Java's
// compareAndExchange, GCC's __sync_val_compare_and_swap), or true and false (C++'s
// compare_exchange); if the values are themselves true and false, that is refused.
func resolveCAS(p *model.Partition, i history.OpID, exchange bool) (c casOp, err error) {
	o := &p.Ops[i]
	pair, ok := p.History.Values.AsList(o.Arg)
	if !ok || len(pair) != 2 {
		return c, wrongArg(p, i, "a list [old, new]")
	}
	c.old, c.new = pair[0], pair[1]
	c.result, ok = truth(o)
	switch {
	case ok && c.result != unknown && exchange && (isBool(c.old) || isBool(c.new)):
		return c, p.Error(i, fmt.Sprintf("the result of %s may be the value that it found, or say whether it swapped",
			p.History.Values.Format(o.F)),
			"call it cas if true says that it swapped")
	case ok:
	case o.Result == o.Arg || exchange && o.Result == c.old:
		c.result = yes
	case exchange:
		c.found, c.other, c.result = o.Result, true, no
	default:
		return c, wrongResult(p, i, "true or false: one that returns what it found is a compareandexchange")
	}
	return c, nil
}

// registerMachine executes a register; a state is the number of the value it holds.
type registerMachine struct {
	ops    []regOp
	values []history.Value
	table  *history.Values
}

func (m *registerMachine) Init() model.State { return 0 }

func (m *registerMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	o := &m.ops[op]
	found := int32(s) == o.a
	switch {
	case o.form == regWrite, found && (o.form == regSee):
		return append(dst, model.State(o.a))
	case o.form == regRead, !found && (o.form == regCAS || o.form == regCASFailed):
		return append(dst, s)
	case found && (o.form == regCAS || o.form == regCASDone):
		return append(dst, model.State(o.b))
	}
	return dst
}

func (m *registerMachine) Describe(s model.State) string { return m.table.Format(m.values[s]) }
func (m *registerMachine) Bytes() int64                  { return 0 }

func isBool(v history.Value) bool { return v == history.True || v == history.False }
