package verify

// LimitPriceWork sets how many states the verifier of prices looks at, and returns what undoes
// that.
func LimitPriceWork(n int64) (undo func()) {
	before, each := maxPriceWork, maxPriceWorkEach
	maxPriceWork, maxPriceWorkEach = n, 0
	return func() { maxPriceWork, maxPriceWorkEach = before, each }
}
