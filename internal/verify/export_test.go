package verify

// LimitPriceWork sets how many states the verifier of prices looks at, and returns what undoes
// that.
func LimitPriceWork(n int64) (undo func()) {
	before, each := maxPriceWork, maxPriceWorkEach
	maxPriceWork, maxPriceWorkEach = n, 0
	return func() { maxPriceWork, maxPriceWorkEach = before, each }
}

// ShortenLocks sets from how many operations on pending ones of a readers-writer lock are counted,
// and returns what undoes that.
func ShortenLocks(n int) (undo func()) {
	before := longLock
	longLock = n
	return func() { longLock = before }
}

// ShortenCounted sets from how many operations on unknown outcomes in states with a number are not
// told apart, and returns what undoes that.
func ShortenCounted(n int) (undo func()) {
	before := longCounted
	longCounted = n
	return func() { longCounted = before }
}
