package relaxed_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	queue = roundup.Methods{Insert: "enq", Remove: "deq"}
	stack = roundup.Methods{Insert: "push", Remove: "pop"}
	pq    = roundup.Methods{Insert: "insert", Remove: "deletemin"}
)

// object makes an object for tests.
func object(name, specification string, build func(*mem.Memory) explore.Instance) *explore.Object {
	return &explore.Object{Name: name, Spec: specification, New: build}
}

// judged is what roundup says of all entries, once.
var judged = sync.OnceValues(func() ([]*roundup.Report, error) {
	var reports []*roundup.Report
	for _, e := range relaxed.Entries() {
		r, err := roundup.Check(context.Background(), e.Case, roundup.Options{Factor: e.Quasi, Literal: true})
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
})

func reports(t *testing.T) []*roundup.Report {
	t.Helper()
	list, err := judged()
	require.NoError(t, err)
	return list
}

func verdict(yes bool) engine.Verdict {
	if yes {
		return engine.Linearizable
	}
	return engine.NotLinearizable
}

// Every entry has the verdicts that the catalogue expects, by linsat.Check and by Algorithms 1 and
// 2 of the paper; no execution is left out, and none does anything but complete.
func TestEntries(t *testing.T) {
	for i, e := range relaxed.Entries() {
		name := e.Case.Object.Name + " " + e.Case.String()
		r := reports(t)[i]
		assert.Equal(t, verdict(e.Linearizable), r.Linearizable, name)
		assert.Equal(t, verdict(e.QuasiLinearizable), r.Quasi, name)
		assert.False(t, r.Drained, name)
		assert.True(t, r.Run.Complete, name)
		assert.Zero(t, r.Unfinished.Executions, name)
		assert.Equal(t, !e.Linearizable, r.First != nil, name)
		assert.Equal(t, !e.QuasiLinearizable, r.FirstQuasi != nil, name)
	}
}

// What the catalogue says of an object is what the paper says: it is (quasi-)linearizable if all
// its tests are. The one exception is the priority queue, which the paper calls quasi-linearizable:
// the second test shows that it is not.
func TestVerdictsOfThePaper(t *testing.T) {
	type pair struct{ linearizable, quasi bool }
	paper := map[string]pair{ // Tables I and IV
		"iqueue": {}, "herlihywing": {true, true}, "quasiqueue": {false, true}, "quasiqueue-b1": {},
		"quasiqueue-b2": {}, "quasiqueue-b3": {},
		"quasistack-b1": {}, "quasistack-b2": {}, "quasistack": {true, true}, "quasipq": {false, true},
		"quasipq-b2": {},
		"sl-queue":   {}, "t-stack": {true, true}, "ms-queue": {true, true}, "rd-queue": {false, true},
		"bk-queue":  {false, true},
		"ubk-queue": {false, true}, "k-stack-tagged": {false, true}, // ours
	}
	ours := map[string]pair{}
	for _, e := range relaxed.Entries() {
		name := e.Case.Object.Name
		p, seen := ours[name]
		if !seen {
			p = pair{true, true}
		}
		if name == "quasipq" && seen {
			assert.False(t, e.QuasiLinearizable, "the test that the paper does not have")
			continue
		}
		ours[name] = pair{p.linearizable && e.Linearizable, p.quasi && e.QuasiLinearizable}
	}
	assert.Equal(t, paper, ours)
	for _, e := range relaxed.Entries() {
		name := e.Case.Object.Name
		assert.Equal(t, !ours[name].linearizable && !ours[name].quasi, e.Faulty, name)
		assert.NotEmpty(t, e.Source, name)
		assert.NotEmpty(t, e.Case.Object.About, name)
		if e.Faulty {
			assert.NotEmpty(t, e.Note, name)
		}
	}
}

// Every failing schedule replays to the same history, byte for byte, also after a round through its
// text.
func TestViolationsReplay(t *testing.T) {
	replayed := 0
	for i, e := range relaxed.Entries() {
		r := reports(t)[i]
		for _, v := range []*roundup.Violation{r.First, r.FirstQuasi} {
			if v == nil {
				continue
			}
			schedule, err := explore.ParseSchedule(v.Execution.Schedule.String())
			require.NoError(t, err)
			var again []byte
			stats, err := explore.Run(e.Case.Program(), explore.Replay(schedule), explore.Options{},
				func(x *explore.Execution) bool {
					again = written(t, x)
					assert.Equal(t, v.Execution.Schedule, x.Schedule)
					return true
				})
			require.NoError(t, err)
			assert.Equal(t, 1, stats.Executions)
			assert.Equal(t, string(written(t, v.Execution)), string(again), e.Case.Object.Name)
			replayed++
		}
	}
	assert.Greater(t, replayed, 30)
}

func written(t *testing.T, e *explore.Execution) []byte {
	t.Helper()
	h, err := e.History()
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, history.WriteJSON(&b, h))
	return b.Bytes()
}

// DPOR finds the histories that an exhaustive search finds, with the same verdicts.
func TestEntriesExhaustively(t *testing.T) {
	compared := 0
	for i, e := range relaxed.Entries() {
		limits := explore.Options{MaxRuns: 8_000}
		if testenv.Full() {
			limits.MaxRuns = 60_000
		}
		all, err := roundup.Check(context.Background(), e.Case, roundup.Options{Factor: e.Quasi,
			Strategy: explore.Exhaustive, Run: limits})
		require.NoError(t, err)
		if !all.Run.Complete {
			continue
		}
		r := reports(t)[i]
		name := e.Case.Object.Name + " " + e.Case.String()
		assert.Equal(t, all.All.Histories, r.All.Histories, name)
		assert.Equal(t, all.NotLinearizable.Histories, r.NotLinearizable.Histories, name)
		assert.Equal(t, all.NotQuasi.Histories, r.NotQuasi.Histories, name)
		assert.Equal(t, all.Linearizations, r.Linearizations, name)
		assert.LessOrEqual(t, r.All.Executions, all.All.Executions, name)
		compared++
	}
	assert.Greater(t, compared, 12)
}

// With k = 1, relaxed objects are strict: serially they are golden models, and under all schedules
// they are linearizable.
func TestFactorZero(t *testing.T) {
	for _, o := range []*explore.Object{
		object("quasiqueue", "queue", relaxed.QuasiQueue(1)),
		object("quasipq", "priority-queue", relaxed.QuasiPriorityQueue(1)),
		object("rd-queue", "queue", relaxed.RDQueue(1)),
		object("bk-queue", "queue", relaxed.BKQueue(1)),
		object("ubk-queue", "queue", relaxed.UBKQueue(1)),
		object("k-stack-tagged", "stack", relaxed.KStackTagged(1)),
	} {
		for _, dimension := range []string{"1*1+4", "1*2+3", "2*2+0"} {
			d, err := roundup.ParseDimension(dimension)
			require.NoError(t, err)
			for _, c := range roundup.Harnesses(o, methods(o), d) {
				if o.Name == "bk-queue" && len(c.Before) > 2 { // the ring holds three values
					continue
				}
				name := o.Name + " " + c.String()
				r, err := roundup.Check(context.Background(), c,
					roundup.Options{Golden: o, Run: explore.Options{MaxRuns: 2_000}})
				require.NoError(t, err, name)
				assert.Zero(t, r.NotLinearizable.Executions, name)
				byModel, err := roundup.Check(context.Background(), c,
					roundup.Options{Run: explore.Options{MaxRuns: 1}})
				require.NoError(t, err, name)
				assert.Equal(t, byModel.Sequential, r.Sequential, name)
				assert.Equal(t, byModel.Drained, r.Drained, name)
			}
		}
	}
}

func methods(o *explore.Object) roundup.Methods {
	return map[string]roundup.Methods{"queue": queue, "stack": stack, "priority-queue": pq}[o.Spec]
}

// All well-formed tests of a dimension, and not only those of the catalogue, on the objects that
// are right: in tests that can find the object empty, too.
func TestAllHarnesses(t *testing.T) {
	type row struct {
		o          *explore.Object
		linear     bool
		dimensions []string
	}
	rows := []row{
		{object("quasiqueue", "queue", relaxed.QuasiQueue(3)), false, []string{"1*1+4", "2*2+0", "2*2+4",
			"1*3+2", "1*1*1+3"}},
		{object("quasistack", "stack", relaxed.QuasiStack(3)), true, []string{"1*1+4", "2*2+0", "2*2+4",
			"1*3+2", "1*1*1+3"}},
		{object("t-stack", "stack", relaxed.TreiberStack), true, []string{"1*1+4", "2*2+0", "2*2+4", "1*1*1+3"}},
		{object("ms-queue", "queue", relaxed.MSQueue), true, []string{"1*1+4", "2*2+0", "1*1*1+3"}},
		{object("rd-queue", "queue", relaxed.RDQueue(3)), false, []string{"1*1+4", "1*2+1"}},
		{object("bk-queue", "queue", relaxed.BKQueue(3)), false, []string{"1*1+4", "1*2+1"}},
		{object("ubk-queue", "queue", relaxed.UBKQueue(3)), false, []string{"1*1+4", "1*2+1"}},
	}
	if testenv.Full() {
		rows = append(rows, row{object("quasiqueue", "queue", relaxed.QuasiQueue(3)), false,
			[]string{"4*4+0", "3*3+2", "2*2*2+0"}},
			row{object("ms-queue", "queue", relaxed.MSQueue), true, []string{"2*2+4", "2*3+1"}},
			row{object("rd-queue", "queue", relaxed.RDQueue(3)), false, []string{"2*2+0", "1*1*1+1"}},
			row{object("bk-queue", "queue", relaxed.BKQueue(2)), false, []string{"2*2+0"}},
			row{object("ubk-queue", "queue", relaxed.UBKQueue(2)), false, []string{"2*2+0"}})
	}
	complete, cut := 0, 0
	for _, row := range rows {
		for _, dimension := range row.dimensions {
			d, err := roundup.ParseDimension(dimension)
			require.NoError(t, err)
			for _, c := range roundup.Harnesses(row.o, methods(row.o), d) {
				limits := explore.Options{MaxRuns: 3_000}
				if testenv.Full() {
					limits.MaxRuns = 10_000
				}
				name := row.o.Name + " " + c.String()
				r, err := roundup.Check(context.Background(), c,
					roundup.Options{Factor: "2", Literal: true, Run: limits})
				require.NoError(t, err, name)
				assert.Zero(t, r.NotQuasi.Executions, name)
				assert.Zero(t, r.Unfinished.Executions, name)
				assert.Zero(t, r.Undecided.Executions, name)
				if row.linear {
					assert.Zero(t, r.NotLinearizable.Executions, name)
				}
				if r.Run.Complete {
					complete++
				} else {
					cut++
				}
			}
		}
	}
	t.Logf("%d tests under all schedules, %d under the first ones", complete, cut)
	assert.Greater(t, complete, 10*cut)
}

// Three threads under random schedules, too large for all of them.
func TestRandomly(t *testing.T) {
	runs, tests := 60, 4
	if testenv.Full() {
		runs, tests = 300, 10
	}
	seed := uint64(20261120)
	source := rand.New(rand.NewPCG(seed, 1))
	for _, o := range []*explore.Object{
		object("quasiqueue", "queue", relaxed.QuasiQueue(3)),
		object("t-stack", "stack", relaxed.TreiberStack),
		object("ms-queue", "queue", relaxed.MSQueue),
		object("rd-queue", "queue", relaxed.RDQueue(3)),
		object("bk-queue", "queue", relaxed.BKQueue(3)),
		object("ubk-queue", "queue", relaxed.UBKQueue(3)),
	} {
		for i := range tests {
			c := randomTest(source, o)
			for _, s := range []explore.Strategy{explore.Random(seed+uint64(i), runs),
				explore.PCT(seed+uint64(i), 3, runs)} {
				name := fmt.Sprintf("%s %s, test %d of seed %d", o.Name, c.String(), i, seed)
				r, err := roundup.Check(context.Background(), c,
					roundup.Options{Factor: "2", Strategy: func() explore.Strategy { return s }})
				require.NoError(t, err, name)
				require.Nil(t, r.FirstQuasi, name)
				assert.Zero(t, r.Unfinished.Executions, name)
				assert.Zero(t, r.Undecided.Executions, name)
				if o.Name == "t-stack" || o.Name == "ms-queue" {
					require.Nil(t, r.First, name)
				}
			}
		}
	}
}

// randomTest has three threads of three operations, and up to three insertions before.
func randomTest(r *rand.Rand, o *explore.Object) *explore.Case {
	pattern := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ir"[r.IntN(2)]
		}
		return string(b)
	}
	return methods(o).Test(o, "iii"[:r.IntN(4)], []string{pattern(3), pattern(3), pattern(2)}, "rr"[:r.IntN(3)])
}

// No factor holds for a stack of segments, but each pop reaches past at most k-1 values: the
// k-stack with tags is linearizable under that relaxation.
func TestKStackOutOfOrder(t *testing.T) {
	strict, ok := specs.Lookup("stack")
	require.True(t, ok)
	s, err := specs.Relax(strict, specs.SemanticRelaxation{OutOfOrder: 1})
	require.NoError(t, err)
	tests := []*explore.Case{stack.Test(object("k-stack-tagged", "stack", relaxed.KStackTagged(2)), "iririiir",
		[]string{"i", "r"}, "rr")}
	seed := uint64(7)
	source := rand.New(rand.NewPCG(seed, 1))
	n, runs := 20, 200
	if testenv.Full() {
		n, runs = 60, 500
	}
	for range n {
		tests = append(tests, randomTest(source, object("k-stack-tagged", "stack", relaxed.KStackTagged(2))))
	}
	for i, c := range tests {
		strategy := explore.DPOR()
		if i > 0 {
			strategy = explore.Random(seed, runs)
		}
		assert.Zero(t, refused(t, c, s, strategy), "%s (seed %d)", c.String(), seed)
	}
}

// refused counts the classes of executions that a specification refuses.
func refused(t *testing.T, c *explore.Case, s model.Spec, strategy explore.Strategy) int {
	t.Helper()
	n := 0
	seen := map[string]bool{}
	_, err := explore.Run(c.Program(), strategy, explore.Options{}, func(e *explore.Execution) bool {
		require.Equal(t, explore.Completed, e.Outcome)
		key := string(e.Class(nil))
		if seen[key] {
			return true
		}
		seen[key] = true
		h, err := e.History()
		require.NoError(t, err)
		r, err := linsat.Check(context.Background(), s, h, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
		require.NoError(t, err)
		require.NotEqual(t, engine.Unknown, r.Verdict)
		if r.Verdict == engine.NotLinearizable {
			n++
		}
		return true
	})
	require.NoError(t, err)
	return n
}

// A relaxed priority queue has no factor. As soon as it gives v while a smaller value is inside,
// insertions of j values below v, each removed before v's place, put that place off by j: for every
// bound there is a run that breaks it.
func TestPriorityQueuesHaveNoFactor(t *testing.T) {
	s, ok := specs.Lookup("priority-queue")
	require.True(t, ok)
	for j := 1; j <= 5; j++ {
		b := history.NewBuilder()
		at := int64(0)
		do := func(f string, arg, result int) {
			op := history.Record{Process: b.ProcessInt(0), F: b.Values.String(f), Key: history.NoKey, Call: at,
				Return: at + 1}
			if arg > 0 {
				op.Arg = b.Values.Int(int64(arg))
			}
			if result > 0 {
				op.Result = b.Values.Int(int64(result))
			}
			at += 2
			_, err := b.Add(op)
			require.NoError(t, err)
		}
		do("insert", 10, 0)
		do("insert", 20, 0)
		do("deletemin", 0, 20)
		for i := 1; i <= j; i++ {
			do("insert", 10+i, 0)
		}
		do("deletemin", 0, 10)
		for i := 1; i <= j; i++ {
			do("deletemin", 0, 10+i)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		request, err := quasi.Parse(s.Info(), "min")
		require.NoError(t, err)
		request.Drain = true
		r, err := linsat.Check(context.Background(), s, h, linsat.Quasi(request),
			linsat.Timeout(time.Minute))
		require.NoError(t, err)
		require.NotNil(t, r.Least)
		assert.Equal(t, int32(j+1), r.Least.High)
	}
}
