package gen

import (
	"fmt"

	"github.com/linsat/linsat/history"
)

// bank is a set of accounts between which money is transferred. Unless it starts from a given
// state, only reads show the initial balances.
type bank struct {
	unowned
	balances  []int64 // by account; none until the first action
	overdraft bool
}

func (o *bank) open(d *draw) {
	if o.balances != nil {
		return
	}
	n, most := int64(2), int64(4)
	if !d.free {
		n, most = 5, 100
	}
	for range n + d.r.Int64N(2) {
		o.balances = append(o.balances, d.r.Int64N(most))
	}
}

func account(d *draw, k int) history.Value { return d.t.String(fmt.Sprintf("a%d", k)) }

func (o *bank) pick(d *draw, a *action) bool {
	o.open(d)
	if d.coin(0.4) {
		a.f = "read"
		return true
	}
	a.f = "transfer"
	from := d.r.IntN(len(o.balances))
	to := (from + 1 + d.r.IntN(len(o.balances)-1)) % len(o.balances)
	amount := 1 + d.r.Int64N(3)
	if d.free && d.coin(0.1) {
		to, amount = d.r.IntN(len(o.balances)), d.r.Int64N(2)
	}
	a.arg = d.t.Map([]history.Value{d.t.String("from"), account(d, from), d.t.String("to"), account(d, to),
		d.t.String("amount"), d.t.Int(amount)})
	return true
}

func (o *bank) apply(d *draw, a *action) bool {
	if a.f == "read" {
		a.result = o.shown(d, o.balances)
		return true
	}
	from, to, amount := transferOf(d, a.arg)
	if o.balances[from] < amount && !o.overdraft {
		a.result = history.False
		return true
	}
	if d.free && d.coin(0.3) {
		a.result = history.True
	}
	o.balances[from] -= amount
	o.balances[to] += amount
	return true
}

// transferOf parses the argument of a transfer.
func transferOf(d *draw, arg history.Value) (from, to int, amount int64) {
	pairs, _ := d.t.AsMap(arg)
	for k := 0; k < len(pairs); k += 2 {
		text, _ := d.t.AsString(pairs[k+1])
		switch name, _ := d.t.AsString(pairs[k]); name {
		case "amount":
			amount, _ = d.t.AsInt(pairs[k+1])
		case "from":
			fmt.Sscanf(text, "a%d", &from)
		default:
			fmt.Sscanf(text, "a%d", &to)
		}
	}
	return from, to, amount
}

// shown returns a map of balances. Small histories may leave out empty accounts.
func (o *bank) shown(d *draw, balances []int64) history.Value {
	var pairs []history.Value
	for k, n := range balances {
		if n != 0 || !d.free || d.coin(0.7) {
			pairs = append(pairs, account(d, k), d.t.Int(n))
		}
	}
	return d.t.Map(pairs)
}

func (o *bank) guess(d *draw, a *action) history.Value {
	o.open(d)
	if a.f == "transfer" {
		return d.bool()
	}
	balances := append([]int64(nil), o.balances...)
	from, to := d.r.IntN(len(balances)), d.r.IntN(len(balances))
	n := 1 + d.r.Int64N(2)
	if balances[from] >= n || o.overdraft {
		balances[from] -= n
	}
	if d.coin(0.8) {
		balances[to] += n
	}
	return o.shown(d, balances)
}

func (o *bank) start(d *draw) (history.Value, bool) {
	o.open(d)
	stated := o.shown(d, o.balances)
	if !d.free || d.coin(0.5) {
		return stated, true
	}
	o.overdraft = true
	pairs := []history.Value{d.t.String("overdraft"), history.True}
	if d.coin(0.7) {
		pairs = append(pairs, d.t.String("balances"), stated)
	}
	return d.t.Map(pairs), true
}
