// Package cbor encodes the values of histories in the deterministic encoding of CBOR (RFC 8949,
// section 4.2.1): equal values have the same bytes. docs/own-specification.md lists the kinds
// of values.
package cbor

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
)

// Undefined is the value "undefined", which stands for any result.
type Undefined struct{}

// Bytes are a string of bytes, which no history holds.
type Bytes []byte

// The kinds of values, as the uppermost three bits of their first byte.
const (
	positive = 0 << 5
	negative = 1 << 5
	bytesOf  = 2 << 5
	textOf   = 3 << 5
	listOf   = 4 << 5
	mapOf    = 5 << 5
	simple   = 7 << 5

	isFalse     = simple | 20
	isTrue      = simple | 21
	isNull      = simple | 22
	isUndefined = simple | 23
)

// Append appends a value of a history: nil, a boolean, an int64, a string, a list or a map.
func Append(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, isNull)
	case bool:
		if v {
			return append(dst, isTrue)
		}
		return append(dst, isFalse)
	case int64:
		if v < 0 {
			return head(dst, negative, uint64(-1-v))
		}
		return head(dst, positive, uint64(v))
	case string:
		return append(head(dst, textOf, uint64(len(v))), v...)
	case []any:
		dst = head(dst, listOf, uint64(len(v)))
		for _, e := range v {
			dst = Append(dst, e)
		}
		return dst
	case map[string]any:
		dst = head(dst, mapOf, uint64(len(v)))
		// in the order of their encodings: shorter names first
		names := slices.Sorted(maps.Keys(v))
		sort.SliceStable(names, func(i, j int) bool { return len(names[i]) < len(names[j]) })
		for _, name := range names {
			dst = Append(Append(dst, name), v[name])
		}
		return dst
	}
	panic(fmt.Sprintf("a value of type %T in a history", v))
}

// head appends the first bytes of a value: its kind, and a number in as few bytes as it needs.
func head(dst []byte, kind byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(dst, kind|byte(n))
	case n <= math.MaxUint8:
		return append(dst, kind|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, kind|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, kind|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, kind|27), n)
}

// Decode reads the only value of a text: one that Append writes, Undefined or Bytes. Numbers and
// the order of names need not be as Append writes them.
func Decode(in []byte) (any, error) {
	d := decoder{in}
	v, err := d.value(maxDepth)
	if err == nil && len(d.in) > 0 {
		err = fmt.Errorf("%d bytes follow the value", len(d.in))
	}
	return v, err
}

type decoder struct{ in []byte }

var errEnds = errors.New("the value ends too early")

// head reads the first bytes of a value.
func (d *decoder) head() (kind byte, n uint64, err error) {
	if len(d.in) == 0 {
		return 0, 0, errEnds
	}
	first := d.in[0]
	d.in = d.in[1:]
	kind, n = first&(7<<5), uint64(first&31)
	if n < 24 {
		return kind, n, nil
	}
	if n > 27 || kind == simple {
		return 0, 0,
			fmt.Errorf(
				"a value starts with the byte 0x%02x, which no value of a history has: numbers are whole, and "+
					"lengths stand before", first)
	}
	size := 1 << (n - 24)
	if len(d.in) < size {
		return 0, 0, errEnds
	}
	var full [8]byte
	copy(full[8-size:], d.in)
	d.in = d.in[size:]
	return kind, binary.BigEndian.Uint64(full[:]), nil
}

func (d *decoder) value(depth int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("a value is nested more than %d deep", maxDepth)
	}
	kind, n, err := d.head()
	if err != nil {
		return nil, err
	}
	switch kind {
	case positive, negative:
		switch {
		case n > math.MaxInt64:
			return nil, errors.New("a number is too large: histories hold integers of 64 bits")
		case kind == negative:
			return -1 - int64(n), nil
		}
		return int64(n), nil
	case bytesOf, textOf:
		if n > uint64(len(d.in)) {
			return nil, errEnds
		}
		s := d.in[:n]
		d.in = d.in[n:]
		if kind == bytesOf {
			return Bytes(bytes.Clone(s)), nil
		}
		return string(s), nil
	case listOf:
		list := []any{}
		for range n { // which may be more than there are
			e, err := d.value(depth - 1)
			if err != nil {
				return nil, err
			}
			list = append(list, e)
		}
		return list, nil
	case mapOf:
		m := map[string]any{}
		for range n {
			name, err := d.value(1)
			if err != nil {
				return nil, err
			}
			text, ok := name.(string)
			if !ok {
				return nil, errors.New("a name in a map is not a text")
			}
			if _, twice := m[text]; twice {
				return nil, fmt.Errorf("a map has %q twice", text)
			}
			if m[text], err = d.value(depth - 1); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	switch kind | byte(n) {
	case isFalse, isTrue:
		return kind|byte(n) == isTrue, nil
	case isNull:
		return nil, nil
	case isUndefined:
		return Undefined{}, nil
	}
	return nil,
		fmt.Errorf(
			"a value is of a kind that no history has (0x%02x): use null, booleans, integers, texts, lists and maps",
			kind|byte(n))
}
