package lineup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// values numbers arguments and results: equal values have equal numbers, nil has 0.
type values struct {
	// a scalar as it is, with int64 for every integer; a list or a map as its compound
	index map[any]int32
	list  []any
}

// compound is the JSON text of a list or a map.
type compound string

func newValues() *values { return &values{map[any]int32{nil: 0}, []any{nil}} }

// blocksText is the value that is reserved for operations that block.
const blocksText = compound(`{"` + Blocks + `":true}`)

// absent is the number of a value that was never interned.
const absent int32 = -1

// intern returns the number of a value, or an error for a value that histories do not support.
func (t *values) intern(v any) (int32, error) {
	key, err := keyOf(v)
	if err != nil {
		return absent, err
	}
	if key == blocksText {
		return absent, fmt.Errorf("the value %s, which is reserved for operations that block", blocksText)
	}
	k, ok := t.index[key]
	if !ok {
		k = int32(len(t.list))
		t.index[key] = k
		t.list = append(t.list, v)
	}
	return k, nil
}

// find returns the number of a value, or absent.
func (t *values) find(v any) int32 {
	key, err := keyOf(v)
	if err != nil {
		return absent
	}
	if k, ok := t.index[key]; ok {
		return k
	}
	return absent
}

func keyOf(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, string:
		return v, nil
	case int:
		return int64(v), nil
	case []any, map[string]any:
		if err := checkValue(v); err != nil {
			return nil, err
		}
		text, err := json.Marshal(v)
		return compound(text), err
	}
	return nil, checkValue(v)
}

func checkValue(v any) error {
	switch v := v.(type) {
	case nil, bool, int, int64, string:
		return nil
	case []any:
		for _, e := range v {
			if err := checkValue(e); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		for _, e := range v {
			if err := checkValue(e); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("a value of type %T: use nil, bool, int, string, []any or map[string]any", v)
}

// format writes a value for observation files: a word unquoted, everything else as JSON.
func format(v any) string {
	if s, isString := v.(string); isString && isWord(s) {
		return s
	}
	text, err := json.Marshal(v)
	if err != nil { // only values that checkValue let through get here
		panic("lineup: " + err.Error())
	}
	return string(text)
}

// isWord reports whether a string needs no quotes: letters first, then also digits, blanks, - and
// _, and not JSON by itself.
func isWord(s string) bool {
	if s == "" || s == "true" || s == "false" || s == "null" || strings.HasSuffix(s, " ") {
		return false
	}
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == ' ' || c == '-' || c == '_')) {
			return false
		}
	}
	return true
}

// parse reads what format writes; text that is not JSON is a string.
func parse(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return text, nil
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return text, nil
	}
	return whole(v)
}

// whole turns numbers into integers.
func whole(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			return nil, fmt.Errorf("%s is not a whole number of 64 bits", v)
		}
		return n, nil
	case []any:
		for i := range v {
			if v[i], err = whole(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = whole(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
