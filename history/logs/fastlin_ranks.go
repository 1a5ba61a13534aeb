package logs

// What: the operations of a fastlin file in the order of their calls, without a Builder in between,
// where no two of its times are equal.
//
// How: a time's number among all times then is the rank of its event. It is found by a table where
// the times lie close together, else by sorting them. Each operation has a process of its own and
// has returned, so there is nothing that a Builder would refuse, but for the memory limit; inputs
// near it and inputs with equal times take the way through a Builder.
//
// Invariant: the history is that of the other way (TestFastlinRanksAreThoseOfABuilder).
//
// Cost: O(n) where times lie close together, and for each 11 bits of their span where they do not.

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/history/internal/radix"
)

// fastlinRanks finds the ranks of calls and returns.
type fastlinRanks struct {
	first uint64
	table []int32 // by time after first: its rank; nil where times lie far apart
	calls []int32 // then by position: the ranks
	rets  []int32
}

// of returns the ranks of the row at a position of the input.
func (f *fastlinRanks) of(r *fastlinRow, position int) (call, ret int32) {
	if f.table != nil {
		return f.table[r.call-f.first], f.table[r.ret-f.first]
	}
	return f.calls[position], f.rets[position]
}

// ranks returns nil if two times are equal.
func (f *fastlinReader) ranks() *fastlinRanks {
	first, last := f.span()
	if last-first < lex.TimesEach*uint64(f.rows) {
		return f.rankClose(first, last)
	}
	return f.rankApart(first)
}

// rankClose numbers times that lie close together.
func (f *fastlinReader) rankClose(first, last uint64) *fastlinRanks {
	table := make([]int32, last-first+1)
	clear(table) // a page that is read before it is written is mapped twice
	for _, b := range f.blocks {
		for i := range b.rows {
			call, ret := &table[b.rows[i].call-first], &table[b.rows[i].ret-first]
			if *call+*ret > 0 || call == ret {
				return nil
			}
			*call, *ret = 1, 1
		}
	}
	sum := int32(0)
	for t, is := range table {
		table[t] = sum
		sum += is
	}
	return &fastlinRanks{first: first, table: table}
}

// rankApart sorts the times.
func (f *fastlinReader) rankApart(first uint64) *fastlinRanks {
	times := make([]uint64, 0, 2*f.rows) // after the first: of calls and returns in turn
	for _, b := range f.blocks {
		for i := range b.rows {
			times = append(times, b.rows[i].call-first, b.rows[i].ret-first)
		}
	}
	if slices.Max(times) > math.MaxInt64 {
		return nil
	}
	order := make([]int32, len(times))
	for i := range order {
		order[i] = int32(i)
	}
	radix.SortByTime(order, func(i int32) int64 { return int64(times[i]) })
	r := &fastlinRanks{calls: make([]int32, f.rows), rets: make([]int32, f.rows)}
	for rank, i := range order {
		if rank > 0 && times[i] == times[order[rank-1]] {
			return nil
		}
		if i%2 == 0 {
			r.calls[i/2] = int32(rank)
		} else {
			r.rets[i/2] = int32(rank)
		}
	}
	return r
}

// span returns the first and the last time.
func (f *fastlinReader) span() (first, last uint64) {
	first = math.MaxUint64
	for _, b := range f.blocks {
		for i := range b.rows {
			first, last = min(first, b.rows[i].call), max(last, b.rows[i].ret)
		}
	}
	return first, last
}

// finishRanked makes the operations, blocks side by side, and reports whether it has: not where
// times are equal or memory is short.
func (f *fastlinReader) finishRanked() bool {
	b := f.builder
	if f.rows == 0 || f.rows >= math.MaxInt32/4 || b.Len() > 0 ||
		b.Fits(2*f.rows, 2*lex.NameBytes*int64(f.rows), 0) != nil {
		return false
	}
	ranks := f.ranks()
	if ranks == nil {
		return false
	}
	starts := make([]int, len(f.blocks)) // positions of their first rows
	position, sorted, before := 0, true, int32(-1)
	for k, block := range f.blocks {
		starts[k] = position
		for i := range block.rows {
			call, _ := ranks.of(&block.rows[i], position)
			sorted = sorted && before < call
			before = call
			position++
		}
	}
	var places []int32 // by rank of a call: the calls before it; nil if the rows are in their order
	if !sorted {
		places = make([]int32, 2*f.rows)
		for k, block := range f.blocks {
			for i := range block.rows {
				call, _ := ranks.of(&block.rows[i], starts[k]+i)
				places[call] = 1
			}
		}
		sum := int32(0)
		for rank, is := range places {
			places[rank] = sum
			sum += is
		}
	}
	b.Ranked(f.rows, func(ops []history.Op, origins []history.Origin) { f.fill(ops, origins, starts, ranks, places) })
	return true
}

// fill makes the operations of blocks whose first rows have the positions starts.
func (f *fastlinReader) fill(ops []history.Op, origins []history.Origin, starts []int, ranks *fastlinRanks,
	places []int32) {
	next := atomic.Int64{}
	work := func() {
		for {
			k := int(next.Add(1)) - 1
			if k >= len(f.blocks) {
				return
			}
			f.place(ops, origins, f.blocks[k].rows, starts[k], ranks, places)
			f.blocks[k] = nil
		}
	}
	var aside sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(f.blocks)) - 1 {
		aside.Go(work)
	}
	work()
	aside.Wait()
}

// place makes the operations of rows, the first of which has the given position.
func (f *fastlinReader) place(ops []history.Op, origins []history.Origin, rows []fastlinRow, position int,
	ranks *fastlinRanks,
	places []int32) {
	for i := range rows {
		row, p := &rows[i], int32(position+i)
		call, ret := ranks.of(row, int(p))
		m := &f.methods[row.method]
		at := p
		if places != nil {
			at = places[call]
		}
		o := history.Op{Process: p, F: m.f, Key: history.NoKey, Result: m.result, Call: history.Rank(call),
			Return: history.Rank(ret)}
		if m.takes {
			o.Result = history.Value(row.value)
		} else {
			o.Arg, o.NoResult = history.Value(row.value), m.result == history.Nil
		}
		ops[at] = o
		origin := history.Origin{Position: p, Line: row.line}
		origin.CallTime, origin.ReturnTime = returnsFirst(int64(call), int64(ret))
		origins[at] = origin
	}
}
