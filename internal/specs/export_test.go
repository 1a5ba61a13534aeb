package specs

// LimitEdges lets appends make at most n edges of a kv's key, until restore is called.
func LimitEdges(n int) (restore func()) {
	before := edgeLimit
	edgeLimit = func(int) int { return n }
	return func() { edgeLimit = before }
}
