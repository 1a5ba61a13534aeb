package lineup

// What is tuned, and what each number trades.

// defaultBound is the default bound on preemptions, that of the paper. A larger bound finds more
// violations, in many more schedules.
const defaultBound = 2

// shrinkAll is up to how many operations all sub-tests of a failing test are tried, at most 2 to
// that power. More finds the smallest sub-test of larger tests, later. Beyond it, operations are
// left out one by one.
const shrinkAll = 12

// shrunk is how many failing tests of a row are shrunk to find the smallest one: more finds smaller
// ones, later.
const shrunk = 3

// leastRounds is how often a loop must repeat, without progress, in the second half of an execution
// to count as a livelock. More is more certain, and leaves longer loops undecided.
const leastRounds = 8
