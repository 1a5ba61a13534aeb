package spectest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/spectest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A lock that knows its owner: who acquired it must release it. Trying may fail for no reason at
// all, as that of Java and C++ may: a specification with several next states.
func ownedLock() (spec.Spec, error) {
	return spec.Define(spec.Definition[string]{
		Name: "owned-lock",
		Operations: []model.Operation{
			{Name: "lock", Aliases: []string{"acquire"}},
			{Name: "unlock", Aliases: []string{"release"}},
			{Name: "trylock", Result: "true if it acquired the lock, else false"},
		},
		ByProcess: true,
		Init: func(initial any) (string, error) {
			if initial == nil {
				return "", nil
			}
			owner, isString := initial.(string)
			if !isString {
				return "", errors.New("it is the owner's name")
			}
			return owner, nil
		},
		Step: func(owner string, c spec.Call) (outcomes []spec.Outcome[string]) {
			switch {
			case c.F == "unlock":
				if owner == c.Process {
					outcomes = append(outcomes, spec.Outcome[string]{Next: "", AnyOutput: true})
				}
			case c.F == "lock":
				if owner == "" {
					outcomes = append(outcomes, spec.Outcome[string]{Next: c.Process, AnyOutput: true})
				}
			default:
				if owner == "" {
					outcomes = append(outcomes, spec.Outcome[string]{Output: true, Next: c.Process})
				}
				outcomes = append(outcomes, spec.Outcome[string]{Output: false, Next: owner})
			}
			return outcomes
		},
		ReadOnly: func(c spec.Call, r spec.Result) bool { return c.F == "trylock" && r.Is(false) },
		Describe: func(owner string) string { return "held by " + fmt.Sprintf("%q", owner) },
		Refusal: func(owner string, c spec.Call, _ spec.Result) string {
			return fmt.Sprintf("%q holds it, not %q", owner, c.Process)
		},
		Example: `{"spec": "owned-lock", "operations": [{"process": 0, "f": "lock", "call": 0, "return": 3}, {"process": 1, "f": "trylock", "call": 1, "return": 2, "result": false}, ` +
			`{"process": 0, "f": "unlock", "call": 4}]}`,
	})
}

func TestDefinedLock(t *testing.T) {
	s, err := ownedLock()
	require.NoError(t, err)
	assert.Empty(t, spectest.Check(s, spectest.Kit{
		Initials: []any{"ann"},
		Samples: []spectest.Sample{{F: "acquire", Process: "ann"}, {F: "acquire", Process: "ben"},
			{F: "unlock", Process: "ann"}, {F: "unlock", Process: "ben"},
			{F: "trylock", Process: "ann", Results: []any{true, false}}},
		Runs: runs(t, 10_000),
	}))
	judge := func(operations string) (bool, error) {
		h, err := history.Read(strings.NewReader(`{"operations": [`+operations+`]}`), history.ReadOptions{})
		require.NoError(t, err)
		b, err := model.Full(s).Bind(model.Whole(h))
		if err != nil {
			return false, err
		}
		ok, _ := oracle.Linearizable(b)
		return ok, nil
	}
	ok, err := judge(
		`{"process": 0, "f": "lock", "call": 0, "return": 1}, {"process": 0, "f": "release", "call": 2, "return": 3}`)
	require.NoError(t, err)
	assert.True(t, ok)
	ok, err = judge(
		`{"process": 0, "f": "lock", "call": 0, "return": 1}, {"process": 1, "f": "release", "call": 2, "return": 3}`)
	require.NoError(t, err)
	assert.False(t, ok, "another process's lock")
	ok, err = judge(
		`{"process": 0, "f": "trylock", "call": 0, "return": 1, "result": false}, {"process": 0, "f": "trylock", "call": 2, "return": 3, "result": true}`)
	require.NoError(t, err)
	assert.True(t, ok, "fails for no reason")
	_, err = judge(`{"process": 0, "f": "jump", "call": 0, "return": 1}`)
	assert.ErrorContains(t, err, `owned-lock has no operation "jump"`)
}

// A bag by pieces: what is put in as x comes out as x, and nothing else matters to it. Take names
// what it takes.
type count struct{ a, b int }

func bag() (spec.Spec, error) {
	of := func(s *count, x any) *int {
		if x == "a" {
			return &s.a
		}
		return &s.b
	}
	return spec.Define(spec.Definition[count]{
		Name: "bag",
		Operations: []model.Operation{{Name: "put", Arg: "a or b"},
			{Name: "take", Arg: "a or b", Result: "true if there was one"}},
		Check: func(c spec.Call, _ spec.Result) error {
			if c.Arg != "a" && c.Arg != "b" {
				return fmt.Errorf("there are only a and b, not %v", c.Arg)
			}
			return nil
		},
		Step: func(s count, c spec.Call) []spec.Outcome[count] {
			n := of(&s, c.Arg)
			switch {
			case c.F == "put":
				*n++
				return []spec.Outcome[count]{{Next: s, AnyOutput: true}}
			case *n > 0:
				*n--
				return []spec.Outcome[count]{{Output: true, Next: s}}
			}
			return []spec.Outcome[count]{{Output: false, Next: s}}
		},
		Pieces: func(c spec.Call) []any { return []any{c.Arg} },
	})
}

func TestDefinedByPieces(t *testing.T) {
	s, err := bag()
	require.NoError(t, err)
	assert.Empty(t, spectest.Check(s, spectest.Kit{
		Samples: []spectest.Sample{{F: "put", Arg: "a"}, {F: "put", Arg: "b"},
			{F: "take", Arg: "a", Results: []any{true, false}}, {F: "take", Arg: "b", Results: []any{true, false}}},
		Runs: runs(t, 10_000),
	}))
	h, err := history.Read(
		strings.NewReader(
			`{"operations": [{"process": 0, "f": "put", "arg": "a", "call": 0, "return": 1}, {"process": 0, "f": "put", "arg": "b", "call": 2, "return": 3}]}`),
		history.ReadOptions{})
	require.NoError(t, err)
	parts := model.Split(model.Full(s), h, model.ByKey)
	require.Len(t, parts, 2)
	assert.Equal(t, `"a"`, parts[0].Name)
	assert.Len(t, model.Split(model.Full(s), h, model.ByObject), 1)

	h, err = history.Read(
		strings.NewReader(
			`{"initial": 3, "operations": [{"process": 0, "f": "put", "arg": "c", "call": 0, "return": 1}]}`),
		history.ReadOptions{})
	require.NoError(t, err)
	_, err = model.Full(s).Bind(model.Whole(h))
	assert.ErrorContains(t, err, "bag takes no initial state")
	h.HasInitial = false
	_, err = model.Full(s).Bind(model.Whole(h))
	assert.ErrorContains(t, err, "there are only a and b, not c")
}

func TestDefineRefuses(t *testing.T) {
	step := func(s int, _ spec.Call) []spec.Outcome[int] { return []spec.Outcome[int]{{Next: s, AnyOutput: true}} }
	accept := func(s int, _ spec.Call, _ any) []int { return []int{s} }
	for want, d := range map[string]spec.Definition[int]{
		"a specification needs a name": {Step: step},
		"specification x has no Step":  {Name: "x"},
		"has both Step and Accept":     {Name: "x", Step: step, Accept: accept},
		`calls both a and b "A"`: {Name: "x", Step: step, Operations: []model.Operation{{Name: "a"},
			{Name: "b", Aliases: []string{"A"}}}},
		`has no operation "b" to hold`: {Name: "x", Step: step, Operations: []model.Operation{{Name: "a"}},
			Classes: []model.Class{{Name: "c", Operations: []string{"b"}}}},
		`needs ItemDelta and Stored`: {Name: "x", Step: step, Operations: []model.Operation{{Name: "a"}},
			Drain: "a"},
		`has no operation "b" to drain`: {Name: "x", Step: step, Operations: []model.Operation{{Name: "a"}},
			Drain: "b"},
	} {
		_, err := spec.Define(d)
		assert.ErrorContains(t, err, want)
	}
}

// A queue in other words: its state is a string of elements, which are numbers below ten.
func digits() (spec.Spec, error) {
	queue := specs.Queue().Info()
	return spec.Define(spec.Definition[string]{
		Name: "digits", Operations: queue.Operations, Classes: queue.Classes, Drain: queue.Drain,
		Init: func(initial any) (string, error) {
			elements, _ := initial.([]any)
			var b strings.Builder
			for _, e := range elements {
				fmt.Fprint(&b, e)
			}
			return b.String(), nil
		},
		Step: func(s string, c spec.Call) []spec.Outcome[string] {
			switch {
			case c.F == "enq":
				return []spec.Outcome[string]{{Next: s + fmt.Sprint(c.Arg), AnyOutput: true}}
			case s == "":
				return []spec.Outcome[string]{{Next: s}}
			case c.F == "peek":
				return []spec.Outcome[string]{{Output: s[0] - '0', Next: s}}
			}
			return []spec.Outcome[string]{{Output: s[0] - '0', Next: s[1:]}}
		},
		ReadOnly: func(c spec.Call, r spec.Result) bool { return c.F == "peek" || c.F == "deq" && r.Is(nil) },
		ItemDelta: func(c spec.Call, r spec.Result) int {
			switch {
			case c.F == "enq":
				return 1
			case c.F == "deq" && !r.Is(nil):
				return -1
			}
			return 0
		},
		Stored: func(s string) int { return len(s) },
	})
}

// A defined queue says the same of a history as linsat's own.
func TestDefinedQueue(t *testing.T) {
	s, err := digits()
	require.NoError(t, err)
	compared := 0
	for seed := range uint64(runs(t, 20_000)) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{NoEnds: true})
		require.NoError(t, err)
		if _, big := h.Values.FindInt(10); big {
			continue
		}
		p := model.Whole(h)
		b, err := model.Full(s).Bind(p)
		require.NoError(t, err, "seed %d", seed)
		q, err := specs.Queue().Bind(p)
		require.NoError(t, err, "seed %d", seed)
		compared++
		assert.Equal(t, q.ReadOnly, b.ReadOnly, "seed %d", seed)
		assert.Equal(t, q.Class, b.Class, "seed %d", seed)
		assert.Equal(t, q.Items.Delta, b.Items.Delta, "seed %d", seed)
		assert.Equal(t, q.Items.Stored, b.Items.Stored, "seed %d", seed)
		want, _ := oracle.Linearizable(q)
		got, _ := oracle.Linearizable(b)
		require.Equal(t, want, got, "seed %d", seed)
		drained, err := model.Full(s).Bind(p.Drained(2))
		require.NoError(t, err, "seed %d", seed)
		queue, err := specs.Queue().Bind(p.Drained(2))
		require.NoError(t, err, "seed %d", seed)
		want, _ = oracle.Linearizable(queue)
		got, _ = oracle.Linearizable(drained)
		require.Equal(t, want, got, "drained, seed %d", seed)
	}
	assert.Greater(t, compared, 50)
}

// A Step that compares an argument with an int never does what it says; one that asserts int64, or
// stores what it is given, does.
func TestAnIntIsNoInt64(t *testing.T) {
	step := func(is3 func(arg any) bool) func(s any, c spec.Call) []spec.Outcome[any] {
		return func(s any, c spec.Call) []spec.Outcome[any] {
			switch {
			case c.F == "read":
				return []spec.Outcome[any]{{Output: s, Next: s}}
			case is3(c.Arg):
				return []spec.Outcome[any]{{Next: nil, AnyOutput: true}}
			}
			return []spec.Outcome[any]{{Next: c.Arg, AnyOutput: true}}
		}
	}
	kit := spectest.Kit{Samples: []spectest.Sample{{F: "write", Arg: 3}, {F: "write", Arg: 4},
		{F: "read", Results: []any{nil, 3, 4}, More: true}}}
	for name, c := range map[string]struct {
		is3 func(arg any) bool
		bad bool
	}{
		"compares": {func(arg any) bool { return arg == 3 }, true},
		"asserts":  {func(arg any) bool { return arg.(int64) == 3 }, false},
		"converts": {func(arg any) bool { return spec.As[int](arg) == 3 }, false},
		"as it is": {func(arg any) bool { return arg == int64(3) }, false},
		"switches": {func(arg any) bool {
			switch n := arg.(type) {
			case int64:
				return n == 3
			case int:
				return n > 5
			}
			return false
		}, false},
		"switches wrongly": {func(arg any) bool {
			n, ok := arg.(int)
			return ok && n == 3
		}, true},
		"only asks": {func(any) bool { return false }, false},
	} {
		s, err := spec.Define(spec.Definition[any]{Name: name, Step: step(c.is3)})
		require.NoError(t, err)
		errs := spectest.Check(s, kit)
		if !c.bad {
			assert.Empty(t, errs, name)
			continue
		}
		require.NotEmpty(t, errs, name)
		assert.ErrorContains(t, errs[0], "Step does not know the argument 3, but would if it were an int", name)
	}
	s, err := spec.Define(spec.Definition[int]{Name: "panics", Step: func(int, spec.Call) []spec.Outcome[int] {
		panic("no")
	}})
	require.NoError(t, err)
	errs := spectest.Check(s, kit)
	require.NotEmpty(t, errs)
	assert.ErrorContains(t, errs[0], "specification panics: Step panics on operation")
}
