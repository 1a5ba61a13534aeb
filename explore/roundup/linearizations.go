package roundup

// Linearizations of a history: the total orders of its operations that extend the interval order.
//
// What: counts or lists them. An order is built from the front. The set of placed operations is
// given by a number for each process, since its operations follow one another. So counting needs
// one number for each combination of these, and listing has no dead ends.

import (
	"fmt"
	"math"

	"github.com/linsat/linsat/explore"
)

// extension is the interval order of a completed execution, by process: main first, then the
// threads.
type extension struct {
	process [][]int32   // operations of each process in order, as positions in Execution.Ops
	need    [][][]int32 // need[p][i][q]: how many operations of q precede the i-th of p
}

func newExtension(e *explore.Execution) *extension {
	x := &extension{}
	for i := range e.Ops {
		p := e.Ops[i].Thread + 1
		for len(x.process) <= p {
			x.process = append(x.process, nil)
		}
		x.process[p] = append(x.process[p], int32(i))
	}
	x.need = make([][][]int32, len(x.process))
	for p, ops := range x.process {
		for _, o := range ops {
			before := make([]int32, len(x.process))
			for j := range e.Ops {
				if e.Ops[j].Return >= 0 && e.Ops[j].Return < e.Ops[o].Call {
					before[e.Ops[j].Thread+1]++
				}
			}
			x.need[p] = append(x.need[p], before)
		}
	}
	return x
}

// key writes the results of the operations, by process.
func (x *extension) key(e *explore.Execution, dst []byte) []byte {
	for _, ops := range x.process {
		dst = append(dst, '|')
		for _, o := range ops {
			dst = fmt.Appendf(dst, "%#v,", e.Ops[o].Result)
		}
	}
	return dst
}

// weaker reports whether the order of x is contained in that of y, an execution of the same test.
func (x *extension) weaker(y *extension) bool {
	for p, ops := range x.need {
		for i, before := range ops {
			for q, n := range before {
				if n > y.need[p][i][q] {
					return false
				}
			}
		}
	}
	return true
}

// ready reports whether the next operation of process p may follow what has been placed.
func (x *extension) ready(p int, placed []int32) bool {
	if int(placed[p]) == len(x.process[p]) {
		return false
	}
	for q, n := range x.need[p][placed[p]] {
		if placed[q] < n {
			return false
		}
	}
	return true
}

// count returns how many linearizations there are.
func (x *extension) count() int64 {
	size := 1
	for _, ops := range x.process {
		size *= len(ops) + 1
	}
	memo := make([]int64, size)
	placed := make([]int32, len(x.process))
	var from func() int64
	from = func() int64 {
		at := 0
		for p, n := range placed {
			at = at*(len(x.process[p])+1) + int(n)
		}
		if at == size-1 {
			return 1
		}
		if memo[at] != 0 {
			return memo[at]
		}
		n := int64(0)
		for p := range placed {
			if x.ready(p, placed) {
				placed[p]++
				n = plus(n, from())
				placed[p]--
			}
		}
		memo[at] = n
		return n
	}
	return from()
}

// each calls yield with every linearization: positions in Execution.Ops, and the threads (plus 1)
// that they are of. It stops when yield returns false. The slices are reused.
func (x *extension) each(yield func(order []int32, threads []byte) bool) {
	total := 0
	for _, ops := range x.process {
		total += len(ops)
	}
	placed := make([]int32, len(x.process))
	order, threads := make([]int32, 0, total), make([]byte, 0, total)
	var from func() bool
	from = func() bool {
		if len(order) == total {
			return yield(order, threads)
		}
		for p := range placed {
			if !x.ready(p, placed) {
				continue
			}
			order, threads = append(order, x.process[p][placed[p]]), append(threads, byte(p))
			placed[p]++
			more := from()
			placed[p]--
			order, threads = order[:len(order)-1], threads[:len(threads)-1]
			if !more {
				return false
			}
		}
		return true
	}
	from()
}

// rearrangements returns how many arrangements displacement.Rearrangements lists. Contents are put
// into one place after the other; the rest depends only on the set of contents used so far. Within
// a bound K, at most K of these are ahead of the place, so there are few such sets. If there are
// too many, it returns math.MaxInt64.
func rearrangements(m int, bound int32) int64 {
	if m > 64 {
		return math.MaxInt64
	}
	reach := min(int(bound), m)
	sets := map[uint64]int64{0: 1}
	for p := range m {
		next := map[uint64]int64{}
		for used, n := range sets {
			last := min(p+reach, m-1)
			if late := p - reach; late >= 0 && used>>uint(late)&1 == 0 {
				last = late
			}
			for c := max(0, p-reach); c <= last; c++ {
				if bit := uint64(1) << uint(c); used&bit == 0 {
					next[used|bit] = plus(next[used|bit], n)
				}
			}
		}
		if sets = next; len(sets) > maxSets {
			return math.MaxInt64
		}
	}
	for _, n := range sets {
		return n
	}
	return 0
}

// plus and times saturate at math.MaxInt64.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
