package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/cells"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnswersNameTheirTechnique decides histories that a technique of the table decides, and asks
// that the answer names it and that without it the verdict is the same or none.
func TestAnswersNameTheirTechnique(t *testing.T) {
	whole := techniques
	defer func() { techniques = whole }()
	for by, o := range map[string]gen.Options{
		"one-word": {Spec: "kv", Operations: 20, Processes: 3, Seed: 1},
		"plain":    {Spec: "mutex", Operations: 200, Processes: 3, Seed: 1},
		"few":      {Spec: "bank", Operations: 3000, Processes: 8, PendingRate: 0.03, Seed: 2},
		"targets":  {Spec: "cas-register", Operations: 2000, Processes: 16, Values: 6, PendingRate: 0.03, Seed: 5},
		"fifo":     {Spec: "queue", Operations: 400, Processes: 8, Values: 3, Seed: 1},
		"windows":  {Spec: "stack", Operations: 2000, Processes: 8, Values: 4, Seed: 1},
	} {
		c, err := gen.Generate(o)
		require.NoError(t, err)
		b, err := testkit.Spec(t, o.Spec).Bind(model.Whole(c.History))
		require.NoError(t, err)
		techniques = whole
		a, err := New(VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		assert.Equal(t, by, a.By)
		assert.Equal(t, engine.Linearizable, a.Verdict, by)
		techniques = without(by)
		left, err := New(VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b},
			engine.NewBudget(1<<22, 0))
		require.NoError(t, err)
		assert.NotEqual(t, engine.NotLinearizable, left.Verdict, by)
		if by != "plain" && by != "one-word" {
			assert.NotEqual(t, by, left.By)
		}
	}
}

// TestTechniquesHaveNames asks that the depth-first search alone cannot be left out, and that a
// technique that stands twice in the table never applies twice.
func TestTechniquesHaveNames(t *testing.T) {
	var needed []string
	for _, x := range techniques {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, x.name)
		if x.needed {
			needed = append(needed, x.name)
		}
	}
	assert.Equal(t, []string{"plain", "rest"}, needed)
	assert.True(t, techniques[len(techniques)-1].needed)
}

// witnessOf is a small history that shows what a technique is for.
type witnessOf struct {
	technique string
	options   gen.Options
	opaque    bool // nothing is known of the specification but its steps
	delayed   int  // one operation of so many returns after everything else
	unknown   int  // one operation of so many has an unknown result
}

// TestEveryTechniqueIsNeeded decides for each technique of the table a history that takes more than
// twice the steps without it. A technique for which there is no such history goes.
func TestEveryTechniqueIsNeeded(t *testing.T) {
	whole := techniques
	defer func() { techniques = whole }()
	shown := map[string]bool{}
	show := func(name string, b *model.Instance) {
		techniques = whole
		with, err := New(VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		techniques = without(name)
		left, err := New(VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b},
			engine.NewBudget(2*with.Effort.Steps+10_000, 0))
		require.NoError(t, err)
		t.Logf("%s: %v by %s, %d steps", name, with.Verdict, with.By, with.Effort.Steps)
		assert.NotEqual(t, engine.Unknown, with.Verdict, name)
		assert.Equal(t, engine.Unknown, left.Verdict, "%s by %s, %d steps; without it by %s, %d steps", name, with.By,
			with.Effort.Steps, left.By, left.Effort.Steps)
		shown[name] = true
	}
	for _, w := range witnesses {
		c, err := gen.Generate(w.options)
		require.NoError(t, err)
		p := model.Whole(c.History)
		if w.delayed > 0 {
			delay(p.Ops, func(i int) bool { return i%w.delayed == 0 })
		}
		for i := range p.Ops {
			if w.unknown > 0 && i%w.unknown == 0 {
				p.Ops[i].Unknown = true
			}
		}
		b, err := testkit.Spec(t, w.options.Spec).Bind(p)
		require.NoError(t, err)
		if w.opaque {
			b = testkit.Opaque(b)
		}
		show(w.technique, b)
	}
	late := cells.Options{Operations: 3000, Cells: cells.Most, Open: 16, Wrong: 1, WrongFrom: 2990}
	b, err := cells.Spec().Bind(model.Whole(cells.History(rand.New(rand.NewPCG(4, 5)), late)))
	require.NoError(t, err)
	show("independent", b)
	crowded := cells.Options{Operations: 3000, Cells: cells.Most, Open: 32}
	b, err = cells.Spec().Bind(model.Whole(cells.History(rand.New(rand.NewPCG(1, 5)), crowded)))
	require.NoError(t, err)
	touches, readOnly := b.Touches, b.ReadOnly
	b.Touches, b.ReadOnly = nil, make([]bool, len(b.ReadOnly))
	b.Seen = func(func() bool) ([][]int32, []bool) { return touches, readOnly }
	show("as-seen", b)
	for _, x := range whole {
		assert.True(t, x.needed || shown[x.name], "no history shows what %s is for", x.name)
	}
}

// witnesses are the smallest histories found by drawing them (docs/decisions/techniques.md).
var witnesses = []witnessOf{
	{technique: "order", options: gen.Options{Spec: "fenced-mutex", Operations: 300, Processes: 16, PendingRate: 0.05,
		Violation: gen.Swap, Seed: 1}},
	{technique: "reuse", options: gen.Options{Spec: "etcd", Operations: 10_000, Processes: 4, Keys: 4, Values: 40,
		PendingRate: 0.05, Violation: gen.Duplicate, Seed: 307}},
	{technique: "returns-last", options: gen.Options{Spec: "bank", Operations: 1000, Processes: 4, Violation: gen.Stale,
		Seed: 3}, opaque: true, delayed: 40},
	{technique: "few", options: gen.Options{Spec: "priority-queue", Operations: 200, Processes: 8,
		PendingRate: 0.05, Seed: 2}},
	{technique: "jumps", options: gen.Options{Spec: "kv", Operations: 2000, Processes: 4, PendingRate: 0.03,
		Violation: gen.Stale, Seed: 2}, opaque: true},
	{technique: "cases", options: gen.Options{Spec: "bounded-queue", Operations: 60, Processes: 8,
		Violation: gen.Stale, Seed: 1}},
	{technique: "deque", options: gen.Options{Spec: "deque", Operations: 60, Processes: 8,
		Violation: gen.Stale, Seed: 1}},
	{technique: "fifo", options: gen.Options{Spec: "queue", Operations: 1000, Processes: 8, Values: 4, Seed: 3},
		unknown: 50},
	{technique: "windows", options: gen.Options{Spec: "stack", Operations: 60, Processes: 16, Values: 6, Seed: 1}},
	{technique: "readers-writer", options: gen.Options{Spec: "rwmutex", Operations: 1000, Processes: 16,
		PendingRate: 0.03, Violation: gen.Swap, Seed: 4}},
	{technique: "insertion-order", options: gen.Options{Spec: "bounded-queue", Operations: 60, Processes: 8, Seed: 2}},
	{technique: "approximated", options: gen.Options{Spec: "kv", Operations: 100, Processes: 32, Seed: 1}},
	{technique: "onward", options: gen.Options{Spec: "register", Operations: 3000, Processes: 64, Values: 6,
		PendingRate: 0.05, Violation: gen.Swap, Seed: 9}},
	{technique: "targets", options: gen.Options{Spec: "multi-register", Operations: 2000, Processes: 16, Values: 6,
		PendingRate: 0.03, Seed: 3}},
	{technique: "dual", options: gen.Options{Spec: "multi-register", Operations: 1000, Processes: 16, Values: 40,
		PendingRate: 0.03, Violation: gen.Stale, Seed: 1}},
}

// without returns the table without a technique.
func without(name string) []technique {
	var left []technique
	for _, x := range techniques {
		if x.needed || x.name != name {
			left = append(left, x)
		}
	}
	return left
}
