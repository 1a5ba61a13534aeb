package jepsen

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/linsat/linsat/history/internal/lex"
)

// Fressian is the binary notation of Clojure data in which Jepsen stores tests. It is rendered as
// EDN, so that test.jepsen is read as history.edn is.
//
// Source: https://github.com/Datomic/fressian (the codes), and the tags that Jepsen adds
// in jepsen.store.fressian: jepsen.history.Op, persistent-hash-set, block-ref and others.
//
// An object is a code byte and what belongs to the code. Objects may be put into a cache while they
// are read, and named by their place in it afterwards. So a few bytes can stand for any amount of
// text. So the rendered text is bounded by a multiple of the input, far above what real files need.
//
// Invariants: every object takes at least a byte, so that a count beyond the bytes that
// are left is refused before anything is done; nesting is at most maxDepth.

// The codes. Between them lie packed integers, lengths and places in the caches.
const (
	codeInt2       = 0x40 // integers of 2 to 7 bytes: their first byte holds the high bits
	codeInt3       = 0x60
	codeInt4       = 0x70
	codeInt5       = 0x74
	codeInt6       = 0x78
	codeInt7       = 0x7c
	codeCached     = 0x80 // place 0 in the cache; up to 31
	codeStructOf   = 0xa0 // kind 0 of the structs so far; up to 15
	codeLongs      = 0xb0
	codeDoubles    = 0xb1
	codeBooleans   = 0xb2
	codeInts       = 0xb3
	codeFloats     = 0xb4
	codeObjects    = 0xb5
	codeMap        = 0xc0
	codeSet        = 0xc1
	codeUUID       = 0xc3
	codeRegex      = 0xc4
	codeURI        = 0xc5
	codeBigInt     = 0xc6
	codeBigDecimal = 0xc7
	codeInstant    = 0xc8
	codeSymbol     = 0xc9
	codeKeyword    = 0xca
	codeGetCached  = 0xcc
	codePutCached  = 0xcd
	codeFooter     = 0xcf
	codeBytes0     = 0xd0 // no bytes; up to 7
	codeBytesChunk = 0xd8
	codeBytes      = 0xd9
	codeText0      = 0xda // no bytes; up to 7
	codeTextChunk  = 0xe2
	codeText       = 0xe3
	codeList0      = 0xe4 // no elements; up to 7
	codeList       = 0xec
	codeListClosed = 0xed
	codeListOpen   = 0xee
	codeStructNew  = 0xef
	codeStruct     = 0xf0
	codeTrue       = 0xf5
	codeFalse      = 0xf6
	codeNull       = 0xf7
	codeInt        = 0xf8
	codeFloat      = 0xf9
	codeDouble     = 0xfa
	codeDouble0    = 0xfb
	codeDouble1    = 0xfc
	codeEnd        = 0xfd
	codeReset      = 0xfe
	codeMinusOne   = 0xff
)

// fressian renders the objects of data.
type fressian struct {
	data  []byte
	pos   int
	out   []byte // what was rendered since the caller took it
	room  *rendering
	depth int
	cache []fressianValue
	kinds []fressianKind
	held  int64 // bytes that are cached
}

// fressianValue is a cached object.
type fressianValue struct {
	atom
	edn  string
	done bool // false while it is being read
}

// fressianKind is a kind of structs: a tag, and how many components follow.
type fressianKind struct {
	tag    string
	fields int64
}

// atom is an object as its container needs it, beside its EDN.
type atom struct {
	kind atomKind
	text string // of texts and bytes
	n    int64  // of integers
}

type atomKind uint8

const (
	atomOther atomKind = iota
	atomNull
	atomText
	atomBytes
	atomInt
)

// rendering bounds what is rendered from an input.
type rendering struct {
	left  int64 // bytes that may still be rendered or cached
	each  int64 // for an object
	limit int64 // for an object with what its decoder has cached, 0 for none
}

var errFressianEnd = errors.New("the data ends inside an object")

// newRendering returns the bounds for an input of n bytes. Real tests are rendered as about 5n
// bytes.
func newRendering(n, limit int64) *rendering {
	return &rendering{left: 1<<20 + 24*n, each: 1<<24 + 4*n, limit: limit}
}

func newFressian(data []byte, room *rendering) *fressian { return &fressian{data: data, room: room} }

// spend subtracts n bytes from what may still be rendered, and fails if fewer are left.
func (f *fressian) spend(n int) error {
	f.room.left -= int64(n)
	switch {
	case f.room.left < 0, int64(len(f.out)+n) > f.room.each:
		return errors.New("the data stands for too much text")
	case f.room.limit > 0 && f.held+int64(len(f.out)+n) > f.room.limit:
		return lex.TooLarge(0, f.room.limit)
	}
	return nil
}

// put renders text. Not inlined: it has many callers.
//
//go:noinline
func (f *fressian) put(text string) error {
	if err := f.spend(len(text)); err != nil {
		return err
	}
	f.out = append(f.out, text...)
	return nil
}

// object reads and renders an object.
func (f *fressian) object() (atom, error) {
	code, err := f.byte()
	if err != nil {
		return atom{}, err
	}
	return f.rest(code)
}

// rest reads and renders the object that begins with code.
func (f *fressian) rest(code byte) (a atom, err error) {
	if f.depth++; f.depth > lex.MaxDepth {
		return atom{}, lex.TooDeep(0)
	}
	defer func() { f.depth-- }()
	for code == codeReset || code == codeFooter {
		if code == codeFooter {
			// the rest of its magic, a length, a checksum
			if _, err := f.take(3 + 4 + 4); err != nil {
				return atom{}, err
			}
		}
		f.cache, f.kinds, f.held = nil, nil, 0
		if code, err = f.byte(); err != nil {
			return atom{}, err
		}
	}
	if n, ok, err := f.integer(code); ok || err != nil {
		if err == nil {
			err = f.put(strconv.FormatInt(n, 10))
		}
		return atom{kind: atomInt, n: n}, err
	}
	switch {
	case code < codeStructOf:
		return f.cached(int64(code - codeCached))
	case code < codeLongs:
		return f.structOf(int64(code - codeStructOf))
	case code >= codeBytes0 && code <= codeBytes:
		return f.bytes(code)
	case code >= codeText0 && code <= codeText:
		return f.text(code)
	case code >= codeList0 && code <= codeListOpen:
		return atom{}, f.list(code, "[", "]")
	}
	switch code {
	case codeNull:
		return atom{kind: atomNull}, f.put("nil")
	case codeTrue:
		return atom{}, f.put("true")
	case codeFalse:
		return atom{}, f.put("false")
	case codeFloat:
		n, err := f.big(4)
		if err == nil {
			err = f.float(float64(math.Float32frombits(uint32(n))))
		}
		return atom{}, err
	case codeDouble:
		n, err := f.big(8)
		if err == nil {
			err = f.float(math.Float64frombits(n))
		}
		return atom{}, err
	case codeDouble0:
		return atom{}, f.put("0.0")
	case codeDouble1:
		return atom{}, f.put("1.0")
	case codePutCached:
		return f.remember()
	case codeGetCached:
		n, err := f.number()
		if err != nil {
			return atom{}, err
		}
		return f.cached(n)
	case codeStructNew:
		tag, err := f.quiet()
		if err != nil {
			return atom{}, err
		}
		fields, err := f.count()
		if err != nil {
			return atom{}, err
		}
		f.kinds = append(f.kinds, fressianKind{tag.text, fields})
		return f.structure(tag.text, fields)
	case codeStruct:
		n, err := f.number()
		if err != nil {
			return atom{}, err
		}
		return f.structOf(n)
	}
	if tag, ok := codeTags[code]; ok {
		return f.structure(tag.tag, tag.fields)
	}
	return atom{}, fmt.Errorf("the code %#x begins no object", code)
}

// codeTags are the structs that have a code of their own.
var codeTags = map[byte]fressianKind{
	codeMap: {"map", 1}, codeSet: {"set", 1}, codeUUID: {"uuid", 1}, codeRegex: {"regex", 1}, codeURI: {"uri", 1},
	codeBigInt:     {"bigint", 1},
	codeBigDecimal: {"bigdec", 2}, codeInstant: {"inst", 1}, codeSymbol: {"sym", 2}, codeKeyword: {"key", 2},
	codeLongs: {"long[]", 1},
	codeInts:  {"int[]", 1}, codeFloats: {"float[]", 1}, codeBooleans: {"boolean[]", 1}, codeDoubles: {"double[]", 1},
	codeObjects: {"Object[]", 1},
}

// remember reads an object into the cache.
func (f *fressian) remember() (atom, error) {
	place, start := len(f.cache), len(f.out)
	f.cache = append(f.cache, fressianValue{})
	a, err := f.object()
	if err != nil {
		return a, err
	}
	if err := f.spend(len(f.out) - start); err != nil {
		return a, err
	}
	f.held += int64(len(f.out) - start)
	if place < len(f.cache) { // it was not reset in between
		f.cache[place] = fressianValue{a, string(f.out[start:]), true}
	}
	return a, nil
}

func (f *fressian) cached(place int64) (atom, error) {
	if place < 0 || place >= int64(len(f.cache)) || !f.cache[place].done {
		return atom{}, fmt.Errorf("there is no cached object %d", place)
	}
	v := &f.cache[place]
	return v.atom, f.put(v.edn)
}

func (f *fressian) structOf(kind int64) (atom, error) {
	if kind < 0 || kind >= int64(len(f.kinds)) {
		return atom{}, fmt.Errorf("there is no kind %d of structs", kind)
	}
	return f.structure(f.kinds[kind].tag, f.kinds[kind].fields)
}

// listHead reads the number of elements of the list that begins here. -1 means up to its end; open
// reports whether that may be the end of the data.
func (f *fressian) listHead() (open bool, elements int64, err error) {
	code, err := f.byte()
	if err != nil {
		return false, 0, err
	}
	return f.listOf(code)
}

// listOf is listHead for a list whose code has been read.
func (f *fressian) listOf(code byte) (open bool, elements int64, err error) {
	switch {
	case code >= codeList0 && code < codeList:
		return false, int64(code - codeList0), nil
	case code == codeList:
		elements, err = f.count()
		return false, elements, err
	case code == codeListClosed || code == codeListOpen:
		return code == codeListOpen, -1, nil
	}
	return false, 0, errors.New("something else where a list belongs")
}

// elements hands each element of the list that begins with code to element, which reads it by rest.
func (f *fressian) elements(code byte, element func(code byte) error) error {
	open, left, err := f.listOf(code)
	if err != nil {
		return err
	}
	for ; left != 0; left-- {
		if open && f.pos == len(f.data) {
			return nil
		}
		c, err := f.byte()
		if err != nil {
			return err
		}
		if left < 0 && c == codeEnd {
			return nil
		}
		if err := element(c); err != nil {
			return err
		}
	}
	return nil
}

// list renders the elements of the list that begins with code.
func (f *fressian) list(code byte, open, end string) error {
	if err := f.put(open); err != nil {
		return err
	}
	first := true
	err := f.elements(code, func(code byte) error {
		if !first {
			if err := f.put(" "); err != nil {
				return err
			}
		}
		first = false
		_, err := f.rest(code)
		return err
	})
	if err != nil {
		return err
	}
	return f.put(end)
}
