package jepsen

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// What the tags of structs in Fressian stand for: those of Fressian itself, those of
// Clojure's data (clojure.data.fressian), and those of Jepsen (jepsen.store.fressian).
// A tag that is none of them is rendered with its components: #tag [a b].

// structure reads and renders a struct after its tag.
func (f *fressian) structure(tag string, fields int64) (atom, error) {
	switch tag {
	case "map":
		return f.collection("{", "}")
	case "set", "persistent-hash-set", "persistent-sorted-set":
		return f.collection("#{", "}")
	case "int[]", "long[]", "float[]", "double[]", "boolean[]", "Object[]":
		n, err := f.count()
		if err != nil {
			return atom{}, err
		}
		return atom{}, f.components("[", n)
	case "map-entry":
		return atom{}, f.components("[", 2)
	case "vec", "atom", "date-time", "instant", "throwable", "byte", "regex", "uri", "multiset":
		return f.object()
	case "key":
		return f.name(":")
	case "sym":
		return f.name("")
	case "char":
		n, err := f.number()
		if err != nil {
			return atom{}, err
		}
		return atom{}, f.quote(string(rune(min(max(n, 0), utf8.MaxRune))))
	case "inst":
		n, err := f.number()
		if err != nil {
			return atom{}, err
		}
		return atom{}, f.put(`#inst "` + time.UnixMilli(n).UTC().Format(time.RFC3339Nano) + `"`)
	case "uuid":
		a, err := f.quiet()
		if err != nil {
			return atom{}, err
		}
		if len(a.text) != 16 {
			return atom{}, fmt.Errorf("a UUID of %d bytes", len(a.text))
		}
		return atom{}, f.quote(fmt.Sprintf("%x-%x-%x-%x-%x", a.text[:4], a.text[4:6], a.text[6:8],
			a.text[8:10], a.text[10:]))
	case "bigint":
		return atom{}, f.bigInt("N")
	case "bigdec":
		if err := f.bigInt(""); err != nil {
			return atom{}, err
		}
		scale, err := f.number()
		if err != nil {
			return atom{}, err
		}
		return atom{}, f.put("E" + strconv.FormatInt(-scale, 10) + "M")
	case "ratio":
		return atom{}, f.ratio()
	case "record":
		return atom{}, f.record()
	case "jepsen.history.Op":
		return atom{}, f.op()
	}
	open := "["
	if ednName(tag) {
		open = "#" + tag + " ["
	}
	return atom{}, f.components(open, fields)
}

// collection renders the elements of a list between other brackets.
func (f *fressian) collection(open, end string) (atom, error) {
	code, err := f.byte()
	switch {
	case err != nil:
		return atom{}, err
	case code == codeNull: // how Clojure has the elements of nothing
		return atom{}, f.put(open + end)
	}
	return atom{}, f.list(code, open, end)
}

// components renders the next n objects as a vector.
func (f *fressian) components(open string, n int64) error {
	if err := f.put(open); err != nil {
		return err
	}
	for i := range n {
		if i > 0 {
			if err := f.put(" "); err != nil {
				return err
			}
		}
		if _, err := f.object(); err != nil {
			return err
		}
	}
	return f.put("]")
}

// rendered reads an object and takes its EDN back.
func (f *fressian) rendered() (string, error) {
	start := len(f.out)
	_, err := f.object()
	text := string(f.out[start:])
	f.out = f.out[:start]
	return text, err
}

// name renders a keyword or a symbol: its namespace, if any, and its name. What EDN cannot
// write as one becomes a string.
func (f *fressian) name(colon string) (atom, error) {
	space, err := f.quiet()
	if err != nil {
		return atom{}, err
	}
	name, err := f.quiet()
	if err != nil {
		return atom{}, err
	}
	text := name.text
	if space.kind == atomText {
		text = space.text + "/" + text
	}
	if !ednName(text) || colon == "" && '0' <= text[0] && text[0] <= '9' {
		return atom{}, f.quote(text)
	}
	return atom{}, f.put(colon + text)
}

// ednName reports whether a keyword, symbol or tag of this name can be written in EDN.
func ednName(text string) bool {
	for _, c := range []byte(text) {
		if ednDelimiter(c) || strings.IndexByte("\\@^`~", c) >= 0 || c >= utf8.RuneSelf {
			return false
		}
	}
	return text != ""
}

// bigInt renders an integer that lies in bytes, two's complement.
func (f *fressian) bigInt(end string) error {
	a, err := f.quiet()
	switch {
	case err != nil:
		return err
	case a.kind != atomBytes || len(a.text) == 0:
		return errors.New("something else where the bytes of an integer belong")
	case len(a.text) > 1<<10:
		return fmt.Errorf("an integer of %d bytes", len(a.text))
	}
	n := new(big.Int).SetBytes([]byte(a.text))
	if a.text[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(a.text))))
	}
	return f.put(n.String() + end)
}

func (f *fressian) ratio() error {
	numerator, err := f.rendered()
	if err != nil {
		return err
	}
	denominator, err := f.rendered()
	if err != nil {
		return err
	}
	return f.put(strings.TrimSuffix(numerator, "N") + "/" + strings.TrimSuffix(denominator, "N"))
}

// record renders #class {fields}.
func (f *fressian) record() error {
	class, err := f.rendered()
	if err != nil {
		return err
	}
	if ednName(class) {
		if err := f.put("#" + class + " "); err != nil {
			return err
		}
	}
	_, err = f.object()
	return err
}

// op renders an event: index, time, type, process, function, value, and a map of what else it has.
func (f *fressian) op() error {
	if err := f.put("{"); err != nil {
		return err
	}
	for _, key := range [...]string{":index ", ", :time ", ", :type ", ", :process ", ", :f ", ", :value "} {
		if err := f.put(key); err != nil {
			return err
		}
		if _, err := f.object(); err != nil {
			return err
		}
	}
	more, err := f.rendered()
	if err != nil {
		return err
	}
	if inner, ok := strings.CutPrefix(more, "{"); ok {
		if err := f.put(", " + inner); err != nil {
			return err
		}
		return nil
	}
	return f.put("}")
}
