package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scripted is a history under construction.
type scripted struct {
	*history.Builder
	t testing.TB
}

func script(t testing.TB) scripted { return scripted{history.NewBuilder(), t} }

// op adds an operation of a process of its own; a negative ret leaves it pending.
func (s scripted) op(f string, arg, result history.Value, call, ret int64) {
	r := history.Record{Process: s.Process(fmt.Sprint(s.Len())), F: s.Values.String(f), Key: history.NoKey,
		Arg: arg, Result: result, Call: call, Return: ret}
	if ret < 0 {
		r.Pending = true
	}
	_, err := s.Add(r)
	require.NoError(s.t, err)
}

func (s scripted) int(n int) history.Value { return s.Values.Int(int64(n)) }

func (s scripted) bind(specName string) *model.Instance {
	h, err := s.Finish()
	require.NoError(s.t, err)
	b, err := testkit.Spec(s.t, specName).Bind(model.Whole(h))
	require.NoError(s.t, err)
	return b
}

// hopeless is a history of a deque without a linearization that takes ages to refute: n concurrent
// insertions at the back, and a size that is never reached.
func hopeless(t testing.TB, n int) *model.Instance {
	s := script(t)
	for i := range n {
		s.op("pushback", s.int(i), history.Nil, int64(i), int64(100+i))
	}
	s.op("size", history.Nil, s.int(n+1), 50, 101+int64(n))
	return s.bind("deque")
}

func TestWideHistoriesAreDecided(t *testing.T) {
	// 150 concurrent insertions need three words of mask.
	s := script(t)
	for i := range 150 {
		s.op("enq", s.int(i), history.Nil, 0, 1000+int64(i))
	}
	for i := range 150 {
		want := i
		if i >= 148 {
			want = 148 + 149 - i
		}
		s.op("deq", history.Nil, s.int(want), 2000+2*int64(i), 2001+2*int64(i))
	}
	b := s.bind("queue")
	a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, a.Verdict)
	requireReplays(t, b, a.Witness)
}

func TestWideRandomHistoriesAgreeWithTheDefinition(t *testing.T) {
	// Many words from few operations: the slots are spread by operations that are open all the
	// time.
	for seed := range uint64(testenv.Scale(200, 4000)) {
		rng := rand.New(rand.NewPCG(seed, 4))
		s := script(t)
		for range 130 {
			s.op("write", s.int(9), history.Nil, 0, 100000)
		}
		want := engine.Linearizable
		value, now := -1, int64(1)
		for range 20 {
			v := rng.IntN(4)
			s.op("write", s.int(v), history.Nil, now, now+1)
			value = v
			if rng.IntN(40) == 0 {
				value, want = 7, engine.NotLinearizable
			}
			s.op("read", history.Nil, s.int(value), now+2, now+3)
			now += 4
		}
		b := s.bind("register")
		testkit.WithSeed(t, seed, func() {
			r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
			require.Equal(t, 3, r.Words)
			got := r.Search()
			require.Equal(t, want == engine.Linearizable, got == wgl.Found)
			if got == wgl.Found {
				requireReplays(t, b, r.Linearization())
			}
		})
	}
}

func TestStepLimitIsExact(t *testing.T) {
	b := hopeless(t, 7)
	free, err := New(VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	require.Equal(t, engine.NotLinearizable, free.Verdict)
	total := free.Effort.Steps
	require.Greater(t, total, int64(10000))
	for _, limit := range []int64{1, 255, 256, 257, 5000, total - 1, total, total + 1} {
		for range 2 {
			m := engine.NewBudget(limit, 0)
			a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, m)
			require.NoError(t, err)
			assert.Equal(t, min(limit, total), a.Effort.Steps)
			assert.Equal(t, max(0, limit-total), m.Left())
			if limit < total {
				assert.Equal(t, engine.Unknown, a.Verdict)
				assert.Equal(t, engine.Steps, a.Cause)
			} else {
				assert.Equal(t, engine.NotLinearizable, a.Verdict)
				assert.Equal(t, b.Partition.Len()-1, int(a.Failure.Op))
			}
		}
	}
}

func TestCancellationIsPrompt(t *testing.T) {
	b := hopeless(t, 60)
	for _, wait := range []time.Duration{0, 20 * time.Millisecond, 300 * time.Millisecond} {
		least := time.Hour
		// the machine may be busy with other things
		for try := 0; try < 20 && least > 50*time.Millisecond; try++ {
			ctx, cancel := context.WithTimeout(context.Background(), wait)
			began := time.Now()
			a, err := New().Check(ctx, &engine.Problem{Instance: b}, nil)
			least = min(least, time.Since(began)-wait)
			cancel()
			require.NoError(t, err)
			assert.Equal(t, engine.Unknown, a.Verdict)
			assert.Equal(t, engine.Timeout, a.Cause)
		}
		assert.LessOrEqual(t, least, 50*time.Millisecond)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(engine.ErrAnswered)
	a, err := New().Check(ctx, &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	assert.Equal(t, engine.Cancelled, a.Cause)
}

// Where memory is limited a search forgets, and goes on until its time is over; it stops for want
// of memory where the limit is less than what it keeps in any case.
func TestMemoryLimit(t *testing.T) {
	b := hopeless(t, 60)
	for _, limit := range []int64{1, 1 << 16, 1 << 20, 16 << 20} {
		m := engine.NewBudget(0, limit)
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		a, err := New().Check(ctx, &engine.Problem{Instance: b}, m)
		cancel()
		require.NoError(t, err)
		assert.Equal(t, engine.Unknown, a.Verdict)
		want := engine.Timeout
		if limit <= 1<<20 {
			want = engine.Memory
		}
		assert.Equal(t, want, a.Cause, "limit %d", limit)
		assert.Zero(t, m.Bytes(), "everything is given back")
	}
}

// A search with a small cache refutes what it refutes without a limit, in more steps.
func TestForgettingTakesMoreSteps(t *testing.T) {
	s := script(t)
	for i := range 8 { // whose order the contents do not tell
		s.op("insert", s.int(i), history.Nil, int64(i), int64(100+i))
	}
	s.op("size", history.Nil, s.int(9), 50, 200)
	b := s.bind("priority-queue")
	last := int64(0)
	for _, entries := range []int{0, 100, 20, 1} {
		m := engine.NewBudget(0, 0)
		m.LimitCache(entries)
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, m)
		require.Equal(t, wgl.Failed, r.Search())
		assert.Greater(t, r.Steps, last, "%d entries", entries)
		assert.Equal(t, entries > 0, r.Evicted > 0)
		last = r.Steps
	}
}

// A specification that calls an operation read-only although it changes the state is broken, and
// said to be.
func TestReadOnlyOperationsThatChangeTheStateAreErrors(t *testing.T) {
	s := &randomspec.Spec{States: 2, Kinds: 1, Next: [][][]model.State{{{1}, {1}}}}
	sc := script(t)
	sc.op("k0", history.Nil, history.Nil, 0, 1)
	h, err := sc.Finish()
	require.NoError(t, err)
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	b.ReadOnly[0] = true
	a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
	assert.EqualError(t, err, "specification table: operation 0 is called read-only, but changes state state 0")
	assert.Equal(t, engine.Unknown, a.Verdict)
}

func TestHistoriesOfPendingOperationsAreLinearizable(t *testing.T) {
	s := script(t)
	s.op("write", s.int(1), history.Nil, 0, -1)
	a, err := New().Check(context.Background(), &engine.Problem{Instance: s.bind("register")}, nil)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, a.Verdict)
	assert.Empty(t, a.Witness)
}

// Long histories neither recurse nor slow down: a hundred thousand operations one after the other,
// and overlapping.
func TestLongHistoriesNeitherRecurseNorSlowDown(t *testing.T) {
	for _, overlap := range []int64{0, 3} {
		s := script(t)
		const n = 100000
		for i := range n {
			v := (i / 2) % 1000
			if i%2 == 0 {
				s.op("write", s.int(v), history.Nil, 2*int64(i), 2*int64(i)+1+overlap)
			} else {
				s.op("read", history.Nil, s.int(v), 2*int64(i), 2*int64(i)+1+overlap)
			}
		}
		b := s.bind("register")
		began := time.Now()
		a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		require.Equal(t, engine.Linearizable, a.Verdict)
		t.Logf("overlap %d: %v, %+v", overlap, time.Since(began), a.Effort)
		requireReplays(t, b, a.Witness)
	}
}
