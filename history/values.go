package history

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/linsat/linsat/history/internal/lex"
)

// Value is an interned value: two values of one Values table are equal exactly
// when their numbers are. Nil, False and True have the same number in every table.
type Value int32

// The values that every table holds from the start.
const (
	Nil Value = iota
	False
	True
)

// valueKind is the kind of a value.
type valueKind uint8

// The kinds of values.
const (
	kindNil valueKind = iota
	kindBool
	kindInt
	kindString
	kindList
	kindMap
)

func (k valueKind) String() string {
	return [...]string{"null", "a boolean", "an integer", "a string", "a list", "a map"}[k]
}

// datum is a value: an integer or a boolean directly, other values as an index into texts or lists.
type datum struct {
	n    int64
	kind valueKind
}

// Values interns the values of one history: equal values get equal numbers.
// Readers may share it; only one goroutine may add to it at a time, and not
// while others read. The zero value is an empty table. A number that no value of the table has
// stands for Nil.
type Values struct {
	data      []datum
	texts     []string
	room      room
	lists     [][]Value       // elements of lists; keys and values in turn of maps, sorted by key
	small     []Value         // ints from 0 on, 0 where absent
	ints      map[int64]Value // the others
	strs      map[string]Value
	compounds compounds
	adopted   []Value // elements of the last one from another table
	bytes     int64   // estimate of what the values take
	// Int, List and Map add a value each time, without looking for it: the table is read once, by
	// adopt
	loose bool
}

// newValues returns a table that holds Nil, False and True.
func newValues() *Values {
	t := &Values{}
	t.begin()
	return t
}

// begin puts Nil, False and True into an empty table.
func (t *Values) begin() {
	t.data = append(t.data, everyTable[:]...)
	t.ints, t.strs = map[int64]Value{}, map[string]Value{}
}

var everyTable = [...]datum{{kind: kindNil}, {kind: kindBool}, {kind: kindBool, n: 1}}

// reset empties a loose table. It keeps its memory, but for the texts and elements.
func (t *Values) reset() {
	t.data, t.texts, t.lists, t.room = t.data[:True+1], t.texts[:0], t.lists[:0], room{}
	clear(t.strs)
	t.bytes = 0
}

// Bytes estimates what the values take.
func (t *Values) Bytes() int64 { return t.bytes }

// Len returns how many values there are; they are numbered from 0.
func (t *Values) Len() int { return len(t.data) }

// add adds a value that takes the given number of bytes in addition to its entry.
func (t *Values) add(d datum, bytes int) Value {
	if len(t.data) == 0 {
		t.begin()
	}
	t.bytes += valueBytes + int64(bytes)
	if len(t.data) == cap(t.data) {
		t.data = slices.Grow(t.data, len(t.data)) // append copies a long table far more often
	}
	t.data = append(t.data, d)
	return Value(len(t.data) - 1)
}

// Bool returns True or False.
func (t *Values) Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Int interns an integer.
func (t *Values) Int(n int64) Value {
	if t.loose {
		return t.add(datum{n, kindInt}, 0)
	}
	if 0 <= n && n < int64(len(t.small)) {
		if v := t.small[n]; v != 0 {
			return v
		}
		v := t.add(datum{n, kindInt}, 0)
		t.small[n] = v
		return v
	}
	if v, ok := t.ints[n]; ok {
		return v
	}
	v := t.add(datum{n, kindInt}, 0)
	if n < 0 || n >= smallInts && n > 2*int64(len(t.data)) {
		t.ints[n] = v
		return v
	}
	t.widen(n)
	t.small[n] = v
	return v
}

// widen doubles the table of small integers until n fits.
func (t *Values) widen(n int64) {
	small := make([]Value, max(leastSmallInts, 2*(n+1)))
	copy(small, t.small)
	for k, v := range t.ints {
		if 0 <= k && k < int64(len(small)) {
			small[k] = v
			delete(t.ints, k)
		}
	}
	t.small = small
}

// String interns a string. A byte of it that is not UTF-8, which JSON has no way to write, becomes
// U+FFFD and its two hexadecimal digits, so that different strings stay different values.
func (t *Values) String(s string) Value {
	if v, ok := t.strs[s]; ok {
		return v
	}
	if !utf8.ValidString(s) {
		return t.String(lex.ValidString(s))
	}
	return t.newText(s)
}

// newText adds a string that the table does not hold.
func (t *Values) newText(s string) Value {
	s = t.room.text(s)
	v := t.add(datum{int64(len(t.texts)), kindString}, len(s))
	t.texts = append(t.texts, s)
	t.strs[s] = v
	return v
}

// StringBytes interns a string that lies in b, which is not kept.
func (t *Values) StringBytes(b []byte) Value {
	if v, ok := t.strs[string(b)]; ok {
		return v
	}
	return t.String(string(b))
}

// List interns a list. The slice is not kept.
func (t *Values) List(elements []Value) Value { return t.compound(kindList, elements) }

// Map interns a map given as keys and values in turn; of equal keys the last
// one counts. The slice is not kept.
func (t *Values) Map(pairs []Value) Value {
	last := make(map[Value]Value, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		last[pairs[i]] = pairs[i+1]
	}
	keys := make([]Value, 0, len(last))
	for k := range last {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	flat := make([]Value, 0, 2*len(keys))
	for _, k := range keys {
		flat = append(flat, k, last[k])
	}
	return t.compound(kindMap, flat)
}

// adoptSome interns the marked values of another table and what they are made of, and returns their
// numbers here. It marks these, too.
func (t *Values) adoptSome(from *Values, marked []bool) []Value {
	for v := len(marked) - 1; v >= 0; v-- { // elements have lower numbers
		if d := from.data[v]; marked[v] && (d.kind == kindList || d.kind == kindMap) {
			for _, e := range from.lists[d.n] {
				marked[e] = true
			}
		}
	}
	as := make([]Value, len(marked))
	for v := range as {
		if marked[v] {
			as[v] = t.adopt(from, Value(v), as)
		}
	}
	return as
}

// adopt interns value v of another table, whose values up to v have the numbers as in this one.
func (t *Values) adopt(from *Values, v Value, as []Value) Value {
	d := from.data[v]
	elements := func() []Value {
		t.adopted = t.adopted[:0]
		for _, e := range from.lists[d.n] {
			t.adopted = append(t.adopted, as[e])
		}
		return t.adopted
	}
	switch d.kind {
	case kindInt:
		return t.Int(d.n)
	case kindString:
		s := from.texts[d.n]
		if own, ok := t.strs[s]; ok {
			return own
		}
		return t.newText(s)
	case kindList:
		return t.List(elements())
	case kindMap:
		return t.Map(elements())
	}
	return v // every table has it
}

// Kind returns what a value is, for messages: "null", "a boolean", "an integer", "a string",
// "a list" or "a map".
func (t *Values) Kind(v Value) string { return t.kind(v).String() }

func (t *Values) kind(v Value) valueKind { return t.at(v).kind }

// at returns what a number stands for. It is inlined in its callers here, and they
// are not: they have some four hundred.
func (t *Values) at(v Value) datum {
	if uint(v) < uint(len(t.data)) {
		return t.data[v]
	}
	if uint(v) < uint(len(everyTable)) {
		return everyTable[v]
	}
	return datum{}
}

// AsInt returns the integer v; ok is false if v is not an integer.
//
//go:noinline
func (t *Values) AsInt(v Value) (n int64, ok bool) {
	if d := t.at(v); d.kind == kindInt {
		return d.n, true
	}
	return 0, false
}

// AsString returns the string v; ok is false if v is not a string.
//
//go:noinline
func (t *Values) AsString(v Value) (s string, ok bool) {
	if d := t.at(v); d.kind == kindString {
		return t.texts[d.n], true
	}
	return "", false
}

// AsList returns the elements of the list v, which must not be changed; ok is false if v is not a
// list.
//
//go:noinline
func (t *Values) AsList(v Value) (elements []Value, ok bool) {
	if d := t.at(v); d.kind == kindList {
		return t.lists[d.n], true
	}
	return nil, false
}

// AsMap returns the keys and values in turn of the map v, which must not be changed; ok is false if
// v is not a map.
//
//go:noinline
func (t *Values) AsMap(v Value) (pairs []Value, ok bool) {
	if d := t.at(v); d.kind == kindMap {
		return t.lists[d.n], true
	}
	return nil, false
}

// FindInt returns the value of an integer that the table already holds; the second result is false
// if it does not.
func (t *Values) FindInt(n int64) (Value, bool) {
	if 0 <= n && n < int64(len(t.small)) {
		return t.small[n], t.small[n] != 0
	}
	v, ok := t.ints[n]
	return v, ok
}

// FindString returns the value of a string that the table already holds; the second result is false
// if it does not.
func (t *Values) FindString(s string) (Value, bool) {
	v, ok := t.strs[s]
	return v, ok
}

// Format writes v as JSON, the form in which messages show it.
func (t *Values) Format(v Value) string { return string(t.AppendJSON(nil, v)) }

// AppendJSON appends v as JSON to dst. Map keys that are not strings are written as the string of
// their JSON.
func (t *Values) AppendJSON(dst []byte, v Value) []byte {
	d := t.at(v)
	switch d.kind {
	case kindNil:
		return append(dst, "null"...)
	case kindBool:
		return strconv.AppendBool(dst, d.n == 1)
	case kindInt:
		return strconv.AppendInt(dst, d.n, 10)
	case kindString:
		return lex.AppendJSONString(dst, t.texts[d.n])
	case kindList:
		dst = append(dst, '[')
		for i, e := range t.lists[d.n] {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = t.AppendJSON(dst, e)
		}
		return append(dst, ']')
	case kindMap:
		return t.appendMap(dst, t.lists[d.n])
	}
	panic(fmt.Sprintf("history: value %d has kind %d", v, d.kind))
}

// appendMap writes a map with its keys in the order of their spelling, so that equal
// maps look alike whatever table they are in.
func (t *Values) appendMap(dst []byte, pairs []Value) []byte {
	type member struct {
		key   string
		value Value
	}
	members := make([]member, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		key, isString := t.AsString(pairs[i])
		if !isString {
			key = t.Format(pairs[i])
		}
		members = append(members, member{key, pairs[i+1]})
	}
	sort.Slice(members, func(i, j int) bool { return members[i].key < members[j].key })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(lex.AppendJSONString(dst, m.key), ": "...)
		dst = t.AppendJSON(dst, m.value)
	}
	return append(dst, '}')
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
