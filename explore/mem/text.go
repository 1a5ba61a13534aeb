package mem

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// texts writes values for traces. Pointers are numbered in the order in which the execution shows
// them, since their addresses differ from run to run.
type texts struct {
	pointers map[uintptr]int
	// keeps the numbered objects alive, so that their addresses are not reused
	keep []reflect.Value
}

func (m *Memory) traced(before, after any) { m.tracedText(m.Text(before), m.Text(after)) }

func (m *Memory) traced2(beforeA, beforeB, afterA, afterB any) {
	m.tracedText(m.Text(beforeA)+", "+m.Text(beforeB), m.Text(afterA)+", "+m.Text(afterB))
}

func (m *Memory) tracedText(before, after string) {
	if m.sched != nil {
		m.sched.Traced(before, after)
	}
}

// Text writes a value as traces show it: pointers as #1, #2, ... in the order in which they first
// appear.
func (m *Memory) Text(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return strconv.Quote(v)
	}
	var b strings.Builder
	m.text.write(&b, reflect.ValueOf(v), 0)
	return b.String()
}

func (t *texts) write(b *strings.Builder, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Func, reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		n, ok := t.pointers[v.Pointer()]
		if !ok {
			if t.pointers == nil {
				t.pointers = make(map[uintptr]int)
			}
			n = len(t.pointers) + 1
			t.pointers[v.Pointer()] = n
			t.keep = append(t.keep, v)
		}
		b.WriteByte('#')
		b.WriteString(strconv.Itoa(n))
	case reflect.Interface:
		t.write(b, v.Elem(), depth)
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			if i > 0 {
				b.WriteByte(' ')
			}
			t.write(b, v.Field(i), depth+1)
		}
		b.WriteByte('}')
	case reflect.Array, reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			if depth > 3 || i > 15 {
				b.WriteString("…")
				break
			}
			t.write(b, v.Index(i), depth+1)
		}
		b.WriteByte(']')
	case reflect.String:
		b.WriteString(strconv.Quote(v.String()))
	case reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		b.WriteString(strconv.FormatUint(v.Uint(), 10))
	default:
		fmt.Fprint(b, v)
	}
}
