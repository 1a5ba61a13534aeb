package collections

// What is tuned, and what each number trades. No number can change a verdict, only how soon it
// comes, or what is reported with it.

// Repairs (repair_search.go): how often the search goes back, and how many of these retries it has
// again for every return that it passes for the first time. More finds more linearizations and
// takes longer where there is none. There are few retries, since windows pass what stops the
// repairs. One way of rarely is a random one once the search has gone back: one in four got stuck
// far earlier on long recorded deques.
const (
	windowRetries     = 1 << 6
	retriesEachReturn = 4
	rarely            = 256
)

// The ways of a removal in a repair: how deep it looks into the contents, and how many ways are
// tried. More finds ways that are further off and takes longer for each removal. Looking deeper
// made no difference on what stayed undecided.
const (
	maxDepth = 24
	maxWays  = 6
)

// Windows of a stack (window_search.go, window_neighbourhoods.go). The neighbourhoods are tried one
// after the other: larger ones fail less often and cost more. Many layers around low water with
// three of four values take a tenth of the items that all values take. All are tried with fewItems
// first: what one does not find with few, another one often does (docs/decisions/search.md).
var neighbourhoods = []neighbourhood{
	{near: 16, depth: 4, slack: 0, values: 2, items: fewItems},
	{near: 64, depth: 16, slack: 1, values: 2, items: fewItems},
	{near: 2, depth: 8, slack: 1, back: 32, items: fewItems, asksAfter: askedItems},
	{near: 8, depth: 16, slack: 1, values: 3, items: fewItems},
	{near: 16, depth: 16, slack: 2, values: 3, back: 1024, items: 4 * fewItems},
	{near: 4, depth: 16, slack: 1, back: 64, items: fewItems},
	{whole: true, items: windowItems},
	{near: 32, depth: 32, slack: 2, values: 3, items: fewItems},
	{near: 512, depth: 32, slack: 4, items: fewItems},
	{near: 512, depth: 64, slack: 8, items: fewItems},
	{near: 2, depth: 8, slack: 2, back: 128, items: windowItems},
	{near: 8, depth: 16, slack: 2, values: 3, items: windowItems},
	{near: 16, depth: 16, slack: 2, values: 3, items: windowItems},
	{near: 4, depth: 16, slack: 2, items: windowItems},
	{near: 32, depth: 32, slack: 4, values: 3, back: 4096, items: windowItems},
	{near: 4, depth: 32, slack: 4, back: 512, items: windowItems},
	{near: 16, depth: 32, slack: 4, back: 1024, items: windowItems},
	{near: 512, depth: 64, slack: 8, items: 4 * windowItems},
	{near: 128, depth: 128, slack: 16, items: 4 * windowItems},
	{near: 512, depth: 256, slack: 32, items: 4 * windowItems},
}

// More about windows: how many returns they go on after the one that stopped the repairs, how many
// items they have at first and at most, and with how many third values they are tried. Going on for
// 64 returns in place of 16 took twice the steps, as many free layers after low water as before it
// half as many again. A window that may refute looks for a way through it with one in refuteFirst
// of its items, unless it begins at the start, where listing all ways costs little more. Then it
// lists all ways with one in refuteThen, each for what are three items of lifo.go or more. Three
// values from the start have soonItems to refute up to soonReturns returns, after askedItems of a
// window of all values: of 60 violations of 1,000 operations 20 are refuted so, sooner costs more
// of the linearizable ones what it takes.
// Everything from the start has one in wholeFirst of its items at first, and the rest layer by
// layer. The next window takes the memory of one of up to keptWindow bytes: more allocates less
// often, and is not counted meanwhile. The time between two events has momentsApart moments for
// operations that stay where they are; those that find no moment are free.
const (
	windowAhead  = 16
	refuteFirst  = 8
	refuteThen   = 6
	soonReturns  = 1 << 10
	soonItems    = 4 * fewItems / refuteThen
	askedItems   = 1 << 15
	wholeFirst   = 32
	fewItems     = 1 << 17
	windowItems  = 1 << 20
	maxThird     = 3
	keptWindow   = 16 << 20
	momentsApart = 64
)

// Windows of a deque (deque_window_search.go, deque_neighbourhoods.go). The rounds are tried one
// after the other: larger neighbourhoods fail less often and cost more. More steps find more
// linearizations, and let plain search and SAT wait longer. Many failed small windows cost little:
// with fewer of them, several generated deques took ten times as long.
var dequeRounds = []dequeRound{{
	free: []dequeNeighbourhood{
		{near: 2, pushes: 1, patience: 1 << 13},
		{near: 4, pushes: 3, patience: 1 << 14},
		{near: 8, pushes: 6, patience: 1 << 15},
		{near: 4, depth: 8, pushes: 6, patience: 1 << 15},
	},
	moments: []dequeNeighbourhood{
		{near: 32, depth: 4, pushes: 1, calls: 1, oneEnd: true, patience: 1 << 12},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 1, patience: 1 << 13},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 1, patience: 1 << 14},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, keep: true, patience: 1 << 14},
	},
}, {
	free: []dequeNeighbourhood{
		{near: 16, pushes: 8, patience: 1 << 16},
		{near: 8, depth: 8, slack: 1, pushes: 8, patience: 1 << 16},
	},
	moments: []dequeNeighbourhood{
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 1, patience: 1 << 14},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 1, keep: true, patience: 1 << 15},
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, keep: true, patience: 1 << 15},
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, patience: 1 << 16},
	},
}, {
	free: []dequeNeighbourhood{
		{near: 32, pushes: 8, patience: 1 << 17},
		{near: 16, depth: 16, slack: 1, pushes: 16, patience: 1 << 17},
	},
	moments: []dequeNeighbourhood{
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 1, patience: 1 << 17},
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, keep: true, patience: 1 << 17},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 1, keep: true, patience: 1 << 17},
		{near: 1024, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, patience: 1 << 17},
	},
}, {
	free: []dequeNeighbourhood{
		{near: 16, depth: 16, slack: 1, pushes: 16, patience: 1 << 19},
		{near: 64, pushes: 16, patience: 1 << 19},
		{near: 64, depth: 16, slack: 2, pushes: 16, patience: 1 << 20},
	},
	moments: []dequeNeighbourhood{
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, patience: 1 << 19},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 2, patience: 1 << 18},
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, keep: true, patience: 1 << 19},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 2, keep: true, patience: 1 << 18},
		{near: 1024, depth: 32, slack: 2, pushes: 8, calls: 2, odd: 2, patience: 1 << 20},
		{near: 1024, depth: 32, slack: 2, pushes: 8, calls: 4, odd: 2, patience: 1 << 20},
	},
}}

// The search on a stack layer by layer (lifo_layers.go) forgets beginnings once there are
// keptBeginnings, and twice as many as it kept the last time: fewer stay in the cache, and are
// copied more often.
const keptBeginnings = 1 << 12

// Sets of contents (stack_languages.go): how many unions are remembered at first and at most, in
// how high contents one is computed, and how many of them for one beginning; and how many answers
// about contents in a set. More remembers more and takes more memory; more of the others decides
// what is left to the depth-first search otherwise. After retainAfter arcs, and four times those in
// use, the others are let go of: sooner keeps the table small, and lists those in use more often.
const (
	fewUnions    = 1 << 10
	mostUnions   = 1 << 18
	highestUnion = 1 << 17
	longestUnion = 1 << 24
	mostHeard    = 1 << 16
	retainAfter  = 1 << 15
)

// countsLimit is how many numbers bound what unknown contents of a window may hold
// (value_counts.go); beyond that there is no bound.
const countsLimit = 1 << 20

// nearby is how many layers before one in which a wrong value was pushed are tried first (lifo.go).
// More are more likely to contain the right order, which then comes later among them.
const nearby = 4

// All configurations of a deque at once (deque_paths.go, deque_search.go), up to maxOpenAtEnd open
// operations at an end. Before windows it has pathSteps, and pathStepsEach more for each return:
// recordings take up to 60 a return, and generated histories of 16 processes hundreds. More lets
// histories with more open operations wait longer for windows, which find many of them. After
// pathWork it looks at the limits: more passes them by more, less costs time.
const (
	maxOpenAtEnd  = 18
	pathSteps     = 1 << 21
	pathStepsEach = 1 << 9
	pathWork      = 1 << 10
)

// neighbourhood says what is free: how many layers around a free one, how deep the contents are
// looked into, and how far above low water a free layer is; and of how many values, 0 for all.
type neighbourhood struct {
	near, depth, slack int
	values             int
	// back is how many returns before the stop a window begins that may refute alone; 0 for none.
	back  int
	items int // beyond so many nothing is found
	// asksAfter is after how many items three values are asked whether they refute soon, 0 for
	// never.
	asksAfter int
	// whole says that everything from the start is free, if that promises to take so many items.
	whole bool
}

// dequeNeighbourhood says what is free.
type dequeNeighbourhood struct {
	near     int   // layers before a free one, and half as many after it
	depth    int   // how far above the lowest an end was
	slack    int   // how far above low water a free layer is
	pushes   int   // of how many of the outermost items the push is free
	oneEnd   bool  // only what happens at the end of the stop is free
	calls    int   // operations take effect so near their call or return; 0: at any time
	keep     bool  // or where the linearization has them
	odd      int32 // or, so many at either end, at another moment
	patience int64 // steps
}

// dequeRound are neighbourhoods of either kind that are tried one after the other.
type dequeRound struct{ free, moments []dequeNeighbourhood }
