package search

// maxClasses is how many operations a partition may have under the classes meaning. More decides
// longer partitions; in the worst case there is a configuration for every pair of a set of
// linearized and a set of applied operations.
const maxClasses = 12

// Other turns (turns.go, random_turns.go). After patience nodes without getting further they are
// tried: less begins them sooner, and more often where the search would have found its way. They
// take turnsEach nodes for each operation at most: more finds more, and lets refutations wait. The
// rounds are tried one after the other. A way that lacks up to nearly moves is turned from again;
// more takes longer for each place. Around low water nearLow moves before are exchanged, and half
// as many after. Random ones begin up to randomBack moves back, or twice as many up to
// randomTimes-1 times, and at one configuration in two another move comes first, or in twice as
// many up to randomOften-1 times. Of 14 relaxed stacks of 5,000 operations the rounds alone find 9,
// both 11.
var turnRounds = []turnRound{
	{back: 128, low: 4, nodes: 32},
	{back: 256, low: 8, nodes: 128},
}

const (
	patience    = 1 << 9
	turnsEach   = 128
	nearly      = 8
	nearLow     = 12
	randomBack  = 8
	randomTimes = 7
	randomOften = 5
)
