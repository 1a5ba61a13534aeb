package words

// mostSaid is how many operations, or pairs of them, a sentence names: more says all of longer
// reasons, which nobody reads.
const mostSaid = 12
