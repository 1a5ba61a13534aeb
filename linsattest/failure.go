package linsattest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/subhistory"
	"github.com/linsat/linsat/report"
)

// describe writes the files of a violation and says what is wrong, and where they are.
func (v *violation) describe(t testing.TB, c *check) string {
	var b strings.Builder
	small, r := v.shrink(c)
	fmt.Fprintf(&b, "not linearizable: run %d, %d operations", c.runs, len(v.history.Ops))
	if small != v.history {
		fmt.Fprintf(&b, "; %d of them contradict each other:", len(small.Ops))
	}
	b.WriteString("\n\n")
	var text strings.Builder
	if err := report.Text(&text, small, r); err != nil {
		fmt.Fprintf(&b, "the argument cannot be written: %v\n", err)
	}
	b.WriteString(clip(strings.Split(strings.TrimRight(text.String(), "\n"), "\n")))
	fmt.Fprintf(&b, "\n\nseed: -linsat.seed %d (the schedule is not repeated with it)\n", v.seed)
	files, err := v.write(t, small, r)
	if err != nil {
		fmt.Fprintf(&b, "the history cannot be kept: %v\n", err)
	}
	for _, f := range files {
		fmt.Fprintf(&b, "%s\n", f)
	}
	return b.String()
}

// shrink returns the least part of the history that it finds with the same contradiction, and its
// result; or the history itself.
func (v *violation) shrink(c *check) (*history.History, linsat.Result) {
	if v.result.Quasi != nil {
		return v.history, v.result // without an operation the others have other places
	}
	ask := func(part *history.History, reasons bool) (*result.Result, error) {
		options := c.options
		if !reasons {
			options = append(slices.Clone(options), linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
		}
		r, err := linsat.Check(context.Background(), v.spec, part, options...)
		return result.Of(r), err
	}
	small, err := subhistory.Shrink(v.history, result.Of(v.result), ask)
	if err != nil || small == nil {
		return v.history, v.result
	}
	r, err := linsat.Check(context.Background(), v.spec, small, c.options...)
	if err != nil || r.Verdict != linsat.NotLinearizable {
		return v.history, v.result
	}
	return small, r
}

// write keeps the history, its least part and the page of that, and returns one line for each file.
func (v *violation) write(t testing.TB, small *history.History, r linsat.Result) (lines []string, err error) {
	dir, err := directory(t)
	if err != nil {
		return nil, err
	}
	keep := func(what, name string, write func(w io.Writer) error) error {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		if err := write(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		lines = append(lines, fmt.Sprintf("%s: %s", what, path))
		return f.Close()
	}
	if err := keep("history", "history.jsonl", func(w io.Writer) error {
		return history.WriteJSONL(w, v.history)
	}); err != nil {
		return lines, err
	}
	if small != v.history {
		if err := keep("its least part", "shrunk.jsonl", func(w io.Writer) error {
			return history.WriteJSONL(w, small)
		}); err != nil {
			return lines, err
		}
	}
	return lines, keep("page", "violation.html", func(w io.Writer) error { return report.HTML(w, small, r) })
}

// clip joins lines, as many and as much of each as a test's output has room for.
func clip(lines []string) string {
	var all []string
	for _, l := range lines {
		all = append(all, strings.Split(l, "\n")...)
	}
	left := len(all) - mostLines
	if left > 0 {
		all = all[:mostLines]
	}
	for i, l := range all {
		if r := []rune(l); len(r) > mostColumns {
			all[i] = string(r[:mostColumns]) + " …"
		}
	}
	if left > 0 {
		all = append(all, fmt.Sprintf("… and %d more lines", left))
	}
	return strings.Join(all, "\n")
}
