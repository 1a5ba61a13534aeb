package conformance_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded reads a file of the corpora, as the given specification if the file names none.
func recorded(t testing.TB, path string) (model.Spec, *history.History) {
	h, err := history.ReadFile(path, history.ReadOptions{})
	require.NoError(t, err)
	if h.Spec == "" {
		guess, err := specs.Recognise(h)
		require.NoError(t, err, path)
		return guess.Spec, h
	}
	s := testkit.Spec(t, h.Spec)
	return s, h
}

// verdict is the one of a history that is linearizable or not.
func verdict(linearizable bool) engine.Verdict {
	if linearizable {
		return engine.Linearizable
	}
	return engine.NotLinearizable
}

// expect checks one history with every engine and all of them together.
func expect(t *testing.T, path string, want engine.Verdict) {
	s, h := recorded(t, path)
	for _, e := range []string{"search", "sat", "auto", "all"} {
		r, err := linsat.Check(context.Background(), s, h, linsat.Engine(linsat.Engines(e)))
		require.NoError(t, err, "%s by %s", path, e)
		assert.Equal(t, want, r.Verdict, "%s by %s: %v %s", path, e, r.Cause, r.Detail)
		assert.True(t, r.Certified || want == engine.NotLinearizable, "%s by %s: %s", path, e, r.Uncertified)
	}
}

func TestPorcupineHistoriesHaveTheirVerdicts(t *testing.T) {
	all := testenv.Verdicts(t, "")
	require.Len(t, all, 108)
	for _, v := range all {
		expect(t, v.File, verdict(v.Linearizable))
	}
}

func TestKnossosHistoriesHaveTheirVerdicts(t *testing.T) {
	n := 0
	for _, verdict := range []string{"good", "bad"} {
		files, err := filepath.Glob(testenv.Recorded(t, "knossos", "*", verdict, "*"))
		require.NoError(t, err)
		want := engine.Linearizable
		if verdict == "bad" {
			want = engine.NotLinearizable
		}
		for _, file := range files {
			expect(t, file, want)
			n++
		}
	}
	assert.Equal(t, 61, n)
}

func TestFastlinHistoriesHaveTheirVerdicts(t *testing.T) {
	files, err := filepath.Glob(testenv.Recorded(t, "fastlin", "*", "*.log"))
	require.NoError(t, err)
	assert.Len(t, files, 9)
	for _, file := range files {
		want := engine.Linearizable
		if strings.HasPrefix(filepath.Base(file), "nonlin") {
			want = engine.NotLinearizable
		}
		expect(t, file, want)
	}
}

// TestViolinHistoriesHaveTheirVerdicts has no stated verdicts: the engines must agree.
func TestViolinHistoriesHaveTheirVerdicts(t *testing.T) {
	var files []string
	for _, pattern := range []string{"simple/*.log", "small/*/*", "big/*/*"} {
		found, err := filepath.Glob(testenv.Recorded(t, "violin", pattern))
		require.NoError(t, err)
		files = append(files, found...)
	}
	assert.Len(t, files, 9+500+5)
	decided := map[engine.Verdict]int{}
	for _, file := range files {
		s, h := recorded(t, file)
		big := len(h.Ops) > 1000
		if big && !testenv.Full() {
			continue
		}
		choice := "all"
		if big {
			choice = "auto"
		}
		r, err := linsat.Check(context.Background(), s, h, linsat.Engine(linsat.Engines(choice)))
		require.NoError(t, err, file)
		assert.NotEqual(t, engine.Unknown, r.Verdict, "%s: %v %s", file, r.Cause, r.Detail)
		decided[r.Verdict]++
	}
	t.Logf("violin: %v", decided)
}

// BenchmarkEtcd checks the 102 etcd logs by search, verdicts asserted; parsing apart.
func BenchmarkEtcd(b *testing.B) {
	type item struct {
		s    model.Spec
		h    *history.History
		want engine.Verdict
	}
	var items []item
	for _, v := range testenv.Verdicts(b, "jepsen") {
		s, h := recorded(b, v.File)
		items = append(items, item{s, h, verdict(v.Linearizable)})
	}
	require.Len(b, items, 102)
	// verdicts and failures, without arguments
	for _, e := range []string{"search", "auto"} {
		b.Run("engine="+string(e), func(b *testing.B) {
			var steps int64
			for b.Loop() {
				steps = 0
				for _, x := range items {
					r, err := linsat.Check(context.Background(), x.s, x.h, linsat.Engine(linsat.Engines(e)),
						linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
					if err != nil || r.Verdict != x.want {
						b.Fatalf("%s: %v %v, want %v", x.h.Source, r.Verdict, err, x.want)
					}
					steps += r.Effort.Steps
				}
			}
			b.ReportMetric(float64(steps), "steps")
		})
	}
}
