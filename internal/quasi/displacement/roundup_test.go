package displacement_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The examples of Round-Up [Zhang, Chattopadhyay, Wang, ASE'13]. Its figures are drawings; where a
// history is reconstructed from the text, the test says so.

// never is the least bound where no bound helps.
const never = quasi.Unbounded

// sequence reads "enq 1, enq 2, deq 2 @5-9" into a history of a queue: operations without times
// follow one another, each of a process of its own; the times of the others are given. Values in
// initially are in the queue at first.
func sequence(t *testing.T, text string, initially ...int64) *history.History {
	t.Helper()
	b := history.NewBuilder()
	b.SetSpec("queue")
	if len(initially) > 0 {
		var list []history.Value
		for _, v := range initially {
			list = append(list, b.Values.Int(v))
		}
		b.SetInitial(b.Values.List(list))
	}
	for i, item := range strings.Split(text, ", ") {
		f := strings.Fields(item)
		v, err := strconv.ParseInt(f[1], 10, 64)
		require.NoError(t, err)
		r := history.Record{Process: b.Process(strconv.Itoa(i)), F: b.Values.String(f[0]), Key: history.NoKey,
			Call: int64(10 * i), Return: int64(10*i + 5)}
		if f[0] == "enq" {
			r.Arg = b.Values.Int(v)
		} else {
			r.Result = b.Values.Int(v)
		}
		if len(f) > 2 {
			_, err := fmt.Sscanf(f[2], "@%d-%d", &r.Call, &r.Return)
			require.NoError(t, err)
		}
		_, err = b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// leastBound asks the program for the least bound of the removals under slots, and the definition
// for the verdicts there and one below.
func leastBound(t *testing.T, h *history.History, drain bool) int32 {
	t.Helper()
	s := testkit.Spec(t, h.Spec)
	request, err := quasi.Parse(s.Info(), "min")
	require.NoError(t, err)
	request.Drain = drain
	r, err := linsat.Check(context.Background(), s, h, linsat.Quasi(request))
	require.NoError(t, err)
	require.NotNil(t, r.Least)
	require.True(t, r.Least.Settled())
	k := r.Least.High
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	accepted := func(k int32) bool {
		relax := quasi.Question{Factor: make(quasi.Factor, len(request.Factor)), Drain: drain}
		for c, free := range request.Free {
			if free {
				relax.Factor[c] = k
			}
		}
		ok, _, _ := oracle.SlotsLinearizable(b, relax)
		return ok
	}
	assert.Equal(t, k != never, accepted(k))
	if k == never {
		assert.Equal(t, engine.NotLinearizable, r.Verdict)
	} else if k > 0 {
		assert.False(t, accepted(k-1))
	}
	return k
}

// results writes removals of these values, one after the other.
func results(values []int32) string {
	var items []string
	for _, v := range values {
		items = append(items, fmt.Sprint("deq ", v))
	}
	return strings.Join(items, ", ")
}

// orders calls yield with every order of 1, ..., m.
func orders(m int, yield func([]int32)) {
	displacement.Rearrangements(m, quasi.Unbounded, func(a []int32) bool {
		values := make([]int32, m)
		for i, c := range a {
			values[i] = c + 1
		}
		yield(values)
		return true
	})
}

// Figs. 1 and 2: enq 1 and enq 2, then enq 3 runs concurrently with enq 4 and a removal, then three
// removals. Of the orders in which the values may leave, those of the three sequential histories
// are linearizable, and the paper calls 3, 2, 1, 4 a violation. Times are reconstructed.
func TestRoundUpFig2(t *testing.T) {
	var linearizable []string
	bounds := map[int32]int{}
	orders(4, func(values []int32) {
		h := sequence(t, fmt.Sprintf("enq 1, enq 2, enq 3 @20-48, enq 4 @30-35, deq %d @40-45, ", values[0])+
			results(values[1:]))
		for i := 5; i < 8; i++ { // the three removals come after the threads
			require.Greater(t, h.Ops[i].Call, h.Ops[2].Return)
		}
		k := leastBound(t, h, true)
		bounds[k]++
		if k == 0 {
			linearizable = append(linearizable, results(values))
		}
		if slices.Equal(values, []int32{3, 2, 1, 4}) {
			assert.Equal(t, int32(2), k, "a linearizability violation")
		}
	})
	assert.Equal(t, []string{"deq 1, deq 2, deq 3, deq 4", "deq 1, deq 2, deq 4, deq 3"}, linearizable)
	t.Logf("histories by least bound: %v", bounds)
}

// Fig. 3: a queue of 1, 2, 3, 4 in segments of two cells. H1-a is linearizable, the other three
// orders of its removals are 1-quasi-linearizable and no less.
func TestRoundUpFig3(t *testing.T) {
	for values, want := range map[string]int32{
		"deq 1, deq 2, deq 3, deq 4": 0,
		"deq 1, deq 2, deq 4, deq 3": 1,
		"deq 2, deq 1, deq 3, deq 4": 1,
		"deq 2, deq 1, deq 4, deq 3": 1,
	} {
		h := sequence(t, values, 1, 2, 3, 4)
		assert.Equal(t, want, leastBound(t, h, true), values)
		assert.Equal(t, want, leastBound(t, h, false), values)
	}
	// The definition knows no segments: one more order is within the bound, 1 3 2 4.
	within := 0
	orders(4, func(values []int32) {
		if leastBound(t, sequence(t, results(values), 1, 2, 3, 4), true) <= 1 {
			within++
		}
	})
	assert.Equal(t, 5, within)
}

// Fig. 4: the same with a window of the first two values. Without the window, when every removal
// takes the second value, 1 is left in the queue for as long as there are others: no bound holds
// for every such history.
func TestRoundUpFig4(t *testing.T) {
	for _, values := range []string{"deq 1, deq 2, deq 3, deq 4", "deq 2, deq 1, deq 4, deq 3"} {
		assert.LessOrEqual(t, leastBound(t, sequence(t, values, 1, 2, 3, 4), true), int32(1))
	}
	for n := int32(2); n <= 6; n++ {
		var inside []int64
		var taken []int32
		for v := int32(1); v <= n; v++ {
			inside = append(inside, int64(v))
			if v > 1 {
				taken = append(taken, v)
			}
		}
		h := sequence(t, results(taken), inside...)
		assert.Equal(t, n-1, leastBound(t, h, true), "%d values, 1 is left", n)
		assert.Equal(t, never, leastBound(t, h, false), "%d values, 1 is left, and never taken", n)
	}
}

// Fig. 7 and the table before it: of the six orders of deq 1, deq 2, deq 3 at bound 1, histories 0,
// 1 and 2 obey both restrictions: no value leaves too early (1), no value leaves too late (2).
func TestRoundUpFig7(t *testing.T) {
	for i, c := range []struct {
		values      []int32
		early, late bool // restrictions 1 and 2 hold
		least       int32
	}{
		{[]int32{1, 2, 3}, true, true, 0},
		{[]int32{2, 1, 3}, true, true, 1},
		{[]int32{1, 3, 2}, true, true, 1},
		{[]int32{3, 1, 2}, false, true, 2},
		{[]int32{2, 3, 1}, true, false, 2},
		{[]int32{3, 2, 1}, false, false, 2},
	} {
		early, late := true, true
		for place, v := range c.values {
			early = early && v-1-int32(place) <= 1
			late = late && int32(place)-(v-1) <= 1
		}
		assert.Equal(t, c.early, early, "history %d, restriction 1", i)
		assert.Equal(t, c.late, late, "history %d, restriction 2", i)
		listed := slices.ContainsFunc(rearrangements(3, 1), func(a []int32) bool {
			return slices.EqualFunc(a, c.values, func(content, v int32) bool { return content == v-1 })
		})
		assert.Equal(t, early && late, listed, "history %d", i)
		h := sequence(t, "enq 1, enq 2, enq 3, "+results(c.values))
		assert.Equal(t, c.least, leastBound(t, h, true), "history %d", i)
	}
}

// Section V.D: two threads, enq 3; enq 4 and enq 5; deq. Hist3, where the removal finds 4, is
// 1-quasi-linearizable, but only if what is left over is removed; with as many removals as
// insertions it matches a sequential history.
func TestRoundUpWellFormed(t *testing.T) {
	for value, want := range map[int]int32{3: 0, 5: 0, 4: 1} {
		h := sequence(t, fmt.Sprintf("enq 3 @0-10, enq 4 @11-20, enq 5 @0-12, deq %d @30-40", value))
		assert.Equal(t, want, leastBound(t, h, true), "deq %d", value)
		if value == 4 {
			assert.Equal(t, never, leastBound(t, h, false), "out of thin air")
		}
	}
}

// Tables II, III and V: every number of permutations is twice the number of linearizations times
// the number of rearrangements of so many removals. The numbers of linearizations are those of
// Table II where it has the same program. Elsewhere the quotient must be a whole number, the same
// for equal programs and histories, and not below the number of histories. The paper does not say
// how many removals a program has: those that fit are a reconstruction. "Quasi Stack" without a bug
// is called "Quasi Stack b3" in Table III.
func TestRoundUpTables(t *testing.T) {
	linearizations := map[string]int{ // Table II
		"Quasi Queue b1 2*2+4 91": 409, "Quasi Queue b2 2*2+4 91": 409, "Quasi Queue b3 2*2+4 141": 653,
		"Quasi Stack b1 2*2+4 9":  34,
		"Quasi Stack b2 2*2+4 16": 61, "Quasi Stack 2*2+4 16": 61, "Quasi Priority Queue 2*2+4 16": 61,
		"Quasi Priority Queue b2 2*2+4 125": 532,
	}
	table2, compared := len(linearizations), 0
	for _, row := range []struct {
		program                 string
		bound                   int32
		removals                int
		histories, permutations int
	}{
		{"Quasi Queue 2*2+4", 2, 4, 16, 1708},
		{"Quasi Queue 3*3+4", 2, 6, 64, 73730},
		{"Quasi Queue 2*3+3", 2, 4, 32, 4732},
		{"Quasi Queue 3*3+2", 2, 4, 118, 28924},
		{"Quasi Queue 3*4+1", 2, 4, 198, 63280},
		{"Quasi Queue 4*4+0", 2, 4, 476, 237552},
		{"Quasi Queue 2*3+3", 3, 4, 32, 8112},
		{"Quasi Queue 3*3+2", 3, 4, 118, 49584},
		{"Quasi Queue 3*4+1", 3, 4, 198, 108480},
		{"Quasi Queue 4*4+0", 3, 4, 476, 407232},
		{"Quasi Queue b1 2*2+4", 2, 4, 91, 11452},
		{"Quasi Queue b2 2*2+4", 2, 4, 91, 11452},
		{"Quasi Queue b3 2*2+4", 2, 4, 141, 18284},
		{"Quasi Stack b1 2*2+4", 2, 5, 9, 2108},
		{"Quasi Stack b2 2*2+4", 2, 4, 16, 1708},
		{"Quasi Stack 2*2+4", 2, 4, 16, 1708},
		{"Quasi Priority Queue 2*2+4", 2, 4, 16, 1708},
		{"Quasi Priority Queue b2 2*2+4", 2, 3, 125, 6384},
		{"sl-queue (enq+deq) 1*1+10", 2, 6, 2, 438},
		{"sl-queue (deq+deq) 1*1+10", 2, 6, 8, 2190},
		{"t-stack (push+pop) 1*1+10", 2, 6, 12, 3358},
		{"rd-queue (enq+deq) 1*1+10", 2, 6, 7, 1898},
		{"rd-queue (enq+enq) 1*1+10", 2, 6, 31, 8906},
		{"rd-queue (deq+deq) 1*1+10", 2, 6, 6, 1606},
		{"bk-queue (enq+deq) 1*1+10", 2, 6, 1, 146},
		{"k-stack (push+pop) 1*1+10", 2, 6, 69, 20002},
	} {
		each := 2 * len(rearrangements(row.removals, row.bound))
		name := fmt.Sprint(row.program, " ", row.histories)
		assert.Zero(t, row.permutations%each, name)
		number := row.permutations / each
		assert.GreaterOrEqual(t, number, row.histories, name)
		if want, ok := linearizations[name]; ok {
			assert.Equal(t, want, number, name)
			compared++
		}
		linearizations[name] = number
	}
	assert.Equal(t, table2+4, compared, "all programs of Table II, and four at two bounds")
}
