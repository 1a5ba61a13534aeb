package claim

// maxWork is how many operations the claims of one explanation may look at: more lets the
// explanations of very long histories keep their own words, and makes them take longer.
const maxWork = 50_000_000

// maxSums is how many different sums of operations that may come in between are told apart.
const maxSums = 1 << 16
