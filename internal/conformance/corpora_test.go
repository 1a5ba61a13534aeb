package conformance_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corpora returns the folder of recorded histories, or skips: tests must say that they did
// not run, and with LINSAT_REQUIRE_CORPORA=1 they may not.
func corpora(t testing.TB) string {
	return testenv.Recorded(t)
}

// recorded reads a file of the corpora, as the given specification if the file names none.
func recorded(t testing.TB, path string) (model.Spec, *history.History) {
	h, err := history.ReadFile(path, history.ReadOptions{})
	require.NoError(t, err)
	if h.Spec == "" {
		guess, err := specs.Recognise(h)
		require.NoError(t, err, path)
		return guess.Spec, h
	}
	s, ok := specs.Lookup(h.Spec)
	require.True(t, ok, "%s names specification %q", path, h.Spec)
	return s, h
}

// expect checks one history with every engine and all of them together.
func expect(t *testing.T, path string, want engine.Verdict) {
	s, h := recorded(t, path)
	for _, e := range []linsat.EngineChoice{linsat.OnlySearch, linsat.OnlySAT, linsat.Auto, linsat.All} {
		r, err := linsat.Check(context.Background(), s, h, linsat.Engine(e))
		require.NoError(t, err, "%s by %s", path, e)
		assert.Equal(t, want, r.Verdict, "%s by %s: %v %s", path, e, r.Cause, r.Detail)
		assert.True(t, r.Certified || want == engine.NotLinearizable, "%s by %s: %s", path, e, r.Uncertified)
	}
}

func TestPorcupineHistoriesHaveTheirVerdicts(t *testing.T) {
	dir := filepath.Join(corpora(t), "porcupine")
	f, err := os.Open(filepath.Join(dir, "verdicts.csv"))
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 109, "a header and 108 histories")
	for _, row := range rows[1:] {
		want := engine.NotLinearizable
		if row[1] == "true" {
			want = engine.Linearizable
		}
		expect(t, filepath.Join(dir, row[0]), want)
	}
}

func TestKnossosHistoriesHaveTheirVerdicts(t *testing.T) {
	n := 0
	for _, verdict := range []string{"good", "bad"} {
		files, err := filepath.Glob(filepath.Join(corpora(t), "knossos", "*", verdict, "*"))
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
	files, err := filepath.Glob(filepath.Join(corpora(t), "fastlin", "*", "*.log"))
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
		found, err := filepath.Glob(filepath.Join(corpora(t), "violin", pattern))
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
		choice := linsat.All
		if big {
			choice = linsat.Auto
		}
		r, err := linsat.Check(context.Background(), s, h, linsat.Engine(choice))
		require.NoError(t, err, file)
		assert.NotEqual(t, engine.Unknown, r.Verdict, "%s: %v %s", file, r.Cause, r.Detail)
		decided[r.Verdict]++
	}
	t.Logf("violin: %v", decided)
}

// BenchmarkEtcd checks the 102 etcd logs by search, verdicts asserted; parsing apart.
func BenchmarkEtcd(b *testing.B) {
	dir := filepath.Join(corpora(b), "porcupine")
	f, err := os.Open(filepath.Join(dir, "verdicts.csv"))
	require.NoError(b, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(b, err)
	type item struct {
		s    model.Spec
		h    *history.History
		want engine.Verdict
	}
	var items []item
	for _, row := range rows[1:] {
		if !strings.HasPrefix(row[0], "jepsen/") {
			continue
		}
		s, h := recorded(b, filepath.Join(dir, row[0]))
		want := engine.NotLinearizable
		if row[1] == "true" {
			want = engine.Linearizable
		}
		items = append(items, item{s, h, want})
	}
	require.Len(b, items, 102)
	// verdicts and failures, without arguments
	for _, e := range []linsat.EngineChoice{linsat.OnlySearch, linsat.Auto} {
		b.Run("engine="+string(e), func(b *testing.B) {
			var steps int64
			for b.Loop() {
				steps = 0
				for _, x := range items {
					r, err := linsat.Check(context.Background(), x.s, x.h, linsat.Engine(e), linsat.Argue(0))
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
