package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/similar"
)

// Unknown fields of an input. A reader ignores them, but a misspelled field would change the
// meaning of the history. So each unknown name gives one warning, with the known name that it most
// resembles.

var (
	headerFields    = []string{"spec", "initial", "order", "events"}
	operationFields = []string{"process", "f", "key", "arg", "result", "call", "return", "status", "forgotten", "chain",
		"revision", "id", "check", "by"}
	eventFields = []string{"time", "end", "process", "text", "details", "color", "background"}
)

// strangeField is the name of a field, and the line that it stands in.
type strangeField struct {
	name string
	line int
}

// synonyms are what other tools call the fields of operations and of headers.
var synonyms = map[string][]string{
	"process": {"proc", "processid", "pid", "thread", "threadid", "tid", "client", "clientid", "worker",
		"actor", "session"},
	"f":   {"op", "operation", "method", "function", "func", "fn", "name", "action", "command", "cmd"},
	"key": {"k", "object", "objectid", "obj", "register"},
	"arg": {"args", "argument", "arguments", "input", "in", "param", "params", "request"},
	"result": {"value", "val", "v", "ret", "retval", "returnvalue", "returned", "res", "results", "output", "out",
		"response", "resp", "answer", "found"},
	"call": {"start", "starttime", "begin", "invoke", "invoked", "invocation", "inv", "calltime", "calledat"},
	"return": {"end", "endtime", "finish", "complete", "completed", "completion", "returntime",
		"returnedat", "stop"},
	"by":         {"deadline", "expires", "expiry", "until"},
	"chain":      {"rev", "revno", "seq", "seqno", "sequence", "sequencenumber", "zxid", "lsn"},
	"status":     {"type", "outcome", "state", "ok"},
	"spec":       {"specification", "model", "datatype", "adt"},
	"initial":    {"init", "initialstate", "initialvalue", "start"},
	"operations": {"ops", "history", "operation"},
	"order":      {"edges", "precedence", "happensbefore"},
	"events":     {"notes", "annotations"},
	"time":       {"at", "t", "when"},
	"text":       {"message", "msg", "what", "description"},
}

// unknownField warns about a field that is ignored, and suggests the known one that it most
// resembles.
func (b *Builder) unknownField(of, name string, known []string, line int) {
	if b.told[of+"\x00"+name] || len(b.told) > maxWarnings {
		return
	}
	b.told[of+"\x00"+name] = true
	hint := "its fields are " + strings.Join(known, ", ") + " (docs/formats.md)"
	switch near := nearest(name, known); {
	case near == "result" && slices.Contains([]string{"value", "val", "v"}, strings.ToLower(name)):
		hint = `did you mean "result", or for what is put in "arg"? ` + hint
	case near != "":
		hint = fmt.Sprintf("did you mean %q? ", near) + hint
	}
	b.Warn(line, fmt.Sprintf("%s has an unknown field %q, which is ignored", of, abbreviate(name)), hint)
}

// nearest returns the known field that a name most resembles, or "".
func nearest(name string, known []string) string {
	plain := similar.Plain(name)
	for _, k := range known {
		if slices.Contains(synonyms[k], plain) {
			return k
		}
	}
	return similar.Nearest(name, known)
}

// likeResult remembers which of the unknown names sound like a result.
type likeResult map[string]bool

// sounds reports whether a name does.
func (l likeResult) sounds(name []byte) bool {
	like, known := l[string(name)]
	if !known && len(l) < 1000 {
		like = nearest(strings.TrimPrefix(string(name), ":"), []string{"result"}) != ""
		l[string(name)] = like
	}
	return like
}

// misnamedValue warns about an event of Jepsen that returned without a value, but with a field that
// sounds like one.
func (l *eventLog) misnamedValue(name string, line int) {
	l.b.Warn(line, fmt.Sprintf("an event has an unknown field %q, which is ignored", abbreviate(name)),
		`did you mean "value"? its fields are process, type, f, value and key`)
}
