package history

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
)

// Text formats are distinguished by the first lines that hold an operation.
var (
	violinLine  = regexp.MustCompile(`^\s*\[[^\]\s]+\]\s+(call|return)\b`)
	fastlinLine = regexp.MustCompile(`^\s*[A-Za-z_]+(\s+-?[0-9]+){3,4}\s*$`)
	fptlinLine  = regexp.MustCompile(`^\s*[0-9]+\s+[0-9]+\s+[0-9]+\s+[A-Za-z_]+(\s+-?[0-9]+){1,2}\s*$`)
	loweLine    = regexp.MustCompile(`^\s*[0-9]+\s+(invokes\s+\S|returns\b)`)
	plumeLines  = regexp.MustCompile(`^\s*[rw]\(-?[0-9]+,-?[0-9]+,-?[0-9]+,-?[0-9]+\)\s*$`)
	awditLine   = regexp.MustCompile(`^\s*[rw]\s+-?[0-9]+\s+-?[0-9]+\s*$`)
	ednTag      = regexp.MustCompile(`^\s*#[A-Za-z][^\s\[({]*\s*[\[({]`)
	// of any logger of Jepsen's
	jepsenLog = regexp.MustCompile(
		`^(\S+[ \t]+)?(\d\d:\d\d:\d\d\S*[ \t]+)?(TRACE|DEBUG|INFO|WARN|ERROR)[ \t].*\bjepsen\.[a-z]`)
	jepsenLine = regexp.MustCompile(`(^|\s)(-?[0-9]+|:\S+)\s+:(invoke|ok|fail|info)\s+:\S`)
)

// recognise determines the format of an input from its beginning.
func recognise(head []byte) (*Format, error) {
	name := ""
	text := bytes.TrimLeft(head, " \t\r\n,")
	switch {
	case fressianBegins(head):
		name = "fressian"
	case cobraBegins(head):
		name = cobraFormat
	case dbcopBegins(head):
		name = "dbcop"
	case bytes.HasPrefix(text, []byte("{")):
		name = braces(text[1:])
	case bytes.HasPrefix(text, []byte("(")), bytes.HasPrefix(text, []byte(";")),
		bytes.HasPrefix(text, []byte("#_")), bytes.HasPrefix(text, []byte("#{")):
		name = "edn"
	case bytes.HasPrefix(text, []byte("[")) && !violinLine.Match(firstLine(text)):
		if inner := bytes.TrimLeft(text[1:], " \t\r\n,"); len(inner) > 1 && inner[0] == '{' {
			name = braces(inner[1:])
		} else {
			name = "edn"
		}
	case tableBegins(head):
		name = csvFormat
	default:
		var err error
		if name, err = byLines(head); err != nil {
			return nil, err
		}
	}
	if name == "json" {
		var err error
		if name, err = jsonShape(text); err != nil {
			return nil, err
		}
	}
	switch name {
	case "json":
		return &anyJSON, nil
	case "":
		for i := range registered {
			if f := &registered[i]; f.Begins != nil && f.Begins(head) {
				return f, nil
			}
		}
		return nil, &Error{What: "the format is not recognised",
			Hint: "if it is a history, name its format with --input-format: " + strings.Join(Formats(), ", ") +
				" (docs/formats.md)"}
	}
	return findFormat(name)
}

// braces tells JSON from EDN by what follows the first brace.
func braces(after []byte) string {
	after = bytes.TrimLeft(after, " \t\r\n")
	if len(after) == 0 || after[0] == '"' || after[0] == '}' {
		return "json"
	}
	return "edn"
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	return line
}

// lineFormats are the formats that a single line identifies.
var lineFormats = []struct {
	name string
	line *regexp.Regexp
}{{"violin", violinLine}, {"fastlin", fastlinLine}, {"fptlin", fptlinLine}, {"lowe", loweLine}, {"plume", plumeLines},
	{"awdit", awditLine}, {"jepsen", jepsenLine}, {"jepsen", jepsenLog}, {"edn", ednTag}}

// byLines determines a text format by the first line that matches one. It refuses a text whose
// lines match two formats. Other lines, as in Jepsen's logs and in EDN, are ignored.
func byLines(head []byte) (string, error) {
	first, at := "", 0
	for number := 1; len(head) > 0 && (first == "" || number <= at+looked); number++ {
		line := firstLine(head)
		head = head[min(len(head), len(line)+1):]
		for _, f := range lineFormats {
			if !f.line.Match(line) {
				continue
			}
			if first == "" {
				first, at = f.name, number
			}
			if first == "jepsen" || first == "edn" {
				return first, nil
			}
			if f.name != first {
				return "", &Error{Line: number, What: fmt.Sprintf("this line has the format %s, but line %d has %s",
					f.name, at, first), Hint: "name the format with --input-format"}
			}
			break
		}
	}
	return first, nil
}

// tableBegins reports whether a text begins like a table: as its reader says or, without one, with
// names of columns for the process and the operation.
func tableBegins(head []byte) bool {
	if f, err := findFormat(csvFormat); err == nil {
		return f.Begins(head)
	}
	var fields []string
	for name := range strings.FieldsFuncSeq(string(firstLine(bytes.TrimSpace(head))), func(r rune) bool {
		return strings.ContainsRune(",;\t", r)
	}) {
		fields = append(fields, lex.Nearest(strings.Trim(name, `" `), []string{"process", "f", "call", "return", "status"}))
	}
	return len(fields) > 2 && slices.Contains(fields, "process") && slices.Contains(fields, "f")
}
