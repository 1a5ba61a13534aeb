package explore

import (
	"testing"

	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResume stops searches of random programs again and again, and goes on from text: they run the
// schedules that an uninterrupted search runs, in its order. The share that has been run is between
// nothing and all.
func TestResume(t *testing.T) {
	const most = 60
	schedules := func(p Program, s Strategy, runs int, to []string) ([]string, Stats) {
		stats, err := Run(p, s, Options{MaxRuns: runs}, func(e *Execution) bool {
			to = append(to, e.Schedule.String())
			return true
		})
		require.NoError(t, err)
		return to, stats
	}
	several := 0
	programs := 8
	if testenv.Full() {
		programs = 2_000
	}
	for seed := range uint64(programs) {
		p := newRandomProgram(seed).program()
		whole, _ := schedules(p, DPOR(), most, nil)
		var parts []string
		s := DPOR()
		for k := 0; ; k++ {
			var stats Stats
			if parts, stats = schedules(p, s, 1+int(seed)%7, parts); stats.Complete || len(parts) >= len(whole) {
				break
			}
			several += k
			share := schedule.Share(s)
			assert.True(t, share >= 0 && share < 1, "%v", share)
			text := schedule.Keep(s)
			require.NotNil(t, text)
			full, err := schedule.Resume(text)
			require.NoError(t, err)
			s = full.(Strategy)
		}
		parts = parts[:min(len(parts), len(whole))]
		require.Equal(t, whole, parts, "seed %d", seed)
	}
	assert.Greater(t, several, 20)
	for _, text := range []string{"", "{}", `{"Steps":[{}],"Threads":3}`} {
		_, err := schedule.Resume([]byte(text))
		assert.Error(t, err, text)
	}
	assert.Nil(t, schedule.Keep(Exhaustive()))
}
