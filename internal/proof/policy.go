package proof

// What is tuned, and what each number trades. Beyond a limit a proof is refused, never believed.

// maxSums is how many sums are tried before an instance of an axiom is refused: more accepts
// instances with more free operations, and lets one keep the verifier busy for longer.
const maxSums = 1 << 16

// maxOperations bounds what a weakening in JSON may make us allocate: more reads certificates of
// longer histories.
const maxOperations = 1 << 26
