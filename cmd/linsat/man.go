//go:build man

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// With the build tag man the command has one more, which writes the pages of the manual and the
// completions of shells (go generate). Releases are made without the tag, as it is large.
func init() {
	extra = append(extra, func() *cobra.Command {
		return &cobra.Command{
			Use:    "man DIR",
			Short:  "write the pages of the manual and the completions of shells",
			Hidden: true,
			Args:   cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error {
				return writeManual(rootCommand(nil, strings.NewReader(""), io.Discard, io.Discard), args[0])
			},
		}
	})
}

// writeManual writes DIR/man/linsat*.1 and DIR/completions/linsat.*.
func writeManual(root *cobra.Command, dir string) error {
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, d := range []string{man, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	root.DisableAutoGenTag = true // the same from the same source
	if err := doc.GenManTree(root, &doc.GenManHeader{Title: "LINSAT", Section: "1", Source: "linsat " + version,
		Manual: "linsat"}, man); err != nil {
		return err
	}
	for shell, write := range map[string]func(string) error{
		"bash": func(name string) error { return root.GenBashCompletionFileV2(name, true) },
		"zsh":  root.GenZshCompletionFile,
		"fish": func(name string) error { return root.GenFishCompletionFile(name, true) },
		"ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := write(filepath.Join(completions, "linsat."+shell)); err != nil {
			return err
		}
	}
	return nil
}
