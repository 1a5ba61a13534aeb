package logs

import (
	"bytes"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// The logs of Lowe's concurrent sets, as Horn and Kroening's checker reads them:
//
//	2 invokes add 23
//	0 invokes contains 3
//	2 returns true
//	0 returns false
//
// The number is that of a thread, which has one operation open at a time. Arguments may stand in
// brackets, too; several become a list. Blank lines and comments are skipped. Operations add,
// remove and contains make a set.

func readLowe(b *history.Reading) error {
	names := map[string]bool{}
	err := lex.SourceOf(b.In).EachLine(func(text []byte, line int) error {
		if text[0] == '#' {
			return nil
		}
		return loweEvent(b, text, line, names)
	})
	if err != nil {
		return err
	}
	for name := range names {
		if name != "add" && name != "remove" && name != "contains" {
			return nil
		}
	}
	b.SetSpec("set")
	return nil
}

func loweEvent(b *history.Reading, text []byte, line int, names map[string]bool) error {
	wrong := &history.Error{Line: line, What: fmt.Sprintf("%q is neither a call nor a return",
		lex.Abbreviate(string(text))),
		Hint: `a line reads "2 invokes add 23" or "2 returns true"`}
	thread, rest := lex.Word(text)
	what, rest := lex.Word(rest)
	if !lex.PlainInt(thread) {
		return wrong
	}
	process := b.Process(string(thread))
	rest = bytes.TrimSpace(rest)
	switch string(what) {
	case "invokes":
		name, args, err := violinCall(rest)
		if err != nil || name == "" {
			return wrong
		}
		arg, err := violinValues(b, args, line)
		if err != nil {
			return err
		}
		names[name] = true
		return b.Invoke(process, b.Values.String(name), history.NoKey, arg, line)
	case "returns":
		result, err := violinValues(b, violinWords(string(rest)), line)
		if err != nil {
			return err
		}
		if r := b.OpenRecord(process); r != nil {
			r.NoResult = len(rest) == 0
		}
		return b.Complete(process, result, false, line)
	}
	return wrong
}
