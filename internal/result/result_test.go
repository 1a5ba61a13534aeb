package result

import (
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
)

// Where all operations are tried, a violation rests on those up to the failing return. Some of them
// alone, or all of them under a factor, may be refuted by what comes later.
func TestWhatAViolationRestsOn(t *testing.T) {
	part := &model.Partition{Ops: []history.Op{{Call: 0, Return: 1}, {Call: 2, Return: 3}, {Call: 4, Return: 5}}}
	weakening := func(retain ...proof.Retained) *proof.Weakening {
		w := proof.Everything()
		w.Retain = retain
		return w
	}
	for _, c := range []struct {
		name string
		r    Result
		want []history.OpID
	}{
		{"all", Result{Proof: &proof.Exhaustion{Weakening: weakening()}}, []history.OpID{0, 1}},
		{"some", Result{Proof: &proof.Saturation{Weakening: weakening(proof.RetainAll, proof.RetainNothing,
			proof.RetainAll)}}, []history.OpID{0, 2}},
		{"factor", Result{Proof: &proof.Exhaustion{Weakening: weakening()},
			Quasi: &quasi.Question{Factor: quasi.Factor{1}}}, []history.OpID{0, 1, 2}},
	} {
		c.r.Partition, c.r.Failure = part, &engine.Failure{Op: 1, Cut: 3}
		assert.Equal(t, c.want, c.r.RestsOn(), c.name)
	}
}
