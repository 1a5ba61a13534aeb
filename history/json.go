package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
)

// linsat's own formats: one JSON object that holds everything (json), or a header and then one
// operation after the other (jsonl; the header may be missing). docs/formats.md describes the
// fields. An unknown field is ignored with a warning that names the most similar known one
// (fields.go).

type jsonReader struct {
	lex.JsonLexer[Value]
	b     *Builder
	order []rawOrder // resolved at the end, as it may stand before the operations
	notes int        // so far, for messages

	seenOperations bool
	op             jsonOp         // the operation that is being read
	inside         bool           // op is not complete yet
	strange        []strangeField // fields of the first object that a header does not have
	elements       []Value        // of lists read the short way, and how many are open
	nested         int
	opField        func(key []byte) error
	into           *jsonBlock // that is being read, nil for the input itself
	lastName       []byte     // of the last plain operation
	lastF          Value      // the same, interned
}

// rawOrder is an entry of "order" as it is written.
type rawOrder struct {
	name     [2]string // an id, where position is -1
	position [2]int64
	line     int
}

// readJSON reads both formats and says which one it was. want is "json", "jsonl", or "" for either.
func readJSON(of *Reading, want string) error {
	b := of.Builder
	r := &jsonReader{JsonLexer: lex.NewJSON[Value](lex.SourceOf(of.In), b.Values, false), b: b}
	r.opField = func(key []byte) error { return r.field(&r.op, key) }
	format, err := r.documents(want)
	if err != nil {
		return err
	}
	of.Format = format
	return r.edges()
}

func (r *jsonReader) documents(want string) (string, error) {
	c, ok := r.Space()
	if !ok {
		if r.Failed() {
			return want, r.Fault()
		}
		return want, errEmpty()
	}
	if c == '[' {
		if r.Failed() {
			return want, r.Fault()
		}
		return want, &Error{Line: r.Line, What: "the input is a bare list",
			Hint: `a history is an object: {"spec": "queue", "operations": [...]}`}
	}
	if c != '{' { // JSON of another kind, or none
		if kind := r.Kind(); kind != lex.Shown(c) {
			return want, &Error{Line: r.Line, What: fmt.Sprintf("the input is %s, not an object", kind),
				Hint: `a history is an object: {"spec": "queue", "operations": [...]}`}
		}
	}
	op := &r.op
	top := r.Line
	if err := r.top(); err != nil {
		return want, r.locate(err)
	}
	what, known := "the header", lex.HeaderFields
	if !r.seenOperations && op.seen&(seenF|seenCall) != 0 {
		what, known = "an operation", lex.OperationFields
	} else if r.seenOperations {
		known = append(known[:len(known):len(known)], "operations")
	}
	for _, s := range r.strange {
		if !slices.Contains(known, s.name) {
			r.b.unknownField(what, s.name, known, s.line)
		}
	}
	if r.seenOperations {
		if want == "jsonl" {
			return want, &Error{Line: top, What: `the header of JSON Lines has "operations"`,
				Hint: "read it with --input-format json"}
		}
		return "json", r.finished()
	}
	if want == "json" {
		return want, missingOperations(top)
	}
	if op.seen&(seenF|seenCall) != 0 {
		if err := r.add(op); err != nil {
			return "jsonl", r.locate(err)
		}
	} else if _, ok := r.Space(); !ok && r.notes == 0 {
		if r.Failed() {
			return want, r.Fault()
		}
		return want, missingOperations(top)
	}
	r.blocks(false)
	for {
		if _, ok := r.Space(); !ok {
			break
		}
		if err := r.operation(); err != nil {
			return "jsonl", r.locate(err)
		}
	}
	return "jsonl", r.finished()
}

func missingOperations(line int) error {
	return &Error{Line: line, What: `missing "operations"`,
		Hint: `a history is {"spec": "queue", "operations": [...]}, or in JSON Lines one operation a line after the header`}
}

func errEmpty() error {
	return &Error{What: "the input is empty", Hint: "a history has at least one operation; is this the right file?"}
}

// finished refuses anything after the end.
func (r *jsonReader) finished() error {
	if c, ok := r.Space(); ok {
		return r.Syntax(fmt.Sprintf("%s after the end of the history", lex.Shown(c)))
	}
	if r.Failed() {
		return r.Fault()
	}
	return nil
}

// locate adds the operation to an error on line 1: if the whole history is on one line, the line
// number does not help.
func (r *jsonReader) locate(err error) error {
	if e, ok := err.(*Error); ok && r.inside && e.Line == 1 && !strings.Contains(e.What, "operation") {
		e.What = fmt.Sprintf("operation %d: %s", r.b.Len(), e.What)
	}
	return err
}

// top reads the first object, which is a whole history, a header, or an operation.
func (r *jsonReader) top() error {
	r.op.reset(r.Line)
	return r.Object("the history", func(key []byte) error {
		switch string(key) {
		case "spec":
			if err := r.Want('"', "spec", "a string"); err != nil {
				return err
			}
			s, err := r.Str()
			r.b.SetSpec(string(s))
			return err
		case "initial":
			v, err := r.Value()
			r.b.SetInitial(v)
			return err
		case "operations":
			r.seenOperations = true
			if err := r.Want('[', "operations", "a list"); err != nil {
				return err
			}
			first := true
			return r.Array("the operations", func() error {
				if first {
					first = false
					r.blocks(true)
				}
				return r.operation()
			})
		case "order":
			if err := r.Want('[', "order", "a list"); err != nil {
				return err
			}
			return r.Array(`"order"`, r.edge)
		case "events":
			if err := r.Want('[', "events", "a list"); err != nil {
				return err
			}
			return r.Array(`"events"`, r.note)
		}
		return r.topField(key)
	})
}

// topField reads a field of the first object that a header does not have. Whether the object is a
// header or an operation is known at its end.
func (r *jsonReader) topField(key []byte) error {
	if len(r.strange) < maxWarnings {
		r.strange = append(r.strange, strangeField{string(key), r.Line})
	}
	if slices.Contains(lex.OperationFields, string(key)) {
		return r.field(&r.op, key)
	}
	return r.Ignore()
}

const (
	seenProcess = 1 << iota
	seenF
	seenCall
	seenReturn
	seenStatus
	seenResult
	seenArg
	seenKey
	seenRevision
)

type jsonOp struct {
	Record
	seen   int
	status string
	line   int
	by     *int64 // its deadline
}

func (op *jsonOp) reset(line int) {
	*op = jsonOp{Record: Record{Key: NoKey}, line: line}
}

// operation reads and adds an operation.
func (r *jsonReader) operation() error {
	c, err := r.Token("the operations")
	if err != nil {
		return err
	}
	r.inside = true
	if c != '{' {
		return &Error{Line: r.Line, What: fmt.Sprintf("operation %d is %s, not an object", r.b.Len(), r.Kind()),
			Hint: operationHint}
	}
	r.op.reset(r.Line)
	if err := r.Object("an operation", r.opField); err != nil {
		return err
	}
	if err := r.add(&r.op); err != nil {
		return err
	}
	r.inside = false
	return nil
}

const operationHint = `an operation is {"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 5}`

// field reads a field of an operation.
func (r *jsonReader) field(op *jsonOp, key []byte) (err error) {
	switch string(key) {
	case "process":
		op.seen |= seenProcess
		op.Process, err = r.process()
	case "f":
		op.seen |= seenF
		if err = r.Want('"', "f", "a string"); err == nil {
			op.F, err = r.Value()
		}
	case "key":
		if op.Key, err = r.Value(); op.Key == Nil {
			op.Key = NoKey
		}
	case "arg":
		op.Arg, err = r.Value()
	case "result":
		op.seen |= seenResult
		op.Result, err = r.Value()
	case "call":
		op.seen |= seenCall
		op.Call, err = r.time("call")
	case "return":
		if c, ok := r.Space(); ok && c == 'n' {
			return r.Ignore() // null means absent
		}
		op.seen |= seenReturn
		op.Return, err = r.time("return")
	case "status":
		op.seen |= seenStatus
		if err = r.Want('"', "status", "a string"); err == nil {
			var s []byte
			s, err = r.Str()
			op.status = string(s)
		}
	case "forgotten":
		op.Forgotten, err = r.truth("forgotten")
	case "check":
		op.Unchecked, err = r.truth("check")
		op.Unchecked = !op.Unchecked
	case "id":
		if err = r.Want('"', "id", "a string"); err == nil {
			var s []byte
			s, err = r.Str()
			op.ID = string(s)
		}
	case "chain", "revision":
		op.Revision, err = r.revision(string(key))
	case "by":
		var by int64
		by, err = r.time("by")
		op.by = &by
	default:
		if r.into != nil {
			r.into.strange = append(r.into.strange, blockField{strangeField{string(key), r.Line}, len(r.into.ops)})
		} else {
			r.b.unknownField("an operation", string(key), lex.OperationFields, r.Line)
		}
		err = r.Ignore()
	}
	return err
}

// truth reads true or false.
func (r *jsonReader) truth(field string) (bool, error) {
	v, err := r.Value()
	if err == nil && v != True && v != False {
		err = &Error{Line: r.Line, What: fmt.Sprintf("%q is not true or false", field)}
	}
	return v == True, err
}

// revision reads a place in a known order: a number, or the name of the chain and a number.
func (r *jsonReader) revision(field string) (*Revision, error) {
	wrong := func() error {
		return &Error{Line: r.Line, What: fmt.Sprintf("%q is not a number, or the name of a chain and a number", field),
			Hint: `a chain is written as 17, or as ["name", 17]`}
	}
	rev := &Revision{Chain: Nil}
	c, err := r.Token(fmt.Sprintf("%q", field))
	switch {
	case err != nil:
		return nil, err
	case c == 'n':
		return nil, r.Ignore() // null means absent
	case c == '[':
		n := 0
		err = r.Array(fmt.Sprintf("%q", field), func() (err error) {
			switch n++; n {
			case 1:
				rev.Chain, err = r.Value()
			case 2:
				rev.Number, err = r.time(field)
			default:
				err = wrong()
			}
			return err
		})
		if err == nil && n != 2 {
			err = wrong()
		}
		return rev, err
	case c != '-' && (c < '0' || c > '9'):
		return nil, wrong()
	}
	rev.Number, err = r.Integer()
	return rev, err
}

func (r *jsonReader) time(field string) (int64, error) {
	if err := r.Want('0', field, "an integer"); err != nil {
		return 0, err
	}
	return r.Integer()
}

func (r *jsonReader) process() (int32, error) {
	c, err := r.Token(`"process"`)
	if err != nil {
		return 0, err
	}
	if c == '"' {
		s, err := r.Str()
		return r.b.Process(string(s)), err
	}
	if err := r.Want('0', "process", "an integer or a string"); err != nil {
		return 0, err
	}
	n, err := r.Integer()
	if err != nil {
		return 0, err
	}
	return r.b.ProcessInt(n), nil
}

// add validates the fields of an operation and hands it to the builder.
func (r *jsonReader) add(op *jsonOp) error {
	for _, f := range [...]struct {
		bit  int
		name string
	}{{seenF, "f"}, {seenProcess, "process"}, {seenCall, "call"}} {
		if op.seen&f.bit == 0 {
			return &Error{Line: op.line, What: fmt.Sprintf("operation %d: missing %q", r.b.Len(), f.name),
				Hint: operationHint}
		}
	}
	returned := op.seen&seenReturn != 0
	wrong := func(what, hint string) error {
		return &Error{Line: op.line, What: fmt.Sprintf("operation %d %s", r.b.Len(), what), Hint: hint}
	}
	switch {
	case op.status == "fail":
		op.Failed = true
		if !returned {
			op.Return = noTime
		}
	case op.status == "info":
		op.Pending = true
	case op.seen&seenStatus != 0 && op.status != "ok":
		return wrong(fmt.Sprintf("has status %q", lex.Abbreviate(op.status)),
			`a status is "ok", "fail" (did not take effect) or "info" (not known)`)
	case op.status == "ok" && !returned:
		return wrong(`has status "ok", but no "return"`,
			"say when it returned, or leave out the status if it never did")
	case !returned && op.Result != Nil:
		return wrong(`has a result, but no "return"`, "say when it returned, or leave out the result if it never did")
	case !returned:
		op.Pending = true
	}
	op.NoResult = op.seen&seenResult == 0
	op.Line = op.line
	position, err := r.b.Add(op.Record)
	if err == nil && op.by != nil {
		err = r.b.Expire(position, *op.by)
	}
	return err
}

// edge reads a pair of "order": positions or ids.
func (r *jsonReader) edge() error {
	o := rawOrder{line: r.Line, position: [2]int64{-1, -1}}
	if err := r.Want('[', "order", "a list of pairs"); err != nil {
		return err
	}
	o.line = r.Line
	n := 0
	err := r.Array(`a pair of "order"`, func() error {
		if n == 2 {
			return orderPair(o.line)
		}
		c, err := r.Token(`"order"`)
		switch {
		case err != nil:
			return err
		case c == '"':
			s, err := r.Str()
			o.name[n] = string(s)
			n++
			return err
		case c != '-' && (c < '0' || c > '9'):
			return orderPair(o.line)
		}
		o.position[n], err = r.Integer()
		if err == nil && o.position[n] < 0 {
			return &Error{Line: o.line, What: fmt.Sprintf("\"order\" names operation %d", o.position[n]),
				Hint: "positions count from 0"}
		}
		n++
		return err
	})
	if err == nil && n != 2 {
		err = orderPair(o.line)
	}
	if r.Limit > 0 && int64(len(r.order))*64 > r.Limit {
		return lex.TooLarge(r.Line, r.Limit)
	}
	r.order = append(r.order, o)
	return err
}

func orderPair(line int) error {
	return &Error{Line: line, What: `"order" has an entry that is not a pair of operations`,
		Hint: `"order" is a list like [[0, 1], ["a", "b"]]: positions from 0, or ids`}
}

// note reads an entry of "events".
func (r *jsonReader) note() error {
	var n Note
	ends := false
	if err := r.Want('{', "events", `a list of objects with "time" and "text"`); err != nil {
		return err
	}
	err := r.Object("an event", func(key []byte) (err error) {
		switch string(key) {
		case "time":
			n.Time, err = r.time("time")
		case "end":
			n.End, err = r.time("end")
			ends = true
		case "process":
			n.Process, err = r.noteText("process")
		case "text":
			n.Text, err = r.noteText("text")
		case "details":
			n.Details, err = r.noteText("details")
		case "color":
			n.Color, err = r.noteText("color")
		case "background":
			n.Background, err = r.noteText("background")
		default:
			r.b.unknownField("an event", string(key), lex.EventFields, r.Line)
			err = r.Ignore()
		}
		return err
	})
	if err == nil && ends && n.End < n.Time {
		return &Error{Line: r.Line, What: fmt.Sprintf("an event ends at %d, before its time %d", n.End, n.Time),
			Hint: `leave out "end" of an event that is not longer than a moment`}
	}
	if !ends {
		n.End = n.Time
	}
	if r.notes++; r.Limit > 0 && int64(r.notes)*noteBytes+int64(len(n.Text)+len(n.Details)) > r.Limit {
		return lex.TooLarge(r.Line, r.Limit)
	}
	r.b.Annotate(n)
	return err
}

// noteText reads a text of an entry of "events".
func (r *jsonReader) noteText(field string) (string, error) {
	if err := r.Want('"', field, "a string"); err != nil {
		return "", err
	}
	s, err := r.Str()
	return string(s), err
}

// edges resolves "order" now that all operations are known.
func (r *jsonReader) edges() error {
	for _, o := range r.order {
		var at [2]int
		for i := range at {
			if o.position[i] >= 0 {
				at[i] = int(min(o.position[i], 1<<31-1))
				continue
			}
			p, ok := r.b.ByID(o.name[i])
			if !ok {
				return &Error{Line: o.line,
					What: fmt.Sprintf("\"order\" names operation %q, but no operation has that id",
						lex.Abbreviate(o.name[i])),
					Hint: "ids are strings; positions are numbers without quotes"}
			}
			at[i] = p
		}
		if err := r.b.Edge(at[0], at[1], o.line); err != nil {
			return err
		}
	}
	return nil
}
