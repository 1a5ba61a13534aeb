package porcupine

import (
	"math"
	"slices"
)

// clients returns the client of each operation: the one that is given if the operations of every
// client are one after another, or else the rows in which a picture shows them.
func clients(ops []Operation) []int {
	byCall := make([]int, len(ops))
	for i := range byCall {
		byCall[i] = i
	}
	slices.SortStableFunc(byCall, func(a, b int) int {
		if ops[a].Call < ops[b].Call {
			return -1
		}
		if ops[a].Call > ops[b].Call {
			return 1
		}
		return 0
	})
	of := make([]int, len(ops))
	free := map[int]int64{} // client → when its last operation returned
	for _, i := range byCall {
		c := ops[i].ClientId
		if at, busy := free[c]; c < 0 || busy && ops[i].Call <= at {
			return rows(ops, byCall)
		}
		of[i], free[c] = c, ops[i].end()
	}
	return of
}

func rows(ops []Operation, byCall []int) []int {
	of := make([]int, len(ops))
	var free []int64
	for _, i := range byCall {
		row := slices.IndexFunc(free, func(at int64) bool { return at < ops[i].Call })
		switch {
		case row >= 0:
			free[row] = ops[i].end()
		case len(free) < mostRows:
			row = len(free)
			free = append(free, ops[i].end())
		default:
			row = -1
		}
		of[i] = row
	}
	return of
}

// end is when the client of an operation is free again: never after one of unknown outcome.
func (o *Operation) end() int64 {
	if o.unknown() != nil {
		return math.MaxInt64
	}
	return o.Return
}
