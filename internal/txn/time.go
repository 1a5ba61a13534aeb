package txn

// Order in time, in O(n).
//
// What: an operation precedes those that are called after its return. These are up to n²/2 edges,
// so they are never listed. A barrier for each return stands for all that came before it:
//
//	operation → its barrier → the next barrier → what is called before the next return
//
// Chains: operations one after the other in time. Each operation joins a chain whose last one
// returned before its call, so there are as many chains as operations were open at once, and one
// for each pending operation, which nothing follows. What an operation reaches is then one number
// for each chain, the first place that it reaches: n numbers for each chain instead of n² bits.
//
// Source: Cobra (Tan et al., OSDI 2020) keeps n² bits; PolySI (Huang et al., VLDB 2023) recomputes
// them in each round of pruning. That a linear order of sessions bounds reachability by n times
// their number is from the same line (Biswas, Enea, OOPSLA 2019); chains by time are ours.
//
// Cost: O(n log n); n × chains numbers for reachability (prune.go).

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/linsat/linsat/history"
)

// timeline is the order in time of the operations that are not left out.
type timeline struct {
	ops      []history.Op
	gone     []bool
	byReturn []history.OpID // those that return
	barrier  []int32        // by operation: the barrier of its return, -1 for none
	after    []int32        // by operation: the last barrier before its call, -1 for none
	chain    []int32        // by operation
	place    []int32        // by operation: its place in its chain
	chains   int
}

// newTimeline orders operations, which are sorted by call.
func newTimeline(x *transactions) *timeline {
	n := len(x.ops)
	t := &timeline{ops: x.ops, gone: x.gone, barrier: make([]int32, n), after: make([]int32, n),
		chain: make([]int32, n), place: make([]int32, n)}
	for i := range t.ops {
		t.barrier[i] = -1
		if !t.ops[i].Pending() && !t.gone[i] {
			t.byReturn = append(t.byReturn, history.OpID(i))
		}
	}
	slices.SortFunc(t.byReturn, func(a, b history.OpID) int { return cmp.Compare(t.ops[a].Return, t.ops[b].Return) })
	for k, i := range t.byReturn {
		t.barrier[i] = int32(k)
	}
	k := int32(-1)
	for i := range t.ops {
		for int(k)+1 < len(t.byReturn) && t.ops[t.byReturn[k+1]].Return < t.ops[i].Call {
			k++
		}
		t.after[i] = k
	}
	t.join()
	return t
}

// free are chains by the return of their last operation.
type free []struct {
	until history.Rank
	chain int32
}

func (f free) Len() int           { return len(f) }
func (f free) Less(a, b int) bool { return f[a].until < f[b].until }
func (f free) Swap(a, b int)      { f[a], f[b] = f[b], f[a] }
func (f *free) Push(x any) {
	*f = append(*f, x.(struct {
		until history.Rank
		chain int32
	}))
}
func (f *free) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// join gives every operation a place in a chain.
func (t *timeline) join() {
	var open free
	length := []int32{}
	for i := range t.ops {
		if t.gone[i] {
			continue
		}
		c := int32(len(length))
		if len(open) > 0 && open[0].until < t.ops[i].Call {
			c = open[0].chain
			open[0].until = t.ops[i].Return
			heap.Fix(&open, 0)
		} else {
			length = append(length, 0)
			heap.Push(&open, struct {
				until history.Rank
				chain int32
			}{t.ops[i].Return, c})
		}
		t.chain[i], t.place[i] = c, length[c]
		length[c]++
	}
	t.chains = len(length)
}

// precedes reports whether a comes before b in time.
func (t *timeline) precedes(a, b history.OpID) bool { return t.ops[a].Return < t.ops[b].Call }
