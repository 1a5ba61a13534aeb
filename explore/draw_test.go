package explore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slots is a bag of four slots: each operation begins to look at one that it chooses. That it is no
// queue shows whatever is chosen.
var slots = &explore.Object{
	Name: "slots", Spec: "queue",
	New: func(m *mem.Memory) explore.Instance {
		var cells [4]*mem.Int64
		for i := range cells {
			cells[i] = mem.NewInt64(m, fmt.Sprint("slot", i), 0)
		}
		return func(f string, arg any) any {
			start := m.Choose(len(cells))
			for i := range cells {
				c := cells[(start+i)%len(cells)]
				v := c.Load()
				switch {
				case f == "enq" && v == 0 && c.CompareAndSwap(0, int64(arg.(int))):
					return nil
				case f == "deq" && v != 0 && c.CompareAndSwap(v, 0):
					return int(v)
				}
			}
			return nil
		}
	},
}

type visitedSlots struct {
	explore.Stats
	classes       map[string]bool
	before, after map[string]bool // choices made there
}

func visitSlots(t *testing.T, text string, s explore.Strategy, setUps int) visitedSlots {
	t.Helper()
	c, err := explore.ParseCase(slots, text)
	require.NoError(t, err)
	v := visitedSlots{classes: map[string]bool{}, before: map[string]bool{}, after: map[string]bool{}}
	v.Stats, err = explore.Run(c.Program(), s, explore.Options{SetUps: setUps}, func(e *explore.Execution) bool {
		class := string(e.Class(nil))
		v.classes[class] = true
		v.before[e.Schedule[:len(c.Before)].String()] = true
		v.after[e.Schedule[len(e.Schedule)-len(c.After):].String()] = true
		again, err := c.Replay(e.Schedule, explore.Options{})
		require.NoError(t, err)
		assert.Equal(t, class, string(again.Class(nil)), "a schedule needs no set-ups")
		assert.Equal(t, e.Schedule, again.Schedule)
		return true
	})
	require.NoError(t, err)
	require.True(t, v.Complete)
	return v
}

// Choices outside the threads are drawn: the executions of one set-up are those of the threads, and
// those after the threads differ from one execution to the next.
func TestSetUps(t *testing.T) {
	const test = "enq(1) enq(2) enq(3); enq(4) | deq; deq deq deq"
	strategies := map[string]func() explore.Strategy{
		"dpor": explore.DPOR, "exhaustive": explore.Exhaustive,
		"bounded": func() explore.Strategy {
			return explore.Bounded(1)
		}, "serial": func() explore.Strategy { return schedule.Serial() },
	}
	for name, s := range strategies {
		one := visitSlots(t, test, s(), 1)
		assert.Len(t, one.before, 1, name)
		assert.True(t, one.before[explore.Schedule{-1, -1, -1}.String()], "the first set-up chooses 0 everywhere")
		assert.True(t, one.after[explore.Schedule{-1, -1, -1}.String()], "as does what comes after the first execution")
		assert.Greater(t, len(one.after), 8, "%s: others draw their own", name)
		five := visitSlots(t, test, s(), 5)
		assert.Len(t, five.before, 5, name)
		for choice := range 3 {
			values := map[byte]bool{}
			for b := range five.before {
				values[b[2*choice+1]] = true
			}
			assert.Len(t, values, 4, "%s: each choice has each value", name)
		}
		assert.Greater(t, five.Executions, 4*one.Executions, name)
		assert.Equal(t, five.before, visitSlots(t, test, s(), 5).before, "the same ones every time")
	}
	// Without choices outside the threads a set-up is no choice.
	assert.Equal(t, visitSlots(t, "; enq(4) | deq; ", explore.DPOR(), 0).Executions, visitSlots(t, "; enq(4) | deq; ",
		explore.DPOR(), 7).Executions)
	for _, s := range []explore.Strategy{explore.Random(1, 200), explore.PCT(1, 2, 200)} {
		random := visitSlots(t, test, s, 4)
		assert.Equal(t, 200, random.Executions)
		assert.Len(t, random.before, 4)
	}
}

// A few set-ups find the histories that all of them have.
func TestSetUpsFindTheHistories(t *testing.T) {
	const test = "enq(1) enq(2); enq(3) | deq; deq"
	all := visitSlots(t, test, explore.DPOR(), 0)
	few := visitSlots(t, test, explore.DPOR(), 24)
	assert.Equal(t, all.classes, few.classes)
	assert.Less(t, few.Executions+few.Pruned, (all.Executions+all.Pruned)/2)
	t.Logf("all choices: %d executions; 24 set-ups: %d; %d histories", all.Executions, few.Executions, len(all.classes))
}

// Check says how many set-ups there were; the violation that it shows is replayed without.
func TestCheckWithSetUps(t *testing.T) {
	c, err := explore.ParseCase(slots, "enq(1) enq(2) enq(3); enq(4) | deq; deq deq deq")
	require.NoError(t, err)
	r, err := explore.Check(context.Background(), c, specs.Queue(), explore.CheckOptions{Strategy: explore.DPOR(),
		Options: explore.Options{SetUps: 3}})
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Verdict)
	assert.Contains(t, r.Strategy, ", after 3 set-ups")
	_, err = explore.Check(context.Background(), c, specs.Queue(),
		explore.CheckOptions{Options: explore.Options{SetUps: -1}})
	assert.ErrorContains(t, err, "SetUps is negative")
}
