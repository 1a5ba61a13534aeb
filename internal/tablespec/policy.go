package tablespec

// maxDepth bounds how deep values nest: more reads deeper ones, and takes more of the stack.
const maxDepth = 64

// mostListed is how many names an error lists: more helps to find the right one, and fills the
// screen.
const mostListed = 8

// sampledInitials is how many states the law kit starts from: more finds more, in time with it.
const sampledInitials = 20
