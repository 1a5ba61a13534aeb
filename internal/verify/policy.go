package verify

// What is tuned, and what each number trades. Beyond a limit a proof is refused as too large to be
// checked, never believed: more accepts larger ones, and lets a certificate keep the verifier busy
// for longer.

// Dual bounds. A certificate keeps the verifier busy for no more than a second, and another for
// every few thousand operations; what the search finds takes less than a hundredth of that.
// maxPriceStates states are listed, in maxPriceEffects outcomes (states × kinds) and
// maxPriceEffectsEach more for each operation; maxPriceConfigs configurations are kept at a time.
// The first and the third are those of package dual, so that what it finds is accepted.
const (
	maxPriceStates      = 1024
	maxPriceEffects     = 1 << 20
	maxPriceEffectsEach = 64
	maxPriceConfigs     = 1 << 18
)

// How many states may be looked at for a dual bound: so many, and more for each operation. They are
// variables for the tests.
var (
	maxPriceWork     = int64(1) << 26
	maxPriceWorkEach = int64(1) << 14
)

// workEach is how many operations an exhaustion looks at for each of the nodes that it may visit:
// without this limit, an operation that returns late would make every node as long as the history.
const workEach = 200

// longTrials is from how many operations an exhaustion leaves out what other ways are as good as,
// and does not tell unknown outcomes in states with a number apart (trial.go, revisions.go): fewer
// say in all configurations in which the search ends.
var longTrials = 256

// longJumps is from how many operations pending ones of specifications without axioms are not told
// apart (jumps.go): fewer say in which configurations the search ends. maxJumpWork is how many
// steps that takes at most, maxJumpWorkEach how many more for each operation, and maxJumpStates to
// how many states pending operations may lead for each kind: more accepts violations of models with
// more states.
var longJumps = 256

const (
	maxJumpWork     = 1 << 18
	maxJumpWorkEach = 1 << 12
	maxJumpStates   = 8
)

// Of an exhaustion, maxStuck configurations are kept for the explanation, with maxMissing
// operations left at most: more says more, in more lines.
const (
	maxStuck   = 64
	maxMissing = 4
)

// maxCertificate bounds the size of a certificate that is read: more reads larger ones, and takes
// more memory.
const maxCertificate = 1 << 30

// MaxPairs is how many configurations the verifier of a pairing visits at most: more accepts larger
// pairings, and lets one keep it busy for longer.
const MaxPairs = 1_000_000

// MaxItems is how many values on top the verifier of a saturation lists at most, maxUnions how many
// unions of contents it computes, and maxHeight in how high contents: more accepts larger ones, and
// lets one keep it busy for longer, with some 200 bytes for each value. Of the unions fewUnited are
// remembered at first, mostUnited at last: more takes more memory, less computes some again. Its
// tables have fewNumbered places at first: more takes more memory, less copies them more often.
const (
	MaxItems    = 1_000_000
	maxUnions   = 1 << 25
	maxHeight   = 1 << 17
	fewUnited   = 1 << 10
	mostUnited  = 1 << 18
	fewNumbered = 1 << 4
)

// maxCounterSums is how many sums are distinguished when a sum of a counter is verified: more
// accepts sums of more operations, and takes longer for each.
const maxCounterSums = 1 << 16
