package picture

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// full multiplies the random comparisons with LINSAT_FULL=1.
func full(n int) int {
	if testenv.Full() {
		return 20 * n
	}
	return n
}

func picture(t *testing.T, h *history.History, options ...linsat.Option) *Picture {
	t.Helper()
	run := wordstest.Checked(t, h, options...)
	return New(run, FailureHighlight(&run.Result))
}

// scattered is a history of at most n operations with many equal times; some never return. Verdicts
// do not matter.
func scattered(t *testing.T, r *rand.Rand, n int) *history.History {
	t.Helper()
	b := history.NewBuilder()
	b.SetSpec("register")
	clock := map[int32]int64{}
	var lanes []int32
	for i := range 1 + r.IntN(4) {
		lanes = append(lanes, b.Process(fmt.Sprint("p", i)))
	}
	read := b.Values.String("read")
	for range 1 + r.IntN(n) {
		if len(lanes) == 0 {
			break
		}
		k := r.IntN(len(lanes))
		p := lanes[k]
		call := clock[p] + int64(r.IntN(3))
		ret := call + int64(r.IntN(4))
		clock[p] = ret
		rec := history.Record{Process: p, F: read, Key: history.NoKey, Call: call, Return: ret}
		if r.IntN(6) == 0 {
			rec.Pending = true
			lanes = slices.Delete(lanes, k, k+1)
		}
		_, err := b.Add(rec)
		require.NoError(t, err)
	}
	for range r.IntN(4) {
		b.Note(int64(r.IntN(12)), "note")
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// chained reports whether a process returns and calls again at one time.
func chained(h *history.History, lane int32, time int64) bool {
	for i := range h.Ops {
		for j := i + 1; j < len(h.Ops); j++ {
			if h.Ops[i].Process == lane && h.Ops[j].Process == lane && h.Origins[i].ReturnTime == time &&
				h.Origins[j].CallTime == time {
				return true
			}
		}
	}
	return false
}

// TestPlaces compares the places of calls and returns with the times that they stand for.
func TestPlaces(t *testing.T) {
	ties := 0
	for seed := range uint64(full(3000)) {
		h := scattered(t, rand.New(rand.NewPCG(seed, 1)), 8)
		p := New(&words.Run{History: h}, Highlight{})
		seen := make([]bool, len(p.Times))
		at := func(place int32, time int64) {
			require.False(t, seen[place], "seed %d: two events at place %d", seed, place)
			seen[place] = true
			require.Equal(t, time, p.Times[place], "seed %d", seed)
		}
		for i := range p.Bars {
			a := &p.Bars[i]
			at(a.From, a.CallTime)
			if !a.Pending {
				at(a.To, a.ReturnTime)
			}
			require.Less(t, a.From, a.To, "seed %d", seed)
			for j := range p.Bars {
				b := &p.Bars[j]
				switch {
				case a.Pending || i == j:
				case a.Lane == b.Lane && i < j:
					require.Less(t, a.To, b.From, "seed %d: operations %d and %d of one process", seed, i, j)
				case a.ReturnTime < b.CallTime:
					require.Less(t, a.To, b.From, "seed %d: %d before %d", seed, i, j)
				case a.ReturnTime == b.CallTime && !chained(h, a.Lane, a.ReturnTime) && !chained(h, b.Lane, b.CallTime):
					require.Greater(t, a.To, b.From, "seed %d: %d and %d are concurrent", seed, i, j)
					ties++
				}
			}
		}
		require.True(t, slices.IsSorted(p.Times), "seed %d", seed)
		require.NotContains(t, seen, false, "seed %d", seed)
		for _, n := range p.Notes {
			require.True(t, n.At == 0 || p.Times[n.At-1] <= n.Time, "seed %d", seed)
			require.True(t, int(n.At) == len(p.Times) || p.Times[n.At] > n.Time, "seed %d", seed)
		}
	}
	assert.Greater(t, ties, 1000)
}

// TestEqualTimesAreConcurrent: calls come before the returns of other processes at the same time.
func TestEqualTimesAreConcurrent(t *testing.T) {
	p := New(&words.Run{History: wordstest.Parse(t, `{"spec": "register", "operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 5},
		{"process": 1, "f": "write", "arg": 2, "call": 5, "return": 9}]}`)}, Highlight{})
	assert.Greater(t, p.Bars[0].To, p.Bars[1].From)
}

// TestLayout: columns keep the order of what is shown, bars have room, and nothing gets lost in the
// counts.
func TestLayout(t *testing.T) {
	folded := 0
	for seed := range uint64(full(3000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		h := scattered(t, r, 30)
		var hl Highlight
		for range r.IntN(4) {
			hl.Operations = append(hl.Operations, history.OpID(r.IntN(len(h.Ops))))
		}
		if r.IntN(3) == 0 {
			hl.HasFails, hl.Fails = true, history.OpID(r.IntN(len(h.Ops)))
		}
		p := New(&words.Run{History: h}, hl)
		room := 1 + r.IntN(9)
		w := p.Lay(1+r.IntN(12), Sizes{Bar: func(*Bar) int {
			return room
		}, Fold: func(int) int { return 5 }, Gap: r.IntN(2)})
		count := len(w.Bars) + w.Before + w.After
		for _, f := range w.Folds {
			count += f.Count
			folded++
		}
		require.Equal(t, len(h.Ops), count, "seed %d", seed)
		require.True(t, slices.IsSorted(w.Bars), "seed %d", seed)
		for i := range p.Bars {
			require.True(t, !p.Bars[i].Highlighted || slices.Contains(w.Bars, history.OpID(i)),
				"seed %d: %d is highlighted, but not shown", seed, i)
		}
		for _, i := range w.Bars {
			a := &p.Bars[i]
			require.GreaterOrEqual(t, w.To[i]-w.From[i]+1, room, "seed %d", seed)
			require.Less(t, w.To[i], w.Width, "seed %d", seed)
			for _, j := range w.Bars {
				require.Equal(t, a.To < p.Bars[j].From, !a.Pending && w.To[i] < w.From[j],
					"seed %d: order of %d and %d", seed, i, j)
			}
		}
	}
	assert.Greater(t, folded, 500)
}

// TestReplayShowsEveryState: a witness replays to the end, partition by partition, and the states
// are those of the objects.
func TestReplayShowsEveryState(t *testing.T) {
	for _, name := range []string{"queue", "stack", "kv", "set", "register", "priority-queue", "counter",
		"mutex", "log"} {
		for seed := range uint64(full(3)) {
			keys := 1
			if name == "kv" || name == "register" {
				keys = 3
			}
			g, err := gen.Generate(gen.Options{Spec: name, Operations: 40, Keys: keys, PendingRate: 0.05, Seed: seed})
			require.NoError(t, err, name)
			p := picture(t, g.History)
			require.Equal(t, engine.Linearizable, p.Answer, "%s %d", name, seed)
			require.Len(t, p.Orders, 1)
			for k, s := range p.Orders[0].Steps {
				require.NotEmpty(t, s.State, "%s, seed %d, step %d", name, seed, k)
			}
		}
	}
	p := picture(t, wordstest.Parse(t, `{"spec": "kv", "operations": [
		{"process": 0, "f": "put", "key": "a", "arg": "u", "call": 0, "return": 1},
		{"process": 0, "f": "put", "key": "b", "arg": "v", "call": 2, "return": 3},
		{"process": 0, "f": "append", "key": "a", "arg": "x", "call": 4, "return": 5},
		{"process": 0, "f": "get", "key": "a", "call": 6, "return": 7, "result": "ux"}]}`))
	steps := p.Orders[0].Steps
	assert.Contains(t, steps[1].State, "b")
	assert.NotContains(t, steps[1].State, "u", "the state of the other key")
	assert.Contains(t, steps[2].State, "ux")
}

// TestReplayOfAChoice: where the specification leaves a choice, the states shown belong to one run.
func TestReplayOfAChoice(t *testing.T) {
	queue, _ := specs.Lookup("queue")
	relaxed, err := specs.Relax(queue, specs.SemanticRelaxation{OutOfOrder: 2})
	require.NoError(t, err)
	h := wordstest.Parse(t, `{"spec": "queue", "operations": [
		{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1},
		{"process": 0, "f": "enq", "arg": 2, "call": 2, "return": 3},
		{"process": 0, "f": "enq", "arg": 3, "call": 4, "return": 5},
		{"process": 0, "f": "deq", "call": 6, "return": 7, "result": 2},
		{"process": 0, "f": "deq", "call": 8, "return": 9, "result": 3},
		{"process": 0, "f": "deq", "call": 10, "return": 11, "result": 1}]}`)
	b, err := relaxed.Bind(model.Whole(h))
	require.NoError(t, err)
	order := []history.OpID{0, 1, 2, 3, 4, 5}
	steps := make([]Place, len(order))
	replay(b, order, steps)
	m := b.NewMachine()
	states := []model.State{m.Init()}
	for k, i := range order {
		var next []model.State
		for _, s := range states {
			for _, to := range m.Step(s, i, nil) {
				if m.Describe(to) == steps[k].State {
					next = append(next, to)
				}
			}
		}
		require.NotEmpty(t, next, "step %d cannot lead to %s", k, steps[k].State)
		states = next
	}
	refused := make([]Place, 1)
	replay(b, []history.OpID{3}, refused)
	assert.Empty(t, refused[0].State, "an order that is not accepted has no states")
}

// TestMoved: ρ′ and ρ″ agree on who moves how far within a class, never beyond the bound.
func TestMoved(t *testing.T) {
	moved := 0
	for seed := range uint64(full(20)) {
		g, err := gen.Generate(gen.Options{Spec: "queue", Operations: 30, Relax: 2, Seed: seed})
		require.NoError(t, err)
		p := picture(t, g.History, wordstest.Slots(t, "2"))
		require.Equal(t, engine.Linearizable, p.Answer)
		require.Len(t, p.Orders, 2)
		first := map[history.OpID]int32{}
		for _, s := range p.Orders[0].Steps {
			if s.Op >= 0 {
				first[s.Op] = s.Moved
			}
		}
		sum := int32(0)
		for k, s := range p.Orders[1].Steps {
			require.NotEmpty(t, s.State, "seed %d: step %d of ρ″ has a state", seed, k)
			require.LessOrEqual(t, max(s.Moved, -s.Moved), int32(2), "seed %d", seed)
			sum += s.Moved
			if s.Op >= 0 {
				require.Equal(t, first[s.Op], s.Moved, "seed %d", seed)
			} else {
				require.NotEmpty(t, s.Label)
			}
			if s.Moved != 0 {
				moved++
			}
		}
		require.Zero(t, sum, "seed %d: what moves back makes room for what moves on", seed)
	}
	assert.Greater(t, moved, 20)
}

// TestSpans: references to operations are found, whatever stands around them.
func TestSpans(t *testing.T) {
	ids := map[string]int32{"1": 0, "12": 1, "a-b": 2}
	assert.Equal(t, []Span{{"write 3 (", 0}, {"#12", 2}, {") before ", 0}, {"#1", 1}, {".", 0}},
		spans("write 3 (#12) before #1.", ids))
	assert.Equal(t, []Span{{"#a-b", 3}, {", #7 and # are text", 0}}, spans("#a-b, #7 and # are text", ids))
	assert.Equal(t, []Span{{"#12", 2}, {"'s", 0}}, spans("#12's", ids))
	assert.Equal(t, []Span{{"(", 0}, {`#"3"`, 4}, {") #", 0}, {`#3`, 5}},
		spans(`(#"3") ##3`, map[string]int32{`"3"`: 3, "3": 4}))
	assert.Empty(t, spans("", ids))
	r := rand.New(rand.NewPCG(1, 3))
	for range full(2000) {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString([]string{"#", "1", "2", "a-b", " ", ".", "(", "→", "#12"}[r.IntN(9)])
		}
		joined := ""
		for _, s := range spans(b.String(), ids) {
			joined += s.Text
			if s.Op > 0 {
				require.Equal(t, ids[s.Text[1:]], s.Op-1)
			}
		}
		require.Equal(t, b.String(), joined)
	}
}

// TestExtent turns the ranks of an argument's window into places.
func TestExtent(t *testing.T) {
	h := wordstest.Parse(t, staleRead)
	run := wordstest.Checked(t, h)
	hl := FailureHighlight(&run.Result)
	hl.From, hl.To = h.Ops[1].Call, h.Ops[2].Return
	p := New(run, hl)
	from, to := p.Extent()
	assert.Equal(t, p.Bars[1].From, from)
	assert.Equal(t, p.Bars[2].To, to)
}

// staleRead is not linearizable: the read of 1 begins after 2 was written.
const staleRead = `{"spec": "register", "operations": [
 {"process": "writer", "f": "write", "arg": 1, "call": 0, "return": 10},
 {"process": "writer", "f": "write", "arg": 2, "call": 20, "return": 30},
 {"process": "reader", "f": "read", "call": 40, "return": 60, "result": 1},
 {"process": "other", "f": "write", "arg": 3, "call": 45},
 {"process": "writer", "f": "read", "call": 70, "return": 80, "result": 2}],
 "events": [{"time": 35, "text": "partition"}, {"time": 65, "text": "healed"}]}`

// TestFailureHighlight: the failing operation and what was tried before it.
func TestFailureHighlight(t *testing.T) {
	p := picture(t, wordstest.Parse(t, staleRead))
	require.Equal(t, engine.NotLinearizable, p.Answer)
	assert.True(t, p.Bars[2].Fails)
	assert.True(t, p.Bars[3].Highlighted, "the pending write was tried")
	assert.False(t, p.Bars[0].Highlighted)
	assert.False(t, p.Bars[4].Highlighted)
	require.Len(t, p.Orders, 1)
	assert.Equal(t, "longest prefix", p.Orders[0].Name)
	for _, s := range p.Orders[0].Steps {
		assert.NotEmpty(t, s.State)
	}
	assert.True(t, p.Complete)
	assert.NotEmpty(t, p.Before)
}

// TestDrainsAreNoBars: drains, numbered -1, cannot be highlighted.
func TestDrainsAreNoBars(t *testing.T) {
	run := wordstest.Checked(t, wordstest.Parse(t, staleRead))
	p := New(run, Highlight{Operations: []history.OpID{-1, 2}, Edges: [][2]history.OpID{{1, 2}, {2, -1}}})
	assert.True(t, p.Bars[2].Highlighted)
	assert.Equal(t, []history.OpID{2}, p.Highlight.Operations)
	assert.Equal(t, [][2]history.OpID{{1, 2}}, p.Highlight.Edges)
}
