package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
)

// TestCrossCheckFindsWrongAnswers turns an answer round: the sample of --cross-check says so.
func TestCrossCheckFindsWrongAnswers(t *testing.T) {
	h, err := history.Read(strings.NewReader(`{"spec": "register"}
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1}
		{"process": 0, "f": "read", "result": 1, "call": 2, "return": 3}`), history.ReadOptions{})
	require.NoError(t, err)
	sp, found := specs.Lookup("register")
	require.True(t, found)
	right, err := linsat.Check(context.Background(), sp, h)
	require.NoError(t, err)
	require.Equal(t, linsat.Linearizable, right.Verdict)
	for name, wrong := range map[string]engine.Verdict{"no": engine.NotLinearizable, "yes": engine.Linearizable} {
		t.Run(name, func(t *testing.T) {
			s := &solver{crossCheck: 1, number: 1}
			run := &words.Run{History: h, Result: *result.Of(right)}
			run.Result.Verdict = wrong
			err := s.cross(context.Background(), run, nil, 0)
			if wrong == engine.Linearizable {
				require.NoError(t, err)
				require.Equal(t, 1, s.crossing)
				return
			}
			var d *engine.Disagreement
			require.ErrorAs(t, err, &d)
			require.Equal(t, []string{"auto: not linearizable", "all: linearizable"}, d.Says)
			require.Zero(t, s.crossing)
		})
	}
}
