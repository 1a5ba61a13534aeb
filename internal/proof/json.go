package proof

// Proofs in JSON, by the tags of their structs.
//
// What: a proof is an object with its kind, the version of that form, and a field for each field of
// its struct that has a tag:
//
//	json:"name"    what the field is called
//	none:"-1"      the value that stands for none, which is left out; of a list, the empty one
//	min:"1"        the least number, also of those in a list; a list of other things has some
//	words:"a,b"    what false and true are called
//	inf:"true"     a bound of a factor (Bound)
//	items:"true"   -1-j of an operation is the j-th item (Displacement)
//
// Rules are words, which their type lists. Operations are positions in the partition, from 0; INIT,
// PAST, NONE, ITEMk and DRAINS stand for what is not an operation. A type with a form of its own
// (Weakening, Node, Lemma, Bound) writes and reads itself. So a certificate stays the same when a
// constant or a field is renamed in Go.
//
// Invariants: what Marshal writes, Unmarshal reads as the same proof. Unmarshal refuses kinds,
// versions, words and fields that it does not know, and proofs without a field that has no none.

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/quasi"
)

// version is the version of the forms in which proofs of all kinds are written.
const version = 1

// Marshal writes a proof as JSON; the error says what of it has no JSON form.
func Marshal(p Proof) ([]byte, error) {
	text := fmt.Appendf(nil, `{"kind":%q,"version":%d`, p.Kind(), version)
	text, err := appendFields(text, reflect.ValueOf(p).Elem())
	return append(text, '}'), err
}

// Unmarshal reads what Marshal writes. The error says what is unknown or malformed.
func Unmarshal(data []byte) (Proof, error) {
	var header struct {
		Kind    Kind `json:"kind"`
		Version int  `json:"version"`
	}
	if err := json.Unmarshal(data, &header); err != nil {
		return nil, fmt.Errorf("malformed proof: %w", err)
	}
	i := slices.IndexFunc(kinds, func(p Proof) bool { return p.Kind() == header.Kind })
	switch {
	case i < 0:
		return nil, fmt.Errorf("unknown kind of proof %q (this linsat knows %s)", header.Kind, known())
	case header.Version != version:
		return nil, fmt.Errorf("the proof of kind %q is of version %d, but this linsat reads version %d",
			header.Kind, header.Version, version)
	}
	p := reflect.New(reflect.TypeOf(kinds[i]).Elem())
	if err := readFields(data, p.Elem(), "kind", "version"); err != nil {
		return nil, fmt.Errorf("malformed proof of kind %q: %w", header.Kind, err)
	}
	return p.Interface().(Proof), nil
}

// known lists the kinds of proofs for an error.
func known() string {
	var words []string
	for _, k := range Kinds() {
		words = append(words, string(k))
	}
	return strings.Join(words, ", ")
}

// wordy is a type whose values are words in JSON, by number; "" for numbers that are not used.
type wordy interface{ words() []string }

// partial is a struct that has only some of its fields, by the names that it lists, once those
// before them are read.
type partial interface{ has(field string) bool }

var operationType = reflect.TypeFor[history.OpID]()

// appendFields appends the fields of a struct, each after a comma.
func appendFields(text []byte, of reflect.Value) ([]byte, error) {
	some, chooses := of.Interface().(partial)
	for i := range of.NumField() {
		tag := of.Type().Field(i).Tag
		name := tag.Get("json")
		x := of.Field(i)
		if name == "" || chooses && !some.has(name) || isNone(x, tag) {
			continue
		}
		text = fmt.Appendf(text, `,%q:`, name)
		var err error
		if err = checkLeast(x, name, tag); err == nil {
			text, err = appendValue(text, x, tag)
		}
		if err != nil {
			return nil, err
		}
	}
	return text, nil
}

// isNone reports whether a field has the value that stands for none.
func isNone(x reflect.Value, tag reflect.StructTag) bool {
	none, optional := tag.Lookup("none")
	switch {
	case !optional:
		return false
	case x.Kind() == reflect.Slice:
		return x.Len() == 0
	case x.Kind() == reflect.Pointer:
		return x.IsNil()
	}
	return strconv.FormatInt(x.Int(), 10) == none
}

// checkLeast refuses what is missing or below its least value.
func checkLeast(x reflect.Value, name string, tag reflect.StructTag) error {
	least, bounded := tag.Lookup("min")
	switch x.Kind() {
	case reflect.Pointer:
		if x.IsNil() {
			return missing(name)
		}
	case reflect.Slice:
		switch x.Type().Elem().Kind() {
		case reflect.Int32, reflect.Slice:
			for k := range x.Len() {
				if err := checkLeast(x.Index(k), name, tag); err != nil {
					return err
				}
			}
			return nil
		}
		if bounded && x.Len() == 0 {
			return missing(name)
		}
	default:
		if n, err := strconv.ParseInt(least, 10, 64); bounded && err == nil && x.Int() < n {
			return fmt.Errorf("%q is %d, less than %d", name, x.Int(), n)
		}
	}
	return nil
}

// appendValue appends the value of a field.
func appendValue(text []byte, x reflect.Value, tag reflect.StructTag) ([]byte, error) {
	if w, ok := x.Interface().(wordy); ok {
		words := w.words()
		if int(x.Uint()) >= len(words) || words[x.Uint()] == "" {
			return nil, fmt.Errorf("rule %d has no name", x.Uint())
		}
		return strconv.AppendQuote(text, words[x.Uint()]), nil
	}
	switch {
	case tag.Get("inf") != "" && x.Kind() == reflect.Int32:
		own, err := Bound(x.Int()).MarshalJSON()
		return append(text, own...), err
	case x.Type() == operationType:
		return appendOperation(text, history.OpID(x.Int()), tag)
	case x.Kind() == reflect.Bool:
		words := strings.Split(tag.Get("words"), ",")
		if x.Bool() {
			return strconv.AppendQuote(text, words[1]), nil
		}
		return strconv.AppendQuote(text, words[0]), nil
	case x.Kind() == reflect.Struct && !isItself(x.Type()):
		fields, err := appendFields(nil, x)
		return append(append(append(text, '{'), bytes.TrimPrefix(fields, []byte(","))...), '}'), err
	case x.Kind() == reflect.Slice && x.Len() > 0 && !isItself(x.Type().Elem()):
		text = append(text, '[')
		for k := range x.Len() {
			if k > 0 {
				text = append(text, ',')
			}
			var err error
			if text, err = appendValue(text, x.Index(k), tag); err != nil {
				return nil, fmt.Errorf("%s %d: %w", tag.Get("json"), k, err)
			}
		}
		return append(text, ']'), nil
	case x.Kind() == reflect.Slice && x.Len() == 0:
		return append(text, "[]"...), nil
	}
	own, err := plainJSON(x.Interface())
	return append(text, own...), err
}

// isItself reports whether a type has a form of its own.
func isItself(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int32, reflect.Int64, reflect.Int:
		return t != operationType
	}
	of := reflect.PointerTo(t)
	return of.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		of.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// readFields reads an object into a struct; it may have fields besides.
func readFields(data []byte, into reflect.Value, besides ...string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for _, name := range besides {
		delete(fields, name)
	}
	for i := range into.NumField() {
		tag := into.Type().Field(i).Tag
		name := tag.Get("json")
		if name == "" {
			continue
		}
		value, there := fields[name]
		delete(fields, name)
		none, optional := tag.Lookup("none")
		if some, chooses := into.Interface().(partial); chooses && !some.has(name) {
			if there {
				return fmt.Errorf("%v has no %q", some, name)
			}
			continue
		}
		x := into.Field(i)
		switch {
		case !there && !optional:
			return missing(name)
		case there:
			if err := readValue(value, x, tag); err != nil {
				return err
			}
			if err := checkLeast(x, name, tag); err != nil {
				return err
			}
		case x.Kind() != reflect.Slice && x.Kind() != reflect.Pointer:
			n, _ := strconv.ParseInt(none, 10, 32)
			x.SetInt(n)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		return fmt.Errorf("unknown field %q", name)
	}
	return nil
}

// readValue reads the value of a field.
func readValue(data []byte, into reflect.Value, tag reflect.StructTag) error {
	name := tag.Get("json")
	text := ""
	if w, ok := into.Interface().(wordy); ok {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		k := slices.Index(w.words(), text)
		if k < 0 || text == "" {
			return fmt.Errorf("unknown %s %q", name, text)
		}
		into.SetUint(uint64(k))
		return nil
	}
	switch {
	case tag.Get("inf") != "" && into.Kind() == reflect.Int32:
		return json.Unmarshal(data, (*Bound)(into.Addr().Interface().(*int32)))
	case into.Type() == operationType:
		i, err := readOperation(data, tag)
		into.SetInt(int64(i))
		return err
	case into.Kind() == reflect.Bool:
		words := strings.Split(tag.Get("words"), ",")
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		if !slices.Contains(words, text) {
			return fmt.Errorf("%q is neither %q nor %q", text, words[0], words[1])
		}
		into.SetBool(text == words[1])
		return nil
	case into.Kind() == reflect.Struct && !isItself(into.Type()):
		return readFields(data, into)
	case into.Kind() == reflect.Slice && !isItself(into.Type().Elem()):
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil {
			return err
		}
		into.Set(reflect.MakeSlice(into.Type(), len(list), len(list)))
		for k := range list {
			if err := readValue(list[k], into.Index(k), tag); err != nil {
				return fmt.Errorf("%s %d: %w", name, k, err)
			}
		}
		return nil
	}
	return json.Unmarshal(data, into.Addr().Interface())
}

// drains is the name of Draining.
const drains = "DRAINS"

// appendOperation appends a position, or the name of what is not an operation.
func appendOperation(text []byte, i history.OpID, tag reflect.StructTag) ([]byte, error) {
	if i < 0 && i != Draining && tag.Get("items") != "" {
		i = Item(int(-1 - i))
	}
	switch {
	case i >= 0:
		return strconv.AppendInt(text, int64(i), 10), nil
	case i == Draining:
		return strconv.AppendQuote(text, drains), nil
	case i < NoOp && i > Item(0):
		return nil, fmt.Errorf("operation %d has no name", i)
	}
	return strconv.AppendQuote(text, OperationName(i)), nil
}

// readOperation is the inverse of appendOperation.
func readOperation(data []byte, tag reflect.StructTag) (i history.OpID, err error) {
	if data[0] != '"' {
		n, err := strconv.ParseUint(string(data), 10, 31)
		if err != nil {
			return 0, fmt.Errorf("%s is not an operation", data)
		}
		return history.OpID(n), nil
	}
	var name string
	if err := json.Unmarshal(data, &name); err != nil {
		return 0, err
	}
	if name == drains {
		return Draining, nil
	}
	i, err = ParseOperation(name)
	switch {
	case err != nil || i >= 0:
		return 0, fmt.Errorf("%q is not an operation", name)
	case tag.Get("items") == "":
		return i, nil
	case i > Item(0):
		return 0, fmt.Errorf("%q has no slot and no place", name)
	}
	return -1 - (Item(0) - i), nil
}

// Bound is a bound of a quasi factor: a number, or "inf" for quasi.Unbounded.
type Bound int32

// MarshalJSON writes a number or "inf".
func (b Bound) MarshalJSON() ([]byte, error) {
	if int32(b) == quasi.Unbounded {
		return []byte(`"inf"`), nil
	}
	return strconv.AppendInt(nil, int64(b), 10), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bound) UnmarshalJSON(data []byte) error {
	if string(data) == `"inf"` {
		*b = Bound(quasi.Unbounded)
		return nil
	}
	n, err := strconv.ParseUint(string(data), 10, 31)
	if err != nil || int32(n) == quasi.Unbounded {
		return fmt.Errorf("%s is not a bound (want 0 or more, or \"inf\")", data)
	}
	*b = Bound(n)
	return nil
}

// plainJSON leaves < and > as they are.
func plainJSON(x any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// strictly reads one JSON value; fields that the form does not have are an error.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}

// word returns the word for a rule, by number.
func word[R ~uint8](words []string, r R) string {
	if int(r) < len(words) && words[r] != "" {
		return words[r]
	}
	return "rule " + strconv.Itoa(int(r))
}

// missing is the error of a form without a field.
func missing(field string) error { return fmt.Errorf("there is no %q", field) }
