package main

import (
	"context"
	"errors"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	claimed "github.com/linsat/linsat/internal/consistency/words"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/inorder"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/subhistory"
)

// shrink --consistency: a part that answers a question with no, as the whole does. It begins with
// what the answer rests on and what put in the values that are found there, or with everything if
// that is no violation of its own. Each operation is left out in turn, with those that found its
// value.

// shrinkAsked returns the history of those operations.
func (s *solver) shrinkAsked(h *history.History, sp model.Spec) (*history.History, error) {
	if s.consistency == strongest {
		return nil, cli.Hint(errors.New("shrink needs one question, not strongest"), "name one that fails")
	}
	q, err := consistency.Parse(s.consistency)
	if err != nil {
		return nil, cli.Hint(err, "--consistency takes "+questionNames())
	}
	ctx, done := s.within(h.Source)
	defer done()
	a, err := s.askedOf(ctx, h, sp, q)
	switch {
	case err != nil:
		return nil, err
	case a.Verdict == levels.Holds:
		escape.Fprintf(s.err, "%s is %s: there is nothing to shrink\n", h.Source, q.Name)
		return nil, cli.Exit(cli.Violation)
	case a.Verdict == levels.Unknown:
		escape.Fprintf(s.err, "%s is undecided within the limits\n", h.Source)
		return nil, cli.Exit(cli.Unknown)
	}
	fails := func(ops []history.OpID) bool {
		if len(ops) == 0 || ctx.Err() != nil {
			return false
		}
		part, err := timed(h, ops)
		if err != nil {
			return false
		}
		found, err := s.askedOf(ctx, part, sp, q)
		return err == nil && found.Verdict == levels.Fails && found.Pattern == a.Pattern
	}
	kept := withWriters(h, claimed.RestsOn(&a))
	if !fails(kept) {
		kept = everything(h)
	}
	for k := len(kept) - 1; k >= 0 && ctx.Err() == nil; k-- {
		if k >= len(kept) {
			continue
		}
		if less := without(h, kept, kept[k]); fails(less) {
			kept = less
		}
	}
	return timed(h, kept)
}

// askedOf answers a question about a history.
func (s *solver) askedOf(ctx context.Context, h *history.History, sp model.Spec, q *consistency.Question) (check.Answer,
	error) {
	c := &check.Case{Spec: sp, History: h, Linearize: s.linearize, Solver: s.factory(), Memory: int64(s.memory)}
	a, err := check.Ask(ctx, c, q)
	if err == nil && a.Refused != nil && ctx.Err() == nil {
		err = a.Refused
	}
	return a, unsupported(c, q, err)
}

// timed is a part of a history with its times and events.
func timed(h *history.History, ops []history.OpID) (*history.History, error) {
	ops = slices.Clone(ops)
	slices.Sort(ops)
	small, err := subhistory.Of(h, ops)
	if err != nil {
		return nil, err
	}
	small.Notes = h.Notes
	for k, i := range ops {
		small.Origins[k].CallTime, small.Origins[k].ReturnTime = h.Origins[i].CallTime, h.Origins[i].ReturnTime
	}
	return small, nil
}

// putIn reports whether operation w put in what r found.
func putIn(h *history.History, w, r history.OpID) bool {
	a, b := &h.Ops[w], &h.Ops[r]
	return a.Arg != history.Nil && a.Arg == b.Result && a.Key == b.Key
}

// withWriters is some operations with what put in the values that they found.
func withWriters(h *history.History, ops []history.OpID) []history.OpID {
	all := slices.Clone(ops)
	for w := range history.OpID(len(h.Ops)) {
		if slices.ContainsFunc(ops, func(r history.OpID) bool { return putIn(h, w, r) }) {
			all = append(all, w)
		}
	}
	return inorder.Distinct(all)
}

// without is some operations but one and those that found what it put in.
func without(h *history.History, ops []history.OpID, one history.OpID) []history.OpID {
	return slices.DeleteFunc(slices.Clone(ops), func(i history.OpID) bool { return i == one || putIn(h, one, i) })
}

// everything lists all operations.
func everything(h *history.History) []history.OpID {
	all := make([]history.OpID, len(h.Ops))
	for i := range all {
		all[i] = history.OpID(i)
	}
	return all
}
