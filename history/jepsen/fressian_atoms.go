package jepsen

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Fressian's integers, floats, texts and bytes.
//
// A small integer is its own code; others have their high bits in the code and up to six
// bytes behind it, or eight behind a code of its own. Texts and bytes have a length, and
// large ones come in chunks.

func (f *fressian) byte() (byte, error) {
	if f.pos == len(f.data) {
		return 0, errFressianEnd
	}
	f.pos++
	return f.data[f.pos-1], nil
}

// take returns the next n bytes.
func (f *fressian) take(n int64) ([]byte, error) {
	if n < 0 || n > int64(len(f.data)-f.pos) {
		return nil, errFressianEnd
	}
	f.pos += int(n)
	return f.data[f.pos-int(n) : f.pos], nil
}

// big returns the next n bytes, at most 8, as an unsigned number.
func (f *fressian) big(n int64) (uint64, error) {
	b, err := f.take(n)
	if err != nil {
		return 0, err
	}
	var wide [8]byte
	copy(wide[8-n:], b)
	return binary.BigEndian.Uint64(wide[:]), nil
}

// integer reads an integer that begins with code; ok is false if the code begins none.
func (f *fressian) integer(code byte) (n int64, ok bool, err error) {
	var zero byte // the code of high bits that are 0
	var more int64
	switch {
	case code == codeMinusOne:
		return -1, true, nil
	case code < codeInt2:
		return int64(code), true, nil
	case code < codeInt3:
		zero, more = codeInt2+0x10, 1
	case code < codeInt4:
		zero, more = codeInt3+0x8, 2
	case code < codeInt5:
		zero, more = codeInt4+2, 3
	case code < codeInt6:
		zero, more = codeInt5+2, 4
	case code < codeInt7:
		zero, more = codeInt6+2, 5
	case code < codeCached:
		zero, more = codeInt7+2, 6
	case code == codeInt:
		low, err := f.big(8)
		return int64(low), true, err
	default:
		return 0, false, nil
	}
	low, err := f.big(more)
	return (int64(code)-int64(zero))<<(8*more) | int64(low), true, err
}

// count reads a number of items, each of which takes at least a byte.
func (f *fressian) count() (int64, error) {
	n, err := f.number()
	if err == nil && (n < 0 || n > int64(len(f.data)-f.pos)) {
		return 0, fmt.Errorf("%d of something where %d bytes are left", n, len(f.data)-f.pos)
	}
	return n, err
}

// number reads an object that is an integer, and renders nothing.
func (f *fressian) number() (int64, error) {
	a, err := f.quiet()
	if err == nil && a.kind != atomInt {
		err = errors.New("something else where an integer belongs")
	}
	return a.n, err
}

// quiet reads an object and renders nothing.
func (f *fressian) quiet() (atom, error) {
	start := len(f.out)
	a, err := f.object()
	f.out = f.out[:start]
	return a, err
}

// text reads the text that begins with code.
func (f *fressian) text(code byte) (atom, error) {
	var units []uint16 // Java's: a character beyond the first 65536 is two, of three bytes each
	for {
		n := int64(code - codeText0)
		if code == codeText || code == codeTextChunk {
			var err error
			if n, err = f.count(); err != nil {
				return atom{}, err
			}
		}
		b, err := f.take(n)
		if err != nil {
			return atom{}, err
		}
		if len(units) == 0 && code != codeTextChunk && plainText(b) {
			return atom{kind: atomText, text: string(b)}, f.quote(string(b))
		}
		units = appendUnits(units, b)
		if code != codeTextChunk {
			text := string(utf16.Decode(units))
			return atom{kind: atomText, text: text}, f.quote(text)
		}
		if code, err = f.byte(); err != nil {
			return atom{}, err
		}
		if code < codeText0 || code > codeText {
			return atom{}, errors.New("a text that does not end")
		}
	}
}

// plainText reports whether b is ASCII.
func plainText(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendUnits decodes UTF-8 whose characters are at most 16 bits wide. Invalid bytes become U+FFFD.
func appendUnits(units []uint16, b []byte) []uint16 {
	for len(b) > 0 {
		c := uint16(b[0])
		switch {
		case c < 0x80:
			units, b = append(units, c), b[1:]
		case c>>5 == 6 && len(b) >= 2:
			units, b = append(units, c&0x1f<<6|uint16(b[1]&0x3f)), b[2:]
		case c>>4 == 14 && len(b) >= 3:
			units, b = append(units, c<<12|uint16(b[1]&0x3f)<<6|uint16(b[2]&0x3f)), b[3:]
		default:
			units, b = append(units, utf8.RuneError), b[1:]
		}
	}
	return units
}

// quote renders text as a string of EDN.
func (f *fressian) quote(text string) error {
	return f.put(`"` + ednEscapes.Replace(text) + `"`)
}

var ednEscapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// bytes reads the bytes that begin with code.
func (f *fressian) bytes(code byte) (atom, error) {
	var all []byte
	for {
		n := int64(code - codeBytes0)
		if code >= codeBytesChunk {
			var err error
			if n, err = f.count(); err != nil {
				return atom{}, err
			}
		}
		b, err := f.take(n)
		if err != nil {
			return atom{}, err
		}
		all = append(all, b...)
		if code != codeBytesChunk {
			return atom{kind: atomBytes, text: string(all)}, f.quote(hex.EncodeToString(all))
		}
		if code, err = f.byte(); err != nil {
			return atom{}, err
		}
		if code != codeBytesChunk && code != codeBytes {
			return atom{}, errors.New("bytes that do not end")
		}
	}
}

func (f *fressian) float(x float64) error {
	switch {
	case math.IsNaN(x):
		return f.put("##NaN")
	case math.IsInf(x, 1):
		return f.put("##Inf")
	case math.IsInf(x, -1):
		return f.put("##-Inf")
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return f.put(text)
}
