package conformance_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/usermodel"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Models as a user writes them, beside the shipped specifications of the same objects.

type (
	call  = usermodel.Call
	found = usermodel.Found
)

// randomOps makes operations of a few clients: repeated values, pending operations, unknown
// results, equal times, any order.
func randomOps(r *rand.Rand, names, keys []string) []linsat.Op[call, found] {
	n := 2 + r.IntN(6)
	var ops []linsat.Op[call, found]
	clocks := make([]int64, 1+r.IntN(4))
	for range n {
		c := r.IntN(len(clocks))
		from := clocks[c] + r.Int64N(3)
		to := from + r.Int64N(6)
		clocks[c] = to
		in := call{F: names[r.IntN(len(names))], Key: keys[r.IntN(len(keys))]}
		var out found
		switch in.F {
		case "write", "enq", "put", "swap":
			in.Value = r.IntN(3)
		}
		switch in.F {
		case "read", "deq", "get", "swap":
			if r.IntN(4) > 0 {
				out = found{Value: r.IntN(3), OK: true}
			}
		}
		ops = append(ops, linsat.Op[call, found]{Client: c, Input: in, Output: out, Call: from, Return: to,
			Pending: r.IntN(5) == 0, Unknown: false})
		if last := &ops[len(ops)-1]; !last.Pending && r.IntN(10) == 0 {
			last.Unknown = true
		}
	}
	r.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	return ops
}

// asHistory writes operations in JSON for a shipped specification.
func asHistory(t *testing.T, ops []linsat.Op[call, found], keyed bool) *history.History {
	var items []string
	for i, o := range ops {
		text := fmt.Sprintf(`{"process": %d, "f": %q, "call": %d`, i, o.Input.F, o.Call)
		if keyed {
			text += fmt.Sprintf(`, "key": %q`, o.Input.Key)
		}
		switch o.Input.F {
		case "write", "enq", "put", "swap":
			text += fmt.Sprintf(`, "arg": %d`, o.Input.Value)
		}
		if !o.Pending {
			text += fmt.Sprintf(`, "return": %d`, o.Return)
			switch {
			case o.Unknown:
				text += `, "forgotten": true`
			case o.Output.OK:
				text += fmt.Sprintf(`, "result": %d`, o.Output.Value)
			default:
				text += `, "result": null`
			}
		}
		items = append(items, text+"}")
	}
	h, err := history.Read(strings.NewReader(`{"operations": [`+strings.Join(items, ", ")+`]}`), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

// precedes is the order of real time: a returned before b was called, or, at one time, one client
// called a first and left no operation pending between them.
func precedes(ops []linsat.Op[call, found], i, j int) bool {
	a, b := &ops[i], &ops[j]
	switch {
	case a.Pending || i == j:
		return false
	case a.Client != b.Client || a.Client == -1 || a.Return != b.Call:
		return a.Return < b.Call
	case a.Call == b.Call && (b.Pending || a.Return >= b.Return):
		return !b.Pending && a.Return == b.Return && i < j
	}
	for _, o := range ops {
		if o.Client == a.Client && o.Pending && a.Call < o.Call && o.Call == b.Call && !b.Pending {
			return false
		}
	}
	return true
}

// possible is the definition of linearizability, by trying every order. ops may know less than the
// original operations, from which the order comes.
func possible[S any](m linsat.Model[S, call, found], ops, original []linsat.Op[call, found]) bool {
	var try func(s S, done int) bool
	try = func(s S, done int) bool {
		complete := true
		for i := range ops {
			complete = complete && (done>>i&1 == 1 || ops[i].Pending)
		}
		if complete {
			return true
		}
	next:
		for i := range ops {
			if done>>i&1 == 1 {
				continue
			}
			for j := range ops {
				if done>>j&1 == 0 && !ops[j].Pending && precedes(original, j, i) {
					continue next
				}
			}
			for _, n := range follow(m, s, &ops[i]) {
				if try(n, done|1<<i) {
					return true
				}
			}
		}
		return false
	}
	return try(m.Init, 0)
}

// follow lists the states that may follow an operation.
func follow[S any](m linsat.Model[S, call, found], s S, o *linsat.Op[call, found]) []S {
	unknown := o.Pending || o.Unknown
	switch {
	case m.Accept != nil && unknown:
		return m.Open(s, o.Input)
	case m.Accept != nil:
		return m.Accept(s, o.Input, o.Output)
	}
	var out []S
	for _, c := range m.Step(s, o.Input) {
		if unknown || c.AnyOutput || c.Output == o.Output {
			out = append(out, c.Next)
		}
	}
	return out
}

// modelAgrees compares CheckOps with the definition and, where no client's operations touch, with a
// shipped specification. byKey is the model of one key where m splits, else m.
func modelAgrees[S, W any](t *testing.T, m linsat.Model[S, call, found], whole linsat.Model[W, call, found],
	s spec.Spec, names, keys []string) {
	ctx := context.Background()
	verdicts := map[engine.Verdict]int{}
	n := testenv.Scale(500, 20_000)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 11))
		ops := randomOps(r, names, keys)
		anonymous := seed%2 == 0
		for i := range ops {
			if anonymous {
				ops[i].Client = -1
			}
		}
		out, err := linsat.CheckOps(ctx, m, ops,
			linsat.Engine(linsat.Engines([]string{"auto", "all", "search"}[seed%3])))
		require.NoError(t, err, "seed %d", seed)
		want := engine.NotLinearizable
		if possible(whole, ops, ops) {
			want = engine.Linearizable
		}
		require.Equal(t, want, out.Verdict, "seed %d: %+v", seed, ops)
		verdicts[want]++
		require.True(t, out.Certified, "seed %d: %s", seed, out.Uncertified)
		if anonymous {
			shipped, err := linsat.Check(ctx, s, asHistory(t, ops, s.Info().KeyIsPiece),
				linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
			require.NoError(t, err, "seed %d", seed)
			require.Equal(t, want, shipped.Verdict, "seed %d: %+v", seed, ops)
		}
		if want == engine.Linearizable {
			assert.Empty(t, out.Explanation)
			replayModel(t, whole, ops, out.Witness)
		} else {
			assert.NotEmpty(t, out.Explanation)
			refuted(t, whole, ops, &out, m.As != nil)
		}
		certificate, err := linsat.Certify(out.History, &out.Result)
		require.NoError(t, err)
		require.NoError(t, linsat.Verify(ctx, out.Spec, out.History, certificate))
	}
	assert.Greater(t, verdicts[engine.Linearizable], n/20)
	assert.Greater(t, verdicts[engine.NotLinearizable], n/20)
}

// replayModel applies a witness.
func replayModel[S any](t *testing.T, m linsat.Model[S, call, found], ops []linsat.Op[call, found], witness []int) {
	states, taken := []S{m.Init}, map[int]bool{}
	for k, i := range witness {
		assert.False(t, taken[i])
		taken[i] = true
		for _, j := range witness[k+1:] {
			assert.False(t, precedes(ops, j, i))
		}
		var next []S
		for _, s := range states {
			next = append(next, follow(m, s, &ops[i])...)
		}
		assert.NotEmpty(t, next)
		states = next
	}
	for i := range ops {
		assert.True(t, taken[i] || ops[i].Pending)
	}
}

// refuted holds what is said of a violation against the definition: without the last operation to
// return it is there no longer, and what is not in the core does not matter. as says that the model
// was checked as a specification.
func refuted[S any](t *testing.T, m linsat.Model[S, call, found], ops []linsat.Op[call, found],
	r *linsat.OpsResult, as bool) {
	if r.Unplaced >= 0 && !sameTime(ops) {
		end := ops[r.Unplaced].Return
		for _, last := range []bool{true, false} {
			var prefix []linsat.Op[call, found]
			for i, o := range ops {
				if o.Call > end {
					continue
				}
				if !o.Pending && (o.Return > end || i == r.Unplaced && !last) {
					o.Pending, o.Unknown = true, false
				}
				prefix = append(prefix, o)
			}
			if r.Partitions == 1 {
				assert.Equal(t, !last, possible(m, prefix, prefix), "%+v", ops)
			}
		}
	}
	if r.Core == nil {
		return
	}
	if as { // a core of the specification: the others may be left out
		for left := range 1 << len(ops) {
			var some []linsat.Op[call, found]
			for i, o := range ops {
				if slices.Contains(r.Core, i) || left>>i&1 == 0 {
					some = append(some, o)
				}
			}
			assert.False(t, possible(m, some, some), "%v of %+v", r.Core, some)
		}
		return
	}
	weaker := slices.Clone(ops)
	for i := range weaker {
		if !slices.Contains(r.Core, i) {
			weaker[i].Pending, weaker[i].Unknown = true, false
		}
	}
	assert.False(t, possible(m, weaker, ops), "%v of %+v", r.Core, ops)
}

// sameTime reports whether two events carry one time, so that the order of returns is not that of
// the times alone.
func sameTime(ops []linsat.Op[call, found]) bool {
	seen := map[int64]bool{}
	for _, o := range ops {
		if seen[o.Call] || !o.Pending && seen[o.Return] {
			return true
		}
		seen[o.Call] = true
		seen[o.Return] = seen[o.Return] || !o.Pending
	}
	return false
}

func TestModelsAgree(t *testing.T) {
	one := []string{""}
	two := []string{"a", "b"}
	t.Run("register", func(t *testing.T) {
		t.Parallel()
		modelAgrees(t, usermodel.Register(), usermodel.Register(), specs.Register(),
			[]string{"write", "read", "read", "swap"}, one)
	})
	t.Run("queue", func(t *testing.T) {
		t.Parallel()
		modelAgrees(t, usermodel.Queue(), usermodel.Queue(), specs.Queue(), []string{"enq", "deq"}, one)
	})
	t.Run("relational queue", func(t *testing.T) {
		t.Parallel()
		modelAgrees(t, usermodel.HashedQueue(), usermodel.Queue(), specs.Queue(), []string{"enq", "deq"}, one)
	})
	t.Run("kv", func(t *testing.T) {
		t.Parallel()
		modelAgrees(t, usermodel.KV(), usermodel.KV(), specs.KV(), []string{"put", "get"}, two)
	})
	t.Run("kv by key", func(t *testing.T) {
		t.Parallel()
		modelAgrees(t, usermodel.KVByKey(), usermodel.KV(), specs.KV(), []string{"put", "get"}, two)
	})
}

// A model that says which specification it is has the verdicts of the definition, and what is told
// of them is about its own operations.
func TestModelsAsSpecificationsAgree(t *testing.T) {
	one := []string{""}
	two := []string{"a", "b"}
	t.Run("register", func(t *testing.T) {
		t.Parallel()
		m := usermodel.Register()
		m.As = usermodel.As(specs.Register())
		modelAgrees(t, m, usermodel.Register(), specs.Register(), []string{"write", "read", "read", "swap"}, one)
	})
	t.Run("queue", func(t *testing.T) {
		t.Parallel()
		m := usermodel.Queue()
		m.As = usermodel.As(specs.Queue())
		modelAgrees(t, m, usermodel.Queue(), specs.Queue(), []string{"enq", "deq"}, one)
	})
	t.Run("relational queue", func(t *testing.T) {
		t.Parallel()
		m := usermodel.HashedQueue()
		m.As = usermodel.As(specs.Queue())
		modelAgrees(t, m, usermodel.Queue(), specs.Queue(), []string{"enq", "deq"}, one)
	})
	t.Run("kv", func(t *testing.T) {
		t.Parallel()
		m := usermodel.KV()
		m.As = usermodel.As(specs.KV())
		modelAgrees(t, m, usermodel.KV(), specs.KV(), []string{"put", "get"}, two)
	})
	t.Run("kv by key", func(t *testing.T) {
		t.Parallel()
		m := usermodel.KVByKey()
		m.As = usermodel.As(specs.KV())
		modelAgrees(t, m, usermodel.KV(), specs.KV(), []string{"put", "get"}, two)
	})
}
