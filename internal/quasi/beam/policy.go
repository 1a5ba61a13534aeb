package beam

// The beam (beam.go). It begins with narrow configurations of a length. Where it dies out, it goes
// back by goBack operations and keeps widening times as many, up to widest, until it is past that
// place by past operations: more finds more, and takes as much longer. kept is how many lengths it
// can go back at most, which costs memory. nodesEach bounds the configurations for each operation:
// less gives up sooner where no rearrangement is found.
const (
	narrow    = 8
	widest    = 512
	widening  = 4
	goBack    = 64
	past      = 32
	kept      = 4 * goBack
	nodesEach = 200
)

// Penalties (judge.go). owing is what a debt counts for, lying what an item counts for above one
// that is due before it, each against a removal that has to wait. An item that is due too late for
// any order counts like hopeless places: more avoids it at the price of more debts. Of a stack, so
// many items on top are looked at; more sees more, and takes longer.
const (
	owing    = 4
	lying    = 2
	hopeless = 16
	lookDown = 8
)

// bytesEach is what the beam takes for an operation, nearly all of it in the lengths it can go back
// to and in the paths of what is kept.
const bytesEach = 4 << 10
