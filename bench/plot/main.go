// Command plot draws the rows that `linsat bench --rows` wrote: a cactus plot of all contenders,
// and the times of the search against those of SAT, as an .svg file or, with the table of figures,
// as an .html page.
//
//	linsat bench logs/ --rows rows.jsonl
//	go -C bench run ./plot rows.jsonl plot.html
//
// The exit code is 0, or 2 for bad usage and for rows that cannot be read.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/linsat/linsat/bench/internal/charts"
	"github.com/linsat/linsat/internal/bench"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(2)
	}
}

// run draws the rows of the first file into the second one.
func run(args []string) error {
	if len(args) != 2 {
		return errors.New("want two files: plot ROWS.jsonl OUT.html (or OUT.svg)")
	}
	var draw func(io.Writer, []bench.Row) error
	switch filepath.Ext(args[1]) {
	case ".html":
		draw = charts.HTML
	case ".svg":
		draw = charts.SVG
	default:
		return fmt.Errorf("cannot draw into %s: its name must end in .html or .svg", args[1])
	}
	in, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	rows, err := bench.ReadRows(in)
	if err != nil {
		return fmt.Errorf("%s: not what `linsat bench --rows` writes: %w", args[0], err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("%s has no rows", args[0])
	}
	var out bytes.Buffer
	if err := draw(&out, rows); err != nil {
		return err
	}
	return os.WriteFile(args[1], out.Bytes(), 0o644)
}
