package portfolio

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/result"
)

// mergeWitness makes one witness of h, positions in h.Ops, of those of its partitions. Drains,
// which belong to no operation of the history, are left out.
func mergeWitness(h *history.History, parts []result.PartitionVerdict) []history.OpID {
	orders := make([][]history.OpID, len(parts))
	room := make([]history.OpID, len(h.Ops))
	for k, a := range parts {
		n := a.Partition.Len()
		orders[k], room = room[:0:n], room[n:]
		for _, i := range a.Witness {
			if int(i) < n {
				orders[k] = append(orders[k], a.Partition.Global(i))
			}
		}
	}
	return mergeOrders(h, orders)
}

// mergeOrders combines linearizations of the partitions of h (positions in h.Ops) into one: every
// operation takes effect at the latest call up to and including its own, within its partition;
// sorted by that moment, partitions keep their orders and no operation moves past one that returned
// before its call. (The partitions' orders and the interval order have no cycle: locality,
// Herlihy-Wing §3.3.)
//
// Operations are sorted by call, so the latest call is the greatest position: the moments are
// counted, not sorted.
func mergeOrders(h *history.History, parts [][]history.OpID) []history.OpID {
	if len(parts) == 1 {
		return parts[0]
	}
	next := make([]int32, len(h.Ops)+1) // by moment: where its next operation goes
	n := 0
	for _, p := range parts {
		at := history.OpID(0)
		for _, i := range p {
			at = max(at, i)
			next[at+1]++
		}
		n += len(p)
	}
	for at := range h.Ops {
		next[at+1] += next[at]
	}
	out := make([]history.OpID, n)
	for _, p := range parts {
		at := history.OpID(0)
		for _, i := range p {
			at = max(at, i)
			out[next[at]] = i
			next[at]++
		}
	}
	return out
}
