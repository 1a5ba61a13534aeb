package check

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/isolation/check"
)

// All asks all questions that the operations support, the strongest first, and leaves out what
// other answers imply. The answers are in the order of consistency.Questions.
func All(ctx context.Context, c *Case) ([]Answer, error) {
	var answers []Answer
	names := Supported(c)
	for k := range consistency.Questions {
		q := &consistency.Questions[k]
		if !slices.Contains(names, q.Name) {
			continue
		}
		implied := slices.IndexFunc(answers, func(a Answer) bool {
			// What is no cause need not be possible at all: of a mutex, two may be acquired.
			apart := q.Name == "pram" && a.Certificate != nil && a.Certificate.Causes != nil
			return a.Verdict == check.Holds && a.Question.IsAtLeast(q) && !apart
		})
		if implied >= 0 {
			a := answers[implied]
			a.Question, a.Took = q, 0
			answers = append(answers, a)
			continue
		}
		a, err := Ask(ctx, c, q)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// Supported lists the questions that the operations and events support.
func Supported(c *Case) (names []string) {
	_, none := c.plain()
	for k := range consistency.Questions {
		q := &consistency.Questions[k]
		_, lacks := orderOf(c.Spec, c.History, q)
		if q.Registers {
			_, lacks = Registers(c.Spec, c.History, q)
		}
		if lacks == nil && (none == nil || deciders[q.Name] == nil || slices.Contains(anyObject, q.Name)) {
			names = append(names, q.Name)
		}
	}
	return names
}

// anyObject lists the questions with deciders that are asked without Accesses.
var anyObject = []string{"sequential", "causal", "causal-convergence", "weakly-causal", "pram", "regular", "weakly-regular"}

// Extremes returns the strongest questions that hold, and the weakest that fail.
func Extremes(answers []Answer) (hold, fail []*consistency.Question) {
	for k := range answers {
		a := &answers[k]
		beyond := func(b Answer) bool {
			stronger, weaker := b.Question.IsAtLeast(a.Question), a.Question.IsAtLeast(b.Question)
			return b.Question != a.Question && b.Verdict == a.Verdict &&
				(a.Verdict == check.Holds && stronger || a.Verdict == check.Fails && weaker)
		}
		switch {
		case slices.ContainsFunc(answers, beyond):
		case a.Verdict == check.Holds:
			hold = append(hold, a.Question)
		case a.Verdict == check.Fails:
			fail = append(fail, a.Question)
		}
	}
	return hold, fail
}
