package bench

import (
	"context"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
)

// reference returns a contender that linsat.Check does not ask: the search of Wing, Gong and Lowe
// as printed. ok is false for other names.
func reference(text string) (c Contender, ok bool) {
	switch text {
	case "textbook", "textbook:lru":
		e := wgl.NewTextbook(text == "textbook:lru")
		_, cache, _ := strings.Cut(text, ":")
		return alone("textbook", cache, func(ctx context.Context, t *engine.Task, m *engine.Budget) (engine.Answer,
			error) {
			return e.Check(ctx, t.Plain(), m)
		}), true
	}
	return c, false
}

// alone decides each key by itself, one after the other. The verifier replays every order that the
// engine gives.
func alone(name, with string, check func(context.Context, *engine.Task, *engine.Budget) (engine.Answer,
	error)) Contender {
	return Contender{name, with, func(ctx context.Context, s model.Spec, h *history.History, q Question,
		_ ...linsat.Option) (r linsat.Result, err error) {
		if q.Quasi != "" || q.Consistency != "" {
			r.Cause, r.Detail = engine.Unsupported, "it decides plain linearizability"
			return r, nil
		}
		parts := model.Split(s, h, model.ByKey)
		r.Partitions, r.Verdict = len(parts), engine.Linearizable
		for _, p := range parts {
			b, err := s.Bind(p)
			if err != nil {
				return r, err
			}
			a, err := check(ctx, &engine.Task{Instance: b}, engine.NewBudget(0, 0))
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
	}}
}
