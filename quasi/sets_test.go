package quasi_test

import (
	"context"
	"slices"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseSets(t *testing.T) {
	s := testkit.Spec(t, "queue")
	r, err := quasi.Parse(s.Info(), `deq=2, enq(1|"a, b=+|)") + deq =0,insertions+deq=inf`)
	require.NoError(t, err)
	assert.Equal(t, []quasi.Set{{Operations: `enq(1|"a, b=+|)") + deq`}, {Operations: "insertions+deq",
		Bound: quasi.Unbounded}}, r.Sets)
	assert.Equal(t, `removals=2,enq(1|"a, b=+|)") + deq=0,insertions+deq=inf`, quasi.Question{Factor: r.Factor,
		Sets: r.Sets}.Bounds(s.Info()))
	for text, why := range map[string]string{
		"nq(1)=0":   `no class or operation "nq"`,
		"enq(=0":    "malformed set",
		"enq()=0":   "malformed set",
		"enq(1)=-1": "invalid quasi bound",
	} {
		_, err := quasi.Parse(s.Info(), text)
		assert.ErrorContains(t, err, why, text)
	}
	least, err := quasi.Parse(s.Info(), "min,enq(1)=0")
	require.NoError(t, err)
	assert.True(t, slices.Contains(least.Free, true))
	assert.Equal(t, []quasi.Set{{Operations: "enq(1)"}}, least.Sets)
	q := quasi.Question{Factor: r.Factor, Sets: r.Sets, Causal: true}
	assert.ErrorContains(t, q.Validate(s.Info()), "causality")
	q = quasi.Question{Factor: r.Factor, Sets: []quasi.Set{{Operations: "enq(1)", Bound: -1}}}
	assert.ErrorContains(t, q.Validate(s.Info()), "negative")
}

// Values removed out of order: "red 1" two places late, "red 2" two early.
func TestBoundsOnSets(t *testing.T) {
	h, err := history.ReadFile("../examples/histories/quasi-red.json", history.ReadOptions{})
	require.NoError(t, err)
	s := testkit.Spec(t, "queue")
	for text, want := range map[string]engine.Verdict{
		`deq=2`:                                      engine.Linearizable,
		`deq=2,deq("red 1"|"red 2")=0`:               engine.NotLinearizable,
		`deq=2,deq(red 1|red 2)=0`:                   engine.NotLinearizable,
		`deq=2,deq("red 1"|"red 2")=1`:               engine.Linearizable,
		`deq=2,deq("red 1")=0,deq("red 2"|blue)=1`:   engine.Linearizable,
		`deq=2,deq("red 1"|blue)=0`:                  engine.NotLinearizable,
		`deq=2,enq+deq=1`:                            engine.NotLinearizable,
		`deq=1,deq("red 1")=0`:                       engine.NotLinearizable,
		`deq=2,removals=2`:                           engine.Unknown, // two bounds of one class
		`deq=2,enq("red 1"|"red 2")+deq("red 1")=3`:  engine.Linearizable,
		`enq=inf,deq=0,enq("red 1"|"red 2")=inf`:     engine.Linearizable,
		`enq=inf,deq=0,enq("red 1"|"red 2")=0`:       engine.NotLinearizable,
		`enq=inf,deq=0,enq("red 1")+enq("red 2")=0`:  engine.NotLinearizable,
		`enq=inf,deq=0,enq("red 1")=0,enq(blue|1)=0`: engine.Linearizable,
	} {
		r, err := quasi.Parse(s.Info(), text)
		if want == engine.Unknown {
			assert.Error(t, err)
			continue
		}
		require.NoError(t, err, text)
		got, err := linsat.Check(context.Background(), s, h,
			linsat.Quasi(quasi.Question{Factor: r.Factor, Sets: r.Sets, Drain: true}))
		require.NoError(t, err, text)
		assert.Equal(t, want, got.Verdict, text)
	}
}
