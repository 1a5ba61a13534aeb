package crash

// mostNamed bounds the names of events that an error lists.
const mostNamed = 12

// gap is how many places there are between two ranks: four for each crash.
const gap = 1 << 31
