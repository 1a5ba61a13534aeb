package picture

import "time"

// What is tuned, and what each number trades: more shows more, in larger pictures.

// States of a replay are shown up to stateLength runes; the middle of longer ones is left out.
const stateLength = 120

// States of a replayed order take up to stateBytes together; later steps are shown without. A
// nondeterministic specification is followed through stateChoice states at once. More shows states
// of longer orders, and makes larger pages.
const (
	stateBytes  = 1 << 20
	stateChoice = 64
)

// Widths in columns: widestLane is the maximum for the name of a lane, leastBand the minimum for
// bars.
const (
	widestLane = 16
	leastBand  = 24
)

// slit is up to how many consecutive omitted operations are shown after all, since a fold takes
// more room than these.
const slit = 2

// The search for partial linearizations takes partialSteps steps, or partialTime if a specification
// is slow, and its sequences have partialPlaces places together. More finds longer ones in
// histories with much concurrency, and takes longer before a page is written.
const (
	partialSteps  = 200_000
	partialPlaces = 1 << 20
	partialTime   = time.Second
)

// longestColor is the length up to which a text may be a color of an annotation.
const longestColor = 40

// A finding's table has up to findingRows lines, its lists up to findingOps operations, in texts of
// up to findingText runes; a balance that can be one of up to findingSums is spelled out, of sums
// that are followed up to findingStates. Two reads of a bank are looked for among findingReads
// earlier ones, a known value of a register among findingReads earlier ones as well, and pairs of
// transfers among findingFree. A read of fewElements or more is drawn by their number. More finds
// plainer reasons in long histories, and takes longer before a page is written.
const (
	findingRows   = 12
	findingOps    = 4
	findingText   = 44
	findingSums   = 4
	findingStates = 1 << 12
	findingReads  = 16
	findingFree   = 200
	fewElements   = 8
)
