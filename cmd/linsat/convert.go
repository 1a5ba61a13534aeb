package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/linsat/linsat/history"
	"github.com/spf13/cobra"
)

func convertCommand() *cobra.Command {
	var to, output string
	s := &solver{}
	c := &cobra.Command{
		Use:   "convert FILE",
		Short: "rewrite a history of any format as linsat JSON or JSON Lines",
		Example: `  linsat convert etcd_002.log > etcd_002.json
  linsat convert --to jsonl -o h.jsonl h.edn.gz`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return hinted{fmt.Errorf("convert takes one file, not %d", len(args)), "`linsat convert FILE`, or - for standard input"}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var write func(io.Writer, *history.History) error
			switch to {
			case "json":
				write = history.WriteJSON
			case "jsonl":
				write = history.WriteJSONL
			default:
				return hinted{fmt.Errorf("unknown format %q", to), "--to takes json or jsonl"}
			}
			s.in, s.err = c.InOrStdin(), c.ErrOrStderr()
			h, err := s.read(args[0])
			if err != nil {
				return err
			}
			if output == "" || output == "-" {
				return write(c.OutOrStdout(), h)
			}
			return writeFile(output, func(w io.Writer) error { return write(w, h) })
		},
	}
	s.reading(c)
	c.Flags().StringVar(&to, "to", "json", "json or jsonl")
	c.Flags().StringVarP(&output, "output", "o", "", "file to write instead of standard output")
	return c
}

// writeFile writes all of a file or nothing: a failure leaves no half-written file behind. What is
// no ordinary file (a device, a pipe, a link) is written to, never replaced.
func writeFile(name string, write func(io.Writer) error) error {
	if err := writeThrough(name, write); err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err // the name of a file in between helps nobody
		}
		return hinted{fmt.Errorf("cannot write %s: %w", name, err), "name a file in a directory that exists and may be written"}
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
