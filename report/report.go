// Package report writes a result for people and for other programs: in words, as a page, as a
// picture, or as JSON. The command linsat writes the same.
package report

import (
	"errors"
	"io"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/memory"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/words"
)

// Text writes the result of checking h in words: the verdict with the order that proves it, or with
// the operation that cannot be placed, the facts that it rests on, and the argument from them.
// Control characters that the history holds are escaped. The error is that of w.
func Text(w io.Writer, h *history.History, r linsat.Result) error {
	if err := refuse(w, h, r, false); err != nil {
		return err
	}
	out := &keep{w: w}
	words.Text(out, run(h, r), words.Style{Witness: mostOfOrder})
	return out.err
}

// HTML writes a page that needs nothing else: the history as a picture to zoom and search, the
// reasons of a violation, the orders of a linearizable history step by step. The error is that of
// w.
func HTML(w io.Writer, h *history.History, r linsat.Result) error {
	if err := refuse(w, h, r, true); err != nil {
		return err
	}
	return render.HTML(w, pictured(h, r))
}

// Book writes one page like that of HTML for several results with their histories, to choose from;
// the first is shown at first. The error is that of w.
func Book(w io.Writer, pages []linsat.OpsResult) error {
	pictures := make([]*picture.Picture, len(pages))
	for k, p := range pages {
		if err := refuse(w, p.History, p.Result, true); err != nil {
			return err
		}
		pictures[k] = pictured(p.History, p.Result)
	}
	if w == nil {
		return errors.New("report: the writer is nil")
	}
	return render.Book(w, pictures)
}

// SVG writes the picture of the page alone. Of a long history it shows the operations around those
// that a violation rests on. The error is that of w.
func SVG(w io.Writer, h *history.History, r linsat.Result) error {
	if err := refuse(w, h, r, true); err != nil {
		return err
	}
	return render.SVG(w, pictured(h, r))
}

// JSON writes one object, the one of linsat solve --format json. The error is that of w.
func JSON(w io.Writer, h *history.History, r linsat.Result) error {
	if err := refuse(w, h, r, false); err != nil {
		return err
	}
	return render.JSON(w, run(h, r))
}

// refuse says why there is nothing to write. A picture of a history without operations needs no
// result.
func refuse(w io.Writer, h *history.History, r linsat.Result, picture bool) error {
	full := result.Of(r)
	switch {
	case w == nil:
		return errors.New("report: the writer is nil")
	case h == nil:
		return errors.New("report: the history is nil")
	case full.Spec == nil && !(picture && len(h.Ops) == 0):
		return errors.New("report: the result claims nothing: linsat.Check gives one, unless it returns an error")
	case !full.IsAbout(h):
		return errors.New("report: the result is about another history")
	}
	return h.Validate()
}

func run(h *history.History, r linsat.Result) *words.Run {
	name := h.Source
	if name == "" {
		name = "history"
	}
	full := *result.Of(r)
	full.Took = r.Took
	return &words.Run{File: name, History: h, Result: full, Bytes: memory.Used()}
}

func pictured(h *history.History, r linsat.Result) *picture.Picture {
	return picture.New(run(h, r), picture.CoreHighlight(result.Of(r)))
}

// keep remembers the first error of w and writes nothing after it.
type keep struct {
	w   io.Writer
	err error
}

func (k *keep) Write(p []byte) (int, error) {
	if k.err == nil {
		_, k.err = k.w.Write(p)
	}
	return len(p), nil
}
