package jepsen

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"slices"
	"sort"
	"strconv"

	"olympos.io/encoding/edn"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Cutting EDN into forms, with line numbers.
//
// What: the outer structure (a vector, a list or a stream of maps, and the keys and
// values of each map) is walked here, and values are decoded by olympos.io/encoding/edn.
//
// Why: the library has no lines, decodes a vector of a million maps into one tree, and refuses
// things that real logs hold under irrelevant keys (1/2, ##Inf, #object[...]). Such forms are
// skipped without being decoded.
//
// Invariants: a form is copied without its comments and discarded forms; nesting is
// at most maxDepth, so that the library's recursion stays bounded.

type ednLexer struct {
	*lex.Source
	values *history.Values
	text   []byte // the copied forms
	depth  int
	again  *bufio.Reader // what the library reads from, to be used again
	from   *bytes.Reader
	// of integers, to be used again
	numbers []int64
	list    []history.Value
}

func newEDNLexer(s *lex.Source, values *history.Values) *ednLexer {
	l := &ednLexer{Source: s, values: values, from: bytes.NewReader(nil)}
	l.again = bufio.NewReaderSize(l.from, 1<<12)
	return l
}

func ednSpace(c byte) bool { return c <= ' ' || c == ',' }

func ednDelimiter(c byte) bool {
	return ednSpace(c) || c == '"' || c == ';' || c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}'
}

// space consumes white space, commas, comments and discarded forms, and returns
// the byte after it, or false at the end. hash says that a '#' was consumed before it.
func (l *ednLexer) space() (c byte, hash, ok bool, err error) {
	for {
		c, ok := l.Peek()
		switch {
		case !ok:
			return 0, false, false, nil
		case ednSpace(c):
			l.Skip()
		case c == ';':
			if _, _, err := l.Source.Text(); err != nil {
				return 0, false, false, err
			}
		case c == '#':
			l.Skip()
			c, ok := l.Peek()
			if !ok {
				return 0, false, false, l.Truncated("a form")
			}
			if c != '_' {
				return c, true, true, nil
			}
			l.Skip()
			if err := l.deeper(); err != nil { // #_#_#_ nests, too
				return 0, false, false, err
			}
			if err := l.form(false); err != nil {
				return 0, false, false, err
			}
			l.depth--
		default:
			return c, false, true, nil
		}
	}
}

// form consumes one form, and appends it to text if keep is set.
func (l *ednLexer) form(keep bool) error {
	c, hash, ok, err := l.space()
	if err != nil {
		return err
	}
	if !ok {
		return l.Truncated("a form")
	}
	return l.rest(c, hash, keep)
}

// rest consumes the form that begins with c, which space returned.
func (l *ednLexer) rest(c byte, hash, keep bool) error {
	if hash {
		if err := l.put('#', keep); err != nil {
			return err
		}
		if c != '{' && c != '"' {
			if ednDelimiter(c) {
				return &history.Error{Line: l.Line, What: fmt.Sprintf("%s after a '#'", lex.Shown(c)),
					Hint: "the input is not valid EDN at this place"}
			}
			if err := l.atom(keep); err != nil { // a tag, or ##Inf
				return err
			}
			if c == '#' {
				return nil
			}
			if err := l.put(' ', keep); err != nil {
				return err
			}
			if err := l.deeper(); err != nil {
				return err
			}
			err := l.form(keep)
			l.depth--
			return err
		}
	}
	switch c {
	case '"':
		return l.str(keep)
	case '(':
		return l.nested(')', keep)
	case '[':
		return l.nested(']', keep)
	case '{':
		return l.nested('}', keep)
	case ')', ']', '}':
		return &history.Error{Line: l.Line, What: fmt.Sprintf("%q without an opening bracket", c),
			Hint: "the brackets do not match up to here"}
	}
	return l.atom(keep)
}

func (l *ednLexer) deeper() error {
	if l.depth++; l.depth > lex.MaxDepth {
		return lex.TooDeep(l.Line)
	}
	return nil
}

func (l *ednLexer) put(c byte, keep bool) error {
	if !keep {
		return nil
	}
	if l.Limit > 0 && int64(len(l.text)) >= l.Limit {
		return lex.TooLarge(l.Line, l.Limit)
	}
	l.text = append(l.text, c)
	return nil
}

// one consumes the next byte.
func (l *ednLexer) one(keep bool, inside string) (byte, error) {
	c, ok := l.Peek()
	if !ok {
		return 0, l.Truncated(inside)
	}
	l.Skip()
	return c, l.put(c, keep)
}

func (l *ednLexer) str(keep bool) error {
	_, err := l.one(keep, "a string")
	for err == nil {
		var c byte
		c, err = l.one(keep, "a string")
		if c == '"' {
			return err
		}
		if c == '\\' && err == nil {
			_, err = l.one(keep, "a string")
		}
	}
	return err
}

func (l *ednLexer) atom(keep bool) error {
	c, err := l.one(keep, "a form")
	if err == nil && c == '\\' { // a character may be a delimiter
		_, err = l.one(keep, "a character")
	}
	for err == nil {
		c, ok := l.Peek()
		if !ok || ednDelimiter(c) {
			return nil
		}
		_, err = l.one(keep, "a form")
	}
	return err
}

func (l *ednLexer) nested(end byte, keep bool) error {
	if _, err := l.one(keep, "a form"); err != nil {
		return err
	}
	if err := l.deeper(); err != nil {
		return err
	}
	open := l.Line
	for first := true; ; first = false {
		c, hash, ok, err := l.space()
		switch {
		case err != nil:
			return err
		case !ok:
			return l.Truncated("a form")
		case c == end && !hash:
			l.depth--
			_, err := l.one(keep, "a form")
			return err
		case (c == ')' || c == ']' || c == '}') && !hash:
			return &history.Error{Line: l.Line, What: fmt.Sprintf("%q where %q belongs", c, end),
				Hint: fmt.Sprintf("the bracket was opened in line %d", open)}
		}
		if err := l.put(' ', keep && !first); err != nil {
			return err
		}
		if keep && !hash && l.digits() {
			continue
		}
		if err := l.rest(c, hash, keep); err != nil {
			return err
		}
	}
}

// decode interns the value that text holds. Keywords and symbols become strings
// without their colon, sets sorted lists, map keys strings; tags are dropped.
func (l *ednLexer) decode(text []byte, line int) (history.Value, error) {
	switch {
	case len(text) == 0, string(text) == "nil":
		return history.Nil, nil
	case string(text) == "true":
		return history.True, nil
	case string(text) == "false":
		return history.False, nil
	case len(text) > 1 && text[0] == '"' && bytes.IndexByte(text[1:], '"') == len(text)-2 &&
		bytes.IndexByte(text, '\\') < 0:
		return l.values.StringBytes(text[1 : len(text)-1]), nil
	case opaqueNumber(text):
		return l.values.StringBytes(text), nil
	case lex.PlainInt(text):
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return history.Nil, lex.NotInteger(string(text), line)
		}
		return l.values.Int(n), nil
	}
	if v, ok := l.integers(text); ok {
		return v, nil
	}
	if v, ok := l.vectors(text); ok {
		return v, nil
	}
	if l.Limit > 0 && ednTreeBytes*int64(len(text)) > l.Limit {
		return history.Nil, lex.TooLarge(line, l.Limit)
	}
	if bytes.IndexByte(text, '/') >= 0 || bytes.Contains(text, []byte("##")) {
		text = quoteOpaque(text)
	}
	l.from.Reset(text)
	l.again.Reset(l.from)
	var x any
	if err := decodeEDN(edn.NewDecoder(l.again), &x); err != nil {
		return history.Nil, &history.Error{Line: line, What: fmt.Sprintf("the value %s cannot be read: %v",
			lex.Abbreviate(string(text)),
			err), Hint: "the input is not valid EDN at this place"}
	}
	return l.intern(x, line)
}

// decodeEDN turns the library's panics on odd input into errors.
func decodeEDN(d *edn.Decoder, x *any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return d.Decode(x)
}

// opaqueNumber reports whether text is a number that is not an integer but equals no other number:
// a ratio like 1/2, ##Inf, ##-Inf or ##NaN. Such values are opaque here, strings of their text.
// (##NaN is a value like every other: two of them are equal.)
func opaqueNumber(text []byte) bool {
	if bytes.HasPrefix(text, []byte("##")) {
		return string(text) == "##NaN" || string(text) == "##Inf" || string(text) == "##-Inf"
	}
	over, under, found := bytes.Cut(text, []byte{'/'})
	return found && lex.PlainInt(over) && lex.PlainInt(under) && under[0] != '-'
}

// quoteOpaque puts the opaque numbers of a form in quotes, since the library refuses them.
func quoteOpaque(text []byte) []byte {
	out := make([]byte, 0, len(text)+8)
	for at := 0; at < len(text); {
		end := at + 1
		switch c := text[at]; {
		case c == '"':
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
		case c == '\\': // a character, which may be a delimiter
			end = min(at+2, len(text))
		case !ednDelimiter(c):
			for end < len(text) && !ednDelimiter(text[end]) {
				end++
			}
			if opaqueNumber(text[at:end]) {
				out = append(append(append(out, '"'), text[at:end]...), '"')
				at = end
				continue
			}
		}
		out = append(out, text[at:end]...)
		at = end
	}
	return out
}

// intern turns what the library decoded into a value.
func (l *ednLexer) intern(x any, line int) (history.Value, error) {
	t := l.values
	switch x := x.(type) {
	case nil:
		return history.Nil, nil
	case bool:
		return t.Bool(x), nil
	case int64:
		return t.Int(x), nil
	case *big.Int:
		if !x.IsInt64() {
			return history.Nil, lex.NotInteger(x.String(), line)
		}
		return t.Int(x.Int64()), nil
	case float64, *big.Float:
		return history.Nil, lex.NotInteger(fmt.Sprint(x), line)
	case rune:
		return t.String(string(x)), nil
	case string:
		return t.String(x), nil
	case edn.Keyword:
		return t.String(string(x)), nil
	case edn.Symbol:
		return t.String(string(x)), nil
	case edn.Tag:
		return l.intern(x.Value, line)
	case *any: // how the library hides a list or map among the elements of a set
		return l.intern(*x, line)
	case []any:
		return l.internList(slices.Values(x), line)
	case map[any]bool:
		return l.internSet(x, line)
	case map[any]any:
		return l.internMap(x, line)
	}
	return t.String(fmt.Sprint(x)), nil // #inst and other tags that the library knows
}

func (l *ednLexer) internList(elements iter.Seq[any], line int) (history.Value, error) {
	var list []history.Value
	for e := range elements {
		v, err := l.intern(e, line)
		if err != nil {
			return history.Nil, err
		}
		list = append(list, v)
	}
	return l.values.List(list), nil
}

// inOrder returns keys in an order that depends on them alone, so that equal inputs number their
// values alike.
func inOrder(keys iter.Seq[any]) []any {
	text := map[any]string{}
	for k := range keys {
		text[k] = fmt.Sprint(plain(k))
	}
	list := slices.Collect(maps.Keys(text))
	sort.Slice(list, func(i, j int) bool { return text[list[i]] < text[list[j]] })
	return list
}

// plain returns what the library hides behind a pointer: a list or map that is a key.
func plain(k any) any {
	if p, ok := k.(*any); ok {
		return *p
	}
	return k
}

func (l *ednLexer) internSet(set map[any]bool, line int) (history.Value, error) {
	v, err := l.internList(slices.Values(inOrder(maps.Keys(set))), line)
	if err != nil {
		return history.Nil, err
	}
	list, _ := l.values.AsList(v)
	sorted := slices.SortedFunc(slices.Values(list), func(x, y history.Value) int {
		a, aInt := l.values.AsInt(x)
		b, bInt := l.values.AsInt(y)
		if aInt && bInt {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(l.values.Format(x), l.values.Format(y))
	})
	return l.values.List(sorted), nil
}

func (l *ednLexer) internMap(m map[any]any, line int) (history.Value, error) {
	type pair struct {
		key   string
		value any
	}
	var pairs []pair
	for _, k := range inOrder(maps.Keys(m)) {
		x := m[k]
		v, err := l.intern(plain(k), line)
		if err != nil {
			return history.Nil, err
		}
		key, isString := l.values.AsString(v)
		if !isString {
			key = l.values.Format(v)
		}
		pairs = append(pairs, pair{key, x})
	}
	sort.Slice(pairs, func(a, b int) bool { return pairs[a].key < pairs[b].key })
	var flat []history.Value
	for i, p := range pairs {
		if i > 0 && p.key == pairs[i-1].key {
			return history.Nil,
				&history.Error{Line: line, What: fmt.Sprintf("a map has the key %q twice, once as another kind of "+
					"value",
					lex.Abbreviate(p.key)),
					Hint: "keys are compared as strings"}
		}
		v, err := l.intern(p.value, line)
		if err != nil {
			return history.Nil, err
		}
		flat = append(flat, l.values.String(p.key), v)
	}
	return l.values.Map(flat), nil
}
