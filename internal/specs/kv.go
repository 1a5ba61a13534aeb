package specs

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// A kv is a map from keys to values; Op.Key names the key, each of which is a piece of its own.
//
// A key that no operation appends to is a cas-register; its values are distinguished as the history
// writes them. The strings of other keys are classified by grow (appends.go): states are the
// strings that some operation can distinguish.

// KV returns the specification of a key-value store: get, put v, append s, delete, cas [old, new],
// swap v, getanddelete and compareandexchange [old, new], each on the key of the operation. A put
// or delete that returned a value says what it replaced; a delete that returned true or false,
// whether there was one. An absent key reads null and is what cas calls null; putting null deletes.
// Appending to an absent key gives the string itself, and appending null changes nothing (formats
// that write an absent value as an empty string). Its initial state is a map; empty by default.
func KV() model.Spec { return kv }

var kv = newTable(table{
	info: model.Info{
		Name:       "kv",
		Summary:    "a map from keys to values, with append and compare-and-set; \"key\" names the key",
		Initial:    "a map from keys to values, strings where they are appended to (default: empty)",
		KeyIsPiece: true,
		Example: `{"spec": "kv", "operations": [{"process": 0, "f": "put", "key": "x", "arg": "a", "call": 0, "return": 2}, ` +
			`{"process": 1, "f": "append", "key": "x", "arg": "b", "call": 1, "return": 4}, {"process": 0, "f": "get", "key": "x", "call": 5, "return": 7, "result": "ab"}, ` +
			`{"process": 1, "f": "cas", "key": "x", "arg": ["ab", "c"], "call": 6, "return": 9, "result": true}, {"process": 0, "f": "delete", "key": "x", "call": 8}, ` +
			`{"process": 2, "f": "get", "key": "y", "call": 3, "return": 8, "result": null}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "get", Aliases: []string{"read", "load", "r"},
			Result: "the value, or null if the key is absent"}, observes: true},
		{Operation: model.Operation{Name: "put", Aliases: []string{"write", "set", "store", "w"},
			Arg:    "the new value; null deletes",
			Result: "the value before; null, true, \"ok\" or the new value: not recorded"}},
		{Operation: model.Operation{Name: "append", Aliases: []string{"concat"},
			Arg: "a string, put behind the one that is there"}},
		{Operation: model.Operation{Name: "delete", Aliases: []string{"del", "remove", "rm", "unset"},
			Result: "true if the key was there, else false; or the value that was there; null or \"ok\": not recorded"}},
		{Operation: casOperation},
		{Operation: model.Operation{Name: "swap", Aliases: append(slices.Clone(swapOperation.Aliases), "get-and-put"),
			Arg: "the new value; null deletes", Result: "the value before, or null if the key was absent"},
			observes: true},
		{Operation: model.Operation{Name: "getanddelete", Aliases: []string{"get-and-remove", "getdel", "pop", "take"},
			Result: "the value that was there, or null if the key was absent"}, observes: true},
		{Operation: exchangeOperation},
	},
	bind:      bindKV,
	prepare:   prepareKV,
	together:  prepareKeys,
	footprint: touchesKey,
})

// touchesKey is the footprint of a kv: every key is a piece of its own.
func touchesKey(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	return append(dst, h.Ops[i].Key)
}

// entry returns the value of a key in a map value, nil if there is none. JSON writes all keys of
// maps as strings, also integers.
func entry(t *history.Values, m, key history.Value) history.Value {
	pairs, _ := t.AsMap(m)
	find := func(key history.Value) (history.Value, bool) {
		k := sort.Search(len(pairs)/2, func(k int) bool { return pairs[2*k] >= key })
		if 2*k == len(pairs) || pairs[2*k] != key {
			return history.Nil, false
		}
		return pairs[2*k+1], true
	}
	if v, ok := find(key); ok {
		return v
	}
	var other history.Value
	known := false
	if n, isInt := t.AsInt(key); isInt {
		other, known = t.FindString(strconv.FormatInt(n, 10))
	} else if s, isString := t.AsString(key); isString {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			other, known = t.FindInt(n)
		}
	}
	if !known {
		return history.Nil
	}
	v, _ := find(other)
	return v
}

// The operations of a kv, as they stand in its Info.
const (
	kvVerbGet = iota
	kvVerbPut
	kvVerbAppend
	kvVerbDelete
	kvVerbCAS
	kvVerbSwap
	kvVerbGetDelete
	kvVerbExchange
)

// The kinds of kv's operations after resolution. A swap that found a is a cas from a.
const (
	kvGet    int32 = iota // any value
	kvSee                 // the value a
	kvPut                 // a
	kvAppend              // the token a
	kvAppendEmpty
	kvAppendNothing
	kvSwap // from a to b, result unknown
	kvSwapped
	kvUnswapped
	kvRemove // whatever there is, but something: from not a to a, which is null
)

// kvOp is an operation on a key; a and b are values, and numbers of values once they are resolved.
type kvOp struct{ form, a, b int32 }

// kvKey is one key with its operations. It is immutable once bound.
type kvKey struct {
	spec    *table
	part    *model.Partition
	initial history.Value
	appends bool // some operation appends

	table  *history.Values
	ops    []kvOp
	init   int32
	count  int             // numbers of values are below it
	values []history.Value // by number, as long as there is no growth
	growth *growth         // of a key with appends, unless there are too many ways to grow
	real   bool            // there are too many: states are real strings
}

// Bind implements model.Prepared.
func (k *kvKey) Bind() *model.Instance {
	s, p := k.spec, k.part
	scratch := kvScratches.Get()
	scratch.values = k.number(p, k.initial, scratch.values[:0])
	if k.appends {
		k.grow(scratch.values, &scratch.grow)
	}
	if k.growth == nil {
		k.values = valuesForKV(scratch.values)
	}
	b := s.instance(p)
	sigs := &scratch.sigs
	n := k.count
	if k.growth != nil {
		n += k.growth.tokenCount()
	}
	for i, o := range k.ops {
		switch o.form {
		case kvSwap, kvSwapped, kvUnswapped:
			b.ReadOnly[i] = o.form == kvUnswapped || o.a == o.b
			b.EquivID[i] = sigs.pair(o.form, o.a, o.b)
		default:
			b.ReadOnly[i] = o.form == kvGet || o.form == kvSee || o.form == kvAppendNothing
			b.EquivID[i] = sigs.one(o.form, o.a, n)
		}
	}
	giveKVScratch(scratch)
	if b.TheoryLeft = p.TheoryLater && k.growth != nil; !b.TheoryLeft {
		if c := k.cells(p); c != nil {
			b.Theory = c
		}
	}
	b.NewMachine = func() model.Machine { return (*kvMachine)(k) }
	if k.real {
		b.NewMachine = k.realMachine
	}
	b.Refusal = k.refuse
	return b
}

// number numbers the values as the history writes them, in memory that the next key uses again.
func (k *kvKey) number(p *model.Partition, initial history.Value, room []history.Value) []history.Value {
	var numbers numbering
	numbers.openIn(p, room)
	k.init = numbers.of(initial)
	for i := range k.ops {
		switch o := &k.ops[i]; o.form {
		case kvAppend:
			if text, _ := k.table.AsString(history.Value(o.a)); text == "" {
				o.form, o.a = kvAppendEmpty, 0
				continue
			}
			o.a = numbers.of(history.Value(o.a))
		case kvSee, kvPut, kvRemove:
			o.a = numbers.of(history.Value(o.a))
		case kvSwap, kvSwapped, kvUnswapped:
			o.a, o.b = numbers.of(history.Value(o.a)), numbers.of(history.Value(o.b))
		}
	}
	numbers.release()
	k.count = len(numbers.values)
	return numbers.values
}

// grow numbers the values of a key with appends, after growing.
func (k *kvKey) grow(values []history.Value, scratch *growScratch) {
	use := slices.Grow(scratch.use[:0], len(values))[:len(values)]
	clear(use)
	scratch.use = use
	use[k.init] |= isStart
	emptyToken := false
	for _, o := range k.ops {
		switch o.form {
		case kvSee:
			use[o.a] |= isTested
		case kvPut:
			use[o.a] |= isStart
		case kvSwap, kvSwapped, kvUnswapped:
			use[o.a] |= isTested
			use[o.b] |= isStart
		case kvRemove:
			use[o.a] |= isStart
		case kvAppend:
			use[o.a] |= isToken
		case kvAppendEmpty:
			emptyToken = true
		}
	}
	g := grow(k.table, values, emptyToken, edgeLimit(len(k.ops)), scratch)
	if g == nil {
		k.real = true
		return
	}
	for i := range k.ops {
		switch o := &k.ops[i]; o.form {
		case kvSee, kvPut, kvRemove:
			o.a = scratch.number[o.a]
		case kvSwap, kvSwapped, kvUnswapped:
			o.a, o.b = scratch.number[o.a], scratch.number[o.b]
		case kvAppend:
			o.a = scratch.token[o.a]
		}
	}
	k.growth, k.count, k.init = g, g.count(), scratch.number[k.init]
}

// cells describes the operations in the vocabulary of registers, nil if that takes too many modes.
func (k *kvKey) cells(p *model.Partition) *model.RegisterTheory {
	if k.real {
		return nil
	}
	all := model.RegisterTheoryIn(make([]int32, len(k.ops)+1), k.mostModes())
	c := &all
	c.Init, c.Values, c.FromInit = []int32{k.init}, k.count, k.growth != nil
	var modes [][]model.Mode // by token
	if k.growth != nil {
		modes = make([][]model.Mode, k.growth.tokenCount())
	}
	for i, o := range k.ops {
		switch o.form {
		case kvGet, kvAppendNothing:
			c.Add(0, model.Mode{Test: model.Any, Leaves: model.Keep})
		case kvSee:
			c.Add(0, model.Mode{Test: model.Is, V: o.a, Leaves: model.Keep})
		case kvPut:
			c.Add(0, model.Mode{Test: model.Any, Leaves: o.a})
		case kvRemove:
			c.Add(0, model.Mode{Test: model.Not, V: o.a, Leaves: o.a})
		case kvAppend:
			switch edges := k.growth.of(o.a); {
			case len(edges) == 0:
				c.Add(0, model.Mode{Test: model.Any, Leaves: otherString})
			case len(edges) == 1:
				c.Add(0, model.Mode{Test: model.Is, V: edges[0].from, Leaves: edges[0].to},
					model.Mode{Test: model.Not, V: edges[0].from, Leaves: otherString})
			case modes[o.a] == nil:
				modes[o.a] = appendModes(edges)
				fallthrough
			default:
				c.Add(0, modes[o.a]...)
			}
			if len(c.Modes) > maxAppendModes*len(k.ops) {
				return nil
			}
		case kvAppendEmpty:
			c.Add(0, model.Mode{Test: model.Is, V: noString, Leaves: k.growth.empty},
				model.Mode{Test: model.Not, V: noString, Leaves: model.Keep})
		default:
			c.Add(0, casModes(o.a, o.b, kvOutcome(o.form), p.Ops[i].Pending())...)
		}
	}
	return c
}

// mostModes returns an upper bound on the modes of all operations together, but at most what cells
// accepts.
func (k *kvKey) mostModes() int {
	n := 0
	for i := range k.ops {
		switch o := &k.ops[i]; o.form {
		case kvAppend:
			n += 1 + len(k.growth.of(o.a))
		case kvAppendEmpty, kvSwap:
			n += 2
		default:
			n++
		}
	}
	return min(n, maxAppendModes*len(k.ops))
}

// appendModes returns the modes of an append that leads from some strings to others.
func appendModes(edges []stringEdge) []model.Mode {
	var modes []model.Mode
	elsewhere := model.Mode{Test: model.Not, V: edges[0].from, Leaves: otherString}
	for _, e := range edges {
		modes = append(modes, model.Mode{Test: model.Is, V: e.from, Leaves: e.to})
	}
	for _, e := range edges[1:] {
		elsewhere.Others = append(elsewhere.Others, e.from)
	}
	return append(modes, elsewhere)
}

func kvOutcome(form int32) outcome {
	switch form {
	case kvSwapped:
		return yes
	case kvUnswapped:
		return no
	}
	return unknown
}

// kvMachine executes one key; a state is the number of its value.
type kvMachine kvKey

func (m *kvMachine) Init() model.State { return model.State(m.init) }

func (m *kvMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	o := &m.ops[op]
	here := int32(s)
	switch o.form {
	case kvGet, kvAppendNothing:
		return append(dst, s)
	case kvSee:
		if here == o.a {
			return append(dst, s)
		}
	case kvPut:
		return append(dst, model.State(o.a))
	case kvRemove:
		if here != o.a {
			return append(dst, model.State(o.a))
		}
	case kvAppend:
		return append(dst, model.State(m.growth.after(here, o.a)))
	case kvAppendEmpty:
		if here == noString {
			return append(dst, model.State(m.growth.empty))
		}
		return append(dst, s)
	default:
		switch {
		case here == o.a && o.form != kvUnswapped:
			return append(dst, model.State(o.b))
		case here != o.a && o.form != kvSwapped:
			return append(dst, s)
		}
	}
	return dst
}

func (m *kvMachine) Describe(s model.State) string { return (*kvKey)(m).describe(int32(s)) }

func (m *kvMachine) Bytes() int64 { return 0 }

// OtherString describes the values of a key that no operation can tell apart: strings that are
// no beginning of one that is found.
const OtherString = "some other string"

func (k *kvKey) describe(number int32) string {
	switch {
	case k.growth == nil:
		return k.table.Format(k.values[number])
	case number == noString:
		return "null"
	case number == otherString:
		return OtherString
	}
	if v, ok := k.growth.strange[number]; ok {
		return k.table.Format(v)
	}
	return quote(k.growth.text(number))
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil { // a string always has a JSON form
		panic("spec: " + err.Error())
	}
	return string(text)
}

// realString is the value of a key: a string, or null.
type realString struct {
	there bool
	text  string
}

// realMachine executes a key with its real strings.
func (k *kvKey) realMachine() model.Machine {
	strings := make([]realString, len(k.values))
	// not for values that are not strings: they occur in tests only
	possible := make([]bool, len(k.values))
	for i, v := range k.values {
		text, isString := k.table.AsString(v)
		strings[i], possible[i] = realString{isString, text}, isString || v == history.Nil
	}
	step := func(s realString, op history.OpID, dst []realString) []realString {
		o := &k.ops[op]
		found := possible[o.a] && strings[o.a] == s
		switch o.form {
		case kvPut:
			s = strings[o.a]
		case kvAppend:
			s = realString{true, s.text + strings[o.a].text}
		case kvAppendEmpty:
			s.there = true
		case kvSee, kvSwapped:
			if !found {
				return dst
			}
		case kvUnswapped:
			if found {
				return dst
			}
		case kvRemove:
			if found {
				return dst
			}
			s = realString{}
		}
		if found && (o.form == kvSwap || o.form == kvSwapped) {
			s = strings[o.b]
		}
		return append(dst, s)
	}
	describe := func(s realString) string {
		if !s.there {
			return "null"
		}
		return quote(s.text)
	}
	return model.NewComparable(strings[k.init], step, describe, func(s realString) int64 { return int64(len(s.text)) })
}

func (k *kvKey) refuse(m model.Machine, s model.State, op history.OpID) string {
	found := shorten(m.Describe(s))
	switch o := k.ops[op]; o.form {
	case kvSee, kvSwapped:
		if found == OtherString {
			return "the value is not " + shorten(k.describe(o.a))
		}
		return fmt.Sprintf("the value is %s, not %s", found, shorten(k.describe(o.a)))
	case kvUnswapped:
		return fmt.Sprintf("the value is %s, so the cas cannot fail", found)
	case kvRemove:
		return "the key is absent"
	}
	return ""
}

// shorten omits the middle of a text that is too long for a message.
func shorten(text string) string {
	if len(text) <= textHead+textTail+8 {
		return text
	}
	a, b := textHead, len(text)-textTail
	for !utf8.RuneStart(text[a]) {
		a--
	}
	for !utf8.RuneStart(text[b]) {
		b++
	}
	return text[:a] + " … " + text[b:]
}
