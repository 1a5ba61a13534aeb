package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/check"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/internal/subhistory"
	"github.com/linsat/linsat/internal/words"
)

// Reads that return old values: solve, certify and shrink with --stale, and with --quasi where the
// specification is that of a register, a map or a set (docs/quasi.md).

// staleReads is the error of decide about a question about old reads.
type staleReads struct {
	h  *history.History
	sp model.Spec
	error
}

// asksStale reports whether the flags ask how old reads of a specification may be.
func (s *solver) asksStale(sp model.Spec) bool {
	info := sp.Info()
	return s.stale != "" || s.quasi != "" && model.ReadsAlone(&info)
}

// checkStale refuses flags that do not go with questions about old reads.
func (s *solver) checkStale(flags ...string) error {
	name := "stale"
	if s.stale == "" {
		name = "quasi"
	}
	for _, flag := range append(flags, "relax", "engine", "cross-check", "solver", "partition", "steps",
		"cache", "proof", "rows", "shard", "first", "isolate") {
		if s.given(flag) {
			return cli.Hint(fmt.Errorf("--%s with --%s about reads", flag, name),
				"how old reads are is asked of each key; leave out one of them")
		}
	}
	if s.format != "" && s.format != "text" && s.format != "json" {
		return cli.Hint(fmt.Errorf("--format %s with --%s about reads", s.format, name), "it takes text or json")
	}
	return nil
}

// staleQuestion reads what --stale or --quasi asks about reads; least asks for the least bound.
func (s *solver) staleQuestion() (q stale.Question, least bool, err error) {
	if s.stale != "" {
		q.Kind = stale.Moved
		if s.quasi != "" {
			return q, false, cli.Hint(errors.New("--stale and --quasi cannot be combined"),
				"use one of them: --stale bounds how old reads are in time, --quasi in versions")
		}
		if s.stale == "min" {
			return q, true, nil
		}
		var by uncertainty
		if by.Set(s.stale) != nil {
			return q, false, cli.Hint(fmt.Errorf("invalid bound %q of stale reads", s.stale),
				"--stale takes a duration (50ms, for times in nanoseconds), a number in the unit of the times, or min")
		}
		_, plain := strconv.ParseInt(s.stale, 10, 64)
		q.Bound, q.Given = int64(by), plain != nil
		return q, false, nil
	}
	for _, flag := range []string{"quasi-meaning", "quasi-causal", "drain"} {
		if s.given(flag) {
			return q, false, cli.Hint(fmt.Errorf("--%s about reads", flag),
				"reads of registers, maps and sets have one meaning (docs/quasi.md); leave it out")
		}
	}
	switch text := strings.TrimPrefix(s.quasi, "reads="); text {
	case "min":
		return q, true, nil
	case "inf", "∞":
		q.Bound = stale.Unbounded
	default:
		n, bad := strconv.ParseInt(text, 10, 32)
		if q.Bound = n; bad != nil || n < 0 || n == stale.Unbounded {
			return q, false, cli.Hint(fmt.Errorf("invalid quasi bound %q of reads", s.quasi),
				"--quasi takes a number such as 0 or 2, inf or min: by how many writes a read may be late")
		}
	}
	return q, false, nil
}

// staleHistory reads the objects of h for the question.
func (s *solver) staleHistory(h *history.History, sp model.Spec) (*stale.History, error) {
	if name := sp.Info().Name; !stale.Supports(name) {
		return nil, cli.Hint(fmt.Errorf("%s: --stale with %s", h.Source, name),
			"reads may be stale of "+stale.Supported())
	}
	x, err := stale.Of(sp, h)
	if err == nil && s.stale != "" {
		err = x.Timed()
	}
	return x, err
}

// staleFile answers how old reads are, reports, and returns the exit code.
func (s *solver) staleFile(h *history.History, sp model.Spec) (int, error) {
	if err := s.checkStale(); err != nil {
		return cli.Usage, err
	}
	q, least, err := s.staleQuestion()
	if err != nil {
		return cli.Usage, err
	}
	x, err := s.staleHistory(h, sp)
	if err != nil {
		return cli.Usage, err
	}
	ctx, done := s.within(h.Source)
	defer done()
	r := &staleReport{file: h.Source, h: x, brief: s.brief}
	if least {
		r.least = check.AskLeast(ctx, x, q.Kind)
		r.Answer = &r.least.Answer
		if q.Kind == stale.Late && r.least.Verdict == check.Holds && r.least.Question.Bound > 0 && x.Timed() == nil {
			one := *x
			one.Objects = x.Objects[r.least.Worst : r.least.Worst+1]
			r.moved = check.AskLeast(ctx, &one, stale.Moved)
		}
	} else {
		r.Answer = check.Ask(ctx, x, q)
	}
	if r.Refused != nil {
		return cli.Disagrees, cli.Hint(fmt.Errorf("%s: what is said of its reads is refused: %w", h.Source, r.Refused),
			"this is a bug in linsat; please report it with the history")
	}
	if h.Completed() == 0 {
		r.Verdict, r.Unclear = check.Unknown, "nothing returned, so there is nothing to check"
		r.Certificate, r.least = nil, nil
	}
	done()
	if err = s.say(r); err == nil && s.certificate != "" {
		if r.Certificate == nil || !r.Certified {
			return cli.Usage, cli.Hint(fmt.Errorf("%s: there is no certificate", h.Source),
				"give it more time (--timeout); no file was written")
		}
		err = writeFile(s.certificate, func(w io.Writer) error { return json.NewEncoder(w).Encode(r.Certificate) })
	}
	if err != nil {
		return cli.Usage, err
	}
	return r.exit(), nil
}

// certifyStale verifies a certificate about reads.
func (s *solver) certifyStale(h *history.History, sp model.Spec, file string) error {
	q, least, err := s.staleQuestion()
	if err != nil {
		return err
	}
	if least {
		return cli.Hint(errors.New("certify takes a bound, not min"), "give the bound that solve found")
	}
	x, err := s.staleHistory(h, sp)
	if err != nil {
		return err
	}
	c := &stale.Certificate{}
	if err := decodeCertificate(file, "reads", "`linsat solve --quasi K --certificate FILE` and --stale write certificates",
		c); err != nil {
		return err
	}
	ctx, done := s.within(h.Source)
	defer done()
	switch {
	case c.Question != q.String():
		err = fmt.Errorf("it is about %s, and the question is %v", c.Question, q)
	default:
		err = verify.New(x).Check(ctx, c)
	}
	if err := s.refused(ctx, file, err); err != nil {
		return err
	}
	r := &staleReport{h: x, Answer: &check.Answer{Question: q, Verdict: check.Holds}}
	if c.Core != nil {
		r.Verdict = check.Fails
	}
	escape.Fprintf(s.out, "%s: valid: %s is %s (%s, %s)\n", file, h.Source, r.verdict(), sp.Info().Name,
		words.Count(len(h.Ops), "operation"))
	return nil
}

// shrinkStale returns the history of the operations that a no about reads rests on.
func (s *solver) shrinkStale(h *history.History, sp model.Spec) (*history.History, error) {
	if err := s.checkStale("certificate"); err != nil {
		return nil, err
	}
	q, least, err := s.staleQuestion()
	if err != nil {
		return nil, err
	}
	x, err := s.staleHistory(h, sp)
	if err != nil {
		return nil, err
	}
	ctx, done := s.within(h.Source)
	defer done()
	if least {
		found := check.AskLeast(ctx, x, q.Kind)
		hint := "there is nothing to shrink"
		if found.Question.Bound > 0 && found.Verdict == check.Holds {
			least := found.Question.Bound
			hint = fmt.Sprintf("the least one is %d, so there is a no at %d", least, least-1)
		}
		return nil, cli.Hint(errors.New("shrink needs a bound, not min"), hint)
	}
	a := check.Ask(ctx, x, q)
	r := &staleReport{h: x, Answer: a}
	switch {
	case a.Verdict == check.Holds:
		escape.Fprintf(s.err, "%s is %s: there is nothing to shrink\n", h.Source, r.verdict())
		return nil, cli.Exit(cli.Violation)
	case a.Verdict == check.Unknown || !a.Certified:
		escape.Fprintf(s.err, "%s is undecided within the limits\n", h.Source)
		return nil, cli.Exit(cli.Unknown)
	}
	small, err := subhistory.Of(h, a.Certificate.Core.Operations)
	if err != nil {
		return nil, err
	}
	for k, i := range a.Certificate.Core.Operations { // ascending, as those of small
		small.Origins[k].CallTime, small.Origins[k].ReturnTime = h.Origins[i].CallTime, h.Origins[i].ReturnTime
	}
	return small, nil
}
