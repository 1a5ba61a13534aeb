// Package relaxed holds the objects that Round-Up was tried on [Zhang, Chattopadhyay, Wang,
// ASE'13]: eleven of its own (Tables I to III) and the seven algorithms of the Scal suite (Tables
// IV and V), strict and relaxed queues, stacks and a priority queue, right and faulty, written over
// package mem. Each of the paper's own is written from its description, with the fault that its
// line in Table I states; the algorithms of Scal are written from the papers that the file names.
// Package scal has them with the accesses and faults of Scal's code.
//
// Relaxed objects take the number of values among which a removal may choose, k; by construction
// they are then meant to be quasi-linearizable with factor k-1, and strict with k = 1.
package relaxed
