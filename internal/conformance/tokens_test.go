package conformance_test

import (
	"regexp"
	"testing"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/require"
)

// TestTokensContradictEachOther: of a lock with fencing tokens, two acquisitions refute a history
// in which hundreds of operations never returned, and the reason names them.
func TestTokensContradictEachOther(t *testing.T) {
	says := regexp.MustCompile(
		`^CONTRADICTION: acquire → \d+ \(#\d+\) and acquire → \d+ \(#\d+\) contradict each other, whatever the others did: the first returned before the second was called\.$`)
	for _, violation := range []gen.Violation{gen.Swap, gen.Stale, gen.NeverWritten, gen.Duplicate} {
		c, err := gen.Generate(gen.Options{Spec: "fenced-mutex", Operations: 4000, Processes: 16, PendingRate: 0.05,
			Seed: 1, Violation: violation})
		require.NoError(t, err)
		r := &wordstest.Checked(t, c.History).Result
		require.True(t, r.Certified, violation)
		require.Len(t, r.Core.Facts, 4, violation) // two responses, two results
		require.Regexp(t, says, words.Reasons(r)[0], violation)
	}
}
