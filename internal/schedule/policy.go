package schedule

// knownBuckets is into how many lists the addresses that shims know are divided: more finds them
// faster, and costs each execution as much memory.
const knownBuckets = 128

// drawnAhead is how many random numbers are drawn before an execution beyond those that the last
// one needed: more costs each execution the time of drawing them, fewer makes more of them be drawn
// while it runs, which is slow under the race detector.
const drawnAhead = 32
