package proof

// Axioms of counters: the only one is SUM. Between q, which saw a value (or the start), and r,
// which sees one, everything in between adds up to the difference. Operations that are known to lie
// outside, or not to take effect, add nothing; those known to lie in between add their amounts; any
// of the others may or may not. If no choice gives the difference, the given literals contradict
// each other.
//
// Usual names of special cases: "v+1 increments cannot all come before a read of v" and "of N
// increments N−v+1 cannot all come after it".
//
// Cost: free operations × distinct sums of half of them.

import (
	"errors"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wide"
)

func (w *Window) sum(t *model.CountingTheory, args []history.OpID, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	if len(args) != 2 || !w.is(args[1]) {
		return nil, errors.New("the arguments are not two operations, the first of which may be the start")
	}
	q, r := args[0], args[1]
	if !t.Observes[r] || !f.has(TakesEffect(r)) {
		return nil, errors.New("the last operation does not certainly observe a value")
	}
	difference := wide.Of(t.Observed[r])
	if q == Initial {
		if w.Unknown {
			return nil, errors.New("the initial value is not known")
		}
		difference = difference.Sub(t.Init[t.Object[r]])
	} else {
		if !w.is(q) || q == r || t.Object[q] != t.Object[r] || !t.Observes[q] || !f.has(TakesEffect(q)) ||
			!f.less(q, r) {
			return nil, errors.New("the first operation does not certainly observe a value before the last")
		}
		difference = difference.Sub(t.Observed[q]).Sub(t.Delta[q])
	}
	var free []int64
	for _, x := range w.members[t.Object[r]] {
		switch {
		case x == q || x == r || t.Delta[x] == 0 || f.out(x) || f.less(r, x) || q >= 0 && f.less(x, q):
		case f.has(TakesEffect(x)) && f.less(x, r) && (q < 0 || f.less(q, x)):
			difference = difference.Sub(t.Delta[x])
		default:
			free = append(free, t.Delta[x])
		}
	}
	fits, known := CanSum(free, difference, maxSums)
	if !known {
		return nil, errors.New("there are too many sums to check")
	}
	if fits {
		return nil, errors.New("the sum can be right")
	}
	return refuted(given), nil
}

// CanSum reports whether some of the numbers add up to the target. It is exact for all of int64.
// Where half of the numbers have more than limit different sums, known is false.
func CanSum(numbers []int64, target wide.Int, limit int) (fits, known bool) {
	var low, high wide.Int
	unit := true
	for _, d := range numbers {
		if d < 0 {
			low = low.Add(d)
		} else {
			high = high.Add(d)
		}
		unit = unit && (d == 1 || d == -1)
	}
	if target.Less(low) || high.Less(target) {
		return false, true
	}
	if unit {
		return true, true
	}
	if width, ok := high.Minus(low).Int64(); ok && width < 64 {
		above, _ := target.Minus(low).Int64()
		return sumsWithin(numbers)>>above&1 != 0, true
	}
	half := len(numbers) / 2
	some, others := allSums(numbers[:half], limit), allSums(numbers[half:], limit)
	if some == nil || others == nil {
		return false, false
	}
	for s := range some {
		if others[target.Minus(s)] {
			return true, true
		}
	}
	return false, true
}

// allSums returns the sums of some of the numbers, nil if they are more than limit.
func allSums(numbers []int64, limit int) map[wide.Int]bool {
	sums := map[wide.Int]bool{{}: true}
	for _, d := range numbers {
		next := make(map[wide.Int]bool, 2*len(sums))
		for s := range sums {
			next[s], next[s.Add(d)] = true, true
		}
		if sums = next; len(sums) > limit {
			return nil
		}
	}
	return sums
}

// sumsWithin returns the sums of some of the numbers as bits, counted from the least sum. All sums
// must lie in a range of 64 numbers. Each number raises the sum by its size: one above 0 counts
// from 0 on, one below from what it takes away.
func sumsWithin(numbers []int64) uint64 {
	sums := uint64(1)
	for _, d := range numbers {
		sums |= sums << max(d, -d)
	}
	return sums
}
