package conformance_test

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
)

// written judges claims about collections by what operations are called, their arguments and
// results.
func (d *definition) written(c claim.Claim) (holds, known bool) {
	if _, ok := d.b.Theory.(*model.CollectionTheory); !ok || len(d.b.Partition.Ops) == 0 {
		return false, false
	}
	values := d.b.Partition.History.Values
	w := &wholeHistory{h: d.b.Partition.History}
	puts := func(i history.OpID) bool { return w.inserts(d.op(i)) }
	takes := func(i history.OpID) bool { return removal[w.name(d.op(i))] }
	of := func(i history.OpID) string {
		if puts(i) {
			return values.Format(d.op(i).Arg)
		}
		return values.Format(d.op(i).Result)
	}
	initial := func(v string) (n int) {
		if !d.b.Partition.HasInitial {
			return 0
		}
		items, _ := values.AsList(d.b.Partition.Initial)
		for _, x := range items {
			if values.Format(x) == v {
				n++
			}
		}
		return n
	}
	each := func(f func(i history.OpID) bool) bool {
		for i := range d.b.Partition.Ops {
			if !f(history.OpID(i)) {
				return false
			}
		}
		return true
	}
	about := func(i history.OpID) func(f func(i history.OpID) bool) bool { // others on its object
		return func(f func(i history.OpID) bool) bool {
			return each(func(x history.OpID) bool { return d.op(x).Key != d.op(i).Key || f(x) })
		}
	}
	only := func(x history.OpID, by []history.OpID, start int) bool {
		return initial(of(x)) == start && about(x)(func(i history.OpID) bool {
			return !puts(i) || of(i) != of(x) || slices.Contains(by, i)
		})
	}
	before := func(x, y history.OpID) bool { return d.op(x).Return < d.op(y).Call }
	priority := func(i history.OpID) int64 {
		v := d.op(i).Arg
		if pair, ok := values.AsList(v); ok {
			v = pair[0]
		}
		n, _ := values.AsInt(v)
		return n
	}
	// p takes what b put in, and what a put in should leave first
	outranked := func(a, p, b history.OpID) bool {
		if !puts(a) || !puts(b) || !takes(p) || d.op(p).Unknown || d.op(p).Pending() || of(p) != of(b) ||
			of(a) == of(b) || d.op(p).Key != d.op(a).Key || d.op(b).Key != d.op(a).Key ||
			!only(a, []history.OpID{a}, 0) || !only(b, []history.OpID{b}, 0) {
			return false
		}
		return map[string]bool{
			"queue":          before(a, b),
			"stack":          before(b, a) && before(a, p),
			"priority-queue": before(a, p) && priority(a) < priority(b),
		}[d.b.Spec.Info().Name]
	}
	switch c := c.(type) {
	case claim.NeverPutIn:
		return only(c.Removal, nil, 0), true
	case claim.PutInOnly:
		return only(c.Removal, c.By, c.Initial), true
	case claim.PutInOnce:
		return only(c.Insertion, []history.OpID{c.Insertion}, 0), true
	case claim.PutInAtMost:
		n := initial(of(c.Of))
		about(c.Of)(func(i history.OpID) bool {
			if puts(i) && of(i) == of(c.Of) {
				n++
			}
			return true
		})
		return n <= c.Times, true
	case claim.OnlyFrom:
		if d.op(c.By).Unknown {
			return false, false
		}
		return about(c.By)(func(i history.OpID) bool {
			return !puts(i) || of(i) != of(c.By) || slices.Contains(c.From, i) || d.op(c.By).Return < d.op(i).Call
		}), true
	case claim.Stays:
		return about(c.Insertion)(func(i history.OpID) bool {
			took := takes(i) && (d.op(i).Unknown || of(i) == of(c.Insertion))
			return !took || slices.Contains(c.Except, i) || c.Until != history.Never && d.op(i).Return > c.Until
		}), true
	case claim.PassedOver: // of queues and stacks
		queue := d.b.Spec.Info().Name == "queue"
		if !queue && d.b.Spec.Info().Name != "stack" || d.op(c.By).Unknown {
			return false, false
		}
		onObject := func(x history.OpID) bool { return d.op(x).Key == d.op(c.By).Key }
		if !takes(c.By) || !puts(c.Insertion) || !onObject(c.Insertion) || of(c.By) != of(c.Insertion) ||
			!only(c.Insertion, []history.OpID{c.Insertion}, 0) {
			return false, true
		}
		for _, r := range c.Between {
			if !takes(r) || !onObject(r) || !before(r, c.By) {
				return false, true
			}
		}
		for i, y := range c.Over {
			if slices.Contains(c.Over[:i], y) || !puts(y) || !onObject(y) || d.op(y).Pending() || !before(y, c.By) ||
				queue && !before(y, c.Insertion) || !queue && !before(c.Insertion, y) ||
				!only(y, []history.OpID{y}, 0) {
				return false, true
			}
			told := false // a completed removal says that it took it
			about(y)(func(r history.OpID) bool {
				told = told || takes(r) && !d.op(r).Pending() && !d.op(r).Unknown && of(r) == of(y)
				return true
			})
			if !about(y)(func(r history.OpID) bool {
				open := d.op(r).Pending() || d.op(r).Unknown
				took := takes(r) && (!open && of(r) == of(y) || open && !told)
				return !took || before(c.By, r)
			}) {
				return false, true
			}
			for _, r := range c.Between {
				if !before(y, r) {
					return false, true
				}
			}
		}
		return true, true
	case claim.Sooner:
		x, y := c.X, c.Y
		once := func(i history.OpID) bool { return puts(i) && only(i, []history.OpID{i}, 0) }
		return once(x) && once(y) && d.op(x).Key == d.op(y).Key && of(x) != of(y) && map[string]bool{
			"queue": before(x, y), "stack": before(y, x), "priority-queue": priority(x) < priority(y),
		}[d.b.Spec.Info().Name], true
	case claim.Takes:
		return takes(c.By) && puts(c.Insertion) && !d.op(c.By).Pending() && !d.op(c.By).Unknown &&
			d.op(c.By).Key == d.op(c.Insertion).Key && of(c.By) == of(c.Insertion) &&
			only(c.Insertion, []history.OpID{c.Insertion}, 0), true
	case claim.Outranked:
		return outranked(c.Insertion, c.By, c.From), true
	case claim.Overtaken:
		if len(c.By) == 0 || len(c.By) != len(c.From) {
			return false, true
		}
		for k, p := range c.By {
			if slices.Contains(c.By[:k], p) || !outranked(c.Insertion, p, c.From[k]) {
				return false, true
			}
		}
		a := c.Insertion
		sure := !about(a)(func(r history.OpID) bool {
			return !takes(r) || d.op(r).Unknown || d.op(r).Pending() || of(r) != of(a)
		})
		return about(a)(func(r history.OpID) bool {
			open := d.op(r).Unknown || d.op(r).Pending()
			if !takes(r) || open && sure || !open && of(r) != of(a) {
				return true
			}
			return !slices.ContainsFunc(c.By, func(p history.OpID) bool { return !before(p, r) })
		}), true
	case claim.InBeforeAll:
		return len(c.Insertions) > 0 && !slices.ContainsFunc(c.Insertions, func(y history.OpID) bool {
			return !puts(y) || !about(y)(func(r history.OpID) bool { return !takes(r) || before(y, r) })
		}), true
	case claim.Between:
		for k, r := range c.Removals {
			if slices.Contains(c.Removals[:k], r) || !takes(r) || d.op(r).Key != d.op(c.First).Key ||
				!before(c.First, r) || !before(r, c.Last) {
				return false, true
			}
		}
		return d.op(c.First).Key == d.op(c.Last).Key && before(c.First, c.Last), true
	case claim.TakenLater:
		return takes(c.By) && of(c.By) == of(c.Insertion) && d.op(c.By).Call > c.Until, true
	case claim.TakenOut:
		if len(c.Removals) == 0 {
			return false, true
		}
		return about(c.Removals[0])(func(i history.OpID) bool {
			took := takes(i) && !d.op(i).Unknown && of(i) == of(c.Removals[0])
			return took == slices.Contains(c.Removals, i) || took && !c.Exactly
		}), true
	case claim.CalledLater:
		return !slices.ContainsFunc(c.Ops, func(i history.OpID) bool {
			return d.op(i).Call <= d.op(c.After).Return
		}), true
	case claim.Overdrawn:
		n := initial(of(c.By))
		about(c.By)(func(i history.OpID) bool {
			switch {
			case puts(i) && of(i) == of(c.By) && d.op(i).Call <= d.op(c.By).Return:
				n++
			case takes(i) && !d.op(i).Unknown && of(i) == of(c.By) && d.op(i).Return <= d.op(c.By).Return:
				n--
			}
			return true
		})
		return n < 0, true
	case claim.WrongWayRound:
		first, second := c.First, c.Second
		n := initial(of(first))
		about(first)(func(i history.OpID) bool {
			if puts(i) && of(i) == of(first) {
				n++
			}
			return true
		})
		same := of(first) == of(second) && d.op(first).Key == d.op(second).Key &&
			!(takes(first) && d.op(first).Unknown) && !(takes(second) && d.op(second).Unknown)
		return n <= 1 && same && d.op(first).Return < d.op(second).Call && (takes(first) || puts(second)), true
	}
	return d.moments(c)
}
