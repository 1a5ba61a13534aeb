package roundup

// What is tuned, and what each number trades.

// maxInside is how many calls in threads Harnesses goes through: more runs larger harnesses, whose
// number grows with every call.
const maxInside = 20

// maxSets bounds the work of rearrangements, as sets of contents in the first places: more decides
// longer traces and takes more memory.
const maxSets = 1 << 18
