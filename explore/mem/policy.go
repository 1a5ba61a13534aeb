package mem

const (
	// stripes is how many locks a parallel memory has: more cost memory, fewer make operations on
	// different variables wait for each other.
	stripes = 256
	// yieldOneIn operations of a parallel memory one yields first: more often makes it slower, more
	// rarely leaves fewer operations of an object that overlap.
	yieldOneIn = 32
)
