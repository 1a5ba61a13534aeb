package check

// What: questions about reads and writes whose values repeat, so that a read may be from several
// writes. The answer is yes if it is yes for some choice of one write for each read.
//
// How: a linearization chooses the last write before each read; without one, the last that was
// called before the read returned is tried first. Then clauses say that each read is from one of
// them. A model is a choice, of which the question is asked as if values told the write; a
// contradiction rests on the choice for few reads, and becomes a clause that excludes it. The
// clauses without a model, refuted, show a no.
//
// Cost: exponential in the worst case; small histories only.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	views "github.com/linsat/linsat/internal/consistency/verify"
	"github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/isolation/words"
	"github.com/linsat/linsat/internal/solver/cdcl"
)

// byChoice decides a question that decide answers where values tell the write. The answer is
// unclear, as before, if nothing repeats or there is too much of it.
func (c *Case) byChoice(ctx context.Context, x *consistency.Accesses, q *consistency.Question, before Answer,
	decide func(*consistency.Accesses) Answer) Answer {
	sources := x.Sources()
	if len(x.Ops) > fewOperations || before.Verdict != check.Unknown || ctx.Err() != nil {
		return before
	}
	refutes := func(a *consistency.Accesses, c *consistency.Certificate) error {
		c.Question = q.Name
		return refuted(ctx, a, q, c)
	}
	all := &consistency.Choices{}
	for first := c.guess(ctx, x, sources); ctx.Err() == nil; first = nil {
		f, of := views.Choices(sources, all.Cases)
		status, lemmas, model := cdcl.Refute(ctx, f)
		if status == cdcl.Refuted {
			all.Lemmas = lemmas
			a := Answer{Verdict: check.Fails, Cases: before.Cases,
				Certificate: &consistency.Certificate{Choices: all}}
			a.Refused = views.CheckChoices(ctx, x, all, refutes)
			return a
		}
		if status != cdcl.Satisfied {
			break
		}
		var chosen []consistency.Choice
		for i, some := range sources {
			if len(some) < 2 {
				continue
			}
			k := slices.IndexFunc(some, func(w history.OpID) bool {
				if first != nil {
					return first[i] == w
				}
				return model[of[consistency.Choice{Read: history.OpID(i), Write: w}]]
			})
			chosen = append(chosen, consistency.Choice{Read: history.OpID(i), Write: some[k]})
		}
		ask := func(chosen []consistency.Choice) Answer {
			part, _ := x.Chosen(sources, chosen)
			a := decide(part)
			a.Question, a.From = q, q
			return a
		}
		a := ask(chosen)
		switch {
		case a.Verdict == check.Holds:
			a.Certificate.Chosen = append([]consistency.Choice{}, chosen...)
			return a
		case a.Verdict == check.Unknown || a.Certificate == nil:
			return before
		}
		// The same contradiction without the choices that it does not rest on.
		named := restsOnReads(&a)
		fewer := slices.DeleteFunc(slices.Clone(chosen), func(c consistency.Choice) bool {
			return !slices.Contains(named, c.Read)
		})
		if part := ask(fewer); part.Verdict == check.Fails && part.Certificate != nil {
			a, chosen = part, fewer
		}
		all.Cases = append(all.Cases, consistency.ChoiceCase{Chosen: chosen,
			Certificate: consistency.Certificate{Commits: a.Certificate.Commits, Conflict: a.Certificate.Conflict}})
		before.Cases = append(before.Cases, Supposed{Chosen: chosen, Answer: a})
	}
	return before
}

// guess says of each read what it is from in a linearization, or if there is none, by the times of
// calls.
func (c *Case) guess(ctx context.Context, x *consistency.Accesses, sources [][]history.OpID) []history.OpID {
	order := make([]history.OpID, len(x.Ops))
	for i := range order {
		order[i] = history.OpID(i)
	}
	if r, err := c.Linearize(ctx, c.Spec, c.History, false, false); err == nil && len(r.Witness) > 0 {
		order = r.Witness
	}
	from := make([]history.OpID, len(x.Ops))
	for i, some := range sources {
		if len(some) > 0 {
			from[i] = some[0]
		}
	}
	last := slices.Repeat([]history.OpID{consistency.Start}, len(x.Initial))
	for _, i := range order {
		if o := x.Ops[i].Object; x.Ops[i].Writes {
			last[o] = i
		} else if slices.Contains(sources[i], last[o]) {
			from[i] = last[o]
		}
	}
	return from
}

// restsOnReads lists the operations that a contradiction names.
func restsOnReads(a *Answer) (ops []history.OpID) {
	if c := a.Certificate.Commits; c != nil {
		return rests(words.Named(c.Refutation))
	}
	c := a.Certificate.Conflict
	ops = slices.Clone(c.Path)
	for _, o := range c.Overwrites {
		ops = append(ops, o.Path...)
	}
	return ops
}
