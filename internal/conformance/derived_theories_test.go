package conformance_test

// Specifications as users write them, whose theory is derived from their few states: by law, by the
// definition, and by every engine.

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/spectest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// finite is a specification with few states, and what its operations look like.
type finite struct {
	spec spec.Spec
	kit  spectest.Kit
}

func define[S comparable](t testing.TB, d spec.Definition[S], samples ...spectest.Sample) finite {
	s, err := spec.Define(d)
	require.NoError(t, err)
	return finite{s, spectest.Kit{Samples: samples}}
}

// votes is the state of a two-phase commit of three participants.
type votes struct {
	said    [3]int8 // 0: nothing yet, 1: yes, -1: no
	decided int8
}

// finites are specifications as users write them.
func finites(t testing.TB) []finite {
	type outcomes[S comparable] = []spec.Outcome[S]
	lamp := define(t, spec.Definition[string]{
		Name: "traffic light",
		Init: func(any) (string, error) { return "red", nil },
		Step: func(s string, c spec.Call) outcomes[string] {
			switch c.F {
			case "advance":
				next := map[string]string{"red": "green", "green": "amber", "amber": "red", "off": "red"}[s]
				return outcomes[string]{{Output: next, Next: next}}
			case "fail":
				return outcomes[string]{{Next: "off", AnyOutput: true}}
			}
			return outcomes[string]{{Output: s, Next: s}}
		},
	}, spectest.Sample{F: "advance", Results: []any{"red", "green", "amber"}}, spectest.Sample{F: "fail"},
		spectest.Sample{F: "look", Results: []any{"red", "green", "amber", "off"}})
	turnstile := define(t, spec.Definition[bool]{
		Name: "turnstile",
		Step: func(open bool, c spec.Call) outcomes[bool] {
			if c.F == "coin" {
				return outcomes[bool]{{Next: true, AnyOutput: true}}
			}
			return outcomes[bool]{{Output: open, Next: false}}
		},
	}, spectest.Sample{F: "coin"}, spectest.Sample{F: "push", Results: []any{true, false}})
	lease := define(t, spec.Definition[string]{
		Name: "lease", ByProcess: true,
		Step: func(s string, c spec.Call) outcomes[string] {
			switch {
			case c.F == "leader":
				return outcomes[string]{{Output: s, Next: s}}
			case c.F == "expire":
				return outcomes[string]{{Next: "", AnyOutput: true}}
			case c.F == "release" && s == c.Process:
				return outcomes[string]{{Output: true, Next: ""}}
			case c.F == "acquire" && (s == "" || s == c.Process):
				return outcomes[string]{{Output: true, Next: c.Process}}
			}
			return outcomes[string]{{Output: false, Next: s}}
		},
	}, spectest.Sample{F: "acquire", Process: "a", Results: []any{true, false}},
		spectest.Sample{F: "acquire", Process: "b", Results: []any{true, false}},
		spectest.Sample{F: "release", Process: "a", Results: []any{true, false}},
		spectest.Sample{F: "release", Process: "b", Results: []any{true, false}},
		spectest.Sample{F: "expire", Process: "a"}, spectest.Sample{F: "leader", Process: "b",
			Results: []any{"", "a", "b"}})
	permits := define(t, spec.Definition[int]{
		Name: "bounded semaphore", Initial: "the number of permits",
		Init: func(initial any) (int, error) {
			n, _ := initial.(int64)
			return int(n), nil
		},
		Step: func(n int, c spec.Call) outcomes[int] {
			switch {
			case c.F == "release" && n < 3:
				return outcomes[int]{{Next: n + 1}}
			case c.F == "acquire" && n > 0:
				return outcomes[int]{{Next: n - 1}}
			case c.F == "try" && n > 0:
				return outcomes[int]{{Output: true, Next: n - 1}}
			case c.F == "try":
				return outcomes[int]{{Output: false, Next: n}}
			case c.F == "available":
				return outcomes[int]{{Output: n, Next: n}}
			}
			return nil
		},
	}, spectest.Sample{F: "acquire"}, spectest.Sample{F: "release"},
		spectest.Sample{F: "try", Results: []any{true, false}},
		spectest.Sample{F: "available", Results: []any{0, 1, 2, 3}})
	permits.kit.Initials = []any{1, 3}
	commit := define(t, spec.Definition[votes]{
		Name: "two-phase commit",
		Step: func(s votes, c spec.Call) outcomes[votes] {
			if c.F == "vote" {
				vote := c.Arg.([]any)
				who, yes := &s.said[vote[0].(int64)], vote[1].(bool)
				if *who == 0 && s.decided == 0 {
					*who = -1
					if yes {
						*who = 1
					}
				}
				return outcomes[votes]{{Next: s, AnyOutput: true}}
			}
			if s.decided == 0 {
				switch {
				case slices.Contains(s.said[:2], -1):
					s.decided = -1
				case !slices.Contains(s.said[:2], 0):
					s.decided = 1
				default:
					return outcomes[votes]{{Next: s}}
				}
			}
			return outcomes[votes]{{Output: map[int8]string{1: "commit", -1: "abort"}[s.decided], Next: s}}
		},
	}, spectest.Sample{F: "vote", Arg: []any{0, true}}, spectest.Sample{F: "vote", Arg: []any{0, false}},
		spectest.Sample{F: "vote", Arg: []any{1, true}},
		spectest.Sample{F: "outcome", Results: []any{nil, "commit", "abort"}})
	score := define(t, spec.Definition[int]{
		Name: "score up to 5",
		Step: func(n int, c spec.Call) outcomes[int] {
			switch c.F {
			case "up":
				return outcomes[int]{{Output: min(n+1, 5), Next: min(n+1, 5)}}
			case "down":
				return outcomes[int]{{Next: max(n-1, 0), AnyOutput: true}}
			case "reset":
				return outcomes[int]{{Output: n, Next: 0}}
			}
			return outcomes[int]{{Output: n, Next: n}}
		},
	}, spectest.Sample{F: "up", Results: []any{1, 2, 3, 4, 5}}, spectest.Sample{F: "down"},
		spectest.Sample{F: "reset", Results: []any{0, 1, 2, 3, 4, 5}},
		spectest.Sample{F: "read", Results: []any{0, 1, 2, 3, 4, 5}})
	toggles := define(t, spec.Definition[[2]bool]{
		Name: "toggles",
		Step: func(s [2]bool, c spec.Call) outcomes[[2]bool] {
			switch c.F {
			case "toggle":
				k := c.Arg.(int64)
				old := s[k]
				s[k] = !old
				return outcomes[[2]bool]{{Output: old, Next: s}}
			case "swap":
				s[0], s[1] = s[1], s[0]
				return outcomes[[2]bool]{{Next: s, AnyOutput: true}}
			}
			return outcomes[[2]bool]{{Output: s, Next: s}}
		},
	}, spectest.Sample{F: "toggle", Arg: 0, Results: []any{true, false}}, spectest.Sample{F: "toggle", Arg: 1,
		Results: []any{true, false}},
		spectest.Sample{F: "swap"}, spectest.Sample{F: "both", Results: []any{[]any{true, true}, []any{true, false},
			[]any{false, true}, []any{false, false}}})
	election := define(t, spec.Definition[int]{
		Name: "election",
		Step: func(leader int, c spec.Call) outcomes[int] {
			switch c.F {
			case "elect": // any process, and the result does not say which
				return outcomes[int]{{Next: 1, AnyOutput: true}, {Next: 2, AnyOutput: true}, {Next: 3, AnyOutput: true}}
			case "confirm": // may fail for no reason
				return outcomes[int]{{Output: leader, Next: leader}, {Output: 0, Next: leader}}
			case "depose":
				if leader != 0 {
					return outcomes[int]{{Output: leader, Next: 0}}
				}
				return nil
			}
			return outcomes[int]{{Output: leader, Next: leader}}
		},
	}, spectest.Sample{F: "elect"}, spectest.Sample{F: "confirm", Results: []any{0, 1, 2, 3}},
		spectest.Sample{F: "depose", Results: []any{1, 2, 3}},
		spectest.Sample{F: "leader", Results: []any{0, 1, 2, 3}})
	slots := define(t, spec.Definition[string]{
		Name: "queue for two",
		Step: func(s string, c spec.Call) outcomes[string] {
			switch {
			case c.F == "put" && len(s) < 2:
				return outcomes[string]{{Output: true, Next: s + c.Arg.(string)}}
			case c.F == "put":
				return outcomes[string]{{Output: false, Next: s}}
			case s == "":
				return outcomes[string]{{Next: s}}
			}
			return outcomes[string]{{Output: s[:1], Next: s[1:]}}
		},
	}, spectest.Sample{F: "put", Arg: "x", Results: []any{true, false}}, spectest.Sample{F: "put", Arg: "y",
		Results: []any{true, false}},
		spectest.Sample{F: "take", Results: []any{nil, "x", "y"}})
	switches := define(t, spec.Definition[[2]int8]{
		Name: "switches", KeyIsPiece: true,
		Step: func(s [2]int8, c spec.Call) outcomes[[2]int8] {
			k := c.Key.(int64)
			if c.F == "get" {
				return outcomes[[2]int8]{{Output: s[k], Next: s}}
			}
			old := s[k]
			s[k] = int8(c.Arg.(int64))
			return outcomes[[2]int8]{{Output: old, Next: s}}
		},
	}, spectest.Sample{F: "get", Key: 0, Results: []any{0, 1}}, spectest.Sample{F: "get", Key: 1,
		Results: []any{0, 1, 2}}, spectest.Sample{F: "set", Key: 0, Arg: 1, Results: []any{0, 1}},
		spectest.Sample{F: "set", Key: 0, Arg: 0, Results: []any{0, 1}}, spectest.Sample{F: "set", Key: 1, Arg: 2,
			Results: []any{0, 1, 2}})
	relational := define(t, spec.Definition[int]{
		Name: "phase",
		Accept: func(s int, c spec.Call, result any) []int {
			switch {
			case c.F == "next" && result == int64((s+1)%4):
				return []int{(s + 1) % 4}
			case c.F == "skip":
				return []int{s, (s + 1) % 4}
			case c.F == "is" && (result == true) == (int64(s) == c.Arg):
				return []int{s}
			}
			return nil
		},
		Open: func(s int, c spec.Call) []int {
			switch c.F {
			case "next":
				return []int{(s + 1) % 4}
			case "skip":
				return []int{s, (s + 1) % 4}
			}
			return []int{s}
		},
	}, spectest.Sample{F: "next", Results: []any{0, 1, 2, 3}}, spectest.Sample{F: "skip"},
		spectest.Sample{F: "is", Arg: 1, Results: []any{true, false}})
	counter := define(t, spec.Definition[int]{
		Name: "tally",
		Step: func(n int, c spec.Call) outcomes[int] {
			if c.F == "add" {
				return outcomes[int]{{Output: n, Next: n + 1}}
			}
			return outcomes[int]{{Output: n, Next: n}}
		},
	}, spectest.Sample{F: "add", Results: []any{0, 1, 2, 3}}, spectest.Sample{F: "read", Results: []any{0, 1, 2, 3}})
	return []finite{lamp, turnstile, lease, permits, commit, score, toggles, election, slots, switches,
		relational, counter}
}

// TestLawsOfDerivedTheories checks the laws of every specification, those of theories among them,
// on the specifications of users.
func TestLawsOfDerivedTheories(t *testing.T) {
	for _, f := range finites(t) {
		t.Run(f.spec.Info().Name, func(t *testing.T) {
			t.Parallel()
			kit := f.kit
			kit.Runs = smallHistories()
			for _, err := range spectest.Check(f.spec, kit) {
				t.Error(err)
			}
		})
	}
}

// draw makes a history of up to 8 operations, mostly of a run in which each takes effect within its
// interval.
func (f finite) draw(t testing.TB, seed uint64) *history.History {
	r := rand.New(rand.NewPCG(seed, 11))
	b := history.NewBuilder()
	var initial any
	if n := len(f.kit.Initials); n > 0 && r.IntN(2) == 0 {
		initial = f.kit.Initials[r.IntN(n)]
		v, err := b.Values.Of(initial)
		require.NoError(t, err)
		b.SetInitial(v)
	}
	value := func(x any) history.Value {
		v, err := b.Values.Of(x)
		require.NoError(t, err)
		return v
	}
	n := 2 + r.IntN(7)
	spread := int64(1 + r.IntN(12))
	type operation struct {
		sample  spectest.Sample
		unknown bool
	}
	ops := make([]operation, n)
	keys := 1
	if !f.spec.Info().KeyIsPiece && r.IntN(4) == 0 {
		keys = 2
	}
	for i := range ops {
		s := f.kit.Samples[r.IntN(len(f.kit.Samples))]
		rec := history.Record{F: b.Values.String(s.F), Key: history.NoKey, Arg: value(s.Arg),
			Call: 4*int64(i) - r.Int64N(spread), Return: 4*int64(i) + r.Int64N(spread)}
		switch {
		case s.Key != nil:
			rec.Key = value(s.Key)
		case keys > 1:
			rec.Key = b.Values.Int(int64(r.IntN(keys)))
		}
		if len(s.Results) > 0 {
			rec.Result = value(s.Results[r.IntN(len(s.Results))])
		}
		if r.IntN(6) == 0 {
			rec.Pending = true
		}
		rec.Process = b.Process(strconv.Itoa(i))
		_, err := b.Add(rec)
		require.NoError(t, err)
		ops[i] = operation{s, r.IntN(10) == 0}
	}
	if i := r.IntN(n); i > 0 && r.IntN(8) == 0 {
		require.NoError(t, b.Edge(r.IntN(i), i, 0))
	}
	h, err := b.Finish()
	require.NoError(t, err)
	// what builders do not take: results unknown of completed operations, and processes with
	// several open operations
	for i := range h.Ops {
		o := ops[h.Origins[i].Position]
		if o.unknown {
			h.Ops[i].Unknown, h.Ops[i].Result = true, history.Nil
		}
		if o.sample.Process != "" {
			if !slices.Contains(h.Processes, o.sample.Process) {
				h.Processes = append(h.Processes, o.sample.Process)
			}
			h.Ops[i].Process = int32(slices.Index(h.Processes, o.sample.Process))
		}
	}
	if r.IntN(8) > 0 {
		f.mend(t, h, r)
	}
	return h
}

// mend gives most completed operations a result with which they are allowed, in some order that the
// intervals allow.
func (f finite) mend(t testing.TB, h *history.History, r *rand.Rand) {
	byKey := map[history.Value]bool{}
	for i := range h.Ops {
		key := h.Ops[i].Key
		if f.spec.Info().KeyIsPiece {
			key = history.NoKey
		}
		if byKey[key] {
			continue
		}
		byKey[key] = true
		var members []history.OpID
		for j := range h.Ops {
			if f.spec.Info().KeyIsPiece || h.Ops[j].Key == key {
				members = append(members, history.OpID(j))
			}
		}
		// Every operation with each of its results is one of a partition, whose machine says what
		// is allowed.
		p := &model.Partition{History: h, Initial: h.Initial, HasInitial: h.HasInitial}
		type choice struct {
			of     history.OpID
			result history.Value
		}
		var choices []choice
		for _, j := range members {
			for _, s := range f.kit.Samples {
				if name, _ := h.Values.AsString(h.Ops[j].F); name != s.F {
					continue
				}
				for _, x := range append([]any{nil}, s.Results...) {
					v, err := h.Values.Of(x)
					require.NoError(t, err)
					o := h.Ops[j]
					o.Result, o.Unknown, o.Call, o.Return = v, false, history.Rank(2*len(p.Ops)),
						history.Rank(2*len(p.Ops)+1)
					p.Ops, p.Index = append(p.Ops, o), append(p.Index, j)
					choices = append(choices, choice{j, v})
				}
			}
		}
		b, err := model.Full(f.spec).Bind(p)
		require.NoError(t, err)
		m := b.NewMachine()
		s := m.Init()
		order := slices.Clone(members)
		slices.SortStableFunc(order, func(x, y history.OpID) int { return int(h.Ops[x].Call) - int(h.Ops[y].Call) })
		for _, j := range order {
			if h.Ops[j].Pending() && r.IntN(2) == 0 || r.IntN(12) == 0 {
				continue
			}
			for k, c := range choices {
				if c.of != j {
					continue
				}
				if next := m.Step(s, history.OpID(k), nil); len(next) > 0 {
					if !h.Ops[j].Unknown {
						h.Ops[j].Result = c.result
					}
					s = next[r.IntN(len(next))]
					break
				}
			}
		}
	}
}

// derived are histories of users' specifications of few states.
func derived(t testing.TB) (all []source) {
	for _, f := range finites(t) {
		all = append(all, source{name: "derived/" + f.spec.Info().Name, n: testenv.Scale(120, 10_000), least: 0.05,
			most: 0.95, draw: func(t testing.TB, seed uint64) (spec.Spec, *history.History) {
				return f.spec, f.draw(t, seed)
			},
			asks: [][]linsat.Option{{}, {linsat.Partition("none"), linsat.Engine("all")}},
			told: func(t *testing.T, a *answer) {
				r := full(&a.said)
				if r.Verdict == engine.Linearizable {
					return
				}
				require.True(t, r.Certified, a.about)
				a.count[string(r.Proof.Kind())]++
				if r.Core != nil && r.Core.Weakening.From == 0 {
					a.count["cores"]++
					checkCore(t, r.Instance(), r.Core, byOracle, a.about)
				}
			},
			holds: func(t *testing.T, n int, count map[string]int) {
				assert.Equal(t, n, count["with a theory"])
				assert.Equal(t, n, count["by sat"])
			}})
	}
	return all
}

// TestModelsOfFewStatesAreArgued: a turnstile in the caller's own types gets an argument with a
// minimal core.
func TestModelsOfFewStatesAreArgued(t *testing.T) {
	turnstile := linsat.Model[bool, string, bool]{
		Name: "turnstile",
		Step: func(open bool, in string) []linsat.Outcome[bool, bool] {
			if in == "coin" {
				return linsat.Returns(true, true)
			}
			return linsat.Returns(open, false)
		},
	}
	ops := []linsat.Op[string, bool]{
		{Client: -1, Input: "coin", Output: true, Call: 0, Return: 1},
		{Client: -1, Input: "push", Output: true, Call: 2, Return: 3},
		{Client: -1, Input: "coin", Call: 4, Pending: true},
		{Client: -1, Input: "push", Output: true, Call: 5, Return: 6},
		{Client: -1, Input: "push", Output: true, Call: 7, Return: 8},
	}
	r, err := linsat.CheckOps(context.Background(), turnstile, ops)
	require.NoError(t, err)
	require.Equal(t, engine.NotLinearizable, r.Verdict)
	require.NotNil(t, full(&r.Result).Core)
	assert.NotNil(t, full(&r.Result).Core.Argument)
	assert.True(t, full(&r.Result).Core.Minimal)
	assert.True(t, r.Certified)
}
