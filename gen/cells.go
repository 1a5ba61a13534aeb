package gen

import (
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
	case "cas":
		pair, _ := d.t.AsList(a.arg)
		a.result = d.t.Bool(pair[0] == o.v)
		if pair[0] == o.v {
			o.v = pair[1]
		}
	}
	return true
}

func (o *register) guess(d *draw, a *action) history.Value {
	switch a.f {
	case "read":
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
	o.v = d.seen()
	return o.v, true
}

// set holds elements.
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
	a.arg = d.t.Int(1 + d.r.Int64N(elements))
	switch k := d.r.IntN(10); {
	case d.free && k == 9:
		a.f, a.arg = "size", history.Nil
	case k < 4:
		a.f = "add"
	case k < 7:
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
	}
	return true
}

func (o *set) guess(d *draw, a *action) history.Value {
	if a.f == "size" {
		return d.t.Int(d.r.Int64N(4))
	}
	return d.bool()
}

func (o *set) start(d *draw) (history.Value, bool) {
	v := d.seen()
	o.in[v] = true
	return d.t.List([]history.Value{v}), true
}
