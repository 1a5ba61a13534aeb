package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

//go:generate go run -tags man . man ../../dist-docs

// version is the release; releases set it when they are built.
var version = "0.1.0-dev"

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Long:  `Prints the version, the Go version that built it, the platform and, where known, the commit.`,
		Args:  cobra.NoArgs,
		Run:   func(c *cobra.Command, _ []string) { fmt.Fprintln(c.OutOrStdout(), "linsat", versionText()) },
	}
}

// versionText says which release this is, and how it was built.
func versionText() string {
	release, commit := version, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = ", commit " + s.Value
			}
		}
		if commit == "" && strings.HasPrefix(info.Main.Version, "v") { // by go install, from a tag
			release = info.Main.Version[1:]
		}
	}
	return fmt.Sprintf("%s (%s %s/%s%s)", release, runtime.Version(), runtime.GOOS, runtime.GOARCH, commit)
}
