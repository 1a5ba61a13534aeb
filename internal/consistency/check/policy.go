package check

// fewOperations is up to how many operations the engines for a history without time are asked
// before those for transactions: their reasons are minimal, and take long of many.
const fewOperations = 200
