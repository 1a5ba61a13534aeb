package testenv

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Schema validates the part of JSON Schema that the schemas in docs use; a keyword that it does not
// know is an error.
type Schema struct{ root map[string]any }

// ReadSchema reads a schema.
func ReadSchema(file string) (*Schema, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := &Schema{}
	return d, json.Unmarshal(data, &d.root)
}

// Root returns the schema as it was read.
func (d *Schema) Root() map[string]any { return d.root }

// Validate reports where a JSON text does not fit the schema.
func (d *Schema) Validate(text []byte) error { return d.validate(d.root, text) }

// ValidateAs reports where a JSON text does not fit a definition of the schema.
func (d *Schema) ValidateAs(name string, text []byte) error {
	return d.validate(map[string]any{"$ref": "#/$defs/" + name}, text)
}

func (d *Schema) validate(s map[string]any, text []byte) error {
	var x any
	if err := json.Unmarshal(text, &x); err != nil {
		return err
	}
	return d.fits(s, x, "it")
}

// fits reports where a value does not fit a schema.
func (d *Schema) fits(s map[string]any, x any, where string) error {
	if ref, ok := s["$ref"].(string); ok {
		target, ok := d.root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		if !ok {
			return fmt.Errorf("the schema has no %s", ref)
		}
		return d.fits(target, x, where)
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
				if err := d.fits(rule.(map[string]any), y, fmt.Sprintf("%s[%d]", where, k)); err != nil {
					return err
				}
			}
		case "oneOf":
			fitting := 0
			for _, one := range rule.([]any) {
				if d.fits(one.(map[string]any), x, where) == nil {
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
		return d.fitsObject(s, object, where)
	}
	return nil
}

func (d *Schema) fitsObject(s map[string]any, object map[string]any, where string) error {
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
		if err := d.fits(rule, y, where+"."+name); err != nil {
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
	case "number":
		_, ok := x.(float64)
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
