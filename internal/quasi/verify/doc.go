// Package verify is the independent verifier of quasi-linearizability. It imports no engine.
//
// A witness is ρ′ with its rearrangement ρ″, which Rearrangement replays against the definition:
// real time, drains, bounds, the specification and causality. A violation is proved by a
// displacement, whose steps Displacement checks against the raw intervals, or by trying everything
// again (Exhausted). Package internal/verify dispatches proofs and certificates to it.
package verify
