package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/sets"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Rearrangement checks that b's partition is quasi-linearizable under r. first is ρ′: a complete
// order that extends the order of the history, with its drains last. second is ρ″: the same
// operations, none moved by more places within its class than the class's bound, nor within a set
// than the set's, and under the slots meaning with the same class at every place. The specification
// must accept ρ″, and every drain must remove something. Drains are numbered from the number of
// operations of the partition on, those of one object after those of another, and there are as many
// as items are left over, where each removal of unknown result took something or nothing. (It need
// not do that in ρ″: where it takes less, more drains can follow in both.)
func Rearrangement(b *model.Instance, r *quasi.Question, first, second []history.OpID, drains int) error {
	n := b.Partition.Len()
	if len(first) < drains {
		return base.Under("drains", base.Faultf("", "the witness has %d drains but only %d operations",
			drains, len(first)))
	}
	body := first[:len(first)-drains]
	if err := base.Complete(b.Partition, body); err != nil {
		return err
	}
	if err := base.InOrder(b.Partition, body); err != nil {
		return err
	}
	var left, most []int
	if r.Drain {
		left, most = b.LeftOver(body)
	}
	for _, i := range first[len(body):] {
		if int(i) < n || int(i) >= n+drains {
			return base.Under("drains", base.Faultf(base.Op(b.Partition, i),
				"it is among the %d drains at the end of ρ′", drains))
		}
	}
	low, high := sum(left), sum(most)
	if drains < low || drains > high {
		return base.Under("drains", base.Faultf("", "the witness has %d drains, but %s items are left over", drains,
			amount(low, high)))
	}
	var err error
	tries := 0
	spread(left, most, drains-low, 0, func() bool {
		tries++
		err = rearranged(b, r, first, second, b.Keys(left))
		return err != nil && tries < maxSpread
	})
	return err
}

// sum adds up.
func sum(amounts []int) (all int) {
	for _, n := range amounts {
		all += n
	}
	return all
}

// amount writes a range of numbers.
func amount(low, high int) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// spread calls try with every way to add so many drains to left, up to most, from object k on,
// until it returns false, and reports whether it never did.
func spread(left, most []int, more, k int, try func() bool) bool {
	for k < len(left) && left[k] == most[k] {
		k++
	}
	if more == 0 {
		return try()
	}
	if k == len(left) {
		return true
	}
	least, going := left[k], true
	for n := 0; going && n <= min(more, most[k]-least); n++ {
		left[k] = least + n
		going = spread(left, most, more-n, k+1, try)
	}
	left[k] = least
	return going
}

// rearranged is Rearrangement for drains of objects with these keys.
func rearranged(b *model.Instance, r *quasi.Question, first, second []history.OpID, left []history.Value) error {
	n, ext := b.Partition.Len(), b
	if len(left) > 0 {
		var err error
		if ext, err = b.Spec.Bind(b.Partition.Draining(left)); err != nil {
			return err
		}
	}
	if err := displaced(ext, r, first, second); err != nil {
		return err
	}
	if err := setsDisplaced(ext, r, first, second); err != nil {
		return err
	}
	if err := acceptedDrained(ext, n, second); err != nil {
		return err
	}
	if r.Causal {
		if ext.Items.Delta == nil {
			return base.Under("causal", base.Faultf("", "%s does not store values", b.Spec.Info().Name))
		}
		return causal(ext, n, first, second)
	}
	return nil
}

// displaced checks that second is first with no operation moved too far within its class.
func displaced(b *model.Instance, r *quasi.Question, first, second []history.OpID) error {
	if len(first) != len(second) {
		return base.Under("rearranged", base.Faultf("", "ρ′ has %d operations and ρ″ %d", len(first), len(second)))
	}
	object, keys := b.Objects()
	classes := len(r.Factor) + 1
	// Places are counted by class and object; rank[i] counts from 1 those up to i in first.
	rank := make([]int32, b.Partition.Len())
	count := make([]int32, classes*len(keys))
	for _, i := range first {
		c := int(object[i])*classes + class(b, r, i)
		count[c]++
		if rank[i] != 0 {
			return base.Under("rearranged", base.Faultf(base.Op(b.Partition, i), "it occurs twice in ρ′"))
		}
		rank[i] = count[c]
	}
	clear(count)
	for k, i := range second {
		if i < 0 || int(i) >= len(rank) || rank[i] <= 0 {
			return base.Under("rearranged", base.Faultf(base.Op(b.Partition, i),
				"at place %d of ρ″ it is not in ρ′, or occurs twice", k))
		}
		c := int(object[i])*classes + class(b, r, i)
		count[c]++
		bound := int32(0)
		if k := class(b, r, i); k < len(r.Factor) {
			bound = r.Factor[k]
		}
		if moved := rank[i] - count[c]; bound != quasi.Unbounded && (moved > bound || moved < -bound) {
			return base.Under("bound", base.Faultf(base.Op(b.Partition, i),
				"it moves by %d places, but its bound is %d", max(moved, -moved), bound))
		}
		rank[i] = math.MinInt32
		if r.Meaning == quasi.Slots && int(object[first[k]])*classes+class(b, r, first[k]) != c {
			return base.Under("slots", base.Faultf(base.Op(b.Partition, first[k], i),
				"at place %d of ρ′ and ρ″, they are of different classes", k))
		}
	}
	return nil
}

// setsDisplaced checks that no operation moves too far within a set that r bounds. Places are
// counted by set and object.
func setsDisplaced(b *model.Instance, r *quasi.Question, first, second []history.OpID) error {
	object, keys := b.Objects()
	for _, s := range r.Sets {
		in, err := sets.Members(b, s.Operations)
		if err != nil {
			return err
		}
		if s.Bound == quasi.Unbounded {
			continue
		}
		at, count := make([]int32, len(in)), make([]int32, len(keys))
		for _, i := range first {
			if in[i] {
				count[object[i]]++
				at[i] = count[object[i]]
			}
		}
		clear(count)
		for _, i := range second {
			if !in[i] {
				continue
			}
			count[object[i]]++
			if moved := at[i] - count[object[i]]; moved > s.Bound || moved < -s.Bound {
				return base.Under("bound", base.Faultf(base.Op(b.Partition, i),
					"it moves by %d places within %s, but its bound is %d", max(moved, -moved), s.Operations, s.Bound))
			}
		}
	}
	return nil
}

// class returns the class of operation i. Operations without one form a class of their own, of
// bound 0.
func class(b *model.Instance, r *quasi.Question, i history.OpID) int {
	if b.Class == nil || b.Class[i] < 0 {
		return len(r.Factor)
	}
	return int(b.Class[i])
}

// acceptedDrained replays order; operations from n on must change the state.
func acceptedDrained(b *model.Instance, n int, order []history.OpID) error {
	m := b.Judge()
	states := []model.State{m.Init()}
	var next, one []model.State
	tail := len(order) // the drains at the end
	for tail > 0 && int(order[tail-1]) >= n {
		tail--
	}
	for k, i := range order {
		if k == tail && drainsAnyway(m, order[tail:], states) {
			return nil
		}
		next = next[:0]
		for _, s := range states {
			one = m.Step(s, i, one[:0])
			for _, t := range one {
				if int(i) < n || t != s {
					next = append(next, t)
				}
			}
		}
		if len(next) == 0 {
			return base.Under("specification", base.Faultf(base.Op(b.Partition, i),
				"%s refuses it at place %d of ρ″ in state %s", b.Spec.Info().Name, k, m.Describe(states[0])))
		}
		slices.Sort(next)
		next = slices.Compact(next)
		states, next = next, states
	}
	return nil
}

// drainsAnyway reports whether the drains can follow one of the states in some way: the first that
// each offers. A bag of d items has 2^d states on the way to none.
func drainsAnyway(m model.Machine, drains []history.OpID, states []model.State) bool {
	var next []model.State
	for _, s := range states {
		left := len(drains)
		for _, i := range drains {
			next = m.Step(s, i, next[:0])
			k := slices.IndexFunc(next, func(t model.State) bool { return t != s })
			if k < 0 {
				break
			}
			s = next[k]
			left--
		}
		if left == 0 {
			return true
		}
	}
	return false
}
