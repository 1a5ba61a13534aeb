package claim

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wide"
)

// Sum claims that By cannot see what it saw: what was there before (after After, or at the start),
// what Inside adds, and any part of what Maybe adds never make it. All others that change the
// counter are in Outside, are called after By returned, or returned before After was called, or
// before the rank Since.
type Sum struct {
	After, By              history.OpID
	Inside, Maybe, Outside []history.OpID
	Since                  history.Rank
}

func (c Sum) holds(w *Whole) bool {
	t, ok := w.theory.(*model.CountingTheory)
	if !ok || !w.are(c.By) || !t.Observes[c.By] || c.After >= 0 && (!w.are(c.After) || !t.Observes[c.After]) {
		return false
	}
	object := t.Object[c.By]
	missing := wide.Of(t.Observed[c.By])
	if c.After >= 0 {
		missing = missing.Sub(t.Observed[c.After]).Sub(t.Delta[c.After])
	} else {
		missing = missing.Sub(t.Init[object])
	}
	for _, x := range c.Inside {
		missing = missing.Sub(t.Delta[x])
	}
	known := listed(c.Inside, c.Maybe, c.Outside)
	return w.on(object, func(i history.OpID, o *history.Op) bool {
		return t.Delta[i] == 0 || i == c.By || i == c.After || known[i] || o.Call > w.ops[c.By].Return ||
			o.Return < c.Since || c.After >= 0 && o.Return < w.ops[c.After].Call
	}) && !w.somePartAdds(t, c.Maybe, missing)
}

// OneWay claims that nothing takes the counter of an operation back: all that changes it does as
// that operation.
type OneWay struct{ As history.OpID }

func (c OneWay) holds(w *Whole) bool {
	t, ok := w.theory.(*model.CountingTheory)
	return ok && w.are(c.As) && t.Delta[c.As] != 0 && w.on(t.Object[c.As], func(i history.OpID, _ *history.Op) bool {
		return t.Delta[i] == 0 || t.Delta[i] > 0 == (t.Delta[c.As] > 0)
	})
}

// somePartAdds reports whether some of these operations add up to an amount: it may also say so
// where there are too many different sums.
func (w *Whole) somePartAdds(t *model.CountingTheory, ops []history.OpID, amount wide.Int) bool {
	var low, high, zero wide.Int
	for _, x := range ops {
		low, high = low.Add(min(t.Delta[x], 0)), high.Add(max(t.Delta[x], 0))
	}
	if amount.Less(low) || high.Less(amount) {
		return false
	}
	sums := map[wide.Int]bool{zero: true}
	for _, x := range ops {
		w.work -= len(sums)
		more := make([]wide.Int, 0, len(sums))
		for s := range sums {
			more = append(more, s.Add(t.Delta[x]))
		}
		for _, s := range more {
			sums[s] = true
		}
		if len(sums) > maxSums || w.work <= 0 {
			return true
		}
	}
	return sums[amount]
}
