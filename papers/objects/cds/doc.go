// Package cds holds the eight structures of the paper on CDSSpec (Ou and Demsky: CDSSpec: Testing
// Concurrent Data Structures Under the C/C++11 Memory Model), written over explore/c11 from the
// papers that they come from. Memory orders are those of the C++ originals; consume is acquire, as
// in the paper.
//
// Each has the paper's driver and larger ones. Plain fields that are shared are cells, so races on
// them are found.
package cds
