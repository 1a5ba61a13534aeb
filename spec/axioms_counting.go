package spec

// Axioms of Counting: the only one is SUM. Between q, which saw a value (or the start), and r, which sees one, everything in between
// adds up to the difference. Operations that are known to lie outside, or not to take effect, add nothing; those known to
// lie between add what they add; any of the others may or may not. If no choice gives the difference, the
// given literals contradict each other.
//
// Usual names of special cases: "v+1 increments cannot all come before a read of v" and "of N increments N−v+1 cannot all
// come after it".
//
// Cost: free operations × distinct sums.

import (
	"errors"
)

// maxSums is how many sums are tried before an instance is refused.
const maxSums = 1 << 16

func (w *Window) sum(t *Counting, args []int32, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	if len(args) != 2 || !w.is(args[1]) {
		return nil, errors.New("not from one operation to another")
	}
	q, r := args[0], args[1]
	if !t.Observes[r] || !f.has(TakesEffect(r)) {
		return nil, errors.New("it does not certainly see anything")
	}
	difference := t.Observed[r]
	if q == Init {
		if w.Unknown {
			return nil, errors.New("it is not known what is there at the start")
		}
		difference -= t.Init[t.Object[r]]
	} else {
		if !w.is(q) || q == r || t.Object[q] != t.Object[r] || !t.Observes[q] || !f.has(TakesEffect(q)) || !f.less(q, r) {
			return nil, errors.New("the first does not certainly see anything before")
		}
		difference -= t.Observed[q] + t.Delta[q]
	}
	var free []int64
	for _, x := range w.members[t.Object[r]] {
		switch {
		case x == q || x == r || t.Delta[x] == 0 || f.out(x) || f.less(r, x) || q >= 0 && f.less(x, q):
		case f.has(TakesEffect(x)) && f.less(x, r) && (q < 0 || f.less(q, x)):
			difference -= t.Delta[x]
		default:
			free = append(free, t.Delta[x])
		}
	}
	fits, known := reachable(free, difference)
	if !known {
		return nil, errors.New("too many sums")
	}
	if fits {
		return nil, errors.New("the sum can be right")
	}
	return refuted(given), nil
}

// reachable says whether some of the numbers add up to the target; known is false if there are too many sums.
func reachable(numbers []int64, target int64) (fits, known bool) {
	low, high := int64(0), int64(0)
	equal := true
	for _, d := range numbers {
		low, high = low+min(d, 0), high+max(d, 0)
		equal = equal && (d == 1 || d == -1)
	}
	if target < low || target > high {
		return false, true
	}
	if equal {
		return true, true
	}
	sums := map[int64]bool{0: true}
	for _, d := range numbers {
		next := make(map[int64]bool, 2*len(sums))
		for s := range sums {
			next[s], next[s+d] = true, true
		}
		if sums = next; len(sums) > maxSums {
			return false, false
		}
	}
	return sums[target], true
}
