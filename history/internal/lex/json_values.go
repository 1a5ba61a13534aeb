package lex

// interner is a table that gives equal values equal numbers: 0, 1 and 2 to null, false and true.
type interner[V any] interface {
	Int(n int64) V
	String(s string) V
	StringBytes(b []byte) V
	List(elements []V) V
	Map(pairs []V) V
	Bytes() int64
}

// JsonLexer reads values, too.
type JsonLexer[V ~int32] struct {
	JsonText
	Values interner[V]
	stack  []V // elements of the lists and maps that are being read

	opaque  bool  // value reads numbers that are not integers of 64 bits as strings
	Inexact error // what is wrong with the last such number
}

// NewJSON returns a lexer of an input.
func NewJSON[V ~int32](s *Source, values interner[V], opaque bool) JsonLexer[V] {
	return JsonLexer[V]{JsonText: JsonText{Source: s}, Values: values, opaque: opaque}
}

// Value consumes any value and interns it.
func (l *JsonLexer[V]) Value() (V, error) {
	c, err := l.Token("a value")
	if err != nil {
		return 0, err
	}
	switch {
	case c == '"':
		s, err := l.Str()
		if err != nil {
			return 0, err
		}
		return l.Values.StringBytes(s), nil
	case (c == '-' || '0' <= c && c <= '9') && l.opaque:
		text, err := l.Number()
		if err != nil {
			return 0, err
		}
		n, err := l.wholeNumber(text)
		if err != nil {
			l.Inexact = err
			return l.Values.String(text), nil
		}
		return l.Values.Int(n), nil
	case c == '-' || '0' <= c && c <= '9':
		n, err := l.Integer()
		if err != nil {
			return 0, err
		}
		return l.Values.Int(n), nil
	case c == '[':
		base := len(l.stack)
		err := l.Array("a list", func() error { return l.push(l.Value()) })
		if err != nil {
			return 0, err
		}
		v := l.Values.List(l.stack[base:])
		l.stack = l.stack[:base]
		return v, nil
	case c == '{':
		base := len(l.stack)
		err := l.Object("a map", func(key []byte) error {
			l.stack = append(l.stack, l.Values.StringBytes(key))
			return l.push(l.Value())
		})
		if err != nil {
			return 0, err
		}
		v := l.Values.Map(l.stack[base:])
		l.stack = l.stack[:base]
		return v, nil
	}
	v, err := l.literal()
	return V(v), err
}

func (l *JsonLexer[V]) push(v V, err error) error {
	if l.Limit > 0 && int64(len(l.stack))*16+l.Values.Bytes() > l.Limit {
		return TooLarge(l.Line, l.Limit)
	}
	l.stack = append(l.stack, v)
	return err
}
