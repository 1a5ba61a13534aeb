package lineup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sequential is a random deterministic object: a table of states, where an operation may block.
type sequential struct {
	next    [4][3]int // by state and operation; -1: blocks
	results [4][3]any
}

var names = [3]string{"a", "b", "c"}

func randomModel(r *rand.Rand) *sequential {
	m := &sequential{}
	for s := range m.next {
		for o := range m.next[s] {
			m.next[s][o] = r.IntN(4)
			if r.IntN(6) == 0 {
				m.next[s][o] = -1
			}
			m.results[s][o] = []any{nil, true, 7, "x", []any{1, "y"}}[r.IntN(5)]
		}
	}
	return m
}

// object is the model over shared memory, each operation one access.
func (m *sequential) object() *explore.Object {
	return &explore.Object{Name: "model", New: func(x *mem.Memory) explore.Instance {
		state := mem.NewAtomic(x, "state", 0)
		return func(f string, _ any) any {
			o := slices.Index(names[:], f)
			for {
				s := state.Await(func(s int) bool { return m.next[s][o] >= 0 })
				if state.CompareAndSwap(s, m.next[s][o]) {
					return m.results[s][o]
				}
			}
		}
	}}
}

func randomCase(r *rand.Rand, object *explore.Object, operations int) *explore.Case {
	c := &explore.Case{Object: object}
	for range 1 + r.IntN(3) {
		c.Threads = append(c.Threads, nil)
	}
	for range 1 + r.IntN(operations) {
		call := explore.Call{F: names[r.IntN(3)]}
		switch k := r.IntN(len(c.Threads) + 2); {
		case k < len(c.Threads):
			c.Threads[k] = append(c.Threads[k], call)
		case r.IntN(3) > 0:
		case k == len(c.Threads):
			c.Before = append(c.Before, call)
		default:
			c.After = append(c.After, call)
		}
	}
	return c
}

// serialRuns lists the serial histories of a test of a model by the definition, as text.
func serialRuns(m *sequential, c *explore.Case) map[string]bool {
	runs := map[string]bool{}
	counts := make([]int, len(c.Threads))
	var walk func(state int, text string, before, after int)
	walk = func(state int, text string, before, after int) {
		moved := false
		step := func(who string, call explore.Call, on func(state int, text string)) {
			moved = true
			o := slices.Index(names[:], call.F)
			if m.next[state][o] < 0 {
				runs[text+who+" "+call.F+" #"] = true
				return
			}
			on(m.next[state][o], text+who+" "+call.F+" "+fmt.Sprint(m.results[state][o])+", ")
		}
		if before < len(c.Before) {
			step(mainName, c.Before[before], func(s int, text string) { walk(s, text, before+1, after) })
			return
		}
		for t := range c.Threads {
			if k := counts[t]; k < len(c.Threads[t]) {
				step(threadName(t), c.Threads[t][k], func(s int, text string) {
					counts[t]++
					walk(s, text, before, after)
					counts[t]--
				})
			}
		}
		if !moved && after < len(c.After) {
			step(mainName, c.After[after], func(s int, text string) { walk(s, text, before, after+1) })
		}
		if !moved {
			runs[text] = true
		}
	}
	walk(0, "", 0, 0)
	return runs
}

func (o *Observations) texts() map[string]bool {
	runs := map[string]bool{}
	o.each(func(run []step) {
		text := ""
		for _, s := range run {
			text += o.threads[s.thread].name + " " + o.threads[s.thread].ops[s.index].f
			if s.stuck {
				text += " #"
			} else {
				text += " " + fmt.Sprint(o.values.list[s.result]) + ", "
			}
		}
		runs[text] = true
	})
	return runs
}

// TestSynthesisObservesAllSerialRuns compares phase 1 with the serial histories that a model has by
// definition, stuck ones included.
func TestSynthesisObservesAllSerialRuns(t *testing.T) {
	rounds := testenv.Scale(300, 4000)
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := randomModel(r)
		c := randomCase(r, m.object(), 6)
		o, failure, phase, err := Synthesize(context.Background(), c, Options{})
		require.NoError(t, err, "seed %d", seed)
		require.Nil(t, failure, "seed %d", seed)
		want := serialRuns(m, c)
		require.Equal(t, want, o.texts(), "seed %d", seed)
		full, stuck := o.Histories()
		require.Equal(t, len(want), full+stuck, "seed %d", seed)
		require.Equal(t, phase.Histories, full+stuck, "seed %d", seed)
	}
}

// byDefinition judges an execution by Definitions 1 and 2 to the letter, over the list of serial
// histories.
func byDefinition(o *Observations, x *explore.Execution) bool {
	if x.Outcome == explore.Completed {
		return hasWitness(o, x.Ops, false)
	}
	for e := range x.Ops {
		if x.Ops[e].Return >= 0 {
			continue
		}
		var only []explore.Op // H[e]
		for i, op := range x.Ops {
			if i == e || op.Return >= 0 {
				only = append(only, op)
			}
		}
		if !hasWitness(o, only, true) {
			return false
		}
	}
	return true
}

// hasWitness reports whether one of the serial histories (only stuck ones, only full ones) is a
// serial witness of the operations.
func hasWitness(o *Observations, ops []explore.Op, stuck bool) bool {
	found := false
	o.each(func(run []step) {
		if len(run) != len(ops) || len(run) > 0 && run[len(run)-1].stuck != stuck || len(run) == 0 && stuck {
			return
		}
		// H|t = S|t, and the place in S of each operation of H.
		place := make([]int, len(ops))
		seen := map[int]int{}
		for i, op := range ops {
			k := seen[op.Thread]
			seen[op.Thread]++
			place[i] = slices.IndexFunc(run, func(s step) bool {
				return s.thread == o.threadIndex(op.Thread) && int(s.index) == k
			})
			if place[i] < 0 {
				return
			}
			s := run[place[i]]
			if s.stuck != (op.Return < 0) || !s.stuck && o.values.find(op.Result) != s.result {
				return
			}
		}
		for i, a := range ops {
			for j, b := range ops {
				if a.Return >= 0 && a.Return < b.Call && place[i] > place[j] {
					return
				}
			}
		}
		found = true
	})
	return found
}

// randomHistory makes an execution of the test: of some serial run with widened intervals, perhaps
// with a changed result, or with operations that did not return.
func randomHistory(r *rand.Rand, o *Observations, c *explore.Case) *explore.Execution {
	var runs [][]step
	o.each(func(run []step) { runs = append(runs, slices.Clone(run)) })
	run := runs[r.IntN(len(runs))]
	x := &explore.Execution{Outcome: explore.Completed}
	thread := func(t int32) int {
		if o.threads[t].name == mainName {
			return schedule.Main
		}
		return int(t)
	}
	// Each operation gets a moment; calls move forward and returns backward past others, within
	// their threads.
	type event struct {
		at   float64
		op   int
		call bool
	}
	var events []event
	last := map[int]float64{}
	for i, s := range run {
		op := explore.Op{Thread: thread(s.thread), Return: -1}
		call := o.call(s.thread, s.index)
		op.F, op.Arg = call.F, call.Arg
		width := r.Float64() * 3
		from := max(float64(i)-width, last[op.Thread]+0.001)
		if i > 0 && op.Thread == schedule.Main {
			from = float64(i)
		}
		events = append(events, event{from, i, true})
		to := max(float64(i)+r.Float64()*0.9, from+0.0005)
		if s.stuck {
			x.Outcome = explore.Stuck
		} else {
			op.Result = o.values.list[s.result]
			if r.IntN(12) == 0 {
				op.Result = []any{nil, true, 7, "x", "never"}[r.IntN(5)]
			}
			events = append(events, event{to, i, false})
		}
		last[op.Thread] = to
		x.Ops = append(x.Ops, op)
	}
	if x.Outcome == explore.Stuck { // others block, too
		for t, calls := range c.Threads {
			k := 0
			pending := false
			for i := range x.Ops {
				if x.Ops[i].Thread == t {
					k++
					pending = run[i].stuck
				}
			}
			if k < len(calls) && !pending && r.IntN(2) == 0 {
				x.Ops = append(x.Ops, explore.Op{Thread: t, F: calls[k].F, Arg: calls[k].Arg, Return: -1})
				events = append(events, event{max(float64(len(run))-r.Float64()*3, last[t]+0.001),
					len(x.Ops) - 1, true})
			}
		}
	}
	slices.SortFunc(events, func(a, b event) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for i, e := range events {
		if e.call {
			x.Ops[e.op].Call = int32(i)
		} else {
			x.Ops[e.op].Return = int32(i)
		}
	}
	slices.SortFunc(x.Ops, func(a, b explore.Op) int { return int(a.Call - b.Call) })
	return x
}

// byLinsat judges an execution with linsat's engines and the synthesised specification.
func byLinsat(t *testing.T, o *Observations, x *explore.Execution, options ...linsat.Option) bool {
	var histories []*history.History
	if x.Outcome == explore.Completed {
		if len(x.Ops) == 0 {
			return true
		}
		h, err := x.History()
		require.NoError(t, err)
		histories = append(histories, h)
	} else {
		for e := range x.Ops {
			if x.Ops[e].Return < 0 {
				h, err := StuckHistory(x, e)
				require.NoError(t, err)
				histories = append(histories, h)
			}
		}
	}
	for _, h := range histories {
		r, err := linsat.Check(context.Background(), o.Spec(), h, options...)
		require.NoError(t, err)
		require.NotEqual(t, engine.Unknown, r.Verdict)
		if r.Verdict != engine.Linearizable {
			return false
		}
	}
	return true
}

// TestWitness compares the search for witnesses, the definitions to the letter, and linsat with the
// synthesised specification.
func TestWitness(t *testing.T) {
	rounds, everyLinsat := 3000, 10
	if testenv.Full() {
		rounds, everyLinsat = 60000, 6
	}
	verdicts := map[string]int{}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 2))
		m := randomModel(r)
		c := randomCase(r, m.object(), 6)
		o, failure, _, err := Synthesize(context.Background(), c, Options{})
		require.NoError(t, err, "seed %d", seed)
		require.Nil(t, failure, "seed %d", seed)
		for k := range 4 {
			x := randomHistory(r, o, c)
			want := byDefinition(o, x)
			got, op, err := o.Accepts(x)
			require.NoError(t, err, "seed %d history %d", seed, k)
			require.Equal(t, want, got, "seed %d history %d", seed, k)
			require.Equal(t, got || x.Outcome == explore.Completed, op < 0, "seed %d history %d", seed, k)
			if int(seed)%everyLinsat == 0 {
				require.Equal(t, want, byLinsat(t, o, x, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})),
					"seed %d history %d", seed, k)
			}
			verdicts[fmt.Sprint(x.Outcome, " ", want)]++
		}
	}
	for _, kind := range []string{"completed true", "completed false", "stuck true", "stuck false"} {
		assert.Greater(t, verdicts[kind], testenv.MoreThan(rounds/50), kind)
	}
	t.Log(verdicts)
}
