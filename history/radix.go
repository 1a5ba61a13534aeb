package history

import (
	"math/bits"
	"slices"
)

// sortByTime sorts items by time, stably: a radix sort from the last digit on, unless there are
// only a few items or they are already sorted.
// Cost: O(n) for each 11 bits of the greatest difference between two times.
func sortByTime(items []int32, time func(i int32) int64) {
	type timed struct {
		after uint64 // the earliest time
		item  int32
	}
	if len(items) == 0 {
		return
	}
	first, last, before, sorted := time(items[0]), time(items[0]), time(items[0]), true
	for _, i := range items {
		t := time(i)
		first, last, sorted = min(first, t), max(last, t), sorted && before <= t
		before = t
	}
	if sorted {
		return
	}
	all, other := make([]timed, len(items)), make([]timed, len(items))
	for k, i := range items {
		all[k] = timed{uint64(time(i) - first), i}
	}
	width := bits.Len64(uint64(last - first))
	if len(items) < fewTimes {
		slices.SortStableFunc(all, func(x, y timed) int {
			switch {
			case x.after < y.after:
				return -1
			case x.after > y.after:
				return 1
			}
			return 0
		})
		width = 0
	}
	for shift := 0; shift < width; shift += digitBits {
		var at [1 << digitBits]int
		for i := range all {
			at[all[i].after>>shift%(1<<digitBits)]++
		}
		sum := 0
		for d, n := range at {
			at[d], sum = sum, sum+n
		}
		for _, x := range all {
			d := x.after >> shift % (1 << digitBits)
			other[at[d]] = x
			at[d]++
		}
		all, other = other, all
	}
	for k := range items {
		items[k] = all[k].item
	}
}
