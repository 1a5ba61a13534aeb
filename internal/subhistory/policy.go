package subhistory

// mostAlone is how many operations of a core are left out in turn: more finds the one that fails in
// more cores, in as many checks.
const mostAlone = 12

// mostWriters is how many operations may be added to say where values come from, one after the
// other: more explains longer chains, in longer histories.
const mostWriters = 32

// mostDropped is of how many operations each is tried to be left out at the end: more leaves fewer,
// in as many checks of the whole history.
const mostDropped = 32

// mostAsked is how many groups of operations are left out in turn: more leaves fewer operations
// that explain nothing, in as many checks.
const mostAsked = 300
