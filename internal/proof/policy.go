package proof

// What is tuned, and what each number trades. Beyond a limit a proof is refused, never accepted.

// maxSums is how many sums are tried before an instance of an axiom is refused. More accepts
// instances with more free operations, and lets one instance keep the verifier busy for longer.
const maxSums = 1 << 16

// maxOperations bounds the memory that a weakening in JSON may allocate. More reads certificates of
// longer histories.
const maxOperations = 1 << 26
