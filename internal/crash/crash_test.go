package crash_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/crash"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// kinds of operations on each object, with what they may return.
var objects = []struct {
	spec string
	keys int
	do   func(rng *rand.Rand, v *history.Values, r *history.Record)
}{
	{"register", 1, func(rng *rand.Rand, v *history.Values, r *history.Record) {
		x := v.Int(rng.Int64N(3))
		if r.F, r.Result = v.String("read"), x; rng.IntN(2) == 0 {
			r.F, r.Arg, r.Result = v.String("write"), x, history.Nil
		}
	}},
	{"register", 2, func(rng *rand.Rand, v *history.Values, r *history.Record) {
		x := v.Int(rng.Int64N(3))
		if r.F, r.Result = v.String("read"), x; rng.IntN(2) == 0 {
			r.F, r.Arg, r.Result = v.String("write"), x, history.Nil
		}
	}},
	{"counter", 1, func(rng *rand.Rand, v *history.Values, r *history.Record) {
		if r.F, r.Result = v.String("read"), v.Int(rng.Int64N(4)); rng.IntN(2) == 0 {
			r.F, r.Arg, r.Result = v.String("add"), v.Int(1), history.Nil
		}
	}},
	{"queue", 1, func(rng *rand.Rand, v *history.Values, r *history.Record) {
		x := v.Int(rng.Int64N(4))
		switch r.F, r.Result = v.String("deq"), x; rng.IntN(5) {
		case 0:
			r.Result = history.Nil
		case 1, 2:
			r.F, r.Arg, r.Result = v.String("enq"), x, history.Nil
		}
	}},
	{"set", 1, func(rng *rand.Rand, v *history.Values, r *history.Record) {
		r.F, r.Arg, r.Result = v.String("contains"), v.Int(rng.Int64N(2)), v.Bool(rng.IntN(2) == 0)
		if rng.IntN(2) == 0 {
			r.F = v.String([]string{"add", "remove"}[rng.IntN(2)])
		}
	}},
}

// random is a history with deadlines and crashes; few times, so that many are equal.
func random(t *testing.T, rng *rand.Rand) (h *history.History, s model.Spec, crashes []int64, by map[int]int64) {
	object := objects[rng.IntN(len(objects))]
	s, ok := specs.Lookup(object.spec)
	require.True(t, ok)
	b := history.NewBuilder()
	by = map[int]int64{}
	n, last := 1+rng.IntN(6), 2+rng.Int64N(12)
	for i := range n {
		r := history.Record{Process: b.ProcessInt(int64(i)), Key: history.NoKey, Call: rng.Int64N(last)}
		if object.keys > 1 {
			r.Key = b.Values.Int(rng.Int64N(int64(object.keys)))
		}
		object.do(rng, b.Values, &r)
		r.Return = r.Call + rng.Int64N(4)
		if rng.IntN(3) == 0 {
			r.Pending, r.Result = true, history.Nil
		} else if rng.IntN(8) == 0 {
			r.Forgotten = true
		}
		_, err := b.Add(r)
		require.NoError(t, err)
		if r.Pending && rng.IntN(3) == 0 {
			by[i] = r.Call + rng.Int64N(5)
			require.NoError(t, b.Expire(i, by[i]))
		}
	}
	for range rng.IntN(3) {
		crashes = append(crashes, rng.Int64N(last+3))
		b.Note(crashes[len(crashes)-1], "crash")
	}
	h, err := b.Finish()
	require.NoError(t, err)
	slices.Sort(crashes)
	return h, s, slices.Compact(crashes), by
}

// Both questions are what points in time say, and so are deadlines alone.
func TestCrashesAreTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	yes := map[string]int{}
	n := testenv.Scale(6_000, 100_000)
	for range n {
		h, s, crashes, by := random(t, rng)
		p := model.Whole(h)
		b, err := model.BindObjects(s, p, s.Bind)
		require.NoError(t, err)
		deadline := func(i int) (int64, bool) {
			at, ok := by[int(h.Origins[i].Position)]
			return at, ok
		}
		decide := func(s model.Spec, h *history.History) bool {
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			ok, _ := oracle.Linearizable(b)
			return ok
		}
		check := func(name string, got, want bool) {
			if want {
				yes[name]++
			}
			require.Equal(t, want, got, "%s: %s\n%+v\n%v by %v", name, s.Info().Name, h.Ops, crashes, by)
		}
		plain := decide(s, h)
		check("deadlines", plain, oracle.Points(b, nil, false, deadline))
		if len(crashes) == 0 {
			continue
		}
		found, err := crash.Find(h, crash.Name)
		require.NoError(t, err)
		durable := decide(s, crash.Durable(h, found))
		check("durable", durable, oracle.Points(b, crashes, false, deadline))
		h2, s2, _ := crash.Buffered(h, s, found)
		require.NoError(t, h2.Validate())
		lossy := decide(s2, h2)
		check("buffered", lossy, oracle.Points(b, crashes, true, deadline))
		require.False(t, durable && (!plain || !lossy), "what survives crashes is linearizable, and may be lost")
	}
	for name, k := range yes {
		require.Greater(t, k, n/20, name)
	}
	require.Greater(t, yes["buffered"], yes["durable"])
	require.Greater(t, yes["deadlines"], yes["durable"])
}

// TestOperationsAreThoseOfTheObject: what is refused at the start, and why, and what changes
// nothing are as without crashes.
func TestOperationsAreThoseOfTheObject(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	refused := 0
	for range testenv.Scale(500, 5000) {
		h, s, crashes, _ := random(t, rng)
		if len(crashes) == 0 || len(h.Ops) == 0 {
			continue
		}
		strict, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		found, err := crash.Find(h, crash.Name)
		require.NoError(t, err)
		h2, s2, from := crash.Buffered(h, s, found)
		b, err := s2.Bind(model.Whole(h2))
		require.NoError(t, err)
		require.Equal(t, strict.Refusal == nil, b.Refusal == nil)
		m, n := b.NewMachine(), strict.NewMachine()
		for i, op := range from {
			i := history.OpID(i)
			if op < 0 {
				require.False(t, b.ReadOnly[i])
				continue
			}
			require.Equal(t, strict.ReadOnly[op], b.ReadOnly[i])
			if b.Refusal == nil {
				continue
			}
			legal := len(n.Step(n.Init(), op, nil)) > 0
			require.Equal(t, legal, len(m.Step(m.Init(), i, nil)) > 0)
			if why := b.Refusal(m, m.Init(), i); !legal {
				require.Equal(t, strict.Refusal(n, n.Init(), op), why)
				refused++
			}
		}
	}
	require.Greater(t, refused, testenv.MoreThan(20))
}

// In a file of events, an event stands between two others.
func TestCrashesAmongEvents(t *testing.T) {
	h, err := history.Read(strings.NewReader(`
		{:process 0, :type :invoke, :f :write, :value 1}
		{:process 1, :type :invoke, :f :write, :value 2}
		{:process 1, :type :ok, :f :write, :value 2}
		{:process :nemesis, :type :info, :f :kill, :value "n1"}
		{:process :nemesis, :type :info, :f :start, :value "n1"}
		{:process 2, :type :invoke, :f :read, :value nil}
		{:process 2, :type :ok, :f :read, :value 2}
		{:process 3, :type :invoke, :f :read, :value nil}
		{:process 3, :type :ok, :f :read, :value 1}`), history.ReadOptions{})
	require.NoError(t, err)
	found, err := crash.Find(h, "kill")
	require.NoError(t, err)
	require.Equal(t, []crash.Crash{{Before: 3, After: 2}}, found)
	require.Equal(t, []history.Edge{{Before: 0, After: 2}}, crash.Durable(h, found).Edges)
	_, err = crash.Find(h, crash.Name)
	require.ErrorContains(t, err, `it has no event "crash"`)
}
