package logs

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/eventlog"
	"github.com/linsat/linsat/history/internal/lex"
)

// Porcupine's operations as encoding/json writes them, a list or one after the other, as etcd's
// robustness tests keep them (operations.json):
//
//	{"ClientId": 0, "Input": {"Op": 1, "Key": "x", "Value": "a"}, "Call": 10,
//	 "Output": {}, "Return": 20}
//
// The input is an object with the operation, its key and its value, or the name of the operation
// alone. An operation is named, or has the number of Porcupine's key-value model: 0 get, 1 put, 2
// append. The output is null, a value, or an object with a value.
//
//   - A return of -1 or of the greatest integer means that the operation never returned, as in
//     etcd's tests, and so does an output that is marked "Unknown".
//   - A client may call again while its last operation never returned; it goes on under another
//     name.
//   - With get, put and append only, absent keys read as "", as in Porcupine's logs.
//   - Requests of the model of etcd's tests become operations of the specification etcd
//     (etcd_report.go).

type porcupineReader struct {
	lex.JsonLexer[history.Value]
	b    *history.Reading
	op   porcupineOp
	puts map[int32]int      // client → its operations that never returned
	log  *eventlog.EventLog // for absentIsEmpty
}

type porcupineOp struct {
	history.Record
	client  int64
	seen    int // of hasProcess, hasF, hasCall, hasReturn, hasResult
	unknown bool
	line    int
	f       string

	request, response []any // of etcd's model: names of fields and values in turn
}

func readPorcupineJSON(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	r := &porcupineReader{JsonLexer: lex.NewJSON[history.Value](s, b.Values, false), b: b, puts: map[int32]int{},
		log: eventlog.NewEventLog(b)}
	if err := r.DocumentsOf("an operation", r.operation); err != nil {
		return err
	}
	if r.log.IsPorcupine() {
		r.log.AbsentIsEmpty()
	}
	return nil
}

const (
	hasProcess = 1 << iota
	hasF
	hasCall
	hasReturn
	hasResult
)

const porcupineJSONHint = `an operation is {"ClientId": 0, "Input": {"Op": "put", "Key": "x", "Value": "a"}, "Call": 0, "Output": {}, "Return": 5}`

var (
	porcupineFields = []string{"clientid", "input", "call", "output", "return"}
	inputFields     = []string{"op", "key", "value"}
	outputFields    = []string{"value", "unknown"}
)

// operation reads an object.
func (r *porcupineReader) operation() error {
	op := &r.op
	*op = porcupineOp{Record: history.Record{Key: history.NoKey}, line: r.Line}
	err := r.Object("an operation", func(name []byte) (err error) {
		switch strings.ToLower(string(name)) {
		case "clientid":
			op.seen |= hasProcess
			if err = r.Want('0', "ClientId", "an integer"); err == nil {
				op.client, err = r.Integer()
			}
		case "call":
			op.seen |= hasCall
			if err = r.Want('0', "Call", "an integer"); err == nil {
				op.Call, err = r.Integer()
			}
		case "return":
			op.seen |= hasReturn
			if err = r.Want('0', "Return", "an integer"); err == nil {
				op.Return, err = r.Integer()
			}
		case "input":
			err = r.input(op)
		case "output":
			err = r.output(op)
		default:
			r.b.UnknownField("an operation", string(name), porcupineFields, r.Line)
			err = r.Ignore()
		}
		return err
	})
	if err != nil {
		return err
	}
	return r.add(op)
}

// input reads the operation, its key and its value.
func (r *porcupineReader) input(op *porcupineOp) error {
	c, err := r.Token("an input")
	if err != nil {
		return err
	}
	if c == '"' {
		s, err := r.Str()
		op.f = string(s)
		op.seen |= hasF
		return err
	}
	if err := r.Want('{', "Input", "an object with an operation, a key and a value"); err != nil {
		return err
	}
	return r.Object("an input", func(name []byte) (err error) {
		switch strings.ToLower(string(name)) {
		case "op", "operation", "f", "method", "kind", "type":
			op.seen |= hasF
			op.f, err = r.verb()
		case "key":
			if op.Key, err = r.Value(); op.Key == history.Nil {
				op.Key = history.NoKey
			}
		case "value", "arg":
			op.Arg, err = r.Value()
		default:
			if field := strings.ToLower(string(name)); slices.Contains(etcdRequests, field) {
				var v history.Value
				if v, err = r.Value(); v != history.Nil {
					op.request = append(op.request, field, v)
				}
				return err
			}
			r.b.UnknownField("an input", string(name), inputFields, r.Line)
			err = r.Ignore()
		}
		return err
	})
}

// verb reads the name of an operation, or its number in Porcupine's model.
func (r *porcupineReader) verb() (string, error) {
	c, err := r.Token("an operation")
	if err != nil {
		return "", err
	}
	if c == '"' {
		s, err := r.Str()
		return string(s), err
	}
	if err := r.Want('0', "Op", "a string, or 0 (get), 1 (put) or 2 (append)"); err != nil {
		return "", err
	}
	n, err := r.Integer()
	if err == nil && (n < 0 || n > 2) {
		err = &history.Error{Line: r.Line, What: fmt.Sprintf("operation number %d", n),
			Hint: "numbers are those of Porcupine's key-value model: 0 get, 1 put, 2 append; name other operations"}
	}
	if err != nil {
		return "", err
	}
	return [...]string{"get", "put", "append"}[n], nil
}

// output reads the result.
func (r *porcupineReader) output(op *porcupineOp) error {
	c, err := r.Token("an output")
	if err != nil {
		return err
	}
	if c != '{' {
		op.seen |= hasResult
		op.Result, err = r.Value()
		return err
	}
	return r.Object("an output", func(name []byte) (err error) {
		switch strings.ToLower(string(name)) {
		case "value", "result":
			op.seen |= hasResult
			op.Result, err = r.Value()
		case "unknown":
			var v history.Value
			v, err = r.Value()
			op.unknown = v == history.True
		default:
			if field := strings.ToLower(string(name)); slices.Contains(etcdResponses, field) {
				var v history.Value
				v, err = r.Value()
				op.response = append(op.response, field, v)
				return err
			}
			r.b.UnknownField("an output", string(name), outputFields, r.Line)
			err = r.Ignore()
		}
		return err
	})
}

// add validates an operation and hands it to the builder.
func (r *porcupineReader) add(op *porcupineOp) error {
	for _, m := range [...]struct {
		bit  int
		name string
	}{{hasProcess, "ClientId"}, {hasF, "Input"}, {hasCall, "Call"}, {hasReturn, "Return"}} {
		if op.seen&m.bit == 0 {
			return &history.Error{Line: op.line, What: fmt.Sprintf("operation %d: missing %q", r.b.Len(), m.name),
				Hint: porcupineJSONHint}
		}
	}
	op.f = strings.ToLower(op.f)
	if len(op.request) > 0 {
		if err := r.etcdOperation(op); err != nil {
			return err
		}
	}
	op.F, op.Line = r.b.Values.String(op.f), op.line
	op.Process = r.b.ProcessInt(op.client)
	if n := r.puts[op.Process]; n > 0 {
		op.Process = r.b.Process(fmt.Sprintf("%d~%d", op.client, n+1))
	}
	op.NoResult = op.seen&hasResult == 0
	switch reads := op.f == "get" || op.f == "read"; {
	case reads && op.Arg == r.b.Values.String(""): // its empty value
		op.Arg = history.Nil
	case !reads && op.Result == r.b.Values.String(""): // the empty output of Porcupine's model
		op.Result, op.NoResult = history.Nil, true
	}
	if op.unknown || op.Return == -1 || op.Return == math.MaxInt64 {
		op.Pending, op.Result = true, history.Nil
		r.puts[r.b.ProcessInt(op.client)]++
	}
	r.log.Names[op.f] = true
	r.log.Keyed = r.log.Keyed || op.Key != history.NoKey
	_, err := r.b.Add(op.Record)
	return err
}

// mergedPorcupine completes a history of several files.
func mergedPorcupine(b *history.Reading, files []string) error {
	l := eventlog.NewEventLog(b)
	for i := range b.Records() {
		r := &b.Records()[i]
		f, _ := b.Values.AsString(r.F)
		l.Names[f] = true
		l.Keyed = l.Keyed || r.Key != history.NoKey
	}
	if l.IsPorcupine() {
		l.AbsentIsEmpty()
	}
	if b.Spec() != "etcd" {
		return nil
	}
	return watched(b, watchesOf(files[0]))
}

// watchesOf lists the files with watches of the report that a file with operations belongs to.
func watchesOf(file string) []string {
	client := filepath.Dir(file)
	if filepath.Base(file) != "operations.json" || !strings.HasPrefix(filepath.Base(client), "client-") {
		return nil
	}
	return slices.DeleteFunc(history.Parts(filepath.Dir(client)), func(part string) bool {
		return filepath.Base(part) != "watch.json"
	})
}
