package lineup

// What is tuned, and what each number trades.

// defaultBound is the preemption bound where none is given: more finds more violations, in many
// more schedules. It is the paper's.
const defaultBound = 2

// shrinkAll is up to how many operations every sub-test of a failing test is tried, at most 2 to
// that power: more finds the smallest one of larger tests, later. Beyond, operations are left out
// one by one.
const shrinkAll = 12

// shrunk is how many failing tests of a row are shrunk to find the smallest one: more finds smaller
// ones, later.
const shrunk = 3
