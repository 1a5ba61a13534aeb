package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/subhistory"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/spf13/cobra"
)

func shrinkCommand() *cobra.Command {
	s := &solver{}
	var out historyOutput
	c := &cobra.Command{
		Use:   "shrink FILE",
		Short: "write the few operations of a violation that contradict each other",
		Long: `Decides FILE as linsat solve does, and writes a history of those operations alone that the violation rests on: it is not
linearizable for the same reason, whatever the operations that were left out may have done. Operations keep their
identifiers, or are named by their position in FILE.

Under --quasi, operations that are left out leave other places to the rest. Then the history that is written is a violation under
the same factor, of as few values as can be found; of queues, stacks, deques and priority queues. Under --consistency it is
one of the same question.

Exit code: 0 if it was written, 1 if FILE is linearizable (under --quasi: quasi-linearizable), 2 bad usage or bad input, 3 unknown or no reason within the limits.`,
		Example: `  linsat shrink h.json
  linsat shrink -o small.json big.jsonl.gz
  linsat shrink big.jsonl | linsat explain -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Hint(fmt.Errorf("shrink takes one file, not %d", len(args)),
					"`linsat shrink FILE`, or - for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			s.streams(c)
			write, err := out.writer(c)
			if err != nil {
				return err
			}
			return s.shrink(args[0], write)
		},
	}
	s.checking(c)
	s.flags = c.Flags()
	out.flags(c)
	return c
}

// shrink writes the least history that it finds.
func (s *solver) shrink(file string, write func(h *history.History) error) error {
	if s.core == "none" {
		return cli.Hint(errors.New("shrink needs a core"), "use --core one, which is the default")
	}
	options, err := s.options()
	if err != nil {
		return err
	}
	if file, err = s.one("shrink", file); err != nil {
		return err
	}
	h, err := s.read(file)
	if err != nil {
		return err
	}
	if s.consistency != "" && s.transactions(h) {
		return cli.Hint(fmt.Errorf("%s: shrink with a level of isolation", h.Source),
			"`linsat solve --consistency "+s.consistency+"` names the transactions that suffice")
	}
	sp, err := s.specOf(h)
	if err != nil {
		return err
	}
	if s.consistency != "" {
		small, err := s.shrinkAsked(h, sp)
		if err != nil {
			return err
		}
		return s.writeSmall(small, h, sp, write)
	}
	if s.asksStale(sp) {
		small, err := s.shrinkStale(h, sp)
		if err != nil {
			return err
		}
		return s.writeSmall(small, h, sp, write)
	}
	unrelaxed := options[:len(options):len(options)]
	switch relaxation, err := s.relaxation(sp); {
	case err != nil:
		return err
	case relaxation != nil:
		options = append(unrelaxed, relaxation)
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	ctx, unwatch := s.watched(ctx, file)
	defer unwatch()
	ctx, release := s.bounded(ctx)
	defer release()
	limit := shrinkDecide
	if s.timeout > 0 {
		limit = min(limit, s.timeout)
	}
	ask := func(part *history.History, reasons bool) (linsat.Result, error) {
		if reasons {
			return linsat.Check(ctx, sp, part,
				append(slices.Clone(options), linsat.Explain(s.explanation(patience)))...)
		}
		return linsat.Check(ctx, sp, part, append(slices.Clone(options),
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}), linsat.Timeout(limit))...)
	}
	r, err := ask(h, true)
	var small *history.History
	if err == nil {
		shrink, full := subhistory.Shrink, result.Of(r)
		switch {
		case full.Least != nil && full.Least.Low > 0:
			return cli.Hint(errors.New("shrink needs a factor with all bounds, not min"),
				s.below(file, full.Least.Low))
		case full.Least != nil:
			shrink = nothing
		case !full.Plain():
			shrink = subhistory.ShrinkWithin
		}
		small, err = shrink(h, full, func(part *history.History, reasons bool) (*result.Result, error) {
			r, err := ask(part, reasons)
			return result.Of(r), err
		})
	}
	switch {
	case err != nil:
		return err
	case r.Verdict == linsat.Linearizable:
		return s.nothingToShrink(ctx, file, h, result.Of(r), unrelaxed)
	case r.Verdict == linsat.Unknown:
		escape.Fprintf(s.err, "%s is undecided within the limits\n", file)
		return cli.Exit(cli.Unknown)
	case small == nil:
		escape.Fprintf(s.err,
			"%s is %s, but what its violation rests on was not found within the limits\n", file,
			words.Verdict(result.Of(r)))
		return cli.Exit(cli.Unknown)
	}
	return s.writeSmall(small, h, sp, write)
}

// writeSmall writes what is left of a history of a specification.
func (s *solver) writeSmall(small, h *history.History, sp model.Spec, write func(h *history.History) error) error {
	small.Spec = "" // one in a file has no name that a history could state
	if s.fromFile == nil {
		strict, _, _ := specs.Relaxed(sp)
		small.Spec = strict.Info().Name
	}
	if err := write(small); err != nil {
		return err
	}
	fmt.Fprintf(s.notes, "%d of %d operations\n", len(small.Ops), len(h.Ops))
	if flags := s.unwritten(); flags != "" {
		escape.Fprintf(s.notes, "hint: decide them with %s\n", flags)
	}
	return nil
}

// nothing is the shrinking of a history that is none under any bound.
func nothing(*history.History, *result.Result, subhistory.Ask) (*history.History, error) {
	return nil, nil
}

// below is the hint to shrink what a least bound leaves out: low-1 does not suffice.
func (s *solver) below(file string, low int32) string {
	bound := "inf"
	if low != quasi.Unbounded {
		bound = strconv.Itoa(int(low - 1))
	}
	return fmt.Sprintf("--quasi %s: %s is not quasi-linearizable there",
		strings.Replace(s.quasi, "min", bound, 1), file)
}

// nothingToShrink says so, and under a factor whether the history is a violation at 0.
func (s *solver) nothingToShrink(ctx context.Context, file string, h *history.History, r *result.Result,
	unrelaxed []linsat.Option) error {
	escape.Fprintf(s.err, "%s is %s: there is nothing to shrink\n", file, words.Verdict(r))
	if r.Quasi == nil || r.Quasi.Factor.Zero() {
		return cli.Exit(cli.Violation)
	}
	s.quasi = "0"
	relaxation, err := s.relaxation(r.Spec)
	if err != nil {
		return err
	}
	strict, err := linsat.Check(ctx, r.Spec, h, append(unrelaxed, relaxation,
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))...)
	if err == nil && strict.Verdict == linsat.NotLinearizable {
		escape.Fprintf(s.err, "hint: it is %s: --quasi 0 shrinks that\n", words.Verdict(result.Of(strict)))
	}
	if err != nil {
		return err
	}
	return cli.Exit(cli.Violation)
}

// unwritten lists the flags of the question that no history states.
func (s *solver) unwritten() string {
	var flags []string
	if s.fromFile != nil {
		flags = append(flags, "--spec "+s.spec)
	}
	for _, name := range []string{"partition", "relax", "consistency", "quasi", "stale", "quasi-meaning",
		"quasi-causal", "drain"} {
		if f := s.flags.Lookup(name); f.Changed {
			flags = append(flags, "--"+name+"="+f.Value.String())
		}
	}
	return strings.Join(flags, " ")
}
