package history

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// closure is the order by definition: all records, failed ones included, closed
// intervals, processes in their order, explicit edges, closed transitively.
// through[x] reports whether a path may lead through x.
func closure(records []Record, edges [][2]int) [][]bool { return uncertainClosure(records, edges, 0) }

// uncertainClosure is closure if the time of every event may be wrong by so much, and processes are
// in their order nevertheless.
func uncertainClosure(records []Record, edges [][2]int, by int64) [][]bool {
	n := len(records)
	before := make([][]bool, n)
	for i := range before {
		before[i] = make([]bool, n)
		for j := range before[i] {
			a, b := &records[i], &records[j]
			if i == j || a.Pending {
				continue
			}
			before[i][j] = a.Return+by < b.Call-by || a.Process == b.Process && a.Return < b.Call
			if a.Process == b.Process && a.Return == b.Call {
				// Of operations of one process that carry the same time, the one with the
				// shorter interval, or else the earlier one, comes first.
				zero := func(r *Record) bool { return !r.Pending && r.Call == r.Return }
				switch {
				case zero(a) && zero(b):
					before[i][j] = i < j
				default:
					before[i][j] = true
				}
			}
		}
	}
	for _, e := range edges {
		before[e[0]][e[1]] = true
	}
	for k := range n {
		for i := range n {
			if !before[i][k] {
				continue
			}
			for j := range n {
				before[i][j] = before[i][j] || before[k][j]
			}
		}
	}
	return before
}

func cyclic(before [][]bool) bool {
	for i := range before {
		if before[i][i] {
			return true
		}
	}
	return false
}

// add gives a builder its input.
func add(t *testing.T, b *Builder, processes int, records []Record, edges [][2]int) {
	t.Helper()
	for p := range processes {
		b.ProcessInt(int64(p))
	}
	for _, r := range records {
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	for _, e := range edges {
		require.NoError(t, b.Edge(e[0], e[1], 0))
	}
}

// randomRecords makes a history of few times, so that ties abound, whose processes
// overlap nowhere by construction.
func randomRecords(rng *rand.Rand) (records []Record, processes int, edges [][2]int) {
	n, many := 1+rng.IntN(8), 1
	if rng.IntN(10) == 0 {
		n, many = n+rng.IntN(10), 3
	}
	processes = 1 + rng.IntN(4)
	times := 1 + rng.Int64N(8)
	clock := make([]int64, processes)
	dead := make([]bool, processes)
	for len(records) < n {
		p := rng.IntN(processes)
		if dead[p] || clock[p] > times {
			dead[p] = true
			p = processes // a new process
			processes++
			clock, dead = append(clock, 0), append(dead, false)
		}
		r := Record{Process: int32(p), Key: NoKey}
		r.Call = clock[p] + rng.Int64N(2)*rng.Int64N(times)
		r.Return = r.Call + rng.Int64N(3)*rng.Int64N(3)
		switch rng.IntN(8) {
		case 0:
			r.Pending, dead[p] = true, true
		case 1, 2:
			r.Failed = true
		}
		clock[p] = r.Return
		records = append(records, r)
	}
	for range rng.IntN(3) * rng.IntN(4) * many {
		a, b := rng.IntN(n), rng.IntN(n)
		if rng.IntN(6) > 0 && records[a].Call > records[b].Call {
			a, b = b, a // most edges go along with time, so that most inputs have no cycle
		}
		if a != b {
			edges = append(edges, [2]int{a, b})
		}
	}
	return records, processes, edges
}

// input shows what a history was made from, if a test fails.
type input struct {
	seed    uint64
	records []Record
	edges   [][2]int
}

func (in input) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "seed %d\n", in.seed)
	for i, r := range in.records {
		fmt.Fprintf(&s, "%d: process %d [%d, %d] pending %t, failed %t\n", i, r.Process, r.Call,
			r.Return, r.Pending, r.Failed)
	}
	fmt.Fprint(&s, "edges ", in.edges)
	return s.String()
}

// TestOrderByDefinition compares ranks and edges with the closure.
func TestOrderByDefinition(t *testing.T) {
	rounds := testenv.Scale(60_000, 1_500_000)
	cycles, withEdges, withFailed, left := 0, 0, 0, 0
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 7))
		records, processes, edges := randomRecords(rng)
		in := input{seed, records, edges}
		want := closure(records, edges)
		b := NewBuilder()
		add(t, b, processes, records, edges)
		h, err := b.Finish()
		if cyclic(want) {
			cycles++
			require.Error(t, err, "a cycle is accepted: %v", in)
			continue
		}
		require.NoError(t, err, "%v", in)
		if len(edges) > 0 {
			withEdges++
		}
		if h.Failed > 0 {
			withFailed++
		}
		left += len(h.Edges)
		RequireRanks(t, h, seed)
		requireOrder(t, h, want, in)
	}
	t.Logf("%d histories: %d cyclic, %d with edges, %d with failed operations, %d edges left", rounds, cycles,
		withEdges, withFailed, left)
	require.Greater(t, cycles, rounds/100)
	require.Greater(t, withEdges, rounds/4)
	require.Greater(t, withFailed, rounds/4)
	require.Greater(t, left, rounds/20)
}

// requireOrder checks that whichever pending operations take effect, the order
// among those that do is the given one: what lies between two of them counts even
// if it failed or did not take effect, and nothing else counts.
func requireOrder(t *testing.T, h *History, want [][]bool, in input) {
	n := len(h.Ops)
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			a, b := h.Origins[i].Position, h.Origins[j].Position
			x, y := &h.Ops[i], &h.Ops[j]
			if want[a][b] && (x.Call > y.Call || !x.Pending() && x.Return > y.Return) {
				require.Fail(t, "wrong ranks", "operation %d precedes %d: called or returning after it\n%v\n%+v",
					a, b, in, h.Ops)
			}
			if got := precedes(h, OpID(i), OpID(j)); got != want[a][b] {
				require.Fail(t, "wrong order", "operation %d precedes %d: %v, not %v\n%v\n%+v\n%v", a, b, got,
					want[a][b], in, h.Ops, h.Edges)
			}
		}
	}
}

// precedes looks for a path from a to b by ranks and edges that leads through completed operations.
func precedes(h *History, a, b OpID) bool {
	seen := make([]bool, len(h.Ops))
	var walk func(x OpID) bool
	step := func(x, y OpID) bool {
		if h.Ops[x].Return < h.Ops[y].Call {
			return true
		}
		for _, e := range h.Edges {
			if e == (Edge{x, y}) {
				return true
			}
		}
		return false
	}
	walk = func(x OpID) bool {
		if step(x, b) {
			return true
		}
		for y := range h.Ops {
			if !seen[y] && !h.Ops[y].Pending() && step(x, OpID(y)) {
				seen[y] = true
				if walk(OpID(y)) {
					return true
				}
			}
		}
		return false
	}
	return walk(a)
}

// Where no time occurs twice, the ranks by a table are those of sorting; where one does, the table
// is of no use.
func TestRanksOfDistinctTimes(t *testing.T) {
	distinct, others := 0, 0
	for seed := range uint64(20_000) {
		rng := rand.New(rand.NewPCG(seed, 8))
		records, processes, _ := randomRecords(rng)
		if seed%2 == 0 { // some times are drawn anew, none of them twice
			times := rng.Perm(3 * len(records))
			shift := rng.Int64N(1000) - 500
			for i := range records {
				r := &records[i]
				x, y := int64(times[2*i])+shift, int64(times[2*i+1])+shift
				r.Process, r.Call, r.Return = int32(i), min(x, y), max(x, y)
				if r.Failed && rng.IntN(4) == 0 {
					r.Return = noTime
				}
			}
			processes = len(records)
		}
		seen, twice := map[int64]bool{}, false
		note := func(at int64) {
			twice = twice || seen[at]
			seen[at] = true
		}
		for i := range records {
			note(records[i].Call)
			if !records[i].Pending {
				note(records[i].Return)
			}
		}
		names := make([]string, processes)
		table, sorted := newOrdering(records), newOrdering(slices.Clone(records))
		require.NoError(t, table.sequence(names))
		require.NoError(t, sorted.sequence(names))
		if !table.rankDistinct() {
			require.True(t, twice || seen[noTime] || len(records) < 3, "seed %d", seed)
			others++
			continue
		}
		require.False(t, twice, "seed %d", seed)
		sorted.rankSorted()
		require.Equal(t, sorted.call, table.call, "seed %d", seed)
		require.Equal(t, sorted.ret, table.ret, "seed %d", seed)
		distinct++
	}
	require.Greater(t, distinct, 5000)
	require.Greater(t, others, 5000)
}

// Things are done side by side as they are one after the other.
func TestAsideCoversEverything(t *testing.T) {
	for _, n := range []int{0, 1, eachAside, 4*eachAside + 3} {
		done := make([]int32, n)
		aside(n, func(from, to int) {
			for i := from; i < to; i++ {
				done[i]++
			}
		})
		for i := range done {
			require.EqualValues(t, 1, done[i])
		}
	}
}

// The first wrong operation of a long history is told, wherever the ranges side by side begin.
func TestFirstWrongOperationIsTold(t *testing.T) {
	n := 3*eachAside + 7
	h := &History{Values: newValues(), Processes: []string{"0"}, Ops: make([]Op, n), Origins: make([]Origin, n)}
	for i := range h.Ops {
		h.Ops[i] = Op{Key: NoKey, Call: Rank(2 * i), Return: Rank(2*i + 1)}
	}
	require.NoError(t, h.Validate())
	for _, at := range []int{1, eachAside, n / 3, n / 2, 2 * n / 3, n - 1} {
		before := h.Ops[at]
		h.Ops[at].Call = h.Ops[at-1].Call
		require.ErrorContains(t, h.Validate(), fmt.Sprintf("operation %d has the call", at))
		h.Ops[n-1].Process = 1
		require.ErrorContains(t, h.Validate(), fmt.Sprintf("operation %d ", at))
		h.Ops[n-1].Process = 0
		h.Ops[at] = before
	}
	for _, at := range []int{3, n/2 - 1, n - 2} { // the last call is in another range, but for one
		before := h.Ops[at]
		h.Ops[at].Return = h.Ops[n-1].Call
		require.ErrorContains(t, h.Validate(), "ranks are distinct", at)
		h.Ops[at] = before
	}
	require.NoError(t, h.Validate())
}
