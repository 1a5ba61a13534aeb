package history

import (
	"fmt"
	"math"
	"slices"
	"strings"
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
	jsonLexer
	b    *Builder
	op   porcupineOp
	puts map[int32]int // client → its operations that never returned
	log  *eventLog     // for absentIsEmpty
}

type porcupineOp struct {
	Record
	client  int64
	seen    int // of seenProcess, seenF, seenCall, seenReturn, seenResult
	unknown bool
	line    int
	f       string

	request, response []any // of etcd's model: names of fields and values in turn
}

// porcupineJSON is the name of the format.
const porcupineJSON = "porcupine-json"

func readPorcupineJSON(s *source, b *Builder) error {
	r := &porcupineReader{jsonLexer: jsonLexer{source: s, values: b.Values}, b: b, puts: map[int32]int{},
		log: newEventLog(b)}
	if err := r.documentsOf("an operation", r.operation); err != nil {
		return err
	}
	if r.log.isPorcupine() {
		r.log.absentIsEmpty()
	}
	return nil
}

const porcupineJSONHint = `an operation is {"ClientId": 0, "Input": {"Op": "put", "Key": "x", "Value": "a"}, "Call": 0, "Output": {}, "Return": 5}`

var (
	porcupineFields = []string{"clientid", "input", "call", "output", "return"}
	inputFields     = []string{"op", "key", "value"}
	outputFields    = []string{"value", "unknown"}
)

// operation reads an object.
func (r *porcupineReader) operation() error {
	op := &r.op
	*op = porcupineOp{Record: Record{Key: NoKey}, line: r.line}
	err := r.object("an operation", func(name []byte) (err error) {
		switch strings.ToLower(string(name)) {
		case "clientid":
			op.seen |= seenProcess
			if err = r.want('0', "ClientId", "an integer"); err == nil {
				op.client, err = r.integer()
			}
		case "call":
			op.seen |= seenCall
			if err = r.want('0', "Call", "an integer"); err == nil {
				op.Call, err = r.integer()
			}
		case "return":
			op.seen |= seenReturn
			if err = r.want('0', "Return", "an integer"); err == nil {
				op.Return, err = r.integer()
			}
		case "input":
			err = r.input(op)
		case "output":
			err = r.output(op)
		default:
			r.b.unknownField("an operation", string(name), porcupineFields, r.line)
			err = r.ignore()
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
	c, err := r.token("an input")
	if err != nil {
		return err
	}
	if c == '"' {
		s, err := r.str()
		op.f = string(s)
		op.seen |= seenF
		return err
	}
	if err := r.want('{', "Input", "an object with an operation, a key and a value"); err != nil {
		return err
	}
	return r.object("an input", func(name []byte) (err error) {
		switch strings.ToLower(string(name)) {
		case "op", "operation", "f", "method", "kind", "type":
			op.seen |= seenF
			op.f, err = r.verb()
		case "key":
			if op.Key, err = r.value(); op.Key == Nil {
				op.Key = NoKey
			}
		case "value", "arg":
			op.Arg, err = r.value()
		default:
			if field := strings.ToLower(string(name)); slices.Contains(etcdRequests, field) {
				var v Value
				if v, err = r.value(); v != Nil {
					op.request = append(op.request, field, v)
				}
				return err
			}
			r.b.unknownField("an input", string(name), inputFields, r.line)
			err = r.ignore()
		}
		return err
	})
}

// verb reads the name of an operation, or its number in Porcupine's model.
func (r *porcupineReader) verb() (string, error) {
	c, err := r.token("an operation")
	if err != nil {
		return "", err
	}
	if c == '"' {
		s, err := r.str()
		return string(s), err
	}
	if err := r.want('0', "Op", "a string, or 0 (get), 1 (put) or 2 (append)"); err != nil {
		return "", err
	}
	n, err := r.integer()
	if err == nil && (n < 0 || n > 2) {
		err = &Error{Line: r.line, What: fmt.Sprintf("operation number %d", n),
			Hint: "numbers are those of Porcupine's key-value model: 0 get, 1 put, 2 append; name other operations"}
	}
	if err != nil {
		return "", err
	}
	return [...]string{"get", "put", "append"}[n], nil
}

// output reads the result.
func (r *porcupineReader) output(op *porcupineOp) error {
	c, err := r.token("an output")
	if err != nil {
		return err
	}
	if c != '{' {
		op.seen |= seenResult
		op.Result, err = r.value()
		return err
	}
	return r.object("an output", func(name []byte) (err error) {
		switch strings.ToLower(string(name)) {
		case "value", "result":
			op.seen |= seenResult
			op.Result, err = r.value()
		case "unknown":
			var v Value
			v, err = r.value()
			op.unknown = v == True
		default:
			if field := strings.ToLower(string(name)); slices.Contains(etcdResponses, field) {
				var v Value
				v, err = r.value()
				op.response = append(op.response, field, v)
				return err
			}
			r.b.unknownField("an output", string(name), outputFields, r.line)
			err = r.ignore()
		}
		return err
	})
}

// add validates an operation and hands it to the builder.
func (r *porcupineReader) add(op *porcupineOp) error {
	for _, m := range [...]struct {
		bit  int
		name string
	}{{seenProcess, "ClientId"}, {seenF, "Input"}, {seenCall, "Call"}, {seenReturn, "Return"}} {
		if op.seen&m.bit == 0 {
			return &Error{Line: op.line, What: fmt.Sprintf("operation %d: missing %q", r.b.Len(), m.name),
				Hint: porcupineJSONHint}
		}
	}
	op.f = strings.ToLower(op.f)
	if len(op.request) > 0 {
		if err := r.etcdOperation(op); err != nil {
			return err
		}
	}
	op.F, op.Line = r.values.String(op.f), op.line
	op.Process = r.b.ProcessInt(op.client)
	if n := r.puts[op.Process]; n > 0 {
		op.Process = r.b.Process(fmt.Sprintf("%d~%d", op.client, n+1))
	}
	op.NoResult = op.seen&seenResult == 0
	switch reads := op.f == "get" || op.f == "read"; {
	case reads && op.Arg == r.values.String(""): // its empty value
		op.Arg = Nil
	case !reads && op.Result == r.values.String(""): // the empty output of Porcupine's model
		op.Result, op.NoResult = Nil, true
	}
	if op.unknown || op.Return == -1 || op.Return == math.MaxInt64 {
		op.Pending, op.Result = true, Nil
		r.puts[r.b.ProcessInt(op.client)]++
	}
	r.log.names[op.f] = true
	r.log.keyed = r.log.keyed || op.Key != NoKey
	_, err := r.b.Add(op.Record)
	return err
}
