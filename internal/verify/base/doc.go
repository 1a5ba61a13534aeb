// Package base is what the verifiers of linearizability (internal/verify) and of
// quasi-linearizability (internal/quasi/verify) share: completeness and real-time order of a
// witness, the weakening of an instance, and the limits of trying everything.
package base
