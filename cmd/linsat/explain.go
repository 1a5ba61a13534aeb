package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/words"
	"github.com/spf13/cobra"
)

// explainer holds the flags of explain besides those of solve.
type explainer struct {
	solver
	svg   string
	width int
}

func explainCommand() *cobra.Command {
	e := &explainer{}
	c := &cobra.Command{
		Use:   "explain FILE",
		Short: "explain the verdict about a history and draw a timeline",
		Long: `Decides FILE as linsat solve does, explains the verdict, and draws the operations around it: one row per process, time
to the right, with the operations highlighted that the verdict rests on. docs/reading.md explains the drawing and the page of --html.

Exit code: as linsat solve.`,
		Example: `  linsat explain h.json
  linsat explain --html h.html --svg h.svg h.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Hint(fmt.Errorf("explain takes one file, not %d", len(args)),
					"`linsat explain FILE`, or - for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			e.streams(c)
			return e.run(args[0])
		},
	}
	e.checking(c)
	f := c.Flags()
	f.Lookup("core").Usage = "which cores of a violation to explain: one (minimal) or all (disjoint ones)"
	f.IntVar(&e.witness, "witness", 24, "how many operations of a linearization to show, -1 for all")
	f.StringVar(&e.html, "html", "", "write a page with a zoomable timeline to this file, - for standard output")
	f.StringVar(&e.svg, "svg", "", "write a picture of the operations that the verdict rests on to this file")
	f.IntVar(&e.width, "width", 0, "columns of the timeline, 0 for the width of the screen")
	return c
}

func (e *explainer) run(file string) error {
	file, err := e.one("explain", file)
	if err != nil {
		return err
	}
	if e.width < 0 {
		return cli.Hint(fmt.Errorf("--width %d is negative", e.width),
			"--width takes a number of columns, or 0 for the width of the screen")
	}
	if e.core == "none" || e.core == "any" {
		return cli.Hint(errors.New("explain needs a core"), "use --core one or all, or `linsat solve --core "+e.core+
			"`, which is fast")
	}
	options, err := e.options()
	if err != nil {
		return err
	}
	for _, flag := range []struct{ name, value string }{{"--html", e.html}, {"--svg", e.svg}} {
		if err := oneHistory(flag.name, flag.value, []string{file}, false); err != nil {
			return err
		}
	}
	e.drawings = e.drawn
	run, code, err := e.answer(file, options)
	switch {
	case err != nil:
		return err
	case run == nil && code != cli.Linearizable:
		return cli.Exit(code)
	case run == nil:
		return nil
	}
	var text bytes.Buffer
	words.Text(&text, run, words.Style{Color: e.screen.Color, Witness: e.witness})
	if _, err := e.text.Write(text.Bytes()); err != nil {
		return err
	}
	if err := e.drawn(func() *picture.Picture { return picture.New(run, reasons(&run.Result)) }); err != nil {
		return err
	}
	if code := exitOf(run); code != cli.Linearizable {
		return cli.Exit(code)
	}
	return nil
}

// drawn draws the timeline, and what --html and --svg ask for.
func (e *explainer) drawn(of func() *picture.Picture) error {
	timeline := bytes.NewBufferString("\n")
	var p *picture.Picture
	late := e.inTime("the timeline", func() error {
		drawn := of()
		picture.Timeline{Width: e.screen.Columns(e.width), Color: e.screen.Color}.Draw(timeline, drawn)
		p = drawn
		return nil
	})
	if late != nil {
		return late
	}
	if _, err := e.text.Write(timeline.Bytes()); err != nil {
		return err
	}
	err := e.draw(e.html, func() *picture.Picture { return p }, render.HTML)
	if err == nil {
		err = e.draw(e.svg, func() *picture.Picture { return p }, render.SVG)
	}
	return err
}

// oneHistory returns an error if the file that a flag names would be written for several histories,
// unless they are merged, or over the history itself.
func oneHistory(flag, value string, args []string, merged bool) error {
	if value == "" {
		return nil
	}
	target, _ := os.Stat(value) // nil if there is none
	n := 0
	for _, arg := range args {
		files, err := history.Files(arg, nil)
		if err != nil {
			return err
		}
		n += len(files)
		for _, file := range files {
			if info, err := os.Stat(file); err == nil && target != nil && os.SameFile(info, target) {
				return cli.Hint(fmt.Errorf("%s %s would overwrite the history", flag, value), "name another file")
			}
		}
	}
	if n != 1 && !merged {
		return cli.Hint(fmt.Errorf("%s takes a single history, not %d", flag, n), "run linsat once for each file")
	}
	return nil
}

// reasons returns what the drawings of a result highlight.
func reasons(r *result.Result) picture.Highlight { return picture.CoreHighlight(r) }

// draw writes a drawing to the named file, or nothing if name is "".
func (s *solver) draw(name string, picture func() *picture.Picture,
	write func(io.Writer, *picture.Picture) error) error {
	if name == "" {
		return nil
	}
	prepare := func() (func(io.Writer) error, error) {
		p := picture()
		return func(w io.Writer) error { return write(w, p) }, nil
	}
	if name == "-" {
		return s.inTime("the page", func() error {
			do, err := prepare()
			if err != nil {
				return err
			}
			return do(s.page)
		})
	}
	return s.writeInTime(name, prepare)
}
