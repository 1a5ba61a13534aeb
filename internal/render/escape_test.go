package render

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// evil is text that steers a terminal: it clears the screen, rings, turns the direction, forges a
// line, and does the same in C1 and in a byte that is not UTF-8.
const evil = "\x1b[2J\a\x7f\u009b31m\u202e\u2066\nx: linearizable\r"

// describedBadly is a specification of a user whose states and refusals are evil.
func describedBadly(t *testing.T) model.Spec {
	s, err := spec.Define(spec.Definition[string]{
		Name: "cell " + evil, Summary: "a cell",
		Step: func(s string, c spec.Call) []spec.Outcome[string] {
			if c.F == "write"+evil {
				return []spec.Outcome[string]{{Next: c.Arg.(string), AnyOutput: true}}
			}
			return []spec.Outcome[string]{{Output: s, Next: s}}
		},
		Describe: func(s string) string { return "state " + s + evil },
		Refusal:  func(s string, _ spec.Call, _ spec.Result) string { return "why " + s + evil },
	})
	require.NoError(t, err)
	return model.Full(s)
}

// TestNothingSteersTheTerminal: whatever the texts of a history and its specification are, what is
// printed about them has no control characters but line feeds, and those of our colours.
func TestNothingSteersTheTerminal(t *testing.T) {
	mine := strings.NewReplacer(words.Green, "", words.Red, "", words.Yellow, "", words.Faint, "", words.Bold, "",
		words.Plain, "")
	register, _ := specs.Lookup("register")
	queue, _ := specs.Lookup("queue")
	for _, c := range []struct {
		name    string
		spec    model.Spec
		ops     [][3]string // name, argument, result
		keyed   bool
		options []linsat.Option
		verdict engine.Verdict
	}{
		{"yes", register, [][3]string{{"write", evil, ""}, {"read", "", evil}}, false, nil, engine.Linearizable},
		{"several objects", register, [][3]string{{"write", evil, ""}, {"read", "", evil}}, true, nil,
			engine.Linearizable},
		{"no with a core", register, [][3]string{{"write", evil, ""}, {"read", "", "b" + evil}}, false, nil,
			engine.NotLinearizable},
		{"no in one object", register, [][3]string{{"write", evil, ""}, {"read", "", "b" + evil}}, true, nil,
			engine.NotLinearizable},
		{"no with all cores", queue, [][3]string{{"enq", evil, ""}, {"deq", "", "b" + evil}, {"deq", "", "c" + evil}},
			false, []linsat.Option{linsat.Explain(linsat.ExplainOptions{Cores: linsat.AllCores})},
			engine.NotLinearizable},
		{"a user's specification", describedBadly(t), [][3]string{{"write" + evil, evil, ""},
			{"read" + evil, "", "b" + evil}}, false, nil, engine.NotLinearizable},
		{"unknown", register, [][3]string{{"write", evil, ""}, {"read", "", evil}}, true,
			[]linsat.Option{linsat.Steps(1), linsat.Engine("search")}, engine.Unknown},
		{"quasi yes", queue, [][3]string{{"enq", "a" + evil, ""}, {"enq", "b" + evil, ""}, {"deq", "", "b" + evil}},
			false,
			[]linsat.Option{linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, 1, 0}, Drain: true})},
			engine.Linearizable},
		{"quasi no", queue, [][3]string{{"enq", "a" + evil, ""}, {"enq", "b" + evil, ""}, {"deq", "", "b" + evil}},
			false,
			[]linsat.Option{linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, 0, 0}, Drain: true})},
			engine.NotLinearizable},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := history.NewBuilder()
			b.SetSpec(c.spec.Info().Name)
			for i, o := range c.ops {
				r := history.Record{Process: b.Process(fmt.Sprint("p", i, evil)), ID: fmt.Sprint("id", i, evil),
					F: b.Values.String(o[0]), Key: history.NoKey,
					Call: int64(2 * i), Return: int64(2*i + 1)}
				if c.keyed {
					r.Key = b.Values.String("key" + evil)
				}
				if o[1] != "" {
					r.Arg = b.Values.String(o[1])
				}
				if o[2] != "" {
					r.Result = b.Values.String(o[2])
				}
				_, err := b.Add(r)
				require.NoError(t, err)
			}
			b.Annotate(history.Note{Time: 1, End: 2, Process: "process " + evil, Text: "note " + evil,
				Details: "details " + evil, Color: evil, Background: evil})
			h, err := b.Finish()
			require.NoError(t, err)
			r, err := linsat.Check(context.Background(), c.spec, h, c.options...)
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Verdict)
			run := &words.Run{File: "file" + evil, History: h, Result: *result.Of(r)}
			p := picture.New(run, picture.CoreHighlight(&run.Result))
			for _, color := range []bool{false, true} {
				var out strings.Builder
				words.Text(&out, run, words.Style{Color: color, Witness: 24})
				picture.Timeline{Width: 100, Color: color}.Draw(&out, p)
				harmless(t, mine.Replace(out.String()))
				assert.Contains(t, out.String(), `file\x1b[2J\a\x7f\u009b31m\u202e\u2066\nx: linearizable\r: `)
				assert.Contains(t, out.String(), `p0\x1b[2J`)
			}
			harmless(t, drawSVG(t, p))
			for _, text := range texts(inlined(t, page(t, p))) {
				harmless(t, text)
				assert.NotContains(t, text, "\n")
			}
		})
	}
}

// harmless checks that a text has no control characters but line feeds.
func harmless(t *testing.T, text string) {
	t.Helper()
	for _, r := range strings.ReplaceAll(text, "\n", "") {
		if !assert.True(t, unicode.IsPrint(r), "%q in %q", r, text) {
			return
		}
	}
}

// texts lists what a page shows.
func texts(d pageData) []string {
	out := append([]string{d.Source, d.Verdict}, d.Lanes...)
	for _, f := range d.Facts {
		out = append(out, f[:]...)
	}
	for _, b := range d.Bars {
		out = append(out, b.ID, b.Text, b.F, b.Key, b.Arg, b.Result)
	}
	for _, n := range d.Notes {
		out = append(out, n.Process, n.Text, n.Details, n.Color, n.Background)
	}
	for _, about := range d.Reasons {
		out = append(out, about.Key, about.Title)
		for _, o := range about.Orders {
			out = append(out, o.Name, o.Title)
			for _, s := range o.Steps {
				out = append(out, s.Label, s.State)
			}
		}
		for _, s := range about.Sentences {
			for _, span := range s {
				out = append(out, span.Text)
			}
		}
		for _, b := range about.Before {
			out = append(out, b.State)
			for _, r := range b.Refused {
				out = append(out, r.Why)
			}
		}
	}
	return out
}
