package certify

// LimitPriceWork sets how many states the judge of prices looks at, and returns what undoes that.
func LimitPriceWork(n int64) (undo func()) {
	before := maxPriceWork
	maxPriceWork = n
	return func() { maxPriceWork = before }
}
