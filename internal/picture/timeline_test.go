package picture

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	testenv.Golden(t, filepath.Join("testdata", name), got)
}

const queueWithNotes = `{"spec": "queue", "operations": [
 {"process": "writer", "f": "enq", "arg": 1, "call": 100, "return": 250},
 {"process": "writer", "f": "enq", "arg": 2, "call": 300, "return": 420},
 {"process": "a", "f": "deq", "call": 150, "return": 330, "result": 1},
 {"process": "a", "f": "deq", "call": 340, "return": 500, "result": 2},
 {"process": "b", "f": "deq", "call": 120, "return": 200, "result": null},
 {"process": "b", "f": "enq", "arg": 3, "call": 320},
 {"process": "writer", "f": "enq", "arg": 4, "call": 600, "return": 700},
 {"process": "a", "f": "deq", "call": 610, "return": 900, "result": 4}],
 "events": [{"time": 310, "text": "node 2 killed"}, {"time": 315, "text": "partition 1 | 2 3"}]}`

// fixed are the histories of the golden files.
func fixed(t *testing.T) map[string]*Picture {
	t.Helper()
	example, err := history.ReadFile(filepath.Join("..", "..", "examples", "histories", "stale-read.json"),
		history.ReadOptions{})
	require.NoError(t, err)
	relaxed, err := gen.Generate(gen.Options{Spec: "queue", Operations: 24, Relax: 1, Seed: 5})
	require.NoError(t, err)
	long, err := gen.Generate(gen.Options{Spec: "register", Operations: 2000, Processes: 6, PendingRate: 0.003,
		Violation: "unwritten", Seed: 4})
	require.NoError(t, err)
	core := wordstest.Parse(t, `{"spec": "queue", "operations": [
		{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1},
		{"process": 1, "f": "enq", "arg": 2, "call": 2, "return": 3},
		{"process": 2, "f": "deq", "call": 4, "return": 5, "result": 2},
		{"process": 0, "f": "deq", "call": 6, "return": 7, "result": 1}]}`)
	run := wordstest.Checked(t, core)
	hl := FailureHighlight(&run.Result)
	hl.Operations, hl.Edges = []history.OpID{0, 1, 2, 3}, [][2]history.OpID{{0, 1}, {2, 3}}
	hl.Sentences = []string{"enq 1 (#0) returned before enq 2 (#1) was called, so deq → 1 (#3) comes before deq → 2 " +
		"(#2)."}
	return map[string]*Picture{
		"stale": picture(t, wordstest.Parse(t, staleRead)), "notes": picture(t, wordstest.Parse(t, queueWithNotes)),
		"example": picture(t, example),
		"quasi":   picture(t, relaxed.History, wordstest.Slots(t, "1")), "long": picture(t, long.History),
		"core": New(run, hl),
	}
}

func TestTimelineGolden(t *testing.T) {
	for name, p := range fixed(t) {
		for _, width := range []int{60, 100, 160} {
			var b strings.Builder
			Timeline{Width: width}.Draw(&b, p)
			golden(t, fmt.Sprintf("%s-%d.txt", name, width), b.String())
		}
	}
	var b strings.Builder
	Timeline{Width: 100, Color: true}.Draw(&b, fixed(t)["stale"])
	golden(t, "stale-color.txt", b.String())
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestTimelineKeepsItsWidth: no line is wider than the screen, every operation that is shown is
// named where there is room, and colours change nothing but the marks.
func TestTimelineKeepsItsWidth(t *testing.T) {
	for seed := range uint64(full(300)) {
		r := rand.New(rand.NewPCG(seed, 4))
		h := scattered(t, r, 30)
		var hl Highlight
		for range r.IntN(4) {
			hl.Operations = append(hl.Operations, history.OpID(r.IntN(len(h.Ops))))
		}
		p := New(&words.Run{History: h}, hl)
		width := 40 + r.IntN(120)
		var plainText, colored, wide strings.Builder
		Timeline{Width: width}.Draw(&plainText, p)
		lines := strings.Split(plainText.String(), "\n")
		for _, line := range lines[:len(lines)-2] { // the legend apart
			require.LessOrEqual(t, utf8.RuneCountInString(line), width, "seed %d: %q", seed, line)
		}
		Timeline{Width: 5000}.Draw(&wide, p)
		w := p.Lay(40, Sizes{Bar: func(*Bar) int { return 1 }, Fold: func(int) int { return 1 }})
		if !p.Highlight.Empty() {
			w = p.Lay(16, Sizes{Bar: func(*Bar) int { return 1 }, Fold: func(int) int { return 1 }})
		}
		for _, i := range w.Bars {
			text := "├─" + p.Bars[i].Text + " #" + p.Bars[i].ID + "─"
			if p.Bars[i].Highlighted {
				text = strings.Replace(text, "├─", "├─*", 1)
			}
			require.Contains(t, wide.String(), strings.TrimSuffix(text, "─"), "seed %d", seed)
		}
		Timeline{Width: 5000, Color: true}.Draw(&colored, p)
		require.Equal(t, strings.Count(wide.String(), "├"),
			strings.Count(escapes.ReplaceAllString(colored.String(), ""), "├"), "seed %d", seed)
		require.NotContains(t, plainText.String(), "\x1b", "seed %d", seed)
	}
}

// TestTerminalIsSafe: what a history holds cannot steer the terminal.
func TestTerminalIsSafe(t *testing.T) {
	p := New(&words.Run{History: wordstest.Parse(t, `{"spec": "register", "operations": [
		{"process": "a\u001b[31m", "f": "write\u001b]0;x\u0007", "arg": "\u001b[2J", "call": 0, "return": 1}],
		"events": [{"time": 0, "text": "\u001b[1mnote\n"}]}`)}, Highlight{})
	var b strings.Builder
	Timeline{Width: 100}.Draw(&b, p)
	assert.NotContains(t, b.String(), "\x1b")
	assert.NotContains(t, b.String(), "\x07")
	assert.Contains(t, b.String(), "note")
}
