package check

// few is up to where bounds of lateness are tried one by one: most histories are not far from
// linearizable (docs/decisions/policy.md).
const few = 4
