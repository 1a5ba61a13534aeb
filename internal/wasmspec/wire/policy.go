package wire

// mostParts is how many parts a message may have: more lets modules have more functions that mean
// something.
const mostParts = 32

// MostBytes is how long a part may be, the module for example: more lets larger ones be run, and
// takes memory on both sides.
const MostBytes = 64 << 20
