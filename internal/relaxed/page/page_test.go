package page_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/internal/relaxed/page"
	"github.com/stretchr/testify/require"
)

// passing passes a message through a flag, which a third thread sets again.
func passing(flag c11.Order) c11.Program {
	return func(x *c11.Exec) {
		data, ready := c11.NewCell(x, "data", 0), c11.NewAtomic(x, "ready<script>", 0)
		x.Go(func() {
			data.Store(42)
			ready.Store(1, flag)
		})
		x.Go(func() {
			if ready.Load(c11.Acquire) == 1 {
				_ = data.Load()
			}
		})
		x.Go(func() { ready.CompareAndSwap(1, 2, c11.AcqRel, c11.Relaxed) })
	}
}

// find returns the first execution with an outcome and at least so many events.
func find(t *testing.T, p c11.Program, o c11.Outcome, events int) *c11.Graph {
	var found *c11.Graph
	_, err := c11.Run(p, c11.Options{Trace: true}, func(g *c11.Graph) bool {
		if g.Outcome == o && len(g.Events) >= events {
			found = g.Clone()
		}
		return found == nil
	})
	require.NoError(t, err)
	require.NotNil(t, found)
	return found
}

func written(t *testing.T, p page.Page) string {
	var out bytes.Buffer
	require.NoError(t, page.HTML(&out, p))
	if dir := os.Getenv("LINSAT_PAGES"); dir != "" {
		require.NoError(t, os.WriteFile(dir+"/"+p.Title+".html", out.Bytes(), 0o644))
	}
	return out.String()
}

// A page draws each event once and each relation that there is, and nothing of the program's texts
// gets out of its place.
func TestPagesShowExecutions(t *testing.T) {
	g := find(t, passing(c11.Release), c11.Complete, 7)
	html := written(t, page.Page{Title: "message", Verdict: "allowed", OK: true, Graph: g, Text: g.Text()})
	require.Equal(t, 5, strings.Count(html, `<g class="event">`))
	require.Contains(t, html, "ready&lt;script&gt;")
	require.NotContains(t, html, "<script>")
	require.NotContains(t, html, "&amp;lt;")
	for relation, n := range map[string]int{"rf": 2, "sw": 1, "sb": 2, "race": 0} {
		require.GreaterOrEqual(t, strings.Count(html, `<path class="`+relation+`"`), n, relation)
	}
	require.NotContains(t, html, `id="show-race"`)

	race := find(t, passing(c11.Relaxed), c11.Race, 3)
	html = written(t, page.Page{Title: "race", Verdict: "data race", Graph: race})
	require.Equal(t, 2, strings.Count(html, `<g class="event bad">`))
	require.Equal(t, 1, strings.Count(html, `<path class="race"`))
	require.Contains(t, html, "page_test.go:")
}

func TestPagesReturnTheErrorOfTheWriter(t *testing.T) {
	full := errors.New("disk full")
	g := find(t, passing(c11.Release), c11.Complete, 2)
	require.ErrorIs(t, page.HTML(failing{full}, page.Page{Graph: g}), full)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
