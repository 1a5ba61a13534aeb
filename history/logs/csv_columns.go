package logs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/similar"
)

// What the columns of a table are: what ReadOptions.Columns says, or the fields of their names, or
// what other tools call these. Two columns for one field are refused, unless one has its very name.

const csvHint = "a table has columns process, f, call and return, or process, f and type (call or return); --columns " +
	"call=NAME,return=NAME says which they are (docs/formats.md)"

// The fields that rows of the two kinds of tables have. A single column of values is called value:
// it is an argument or a result, by the operation.
var (
	csvOperation = append([]string{"value"}, lex.OperationFields...)
	csvEvent     = []string{"process", "type", "f", "key", "arg", "result", "value", "time", "chain", "status"}
	csvFields    = append([]string{"type", "time"}, csvOperation...)
)

// csvSynonyms are names of columns that have another meaning in objects, or none.
var csvSynonyms = map[string][]string{
	"time":  {"timestamp", "eventtime", "ts", "at", "t"},
	"type":  {"event", "eventtype", "kind", "phase"},
	"value": {"val", "v"},
}

// timeUnits end the names of columns with times.
var timeUnits = []string{"nanoseconds", "microseconds", "milliseconds", "seconds", "nanos", "micros", "millis", "sec",
	"ns", "us", "ms"}

// csvField returns the field of a column of that name, or "", and the unit that the name states.
func csvField(name string) (field, unit string) {
	name = similar.Plain(name)
	if field = knownColumn(name); field != "" {
		return field, ""
	}
	for _, unit = range append(timeUnits, "") {
		if short, is := strings.CutSuffix(name, unit); is {
			for _, word := range [...]string{"", "timestamp", "time", "ts"} {
				switch field = knownColumn(strings.TrimSuffix(short, word)); field {
				case "call", "return", "time":
					return field, unit
				}
			}
		}
	}
	return "", ""
}

// knownColumn returns the field that a column is by the whole of its name, or "".
func knownColumn(name string) string {
	for _, of := range [...]map[string][]string{csvSynonyms, lex.Synonyms} {
		for _, field := range csvFields {
			if name == field || slices.Contains(of[field], name) {
				return field
			}
		}
	}
	return ""
}

// checkColumns refuses ReadOptions.Columns if it is no list of fields and columns.
func checkColumns(columns string) error {
	if columns == "" {
		return nil
	}
	var seen []string
	for _, pair := range strings.Split(columns, ",") {
		field, name, _ := strings.Cut(pair, "=")
		if name == "" || !slices.Contains(csvFields, field) || slices.Contains(seen, field) {
			return &history.Error{What: fmt.Sprintf("%q does not say what a column is", pair),
				Hint: "call=start_ns,return=end_ns: the fields, each once, are " + strings.Join(csvFields, ", ")}
		}
		seen = append(seen, field)
	}
	return nil
}

// header reads the names of the columns and finds out what they are. columns is
// ReadOptions.Columns.
func (t *csvTable) header(columns string) error {
	if _, err := t.row(); err != nil {
		return err
	}
	wrong := func(hint, what string, args ...any) error {
		return &history.Error{Line: 1, What: fmt.Sprintf(what, args...), Hint: hint}
	}
	t.names, t.fields = make([]string, len(t.ends)), make([]string, len(t.ends))
	units, at := map[string]string{}, map[string]int{} // field → its unit, its column
	for i := range t.names {
		t.names[i] = t.cell(i)
	}
	var said []string
	if columns != "" {
		said = strings.Split(columns, ",")
	}
	for _, pair := range said {
		field, name, _ := strings.Cut(pair, "=")
		i := slices.Index(t.names, name)
		if i < 0 {
			return wrong("its columns are "+strings.Join(t.names, ", "), "the table has no column %q",
				lex.Abbreviate(name))
		}
		t.fields[i], at[field] = field, i
	}
	for exact := range 2 {
		for i, name := range t.names {
			field, unit := csvField(name)
			other, taken := at[field]
			switch {
			case field == "" || t.fields[i] != "" || (exact == 0) != (similar.Plain(name) == field):
			case !taken:
				t.fields[i], at[field] = field, i
			case exact == 1 && !slices.Contains(said, field+"="+t.names[other]) &&
				similar.Plain(t.names[other]) != field:
				return wrong("say which one is, with --columns "+field+"=NAME",
					"the columns %q and %q could both be %s", t.names[other], name, field)
			}
			units[t.fields[i]] = unit
		}
	}
	if a, b := units["call"], units["return"]; a != b && a != "" && b != "" {
		return wrong("times have one unit", "the columns %q and %q have different units", t.names[at["call"]],
			t.names[at["return"]])
	}
	has := func(field string) bool { _, is := at[field]; return is }
	t.events = has("type") && !has("call")
	if value, is := at["value"]; is && has("arg") != has("result") {
		field := "result"
		if has("result") {
			field = "arg"
		}
		t.fields[value] = field
		at[field] = value
	}
	t.lone = !has("arg") && !has("result")
	need, known := []string{"process", "f", "call", "return"}, csvOperation
	if t.events {
		need, known = []string{"process", "f", "type"}, csvEvent
	}
	if status, is := at["type"]; is && !t.events && !has("status") {
		t.fields[status] = "status"
	}
	for _, field := range need {
		if !has(field) {
			return wrong(csvHint, "the table has no column for %q", field)
		}
	}
	for i, field := range t.fields {
		if !slices.Contains(known, field) || field == "value" && !t.lone {
			t.fields[i] = ""
		}
	}
	t.process, t.f, t.kind = at["process"], at["f"], at["type"]
	t.status = -1
	if i, is := at["status"]; is {
		t.status = i
	}
	return nil
}
