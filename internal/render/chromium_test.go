package render

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outcome is what the page's own check says.
type outcome struct {
	OK     bool     `json:"ok"`
	Wrong  []string `json:"wrong"`
	Bars   int      `json:"bars"`
	Core   int      `json:"core"`
	Orders int      `json:"orders"`
}

var selfcheck = regexp.MustCompile(`data-selfcheck="([^"]*)"`)

// inBrowser opens a page by file://, lets it check itself, and fails on anything that it says on
// the console.
func inBrowser(t *testing.T, p *picture.Picture) outcome {
	t.Helper()
	browser := testenv.Browser(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(file, []byte(page(t, p)), 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+
			filepath.Join(dir, "profile"),
		"--window-size=1400,900", "--enable-logging=stderr", "--v=0", "--dump-dom", "file://"+file+"#selfcheck")
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	cmd.WaitDelay = 5 * time.Second
	require.NoError(t, cmd.Run(), log.String())
	for _, line := range strings.Split(log.String(), "\n") {
		assert.NotContains(t, line, "CONSOLE")
	}
	found := selfcheck.FindStringSubmatch(out.String())
	require.NotNil(t, found, "the page has not checked itself:\n%s", log.String())
	var o outcome
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(found[1])), &o))
	assert.True(t, o.OK)
	assert.Empty(t, o.Wrong)
	assert.Equal(t, len(p.Bars), o.Bars)
	return o
}

func TestChromium(t *testing.T) {
	testenv.Browser(t)
	pictures := fixed(t)
	t.Run("yes", func(t *testing.T) {
		t.Parallel()
		o := inBrowser(t, pictures["notes"])
		assert.Equal(t, 1, o.Orders)
		assert.Zero(t, o.Core)
	})
	t.Run("no", func(t *testing.T) {
		t.Parallel()
		o := inBrowser(t, pictures["core"])
		assert.Equal(t, 4, o.Core)
	})
	t.Run("quasi", func(t *testing.T) {
		t.Parallel()
		o := inBrowser(t, pictures["quasi"])
		assert.Equal(t, 2, o.Orders)
	})
	t.Run("several objects", func(t *testing.T) {
		t.Parallel()
		h := wordstest.Parse(t, `{"spec": "register", "operations": [
			{"process": 0, "key": "x", "f": "read", "result": 1, "call": 0, "return": 1},
			{"process": 10, "key": "y", "f": "read", "result": 2, "call": 2, "return": 3},
			{"process": 2, "key": "z", "f": "write", "arg": 3, "call": 4, "return": 5}]}`)
		p := pictured(t, h)
		assert.Len(t, p.Refuted, 2)
		inBrowser(t, p)
	})
	t.Run("several objects with reasons", func(t *testing.T) {
		t.Parallel()
		h := wordstest.Parse(t, severalKeys)
		p := pictured(t, h, linsat.Explain(linsat.ExplainOptions{EachPartition: true}))
		assert.Len(t, p.Refuted, 3)
		assert.Len(t, p.Others, 2)
		d := inlined(t, page(t, p))
		for k, key := range []string{`"x"`, `"y"`, `"z"`} {
			assert.Equal(t, key, d.Reasons[k].Key)
			assert.NotEmpty(t, d.Reasons[k].Core)
			// the only operation of y has none
			assert.Equal(t, key == `"y"`, len(d.Reasons[k].Partials) == 0)
		}
		assert.NotEqual(t, d.Reasons[0].Sentences, d.Reasons[1].Sentences)
		inBrowser(t, p)
	})
	for name, input := range map[string]string{"an account": shortBank, "an element": lostElement,
		"an open cas": openCas} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pictured(t, wordstest.Parse(t, input))
			require.NotNil(t, p.Finding)
			d := inlined(t, page(t, p))
			assert.Equal(t, len(p.Finding.Rows), len(d.Reasons[0].Finding.Rows))
			inBrowser(t, p)
		})
	}
	t.Run("a cycle of transactions", func(t *testing.T) {
		t.Parallel()
		h := wordstest.Parse(t, `{"operations": [
			{"process": 0, "f": "txn", "arg": [["append", "x", 1]], "call": 0, "return": 10},
			{"process": 1, "f": "txn", "arg": [["r", "x", []], ["append", "y", 1]], "call": 20, "return": 30},
			{"process": 1, "f": "txn", "arg": [["r", "y", []]], "call": 40, "return": 50}]}`)
		hl := picture.Highlight{Operations: []history.OpID{0, 1, 2},
			Links: []picture.Link{{From: 0, To: 1, Why: "time"}, {From: 1, To: 0, Why: "rw", On: "x"},
				{From: 1, To: 2, Why: "session"}, {From: 2, To: 1, Why: "rw", On: "y"}},
			Sentences: []string{"#0 comes before #1, and #1 before #0; #2 reads without what #1 appended."}}
		p := picture.New(&words.Run{File: "h.json", History: h}, hl)
		p.Verdict, p.Answer = "not strict-serializable", engine.NotLinearizable
		assert.Equal(t, []pageLink{{0, 1, "time", ""}, {1, 0, "rw", "x"}, {1, 2, "session", ""}, {2, 1, "rw", "y"}},
			inlined(t, page(t, p)).Reasons[0].Links)
		assert.Equal(t, 3, inBrowser(t, p).Core)
	})
	t.Run("events", func(t *testing.T) {
		t.Parallel()
		p := pictured(t, wordstest.Parse(t, withEvents))
		assert.Len(t, p.Notes, 7)
		inBrowser(t, p)
	})
	t.Run("hostile", func(t *testing.T) {
		t.Parallel()
		inBrowser(t, pictured(t, wordstest.Parse(t, hostile)))
	})
	t.Run("10000 operations", func(t *testing.T) {
		t.Parallel()
		g, err := gen.Generate(gen.Options{Spec: "kv", Operations: 10000, Processes: 8, Keys: 4,
			PendingRate: 0.0005, Seed: 1})
		require.NoError(t, err)
		inBrowser(t, pictured(t, g.History))
	})
}

// TestChromiumSeesWrongPages: the check is able to fail, and a script that is not the page's own
// does not run.
func TestChromiumSeesWrongPages(t *testing.T) {
	browser := testenv.Browser(t)
	dir := t.TempDir()
	// the core is not drawn
	program, hash := script()
	broken := strings.Replace(program, "for (const i of top) drawBar(i);", "", 1)
	// and no key works
	broken = strings.Replace(broken, "listen();\n", "", 1)
	foreign := strings.Replace(page(t, fixed(t)["core"]), program, broken, 1)
	assert.Nil(t, selfcheck.FindSubmatch(shown(t, browser, dir, foreign)))
	found := selfcheck.FindSubmatch(shown(t, browser, dir, strings.Replace(foreign, hash,
		hashSource(broken), 1)))
	require.NotNil(t, found)
	var o outcome
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &o))
	assert.False(t, o.OK)
	assert.Contains(t, strings.Join(o.Wrong, "; "), "the core is coloured")
	assert.Contains(t, o.Wrong, "it zooms in")
}

// shown returns the document that a browser makes of a page that is to check itself.
func shown(t *testing.T, browser, dir, page string) []byte {
	t.Helper()
	file := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(file, []byte(page), 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--window-size=1400,900", "--dump-dom", "file://"+file+"#selfcheck")
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.Output()
	require.NoError(t, err)
	return out
}
