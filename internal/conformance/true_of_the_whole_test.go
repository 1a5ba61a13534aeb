package conformance_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An argument is about the beginning of a history, but a reader takes its sentences to be about the
// whole. This reads what they say of values that are never put in or taken out, or later, and looks
// at every operation of the history, without the program's own reading of it.
var (
	neverOut = regexp.MustCompile(`(?:\(#([^\s()]+)\)|#([^\s()]+)) is never taken out`)
	neverIn  = regexp.MustCompile(`: (\S+) is never put in`)
	laterOut = regexp.MustCompile(
		`(?:\(#([^\s()]+)\)|#([^\s()]+)) is not taken out before .*?#([^\s()]+)\)? returns \(.*?#([^\s()]+)\)? takes it out later\)`)
	laterIn  = regexp.MustCompile(`: (\S+) is not put in before that; [^;]*?\(#([^\s()]+)\) comes later`)
	takesOut = regexp.MustCompile(`^[^:]*?\(#([^\s()]+)\)`)
	removal  = map[string]bool{"deq": true, "pop": true, "remove": true, "dequeue": true, "take": true, "poll": true,
		"deletemin": true}
	insertion = map[string]bool{"enq": true, "push": true, "insert": true, "add": true, "enqueue": true,
		"put": true, "offer": true}
)

// wholeHistory knows operations by their names in sentences.
type wholeHistory struct {
	t  *testing.T
	h  *history.History
	of map[string]*history.Op
}

func readWhole(t *testing.T, h *history.History) *wholeHistory {
	w := &wholeHistory{t, h, map[string]*history.Op{}}
	for i := range h.Ops {
		w.of[h.ID(history.OpID(i))] = &h.Ops[i]
	}
	return w
}

func (w *wholeHistory) name(o *history.Op) string {
	return strings.ToLower(strings.Trim(w.h.Values.Format(o.F), `"`))
}

func (w *wholeHistory) inserts(o *history.Op) bool { return insertion[w.name(o)] }

func (w *wholeHistory) inserted(o *history.Op) string {
	return w.h.Values.Format(o.Arg)
}

// judge counts the statements that it could judge.
func (w *wholeHistory) judge(sentence, about string) (judged int) {
	either := func(a, b string) *history.Op {
		o := w.of[a+b]
		require.NotNil(w.t, o, "%s: %s", about, sentence)
		return o
	}
	for _, m := range neverOut.FindAllStringSubmatch(sentence, -1) {
		y := either(m[1], m[2])
		for id, o := range w.of {
			if removal[w.name(o)] && o.Key == y.Key && w.h.Values.Format(o.Result) == w.inserted(y) && !o.Unknown &&
				o.Return != history.Never {
				w.t.Errorf("%s: %s; but #%s took it out", about, sentence, id)
			}
		}
		judged++
	}
	for _, m := range neverIn.FindAllStringSubmatch(sentence, -1) {
		taker := takesOut.FindStringSubmatch(strings.TrimPrefix(sentence, "CONTRADICTION: "))
		require.NotNil(w.t, taker, sentence)
		for id, o := range w.of {
			if w.inserts(o) && o.Key == w.of[taker[1]].Key && w.inserted(o) == m[1] {
				w.t.Errorf("%s: %s; but #%s puts it in", about, sentence, id)
			}
		}
		judged++
	}
	for _, m := range laterOut.FindAllStringSubmatch(sentence, -1) {
		y, until, r := either(m[1], m[2]), either(m[3], ""), either(m[4], "")
		assert.Equal(w.t, w.inserted(y), w.h.Values.Format(r.Result), "%s: %s", about, sentence)
		assert.Greater(w.t, r.Call, until.Return, "%s: %s", about, sentence)
		judged++
	}
	for _, m := range laterIn.FindAllStringSubmatch(sentence, -1) {
		taker := takesOut.FindStringSubmatch(strings.TrimPrefix(sentence, "CONTRADICTION: "))
		require.NotNil(w.t, taker, sentence)
		i := either(m[2], "")
		assert.Equal(w.t, m[1], w.inserted(i), "%s: %s", about, sentence)
		assert.Greater(w.t, i.Call, w.of[taker[1]].Return, "%s: %s", about, sentence)
		judged++
	}
	return judged
}

// TestSentencesOfCollectionsAreTrueOfTheWhole judges what is said of recorded, generated and small
// random violations.
func TestSentencesOfCollectionsAreTrueOfTheWhole(t *testing.T) {
	judged, later := 0, 0
	look := func(h *history.History, about string) {
		_, sentences := sentencesOf(t, h)
		w := readWhole(t, h)
		for _, s := range sentences {
			judged += w.judge(s, about)
			if strings.Contains(s, " later") {
				later++
			}
		}
	}
	for _, name := range []string{"queue", "stack"} {
		for _, v := range []gen.Violation{gen.Swap, gen.Lost, gen.NeverWritten, gen.Stale} {
			for seed := range uint64(testenv.Scale(4, 200)) {
				c, err := gen.Generate(gen.Options{Spec: name, Operations: 60, Violation: v, Seed: seed,
					PendingRate: 0.02 * float64(seed%2)})
				if err == nil {
					look(c.History, fmt.Sprintf("%s of a %s, seed %d", v, name, seed))
				}
			}
		}
		for seed := range uint64(testenv.Scale(400, 20_000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Least: 3, Most: 8, Keys: 1, Distinct: seed%2 == 0})
			require.NoError(t, err)
			look(h, fmt.Sprintf("%s, seed %d", name, seed))
		}
	}
	if dir, ok := testenv.RecordedIfAny("violin", "small"); ok {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*.log"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			h, err := history.ReadFile(file, history.ReadOptions{})
			require.NoError(t, err)
			if h.Spec == "" {
				guess, err := specs.Recognise(h)
				require.NoError(t, err)
				h.Spec = guess.Spec.Info().Name
			}
			look(h, file)
		}
	}
	assert.Greater(t, judged, testenv.MoreThan(100))
	assert.Greater(t, later, testenv.MoreThan(30))
}
