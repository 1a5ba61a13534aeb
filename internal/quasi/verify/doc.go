// Package verify is the independent verifier of quasi-linearizability. It imports no engine.
//
// A witness is ρ′ with its rearrangement ρ″, which Rearrangement checks against the definition:
// real time, drains, bounds, the specification and causality. A violation is proved by a
// displacement, whose steps Displacement checks against the raw intervals, by a pairing, or by
// trying everything again (Paired, Exhausted). Package internal/verify dispatches proofs and
// certificates to this package.
package verify
