package testkit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

// Event is an operation of a process of its own. Argument and result are numbers; 0: none.
type Event struct {
	F           string
	Arg, Result int
	Call        int
	Return      int // < 0: pending
}

// Element makes a value of a number.
type Element func(*history.Values, int) history.Value

// Number is the number itself, and nothing for 0.
func Number(v *history.Values, n int) history.Value {
	if n == 0 {
		return history.Nil
	}
	return v.Int(int64(n))
}

// Bind makes a bound history of events. An initial state that is nil is not given.
func Bind(t testing.TB, s model.Spec, initial []int, element Element, events []Event) *model.Instance {
	t.Helper()
	b := history.NewBuilder()
	if initial != nil {
		var list []history.Value
		for _, v := range initial {
			list = append(list, element(b.Values, v))
		}
		b.SetInitial(b.Values.List(list))
	}
	for i, e := range events {
		r := history.Record{Process: b.Process(fmt.Sprint(i)), Key: history.NoKey, F: b.Values.String(e.F),
			Arg: element(b.Values, e.Arg), Result: element(b.Values, e.Result), Call: int64(e.Call),
			Return: int64(e.Return)}
		if e.Return < 0 {
			r.Pending = true
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return BindHistory(t, s, h)
}

// BindHistory binds a history as a whole.
func BindHistory(t testing.TB, s model.Spec, h *history.History) *model.Instance {
	t.Helper()
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}

// Arrange makes a bound history of events that are called at the moments lo and return at hi, never
// if that is negative, without the ways of package history. Calls of a moment precede its returns.
func Arrange(t testing.TB, s model.Spec, values *history.Values, element Element, events []Event,
	lo, hi []int) *model.Instance {
	t.Helper()
	h := &history.History{Values: values, Processes: make([]string, len(events))}
	rank := history.Rank(0)
	place := make([]int, len(events))
	for moment := 0; len(h.Ops) < len(events) || slices.Max(hi) >= moment; moment++ {
		for i, e := range events {
			if lo[i] != moment {
				continue
			}
			place[i] = len(h.Ops)
			h.Ops = append(h.Ops, history.Op{Process: int32(i), F: values.String(e.F), Key: history.NoKey,
				Arg: element(values, e.Arg), Result: element(values, e.Result), Call: rank, Return: history.Never,
				Unknown: hi[i] < 0})
			h.Origins = append(h.Origins, history.Origin{Position: int32(i)})
			rank++
		}
		for i := range events {
			if hi[i] == moment {
				h.Ops[place[i]].Return = rank
				rank++
			}
		}
	}
	return BindHistory(t, s, h)
}

// DistinctQueue makes a queue history of at most so many distinct values, with times at random and
// some removals of nothing.
func DistinctQueue(t testing.TB, rng *rand.Rand, most int) *model.Instance {
	t.Helper()
	span := 2 + rng.IntN(20)
	var events []Event
	add := func(f string, arg, result int) {
		call := rng.IntN(span)
		events = append(events, Event{f, arg, result, call, call + rng.IntN(6)})
	}
	for _, v := range rng.Perm(1 + rng.IntN(most)) {
		add("enq", v+1, 0)
		if rng.IntN(6) > 0 {
			add("deq", 0, v+1)
		}
	}
	for range rng.IntN(3) {
		add("deq", 0, 0)
	}
	return Bind(t, Spec(t, "queue"), nil, Number, events)
}
