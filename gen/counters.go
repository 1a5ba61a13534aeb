package gen

import "github.com/linsat/linsat/history"

// counter is an integer to which is added, and a dispenser of tickets.
type counter struct {
	unowned
	n int64
}

func (o *counter) pick(d *draw, a *action) bool {
	switch k := d.r.IntN(8); {
	case k < 3:
		a.f = "inc"
	case k < 4:
		a.f = "dec"
	case k < 5:
		a.f = "getandinc"
	default:
		a.f = "read"
	}
	if (a.f == "inc" || a.f == "dec") && d.coin(0.3) {
		a.arg = d.t.Int(1 + d.r.Int64N(3))
	}
	return true
}

func (o *counter) apply(d *draw, a *action) bool {
	by := int64(1)
	if n, ok := d.t.AsInt(a.arg); ok {
		by = n
	}
	switch a.f {
	case "inc":
		o.n += by
	case "dec":
		o.n -= by
	case "read":
		a.result = d.t.Int(o.n)
	case "getandinc":
		a.result = d.t.Int(o.n)
		o.n++
	}
	return true
}

func (o *counter) guess(d *draw, a *action) history.Value {
	if a.f == "inc" || a.f == "dec" {
		return history.Nil
	}
	return d.t.Int(d.r.Int64N(6) - 1)
}

func (o *counter) start(d *draw) (history.Value, bool) {
	o.n = d.r.Int64N(4)
	return d.t.Int(o.n), true
}
