package explain

// What is tuned, and what each number trades. No number can certify what is not proved.

// exhaustWork bounds the cases that the verifier tries under a factor, times the square of the
// number of operations: it allows a second or two. More certifies larger violations, later.
const exhaustWork = 150_000_000

// maxChain is how many steps before the contradiction are shown: more explains more, in more lines.
const maxChain = 6
