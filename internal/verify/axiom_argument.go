package verify

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Refutations by axioms.
//
// What: an argument is a tree of instances of axioms. The verifier rebuilds the clause of every
// instance from the operations themselves (proof.Window: who can have written a value is looked up,
// never believed), and checks that all its literals but the one that is concluded are false by
// then; that every path ends in an instance of which all literals are false; and that a split has a
// case for every literal that is not false yet. In short, it replays unit propagation.
//
// Soundness: every linearization of the history gives the literals values under which all clauses
// are true.
//
// Cost: rebuilding the instances, microseconds each in a window of some dozens of operations.

// Argument checks that the argument proves that b's partition, even after the weakening, is not
// linearizable. It returns nil or what is wrong.
func Argument(b *model.Instance, weakening *proof.Weakening, argument *proof.Node) error {
	return argue(context.Background(), b, weakening, argument)
}

// argue is Argument, until ctx is done.
func argue(ctx context.Context, b *model.Instance, weakening *proof.Weakening, argument *proof.Node) error {
	if argument == nil {
		return base.Faultf("", "it has no steps")
	}
	if s := Select(b, weakening); s != nil {
		if own, ok := s.Argument(argument); ok {
			b, weakening, argument = s.Instance, s.Weakening, own
		}
	}
	w, err := Window(b, weakening)
	if err != nil {
		return err
	}
	return argueIn(ctx, w, argument)
}

// ArgumentIn checks that the argument proves that no linearization fits a window.
func ArgumentIn(w *proof.Window, argument *proof.Node) error {
	return argueIn(context.Background(), w, argument)
}

func argueIn(ctx context.Context, w *proof.Window, argument *proof.Node) error {
	if argument == nil {
		return base.Faultf("", "it has no steps")
	}
	return (&argumentJudge{ctx: ctx, window: w, holds: map[proof.Literal]bool{}}).node(argument)
}

type argumentJudge struct {
	ctx    context.Context
	window *proof.Window
	holds  map[proof.Literal]bool // literals that are true here
}

func (j *argumentJudge) fails(l proof.Literal) bool { return j.holds[l.Negated()] }

// node checks a node and leaves what holds as it was.
func (j *argumentJudge) node(a *proof.Node) error {
	var new []proof.Literal
	defer func() {
		for _, l := range new {
			delete(j.holds, l)
		}
	}()
	for i := range a.Steps {
		s := &a.Steps[i]
		if err := j.step(s); err != nil {
			return j.fault(s, s.String(), "%w", err)
		}
		if s.Contradiction() {
			if i != len(a.Steps)-1 || a.Split != nil {
				return j.fault(s, s.String(), "a contradiction comes last")
			}
			return nil
		}
		if !j.holds[s.So] {
			j.holds[s.So] = true
			new = append(new, s.So)
		}
	}
	if a.Split == nil {
		return base.Faultf("", "it ends without a contradiction after %d steps", len(a.Steps))
	}
	return j.split(a.Split)
}

// fault names an instance of an axiom, which stands in the argument as text, and its operations.
func (j *argumentJudge) fault(s *proof.Step, text, why string, of ...any) error {
	about := fmt.Sprintf("step %q", text)
	if ops := s.Operations(); len(ops) > 0 {
		about += ", " + base.Op(j.window.Partition, ops...)
	}
	return base.Under(string(s.Axiom), base.Faultf(about, why, of...))
}

func (j *argumentJudge) step(s *proof.Step) error {
	if err := context.Cause(j.ctx); err != nil {
		return err
	}
	clause, err := j.window.Instance(s.Axiom, s.Args, s.Given)
	if err != nil {
		return err
	}
	found := s.Contradiction()
	for _, l := range clause {
		switch {
		case l == s.So && !found:
			found = true
		case !j.fails(l):
			return fmt.Errorf("%v may be true instead", l)
		}
	}
	if !found {
		return fmt.Errorf("the axiom does not conclude %v", s.So)
	}
	return nil
}

func (j *argumentJudge) split(s *proof.Split) error {
	instance := &proof.Step{Axiom: s.Axiom, Args: s.Args}
	clause, err := j.window.Instance(s.Axiom, s.Args, nil)
	if err != nil {
		return j.fault(instance, s.String(), "%w", err)
	}
	cases := s.Cases
	for _, l := range clause {
		if j.fails(l) {
			continue
		}
		if len(cases) == 0 {
			return j.fault(instance, s.String(), "the case %v is missing", l)
		}
		held := j.holds[l]
		j.holds[l] = true
		err := j.node(cases[0])
		if !held {
			delete(j.holds, l)
		}
		if err != nil {
			return err
		}
		cases = cases[1:]
	}
	if len(cases) > 0 {
		return j.fault(instance, s.String(), "%d cases too many", len(cases))
	}
	return nil
}
