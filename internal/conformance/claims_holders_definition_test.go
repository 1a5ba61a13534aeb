package conformance_test

// Claims about who holds a lock and when, judged by all orders of the operations of an owner.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
)

// held judges claims about the owners of locks, by all orders of the operations of an owner.
func (d *definition) held(c claim.Claim) (holds, known bool) {
	switch c := c.(type) {
	case claim.Holds:
		return d.holding(d.owner(c.Op), func(order []history.OpID, counts []int) bool {
			at := slices.Index(order, c.Op)
			if at < 0 {
				return true
			}
			last := history.OpID(-1)
			for k, i := range order[:at] {
				if counts[k] != counts[k+1] {
					last = i
				}
			}
			return counts[at] == int(c.Times) && (c.Since < 0 || last == c.Since)
		})
	case claim.HeldThroughout:
		return d.throughout(c)
	case claim.AtOnce:
		a, known := d.throughout(c.A)
		b, also := d.throughout(c.B)
		began, ended := history.Rank(-1), history.Never
		for _, x := range []claim.HeldThroughout{c.A, c.B} {
			if x.Acquisition >= 0 {
				began = max(began, d.op(x.Acquisition).Return)
			}
			if x.Release >= 0 {
				ended = min(ended, d.op(x.Release).Call)
			}
		}
		return a && b && began < ended && d.holderOf(c.A) != d.holderOf(c.B), known && also
	case claim.Refused:
		none, known := d.held(claim.Holds{Op: c.Op, Since: -1})
		r := d.op(c.Op).Result
		n, isInt := d.b.Partition.History.Values.AsInt(r)
		return none && d.is(c.Op, "tryacquire") && !d.op(c.Op).Unknown && (r == history.False || isInt && n == 0), known
	}
	return false, false
}

// owner returns the name of the owner of an operation.
func (d *definition) owner(i history.OpID) string {
	h := d.b.Partition.History
	v := d.op(i).Arg
	if v == history.Nil {
		return h.Processes[d.op(i).Process]
	}
	return d.ownerName(v)
}

func (d *definition) ownerName(v history.Value) string {
	values := d.b.Partition.History.Values
	if pairs, isMap := values.AsMap(v); isMap {
		for k := 0; k < len(pairs); k += 2 {
			if name, _ := values.AsString(pairs[k]); name == "owner" || name == "client" {
				return d.ownerName(pairs[k+1])
			}
		}
		return ""
	}
	if text, ok := values.AsString(v); ok {
		return text
	}
	return values.Format(v)
}

// atStart returns who holds a lock at the start, and how often.
func (d *definition) atStart() (owner string, times int) {
	values := d.b.Partition.History.Values
	pairs, isMap := values.AsMap(d.b.Partition.Initial)
	if !d.b.Partition.HasInitial || !isMap {
		return "", 0
	}
	for k := 0; k < len(pairs); k += 2 {
		switch name, _ := values.AsString(pairs[k]); name {
		case "owner":
			owner, times = d.ownerName(pairs[k+1]), max(times, 1)
		case "count":
			n, _ := values.AsInt(pairs[k+1])
			times = int(n)
		}
	}
	return owner, times
}

func (d *definition) holderOf(c claim.HeldThroughout) string {
	if c.Acquisition >= 0 {
		return d.owner(c.Acquisition)
	}
	owner, _ := d.atStart()
	return owner
}

// change is what an operation adds to how often its owner holds the lock.
func (d *definition) change(i history.OpID) int {
	o := d.op(i)
	n, isInt := d.b.Partition.History.Values.AsInt(o.Result)
	refused := !o.Unknown && (o.Result == history.False || isInt && n == 0)
	switch {
	case refused:
		return 0
	case d.is(i, "release"):
		return -1
	}
	return 1
}

// holding calls judge with all orders of the operations of an owner, and how often it holds the
// lock before each and at last, until it returns false, and returns whether it never did.
func (d *definition) holding(owner string, judge func(order []history.OpID, counts []int) bool) (holds, known bool) {
	var ops []history.OpID
	for i := range d.b.Partition.Ops {
		if i := history.OpID(i); d.owner(i) == owner {
			ops = append(ops, i)
		}
	}
	if len(ops) > mostOrdered {
		return false, false
	}
	holds = true
	d.orders(ops, func(order []history.OpID) bool {
		held := 0
		if who, times := d.atStart(); who == owner {
			held = times
		}
		counts := []int{held}
		for _, i := range order {
			held += d.change(i)
			counts = append(counts, held)
		}
		holds = judge(order, counts)
		return holds
	})
	return holds, true
}

func (d *definition) throughout(c claim.HeldThroughout) (holds, known bool) {
	owner := d.holderOf(c)
	if c.Release >= 0 && (d.owner(c.Release) != owner || d.change(c.Release) >= 0) || c.Acquisition >= 0 &&
		d.change(c.Acquisition) <= 0 {
		return false, true
	}
	if _, times := d.atStart(); c.Acquisition < 0 && times == 0 {
		return false, true
	}
	return d.holding(owner, func(order []history.OpID, counts []int) bool {
		inside, ended := c.Acquisition < 0, false
		for k, i := range order {
			if c.Release >= 0 && !ended && d.op(i).Call > d.op(c.Release).Call {
				ended = true
			}
			switch {
			case i == c.Acquisition && ended:
				return false
			case i == c.Acquisition:
				inside = true
			case i == c.Release:
				if !inside && !ended {
					return false
				}
				ended = true
			}
			if inside && !ended && counts[k+1] <= 0 {
				return false
			}
		}
		return inside || c.Acquisition >= 0 && d.op(c.Acquisition).Pending()
	})
}
