package localize_test

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func page(t *testing.T, r *localize.Result) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.HTML(&b))
	return b.String()
}

// TestText: what a terminal shows of the paper's example.
func TestText(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, find(t, entry(t, "pairsnapshot"), localize.Options{}).Text(&b))
	text := b.String()
	for _, want := range []string{
		"pairsnapshot: not linearizable in 1 of 112 interleavings\n",
		"critical data race sequence Wg{5}G\nschedule 1001001\n",
		"►  1     WG    1       ┌ read([\"0\",\"1\"])                  read d[0]   1      fgvt/pairsnapshot.go:",
		"   7     B     1       └ read([\"0\",\"1\"]) → {\"0\":1,\"1\":2}",
		"race 6, G, at step 6 (they touch the array d, and one writes)\n  thread 0 first, as here: the only trace " +
			"fails\n      write d[0]   fgvt/pairsnapshot.go:",
		"  thread 1 first: all 4 traces are linearizable\n      read d[0]   fgvt/pairsnapshot.go:",
		"if x == p.d[0].Load() {",
		"history: not linearizable\n",
		"process 0 ├─*write",
	} {
		assert.Contains(t, text, want)
	}
	assert.NotRegexp(t, regexp.MustCompile(` +\n`), text)
}

// TestPage: the three parts stand beside each other, one row a step.
func TestPage(t *testing.T) {
	for _, row := range table2 {
		r := find(t, entry(t, row.name), localize.Options{})
		text := page(t, r)
		assert.NotContains(t, text, "http://")
		assert.NotContains(t, text, "https://")
		assert.NotContains(t, text, "<script")
		assert.Equal(t, len(r.Trace.Steps)+len(r.Case.After), strings.Count(text, `<div class="event"`), row.name)
		assert.Equal(t, len(r.Trace.Races), strings.Count(text, "<article "), row.name)
		assert.Equal(t, len(r.Trace.Sequence), strings.Count(text, `class="ring critical"`), row.name)
		assert.Equal(t, len(r.Trace.Execution.Ops), strings.Count(text, `<td class="lane in call`), row.name)
		rows := strings.Count(text, `<td class="n">`)
		assert.Equal(t, len(r.Trace.Steps)+len(r.Case.After)+1, rows, row.name)
		assert.Contains(t, text, fmt.Sprintf(`rowspan="%d"`, rows), row.name)
		assert.Equal(t, rows*(len(r.Case.Threads)), strings.Count(text, `<td class="cell">`), row.name)
	}
	fixed := page(t, find(t, entry(t, "snark-fixed"), localize.Options{}))
	assert.Contains(t, fixed, "linearizable in all 179,859 interleavings")
	assert.NotContains(t, fixed, "<table")
}

// TestPageEscapes: names and values from the object under test stay text.
func TestPageEscapes(t *testing.T) {
	const evil = `</td><script>alert(1)</script>`
	object := &explore.Object{Name: evil, Spec: "register", New: func(m *mem.Memory) explore.Instance {
		x := mem.NewVar[any](m, evil, nil)
		return func(f string, arg any) any {
			if f == "write" {
				x.Store(arg)
				x.Store(evil + "!")
				return nil
			}
			return x.Load()
		}
	}}
	e := &catalogue.Entry{Case: &explore.Case{Object: object, Threads: [][]explore.Call{{{F: "write", Arg: evil}},
		{{F: "read"}}}}}
	r := find(t, e, localize.Options{})
	require.NotNil(t, r.Trace)
	text := page(t, r)
	assert.NotContains(t, text, "<script")
	assert.Contains(t, text, "&lt;script&gt;")
}

// TestChromium opens the page by file://: nothing on the console, everything laid out, rows and
// tree in line, the races in colour.
func TestChromium(t *testing.T) {
	browser := testenv.Browser(t)
	dir := t.TempDir()
	file, shot := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.png")
	r := find(t, entry(t, "snark"), localize.Options{})
	require.NoError(t, os.WriteFile(file, []byte(page(t, r)), 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1",
		"--user-data-dir="+filepath.Join(dir, "profile"),
		"--window-size=1200,800", "--enable-logging=stderr", "--v=0", "--screenshot="+shot, "file://"+file)
	var log bytes.Buffer
	cmd.Stderr = &log
	cmd.WaitDelay = 5 * time.Second
	require.NoError(t, cmd.Run(), log.String())
	for _, line := range strings.Split(log.String(), "\n") {
		assert.NotContains(t, line, "CONSOLE")
	}
	f, err := os.Open(shot)
	require.NoError(t, err)
	defer f.Close()
	picture, err := png.Decode(f)
	require.NoError(t, err)
	// Along the left edge of the table a bar of the colour of races stands beside each racing step,
	// and rings of it around every critical node.
	edge := color.RGBA{0xc9, 0x8a, 0x00, 0xff}
	is := func(x, y int) bool {
		r, g, b, _ := picture.At(x, y).RGBA()
		return uint8(r>>8) == edge.R && uint8(g>>8) == edge.G && uint8(b>>8) == edge.B
	}
	bounds := picture.Bounds()
	var bars []int // the middle of each
	for y := 0; y < 740; y++ {
		start := y
		for y < bounds.Max.Y && is(23, y) {
			y++
		}
		if y-start > 20 {
			bars = append(bars, (start+y)/2)
		}
	}
	require.Len(t, bars, 3)
	for _, y := range bars {
		rings := 0
		for x := 500; x < bounds.Max.X; x++ {
			if is(x, y) && !is(x-1, y) {
				rings++
			}
		}
		assert.Equal(t, 2, rings, "the node beside the race at %d is cut twice", y)
	}
}
