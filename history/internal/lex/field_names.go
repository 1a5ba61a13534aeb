package lex

import (
	"slices"

	"github.com/linsat/linsat/internal/similar"
)

// Names of fields, and what other tools call them.

var (
	HeaderFields    = []string{"spec", "initial", "order", "events"}
	OperationFields = []string{"process", "f", "key", "arg", "result", "call", "return", "status", "forgotten", "chain",
		"revision", "id", "check", "by"}
	EventFields = []string{"time", "end", "process", "text", "details", "color", "background"}
)

// Synonyms are what other tools call the fields of operations and of headers.
var Synonyms = map[string][]string{
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

// Nearest returns the known field that a name most resembles, or "".
func Nearest(name string, known []string) string {
	plain := similar.Plain(name)
	for _, k := range known {
		if slices.Contains(Synonyms[k], plain) {
			return k
		}
	}
	return similar.Nearest(name, known)
}
