// Package spec provides sequential specifications: those that linsat ships, and what is needed to
// define others.
//
// A specification says which results an object may give when its operations run one after the
// other. Define makes one from ordinary Go; spectest tests whether it keeps the laws that the
// engines rely on.
package spec
