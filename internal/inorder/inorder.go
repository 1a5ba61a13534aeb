// Package inorder sorts lists that are short nearly always, such as the moves of a search from one
// configuration. A stable sort of the standard library is compiled again for each kind of element,
// six kilobytes at a time.
package inorder

// Sort sorts a list by compare, which is negative where a comes before b; equal ones stay in their
// order. Elements are inserted where a binary search finds their place.
func Sort[T any](list []T, compare func(a, b T) int) {
	for i, x := range list {
		low, high := 0, i
		for low < high {
			if at := (low + high) / 2; compare(x, list[at]) < 0 {
				high = at
			} else {
				low = at + 1
			}
		}
		copy(list[low+1:i+1], list[low:i])
		list[low] = x
	}
}
