// Package scal holds seven objects of the Scal suite as they were early in 2013, when Round-Up was
// tried on them [Zhang, Chattopadhyay, Wang, ASE'13, Tables IV and V]: each access to shared memory
// that Scal's code makes is an access here, in the same order. So the traces of a test can be
// counted and compared with the paper's histories. The code is ours; no line of Scal's is used.
//
// Package relaxed has the same algorithms from their papers, with fewer accesses.
package scal
