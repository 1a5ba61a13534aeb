package words

import "time"

// What is tuned, and what each number trades. The JSON and the certificate contain everything, and
// --witness -1 most of it. More shows more, in more lines and columns.

// Lists. maxPartitions partitions of a history, maxSentences of an explanation, maxConfigurations
// of a frontier (fewConfigurations beside an explanation, which is more useful), and maxListed
// results, tried configurations, or operations or values of one kind in a sentence. A sentence
// lists up to fewListed operations that are all needed (so many steps about distances, too),
// maxRuns runs of numbers of all elements of a set of which something is wrong, and a set of values
// up to maxSpelled.
const (
	maxPartitions     = 40
	maxSentences      = 20
	maxConfigurations = 8
	fewConfigurations = 3
	maxListed         = 6
	fewListed         = 8
	maxRuns           = 100
	maxSpelled        = 4
)

// Texts, in runes: values and states in a line are shown up to shortText; the middle of longer ones
// is left out. Sentences, states and lists of operations are shown up to longText.
const (
	shortText = 60
	longText  = 400
)

// maxContradictory is how many operations are said to contradict each other: more are facts to look
// up, and the tried configurations say more.
const maxContradictory = 4

// An undecided partition is said to be hard for so many operations that are open at once, or for so
// many on one object: less says so of ordinary histories, more says nothing of hard ones.
const (
	manyOpen       = 8
	manyOperations = 1000
)

// lineWidth is the columns of the two sequences of a quasi-linearization.
const lineWidth = 110

// worthNaming is how long reading must take to be named beside checking. Less names it for small
// files, of which it is no news.
const worthNaming = 100 * time.Millisecond

// maxNamed bounds the states that are visited to name the values of a register: more names more of
// them.
const maxNamed = 400

// maxTold is how many dependencies between transactions sentences tell one by one: more tells more
// refutations step by step, in texts that nobody reads to the end.
const maxTold = 40
