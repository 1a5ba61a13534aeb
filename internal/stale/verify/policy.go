package verify

// maxSteps bounds the steps of trying all orders of a core (docs/decisions/policy.md).
const maxSteps = 200_000
