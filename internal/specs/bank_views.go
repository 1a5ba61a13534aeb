package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wide"
)

// Views of a bank: the total, which no operation changes; and the balance of one account, a counter
// to which transfers add and which reads report. Most violations show in one of them.
//
// A bank of which the initial balances are not known has the total that any read found, so the view
// takes it from one. Its accounts start with anything (NoStart).
//
// A completed transfer of which it is not known whether it was made may have moved money or not,
// which a counter cannot say; so accounts of such transfers have no view.

// totalView is the number of the view of the total; account a has the number firstAccount + a.
const (
	totalView    = 1
	firstAccount = 2
)

// view returns a view by its number.
func (k *bankPart) view(p *model.Partition, known bool, number int32) *model.View {
	switch account := int(number) - firstAccount; {
	case number == totalView:
		return k.total(p, known)
	case number < firstAccount || account >= len(k.accounts):
		return nil
	default:
		return k.account(p, known, account)
	}
}

// counting returns a counter that nothing changes or observes yet.
func (k *bankPart) counting() *model.CountingTheory {
	n := len(k.ops)
	return &model.CountingTheory{Object: make([]model.CellID, n), Delta: make([]int64, n), Observes: make([]bool, n),
		Observed: make([]int64, n), Init: []int64{0}}
}

// total returns the view of the total, nil if it is not known, or leaves the integers.
func (k *bankPart) total(p *model.Partition, known bool) *model.View {
	c, v := k.counting(), &model.View{What: "the total"}
	if known {
		sum, ok := sumOf(k.init)
		if !ok {
			return nil
		}
		c.Init[0] = sum
	}
	for i := range k.ops {
		if k.ops[i].found == nil || p.Ops[i].Pending() {
			continue
		}
		sum, ok := sumOf(k.ops[i].found)
		if !ok {
			return nil
		}
		c.Observes[i], c.Observed[i] = true, sum
		if !known {
			known, c.Init[0] = true, sum
		}
	}
	if v.Theory = c; !known {
		return nil
	}
	return v
}

func sumOf(balances []int64) (int64, bool) {
	sum := wide.Int{}
	for _, n := range balances {
		sum = sum.Add(n)
	}
	return sum.Int64()
}

// account returns the view of an account, nil if it is not known what changed it.
func (k *bankPart) account(p *model.Partition, known bool, account int) *model.View {
	c := k.counting()
	if known {
		c.Init[0] = k.init[account]
	}
	for i := range k.ops {
		switch o := &k.ops[i]; {
		case o.verb == bankRead:
			if c.Observes[i] = o.found != nil && !p.Ops[i].Pending(); c.Observes[i] {
				c.Observed[i] = o.found[account]
			}
		case o.from == o.to || o.from != account && o.to != account || o.amount == 0 || o.result == no:
		case o.result == unknown && !p.Ops[i].Pending():
			return nil
		case o.from == account:
			c.Delta[i] = -o.amount
		default:
			c.Delta[i] = o.amount
		}
	}
	return &model.View{Theory: c, What: "account " + shorten(k.accounts[account]), NoStart: !known}
}

// sums lists the views that are to be added up.
func (k *bankPart) sums(p *model.Partition, known bool) []int32 {
	var all []int32
	for number := int32(totalView); number < firstAccount+int32(min(len(k.accounts), mostSums)); number++ {
		if k.view(p, known, number) != nil {
			all = append(all, number)
		}
	}
	return all
}

// about returns the views that concern an operation: those that start somewhere.
func (k *bankPart) about(p *model.Partition, known bool, op history.OpID) []int32 {
	o := &k.ops[op]
	var all []int32
	for _, number := range k.sums(p, known) {
		account := int(number) - firstAccount // negative for the total
		starts := known || number == totalView
		if starts && (o.verb == bankRead || account == o.from || account == o.to) {
			all = append(all, number)
		}
	}
	return all
}
