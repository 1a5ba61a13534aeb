package specs

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

// A machine that forgets goes the same ways as one that does not, and shows the same states.
func TestForgettingChangesNothing(t *testing.T) {
	before := model.ForgetFrom
	defer func() { model.ForgetFrom = before }()
	model.ForgetFrom = 4
	somehow := unknownResult{}
	works := map[string]struct {
		spec    model.Spec
		initial any
		calls   []call
	}{
		"queue": {Queue(), []any{1, 2}, []call{{"enq", 1, nil}, {"enq", 2, nil}, {"deq", nil, somehow},
			{"deq", nil, 1}, {"deq", nil, nil}, {"peek", nil, 2}}},
		"stack": {Stack(), []any{1, 2}, []call{{"push", 1, nil}, {"push", 2, nil}, {"pop", nil, somehow},
			{"pop", nil, 1}, {"pop", nil, nil}, {"peek", nil, 2}}},
		"deque": {Deque(), []any{1, 2}, []call{{"pushfront", 1, nil}, {"pushback", 2, nil},
			{"popback", nil, somehow}, {"popfront", nil, 1}, {"popfront", nil, somehow}}},
		"priority queue": {PriorityQueue(), []any{2}, []call{{"insert", 1, nil}, {"insert", []any{1, "x"}, nil},
			{"insert", 2, nil}, {"deletemin", nil, somehow}, {"deletemin", nil, somehow}, {"deletemin", nil, 1},
			{"min", nil, []any{1, "x"}}}},
		"set": {Set(), []any{1}, []call{{"add", 1, somehow}, {"add", 2, nil}, {"remove", 1, true},
			{"remove", 2, somehow}, {"size", nil, 1}}},
		"kv": {KV(), noInitial{}, []call{{"append", "a", nil}, {"append", "aa", nil}, {"put", "", nil},
			{"get", nil, "aaa"}, {"delete", nil, nil}}},
		"counter": {Counter(), 3, []call{{"inc", 2, nil}, {"dec", nil, nil}, {"read", nil, 3}}},
	}
	defer LimitEdges(0)() // a kv with real strings
	for name, k := range works {
		forgot := 0
		for seed := range int64(300) {
			rng := rand.New(rand.NewSource(seed))
			p := sequential(t, k.initial, k.calls)
			if name == "kv" {
				for i := range p.Ops {
					p.Ops[i].Key = p.Ops[0].F
				}
			}
			b, err := k.spec.Bind(p)
			require.NoError(t, err, name)
			long, short := b.NewMachine(), b.NewMachine().(model.Forgetter)
			s, r := long.Init(), short.Init()
			for step := range 120 {
				op := history.OpID(rng.Intn(len(k.calls)))
				next, also := long.Step(s, op, nil), short.Step(r, op, nil)
				require.Len(t, also, len(next), "%s, seed %d, step %d", name, seed, step)
				if len(next) == 0 {
					require.Equal(t, b.Refusal(long, s, op), b.Refusal(short, r, op), "%s, seed %d, step %d",
						name, seed, step)
					continue
				}
				i := rng.Intn(len(next))
				s, r = next[i], also[i]
				if rng.Intn(2) == 0 {
					size := short.Bytes()
					r = short.Forget(r)
					if short.Bytes() < size || r < also[i] {
						forgot++
					}
				}
				require.Equal(t, long.Describe(s), short.Describe(r), "%s, seed %d, step %d", name, seed, step)
			}
		}
		require.NotZero(t, forgot, name)
	}
}

// A machine that collects, keeping several states, goes the same ways from each of them as one that
// does not, and drops what is not kept.
func TestCollectingChangesNothing(t *testing.T) {
	somehow := unknownResult{}
	for name, k := range map[string]struct {
		spec  model.Spec
		calls []call
	}{
		"queue": {Queue(), []call{{"enq", 1, nil}, {"enq", 2, nil}, {"deq", nil, somehow}, {"deq", nil, 1},
			{"peek", nil, 2}}},
		"stack": {Stack(), []call{{"push", 1, nil}, {"push", 2, nil}, {"pop", nil, somehow}, {"pop", nil, 1},
			{"peek", nil, 2}}},
		"deque": {Deque(), []call{{"pushfront", 1, nil}, {"pushback", 2, nil}, {"popback", nil, somehow},
			{"popfront", nil, 1}}},
		"priority queue": {PriorityQueue(), []call{{"insert", 1, nil}, {"insert", 3, nil}, {"insert", 2, nil},
			{"deletemin", nil, somehow}, {"min", nil, 1}}},
		"unordered queue": {UnorderedQueue(), []call{{"add", 1, nil}, {"add", 3, nil}, {"add", 2, nil},
			{"remove", nil, somehow}, {"remove", nil, 2}}},
		"counter": {Counter(), []call{{"inc", 2, nil}, {"dec", nil, nil}, {"read", nil, 3}}},
	} {
		dropped := 0
		for seed := range int64(200) {
			rng := rand.New(rand.NewSource(seed))
			b, err := k.spec.Bind(sequential(t, noInitial{}, k.calls))
			require.NoError(t, err, name)
			long, short := b.NewMachine(), b.NewMachine().(model.Collector)
			// pairs of states with equal contents, on different paths
			s, r := []model.State{long.Init()}, []model.State{short.Init()}
			for step := range 60 {
				i, op := rng.Intn(len(s)), history.OpID(rng.Intn(len(k.calls)))
				next, also := long.Step(s[i], op, nil), short.Step(r[i], op, nil)
				require.Len(t, also, len(next), "%s, seed %d, step %d", name, seed, step)
				s, r = append(s, next...), append(r, also...)
				if rng.Intn(8) > 0 {
					continue
				}
				most := slices.Max(r)
				rng.Shuffle(len(s), func(i, j int) { s[i], s[j], r[i], r[j] = s[j], s[i], r[j], r[i] })
				n := 1 + rng.Intn(min(4, len(s)))
				s, r = s[:n], r[:n]
				short.Collect(r)
				if slices.Max(r) < most {
					dropped++
				}
				for i := range s {
					require.Equal(t, long.Describe(s[i]), short.Describe(r[i]), "%s, seed %d, step %d",
						name, seed, step)
					for j := range s {
						require.Equal(t, s[i] == s[j], r[i] == r[j], "%s, seed %d, step %d", name, seed, step)
					}
				}
			}
		}
		require.Greater(t, dropped, 100, name)
	}
}

// A machine that runs along an order without interning states goes as far as one that does, on sets
// of up to a hundred elements.
func TestRunningIsStepping(t *testing.T) {
	whole, partly := 0, 0
	for seed := range int64(400) {
		rng := rand.New(rand.NewSource(seed))
		elements := 2 + rng.Intn(100)
		calls := []call{{"add", 0, nil}, {"add", 1, nil}}
		for range 120 {
			x := rng.Intn(elements)
			result := []any{nil, nil, true, false, unknownResult{}}[rng.Intn(5)]
			calls = append(calls, call{[]string{"add", "remove", "contains"}[rng.Intn(3)], x, result})
			if rng.Intn(20) == 0 {
				calls = append(calls, call{"size", nil, 2})
			}
		}
		b, err := Set().Bind(sequential(t, noInitial{}, calls))
		require.NoError(t, err)
		m := b.NewMachine()
		s, order, refused := m.Init(), []history.OpID{}, history.OpID(-1)
		for range 60 {
			op := history.OpID(rng.Intn(len(calls)))
			next := m.Step(s, op, nil)
			if len(next) == 0 {
				refused = op
				continue
			}
			s, order = next[0], append(order, op)
		}
		require.Equal(t, len(order), b.NewMachine().(model.Runner).Run(order), "seed %d", seed)
		whole++
		if refused >= 0 { // it may be allowed by now
			want := len(order)
			if len(m.Step(s, refused, nil)) > 0 {
				want++
			} else {
				partly++
			}
			require.Equal(t, want, b.NewMachine().(model.Runner).Run(append(order, refused)), "seed %d", seed)
		}
	}
	require.Greater(t, whole, 300)
	require.Greater(t, partly, 100)
}

// Queues, stacks and priority queues that run along an order go as far as those that intern, on any
// order, up to the first operation that theories do not have or a removal that leaves several
// states.
func TestRunningCollectionsIsStepping(t *testing.T) {
	somehow := unknownResult{}
	for name, k := range map[string]struct {
		spec  model.Spec
		calls func(x int) []call
	}{
		"queue": {Queue(), func(x int) []call { return []call{{"enq", x, nil}, {"deq", nil, x}, {"peek", nil, x}} }},
		"stack": {Stack(), func(x int) []call { return []call{{"push", x, nil}, {"pop", nil, x}, {"peek", nil, x}} }},
		"priority queue": {PriorityQueue(), func(x int) []call {
			return []call{{"insert", []any{x / 2, x}, nil}, {"deletemin", nil, []any{x / 2, x}},
				{"min", nil, []any{x / 2, x}}}
		}},
	} {
		whole, refused, stopped, early := 0, 0, 0, 0
		for seed := range int64(6000) {
			rng := rand.New(rand.NewSource(seed))
			values := 1 + rng.Intn(6)
			var calls []call
			for x := range values {
				calls = append(calls, k.calls(x)...)
			}
			of := k.calls(0)
			calls = append(calls, call{of[1].f, nil, nil}, call{of[2].f, nil, nil}, call{of[1].f, nil, somehow},
				call{of[2].f, nil, somehow})
			odd := history.OpID(len(calls))
			if rng.Intn(4) == 0 {
				calls = append(calls, call{"size", nil, 1 + rng.Intn(3)}, call{"drain", nil, []any{of[1].result}})
			}
			var initial any = noInitial{}
			if rng.Intn(2) == 0 {
				list := make([]any, rng.Intn(4))
				for i := range list {
					list[i] = of[0].arg
				}
				initial = list
			}
			b, err := k.spec.Bind(sequential(t, initial, calls))
			require.NoError(t, err, name)
			m := b.NewMachine()
			s, order, last := m.Init(), []history.OpID{}, 0
			for range 80 {
				op := history.OpID(rng.Intn(len(calls)))
				next := m.Step(s, op, nil)
				if len(next) == 0 && rng.Intn(50) > 0 {
					continue // mostly allowed ones
				}
				order = append(order, op)
				if len(next) != 1 || op >= odd {
					if len(next) == 0 {
						refused++
					} else {
						stopped++
					}
					last = -1
					break
				}
				s, last = next[0], len(order)
			}
			want := len(order)
			if last < 0 {
				want--
			} else {
				whole++
			}
			got := b.NewMachine().(model.Runner).Run(order)
			if got < want {
				require.Equal(t, "priority queue", name)
				// a removal of what is not known
				require.Equal(t, odd-2, order[got], "%s, seed %d", name, seed)
				early++
				continue
			}
			require.Equal(t, want, got, "%s, seed %d", name, seed)
		}
		require.Greater(t, whole, 500, name)
		require.Greater(t, refused, 500, name)
		require.Greater(t, stopped, 50, name)
		require.Less(t, early, 4500, name)
	}
}
