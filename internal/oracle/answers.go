package oracle

import (
	"math/big"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// The conventions on recorded results, for the objects of objects.go.

// acknowledgement reports whether a result is only an acknowledgement.
func acknowledgement(t *history.Values, o *history.Op) bool {
	s, _ := t.AsString(o.Result)
	return o.Result == history.Nil || o.Result == history.True || strings.EqualFold(s, "ok") || o.Result == o.Arg
}

// The conventions.
func exactly(_ *history.Values, o *history.Op, answer history.Value) fit {
	if o.Result == answer {
		return right
	}
	return wrong
}

// nothing compares results of operations without one.
func nothing(t *history.Values, o *history.Op, _ history.Value) fit {
	if acknowledgement(t, o) {
		return right
	}
	return refused
}

// unless accepts null, and the other listed results, as saying nothing.
func unless(says func(t *history.Values, o *history.Op, answer history.Value) fit, also func(t *history.Values,
	o *history.Op) bool) func(t *history.Values, o *history.Op, answer history.Value) fit {
	return func(t *history.Values, o *history.Op, answer history.Value) fit {
		if o.Result == history.Nil || also != nil && also(t, o) {
			return right
		}
		return says(t, o, answer)
	}
}

// ofKind refuses results of another kind.
func ofKind(kind model.Kind, says func(t *history.Values, o *history.Op,
	answer history.Value) fit) func(t *history.Values, o *history.Op, answer history.Value) fit {
	return func(t *history.Values, o *history.Op, answer history.Value) fit {
		if model.KindOf(t, o.Result) != kind {
			return refused
		}
		return says(t, o, answer)
	}
}

// size compares how many there are. Digits that are beyond an integer are more than there are ever.
func size(t *history.Values, o *history.Op, answer history.Value) fit {
	text, _ := t.AsString(o.Result)
	if n, isInt := new(big.Int).SetString(text, 10); isInt && n.IsUint64() && !n.IsInt64() {
		return wrong
	}
	return integer(t, o, answer)
}

var (
	integer = ofKind(model.KindInt, exactly)
	boolean = ofKind(model.KindBool, exactly)
	tried   = unless(boolean, nil)
	changed = unless(boolean, func(t *history.Values, o *history.Op) bool {
		return o.Result != history.True && acknowledgement(t, o)
	})
	adjusted = unless(integer, func(t *history.Values, o *history.Op) bool {
		return model.KindOf(t, o.Result) != model.KindInt && acknowledgement(t, o)
	})
)

func isBool(t *history.Values, v history.Value) bool { return model.KindOf(t, v) == model.KindBool }

// compared compares results of cas, whose answer is the value that it found.
func compared(exchange bool) func(t *history.Values, o *history.Op, answer history.Value) fit {
	return func(t *history.Values, o *history.Op, answer history.Value) fit {
		pair, _ := t.AsList(o.Arg)
		swapped := answer == pair[0]
		is := func(ok bool) fit {
			if ok {
				return right
			}
			return wrong
		}
		switch r := o.Result; {
		case r == history.Nil:
			return right
		case isBool(t, r) && exchange && (isBool(t, pair[0]) || isBool(t, pair[1])):
			return refused
		case isBool(t, r):
			return is(swapped == (r == history.True))
		case r == o.Arg:
			return is(swapped)
		case exchange:
			return is(r == answer)
		}
		return refused
	}
}

// taken compares results of removals: a word for success or failure is not a value.
func taken(t *history.Values, o *history.Op, answer history.Value) fit {
	if s, _ := t.AsString(o.Result); isBool(t, o.Result) || strings.EqualFold(s, "empty") {
		return refused // the generated histories never insert them
	}
	return exactly(t, o, answer)
}

// drained compares lists of elements by priority; equal ones may be in any order.
func drained(t *history.Values, o *history.Op, answer history.Value) fit {
	got, ok := t.AsList(o.Result)
	if !ok {
		return refused
	}
	for _, v := range got {
		if p, isPair := t.AsList(v); model.KindOf(t, v) != model.KindInt &&
			!(isPair && len(p) == 2 && model.KindOf(t, p[0]) == model.KindInt) {
			return refused
		}
	}
	want, _ := t.AsList(answer)
	sorted := func(items []history.Value) []history.Value {
		items = slices.Clone(items)
		slices.Sort(items)
		return items
	}
	ascending := sort.SliceIsSorted(got, func(a, b int) bool { return priority(t, got[a]) < priority(t, got[b]) })
	if ascending && slices.Equal(sorted(got), sorted(want)) {
		return right
	}
	return wrong
}

// alikeMap refuses results whose names are not those of the argument.
func alikeMap(t *history.Values, o *history.Op, answer history.Value) fit {
	found, isMap := t.AsMap(o.Result)
	names, _ := t.AsMap(o.Arg)
	if !isMap || len(found) != len(names) {
		return refused
	}
	for k := 0; k < len(found); k += 2 {
		if found[k] != names[k] {
			return refused
		}
	}
	return exactly(t, o, answer)
}

// alikeTxn refuses results that differ from the argument in more than the values read.
func alikeTxn(t *history.Values, o *history.Op, answer history.Value) fit {
	found, isList := t.AsList(o.Result)
	steps, _ := t.AsList(o.Arg)
	if !isList || len(found) != len(steps) {
		return refused
	}
	for k := range steps {
		x, _ := t.AsList(found[k])
		y, _ := t.AsList(steps[k])
		if len(x) != 3 || x[0] != y[0] || x[1] != y[1] || x[0] == t.String("w") && x[2] != y[2] {
			return refused
		}
	}
	return exactly(t, o, answer)
}
