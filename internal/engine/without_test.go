package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTechniquesAreLeftOutByName: names count as answers print them, and others are refused.
func TestTechniquesAreLeftOutByName(t *testing.T) {
	names := named("few, search/as-seen,,")
	require.Equal(t, map[string]bool{"few": true, "as-seen": true}, names)
	require.NoError(t, checkNames(names, []string{"few", "dual", "as-seen"}))
	require.NoError(t, checkNames(named(""), nil))
	require.EqualError(t, checkNames(names, []string{"few", "dual", "few"}),
		`LINSAT_WITHOUT: no technique "as-seen" can be left out; those that can: dual, few`)
}
