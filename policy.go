package linsat

// mostConfigurations and mostOfCore are how many configurations and operations the Explanation of
// an OpsResult shows: more says all that is known, in more lines than a test's output should have.
// The Result has them all.
const (
	mostConfigurations = 8
	mostOfCore         = 20
)
