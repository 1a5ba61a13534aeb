package spec

import (
	"fmt"
	"reflect"
)

// As returns a decoded value (an argument or part of one) as a Go value of type T: an integer of
// any size, a string, a boolean, a slice, or a map with strings as keys. An int64 is never equal to
// the int 3; As[int](c.Arg) is. As panics if v is not of that type, which makes a check fail with a
// *Fault.
func As[T any](v any) T {
	var out T
	if err := as(v, reflect.ValueOf(&out).Elem()); err != nil {
		panic(err)
	}
	return out
}

// as sets to to v, or returns why v is not of that type.
func as(v any, to reflect.Value) error {
	from := reflect.ValueOf(v)
	not := fmt.Errorf("%s is not of type %s", valueText(v), to.Type())
	switch to.Kind() {
	case reflect.Interface:
		if v == nil {
			return nil
		}
		if !from.Type().AssignableTo(to.Type()) {
			return not
		}
		to.Set(from)
		return nil
	case reflect.Bool:
		b, ok := v.(bool)
		if !ok {
			return not
		}
		to.SetBool(b)
		return nil
	case reflect.String:
		s, ok := v.(string)
		if !ok {
			return not
		}
		to.SetString(s)
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, ok := v.(int64)
		if !ok || to.OverflowInt(n) {
			return not
		}
		to.SetInt(n)
		return nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n, ok := v.(int64)
		if !ok || n < 0 || to.OverflowUint(uint64(n)) {
			return not
		}
		to.SetUint(uint64(n))
		return nil
	case reflect.Slice:
		list, ok := v.([]any)
		if !ok {
			return not
		}
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
		for k, e := range list {
			if err := as(e, to.Index(k)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map:
		m, ok := v.(map[string]any)
		if !ok || to.Type().Key().Kind() != reflect.String {
			return not
		}
		to.Set(reflect.MakeMapWithSize(to.Type(), len(m)))
		for name, e := range m {
			x := reflect.New(to.Type().Elem()).Elem()
			if err := as(e, x); err != nil {
				return err
			}
			to.SetMapIndex(reflect.ValueOf(name).Convert(to.Type().Key()), x)
		}
		return nil
	}
	return fmt.Errorf("no value of a history is of type %s", to.Type())
}
