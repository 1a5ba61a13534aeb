package specs

// What is wrong with a key of a kv is found before anything is bound (model.Preparer), and for the
// keys of a small history at once, in memory that they share.

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// bindKV binds a partition that holds one key.
func bindKV(s *table, p *model.Partition) (*model.Instance, error) {
	k, err := prepareKV(s, p)
	if err != nil {
		return nil, err
	}
	return k.Bind(), nil
}

// prepareKV finds everything that is wrong with a partition that holds one key, and leaves the rest
// of binding, most of it for keys with appends, to Bind.
func prepareKV(s *table, p *model.Partition) (model.Prepared, error) {
	k := &kvKey{spec: s, part: p, ops: roomForKV(len(p.Ops))}
	if err := k.prepare(s.verbs(p)); err != nil {
		return nil, err
	}
	return k, nil
}

// prepareKeys is prepareKV for all keys of a history of few operations.
func prepareKeys(s *table, parts []*model.Partition, prepared []model.Prepared) error {
	n := 0
	for _, p := range parts {
		n += len(p.Ops)
	}
	keys, ops, verbs := make([]kvKey, len(parts)), make([]kvOp, n), s.verbs(parts[0])
	for i, p := range parts {
		k := &keys[i]
		k.spec, k.part, k.ops, ops = s, p, ops[:len(p.Ops):len(p.Ops)], ops[len(p.Ops):]
		if err := k.prepare(verbs); err != nil {
			return err
		}
		prepared[i] = k
	}
	return nil
}

// prepare resolves the operations as far as that finds everything that is wrong with them.
func (k *kvKey) prepare(verbs *verbs) error {
	p := k.part
	k.table = p.History.Values
	deleted := history.OpID(-1) // the last delete that returned true or false
	for i := range p.Ops {
		o, id := &p.Ops[i], history.OpID(i)
		verb := verbs.Of(o.F)
		if verb < 0 {
			return verbs.Unknown(p, id)
		}
		if o.Key == history.NoKey {
			return p.Error(id, fmt.Sprintf("%s names no key", k.table.Format(o.F)),
				"\"key\" names the key that an operation of a kv concerns")
		}
		var err error
		if k.ops[i], err = resolveKV(p, id, verb); err != nil {
			return err
		}
		k.appends = k.appends || k.ops[i].form == kvAppend
		if verb == kvVerbDelete && !o.Unknown && isBool(o.Result) {
			deleted = id
		}
	}
	k.initial = history.Nil
	if stated(p) {
		if _, isMap := k.table.AsMap(p.Initial); !isMap {
			return k.spec.wrongInitial(p)
		}
		if len(p.Ops) > 0 {
			k.initial = entry(k.table, p.Initial, p.Ops[0].Key)
		}
	}
	if err := k.ambiguous(p, deleted, k.initial); err != nil {
		return err
	}
	if k.appends {
		return k.growing()
	}
	return nil
}

// resolveKV resolves operation i; a and b are values.
func resolveKV(p *model.Partition, i history.OpID, verb int) (kvOp, error) {
	o := &p.Ops[i]
	switch verb {
	case kvVerbGet:
		if o.Unknown {
			return kvOp{form: kvGet}, nil
		}
		return kvOp{form: kvSee, a: int32(o.Result)}, nil
	case kvVerbPut:
		switch {
		case acknowledges(p, i):
			return kvOp{form: kvPut, a: int32(o.Arg)}, nil
		case o.Result == history.False:
			return kvOp{},
				wrongResult(p, i,
					"the value before: a put that did not take effect has the status fail, and a swap may find false")
		}
		return kvOp{form: kvSwapped, a: int32(o.Result), b: int32(o.Arg)}, nil
	case kvVerbSwap:
		return kvSwapping(o, o.Arg), nil
	case kvVerbAppend:
		if err := noResult(p, i, ""); err != nil {
			return kvOp{}, err
		}
		if o.Arg == history.Nil {
			return kvOp{form: kvAppendNothing}, nil
		}
		if _, isString := p.History.Values.AsString(o.Arg); !isString {
			return kvOp{}, wrongArg(p, i, "a string")
		}
		return kvOp{form: kvAppend, a: int32(o.Arg)}, nil // number sees whether it is empty
	case kvVerbDelete:
		n, isInt := p.History.Values.AsInt(o.Result)
		switch {
		case o.Unknown:
		case o.Result == history.True:
			return kvOp{form: kvRemove, a: int32(history.Nil)}, nil
		case o.Result == history.False:
			return kvOp{form: kvSee, a: int32(history.Nil)}, nil
		case isInt && (n == 0 || n == 1):
			return kvOp{}, p.Error(i, fmt.Sprintf("%d may be the value that %s took away, or how many", n,
				p.History.Values.Format(o.F)),
				"write false or true for how many; getanddelete returns the value")
		case !acknowledges(p, i):
			return kvOp{form: kvSwapped, a: int32(o.Result), b: int32(history.Nil)}, nil
		}
		return kvOp{form: kvPut, a: int32(history.Nil)}, nil
	case kvVerbGetDelete:
		return kvSwapping(o, history.Nil), nil
	}
	c, err := resolveCAS(p, i, verb == kvVerbExchange)
	if c.other {
		return kvOp{form: kvSee, a: int32(c.found)}, err
	}
	form := [...]int32{unknown: kvSwap, yes: kvSwapped, no: kvUnswapped}[c.result]
	return kvOp{form: form, a: int32(c.old), b: int32(c.new)}, err
}

// kvSwapping returns an operation that leaves value and returns the previous one.
func kvSwapping(o *history.Op, value history.Value) kvOp {
	if o.Unknown {
		return kvOp{form: kvPut, a: int32(value)}
	}
	return kvOp{form: kvSwapped, a: int32(o.Result), b: int32(value)}
}

// ambiguous refuses deletes that returned true or false (deleted is one of them, -1: none) if the
// key holds true or false: the result may be the value that was there.
func (k *kvKey) ambiguous(p *model.Partition, deleted history.OpID, initial history.Value) error {
	if deleted < 0 {
		return nil
	}
	holds := isBool(initial)
	for _, o := range k.ops {
		switch o.form {
		case kvPut:
			holds = holds || isBool(history.Value(o.a))
		case kvSwap, kvSwapped, kvUnswapped:
			holds = holds || isBool(history.Value(o.b))
		}
	}
	if !holds {
		return nil
	}
	return p.Error(deleted, fmt.Sprintf("%s may be the value that %s took away, or say whether there was one",
		k.table.Format(p.Ops[deleted].Result), k.table.Format(p.Ops[deleted].F)),
		"the key holds true or false; call it getanddelete if it returns the value")
}

// growing refuses values of a key with appends that are neither strings nor null, before number.
func (k *kvKey) growing() error {
	const want = "a string or null, which is what can be appended to"
	p := k.part
	grows := func(v history.Value) bool { return v == history.Nil || model.KindOf(k.table, v) == model.KindString }
	if !grows(k.initial) {
		return &history.Error{File: p.History.Source, What: fmt.Sprintf("initial value of key %s is %s, not %s",
			k.table.Format(p.Ops[0].Key), k.table.Format(k.initial), want),
			Hint: "a key that some operation appends to holds strings"}
	}
	for i, o := range k.ops {
		switch o.form {
		case kvPut:
			if !grows(history.Value(o.a)) {
				return wrongArg(p, history.OpID(i), want)
			}
		case kvSwap, kvSwapped, kvUnswapped:
			if !grows(history.Value(o.b)) {
				return wrong(p, history.OpID(i), "new value", history.Value(o.b), want)
			}
		}
	}
	return nil
}
