package linsattest

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// value returns an argument or a result of Go code as a value of a history: of an error its text,
// of what marshals to text that, of a float its digits, of a struct a map of its fields. A nil
// pointer is nil. What is left as it is has a value of its own, or is refused: pointers to structs,
// since others may change these, functions and channels.
func value(x any) any {
	switch x.(type) {
	case nil, bool, int, int64, string: // most are
		return x
	}
	return valueOf(reflect.ValueOf(x), 0)
}

func valueOf(x reflect.Value, depth int) any {
	if !x.IsValid() {
		return nil
	}
	k := x.Kind()
	switch k {
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if x.IsNil() {
			return nil
		}
	}
	if x.CanInterface() && k != reflect.Interface {
		switch one := x.Interface().(type) {
		case error:
			return one.Error()
		case encoding.TextMarshaler:
			if text, err := one.MarshalText(); err == nil {
				return string(text)
			}
		}
	}
	if depth > deepestValue {
		return unsupported(x)
	}
	switch k {
	case reflect.Bool:
		return x.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return x.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if x.Uint() > math.MaxInt64 {
			return strconv.FormatUint(x.Uint(), 10)
		}
		return int64(x.Uint())
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(x.Float(), 'g', -1, x.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		return strconv.FormatComplex(x.Complex(), 'g', -1, x.Type().Bits())
	case reflect.String:
		return x.String()
	case reflect.Interface:
		return valueOf(x.Elem(), depth+1)
	case reflect.Pointer:
		if x.Elem().Kind() != reflect.Struct {
			return valueOf(x.Elem(), depth+1)
		}
	case reflect.Slice, reflect.Array:
		list := make([]any, x.Len())
		for i := range list {
			list[i] = valueOf(x.Index(i), depth+1)
		}
		return list
	case reflect.Map:
		all := make(map[string]any, x.Len())
		for it := x.MapRange(); it.Next(); {
			all[fmt.Sprint(valueOf(it.Key(), depth+1))] = valueOf(it.Value(), depth+1)
		}
		return all
	case reflect.Struct:
		all := make(map[string]any, x.NumField())
		for i := range x.NumField() {
			all[x.Type().Field(i).Name] = valueOf(x.Field(i), depth+1)
		}
		return all
	}
	return unsupported(x)
}

// unsupported is what takes the place of a value that no history holds: it is refused by its type.
func unsupported(x reflect.Value) any {
	if x.CanInterface() {
		return x.Interface()
	}
	return reflect.Zero(reflect.FuncOf(nil, []reflect.Type{x.Type()}, false)).Interface()
}
