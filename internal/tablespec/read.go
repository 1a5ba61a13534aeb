package tablespec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/linsat/linsat/history"
)

// node is a JSON value that knows its line.
type node struct {
	line   int
	value  any // nil, bool, int64 or string; []*node for a list, []field for an object
	source *reader
}

// field is an entry of an object, in the order of the file.
type field struct {
	name  string
	line  int
	value *node
}

type reader struct {
	file    string
	text    []byte
	decoder *json.Decoder
}

// wrong is an error about a line of the file.
func (r *reader) wrong(line int, hint, format string, args ...any) error {
	return &history.Error{File: r.file, Line: line, What: fmt.Sprintf(format, args...), Hint: hint}
}

func (n *node) wrong(hint, format string, args ...any) error {
	return n.source.wrong(n.line, hint, format, args...)
}

// line is that of what was read last.
func (r *reader) line() int {
	return 1 + bytes.Count(r.text[:r.decoder.InputOffset()], []byte{'\n'})
}

// read reads the only value of a file.
func read(file string, text []byte) (*node, error) {
	r := &reader{file: file, text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	r.decoder.UseNumber()
	n, err := r.next(0)
	if err != nil {
		return nil, err
	}
	if _, err := r.decoder.Token(); err != io.EOF {
		return nil, r.wrong(r.line(), "a table is one JSON object", "there is something after the table")
	}
	return n, nil
}

// next reads a value.
func (r *reader) next(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, r.wrong(r.line(), "", "a value is nested more than %d deep", maxDepth)
	}
	t, err := r.decoder.Token()
	if err != nil {
		return nil, r.broken(err)
	}
	n := &node{line: r.line(), source: r}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			n.value, err = r.list(depth)
		} else {
			n.value, err = r.object(depth)
		}
		return n, err
	case json.Number:
		i, err := t.Int64()
		if err != nil {
			return nil, n.wrong("histories hold whole numbers of 64 bits", "the number %s", t)
		}
		n.value = i
	default: // nil, bool or string
		n.value = t
	}
	return n, nil
}

func (r *reader) list(depth int) (list []*node, err error) {
	list = []*node{}
	for r.decoder.More() {
		e, err := r.next(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	_, err = r.decoder.Token()
	return list, r.broken(err)
}

func (r *reader) object(depth int) (fields []field, err error) {
	fields = []field{}
	seen := map[string]int{}
	for r.decoder.More() {
		t, err := r.decoder.Token()
		if err != nil {
			return nil, r.broken(err)
		}
		name, _ := t.(string)
		line := r.line()
		if first, twice := seen[name]; twice {
			return nil, r.wrong(line, "", "%q stands here twice, first in line %d", name, first)
		}
		seen[name] = line
		v, err := r.next(depth + 1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field{name, line, v})
	}
	_, err = r.decoder.Token()
	return fields, r.broken(err)
}

// broken says where the text is no JSON, of an error of the decoder.
func (r *reader) broken(err error) error {
	if err == nil {
		return nil
	}
	line := r.line()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line = 1 + bytes.Count(r.text[:min(syntax.Offset, int64(len(r.text)))], []byte{'\n'})
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.wrong(line, "", "the file ends inside the table")
	}
	return r.wrong(line, "", "it is not JSON: %v", err)
}

// plain is the value as a history has it.
func (n *node) plain() any {
	switch v := n.value.(type) {
	case []*node:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = e.plain()
		}
		return list
	case []field:
		m := make(map[string]any, len(v))
		for _, f := range v {
			m[f.name] = f.value.plain()
		}
		return m
	}
	return n.value
}

// text is the value as JSON.
func text(v any) string {
	t, err := json.Marshal(v)
	if err != nil { // there are only values that JSON has
		panic(err)
	}
	return string(t)
}

// comparableOf is a value that == compares by contents.
func comparableOf(v any) any {
	switch v.(type) {
	case []any, map[string]any:
		return structure(text(v))
	}
	return v
}

// structure is the text of a list or an object.
type structure string
