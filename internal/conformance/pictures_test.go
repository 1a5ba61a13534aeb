package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pictured checks a history, each refuted object with its argument, and returns the picture of the
// answer; nil if it is linearizable.
func pictured(t *testing.T, s model.Spec, h *history.History, options ...linsat.Option) *picture.Picture {
	t.Helper()
	r, err := linsat.Check(context.Background(), s, h,
		append(options, linsat.Explain(linsat.ExplainOptions{EachPartition: true}))...)
	require.NoError(t, err)
	if r.Verdict != engine.NotLinearizable {
		return nil
	}
	of := full(&r)
	return picture.New(&words.Run{History: h, Result: *of}, picture.CoreHighlight(of))
}

// reference is how sentences name an operation of a history without identifiers.
var reference = regexp.MustCompile(`\(#(\d+)\)|[^\w"]#(\d+)`)

// showsWhatItNames requires that every operation that the sentences of a picture name is
// highlighted where they stand: in the picture, and on the page for each refuted object. It returns
// how many are named.
func showsWhatItNames(t *testing.T, h *history.History, p *picture.Picture, about string) (count int) {
	t.Helper()
	byID := map[string]history.OpID{}
	for i := range h.Ops {
		byID[h.ID(history.OpID(i))] = history.OpID(i)
	}
	var page bytes.Buffer
	require.NoError(t, render.HTML(&page, p))
	var data struct {
		Reasons []struct {
			Core []history.OpID `json:"core"`
		} `json:"reasons"`
	}
	_, script, _ := strings.Cut(page.String(), `<script id="data" type="application/json">`)
	script, _, _ = strings.Cut(script, "</script>")
	require.NoError(t, json.Unmarshal([]byte(script), &data), about)
	reasons := append([]picture.Reason{p.Reason}, p.Others...)
	require.Len(t, data.Reasons, len(reasons), about)
	for k, reason := range reasons {
		for _, sentence := range reason.Highlight.Sentences {
			for _, m := range reference.FindAllStringSubmatch(sentence, -1) {
				i, known := byID[m[1]+m[2]]
				if !known {
					continue // a rule or a value
				}
				count++
				assert.Contains(t, reason.Highlight.Operations, i, "%s: %s", about, sentence)
				assert.Contains(t, data.Reasons[k].Core, i, "%s: the page on %s", about, sentence)
				if k == 0 {
					assert.True(t, p.Bars[i].Highlighted, "%s: %s", about, sentence)
				}
			}
		}
	}
	return count
}

// TestPicturesShowWhatTheArgumentNames: an operation that the argument names is red. The violations
// are generated, with pending operations and several keys, and decided by each engine.
func TestPicturesShowWhatTheArgumentNames(t *testing.T) {
	named := 0
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(testenv.Scale(4, 100)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Least: 6, Most: 12, Keys: 2, NoEdges: seed%2 == 0})
			require.NoError(t, err)
			h.IDs = nil
			for _, e := range []string{"auto", "search", "monitor"} {
				if p := pictured(t, s, h, linsat.Engine(linsat.Engines(e))); p != nil {
					named += showsWhatItNames(t, h, p, name)
				}
			}
		}
		for _, v := range gen.Violations() {
			g, err := gen.Generate(gen.Options{Spec: name, Operations: testenv.Scale(60, 400), Violation: v, Seed: 3,
				PendingRate: 0.03, Keys: 3})
			if err != nil {
				continue // not of this specification
			}
			if p := pictured(t, s, g.History); p != nil {
				named += showsWhatItNames(t, g.History, p, name+" "+string(v))
			}
		}
	}
	assert.Greater(t, named, testenv.MoreThan(0))
}

// TestPicturesOfRecordedViolationsShowWhatTheArgumentNames is the same for the corpora.
func TestPicturesOfRecordedViolationsShowWhatTheArgumentNames(t *testing.T) {
	dir := testenv.Recorded(t)
	named := 0
	for _, pattern := range []string{"porcupine/jepsen/*.log", "porcupine/kv/*.txt", "knossos/*/bad/*",
		"fastlin/*/*.log", "violin/simple/*.log", "violin/small/*/*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		for k, file := range files {
			info, err := os.Stat(file)
			require.NoError(t, err)
			if info.Size() == 0 || !testenv.Full() && k%8 > 0 {
				continue
			}
			s, h := recorded(t, file)
			if len(h.Ops) == 0 {
				continue
			}
			if p := pictured(t, s, h); p != nil {
				named += showsWhatItNames(t, h, p, file)
			}
		}
	}
	assert.Greater(t, named, testenv.MoreThan(0))
}
