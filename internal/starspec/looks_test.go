package starspec

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// styles are steps as people write them, with what their calls touch: keys, "all", and "-" for
// those that change nothing.
var styles = []struct {
	name, step string
	calls      []spec.Call
	touches    []string
}{
	{"leaderboard", `
    if op.f == "submit":
        player, score = op.arg
        best = state.get(player, 0)
        if score > best:
            return (True, state | {player: score})
        return (False, state)
    if op.f == "top":
        rows = sorted([(-s, p) for p, s in state.items()])
        return ([[p, -s] for s, p in rows[:op.arg]], state)
`, []spec.Call{{F: "submit", Arg: []any{"x", int64(2)}}, {F: "submit", Arg: []any{"y", int64(1)}},
		{F: "submit", Arg: []any{"x", int64(1)}}, {F: "top", Arg: int64(1)}},
		[]string{"x", "y", "x", "all-"}},
	{"points", `
    if op.f == "add":
        player, points = op.arg
        total = state.get(player, 0) + points
        return (total, state | {player: total})
    if op.f == "best":
        return (max([0] + [n for n in state.values()]), state)
    return (state.get(op.arg, 0), state)
`, []spec.Call{{F: "add", Arg: []any{"x", int64(2)}}, {F: "add", Arg: []any{"y", int64(1)}},
		{F: "add", Arg: []any{"x", int64(1)}}, {F: "best"}, {F: "of", Arg: "x"}, {F: "of", Arg: "y"}},
		[]string{"x", "y", "x", "all-", "x-", "y-"}},
	{"queues", `
    if op.f == "enq":
        q, v = op.arg
        return (None, state | {q: state.get(q, []) + [v]})
    src, dst = op.arg
    items = list(state.get(src, []))
    if not items:
        return (None, state)
    v = items.pop(0)
    new = dict(state)
    new[src] = items
    new[dst] = list(state.get(dst, []) if dst != src else items) + [v]
    return (v, new)
`, []spec.Call{{F: "enq", Arg: []any{"x", int64(1)}}, {F: "enq", Arg: []any{"x", int64(2)}},
		{F: "enq", Arg: []any{"y", int64(1)}}, {F: "move", Arg: []any{"x", "y"}}, {F: "move", Arg: []any{"y", "z"}},
		{F: "move", Arg: []any{"z", "z"}}}, []string{"x", "x", "y", "x y", "y z", "z"}},
	{"copies", `
    new = dict(state)
    if op.f == "move":
        for k in op.arg:
            new[k] = new.get(k, 0) + 1
        new.update({op.arg[0]: state.get(op.arg[1], 0)})
        return (None, new)
    if op.f == "drop":
        old = new.pop(op.arg, None)
        return (old, new)
    return (op.arg in state, new)
`, []spec.Call{{F: "move", Arg: []any{"x", "y"}}, {F: "drop", Arg: "x"}, {F: "drop", Arg: "z"}, {F: "has", Arg: "z"}},
		[]string{"x y", "x", "z", "z-"}},
	{"helpers", `
    return put(state, op.arg, 1) if op.f == "put" else (found(state, op.arg), state)

def put(s, k, n = 1):
    out = []
    for v in [0, 1]:
        if s.get(k, 0) == v:
            out.append((v, s | {k: v + n}))
    return out

def found(s, k):
    return k in s and s[k] > 0
`, []spec.Call{{F: "put", Arg: "x"}, {F: "put", Arg: "y"}, {F: "found", Arg: "x"}, {F: "found", Arg: "y"}},
		[]string{"x", "y", "x-", "y-"}},
	{"loops", `
    n = 0
    seen = []
    for k in state:
        n += 1
        seen.append(k)
        if k == op.arg:
            return (n, state)
    while n > 2:
        n -= 1
    if op.f == "add" and n < 3:
        return (n, state | {op.arg: n})
    return (n, state)
`, []spec.Call{{F: "add", Arg: "x"}, {F: "add", Arg: "y"}, {F: "look", Arg: "z"}}, []string{"all", "all", "all"}},
	{"aliases", `
    a = []
    b = state.get(op.arg, a)
    if type(b) == "list":
        b.append(1)
    return (None, state | {"x": len(a)})
`, []spec.Call{{F: "trap", Arg: "x"}, {F: "trap", Arg: "z"}}, []string{"all", "all"}},
	{"wholes", `
    if op.f == "whole":
        return (state, state)
    if op.f == "len":
        return (len(state), state)
    if op.f == "nest":
        return (None, state | {"y": len([state])})
    return (op.arg == state.get("y"), state | {"y": op.arg})
`, []spec.Call{{F: "whole", Arg: "x"}, {F: "len", Arg: "y"}, {F: "nest", Arg: "y"}, {F: "set", Arg: "y"}},
		[]string{"all-", "all-", "all", "y"}},
	{"sorted by", `
    if op.f == "least":
        rest = sorted([k for k in op.arg], key = lambda k: state.get(k, 0))
        return (rest[0], state)
    a, b = op.arg
    return (None, state | {a: state.get(b, 0)} | {b: state.get(a, 0)} if a in state or b in state else state)
`, []spec.Call{{F: "least", Arg: []any{"x", "y"}}, {F: "swap", Arg: []any{"x", "z"}}}, []string{"all-", "x z"}},
	{"some of the outcomes", `
    return [(i, state | {op.arg: i}) for i in range(2) if state.get(op.arg) != i]
`, []spec.Call{{F: "deal", Arg: "x"}, {F: "deal", Arg: "z"}}, []string{"all", "all"}},
	{"not a dict", `
    if op.f == "close":
        return (None, 7)
    if state == 7:
        return (None, state)
    return (state.get(op.arg), state | {op.arg: 1})
`, []spec.Call{{F: "close"}, {F: "put", Arg: "x"}, {F: "put", Arg: "y"}}, []string{"all", "all", "all"}},
}

func styled(t *testing.T, step string) *File {
	f, err := parse("styled.star", []byte("init = {}\n\ndef step(state, op):"+step), io.Discard)
	require.NoError(t, err)
	return f
}

// TestStepsAreLookedAt compares what the text of a step says with what a reader sees.
func TestStepsAreLookedAt(t *testing.T) {
	for _, s := range styles {
		f := styled(t, s.step)
		step, err := f.program.function("step", 2)
		require.NoError(t, err)
		l := newLooks(f.program, step)
		for i, c := range s.calls {
			got := l.of(c)
			text := "all"
			if !got.all && l.dict {
				var keys []string
				for _, k := range got.pieces() {
					keys = append(keys, fmt.Sprint(k))
				}
				slices.Sort(keys)
				text = strings.Join(keys, " ")
			}
			if got.readOnly {
				text += "-"
			}
			assert.Equal(t, s.touches[i], text, "%s: %s %v", s.name, c.F, c.Arg)
		}
	}
}

// reached are states that random calls lead to.
func reached(f *File, calls []spec.Call, r *rand.Rand, n int) []foreign.State {
	init, _ := f.program.init()
	first, _ := init(nil)
	at, states := first, []foreign.State{first}
	for range n {
		next := f.program.steps.Of(at, calls[r.IntN(len(calls))])
		if at = first; len(next) > 0 && r.IntN(6) > 0 {
			at = next[r.IntN(len(next))].Next
			states = append(states, at)
		}
	}
	slices.Sort(states)
	return slices.Compact(states)
}

// TestCallsThatTouchNothingInCommonCommute compares what the text of a step says with what it
// answers: in every state that was reached, calls without a common key can be exchanged, and those
// that change nothing leave it.
func TestCallsThatTouchNothingInCommonCommute(t *testing.T) {
	tried, walked := 0, testenv.Scale(150, 3000)
	for _, s := range styles {
		f := styled(t, s.step)
		step, err := f.program.function("step", 2)
		require.NoError(t, err)
		l := newLooks(f.program, step)
		var calls []spec.Call
		for _, c := range s.calls {
			for _, other := range []string{"x", "y", "z"} {
				d := c
				if _, isText := c.Arg.(string); isText {
					d.Arg = other
				} else if list, ok := c.Arg.([]any); ok && list[0] != other {
					d.Arg = append([]any{other}, list[1:]...)
				}
				calls = append(calls, d)
			}
		}
		text := func(outs []foreign.Outcome, then spec.Call) (all []string) {
			for _, o := range outs {
				for _, p := range f.program.steps.Of(o.Next, then) {
					all = append(all, fmt.Sprint(o.Result, o.Any, p.Result, p.Any, p.Next))
				}
			}
			slices.Sort(all)
			return all
		}
		swapped := func(outs []foreign.Outcome, then spec.Call) (all []string) {
			for _, o := range outs {
				for _, p := range f.program.steps.Of(o.Next, then) {
					all = append(all, fmt.Sprint(p.Result, p.Any, o.Result, o.Any, p.Next))
				}
			}
			slices.Sort(all)
			return all
		}
		for _, st := range reached(f, calls, rand.New(rand.NewPCG(1, 2)), walked) {
			for _, a := range calls {
				la := l.of(a)
				for _, o := range f.program.steps.Of(st, a) {
					require.True(t, !la.readOnly || o.Next == st, "%s: %v changes the state", s.name, a)
				}
				for _, b := range calls {
					lb := l.of(b)
					if !l.dict || la.all || lb.all || slices.ContainsFunc(la.pieces(), func(k any) bool {
						return slices.Contains(lb.pieces(), k)
					}) {
						continue
					}
					tried++
					require.Equal(t, text(f.program.steps.Of(st, a), b), swapped(f.program.steps.Of(st, b), a),
						"%s: %v and %v", s.name, a, b)
				}
			}
		}
	}
	assert.Greater(t, tried, testenv.MoreThan(2000))
}

// TestCoresOfOwnSpecificationsAgreeWithTheDefinition checks by brute force that every core is a
// violation with nothing else, and that one which is called minimal is none without any of its
// facts.
func TestCoresOfOwnSpecificationsAgreeWithTheDefinition(t *testing.T) {
	runs := uint64(testenv.Scale(120, 6000))
	for _, s := range styles {
		f := styled(t, s.step)
		samples, err := f.Samples(s.calls, 3)
		require.NoError(t, err)
		cores, minimal, apart := 0, 0, 0
		for seed := range runs {
			h, err := random(rand.New(rand.NewPCG(seed, 7)), samples)
			require.NoError(t, err)
			checked, err := linsat.Check(context.Background(), f.Spec, h)
			require.NoError(t, err)
			whole, err := model.Full(f.Spec).Bind(model.Whole(h))
			require.NoError(t, err)
			defined, _ := oracle.Linearizable(whole)
			require.Equal(t, defined, checked.Verdict == linsat.Linearizable, "%s, seed %d", s.name, seed)
			r := result.Of(&checked)
			if r.Core == nil || r.Core.Least.From > 0 || r.Core.Least.View != 0 || r.Core.Least.AnyStart ||
				r.Core.Least.SomeOrder {
				continue
			}
			cores++
			holds := func(w *proof.Weakening) bool {
				weak, _, err := explain.Weaken(r.Instance(), w)
				require.NoError(t, err)
				linearizable, _ := oracle.Linearizable(weak)
				return linearizable
			}
			require.False(t, holds(r.Core.Least), "%s, seed %d: the core explains nothing", s.name, seed)
			if slices.Contains(r.Core.Least.Retain, proof.RetainNothing) {
				apart++
			}
			if !r.Core.Minimal {
				continue
			}
			minimal++
			for _, fact := range r.Core.Facts {
				rest := *r.Core.Least
				rest.Retain = make([]proof.Retained, r.Partition.Len())
				copy(rest.Retain, r.Core.Least.Retain)
				for _, i := range fact.Operations {
					rest.Retain[i] = map[explain.FactKind]proof.Retained{explain.ResponseFact: proof.RetainCall,
						explain.ResultFact: proof.RetainResponse}[fact.Kind]
				}
				require.True(t, holds(&rest), "%s, seed %d: it is refuted without %v", s.name, seed, fact)
			}
		}
		t.Logf("%s: %d cores, %d minimal, %d with operations left out", s.name, cores, minimal, apart)
	}
}
