package monitor

// Banks: the transfers before a read in an order in which every balance suffices (bank.go).
//
// What: the order of a few transfers is searched to the end, or until too many were tried. What is
// open and changes nothing takes effect between them as soon as it can.
//
// Cost: orders × transfers; the first one suffices as a rule.

import (
	"slices"

	"github.com/linsat/linsat/internal/model"
)

// arrive lets what is chosen take effect, and then a read. Where a refusal is open, all orders are
// tried, since one of them may pass a balance that does not suffice.
func (w *bankWalk) arrive(s *bankState, q *bankOpen) {
	y := &w.ways
	y.order, y.orders = append(y.order[:0], y.chosen...), bankOrders
	every := len(y.order) > 1 && slices.ContainsFunc(w.open, func(o bankOpen) bool {
		return o.does == model.BankRefuses && s.left.has(o.slot)
	})
	w.arrange(s.balances, 0, func() bool {
		n, x := len(w.trace), *s
		for k := range y.order {
			w.effect(&x, &y.order[k])
		}
		if w.shows(&x, q.found) {
			x.balances, x.weight = q.found, q.weight
			w.put(x)
		}
		w.trace = w.trace[:n]
		return !every
	})
}

// follow lets one transfer take effect, and reports whether the balance suffices.
func (w *bankWalk) follow(s *bankState, m bankChosen) bool {
	y := &w.ways
	y.order, y.orders = append(y.order[:0], m), 1
	return w.arrange(s.balances, 0, func() bool {
		n, x := len(w.trace), *s
		w.effect(&x, &m)
		w.put(x)
		w.trace = w.trace[:n]
		return true
	})
}

// arrange reorders the transfers of order from the k-th on such that all balances suffice, until
// one order is enough.
func (w *bankWalk) arrange(balances []int64, k int, enough func() bool) bool {
	order := w.ways.order
	if k == len(order) {
		return enough()
	}
	for i := k; i < len(order); i++ {
		if w.ways.orders--; w.ways.orders < 0 {
			return false
		}
		order[k], order[i] = order[i], order[k]
		if next := slices.Clone(balances); w.pays(next, &order[k].bankMove) && w.arrange(next, k+1, enough) {
			return true
		}
		order[k], order[i] = order[i], order[k]
	}
	return false
}

// pays makes a transfer in balances and reports whether these suffice, or may suffice.
func (w *bankWalk) pays(balances []int64, m *bankMove) bool {
	n := w.bank.Accounts
	switch {
	case w.bank.Overdraft:
	case len(balances) == n:
		if balances[m.from] < m.amount {
			return false
		}
	default:
		least := &balances[n+int(m.from)]
		if *least = max(*least, m.amount-balances[m.from]); *least > balances[2*n+int(m.from)] {
			return false
		}
	}
	balances[m.from] -= m.amount
	balances[m.to] += m.amount
	return true
}

// declines makes a refusal take effect, and reports whether the balance does not suffice, or may
// not.
func (w *bankWalk) declines(balances []int64, m *bankMove) bool {
	n := w.bank.Accounts
	switch {
	case w.bank.Overdraft:
		return false
	case len(balances) == n:
		return balances[m.from] < m.amount
	}
	most := &balances[2*n+int(m.from)]
	*most = min(*most, m.amount-balances[m.from]-1)
	return balances[n+int(m.from)] <= *most
}

// shows reports whether a configuration has the balances that a read found.
func (w *bankWalk) shows(s *bankState, found []int64) bool {
	if w.known(s) {
		return slices.Equal(s.balances, found)
	}
	n := w.bank.Accounts
	for a, balance := range found {
		if first := balance - s.balances[a]; !w.bank.Overdraft && (first < s.balances[n+a] ||
			first > s.balances[2*n+a]) {
			return false
		}
	}
	return true
}

// effect lets a transfer take effect, and then what changes nothing, all added to the trace.
func (w *bankWalk) effect(s *bankState, m *bankChosen) {
	s.balances = slices.Clone(s.balances)
	w.pays(s.balances, &m.bankMove)
	s.weight += m.weight
	op := m.op
	if m.kind >= 0 {
		op = w.kinds.ops[m.kind][s.used[m.kind]]
		s.used = slices.Clone(s.used)
		s.used[m.kind]++
		s.uses++
		s.usage += m.weight * m.weight
	} else {
		s.left.flip(m.slot)
	}
	w.trace = append(w.trace, op)
	w.settle(s)
}

// settle lets what changes nothing take effect.
func (w *bankWalk) settle(s *bankState) {
	for k := range w.open {
		if o := &w.open[k]; s.left.has(o.slot) && w.idle(s, o) {
			s.left.flip(o.slot)
			w.trace = append(w.trace, o.op)
		}
	}
}
