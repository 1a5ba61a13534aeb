package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/bench"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/gen"
	"github.com/spf13/pflag"
)

// generated lists the histories that the arguments of linsat gen name, where every value may be a
// list: "stack --operations 100,200 --relax 2 --seed 1..34" are 68. A range is one of integers.
func generated(text string) ([]bench.Source, error) {
	words := strings.Fields(text)
	choices := make([][]string, len(words))
	total := 1
	for i, word := range words {
		flag, value, joined := strings.Cut(word, "=")
		if !joined {
			flag, value = "", word
		}
		values, err := expanded(value)
		if err != nil {
			return nil, err
		}
		for k := range values {
			if joined {
				values[k] = flag + "=" + values[k]
			}
		}
		choices[i] = values
		if total *= len(values); total > sampledRuns {
			return nil, cli.Hint(fmt.Errorf("--gen %q makes more than %d histories", text, sampledRuns),
				"shorten a list or a range")
		}
	}
	var all []bench.Source
	for _, args := range products(choices) {
		var o gen.Options
		var violation string
		f := pflag.NewFlagSet("gen", pflag.ContinueOnError)
		f.SetOutput(io.Discard)
		generating(f, &o, &violation)
		err := f.Parse(args)
		switch {
		case err == nil && f.NArg() != 1:
			err = errors.New("it needs one specification")
		case err == nil && (o.Operations == 0 || o.Processes == 0):
			err = errors.New("--operations and --processes must be at least 1")
		}
		if err != nil {
			return nil, cli.Hint(fmt.Errorf("--gen %q: %w", text, err),
				"the arguments of linsat gen, such as \"stack --operations 100,200 --relax 2 --seed 1..5\"")
		}
		o.Spec, o.Violation = f.Arg(0), gen.Violation(violation)
		all = append(all, bench.Generated("gen "+strings.Join(args, " "), o))
	}
	return all, nil
}

// expanded lists what a value stands for: words joined by commas, and from..to for integers.
func expanded(value string) ([]string, error) {
	var all []string
	for _, word := range strings.Split(value, ",") {
		from, to, isRange := strings.Cut(word, "..")
		if !isRange {
			all = append(all, word)
			continue
		}
		low, err := strconv.Atoi(from)
		high, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || low > high || high-low >= sampledRuns {
			return nil, cli.Hint(fmt.Errorf("%q is not a range", word),
				fmt.Sprintf("1..5 is 1, 2, 3, 4, 5; at most %d numbers", sampledRuns))
		}
		for k := low; k <= high; k++ {
			all = append(all, strconv.Itoa(k))
		}
	}
	return all, nil
}

// products lists all ways to choose one of each, the last choice varying fastest.
func products(choices [][]string) [][]string {
	all := [][]string{nil}
	for _, words := range choices {
		var longer [][]string
		for _, prefix := range all {
			for _, word := range words {
				longer = append(longer, append(slices.Clone(prefix), word))
			}
		}
		all = longer
	}
	return all
}
