package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
)

// Screen is how the output looks: what a terminal can show, and what the user wants of it.
type Screen struct {
	Color bool
	Quiet bool
	Width int // of the terminal, 0 if the output goes elsewhere
}

// ScreenFlags adds the flags of every command.
func ScreenFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.String("color", "auto", "colours: auto (on a terminal, unless NO_COLOR is set), always or never")
	f.BoolP("quiet", "q", false,
		"say nothing of histories that are linearizable, and print no notes, warnings and progress")
}

// CheckScreen refuses a --color that there is not.
func CheckScreen(c *cobra.Command) error {
	switch color := c.Flag("color").Value.String(); color {
	case "auto", "always", "never":
		return nil
	default:
		return Hint(fmt.Errorf("unknown choice of colours %q", color),
			Meant(color, []string{"auto", "always", "never"})+"--color takes auto, always or never")
	}
}

// ScreenOf returns the screen of a command.
func ScreenOf(c *cobra.Command) Screen {
	s := Screen{Quiet: c.Flag("quiet").Value.String() == "true"}
	out, _ := c.OutOrStdout().(*os.File)
	terminal := out != nil && IsTerminal(out)
	switch c.Flag("color").Value.String() {
	case "always":
		s.Color = true
	case "auto":
		s.Color = terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	if terminal {
		s.Width = widthOf(out)
	}
	return s
}

// Text returns where text for people goes: on a terminal its lines are wrapped.
func (s Screen) Text(w io.Writer) io.Writer {
	if s.Width == 0 {
		return w
	}
	return Wrap(w, s.Width)
}

// Notes returns where remarks go, nowhere under --quiet.
func (s Screen) Notes(w io.Writer) io.Writer {
	if s.Quiet {
		return io.Discard
	}
	return w
}

// NotesOf returns where a command's remarks go.
func NotesOf(c *cobra.Command) io.Writer { return ScreenOf(c).Notes(c.ErrOrStderr()) }

// Columns returns the width of the timeline: as requested, or of the terminal, or from the
// environment, or 100.
func (s Screen) Columns(asked int) int {
	if asked > 0 {
		return asked
	}
	if s.Width > 0 {
		return s.Width
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 100
}
