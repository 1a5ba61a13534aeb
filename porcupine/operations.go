package porcupine

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/deep"
)

// translation is the operations of one partition as linsat takes them.
type translation struct {
	ops []linsat.Op[any, any]
	// outputs are the outputs that were observed, by input. They are needed for operations of
	// unknown outcome, and for the reasons of a violation: what is known about an operation is left
	// out there, its output above all, which is then one of these. Otherwise they are nil.
	outputs map[any][]any
	known   map[[2]any]bool     // inputs with those of their outputs that == compares
	boxes   map[uint64][]*boxed // by hash: an input of each class
	// describe says that there will be readers: texts take longer than most checks.
	describe bool
}

// text writes an input or an output.
func (t *translation) text(v any) string {
	if !t.describe {
		return "operation"
	}
	switch v := v.(type) {
	case unknown:
		return fmt.Sprint(v.input)
	case *boxed:
		return fmt.Sprint(v.input)
	}
	return fmt.Sprint(v)
}

// translate translates operations, and describes them if that is wanted. Times are kept, unless one
// is the end of all time, which a return cannot be: then they are ranks.
func translate(m *Model, ops []Operation, describe bool) *translation {
	of := clients(ops)
	at := func(t int64) int64 { return t }
	if slices.ContainsFunc(ops, func(o Operation) bool { return o.unknown() == nil && o.Return == math.MaxInt64 }) {
		at = ranks(ops)
	}
	t := &translation{ops: make([]linsat.Op[any, any], len(ops)), describe: describe}
	if describe || slices.ContainsFunc(ops, func(o Operation) bool { return o.unknown() != nil }) {
		t.outputs, t.known, t.boxes = map[any][]any{}, map[[2]any]bool{}, map[uint64][]*boxed{}
	}
	for i := range ops {
		o, to := &ops[i], &t.ops[i]
		*to = linsat.Op[any, any]{Client: of[i], Input: o.Input, Output: o.Output, Call: at(o.Call)}
		if outputs := o.unknown(); outputs == nil {
			to.Return = at(o.Return)
			if m.Revision != nil {
				if n, known := m.Revision(o.Input, o.Output); known {
					to.Revision = &n
				}
			}
			t.observed(to)
		} else {
			to.Pending = true
			to.Input, to.Output = unknown{o.Input, outputs}, nil
		}
		if describe {
			to.Input, to.Output = m.describe(o, to.Input, to.Output)
		}
	}
	return t
}

// observed notes the output of an operation, and makes its input the key of a map. Operations with
// deeply equal inputs have one key, since they are alike to the engines.
func (t *translation) observed(o *linsat.Op[any, any]) {
	if t.outputs == nil {
		return
	}
	if !deep.Exact(o.Input) {
		o.Input = t.boxed(o.Input)
	}
	key := keyOf(o.Input)
	had := t.outputs[key]
	if o.Output == nil || reflect.ValueOf(o.Output).Comparable() {
		if t.known[[2]any{key, o.Output}] {
			return
		}
		t.known[[2]any{key, o.Output}] = true
	} else if slices.ContainsFunc(had, func(out any) bool { return reflect.DeepEqual(out, o.Output) }) {
		return
	}
	t.outputs[key] = append(had, o.Output)
}

// boxed is an input that == does not compare by its contents, with the number of its class: deeply
// equal inputs have the same number.
type boxed struct {
	input any
	class int
}

func (t *translation) boxed(in any) *boxed {
	h, _ := deep.Hash(in)
	b := &boxed{in, len(t.outputs)}
	for _, c := range t.boxes[h] {
		if reflect.DeepEqual(c.input, in) {
			b.class = c.class
			return b
		}
	}
	t.boxes[h] = append(t.boxes[h], b)
	return b
}

// class is the number of a boxed input as the key of a map.
type class int

// keyOf returns what stands for an input among outputs.
func keyOf(in any) any {
	if b, ok := in.(*boxed); ok {
		return class(b.class)
	}
	return in
}

func unboxed(in any) any {
	if b, ok := in.(*boxed); ok {
		return b.input
	}
	return in
}

// described is an input or an output with the text that messages show.
type described struct {
	value any
	text  string
}

func (d described) String() string { return d.text }

// plain returns an input or output without its text.
func plain(v any) any {
	if d, ok := v.(described); ok {
		return d.value
	}
	return v
}

// What a user gave, for what is seen of inputs.
func (d described) Wrapped() any { return d.value }
func (b *boxed) Wrapped() any    { return b.input }
func (u unknown) Wrapped() any   { return u.input }

// original returns the input that a user gave.
func original(in any) any {
	in = unboxed(plain(in))
	if u, ok := in.(unknown); ok {
		return u.input
	}
	return in
}

// describe puts texts to an input and an output. DescribeOperation writes both as one, mostly with
// an arrow between.
func (m *Model) describe(o *Operation, in, out any) (any, any) {
	if m.DescribeOperation == nil {
		return in, out
	}
	output := o.Output
	if outputs := o.unknown(); outputs != nil {
		output = outputs[0]
	}
	text := spoken(func() string { return m.DescribeOperation(o.Input, output) })
	result := "done"
	for _, arrow := range []string{"->", "→", "=>"} {
		if k := strings.LastIndex(text, arrow); k > 0 {
			text, result = strings.TrimSpace(text[:k]), strings.TrimSpace(text[k+len(arrow):])
			break
		}
	}
	return described{in, text}, described{out, result}
}

// spoken is what a function of the model says, or that it panicked: a text is not worth the answer.
func spoken(describe func() string) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprintf("(not described: %v)", v)
		}
	}()
	return describe()
}

// ranks returns the place of every time among all.
func ranks(ops []Operation) func(t int64) int64 {
	var times []int64
	for i := range ops {
		times = append(times, ops[i].Call)
		if ops[i].unknown() == nil {
			times = append(times, ops[i].Return)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	return func(t int64) int64 {
		k, _ := slices.BinarySearch(times, t)
		return int64(k)
	}
}
