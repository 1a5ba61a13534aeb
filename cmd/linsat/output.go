package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/spf13/cobra"
)

// historyOutput is where a command writes a history, and in which format.
type historyOutput struct{ format, file string }

// flags adds --to and --output.
func (o *historyOutput) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.format, "to", "json", "json or jsonl")
	c.Flags().StringVarP(&o.file, "output", "o", "", "file to write instead of standard output")
}

// writer returns a function that writes a history, or an error for an unknown format.
func (o *historyOutput) writer(c *cobra.Command) (func(h *history.History) error, error) {
	encode := history.WriteJSON
	switch o.format {
	case "json":
	case "jsonl":
		encode = history.WriteJSONL
	default:
		return nil, cli.Hint(fmt.Errorf("unknown format %q", o.format), "--to takes json or jsonl")
	}
	return func(h *history.History) error {
		if o.file == "" || o.file == "-" {
			return encode(c.OutOrStdout(), h)
		}
		return writeFile(o.file, func(w io.Writer) error { return encode(w, h) })
	}, nil
}

// writeFile writes all of a file or nothing: a failure leaves no partial file. A file that is not
// regular (a device, a pipe, a link) is written to, never replaced.
func writeFile(name string, write func(io.Writer) error) error {
	if err := writeThrough(name, write); err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err // the temporary name does not help
		}
		return cli.Hint(fmt.Errorf("cannot write %s: %w", name, err),
			"name a file in a directory that exists and may be written")
	}
	return nil
}

func writeThrough(name string, write func(io.Writer) error) error {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".linsat-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Chmod(name, 0o644)
}
