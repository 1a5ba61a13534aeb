package roundup

// What is tuned, and what each number trades.

// maxInside is up to how many calls in threads Harnesses lists tests. More runs larger harnesses,
// whose number grows exponentially.
const maxInside = 20

// maxSets bounds the work of rearrangements, as sets of contents in the first places: more decides
// longer traces and takes more memory.
const maxSets = 1 << 18
