package modelspec

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// The history that operations of a model make. Their inputs and outputs stay in Go: the history
// holds texts of them, for messages, and what the engines ask about an operation is answered by its
// position (spec.go).

// record makes the history, and notes the keys and which operations are alike.
func (x *Spec[S, I, O]) record() (*history.History, error) {
	b := history.NewBuilder()
	b.SetSpec(x.model.Name)
	inputs, outputs, objects := x.inputs(b.Values), x.outputs(b.Values), x.keys()
	keys := keyValues{of: map[any]history.Value{}, taken: map[history.Value]bool{}}
	if err := x.findPieces(b.Values); err != nil {
		return nil, err
	}
	return x.recorded(b, func(i int, r *history.Record) (err error) {
		r.F, r.Result = inputs[i], outputs[i]
		if x.model.Key != nil {
			if r.Key, err = keys.value(b.Values, "key", objects[i]); err != nil {
				return x.bad(i, err.Error(),
					"Key returns the object that an operation is on, as a value that == compares; an operation on "+
						"several objects cannot be judged key by key")
			}
		}
		return nil
	})
}

// recorded makes a history of what words says about every operation, and of when it was.
func (x *Spec[S, I, O]) recorded(b *history.Builder, words func(i int, r *history.Record) error) (*history.History,
	error) {
	clients, err := x.clients()
	if err != nil {
		return nil, err
	}
	for i := range x.ops {
		op := &x.ops[i]
		r := history.Record{Process: b.Process(clients[i]), Key: history.NoKey, Call: op.Call, Return: op.Return}
		if op.Revision != nil {
			r.Revision = &history.Revision{Chain: history.Nil, Number: *op.Revision}
			if op.Chain != "" {
				r.Revision.Chain = b.Values.String(op.Chain)
			}
		}
		switch {
		case op.Pending:
			r.Pending = true
		case op.Unknown:
			r.Forgotten = true
		case !x.comparesToItself(i):
			return nil, x.bad(i, "its output does not equal itself, so that no outcome could be it",
				"does it hold NaN, or a function? EqualOut says which outputs are equal")
		}
		if err := words(i, &r); err != nil {
			return nil, err
		}
		if op.Pending || op.Unknown {
			r.Result = history.Nil
		}
		if _, err := b.Add(r); err != nil {
			return nil, err
		}
	}
	h, err := b.Finish()
	if err != nil {
		return nil, err
	}
	h.Format = "operations"
	return h, nil
}

// bad is the error for operation i: what is wrong, and what to do about it.
func (x *Spec[S, I, O]) bad(i int, what, hint string) error {
	return &history.Error{What: fmt.Sprintf("operation %d, %s: %s; %s", i, x.input(i), what, hint)}
}

// clients returns the name of every operation's process, or what is wrong with the times.
func (x *Spec[S, I, O]) clients() ([]string, error) {
	names := make([]string, len(x.ops))
	by := map[int][]int{} // client → its operations
	for i := range x.ops {
		op := &x.ops[i]
		switch {
		case op.Pending && op.Unknown:
			return nil, x.bad(i, "it is both Pending and Unknown",
				"Pending: it never returned; Unknown: it returned, and its output is not known")
		case !op.Pending && op.Return == math.MaxInt64:
			return nil, x.bad(i, "it returns at the end of all time", "set Pending if it never returned")
		case !op.Pending && op.Return < op.Call:
			return nil, x.bad(i, fmt.Sprintf("it returns at %d, before its call at %d", op.Return, op.Call),
				"set Pending if it never returned")
		case op.Client < noClient:
			return nil, x.bad(i, fmt.Sprintf("its client is %d", op.Client),
				"clients are numbered from 0; -1 stands for one that is not known")
		case op.Client == noClient:
			names[i] = "operation " + strconv.Itoa(i)
		default:
			names[i] = strconv.Itoa(op.Client)
			by[op.Client] = append(by[op.Client], i)
		}
	}
	for i := range x.ops { // in the order of the operations, so that the message is always the same
		mine := by[x.ops[i].Client]
		if x.ops[i].Client == noClient || mine[0] != i {
			continue
		}
		slices.SortStableFunc(mine, x.before)
		for k, j := range mine[1:] {
			first := mine[k]
			names[j] = names[first]
			switch {
			case x.ops[first].Pending: // the client goes on without it, as another process
				names[j] = fmt.Sprintf("%d after operation %d", x.ops[j].Client, first)
			case x.ops[j].Call < x.ops[first].Return:
				return nil,
					x.bad(j, fmt.Sprintf("client %d calls it at %d, while its operation %d, %s, is open until %d",
						x.ops[j].Client, x.ops[j].Call, first, x.input(first), x.ops[first].Return),
						"a client has one operation open at a time: give every thread a Client of its own, or -1")
			}
		}
	}
	return names, nil
}

// before orders the operations of one client.
func (x *Spec[S, I, O]) before(i, j int) int {
	a, b := &x.ops[i], &x.ops[j]
	switch {
	case a.Call != b.Call:
		if a.Call < b.Call {
			return -1
		}
		return 1
	case a.Pending != b.Pending: // the client went on after it, or else both are concurrent
		if a.Pending {
			return -1
		}
		return 1
	case a.Pending || a.Return == b.Return:
		return i - j
	case a.Return < b.Return:
		return -1
	}
	return 1
}

// comparesToItself reports whether the output of operation i is one that a computed output may
// equal. An EqualOut of the caller is taken at its word.
func (x *Spec[S, I, O]) comparesToItself(i int) bool {
	return x.model.EqualOut != nil || x.model.Step == nil || x.equalOut(x.ops[i].Output, x.ops[i].Output)
}

// inputs returns the text of every operation's input.
func (x *Spec[S, I, O]) inputs(t *history.Values) []history.Value {
	texts := make([]history.Value, len(x.ops))
	if x.model.DescribeInput == nil {
		for i := range texts {
			texts[i] = t.String(x.input(i))
		}
		return texts
	}
	duringEach(x, "DescribeInput", len(texts), func(k int) int { return k }, func(_, i int) {
		texts[i] = t.String(orOperation(x.model.DescribeInput(x.ops[i].Input)))
	})
	return texts
}

// outputs returns the text of every known output, or the output itself if it is a boolean, an
// integer or a string; Nil for other operations.
func (x *Spec[S, I, O]) outputs(t *history.Values) []history.Value {
	texts := make([]history.Value, len(x.ops))
	known := func(i int) bool { return !x.ops[i].Pending && !x.ops[i].Unknown && x.comparesToItself(i) }
	if x.model.DescribeOutput != nil {
		duringEach(x, "DescribeOutput", len(texts), func(int) int { return -1 }, func(i, _ int) {
			if known(i) {
				texts[i] = t.String(x.model.DescribeOutput(x.ops[i].Output))
			}
		})
		return texts
	}
	for i := range texts {
		if known(i) {
			texts[i] = x.outputValue(t, i)
		}
	}
	return texts
}

func (x *Spec[S, I, O]) outputValue(t *history.Values, i int) history.Value {
	switch v := reflect.ValueOf(x.ops[i].Output); v.Kind() {
	case reflect.Invalid:
		return history.Nil
	case reflect.Bool:
		return t.Bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return t.Int(v.Int())
	case reflect.String:
		return t.String(v.String())
	case reflect.Struct:
		if v.NumField() == 0 {
			return history.Nil
		}
	}
	return t.String(x.output(x.ops[i].Output))
}

// keys returns the key of every operation, nil if the model has none.
func (x *Spec[S, I, O]) keys() []any {
	if x.model.Key == nil {
		return nil
	}
	all := make([]any, len(x.ops))
	duringEach(x, "Key", len(all), func(k int) int {
		return k
	}, func(_, i int) { all[i] = x.model.Key(x.ops[i].Input) })
	return all
}

// findPieces notes what every operation touches.
func (x *Spec[S, I, O]) findPieces(t *history.Values) error {
	if x.model.Pieces == nil {
		return nil
	}
	names := keyValues{of: map[any]history.Value{}, taken: map[history.Value]bool{}}
	all := make([][]history.Value, len(x.ops))
	listed := make([][]any, len(all))
	duringEach(x, "Pieces", len(all), func(k int) int {
		return k
	}, func(_, i int) { listed[i] = x.model.Pieces(x.ops[i].Input) })
	for i, list := range listed {
		for _, piece := range list {
			v, err := names.value(t, "piece", piece)
			if err != nil {
				return x.bad(i, err.Error(),
					"Pieces returns values that == compares, and none for an operation that touches everything")
			}
			all[i] = append(all[i], v)
		}
		if len(list) == 0 {
			all[i] = []history.Value{model.Everything}
		}
	}
	x.pieces.of = all
	return nil
}

// tryPieces tests, on the first operations, what the model says of pieces, before the history is
// split by it.
func (x *Spec[S, I, O]) tryPieces(h *history.History) error {
	first := make([]history.OpID, min(len(h.Ops), piecesTried))
	for i := range first {
		first[i] = history.OpID(i)
	}
	_, err := x.Bind(model.Whole(h).Select(first, ""))
	return err
}

// keyValues gives keys values: different ones to different keys.
type keyValues struct {
	of    map[any]history.Value
	taken map[history.Value]bool
}

// value returns the value of a key, or of what else it is called in the error.
func (k *keyValues) value(t *history.Values, what string, key any) (history.Value, error) {
	switch {
	case key == nil:
		return history.NoKey, fmt.Errorf("its %s is nil", what)
	case !reflect.ValueOf(key).Comparable():
		return history.NoKey, fmt.Errorf("its %s is of type %T, which == does not compare", what, key)
	case key != key: //nolint:gocritic,staticcheck // NaN
		return history.NoKey, fmt.Errorf("its %s, %v, does not equal itself", what, key)
	}
	if v, ok := k.of[key]; ok {
		return v, nil
	}
	var v history.Value
	switch x := key.(type) {
	case int:
		v = t.Int(int64(x))
	case string:
		v = t.String(x)
	default:
		v = t.String(fmt.Sprintf("%+v", key))
	}
	for n := 2; k.taken[v]; n++ {
		v = t.String(fmt.Sprintf("%+v (%T, %d)", key, key, n))
	}
	k.of[key], k.taken[v] = v, true
	return v, nil
}
