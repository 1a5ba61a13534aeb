// Package oracle defines linearizability, both meanings of quasi-linearizability and the levels of
// isolation by brute force. Every engine, the verifier and every explanation are compared with it
// on small histories. It is written to be read, not to be fast. It imports no engine, and shares
// with the engines nothing but the specifications. Objects of its own, which read results
// themselves, check how the specifications read them.
//
// It decides histories of up to 64 operations in principle and of about ten in practice.
package oracle
