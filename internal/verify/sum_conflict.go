package verify

// Refutations of counters by a sum.
//
// What: judges proof.SumConflict on the raw intervals. An operation that returned before the call
// of another takes effect before it; one that was called after the return of another, after it.
// Explicit order is not used. So every linearization gives the observation the sum of what it had
// to begin with, of what is certain, and of some of what is free; if no part of the free ones does,
// there is none. A counter that no operation takes down never comes back to a number, so it is
// nothing between what an operation found and what that left behind, and one operation at most
// takes it away from a number.
//
// Cost: O(n), and the sums of what is free (proof.CanSum).

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/wide"
)

// SumParts is what a SumConflict adds up.
type SumParts struct {
	Theory   *model.CountingTheory
	View     *model.View // that it is of, nil for the partition itself
	Before   wide.Int    // what the counter had to begin with
	Observed int64
	Certain  []history.OpID // operations that add something and certainly take effect in between
	Free     []history.OpID // others that may
	Skipped  bool           // After leaves out what Op observed, or both change the same number
}

// Sum checks that r refutes b's partition. It returns nil or what is wrong.
func Sum(b *model.Instance, r *proof.SumConflict) error {
	parts, err := SumOf(b, r)
	if err != nil {
		return err
	}
	if parts.Skipped {
		return nil
	}
	t := parts.Theory
	missing := wide.Of(parts.Observed).Minus(parts.Before)
	for _, x := range parts.Certain {
		missing = missing.Sub(t.Delta[x])
	}
	free := make([]int64, len(parts.Free))
	for k, x := range parts.Free {
		free[k] = t.Delta[x]
	}
	switch fits, known := proof.CanSum(free, missing, maxCounterSums); {
	case !known:
		return base.ErrTooLarge
	case fits:
		return base.Faultf(base.Op(b.Partition, r.Op),
			"the sum can be right: some of the %d operations that may come between add up to it", len(parts.Free))
	}
	return nil
}

// SumOf returns what r adds up. The error says why it proves nothing whatever the sum.
func SumOf(b *model.Instance, r *proof.SumConflict) (SumParts, error) {
	var parts SumParts
	theory := b.Theory
	if r.View != 0 {
		if b.View != nil {
			parts.View = b.View(r.View)
		}
		switch {
		case parts.View == nil:
			return parts, base.Faultf(base.Op(b.Partition, r.Op), "the partition has no view %d", r.View)
		case parts.View.NoStart && r.After == proof.Initial:
			return parts, base.Faultf(base.Op(b.Partition, r.Op), "view %d does not tell what it starts with", r.View)
		}
		theory = parts.View.Theory
	}
	t, ok := theory.(*model.CountingTheory)
	if !ok {
		return parts, base.Faultf(base.Op(b.Partition, r.Op), "the partition has no counters")
	}
	parts.Theory = t
	ops := b.Partition.Ops
	observes := func(i history.OpID) error {
		if i < 0 || int(i) >= len(ops) {
			return base.Faultf(base.Op(b.Partition, i), "there is no such operation")
		}
		if !t.Observes[i] || ops[i].Pending() {
			return base.Faultf(base.Op(b.Partition, i), "it is no completed observation of a counter")
		}
		return nil
	}
	if err := observes(r.Op); err != nil {
		return parts, err
	}
	counter, to := t.Object[r.Op], &ops[r.Op]
	parts.Observed, parts.Before = t.Observed[r.Op], wide.Of(t.Init[counter])
	if r.After != proof.Initial {
		if err := observes(r.After); err != nil {
			return parts, err
		}
		if t.Object[r.After] == counter && skipped(t, r.After, r.Op) {
			parts.Skipped = true
			return parts, nil
		}
		if t.Object[r.After] != counter || !b.Partition.Precedes(r.After, r.Op) {
			return parts, base.Faultf(base.Op(b.Partition, r.After, r.Op),
				"they are not on one counter, or the first did not return before the second was called")
		}
		parts.Before = wide.Of(t.Observed[r.After]).Add(t.Delta[r.After])
	}
	for i := range ops {
		x, o := history.OpID(i), &ops[i]
		switch {
		case t.Object[i] != counter || t.Delta[i] == 0 || x == r.Op || x == r.After:
		case o.Call > to.Return || r.After >= 0 && o.Return < ops[r.After].Call:
		case o.Return < to.Call && (r.After < 0 || ops[r.After].Return < o.Call):
			parts.Certain = append(parts.Certain, x)
		default:
			parts.Free = append(parts.Free, x)
		}
	}
	return parts, nil
}

// skipped reports whether a counter only goes up, or only down, and one observation leaves out what
// another one found, or both take the counter away from the same number.
func skipped(t *model.CountingTheory, by, i history.OpID) bool {
	d := t.Delta[by]
	if d == 0 || by == i {
		return false
	}
	for x, e := range t.Delta {
		if t.Object[x] == t.Object[by] && (d > 0 && e < 0 || d < 0 && e > 0) {
			return false
		}
	}
	from, found := wide.Of(t.Observed[by]), wide.Of(t.Observed[i])
	to := from.Add(d)
	if d < 0 {
		return found == from && t.Delta[i] != 0 || found.Less(from) && to.Less(found)
	}
	return found == from && t.Delta[i] != 0 || from.Less(found) && found.Less(to)
}
