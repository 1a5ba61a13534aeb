package verify_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/linsat/linsat/internal/proof"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docs/certificate.schema.json is checked with a small validator of the part of JSON Schema that it
// uses; a keyword that the validator does not know is an error.

const schemaFile = "../../docs/certificate.schema.json"

var schema = sync.OnceValue(func() map[string]any {
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		panic(err)
	}
	var s map[string]any
	if err := json.Unmarshal(data, &s); err != nil {
		panic(err)
	}
	return s
})

// validates checks a certificate against the schema.
func validates(t *testing.T, text string) {
	t.Helper()
	require.NoError(t, schemaError(text), text)
}

func schemaError(text string) error {
	var x any
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		return err
	}
	return fits(schema(), x, "certificate")
}

// fits reports where a value does not fit a schema.
func fits(s map[string]any, x any, where string) error {
	if ref, ok := s["$ref"].(string); ok {
		target, ok := schema()["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		if !ok {
			return fmt.Errorf("the schema has no %s", ref)
		}
		return fits(target, x, where)
	}
	for keyword, rule := range s {
		ok := true
		switch keyword {
		case "$schema", "title", "description", "$defs", "properties", "required", "additionalProperties":
		case "type":
			ok = hasType(rule.(string), x)
		case "const":
			ok = reflect.DeepEqual(rule, x)
		case "enum":
			ok = slices.ContainsFunc(rule.([]any), func(y any) bool { return reflect.DeepEqual(x, y) })
		case "minimum":
			n, number := x.(float64)
			ok = !number || n >= rule.(float64)
		case "pattern":
			text, isText := x.(string)
			ok = !isText || regexp.MustCompile(rule.(string)).MatchString(text)
		case "minItems":
			list, isList := x.([]any)
			ok = !isList || len(list) >= int(rule.(float64))
		case "maxItems":
			list, isList := x.([]any)
			ok = !isList || len(list) <= int(rule.(float64))
		case "items":
			list, _ := x.([]any)
			for k, y := range list {
				if err := fits(rule.(map[string]any), y, fmt.Sprintf("%s[%d]", where, k)); err != nil {
					return err
				}
			}
		case "oneOf":
			fitting := 0
			for _, one := range rule.([]any) {
				if fits(one.(map[string]any), x, where) == nil {
					fitting++
				}
			}
			ok = fitting == 1
		default:
			return fmt.Errorf("the validator does not know the keyword %q", keyword)
		}
		if !ok {
			return fmt.Errorf("%s is %v, against %q: %v", where, x, keyword, rule)
		}
	}
	if object, ok := x.(map[string]any); ok {
		return fitsObject(s, object, where)
	}
	return nil
}

func fitsObject(s map[string]any, object map[string]any, where string) error {
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := object[name.(string)]; !ok {
			return fmt.Errorf("%s has no %q", where, name)
		}
	}
	for name, y := range object {
		rule, known := properties[name].(map[string]any)
		if !known {
			switch more := s["additionalProperties"].(type) {
			case bool:
				if !more {
					return fmt.Errorf("%s has an unknown %q", where, name)
				}
				continue
			case map[string]any:
				rule = more
			default:
				continue
			}
		}
		if err := fits(rule, y, where+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func hasType(name string, x any) bool {
	switch name {
	case "object":
		_, ok := x.(map[string]any)
		return ok
	case "array":
		_, ok := x.([]any)
		return ok
	case "string":
		_, ok := x.(string)
		return ok
	case "boolean":
		_, ok := x.(bool)
		return ok
	case "integer":
		n, ok := x.(float64)
		return ok && n == math.Trunc(n)
	}
	return false
}

// The schema names every kind of proof once, and nothing else.
func TestSchemaNamesEveryKind(t *testing.T) {
	defs := schema()["$defs"].(map[string]any)
	kinds := defs["proof"].(map[string]any)["oneOf"].([]any)
	require.Len(t, kinds, len(proof.Kinds()))
	for _, kind := range proof.Kinds() {
		assert.Contains(t, kinds, map[string]any{"$ref": "#/$defs/" + string(kind)})
		form := defs[string(kind)].(map[string]any)["properties"].(map[string]any)
		assert.Equal(t, map[string]any{"const": string(kind)}, form["kind"])
	}
}

// The validator refuses what the schema excludes.
func TestSchemaRefusesWhatIsMalformed(t *testing.T) {
	const good = `{"linsat": 2, "question": {"spec": "queue", "partition": "key"}, "verdict": "linearizable", "parts": [{"operations": ["0"], "witness": [0]}]}`
	require.NoError(t, schemaError(good))
	for _, x := range []struct{ from, to string }{{`"linsat": 2`, `"linsat": 1`}, {`"key"`, `"pieces"`}, {`"linearizable"`, `"unknown"`}, {`"witness": [0]`, `"witness": [-1]`},
		{`"witness": [0]`, `"proof": {"kind": "wish", "version": 1}`}, {`"witness": [0]`, `"weakening": {}`}, {`"spec": "queue", `, ``}, {`[0]`, `0`},
		{`"witness": [0]`, `"proof": {"kind": "exhaustion", "version": 2, "weakening": {}, "cases": 1}`}} {
		bad := strings.Replace(good, x.from, x.to, 1)
		require.NotEqual(t, good, bad)
		assert.Error(t, schemaError(bad), bad)
	}
}
