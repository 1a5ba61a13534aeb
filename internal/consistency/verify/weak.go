package verify

import (
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/verify/base"
)

// Weak causal consistency of reads and writes.
//
// What: one order of all reads, and of all writes that take effect, with causes first; none of a
// process stands before an earlier one, no read before its source. Of each object, what a read or
// write has among its causes are heads, the last writes of processes; a read is from none that has
// been overwritten: its source is no cause of another head of the object, and is a head of it.
//
// Cost: for each operation as much as there are processes.

// weakly checks such an order.
func (j *judge) weakly(order []history.OpID) error {
	processes := len(j.History.Processes)
	if len(j.Ops)*processes > math.MaxInt32/64 {
		return base.ErrTooLarge
	}
	// by object and process, in the order of that
	writes := make([]map[int32][]history.OpID, len(j.Initial))
	place := make([]int32, len(j.Ops))
	for k, i := range order {
		if err := j.named(i); err != nil {
			return err
		}
		if x := &j.Ops[i]; place[i] > 0 || !x.Reads && !j.takesEffect(i) {
			return base.Faultf(j.History.ID(i), "it is listed twice, or takes no effect")
		}
		place[i] = int32(k) + 1
	}
	last := make([]int32, processes)
	for i := range history.OpID(len(j.Ops)) {
		x := &j.Ops[i]
		if !x.Reads && !j.takesEffect(i) {
			continue
		}
		if place[i] <= last[x.Process] {
			return base.Faultf(j.History.ID(i), "it is not listed, or before an earlier one of its process")
		}
		if last[x.Process] = place[i]; x.Writes {
			if writes[x.Object] == nil {
				writes[x.Object] = map[int32][]history.OpID{}
			}
			of := writes[x.Object]
			of[x.Process] = append(of[x.Process], i)
		}
	}
	causes := make([][]history.OpID, len(j.Ops)) // by process: the last one of it, plus one
	now := make([][]history.OpID, processes)
	for p := range now {
		now[p] = make([]history.OpID, processes)
	}
	for _, i := range order {
		x := &j.Ops[i]
		mine := now[x.Process]
		if x.Reads {
			w := j.source(i)
			switch {
			case w == start:
			case w < 0 || place[w] > place[i]:
				return base.Faultf(j.History.ID(i), "its source is not known, or not listed before it")
			default:
				for p, n := range causes[w] {
					mine[p] = max(mine[p], n)
				}
			}
			for p, of := range writes[x.Object] {
				n, _ := slices.BinarySearch(of, mine[p])
				if n == 0 {
					continue
				}
				head := of[n-1]
				if w == start || head != w && causes[head][j.Ops[w].Process] > w {
					return base.Faultf(j.History.ID(i), "what it shows was overwritten by a cause of it, %s",
						j.History.ID(head))
				}
			}
		}
		if mine[x.Process] = i + 1; x.Writes {
			causes[i] = append([]history.OpID{}, mine...)
		}
	}
	return nil
}
