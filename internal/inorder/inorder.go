// Package inorder sorts lists that are short nearly always, such as the moves of a search from one
// configuration, and keeps them sorted. What the standard library has for this is compiled again
// for each kind of element, six kilobytes at a time.
package inorder

import (
	"cmp"
	"slices"
)

// Sort sorts a list by compare, which is negative where a comes before b; equal ones stay in their
// order.
func Sort[T any](list []T, compare func(a, b T) int) {
	for i, x := range list {
		Insert(list[:i], x, compare)
	}
}

// Insert inserts x into a list that is sorted by compare, behind those that equal it.
func Insert[T any](list []T, x T, compare func(a, b T) int) []T {
	low, high := 0, len(list)
	for low < high {
		if at := (low + high) / 2; compare(x, list[at]) < 0 {
			high = at
		} else {
			low = at + 1
		}
	}
	list = append(list, x)
	copy(list[low+1:], list[low:])
	list[low] = x
	return list
}

// Distinct sorts a list in place and returns what is in it, once each.
func Distinct[T cmp.Ordered](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}
