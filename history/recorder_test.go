package history_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A test wraps each operation on the object in Call and Return.
func ExampleRecorder() {
	rec := new(history.Recorder)
	rec.SetSpec("queue")
	queue := make(chan int, 10)

	enq := rec.Call(0, "enq", 7)
	queue <- 7
	enq.Return(nil)

	deq := rec.Call(1, "deq", nil)
	deq.Return(<-queue)

	rec.Call(2, "enq", 8) // never returns: pending

	h, err := rec.History()
	if err != nil {
		panic(err)
	}
	if err := history.WriteJSONL(os.Stdout, h); err != nil {
		panic(err)
	}
	// Output:
	// {"spec": "queue"}
	// {"process": 0, "f": "enq", "arg": 7, "call": 0, "return": 1, "result": null}
	// {"process": 1, "f": "deq", "call": 2, "return": 3, "result": 7}
	// {"process": 2, "f": "enq", "arg": 8, "call": 4}
}

func TestRecorderFromManyGoroutines(t *testing.T) {
	rec := new(history.Recorder)
	var object sync.Mutex
	counter := 0
	var group sync.WaitGroup
	const goroutines, each = 8, 200
	for p := range goroutines {
		group.Go(func() {
			for range each {
				h := rec.CallKey(p, "c", "getandinc", 1)
				object.Lock()
				before := counter
				counter++
				object.Unlock()
				h.Return(before)
			}
		})
	}
	group.Wait()
	h, err := rec.History()
	require.NoError(t, err)
	require.Len(t, h.Ops, goroutines*each)
	// The results are the linearization: no operation may precede one with a smaller result.
	lastCall := make([]history.Rank, goroutines*each) // the greatest call among results up to here
	for i := range h.Ops {
		n, ok := h.Values.AsInt(h.Ops[i].Result)
		require.True(t, ok)
		lastCall[n] = h.Ops[i].Call
	}
	for i := 1; i < len(lastCall); i++ {
		lastCall[i] = max(lastCall[i], lastCall[i-1])
	}
	for i := range h.Ops {
		n, _ := h.Values.AsInt(h.Ops[i].Result)
		assert.Greater(t, h.Ops[i].Return, lastCall[n])
	}
}

func TestRecorderValues(t *testing.T) {
	type name string
	one := 1
	for _, row := range []struct {
		in   any
		want string
	}{
		{nil, "null"}, {true, "true"}, {int8(-3), "-3"}, {uint16(9), "9"}, {name("x"), `"x"`}, {&one, "1"},
		{(*int)(nil), "null"},
		{errors.New("no"), `"no"`}, {[]any{1, "a", nil, []bool{false}}, `[1, "a", null, [false]]`},
		{[2]int{3, 4}, "[3, 4]"},
		{map[string]int{"b": 2, "a": 1}, `{"a": 1, "b": 2}`}, {map[int]any{10: "x"}, `{"10": "x"}`}, {[]int(nil), "[]"},
		{int64(math.MinInt64), "-9223372036854775808"},
	} {
		rec := new(history.Recorder)
		rec.Call(0, "f", row.in).Return(row.in)
		h, err := rec.History()
		require.NoError(t, err)
		assert.Equal(t, row.want, h.Values.Format(h.Ops[0].Arg))
		assert.Equal(t, h.Ops[0].Arg, h.Ops[0].Result)
	}
}

// Unsigned integers that no int64 is are kept apart from each other and from all others.
func TestRecorderUnsigned(t *testing.T) {
	rec := new(history.Recorder)
	rec.Call(1, "a", uint64(math.MaxUint64)).Return(uint64(math.MaxInt64) + 1)
	h, err := rec.History()
	require.NoError(t, err)
	assert.Equal(t, `"18446744073709551615"`, h.Values.Format(h.Ops[0].Arg))
	assert.Equal(t, `"9223372036854775808"`, h.Values.Format(h.Ops[0].Result))
}

func TestRecorderMisuse(t *testing.T) {
	type node struct{}
	loop := []any{nil}
	loop[0] = loop
	for what, use := range map[string]func(r *history.Recorder){
		`process 1 calls "b" while an operation of it is open`: func(r *history.Recorder) {
			r.Call(1, "a", nil)
			r.Call(1, "b", nil)
		},
		`operation "a" of process 1 is completed twice`: func(r *history.Recorder) {
			h := r.Call(1, "a", nil)
			h.Return(1)
			h.Return(1)
		},
		`operation "a" of process 1: its argument is refused: float64 is not a value of a history`:           func(r *history.Recorder) { r.Call(1, "a", 1.5) },
		`operation "a" of process 1: its argument is refused: history_test.node is not a value of a history`: func(r *history.Recorder) { r.Call(1, "a", []node{{}}) },
		`operation "a" of process 1: its key is refused: float64 is not a value of a history`:                func(r *history.Recorder) { r.CallKey(1, 2.5, "a", nil) },
		`operation "b" of process 1: its result is refused: func() is not a value of a history`:              func(r *history.Recorder) { r.Call(1, "b", nil).Return(func() {}) },
		`operation "a" of process 1: its argument is refused: a value is nested more than 1000 deep`:         func(r *history.Recorder) { r.Call(1, "a", loop) },
		"the history has no operations": func(r *history.Recorder) {},
	} {
		rec := new(history.Recorder)
		use(rec)
		_, err := rec.History()
		require.Error(t, err)
		place := regexp.MustCompile(`^recorder_test.go:\d+: `)
		assert.Equal(t, strings.Contains(what, "refused"), place.MatchString(err.Error()), "the place of the call")
		assert.Equal(t, what, place.ReplaceAllString(err.Error(), ""))
	}
}

func TestRecorderOutcomes(t *testing.T) {
	rec := new(history.Recorder)
	rec.SetInitial([]int{5})
	rec.Call(1, "enq", 1).Fail()
	rec.Call(1, "enq", 2).Abandon()
	rec.Note("node 1 killed")
	rec.Call(1, "deq", nil).Return(2)
	h, err := rec.History()
	require.NoError(t, err)
	assert.Equal(t, 1, h.Failed)
	assert.Equal(t, 1, h.Pending())
	assert.Equal(t, "[5]", h.Values.Format(h.Initial))
	assert.Equal(t, []history.Note{{Time: 3, End: 3, Text: "node 1 killed"}}, h.Notes)
	assert.NotEqual(t, h.Ops[0].Process, h.Ops[1].Process)
	assert.Equal(t, h.Processes[h.Ops[0].Process], h.Processes[h.Ops[1].Process])
}

// A recording that ends while goroutines go on is a prefix: what returned before it saw only what
// was called before it.
func TestRecorderEndsAmidOperations(t *testing.T) {
	for range 50 {
		rec := new(history.Recorder)
		var next atomic.Int64
		var stop atomic.Bool
		var group sync.WaitGroup
		for p := range 4 {
			group.Go(func() {
				for k := 0; k < 10_000 && !stop.Load(); k++ {
					h := rec.CallKey(p, "counter", "getandinc", 1)
					h.Return(next.Add(1) - 1)
				}
			})
		}
		for next.Load() < 100 {
			runtime.Gosched()
		}
		h, err := rec.History()
		stop.Store(true)
		group.Wait()
		require.NoError(t, err)
		returned := make([]bool, len(h.Ops)+1)
		greatest := -1
		for i := range h.Ops {
			if n, ok := h.Values.AsInt(h.Ops[i].Result); ok && !h.Ops[i].Pending() {
				require.Less(t, int(n), len(h.Ops), "more increments were seen than were called")
				returned[n] = true
				greatest = max(greatest, int(n))
			}
		}
		missing := 0
		for _, seen := range returned[:greatest+1] {
			if !seen {
				missing++
			}
		}
		require.LessOrEqual(t, missing, h.Pending(), "an increment was seen that is not in the history")
	}
}

// Text that a caller keeps on its stack, in what it passes, is kept where it does not change.
func TestRecorderKeepsText(t *testing.T) {
	rec := new(history.Recorder)
	for i := range 1000 {
		buffer := [8]byte{'a', byte('0' + i%10)}
		h := rec.Call(0, "f", string(buffer[:2]))
		buffer[0] = 'b'
		h.Return([]string{string(buffer[:2])})
		deepen(i % 200)
	}
	runtime.GC()
	h, err := rec.History()
	require.NoError(t, err)
	for i := range h.Ops {
		require.Equal(t, fmt.Sprintf(`"a%d" ["b%d"]`, i%10, i%10), h.Values.Format(h.Ops[i].Arg)+" "+
			h.Values.Format(h.Ops[i].Result))
	}
}

// deepen writes over the stack, and moves it.
func deepen(n int) byte {
	var page [256]byte
	for i := range page {
		page[i] = byte(n)
	}
	if n == 0 {
		return page[7]
	}
	return deepen(n-1) + page[n%256]
}

func TestRecorderDoesNotAllocate(t *testing.T) {
	rec := new(history.Recorder)
	key, arg, n := "account", "deposit of a kind", 1000
	assert.Less(t, testing.AllocsPerRun(20_000, func() {
		n++
		h := rec.CallKey(3, key, "put", n)
		h.Return(arg)
		h = rec.Call(3, "get", nil)
		h.Return(n%2 == 0)
	}), 0.5)
}

func BenchmarkRecorder(b *testing.B) {
	const goroutines = 8
	b.ReportAllocs()
	for range b.N/recordedAtOnce + 1 {
		rec := new(history.Recorder)
		var group sync.WaitGroup
		for p := range goroutines {
			group.Go(func() {
				for i := range min(recordedAtOnce, b.N) / goroutines {
					rec.Call(p, "put", i).Return(nil)
				}
			})
		}
		group.Wait()
	}
}

// recordedAtOnce is how many operations of a benchmark are kept in memory.
const recordedAtOnce = 1 << 20

// Times that the caller states order the operations, with the uncertainty of the clocks.
func TestRecorderWithTimes(t *testing.T) {
	record := func(by, call int64) (*history.History, error) {
		r := new(history.Recorder)
		r.SetUncertainty(by)
		late := r.CallAt(call, 2, "x", "read", nil)
		r.CallAt(10, 1, "x", "write", 5).ReturnAt(20, nil)
		r.CallAt(21, 1, "x", "write", 6).FailAt(22)
		late.ReturnAt(call+1, 0)
		r.CallAt(30, 1, nil, "read", nil)
		return r.History()
	}
	for by, ordered := range map[int64]bool{0: true, 2: true, 3: false} {
		h, err := record(by, 25)
		require.NoError(t, err)
		require.Len(t, h.Ops, 3)
		assert.Equal(t, ordered, h.Ops[0].Return < h.Ops[1].Call, by)
		assert.Equal(t, int64(10), h.Origins[0].CallTime)
		assert.True(t, h.Ops[0].Return < h.Ops[2].Call || len(h.Edges) > 0, "the order of a process stays")
	}
	r := new(history.Recorder)
	r.CallAt(10, 1, nil, "write", 5).Return(nil)
	_, err := r.History()
	require.ErrorContains(t, err, "state a time, and others do not")
	r = new(history.Recorder)
	r.SetUncertainty(5)
	r.Call(1, "write", 5).Return(nil)
	_, err = r.History()
	require.ErrorContains(t, err, "known order")
}
