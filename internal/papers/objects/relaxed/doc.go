// Package relaxed holds the objects that Round-Up was tried on [Zhang, Chattopadhyay, Wang,
// ASE'13]: eleven of its own (Tables I to III) and seven of the Scal suite (Tables IV and V),
// strict and relaxed queues, stacks and a priority queue, right and faulty, written over package
// mem. The source of the paper's objects is not public and none of Scal's is used here: each is
// written from its description, the algorithms of Scal from the papers that the file names. What a
// fault is follows the line of Table I that describes it.
//
//	instance.go      operations by name; the catalogue is in catalogue.go
//	iqueue.go        IQueue: an array, slots handed out before they are filled; says empty when it is not
//	herlihywing.go   Herlihy and Wing's queue: the same array, removals sweep it until they find something
//	quasiqueue.go    Quasi Queue, and its faults b1, b2, b3: segments, a removal takes any value of the first one
//	quasistack.go    Quasi Stack, and its faults b1, b2
//	quasipq.go       Quasi Priority Queue, and its fault b2: removals in a window that must be used up
//	slqueue.go       sl-queue: a linked list for one thread
//	treiber.go       t-stack [Treiber]
//	michaelscott.go  ms-queue [Michael and Scott]
//	rdqueue.go       rd-queue: random dequeue within a window of nodes
//	bkqueue.go       bk-queue: k-FIFO queue in a ring of segments
//	ubkqueue.go      ubk-queue: k-FIFO queue in a list of segments
//	kstack.go        k-stack: segments that are used again, with an ABA; and the same with tags, without
//	catalogue.go     Entries: every object with its tests and the expected verdicts
//
// Relaxed objects take the number of values among which a removal may choose, k; by construction
// they are then meant to be quasi-linearizable with factor k-1, and strict with k = 1.
package relaxed
