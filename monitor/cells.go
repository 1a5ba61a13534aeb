package monitor

// Cells: registers, maps, sets, locks; each operation on one cell.
//
// What: says what each operation does to its cell, decides every cell by chains (chains.go) or as one bit (bits.go), and puts the
// orders of the cells together. Which of the two is read off the modes alone, so that a map whose keys
// hold one value or none is decided as a set is.
//
// Invariant: a position in an order has a moment, the latest call up to and including it; it is before the return of every
// operation from there on. So whatever is put in by its moment, other cells and operations that change nothing, keeps
// the order legal.
//
// Cost: O(n log n), O(n) apart from sorting ranks by digits; about 60 bytes an operation.

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// deed is what an operation does to its cell.
type deed uint8

const (
	vanishes deed = iota // nothing that anybody could notice
	idle                 // it must stand somewhere, anywhere
	sees                 // finds the value v
	puts                 // leaves w
	swaps                // finds v, leaves w
	misses               // finds another value than v
	wrong                // cannot be
	other
)

// move is an operation on a cell.
type move struct {
	does  deed
	v, w  int32
	taken bool // it completed, or others need it
}

// cellBytes is what a part takes for an operation, by measurement.
const cellBytes = 80

// cells decides one part.
type cells struct {
	p     *check.Problem
	ops   []history.Op
	c     *spec.Cells
	moves []move

	list, start []int32 // operations by cell
	own         []int32 // those of the cell at hand
	orders
	chains
	bits
	spare []ranked
}

// orders is what is put together: for every cell an order with its moments.
type orders struct {
	witness []int32  // of the cell at hand
	extra   []insert // what changes nothing, of all cells
	all     []ranked
}

// insert is an operation to be put in front of position k of the order of its cell.
type insert struct{ k, at, op int32 }

var cellsPool = sync.Pool{New: func() any { return new(cells) }}

// finding of a cell.
type finding uint8

const (
	cellYes finding = iota
	cellNo
	cellAmbiguous
	cellOpen
)

func checkCells(ctx context.Context, p *check.Problem, theory *spec.Cells, m *check.Meter) check.Answer {
	part := p.Bound.Part
	if len(part.Edges) > 0 {
		return check.Answer{Cause: check.NotMine, Detail: "explicit order"}
	}
	need := int64(len(part.Ops)) * cellBytes
	defer m.Grow(-need)
	if !m.Grow(need) {
		return check.Answer{Cause: check.Memory}
	}
	if !m.Spend(int64(len(part.Ops))) {
		return check.Answer{Cause: check.Steps}
	}
	k := cellsPool.Get().(*cells)
	defer k.release()
	k.p, k.ops, k.c = p, part.Ops, theory
	return k.decide(ctx)
}

// release gives back the scratch unless it is very large.
func (k *cells) release() {
	k.p, k.ops, k.c, k.evidence = nil, nil, nil, nil
	if cap(k.moves) <= 1<<16 {
		cellsPool.Put(k)
	}
}

func (k *cells) decide(ctx context.Context) check.Answer {
	if !k.read() {
		return check.Answer{Cause: check.NotMine, Detail: "operations with several outcomes"}
	}
	if k.all = k.all[:0]; len(k.c.Init) > 1 {
		k.all = sized(k.all, len(k.ops))[:0]
	}
	byCell, start := k.byCell()
	worst, open := cellYes, ""
	for x := range k.c.Init {
		if ctx.Err() != nil {
			return check.Stopped(ctx)
		}
		k.own = byCell[start[x]:start[x+1]]
		if len(k.own) == 0 {
			continue
		}
		var o finding
		detail := ""
		if initial := k.c.Init[x]; k.asBit(initial) {
			o = k.decideBit(int32(x))
		} else {
			o, detail = k.decideChains(ctx, initial)
		}
		if ctx.Err() != nil {
			return check.Stopped(ctx)
		}
		switch o {
		case cellNo:
			return check.Answer{Verdict: check.NotLinearizable, Evidence: k.evidence}
		case cellYes:
			if len(k.c.Init) == 1 {
				return check.Answer{Verdict: check.Linearizable, Witness: slices.Clone(k.complete())}
			}
			k.merge()
		default:
			if o > worst && worst != cellAmbiguous {
				worst, open = o, detail
			}
		}
	}
	switch worst {
	case cellAmbiguous:
		return check.Answer{Cause: check.NotMine, Detail: open}
	case cellOpen:
		return check.Answer{Cause: check.Undecided, Detail: open}
	}
	k.spare = sortRanked(k.all, k.spare)
	witness := make([]int32, len(k.all))
	for i, r := range k.all {
		witness[i] = r.what
	}
	return check.Answer{Verdict: check.Linearizable, Witness: witness}
}

// read says what the operations do, false if one does what is not known here.
func (k *cells) read() bool {
	k.moves = sized(k.moves, len(k.ops))
	for i := range k.ops {
		pending := k.ops[i].Return == history.Never
		m := move{does: other, taken: !pending}
		switch modes := k.c.Modes[k.c.First[i]:k.c.First[i+1]]; len(modes) {
		case 0:
			m.does = wrong
		case 1:
			m.does, m.v, m.w = read(&modes[0])
		}
		if pending && m.does != puts && m.does != swaps && m.does != other {
			m.does = vanishes
		}
		if m.does == other {
			return false
		}
		k.moves[i] = m
	}
	return true
}

func read(mode *spec.Mode) (does deed, v, w int32) {
	keeps := mode.Leaves == spec.Keep
	switch {
	case mode.Test == spec.Any && keeps:
		return idle, 0, 0
	case mode.Test == spec.Any:
		return puts, -1, mode.Leaves
	case mode.Test == spec.Is && (keeps || mode.Leaves == mode.V):
		return sees, mode.V, 0
	case mode.Test == spec.Is:
		return swaps, mode.V, mode.Leaves
	case keeps && len(mode.Others) == 0:
		return misses, mode.V, 0
	}
	return other, 0, 0
}

// byCell lists the operations of every cell, ascending.
func (k *cells) byCell() (list, start []int32) {
	k.start = filled(k.start, len(k.c.Init)+1, 0)
	k.list = sized(k.list, len(k.ops))
	list, start = k.list, k.start
	if len(k.c.Init) == 1 {
		for i := range list {
			list[i] = int32(i)
		}
		start[1] = int32(len(list))
		return list, start
	}
	for _, x := range k.c.Object {
		start[x+1]++
	}
	for x := range k.c.Init {
		start[x+1] += start[x]
	}
	next := slices.Clone(start)
	for i, x := range k.c.Object {
		list[next[x]] = int32(i)
		next[x]++
	}
	return list, start
}

// asBit says whether the cell at hand goes back and forth between its initial value and another one by operations that say what
// they found.
func (k *cells) asBit(initial int32) bool {
	second := initial
	fits := func(v int32) bool {
		if v == initial || v == second {
			return true
		}
		if second == initial {
			second = v
			return true
		}
		return false
	}
	for _, i := range k.own {
		switch m := &k.moves[i]; m.does {
		case puts, wrong, misses:
			return false
		case sees:
			if !fits(m.v) {
				return false
			}
		case swaps:
			if !fits(m.v) || !fits(m.w) {
				return false
			}
		}
	}
	return true
}

// complete returns the witness of the cell at hand with what changes nothing.
func (k *cells) complete() []int32 {
	if len(k.extra) == 0 {
		return k.witness
	}
	slices.SortFunc(k.extra, func(a, b insert) int { return cmp.Or(cmp.Compare(a.k, b.k), cmp.Compare(a.at, b.at)) })
	out := make([]int32, 0, len(k.witness)+len(k.extra))
	from := int32(0)
	for _, x := range k.extra {
		out = append(out, k.witness[from:x.k]...)
		out = append(out, x.op)
		from = x.k
	}
	return append(out, k.witness[from:]...)
}

// merge adds the order of the cell at hand, with its moments, to those of all.
func (k *cells) merge() {
	at := int32(0)
	for _, i := range k.complete() {
		at = max(at, k.ops[i].Call)
		k.all = append(k.all, ranked{at, i})
	}
}

// fill finds places in the witness of the cell at hand for operations that change nothing, each at the first moment
// that suits it, or else before operations that can as well come later. It says whether all have one; there may be other witnesses where they have.
func (k *cells) fill(initial int32) bool {
	k.extra = k.extra[:0]
	n := 0
	for _, i := range k.own {
		if d := k.moves[i].does; d == idle || d == misses {
			n++
		}
	}
	if n == 0 {
		return true
	}
	// The value in front of every position, and the next position with another one.
	value := make([]int32, len(k.witness)+1)
	next := make([]int32, len(k.witness)+1)
	value[0] = initial
	for j, i := range k.witness {
		value[j+1] = value[j]
		if m := &k.moves[i]; m.does == puts || m.does == swaps {
			value[j+1] = m.w
		}
	}
	next[len(k.witness)] = int32(len(value))
	for j := len(k.witness) - 1; j >= 0; j-- {
		next[j] = next[j+1]
		if value[j+1] != value[j] {
			next[j] = int32(j) + 1
		}
	}
	moment := make([]int32, len(k.witness)) // of every position
	at := int32(-1)
	for j, i := range k.witness {
		at = max(at, k.ops[i].Call)
		moment[j] = at
	}
	early := false // some operation stands where its moment does not say it can
	j := int32(0)
	for _, i := range k.own { // ascending by call
		m, o := &k.moves[i], &k.ops[i]
		if m.does != idle && m.does != misses {
			continue
		}
		for int(j) < len(moment) && moment[j] <= o.Call {
			j++
		}
		place := j
		if m.does == misses && value[place] == m.v {
			if after := next[place]; int(after) < len(value) && moment[after-1] < o.Return {
				place = after
			} else if place = k.before(j, o.Call, value, m.v); place < 0 {
				return false
			}
			early = early || place < j
		}
		at := o.Call
		if place > 0 {
			at = max(at, moment[place-1])
		}
		k.extra = append(k.extra, insert{place, at, i})
	}
	return !early || k.inOrder(k.complete())
}

// before finds a position before j with another value than v, whose operations up to j may all come later than one called at call;
// -1 if there is none.
func (k *cells) before(j, call int32, value []int32, v int32) int32 {
	for j > 0 && k.ops[k.witness[j-1]].Return > call {
		if j--; value[j] != v {
			return j
		}
	}
	return -1
}

// inOrder says whether no operation of the list comes after one that it precedes.
func (k *cells) inOrder(list []int32) bool {
	latest := int32(-1)
	for _, i := range list {
		if k.ops[i].Return < latest {
			return false
		}
		latest = max(latest, k.ops[i].Call)
	}
	return true
}
