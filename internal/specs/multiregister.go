package specs

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// MultiRegister returns the specification of named registers: read {k: …} returns {k: v}, write {k:
// v}, and txn [[op, k, v] …] reads and writes one after the other, at one moment. Its initial state
// is a map from names to values; null by default.
//
// The argument of a read is a map, whose values are ignored, or a list of names; without one, its
// result says what was read. What the reads of a txn found is in the result, a list like the
// argument; with a result of null nothing was recorded.
func MultiRegister() model.Spec { return multiRegister }

var multiRegister = newTable(table{
	info: model.Info{
		Name:    "multi-register",
		Summary: "named values that are read and written together",
		Initial: "a map from names to values (default: all null)",
		Piece:   "register",
		Example: `{"spec": "multi-register", "initial": {"x": 0, "y": 0}, "operations": [{"process": 0, "f": "write", "arg": {"x": 1, "y": 1}, "call": 0, "return": 4}, ` +
			`{"process": 1, "f": "read", "arg": {"x": null}, "call": 1, "return": 3, "result": {"x": 1}}, ` +
			`{"process": 1, "f": "txn", "arg": [["r", "y", null], ["w", "x", 2]], "call": 5, "return": 8, "result": [["r", "y", 1], ["w", "x", 2]]}, ` +
			`{"process": 0, "f": "read", "arg": ["x", "y"], "call": 6, "return": 7, "result": {"x": 1, "y": 1}}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "read", Aliases: []string{"get", "r", "snapshot"},
			Arg: "{name: anything, …} or [name, …]", Result: "{name: value, …} of the same names; null: not recorded"}},
		{Operation: model.Operation{Name: "write", Aliases: []string{"put", "set", "w"}, Arg: "{name: value, …}"}},
		{Operation: model.Operation{Name: "txn", Aliases: []string{"transaction", "tx"},
			Arg:    `[["r", name, null] or ["w", name, value], …]`,
			Result: "the same, with the values that were read; null: not recorded"}},
	},
	bind:      bindMultiRegister,
	footprint: touchesRegisters,
})

// access is one read or write of one register.
type access struct {
	kind  uint8
	name  history.Value
	value history.Value
}

// The kinds of accesses.
const (
	accessRead  = iota // any value
	accessSee          // the value
	accessWrite        // the value
)

// The operations of a multi-register, as they stand in its Info.
const (
	multiRead = iota
	multiWrite
	multiTxn
)

// touchesRegisters names the registers of an operation, without resolving the operation: maps have
// names as keys, and of lists only those of a txn have lists as elements. Bind refuses what fits
// neither.
func touchesRegisters(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	t, o := h.Values, &h.Ops[i]
	from := len(dst)
	add := func(name history.Value) {
		if name = canonicalName(t, name); !slices.Contains(dst[from:], name) {
			dst = append(dst, name)
		}
	}
	names := func(v history.Value) {
		pairs, _ := t.AsMap(v)
		for k := 0; k < len(pairs); k += 2 {
			add(pairs[k])
		}
		list, _ := t.AsList(v)
		for _, e := range list {
			if triple, isList := t.AsList(e); !isList {
				add(e)
			} else if len(triple) > 1 {
				add(triple[1])
			}
		}
	}
	names(o.Arg)
	if !o.Unknown && o.Arg == history.Nil {
		names(o.Result)
	}
	return dst
}

// canonicalName makes integer names equal to the strings that JSON has to write for them as keys of
// maps.
func canonicalName(t *history.Values, name history.Value) history.Value {
	if n, isInt := t.AsInt(name); isInt {
		if s, known := t.FindString(strconv.FormatInt(n, 10)); known {
			return s
		}
	}
	return name
}

// multiPart is a partition with its names and values numbered: name and value of accesses are
// numbers. A state is the value of every name.
type multiPart struct {
	table    *history.Values
	accesses []access
	first    []int32 // accesses of operation i are accesses[first[i]:first[i+1]]
	names    []history.Value
	values   []history.Value
	init     []int32
}

func (k *multiPart) of(i history.OpID) []access { return k.accesses[k.first[i]:k.first[i+1]] }

func bindMultiRegister(s *table, p *model.Partition) (*model.Instance, error) {
	if stated(p) {
		if _, isMap := p.History.Values.AsMap(p.Initial); !isMap {
			return nil, s.wrongInitial(p)
		}
	}
	k := &multiPart{table: p.History.Values, first: []int32{0}}
	b := s.instance(p)
	names, values := newNumbering(p), newNumbering(p)
	var sigs signatures
	single := true // each operation touches at most one name
	err := s.each(p, func(i history.OpID, verb int, _ int64) (err error) {
		o := &p.Ops[i]
		from := len(k.accesses)
		if k.accesses, err = resolveMulti(p, i, verb, k.accesses); err != nil {
			return err
		}
		b.ReadOnly[i] = true
		for j := from; j < len(k.accesses); j++ {
			a := &k.accesses[j]
			a.name = history.Value(names.of(canonicalName(k.table, a.name)))
			if a.kind != accessRead {
				a.value = history.Value(values.of(a.value))
			}
			b.ReadOnly[i] = b.ReadOnly[i] && a.kind != accessWrite
			single = single && a.name == k.accesses[from].name
		}
		k.first = append(k.first, int32(len(k.accesses)))
		result := int32(o.Result)
		if o.Unknown || verb == multiWrite {
			result = int32(history.Nil)
		}
		b.EquivID[i] = sigs.pair(int32(verb), int32(o.Arg), result)
		return nil
	})
	if err != nil {
		return nil, err
	}
	k.names = names.values
	for _, name := range k.names {
		v := history.Nil
		if p.HasInitial {
			v = entry(k.table, p.Initial, name)
		}
		k.init = append(k.init, values.of(v))
	}
	k.values = values.values
	if single {
		b.Theory = k.cells()
	} else {
		b.Transactions = k.transactions()
	}
	b.NewMachine = func() model.Machine { return model.NewVector(k.init, k.step(), k.describe) }
	b.Refusal = k.refuse
	return b, nil
}

// resolveMulti appends the accesses of operation i.
func resolveMulti(p *model.Partition, i history.OpID, verb int, dst []access) ([]access, error) {
	t, o := p.History.Values, &p.Ops[i]
	known := !o.Unknown && o.Result != history.Nil
	switch verb {
	case multiRead:
		return resolveMultiRead(p, i, known, dst)
	case multiWrite:
		pairs, isMap := t.AsMap(o.Arg)
		if !isMap {
			return nil, wrongArg(p, i, "a map from names to values")
		}
		for k := 0; k < len(pairs); k += 2 {
			dst = append(dst, access{accessWrite, pairs[k], pairs[k+1]})
		}
		return dst, noResult(p, i, "")
	}
	want, ok := transaction(t, o.Arg)
	if !ok {
		return nil, wrongArg(p, i, `a list of ["r", name, null] and ["w", name, value]`+
			"; levels of isolation, such as strict-serializable, are asked of lists too")
	}
	if known {
		found, ok := transaction(t, o.Result)
		if !ok || !slices.EqualFunc(want, found, func(a, b access) bool {
			return a.kind == b.kind && a.name == b.name && (a.kind == accessRead || a.value == b.value)
		}) {
			return nil, wrongResult(p, i, "its argument with the values that were read")
		}
		for k, a := range found {
			if a.kind == accessRead {
				want[k] = access{accessSee, a.name, a.value}
			}
		}
	}
	return append(dst, want...), nil
}

func resolveMultiRead(p *model.Partition, i history.OpID, known bool, dst []access) ([]access, error) {
	t, o := p.History.Values, &p.Ops[i]
	pairs, isMap := t.AsMap(o.Arg)
	list, isList := t.AsList(o.Arg)
	if !isMap && !isList && o.Arg != history.Nil {
		return nil, wrongArg(p, i, "a map with names as keys, or a list of names")
	}
	found, resultIsMap := t.AsMap(o.Result)
	if known && !resultIsMap {
		return nil, wrongResult(p, i, "a map from names to values")
	}
	from := len(dst)
	if known {
		for k := 0; k < len(found); k += 2 {
			dst = append(dst, access{accessSee, found[k], found[k+1]})
		}
	}
	if o.Arg == history.Nil {
		return dst, nil
	}
	wanted := map[history.Value]bool{}
	for k := 0; k < len(pairs); k += 2 {
		wanted[canonicalName(t, pairs[k])] = true
	}
	for _, name := range list {
		if model.KindOf(t, name) == model.KindList {
			return nil, wrongArg(p, i, "a map with names as keys, or a list of names")
		}
		wanted[canonicalName(t, name)] = true
	}
	if !known {
		for name := range wanted {
			dst = append(dst, access{kind: accessRead, name: name})
		}
		all := dst[from:]
		sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
		return dst, nil
	}
	for _, a := range dst[from:] {
		if !wanted[canonicalName(t, a.name)] {
			return nil, wrongResult(p, i, "a map with the names of its argument")
		}
	}
	if len(dst)-from != len(wanted) {
		return nil, wrongResult(p, i, "a map with the names of its argument")
	}
	return dst, nil
}

// transaction reads a list of accesses; reads keep the value that they may have found.
func transaction(t *history.Values, v history.Value) (accesses []access, ok bool) {
	list, isList := t.AsList(v)
	if !isList {
		return nil, false
	}
	for _, e := range list {
		triple, isList := t.AsList(e)
		if !isList || len(triple) < 2 || len(triple) > 3 {
			return nil, false
		}
		a := access{name: triple[1]}
		if len(triple) == 3 {
			a.value = triple[2]
		}
		f, _ := t.AsString(triple[0])
		switch Fold(f) {
		case "r", "read", "get":
			a.kind = accessRead
		case "w", "write", "put", "set":
			a.kind = accessWrite
			if len(triple) == 2 {
				return nil, false
			}
		default:
			return nil, false
		}
		accesses = append(accesses, a)
	}
	return accesses, true
}

// cells describes the operations as those of registers, if each touches one name: what it sees
// before it writes is tested, what it writes last is left, and what it sees in between must be what
// it wrote.
func (k *multiPart) cells() *model.RegisterTheory {
	n := len(k.first) - 1
	c := model.NewRegisterTheory(n)
	c.Init, c.Values = append(c.Init, k.init...), len(k.values)
	if len(c.Init) == 0 { // no operation touches anything
		c.Init, c.Values = []int32{0}, 1
	}
	for i := range n {
		m := model.Mode{Test: model.Any, Leaves: model.Keep}
		object, possible := model.CellID(0), true
		for _, a := range k.of(history.OpID(i)) {
			object = model.CellID(a.name)
			v := int32(a.value)
			switch {
			case a.kind == accessWrite:
				m.Leaves = v
			case a.kind == accessRead:
			case m.Leaves != model.Keep:
				possible = possible && m.Leaves == v
			case m.Test == model.Is:
				possible = possible && m.V == v
			default:
				m.Test, m.V = model.Is, v
			}
		}
		if m.Test == model.Is && m.Leaves == m.V {
			m.Leaves = model.Keep
		}
		if possible {
			c.Add(object, m)
		} else {
			c.Add(object)
		}
	}
	return c
}

// transactions describes the operations where some touch several names.
func (k *multiPart) transactions() *model.Transactions {
	t := &model.Transactions{Init: k.init, Accesses: make([]model.Access, len(k.accesses)), First: k.first,
		Register: func(n model.RegisterID) string { return k.table.Format(k.names[n]) },
		Value:    func(n int32) string { return k.table.Format(k.values[n]) }}
	for j, a := range k.accesses {
		does := [...]model.AccessKind{accessRead: model.Reads, accessSee: model.Sees, accessWrite: model.Writes}
		t.Accesses[j] = model.Access{Does: does[a.kind], Register: model.RegisterID(a.name), Value: int32(a.value)}
	}
	return t
}

// step executes the accesses of an operation in their order.
func (k *multiPart) step() func(s []int32, op history.OpID, yield func(next []int32)) {
	next := make([]int32, len(k.init))
	return func(s []int32, op history.OpID, yield func(next []int32)) {
		copy(next, s)
		for _, a := range k.of(op) {
			switch {
			case a.kind == accessWrite:
				next[a.name] = int32(a.value)
			case a.kind == accessSee && next[a.name] != int32(a.value):
				return
			}
		}
		yield(next)
	}
}

func (k *multiPart) describe(s []int32) string {
	registers := make([]string, len(s))
	for name, v := range s {
		registers[name] = k.table.Format(k.names[name]) + ": " + k.table.Format(k.values[v])
	}
	sort.Strings(registers)
	return "{" + strings.Join(registers, ", ") + "}"
}

func (k *multiPart) refuse(m model.Machine, s model.State, op history.OpID) string {
	now := slices.Clone(model.PeekVector(m, s))
	for _, a := range k.of(op) {
		switch {
		case a.kind == accessWrite:
			now[a.name] = int32(a.value)
		case a.kind == accessSee && now[a.name] != int32(a.value):
			return fmt.Sprintf("%s holds %s, not %s", k.table.Format(k.names[a.name]),
				k.table.Format(k.values[now[a.name]]), k.table.Format(k.values[a.value]))
		}
	}
	return ""
}
