package radix

import (
	"cmp"
	"math/bits"
	"slices"
)

// timed is an item at a time, counted from the earliest one.
type timed struct {
	after uint64
	item  int32
}

// SortByTime sorts items by time, stably: a radix sort from the last digit on, unless there are
// only a few items or they are already sorted.
// Cost: O(n) for each 11 bits of the greatest difference between two times.
func SortByTime(items []int32, time func(i int32) int64) {
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
	if len(items) < fewTimes {
		slices.SortStableFunc(items, func(x, y int32) int { return cmp.Compare(time(x), time(y)) })
		return
	}
	all := make([]timed, len(items))
	for k, i := range items {
		all[k] = timed{uint64(time(i) - first), i}
	}
	for k, x := range sortedByDigits(all, bits.Len64(uint64(last-first))) {
		items[k] = x.item
	}
}

// sortedByDigits returns all in the order of times of so many bits, and changes it. It is a
// function of its own because its counters are large: a goroutine that sorts few times need not
// make room on its stack for them.
//
//go:noinline
func sortedByDigits(all []timed, width int) []timed {
	other := make([]timed, len(all))
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
	return all
}
