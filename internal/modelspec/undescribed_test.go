package modelspec_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/report"
)

// TestAModelWithoutDescribeSaysWhatRefusedWhat checks a counter that lost an update: the state
// that refused an operation, the operation and the output that it would have are named.
func TestAModelWithoutDescribeSaysWhatRefusedWhat(t *testing.T) {
	type account struct{ Balance int }
	type inc struct{ By int }
	m := linsat.Model[account, inc, int]{Step: func(s account, in inc) []linsat.Outcome[account, int] {
		s.Balance += in.By
		return []linsat.Outcome[account, int]{{Output: s.Balance, Next: s}}
	}}
	ops := []linsat.Op[inc, int]{
		{Client: 0, Call: 0, Return: 10, Input: inc{1}, Output: 1},
		{Client: 1, Call: 5, Return: 15, Input: inc{1}, Output: 1},
	}
	r, err := linsat.CheckOps(context.Background(), m, ops)
	require.NoError(t, err)
	require.Equal(t, linsat.NotLinearizable, r.Verdict)
	var b strings.Builder
	require.NoError(t, report.Text(&b, r.History, r.Result))
	assert.Contains(t, b.String(), "{Balance:1}: {By:1} returns 2 there, not 1")
	assert.Contains(t, b.String(), "take the value away from {Balance:0}")
}
