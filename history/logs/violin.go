package logs

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
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
//
// LiMo states the result of a removal at its call as well: "call pop(7)", and a bare return. Of
// stacks, queues, deques and priority queues that is the result, if the removal returns at all.

func readViolin(b *history.Reading) error {
	object := ""
	return lex.SourceOf(b.In).EachLine(func(text []byte, line int) error {
		if text[0] != '#' {
			return violinEvent(b, object, text, line)
		}
		if name, found := bytes.CutPrefix(bytes.TrimSpace(text[1:]), []byte("@object")); found {
			object = canonical(string(bytes.TrimSpace(name)))
			b.SetSpec(object)
		}
		return nil
	})
}

// canonical turns the name of an object into that of a specification.
func canonical(object string) string {
	name := strings.TrimPrefix(strings.ToLower(object), "atomic-")
	switch name {
	case "priorityqueue", "priority_queue", "pqueue", "pq", "heap", "max-heap", "maxheap", "max-priority-queue":
		return "priority-queue"
	case "lock":
		return "mutex"
	}
	return name
}

// violinTakes reports whether a method of an object removes or looks at an item, and so takes no
// argument.
func violinTakes(object, method string) bool {
	switch object {
	case "stack", "queue", "deque", "priority-queue":
		return fastlinTakes(method) || method == "remove" || method == "rm"
	}
	return false
}

func violinEvent(b *history.Reading, object string, text []byte, line int) error {
	wrong := func() error {
		return &history.Error{Line: line, What: fmt.Sprintf("%q is neither a call nor a return",
			lex.Abbreviate(string(text))),
			Hint: `a line reads "[1] call push(7)" or "[1] return 7"`}
	}
	end := bytes.IndexByte(text, ']')
	if text[0] != '[' || end < 2 {
		return wrong()
	}
	process := b.Process(string(bytes.TrimSpace(text[1:end])))
	what, rest := lex.Word(text[end+1:])
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
		return b.Invoke(process, b.Values.String(name), history.NoKey, arg, line)
	case "return":
		if n := len(rest); n >= 2 && rest[0] == '(' && rest[n-1] == ')' {
			rest = rest[1 : n-1]
		}
		result, err := violinValues(b, violinWords(string(rest)), line)
		if err != nil {
			return err
		}
		if s, ok := b.Values.AsString(result); ok && s == "empty" {
			result = history.Nil
		}
		if r := b.OpenRecord(process); r != nil && r.Arg != history.Nil {
			if f, _ := b.Values.AsString(r.F); violinTakes(object, f) {
				if len(rest) > 0 && result != r.Arg {
					return &history.Error{Line: line, What: fmt.Sprintf("%s was called with %s and returns %s",
						lex.Abbreviate(f),
						lex.Abbreviate(b.Values.Format(r.Arg)), lex.Abbreviate(b.Values.Format(result))),
						Hint: "a removal that states its item at the call returns that item, or nothing"}
				}
				r.Arg, result = history.Nil, r.Arg
			}
		}
		if r := b.OpenRecord(process); r != nil {
			// with an argument, a bare return says nothing; without one, it is LiMo's "empty"
			r.NoResult = len(rest) == 0 && r.Arg != history.Nil
		}
		return b.Complete(process, result, false, line)
	}
	return wrong()
}

// violinWords splits arguments at spaces and commas, but not inside LiMo's ?<0,1>.
func violinWords(s string) []string {
	if strings.Count(s, "<") != strings.Count(s, ">") {
		return strings.FieldsFunc(s, isSeparator)
	}
	inside := 0
	return strings.FieldsFunc(s, func(r rune) bool {
		switch r {
		case '<':
			inside++
		case '>':
			inside = max(0, inside-1)
		}
		return inside == 0 && isSeparator(r)
	})
}

func isSeparator(r rune) bool { return r == ' ' || r == '\t' || r == ',' }

// violinCall parses "push(1)", "push 1" or "pop".
func violinCall(text []byte) (name string, args []string, err error) {
	s := string(text)
	open := strings.IndexByte(s, '(')
	if space := strings.IndexAny(s, " \t"); open < 0 || space >= 0 && space < open &&
		strings.TrimSpace(s[space:open]) != "" {
		if open >= 0 || strings.IndexByte(s, ')') >= 0 {
			return "", nil, strconv.ErrSyntax
		}
		fields := violinWords(s)
		if len(fields) == 0 {
			return "", nil, strconv.ErrSyntax
		}
		return fields[0], fields[1:], nil
	}
	if !strings.HasSuffix(s, ")") || strings.Count(s, "(") != 1 || strings.Count(s, ")") != 1 {
		return "", nil, strconv.ErrSyntax
	}
	return strings.TrimSpace(s[:open]), violinWords(s[open+1 : len(s)-1]), nil
}

// violinValues interns the arguments of a method or the values of a return.
func violinValues(b *history.Reading, words []string, line int) (history.Value, error) {
	var list []history.Value
	for _, w := range words {
		v, err := violinValue(b.Values, w, line)
		if err != nil {
			return history.Nil, err
		}
		list = append(list, v)
	}
	switch len(list) {
	case 0:
		return history.Nil, nil
	case 1:
		return list[0], nil
	}
	return b.Values.List(list), nil
}

func violinValue(t *history.Values, w string, line int) (history.Value, error) {
	switch w {
	case "nil", "null":
		return history.Nil, nil
	case "true":
		return history.True, nil
	case "false":
		return history.False, nil
	}
	if n, err := strconv.ParseInt(w, 10, 64); err == nil {
		return t.Int(n), nil
	}
	if lex.ValidNumber([]byte(w)) {
		return history.Nil, lex.NotInteger(w, line)
	}
	return t.String(w), nil
}
