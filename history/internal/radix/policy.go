package radix

// What is tuned, and what each number trades. None of them can change what is read.

// Sorting times. Fewer than fewTimes are compared, more go by digits of digitBits bits: wider
// digits take fewer passes over larger tables of counts.
const (
	fewTimes  = 256
	digitBits = 11
)
