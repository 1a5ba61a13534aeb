package proof

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// The schema of every kind of proof in docs/certificate.schema.json is what the tags of its struct
// say; LINSAT_UPDATE writes it.
func TestSchemaFollowsFromTheStructs(t *testing.T) {
	const file = "../../docs/certificate.schema.json"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var root map[string]any
	require.NoError(t, json.Unmarshal(text, &root))
	definitions := root["$defs"].(map[string]any)
	var all []any
	derived := map[string]any{}
	for _, p := range kinds {
		kind := string(p.Kind())
		all = append(all, map[string]any{"$ref": "#/$defs/" + kind})
		form := objectSchema(reflect.TypeOf(p).Elem())
		form["required"] = append([]any{"kind", "version"}, form["required"].([]any)...)
		properties := form["properties"].(map[string]any)
		properties["kind"], properties["version"] = map[string]any{"const": kind}, map[string]any{"const": version}
		derived[kind] = form
	}
	for kind, form := range derived {
		derived[kind] = asRead(t, form)
	}
	if testenv.Update() && !upToDate(definitions, derived) {
		definitions["proof"] = map[string]any{"oneOf": all}
		for kind, form := range derived {
			definitions[kind] = form
		}
		require.NoError(t, os.WriteFile(file, []byte(laidOut(t, root, "")+"\n"), 0o644))
	}
	require.ElementsMatch(t, all, definitions["proof"].(map[string]any)["oneOf"])
	for kind, form := range derived {
		require.Equal(t, form, definitions[kind], kind)
	}
}

// first are the keys of a schema that come before the others.
var first = []string{"$schema", "title", "description", "type", "additionalProperties", "required", "properties"}

// laidOut writes a value as JSON: what fits on a line of 120 columns stands on one.
func laidOut(t *testing.T, x any, indent string) string {
	line, err := json.Marshal(x)
	require.NoError(t, err)
	var open, end string
	var items []string
	switch x := x.(type) {
	case map[string]any:
		open, end = "{", "}"
		names := slices.SortedFunc(maps.Keys(x), func(a, b string) int {
			place := func(name string) int {
				if k := slices.Index(first, name); k >= 0 {
					return k
				}
				return len(first)
			}
			return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
		})
		for _, name := range names {
			items = append(items, fmt.Sprintf("%q: %s", name, laidOut(t, x[name], indent+"  ")))
		}
	case []any:
		open, end = "[", "]"
		for _, item := range x {
			items = append(items, laidOut(t, item, indent+"  "))
		}
	default:
		return string(line)
	}
	short := open + strings.Join(items, ", ") + end
	if open == "{" && len(items) > 0 {
		short = "{ " + strings.Join(items, ", ") + " }"
	}
	if len(indent)+len(short) <= 100 && !strings.Contains(short, "\n") {
		return short
	}
	return open + "\n" + indent + "  " + strings.Join(items, ",\n"+indent+"  ") + "\n" + indent + end
}

// asRead is a value as it is read from JSON.
func asRead(t *testing.T, x any) (again any) {
	text, err := json.Marshal(x)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &again))
	return again
}

// upToDate reports whether the definitions hold all that are derived.
func upToDate(definitions, derived map[string]any) bool {
	for kind, form := range derived {
		if !reflect.DeepEqual(definitions[kind], form) {
			return false
		}
	}
	return true
}

// objectSchema is the schema of a struct.
func objectSchema(of reflect.Type) map[string]any {
	properties, required := map[string]any{}, []any{}
	_, chooses := reflect.New(of).Elem().Interface().(partial)
	for i := range of.NumField() {
		tag := of.Field(i).Tag
		name := tag.Get("json")
		if name == "" {
			continue
		}
		properties[name] = valueSchema(of.Field(i).Type, tag)
		if _, optional := tag.Lookup("none"); !optional && !(chooses && i > 0) {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "additionalProperties": false, "required": required,
		"properties": properties}
}

// valueSchema is the schema of a field.
func valueSchema(of reflect.Type, tag reflect.StructTag) any {
	refer := func(to string) any { return map[string]any{"$ref": "#/$defs/" + to} }
	words := func(list []string) any {
		var some []any
		for _, w := range list {
			if w != "" {
				some = append(some, w)
			}
		}
		return map[string]any{"enum": some}
	}
	least, bounded := tag.Lookup("min")
	switch w, wordy := reflect.New(of).Elem().Interface().(wordy); {
	case wordy:
		return words(w.words())
	case of.Kind() == reflect.Bool:
		return words(strings.Split(tag.Get("words"), ","))
	case of == reflect.TypeFor[*Weakening]():
		return refer("weakening")
	case of == reflect.TypeFor[*Node]():
		return refer("steps")
	case of == reflect.TypeFor[Inner]():
		return refer("proof")
	case of == reflect.TypeFor[Lemma]():
		return map[string]any{"type": "string"}
	case tag.Get("inf") != "":
		return refer("bound")
	case of.Kind() == reflect.Slice:
		list := map[string]any{"type": "array", "items": valueSchema(of.Elem(), tag)}
		if _, optional := tag.Lookup("none"); optional {
			list["minItems"] = 1
		} else if reflect.DeepEqual(list["items"], refer("natural")) {
			return refer("positions")
		}
		return list
	case of.Kind() == reflect.Struct:
		return objectSchema(of)
	case of == operationType && !bounded:
		return refer("operation")
	case !bounded:
		return map[string]any{"type": "integer"}
	case least == "0":
		return refer("natural")
	}
	return map[string]any{"type": "integer", "minimum": 1}
}
