package history

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// The call/return logs of Violin and LiMo:
//
//	# @object atomic-stack
//	[1] call push(1)
//	    [2] call pop
//	[1] return
//	    [2] return empty
//
// The number is that of an operation or of a thread; either way one operation is
// open under it at a time. Arguments stand in brackets or after a space, several
// become a list. Blank lines and other comments are ignored.

func readViolin(s *source, b *Builder) error {
	for {
		line := s.line
		text, ok, err := s.text()
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		if text[0] == '#' {
			if name, found := bytes.CutPrefix(bytes.TrimSpace(text[1:]), []byte("@object")); found {
				b.SetSpec(canonical(string(bytes.TrimSpace(name))))
			}
			continue
		}
		if err := violinEvent(b, text, line); err != nil {
			return err
		}
	}
}

// canonical turns the name of an object into that of a specification.
func canonical(object string) string {
	name := strings.TrimPrefix(strings.ToLower(object), "atomic-")
	switch name {
	case "priorityqueue", "priority_queue":
		return "priority-queue"
	case "lock":
		return "mutex"
	}
	return name
}

func violinEvent(b *Builder, text []byte, line int) error {
	wrong := func() error {
		return &Error{Line: line, What: fmt.Sprintf("%q is neither a call nor a return", abbreviate(string(text))),
			Hint: `a line reads "[1] call push(7)" or "[1] return 7"`}
	}
	end := bytes.IndexByte(text, ']')
	if text[0] != '[' || end < 2 {
		return wrong()
	}
	process := b.Process(string(bytes.TrimSpace(text[1:end])))
	what, rest := word(text[end+1:])
	rest = bytes.TrimSpace(rest)
	switch string(what) {
	case "call":
		name, args, err := violinCall(rest)
		if err != nil || name == "" {
			return wrong()
		}
		arg, err := violinValues(b, args, line)
		if err != nil {
			return err
		}
		return b.Invoke(process, b.Values.String(name), NoKey, arg, line)
	case "return":
		if n := len(rest); n >= 2 && rest[0] == '(' && rest[n-1] == ')' {
			rest = rest[1 : n-1]
		}
		result, err := violinValues(b, strings.FieldsFunc(string(rest), isSeparator), line)
		if err != nil {
			return err
		}
		if s, ok := b.Values.AsString(result); ok && s == "empty" {
			result = Nil
		}
		if r := b.OpenRecord(process); r != nil {
			r.NoResult = len(rest) == 0 && r.Arg != Nil // with an argument, a bare return says nothing; without one, it is LiMo's "empty"
		}
		return b.Complete(process, result, Returned, line)
	}
	return wrong()
}

func isSeparator(r rune) bool { return r == ' ' || r == '\t' || r == ',' }

// violinCall takes "push(1)", "push 1" or "pop" apart.
func violinCall(text []byte) (name string, args []string, err error) {
	s := string(text)
	open := strings.IndexByte(s, '(')
	if space := strings.IndexAny(s, " \t"); open < 0 || space >= 0 && space < open && strings.TrimSpace(s[space:open]) != "" {
		if open >= 0 || strings.IndexByte(s, ')') >= 0 {
			return "", nil, strconv.ErrSyntax
		}
		fields := strings.FieldsFunc(s, isSeparator)
		if len(fields) == 0 {
			return "", nil, strconv.ErrSyntax
		}
		return fields[0], fields[1:], nil
	}
	if !strings.HasSuffix(s, ")") || strings.Count(s, "(") != 1 || strings.Count(s, ")") != 1 {
		return "", nil, strconv.ErrSyntax
	}
	return strings.TrimSpace(s[:open]), strings.FieldsFunc(s[open+1:len(s)-1], isSeparator), nil
}

// violinValues interns what stands after a method or a return.
func violinValues(b *Builder, words []string, line int) (Value, error) {
	var list []Value
	for _, w := range words {
		v, err := violinValue(b.Values, w, line)
		if err != nil {
			return Nil, err
		}
		list = append(list, v)
	}
	switch len(list) {
	case 0:
		return Nil, nil
	case 1:
		return list[0], nil
	}
	return b.Values.List(list), nil
}

func violinValue(t *Values, w string, line int) (Value, error) {
	switch w {
	case "nil", "null":
		return Nil, nil
	case "true":
		return True, nil
	case "false":
		return False, nil
	}
	if n, err := strconv.ParseInt(w, 10, 64); err == nil {
		return t.Int(n), nil
	}
	if validNumber([]byte(w)) {
		return Nil, notInteger(w, line)
	}
	return t.String(w), nil
}
