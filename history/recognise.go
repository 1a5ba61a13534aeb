package history

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// format is an input format.
type format struct {
	name string // as in --input-format
	read func(s *source, b *Builder) (name string, err error)
}

var formats = []format{
	// linsat's JSON: {"spec": "queue", "operations": [{"f": "enq", "arg": 1, "call": 0}]}
	{"json", func(s *source, b *Builder) (string, error) { return readJSON(s, b, "json") }},
	// the same as JSON Lines: a header, then one operation a line
	{"jsonl", func(s *source, b *Builder) (string, error) { return readJSON(s, b, "jsonl") }},
	// Jepsen's events as JSON, a list or JSON Lines: {"type": "invoke", "f": "read"}
	{"jepsen-json", func(s *source, b *Builder) (string, error) { return "jepsen-json", readJSONEvents(s, b) }},
	// Porcupine's operations as JSON: {"ClientId": 0, "Input": {"Op": "put"}, "Call": 0}
	{porcupineJSON, func(s *source, b *Builder) (string, error) { return porcupineJSON, readPorcupineJSON(s, b) }},
	// traces of OpenTelemetry: {"resourceSpans": [{"scopeSpans": [{"spans": [...]}]}]}
	{otlpFormat, func(s *source, b *Builder) (string, error) { return otlpFormat, readOTLP(s, b) }},
	// Jepsen and Knossos: {:process 0, :type :invoke, :f :read, :value nil}, or a vector or list
	{"edn", func(s *source, b *Builder) (string, error) { return readEDN(s, b) }},
	// Porcupine's key-value logs: the same with a :key in each event, and get, put and append
	{"porcupine", func(s *source, b *Builder) (string, error) { return readEDN(s, b) }},
	// Jepsen's text logs: INFO  jepsen.util - 3 :invoke :cas [1 2]
	{"jepsen", func(s *source, b *Builder) (string, error) { return "jepsen", readJepsen(s, b) }},
	// Jepsen's binary files: test.jepsen, test.fressian
	{"fressian", func(s *source, b *Builder) (string, error) { return readFressian(s, b) }},
	// call/return logs of Violin and LiMo: [3] call push(1), [3] return
	{"violin", func(s *source, b *Builder) (string, error) { return "violin", readViolin(s, b) }},
	// fastlin's and PolyLin's lines: # queue, then method value call return
	{"fastlin", func(s *source, b *Builder) (string, error) { return "fastlin", readFastlin(s, b) }},
	// tables with a header: process,f,arg,result,call,return
	{csvFormat, func(s *source, b *Builder) (string, error) { return csvFormat, readCSV(s, b) }},
	// FPTLin's lines: # queue, then process start end METHOD value
	{"fptlin", func(s *source, b *Builder) (string, error) { return "fptlin", readFptlin(s, b) }},
	// Lowe's logs: 2 invokes add 23, 2 returns true
	{"lowe", func(s *source, b *Builder) (string, error) { return "lowe", readLowe(s, b) }},
	// transactions without times: dbcop's history.bincode
	{"dbcop", func(s *source, b *Builder) (string, error) { return "dbcop", readDbcop(s, b) }},
	// those of Cobra: logs of sessions
	{cobraFormat, func(s *source, b *Builder) (string, error) { return cobraFormat, readCobra(s, b) }},
	// those of PolySI, Plume and IsoVista: w(key,value,session,transaction)
	{"plume", func(s *source, b *Builder) (string, error) { return "plume", readPlume(s, b) }},
	// those of AWDIT's tests: w key value, lines of - and = between transactions and sessions
	{"awdit", func(s *source, b *Builder) (string, error) { return "awdit", readAwdit(s, b) }},
}

// anyJSON determines while reading which of the two formats it is.
var anyJSON = format{name: "json", read: func(s *source, b *Builder) (string, error) { return readJSON(s, b, "") }}

// Formats lists the names of the input formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].name
	}
	return names
}

// findFormat returns the input format with that name. The error lists all names.
func findFormat(name string) (*format, error) {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i], nil
		}
	}
	return nil, &Error{What: fmt.Sprintf("unknown input format %q", name), Hint: "the formats are " +
		strings.Join(Formats(), ", ")}
}

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
func recognise(head []byte) (*format, error) {
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
	case csvBegins(head):
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
