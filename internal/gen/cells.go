package gen

import (
	"maps"
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
)

// register holds one value, with or without compare-and-set.
type register struct {
	unowned
	v   history.Value
	cas bool
}

func (o *register) pick(d *draw, a *action) bool {
	n := 2
	if o.cas {
		n = 3
	}
	if d.all && d.coin(0.25) {
		a.f, a.arg = "swap", d.value()
		if o.cas && d.coin(0.5) {
			old := o.v
			if d.coin(0.5) {
				old = d.seen()
			}
			a.f, a.arg = "compareandexchange", d.t.List([]history.Value{old, a.arg})
		}
		return true
	}
	switch d.r.IntN(n) {
	case 0:
		a.f = "read"
	case 1:
		a.f, a.arg = "write", d.value()
	case 2:
		old := o.v
		if d.coin(0.4) {
			old = d.seen()
		}
		a.f, a.arg = "cas", d.t.List([]history.Value{old, d.value()})
	}
	return true
}

func (o *register) apply(d *draw, a *action) bool {
	switch a.f {
	case "read":
		a.result = o.v
	case "write":
		o.v = a.arg
		a.result = d.done()
	case "swap":
		a.result, o.v = o.v, a.arg
	case "cas", "compareandexchange":
		pair, _ := d.t.AsList(a.arg)
		a.result = d.t.Bool(pair[0] == o.v)
		if a.f != "cas" && d.coin(0.8) {
			a.result = o.v
		}
		if pair[0] == o.v {
			o.v = pair[1]
		}
	}
	return true
}

func (o *register) guess(d *draw, a *action) history.Value {
	switch a.f {
	case "read", "swap", "compareandexchange":
		if d.coin(0.2) {
			return history.Nil
		}
		return d.seen()
	case "cas":
		return d.bool()
	}
	return history.Nil
}

func (o *register) start(d *draw) (history.Value, bool) {
	o.v = d.value()
	return o.v, true
}

// set is a set of elements.
type set struct {
	unowned
	in map[history.Value]bool
}

func (o *set) pick(d *draw, a *action) bool {
	elements := int64(d.values)
	switch {
	case elements > 0:
	case d.free:
		elements = 3
	default:
		elements = 24
	}
	a.arg = d.t.Int(d.number(1 + d.r.Int64N(elements)))
	switch k := d.r.IntN(20); {
	case d.free && k == 19:
		a.f, a.arg = "size", history.Nil
	case d.free && k == 18:
		a.f, a.arg = "elements", history.Nil
	case k < 8:
		a.f = "add"
	case k < 14:
		a.f = "remove"
	default:
		a.f = "contains"
	}
	return true
}

func (o *set) apply(d *draw, a *action) bool {
	there := o.in[a.arg]
	switch a.f {
	case "add":
		o.in[a.arg] = true
		a.result = d.t.Bool(!there)
	case "remove":
		delete(o.in, a.arg)
		a.result = d.t.Bool(there)
	case "contains":
		a.result = d.t.Bool(there)
	case "size":
		a.result = d.t.Int(int64(len(o.in)))
	case "elements":
		a.result = d.t.List(slices.Sorted(maps.Keys(o.in)))
	}
	return true
}

func (o *set) guess(d *draw, a *action) history.Value {
	switch a.f {
	case "size":
		return d.t.Int(d.r.Int64N(4))
	case "elements":
		var some []history.Value
		for n := range int64(max(3, d.values)) {
			if d.coin(0.5) {
				some = append(some, d.t.Int(d.number(1+n)))
			}
		}
		if d.all && len(some) > 0 && d.coin(0.2) {
			some = append(some, some[0])
		}
		return d.t.List(some)
	}
	return d.bool()
}

func (o *set) start(d *draw) (history.Value, bool) {
	v := d.seen()
	o.in[v] = true
	return d.t.List([]history.Value{v}), true
}

// kv is a map from keys to strings.
type kv struct {
	unowned
	keys []history.Value
	at   map[history.Value]history.Value // Nil where a key is absent
}

func (o *kv) string(d *draw) history.Value { return d.t.String("v" + strconv.FormatInt(d.int64(), 10)) }

func (o *kv) seen(d *draw) history.Value {
	if n, ok := d.t.AsInt(d.seen()); ok {
		return d.t.String("v" + strconv.FormatInt(n, 10))
	}
	return history.Nil
}

func (o *kv) pick(d *draw, a *action) bool {
	a.key = o.keys[d.r.IntN(len(o.keys))]
	now := o.at[a.key]
	if d.all && d.coin(0.25) {
		switch d.r.IntN(3) {
		case 0:
			a.f, a.arg = "swap", o.string(d)
		case 1:
			a.f = "getanddelete"
		default:
			if d.coin(0.5) {
				now = o.seen(d)
			}
			a.f, a.arg = "compareandexchange", d.t.List([]history.Value{now, o.string(d)})
		}
		return true
	}
	switch k := d.r.IntN(20); {
	case k < 8:
		a.f = "get"
	case k < 13:
		a.f, a.arg = "put", o.string(d)
	case k < 16:
		a.f, a.arg = "append", o.string(d)
		// otherwise a long run would write longer and longer strings
		if s, _ := d.t.AsString(now); len(s) > 40 {
			a.f = "put"
		}
	case k < 17:
		a.f = "delete"
	default:
		if d.coin(0.4) {
			now = o.seen(d)
		}
		a.f, a.arg = "cas", d.t.List([]history.Value{now, o.string(d)})
	}
	return true
}

func (o *kv) apply(d *draw, a *action) bool {
	now := o.at[a.key]
	switch a.f {
	case "get":
		a.result = now
	case "put":
		o.at[a.key] = a.arg
		if a.result = d.done(); d.all && now != a.arg && d.coin(0.5) {
			a.result = now
		}
	case "append":
		s, _ := d.t.AsString(now)
		more, _ := d.t.AsString(a.arg)
		o.at[a.key] = d.t.String(s + more)
		a.result = d.done()
	case "delete":
		o.at[a.key] = history.Nil
		switch {
		case d.all && d.coin(0.3):
			a.result = d.t.Bool(now != history.Nil)
		case d.all && d.coin(0.5):
			a.result = now
		}
	case "swap":
		a.result, o.at[a.key] = now, a.arg
	case "getanddelete":
		a.result, o.at[a.key] = now, history.Nil
	case "cas", "compareandexchange":
		pair, _ := d.t.AsList(a.arg)
		a.result = d.t.Bool(pair[0] == now)
		if a.f != "cas" && d.coin(0.8) {
			a.result = now
		}
		if pair[0] == now {
			o.at[a.key] = pair[1]
		}
	}
	return true
}

func (o *kv) guess(d *draw, a *action) history.Value {
	switch a.f {
	case "put", "delete":
		switch {
		case !d.all || d.coin(0.3):
			return history.Nil
		case a.f == "delete" && d.coin(0.5):
			return d.bool()
		}
		return o.seen(d)
	case "get", "swap", "getanddelete", "compareandexchange":
		switch d.r.IntN(4) {
		case 0:
			return history.Nil
		case 1:
			x, _ := d.t.AsString(o.seen(d))
			y, _ := d.t.AsString(o.seen(d))
			return d.t.String(x + y)
		}
		return o.seen(d)
	case "cas":
		return d.bool()
	}
	return history.Nil
}

func (o *kv) start(d *draw) (history.Value, bool) {
	o.at[o.keys[0]] = o.string(d)
	return d.t.Map([]history.Value{o.keys[0], o.at[o.keys[0]]}), true
}

// multiRegister is several registers; one operation may access several of them.
type multiRegister struct {
	unowned
	keys []history.Value
	at   map[history.Value]history.Value
}

// some returns one key, or in a small history often several distinct ones.
func (o *multiRegister) some(d *draw) []history.Value {
	keys := slices.Clone(o.keys)
	d.r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	n := 1
	if d.free && d.coin(0.5) {
		n = 1 + d.r.IntN(len(keys))
	}
	return keys[:n]
}

func (o *multiRegister) pick(d *draw, a *action) bool {
	var pairs []history.Value
	switch d.r.IntN(5) {
	case 0, 1:
		for _, k := range o.some(d) {
			pairs = append(pairs, k, history.Nil)
		}
		a.f, a.arg = "read", d.t.Map(pairs)
	case 2, 3:
		for _, k := range o.some(d) {
			pairs = append(pairs, k, d.value())
		}
		a.f, a.arg = "write", d.t.Map(pairs)
	default:
		var steps []history.Value
		keys := o.some(d)
		for range 1 + d.r.IntN(3) {
			step := []history.Value{d.t.String("r"), keys[d.r.IntN(len(keys))], history.Nil}
			if d.coin(0.5) {
				step[0], step[2] = d.t.String("w"), d.value()
			}
			steps = append(steps, d.t.List(step))
		}
		a.f, a.arg = "txn", d.t.List(steps)
	}
	return true
}

func (o *multiRegister) apply(d *draw, a *action) bool {
	var result []history.Value
	switch a.f {
	case "read":
		pairs, _ := d.t.AsMap(a.arg)
		for i := 0; i < len(pairs); i += 2 {
			result = append(result, pairs[i], o.at[pairs[i]])
		}
		a.result = d.t.Map(result)
	case "write":
		pairs, _ := d.t.AsMap(a.arg)
		for i := 0; i < len(pairs); i += 2 {
			o.at[pairs[i]] = pairs[i+1]
		}
		a.result = d.done()
	case "txn":
		steps, _ := d.t.AsList(a.arg)
		for _, s := range steps {
			step, _ := d.t.AsList(s)
			if step[0] == d.t.String("w") {
				o.at[step[1]] = step[2]
			}
			result = append(result, d.t.List([]history.Value{step[0], step[1], o.at[step[1]]}))
		}
		a.result = d.t.List(result)
	}
	return true
}

func (o *multiRegister) guess(d *draw, a *action) history.Value {
	old := o.at
	defer func() { o.at = old }()
	o.at = map[history.Value]history.Value{}
	for _, k := range o.keys {
		if d.coin(0.8) {
			o.at[k] = d.seen()
		}
	}
	b := *a
	b.result = history.Nil
	o.apply(d, &b)
	return b.result
}

func (o *multiRegister) start(d *draw) (history.Value, bool) {
	var pairs []history.Value
	for _, k := range o.keys {
		o.at[k] = d.value()
		pairs = append(pairs, k, o.at[k])
	}
	return d.t.Map(pairs), true
}
