package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
)

// screen is how the output looks: what a terminal can show, and what the user wants of it.
type screen struct {
	color bool
	quiet bool
	width int // of the terminal, 0 if the output goes elsewhere
}

// screenFlags adds the flags of every command.
func screenFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.String("color", "auto", "colours: auto (on a terminal, unless NO_COLOR is set), always or never")
	f.BoolP("quiet", "q", false, "say nothing of histories that are linearizable, and print no notes, warnings and progress")
}

// checkScreen refuses a --color that there is not.
func checkScreen(c *cobra.Command) error {
	switch color := c.Flag("color").Value.String(); color {
	case "auto", "always", "never":
		return nil
	default:
		return hinted{fmt.Errorf("unknown choice of colours %q", color), meant(color, []string{"auto", "always", "never"}) + "--color takes auto, always or never"}
	}
}

// screenOf returns the screen of a command.
func screenOf(c *cobra.Command) screen {
	s := screen{quiet: c.Flag("quiet").Value.String() == "true"}
	out, _ := c.OutOrStdout().(*os.File)
	terminal := out != nil && isTerminal(out)
	switch c.Flag("color").Value.String() {
	case "always":
		s.color = true
	case "auto":
		s.color = terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	if terminal {
		s.width = widthOf(out)
	}
	return s
}

// text returns where text for people goes: on a terminal its lines are wrapped.
func (s screen) text(w io.Writer) io.Writer {
	if s.width == 0 {
		return w
	}
	return &wrapped{w: w, width: s.width}
}

// notes returns where remarks go, nowhere under --quiet.
func (s screen) notes(w io.Writer) io.Writer {
	if s.quiet {
		return io.Discard
	}
	return w
}

// notesOf returns where a command's remarks go.
func notesOf(c *cobra.Command) io.Writer { return screenOf(c).notes(c.ErrOrStderr()) }

// columns returns the width of the timeline: as requested, or of the terminal, or from the
// environment, or 100.
func (s screen) columns(asked int) int {
	if asked > 0 {
		return asked
	}
	if s.width > 0 {
		return s.width
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 100
}
