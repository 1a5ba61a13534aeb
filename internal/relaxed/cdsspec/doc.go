// Package cdsspec checks executions of C/C++11 programs against specifications with ordering
// points, after "CDSSpec: Testing Concurrent Data Structures Under the C/C++ Memory Model" (Ou and
// Demsky). Package explore/cdsspec is how a program says them.
package cdsspec
