package words

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/gen/randomtxn"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
)

// TestSurveyIsTrue compares what a survey finds with the definition, and with what single answers
// name: each anomaly is forbidden where it says, and none that an answer names is left out.
func TestSurveyIsTrue(t *testing.T) {
	types, named, missed := map[string]int{}, 0, 0
	for seed := range uint64(testenv.Scale(1500, 30000)) {
		h := randomtxn.History(rand.New(rand.NewPCG(seed, 5)), 5)
		s := NewSurvey(context.Background(), h, isolation.RealTime)
		at := map[isolation.Level]bool{}
		for _, a := range s.found {
			types[a.Type]++
			for _, f := range a.Forbids {
				if _, known := at[f]; !known {
					at[f] = oracle.Isolated(h, f)
				}
				require.False(t, at[f], "%s forbidden by %s, but it is at that level:\n%s%v", a.Type, f,
					isolationtest.Format(h), a.Cycle)
			}
		}
		for _, l := range isolation.Levels() {
			found := decide(h, l)
			if !found.Fails || found.Certificate == nil || Find(h, found.Certificate).argued != nil {
				continue
			}
			if named++; len(s.At(l, nil)) == 0 {
				missed++
			}
		}
	}
	t.Log(types, named, missed)
	// Elements of lists repeat; in short there are too few histories.
	assert.True(t, missed <= named/50 || testing.Short(), "%d of %d", missed, named)
	for _, name := range []string{"G0-process", "G1a", "G1b", "G1c-process", "G-single-item", "G-single-item-realtime",
		"G-nonadjacent-item", "G2-item", "lost-update", "internal", "incompatible-order", "garbage-read"} {
		assert.Greater(t, types[name], testenv.MoreThan(0), name)
	}
}

// TestSurveyCounts has anomalies of several kinds, and several of one.
func TestSurveyCounts(t *testing.T) {
	h := isolationtest.Parse(`a:[] b+1
		b:[] a+1
		c:[] d+1
		d:[] c+1
		e+1 f+1
		e:[1] f:[]
		g:7
		g:8
		r=1 | aborted
		r:1`)
	got := map[string]int{}
	level := isolation.Level{Model: isolation.Serializable}
	for _, c := range NewSurvey(context.Background(), h, isolation.NoOrder).At(level, nil) {
		got[c.Shortest.Type] = c.Count
	}
	assert.Equal(t, map[string]int{"G2-item": 2, "G-single-item": 1, "garbage-read": 2, "G1a": 1}, got)
}
