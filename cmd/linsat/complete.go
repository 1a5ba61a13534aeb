package main

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/specs"
	"github.com/spf13/cobra"
)

// engineNames are what --engine takes.
var engineNames = []string{"auto", "all", "search", "sat", "monitor", "smt", "smt:z3", "smt:cvc5"}

// complete says which values the shell offers for flags and arguments. `linsat completion` writes
// the scripts of shells.
func complete(root *cobra.Command) {
	values := map[string][]string{
		"engine": engineNames, "engines": engineNames[2:], "solver": backends(), "partition": {"key", "object", "none"},
		"core":          {"one", "all", "any", "none"},
		"quasi-meaning": {"slots", "classes"}, "nil-reads": {"unknown", "null"}, "order": {"time", "file"},
		"input-format": history.Formats(), "quasi": {"min"},
		"relax": {"out-of-order=", "lateness=", "stuttering="},
		"to":    {"json", "jsonl"}, "color": {"auto", "always", "never"},
	}
	for _, c := range append(withSubcommands(root), root) {
		for name, list := range values {
			if c.Flags().Lookup(name) != nil || c.PersistentFlags().Lookup(name) != nil {
				offer(c, name, list, cobra.ShellCompDirectiveNoFileComp)
			}
		}
		if c.Flags().Lookup("spec") != nil {
			offer(c, "spec", specs.Names(), cobra.ShellCompDirectiveDefault) // or a file
		}
		if c.Flags().Lookup("format") != nil {
			formats := []string{"text", "json"}
			if c.Name() == "solve" || c.Name() == "merge" {
				formats = render.ReportFormats
			}
			offer(c, "format", formats, cobra.ShellCompDirectiveNoFileComp)
		}
		switch c.Name() {
		case "specs":
			c.ValidArgsFunction = names(specs.Names(), true)
		case "gen":
			c.ValidArgsFunction = names(gen.Specs(), false)
		}
	}
}

func withSubcommands(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, sub := range c.Commands() {
		all = append(append(all, sub), withSubcommands(sub)...)
	}
	return all
}

// offer makes the shell offer the values of a flag. The flag exists and is registered once, which
// is all that can go wrong.
func offer(c *cobra.Command, flag string, list []string, directive cobra.ShellCompDirective) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(list, directive)); err != nil {
		panic(err)
	}
}

// names offers arguments: one, or each once.
func names(list []string, several bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && !several {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return slices.DeleteFunc(slices.Clone(list), func(name string) bool {
			return slices.Contains(args, name)
		}), cobra.ShellCompDirectiveNoFileComp
	}
}
