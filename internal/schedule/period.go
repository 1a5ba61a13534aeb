package schedule

// Period returns the smallest p such that every element of a sequence equals the one p before it, n
// if no two are that far apart.
func Period(n int, same func(i, j int) bool) int {
	// border[i] is the length of the longest proper prefix of the first i+1 elements that is also a
	// suffix of them (Knuth, Morris, Pratt).
	border := make([]int, n)
	for i := 1; i < n; i++ {
		k := border[i-1]
		for k > 0 && !same(i, k) {
			k = border[k-1]
		}
		if same(i, k) {
			k++
		}
		border[i] = k
	}
	if n == 0 {
		return 0
	}
	return n - border[n-1]
}
