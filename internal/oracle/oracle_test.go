package oracle_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bind makes a bound partition from lines "process f arg result call return", where - stands for
// none. Without times, the operations follow one another.
func bind(t *testing.T, name string, lines ...string) *model.Instance {
	t.Helper()
	b := history.NewBuilder()
	number := func(s string) history.Value {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return b.Values.Int(n)
		}
		return map[string]history.Value{"-": history.Nil, "true": history.True, "false": history.False}[s]
	}
	for i, line := range lines {
		f := strings.Fields(line)
		r := history.Record{Process: b.Process(f[0]), F: b.Values.String(f[1]), Key: history.NoKey, Arg: number(f[2]),
			Result: number(f[3]),
			Call:   int64(2 * i), Return: int64(2*i + 1)}
		if len(f) > 4 {
			call, err := strconv.Atoi(f[4])
			require.NoError(t, err)
			r.Call = int64(call)
			if ret, err := strconv.Atoi(f[5]); err == nil {
				r.Return = int64(ret)
			} else {
				r.Pending = true
			}
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return bound(t, name, h)
}

func bound(t *testing.T, name string, h *history.History) *model.Instance {
	t.Helper()
	s, ok := specs.Lookup(name)
	require.True(t, ok, "no specification %s", name)
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}

func linearizable(t *testing.T, b *model.Instance) bool {
	t.Helper()
	ok, w := oracle.Linearizable(b)
	if ok {
		require.NoError(t, oracle.Replay(b, w))
	} else {
		require.Empty(t, w)
	}
	return ok
}

func TestLinearizable(t *testing.T) {
	for _, c := range []struct {
		name, spec string
		want       bool
		lines      []string
	}{
		{"line-up figure 1", "queue", false, []string{"a add 200 - 0 1", "b add 400 - 2 3", "a trydeq - 200 4 5",
			"b trydeq - - 6 7"}},
		{"line-up figure 7", "queue", false, []string{"a add 200 - 0 3", "b take - 200 1 5", "a add 400 - 4 6",
			"b trydeq - - 7 8"}},
		{"line-up figure 7, first observation", "queue", true, []string{"a add 200 - 0 1", "b take - 200 2 3",
			"b trydeq - - 4 5", "a add 400 - 6 7"}},
		{"round-up figure 2, history 1", "queue", true, []string{"1 enq 1 -", "1 enq 2 -", "2 enq 3 -", "3 enq 4 -",
			"3 deq - 1", "1 deq - 2", "1 deq - 3", "1 deq - 4"}},
		{"round-up figure 1, removals 3 2 1 4", "queue", false, []string{"1 enq 1 - 0 1", "1 enq 2 - 2 3",
			"2 enq 3 - 4 9", "3 enq 4 - 4 5", "3 deq - 3 6 7",
			"1 deq - 2 10 11", "1 deq - 1 12 13", "1 deq - 4 14 15"}},
		{"a pending write is read", "register", true, []string{"a write 1 - 0 -", "b read - - 1 2", "b read - 1 3 4"}},
		{"a pending write is read and undone", "register", false, []string{"a write 1 - 0 -", "b read - 1 1 2",
			"b read - - 3 4"}},
		{"one event earlier would do", "register", false, []string{"a write 1 - 0 1", "b read - - 2 3"}},
		{"equal times are concurrent", "register", true, []string{"a write 1 - 0 2", "b read - - 2 3"}},
		{"but not within a process", "register", false, []string{"a write 1 - 0 2", "a read - - 2 3"}},
		{"a smaller history explains nothing", "register", false, []string{"a write 1 -", "b read - 1", "b read - 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, linearizable(t, bind(t, c.spec, c.lines...)))
		})
	}
}

func TestEdges(t *testing.T) {
	build := func(pending bool) *model.Instance {
		b := history.NewBuilder()
		add := func(p, f string, arg, result int64, call, ret int64, pending bool) {
			_, err := b.Add(history.Record{Process: b.Process(p), F: b.Values.String(f), Key: history.NoKey,
				Arg: b.Values.Int(arg), Call: call, Return: ret, Pending: pending})
			require.NoError(t, err)
		}
		add("a", "write", 1, 0, 0, 9, pending)
		_, err := b.Add(history.Record{Process: b.Process("b"), F: b.Values.String("read"), Key: history.NoKey,
			Call: 0, Return: 9})
		require.NoError(t, err)
		require.NoError(t, b.Edge(0, 1, 0))
		h, err := b.Finish()
		require.NoError(t, err)
		return bound(t, "register", h)
	}
	assert.False(t, linearizable(t, build(false)), "the read comes after the write and finds nothing")
	assert.True(t, linearizable(t, build(true)), "the write may never have taken effect")
}

func TestReplay(t *testing.T) {
	b := bind(t, "queue", "a enq 1 - 0 1", "b enq 2 - 0 1", "a deq - 2 2 3", "b enq 3 - 2 -")
	assert.NoError(t, oracle.Replay(b, []history.OpID{1, 0, 2}))
	assert.NoError(t, oracle.Replay(b, []history.OpID{1, 0, 3, 2}))
	assert.EqualError(t, oracle.Replay(b, []history.OpID{0, 1, 2}), "operation 2 is not allowed at place 2")
	assert.EqualError(t, oracle.Replay(b, []history.OpID{1, 2, 0}),
		"operation 0 comes after operation 2, which it must precede")
	assert.EqualError(t, oracle.Replay(b, []history.OpID{1, 2}), "completed operation 0 is missing")
	assert.EqualError(t, oracle.Replay(b, []history.OpID{1, 0, 2, 1}), "operation 1 occurs twice")
	assert.EqualError(t, oracle.Replay(b, []history.OpID{1, 0, 2, 7}), "there is no operation 7")
}

// By the definition without any shortcut: all total orders of all choices, replayed.
func TestLinearizableByDefinition(t *testing.T) {
	n := testenv.Scale(300, 6000)
	for _, name := range []string{"register", "queue", "stack"} {
		for seed := range uint64(n) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6})
			require.NoError(t, err)
			b := bound(t, name, h)
			want := false
			permute(history.OpID(b.Partition.Len()), func(order []history.OpID) bool {
				want = oracle.Replay(b, order) == nil
				return !want
			})
			require.Equal(t, want, linearizable(t, b), "%s, seed %d", name, seed)
		}
	}
}

// permute calls yield with every sequence of distinct numbers below n, until yield returns false.
func permute(n history.OpID, yield func([]history.OpID) bool) {
	var sequence []history.OpID
	var extend func() bool
	extend = func() bool {
		if !yield(sequence) {
			return false
		}
		for i := range n {
			if slices.Contains(sequence, i) {
				continue
			}
			sequence = append(sequence, i)
			if !extend() {
				return false
			}
			sequence = sequence[:len(sequence)-1]
		}
		return true
	}
	extend()
}

func relaxed(b *model.Instance, bound int32) quasi.Question {
	r := quasi.Question{Drain: true}
	for _, c := range b.Spec.Info().Classes {
		f := int32(0)
		if c.Relaxable {
			f = bound
		}
		r.Factor = append(r.Factor, f)
	}
	return r
}
