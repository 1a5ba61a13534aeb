package logs

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Traces of OpenTelemetry as OTLP writes them in JSON: an object with resourceSpans, or one a line.
//
//	{"resourceSpans": [{"scopeSpans": [{"spans": [{"spanId": "eee19b7ec3c1b174", "name": "read",
//	  "startTimeUnixNano": "1544712660000000000", "endTimeUnixNano": "1544712660000000250",
//	  "attributes": [{"key": "linsat.result", "value": {"intValue": "3"}}],
//	  "status": {"code": 1}}]}]}]}
//
// A span is an operation if one of its attributes begins with linsat; its id is that of the span.
// The operation is linsat.f, or db.operation.name, or the span's name. OpenTelemetry knows no null
// and no mixed lists or maps in most languages, so linsat.arg.json and linsat.result.json hold
// JSON. A span that did not end, or whose status is an error, is an operation of unknown outcome,
// unless linsat.status says "ok" or "fail". Spans that name no process are drawn in as few rows as
// they fit; each follows the one before it in time, so this orders nothing.

var spanAttributes = []string{"linsat.f", "linsat.key", "linsat.arg", "linsat.arg.json", "linsat.result",
	"linsat.result.json", "linsat.process", "linsat.status"}

// spanReader reads traces.
type spanReader struct {
	lex.JsonLexer[history.Value]
	b     *history.Reading
	seen  map[string]bool // ids of spans
	hosts map[string]bool // of resources
	loose []int           // records of spans without a process
	spans int
}

// spanRow is a row of spans without a process.
type spanRow struct {
	process int32
	end     int64
}

// tracedSpan is a span as far as it is read.
type tracedSpan struct {
	name, id, trace string
	start, end      int64
	attributes      map[string]history.Value
	failed          bool
	line            int
}

func readOTLP(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	r := &spanReader{JsonLexer: lex.NewJSON[history.Value](s, b.Values, true), b: b, seen: map[string]bool{},
		hosts: map[string]bool{}}
	err := r.DocumentsOf("a trace", func() error {
		return r.Object("a trace", func(name []byte) error {
			if string(name) != "resourceSpans" {
				return r.Ignore()
			}
			return r.each("resourceSpans", r.resource)
		})
	})
	if err != nil {
		return err
	}
	if r.b.Len() == 0 {
		return &history.Error{What: fmt.Sprintf("none of %d spans is an operation", r.spans),
			Hint: `give each operation an attribute "linsat.result" or "linsat.arg" (docs/formats.md)`}
	}
	if len(r.hosts) > 1 {
		hosts := make([]string, 0, len(r.hosts))
		for h := range r.hosts {
			hosts = append(hosts, h)
		}
		slices.Sort(hosts)
		b.Warn(0, "spans of several hosts, whose clocks may differ: "+lex.Abbreviate(strings.Join(hosts, ", ")),
			"record the clients of one host, or widen the intervals")
	}
	r.arrange()
	return nil
}

// each reads a list of objects.
func (r *spanReader) each(what string, read func() error) error {
	if err := r.Want('[', what, "a list"); err != nil {
		return err
	}
	return r.Array(what, func() error {
		if err := r.Want('{', what, "a list of objects"); err != nil {
			return err
		}
		return read()
	})
}

func (r *spanReader) resource() error {
	host, before := "", r.b.Len()
	err := r.Object("a resource", func(name []byte) error {
		switch string(name) {
		case "resource":
			return r.Object("a resource", func(name []byte) error {
				if string(name) != "attributes" {
					return r.Ignore()
				}
				attributes, err := r.attributes()
				host, _ = r.b.Values.AsString(attributes["host.name"])
				return err
			})
		case "scopeSpans":
			return r.each("scopeSpans", func() error {
				return r.Object("a scope", func(name []byte) error {
					if string(name) != "spans" {
						return r.Ignore()
					}
					return r.each("spans", r.span)
				})
			})
		}
		return r.Ignore()
	})
	if host != "" && r.b.Len() > before {
		r.hosts[host] = true
	}
	return err
}

// attributes reads a list of keys and values. Of the values that nothing reads, any will do.
func (r *spanReader) attributes() (map[string]history.Value, error) {
	all := map[string]history.Value{}
	err := r.each("attributes", func() error {
		key, v := "", history.Nil
		r.Inexact = nil
		err := r.Object("an attribute", func(name []byte) (err error) {
			switch string(name) {
			case "key":
				key, err = r.text("key")
			case "value":
				v, err = r.Value()
			default:
				err = r.Ignore()
			}
			return err
		})
		if err != nil {
			return err
		}
		ours := strings.HasPrefix(key, "linsat.")
		if !ours && key != "db.operation.name" && key != "host.name" {
			return nil
		}
		if ours && r.Inexact != nil {
			return r.Inexact
		}
		all[key], err = r.plain(v)
		return err
	})
	return all, err
}

// text reads a string.
func (r *spanReader) text(field string) (string, error) {
	if err := r.Want('"', field, "a string"); err != nil {
		return "", err
	}
	s, err := r.Str()
	return string(s), err
}

// plain is what an AnyValue holds.
func (r *spanReader) plain(v history.Value) (history.Value, error) {
	t := r.b.Values
	pairs, ok := t.AsMap(v)
	if ok && len(pairs) == 0 {
		return history.Nil, nil
	}
	if ok && len(pairs) == 2 {
		kind, _ := t.AsString(pairs[0])
		in := pairs[1]
		inside := func(name string) []history.Value { // of a list that may be left out
			fields, _ := t.AsMap(in)
			for k := 0; k+1 < len(fields); k += 2 {
				if f, _ := t.AsString(fields[k]); f == name {
					list, _ := t.AsList(fields[k+1])
					return list
				}
			}
			return nil
		}
		switch kind {
		case "stringValue", "boolValue", "bytesValue", "doubleValue":
			return in, nil
		case "intValue":
			text, isText := t.AsString(in)
			n, err := strconv.ParseInt(text, 10, 64)
			if isText && err == nil {
				return t.Int(n), nil
			}
			if _, isInt := t.AsInt(in); isInt {
				return in, nil
			}
		case "arrayValue":
			list := inside("values")
			plain := make([]history.Value, len(list))
			for i, e := range list {
				var err error
				if plain[i], err = r.plain(e); err != nil {
					return history.Nil, err
				}
			}
			return t.List(plain), nil
		case "kvlistValue":
			var plain []history.Value
			for _, e := range inside("values") {
				pair := etcdValues{t}
				key, _ := pair.field(e, "key")
				value, _ := pair.field(e, "value")
				in, err := r.plain(value)
				if err != nil {
					return history.Nil, err
				}
				plain = append(plain, key, in)
			}
			return t.Map(plain), nil
		}
	}
	what := "the value of an attribute is " + lex.Abbreviate(t.Format(v))
	return history.Nil, &history.Error{Line: r.Line, What: what,
		Hint: `a value is {"stringValue": "x"}, {"intValue": "3"}, {"boolValue": true} or {"arrayValue": {"values": [...]}}`}
}

// span reads a span, and adds it if it is an operation.
func (r *spanReader) span() error {
	r.spans++
	s := &tracedSpan{line: r.Line}
	err := r.Object("a span", func(name []byte) (err error) {
		switch string(name) {
		case "name":
			s.name, err = r.text("name")
		case "spanId":
			s.id, err = r.text("spanId")
		case "traceId":
			s.trace, err = r.text("traceId")
		case "startTimeUnixNano":
			s.start, err = r.nanoseconds("startTimeUnixNano")
		case "endTimeUnixNano":
			s.end, err = r.nanoseconds("endTimeUnixNano")
		case "attributes":
			s.attributes, err = r.attributes()
		case "status":
			var v history.Value
			v, err = r.Value()
			code, _ := etcdValues{r.b.Values}.field(v, "code")
			n, _ := r.b.Values.AsInt(code)
			text, _ := r.b.Values.AsString(code)
			s.failed = n == 2 || text == "STATUS_CODE_ERROR"
		default:
			err = r.Ignore()
		}
		return err
	})
	if err != nil {
		return err
	}
	return r.add(s)
}

// nanoseconds reads a time, an integer that may be in quotes.
func (r *spanReader) nanoseconds(field string) (int64, error) {
	v, err := r.Value()
	if err != nil {
		return 0, err
	}
	if n, ok := r.b.Values.AsInt(v); ok {
		return n, nil
	}
	text, _ := r.b.Values.AsString(v)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, &history.Error{Line: r.Line, What: field + " is " + lex.Abbreviate(r.b.Values.Format(v)) +
			", not a number of nanoseconds", Hint: `times are written as "1544712660000000000"`}
	}
	return n, nil
}

// add adds a span that is an operation.
func (r *spanReader) add(s *tracedSpan) error {
	ours := false
	for name := range s.attributes {
		if known := strings.HasPrefix(name, "linsat."); known {
			ours = true
			if !slices.Contains(spanAttributes, name) {
				r.b.UnknownField("a span", name, spanAttributes, s.line)
			}
		}
	}
	if !ours {
		return nil
	}
	if id := s.trace + "/" + s.id; s.id != "" {
		if r.seen[id] {
			r.b.Warn(s.line, "a span stands in the file twice: "+lex.Abbreviate(s.id),
				"the first one counts; exporters repeat what they are not sure to have sent")
			return nil
		}
		r.seen[id] = true
	}
	if s.start == 0 {
		return &history.Error{Line: s.line, What: `a span without "startTimeUnixNano"`,
			Hint: "a span of an operation has times"}
	}
	t := r.b.Values
	attribute := func(name string) history.Value {
		if v, ok := s.attributes[name]; ok {
			return v
		}
		return history.Nil
	}
	f := s.name
	for _, name := range [...]string{"db.operation.name", "linsat.f"} {
		if text, is := t.AsString(attribute(name)); is {
			f = text
		}
	}
	op := history.Record{F: t.String(f), Key: history.NoKey, Arg: history.Nil, Result: history.Nil, Call: s.start,
		Return: s.end, NoResult: true,
		ID: s.id, Line: s.line}
	if _, taken := r.b.ByID(op.ID); taken {
		op.ID = s.trace + "/" + s.id
	}
	if k := attribute("linsat.key"); k != history.Nil {
		op.Key = k
	}
	for _, v := range [...]struct {
		name string
		into *history.Value
	}{{"linsat.arg", &op.Arg}, {"linsat.result", &op.Result}} {
		plain, stated := s.attributes[v.name]
		text, isText := t.AsString(attribute(v.name + ".json"))
		switch {
		case stated && isText:
			return &history.Error{Line: s.line, What: fmt.Sprintf("a span has both %s and %s.json", v.name, v.name),
				Hint: "state it once"}
		case isText:
			parsed, err := t.Parse(text)
			if err != nil {
				return &history.Error{Line: s.line,
					What: v.name + ".json is no JSON value of integers, strings, lists and maps: " + lex.Abbreviate(text),
					Hint: `it holds text such as "null" or "[1, null]"`}
			}
			plain, stated = parsed, true
		}
		if *v.into = plain; !stated {
			*v.into = history.Nil
		}
		if v.into == &op.Result {
			op.NoResult = !stated
		}
	}
	switch status, _ := t.AsString(attribute("linsat.status")); status {
	case "ok":
	case "fail":
		op.Failed, op.Result, op.NoResult = true, history.Nil, true
	case "", "info":
		if s.failed || status == "info" {
			op.Pending = true
		}
	default:
		return &history.Error{Line: s.line, What: "linsat.status is " + lex.Abbreviate(status), Hint: "it is ok, fail or info"}
	}
	if s.end == 0 {
		op.Pending, op.Failed = true, false
	}
	if op.Pending {
		op.Result, op.NoResult = history.Nil, true
	}
	process, named := s.attributes["linsat.process"]
	if named {
		name, isText := t.AsString(process)
		if !isText {
			name = t.Format(process)
		}
		op.Process = r.b.Process(name)
	} else {
		op.Process = r.b.Process("spans 1")
	}
	at, err := r.b.Add(op)
	if err == nil && !named {
		r.loose = append(r.loose, at)
	}
	return err
}

// arrange draws the spans without a process in rows.
func (r *spanReader) arrange() {
	all := r.b.Records()
	sort.SliceStable(r.loose, func(x, y int) bool { return all[r.loose[x]].Call < all[r.loose[y]].Call })
	var free []*spanRow // rows that no pending operation ends
	rows := 0
	for _, i := range r.loose {
		k := slices.IndexFunc(free, func(w *spanRow) bool { return w.end < all[i].Call })
		if k < 0 {
			rows++
			k = len(free)
			free = append(free, &spanRow{process: r.b.Process("spans " + strconv.Itoa(rows))})
		}
		all[i].Process = free[k].process
		if free[k].end = all[i].Return; all[i].Pending {
			free = slices.Delete(free, k, k+1)
		}
	}
}
