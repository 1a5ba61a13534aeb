package explain

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// A linearizable history that an engine calls a violation, with no evidence, is reported as a
// disagreement as soon as the verifier's own search ends.
func TestTheVerifierContradictsWrongViolations(t *testing.T) {
	idle := Engines{
		Weakened: func(context.Context, *engine.Task, *engine.Budget) engine.Verdict { return engine.Unknown },
		Pending:  func(context.Context, *engine.Problem, *engine.Budget) proof.Proof { return nil },
	}
	for name, c := range map[string]struct {
		spec               string
		operations, values int
		quasi              *quasi.Question
	}{
		"tried":         {spec: "register", operations: 20},
		"paired":        {spec: "queue", operations: 300, values: 4},
		"factor, tried": {spec: "queue", operations: 20, quasi: &quasi.Question{Factor: quasi.Factor{1, 1}}},
		"factor, paired": {spec: "queue", operations: 300, values: 4,
			quasi: &quasi.Question{Factor: quasi.Factor{0, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := gen.Generate(gen.Options{Spec: c.spec, Operations: c.operations, Values: c.values, Seed: 5})
			require.NoError(t, err)
			b, err := testkit.Spec(t, c.spec).Bind(model.Whole(g.History))
			require.NoError(t, err)
			v := Violation{Spec: b.Spec, Instance: b, Quasi: c.quasi}
			w := Wanted{Reasons: time.Minute}
			_, err = Explain(t.Context(), idle, v, w, engine.NewBudget(0, 0), func(Reasons) {})
			var d *engine.Disagreement
			require.ErrorAs(t, err, &d)
			require.NotEmpty(t, d.Because)
			t.Log(d.Because)
		})
	}
}
