package logs

// What is tuned, and what each number trades. None of them can change what is read, but for
// the memory limit.

// fastlinBytes is how much memory is counted for a row of fastlin's format beside its operation:
// more refuses inputs sooner under a memory limit, less may pass it.
const fastlinBytes = 200

// fastlinBlockBytes is how much text is read by one goroutine: larger blocks cost less
// coordination, smaller ones share the work better. docs/decisions/speed.md has what this and
// other steps saved. It is a variable for the tests.
var fastlinBlockBytes = 1 << 18
