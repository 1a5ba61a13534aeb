package meter

// rangeShift says how many bytes or elements an instruction about a whole range may touch for one
// step, as a power of two: more lets copies be cheaper than the loops that they replace, less stops
// a module sooner that does nothing else.
const rangeShift = 3

// localsPerFrame is how many locals take as much of the stack as a call by itself: more lets deep
// calls of large functions take more memory.
const localsPerFrame = 64

// bytesPerFrame is how many bytes of a body take as much of the stack as a call by itself, since
// each may put a value there: more lets deep calls of large functions take more memory.
const bytesPerFrame = 4096

// mostResults is how many results a function may have: more lets one instruction put more on the
// stack.
const mostResults = 100

// mostParams is the same for parameters.
const mostParams = 1000

// allLocals bounds the locals of all functions together: more lets larger unoptimised programs
// through, and the runtime keeps the type of each.
const allLocals = 4_000_000

// localsPerStep is how many locals are set to zero for one step at the start of a function: more
// makes calls cheaper than the time that they take.
const localsPerStep = 16

// mostLocals is how many locals a function may have: more lets unoptimised code through, and each
// call takes room for them.
const mostLocals = 10_000

// mostElements bounds a table: more lets larger programs call functions through it, and each
// element takes memory in every call of the module.
const mostElements = 1 << 16

// mostGlobals bounds the globals: more lets larger programs keep more of them, and each takes room
// in every call of the module.
const mostGlobals = 10_000
