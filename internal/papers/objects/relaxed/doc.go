// Package relaxed holds the objects that Round-Up was tried on [Zhang, Chattopadhyay, Wang,
// ASE'13]: eleven of its own (Tables I to III) and seven of the Scal suite (Tables IV and V),
// strict and relaxed queues, stacks and a priority queue, right and faulty, written over package
// mem. The source of the paper's objects is not public and none of Scal's is used here: each is
// written from its description, the algorithms of Scal from the papers that the file names. Each
// fault follows its line in Table I.
//
// Relaxed objects take the number of values among which a removal may choose, k; by construction
// they are then meant to be quasi-linearizable with factor k-1, and strict with k = 1.
package relaxed
