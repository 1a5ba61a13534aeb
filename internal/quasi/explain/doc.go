// Package explain says why a history is not quasi-linearizable: Sentences puts a displacement into
// English; Confirm and Exhaust have the verifier check a refutation, or try everything again within
// a limit.
package explain
