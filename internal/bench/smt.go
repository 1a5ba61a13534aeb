package bench

import (
	"context"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/smt"
	"github.com/linsat/linsat/internal/verify"
)

// smtContender decides by the SMT encoding under the named program: each key by itself, one after
// the other. The verifier replays every order that it gives.
func smtContender(program string) (Contender, error) {
	e, err := smt.New(program)
	if err != nil {
		return Contender{}, err
	}
	return Contender{"smt", program, func(ctx context.Context, s model.Spec, h *history.History) (r linsat.Result, err error) {
		parts := model.Split(s, h, model.ByKey)
		r.Partitions, r.Verdict = len(parts), engine.Linearizable
		for _, p := range parts {
			b, err := s.Bind(p)
			if err != nil {
				return r, err
			}
			a, err := e.Check(ctx, &engine.Task{Instance: b}, engine.NewBudget(0, 0))
			if err == nil && a.Verdict == engine.Linearizable {
				err = verify.Witness(b, a.Witness)
			}
			if err != nil {
				return r, err
			}
			r.Effort = r.Effort.Add(a.Effort)
			switch a.Verdict {
			case engine.NotLinearizable:
				r.Verdict = a.Verdict
				return r, nil
			case engine.Unknown:
				r.Verdict, r.Cause, r.Detail = a.Verdict, a.Cause, a.Detail
			}
		}
		return r, nil
	}}, nil
}
