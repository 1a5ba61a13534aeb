package monitor

// Cells: registers, maps, sets, locks; each operation on one cell.
//
// What: says what each operation does to its cell, decides every cell by chains
// (register_chains.go) or as one bit (toggles.go), and puts the orders of the cells together. Which
// of the two is read off the modes alone, so that a map whose keys hold one value or none is
// decided as a set is.
//
// Invariant: a position in an order has a moment, the latest call up to and including it; it is
// before the return of every operation from there on. So whatever is put in by its moment, other
// cells and operations that change nothing, keeps the order legal.
//
// Cost: O(n log n), O(n) apart from what cells take themselves; about 60 bytes an operation.

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// effect is what an operation does to its cell.
type effect uint8

const (
	vanishes effect = iota // has no effect that another operation could observe
	idle                   // must take effect, but its place does not matter
	sees                   // finds the value v
	puts                   // leaves w
	swaps                  // finds v, leaves w
	misses                 // finds another value than v
	wrong                  // contradicts itself
	other
)

// access is an operation on a cell.
type access struct {
	effect effect
	v, w   int32
	taken  bool // it is completed, or others need it
}

// cells decides one partition.
type cells struct {
	p   *engine.Problem
	ops []history.Op
	c   *model.RegisterTheory
	lists
	own     []history.OpID // operations of the current cell
	witness []history.OpID // its order
	extra   []insert       // operations that change nothing, to be inserted into it
	blocked []insert       // those that have no place in it, and the position for want of a better
	places
	chains
	bits
}

// lists holds lists by operation. If cells are decided in two halves side by side, each half writes
// the entries of its own operations.
type lists struct {
	accesses []access
	list     []history.OpID
	start    []int32 // operations by cell
	// Orders of several cells are merged by moments. By call: the first operation that takes effect
	// at that moment, or -1; by operation: the next one at the same moment. A moment is the latest
	// call so far in the order of a cell.
	starts, then []history.OpID
	way          []int32 // by operation: the mode known for it, -1 if none
}

// position is a place in the order of one cell.
type position int32

// insert is an operation to be inserted before position k of the order of its cell.
type insert struct {
	k  position
	at history.Rank
	op history.OpID
}

// places tells of every position in the order of the current cell where something may be put in.
type places struct {
	value  []int32        // in front of it
	after  []position     // the next position with another value
	moment []history.Rank // the latest call up to the operation at it
	put    []history.Rank // the first return of what was put in there
}

var cellsPool = sync.Pool{New: func() any { return new(cells) }}

// finding is the result for a cell.
type finding uint8

const (
	cellYes finding = iota
	cellNo
	cellAmbiguous
	cellOpen
)

func checkCells(ctx context.Context, p *engine.Problem, theory *model.RegisterTheory, m *engine.Budget) engine.Answer {
	part := p.Instance.Partition
	if len(part.Edges) > 0 {
		return engine.Answer{Cause: engine.Unsupported, Detail: "explicit order"}
	}
	need := int64(len(part.Ops)) * cellBytes
	defer m.Grow(-need)
	if !m.Grow(need) {
		return engine.Answer{Cause: engine.Memory}
	}
	if !m.Spend(int64(len(part.Ops))) {
		return engine.Answer{Cause: engine.Steps}
	}
	k := cellsPool.Get().(*cells)
	defer k.release()
	k.p, k.ops, k.c = p, part.Ops, theory
	return k.decide(ctx, len(theory.Init) > 1 && len(part.Ops) >= longPart)
}

// release drops the scratch memory if it is very large.
func (k *cells) release() {
	k.p, k.ops, k.c, k.own, k.evidence = nil, nil, nil, nil, nil
	if max(cap(k.accesses), cap(k.origins), cap(k.zones)) <= maxScratch {
		cellsPool.Put(k)
	}
}

// decide decides the partition. If beside is set and there are several cells, two halves of them
// are decided side by side.
func (k *cells) decide(ctx context.Context, beside bool) engine.Answer {
	k.witness, k.extra = k.witness[:0], k.extra[:0] // of a partition without operations, too
	one := len(k.c.Init) == 1
	known := false
	read := func() { known = k.read() }
	if beside {
		wait := engine.Aside(read)
		k.byCell()
		wait()
	} else {
		read()
		k.byCell()
	}
	if !known {
		return k.orRefuted(ctx, engine.Answer{Cause: engine.Unsupported, Detail: "operations with several outcomes"})
	}
	if !one {
		k.starts, k.then = filled(k.starts, len(k.ops), -1), sized(k.then, len(k.ops))
	}
	o, detail, evidence := k.decideAll(ctx, beside)
	switch {
	case ctx.Err() != nil:
		return engine.Stopped(ctx)
	case o == cellNo:
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: evidence}
	case o == cellAmbiguous:
		return k.orRefuted(ctx, engine.Answer{Cause: engine.Unsupported, Detail: detail})
	case o == cellOpen:
		return k.orRefuted(ctx, engine.Answer{Cause: engine.Undecided, Detail: detail})
	case one:
		return engine.Answer{Verdict: engine.Linearizable, Witness: slices.Clone(k.complete())}
	}
	return engine.Answer{Verdict: engine.Linearizable, Witness: k.together()}
}

// orRefuted returns a violation that values with one origin show, or a if they show none.
func (k *cells) orRefuted(ctx context.Context, a engine.Answer) engine.Answer {
	if refuted := k.refute(ctx); refuted.Verdict != engine.Unknown {
		return refuted
	}
	return a
}

// decideAll decides all cells. A violation is that of the first refuted cell; if there is none, the
// detail is that of the first undecided cell.
func (k *cells) decideAll(ctx context.Context, beside bool) (o finding, detail string, evidence proof.Proof) {
	if !beside {
		o, detail = k.decideSome(ctx, 0, len(k.c.Init))
		return o, detail, k.evidence
	}
	half, _ := slices.BinarySearch(k.start, int32(len(k.ops)/2))
	half = min(half, len(k.c.Init))
	other := cellsPool.Get().(*cells)
	lists := other.lists
	other.p, other.ops, other.c, other.lists = k.p, k.ops, k.c, k.lists
	var o2 finding
	var detail2 string
	wait := engine.Aside(func() { o2, detail2 = other.decideSome(ctx, half, len(k.c.Init)) })
	o, detail = k.decideSome(ctx, 0, half)
	evidence = k.evidence
	wait()
	if o2 == cellNo && o != cellNo || o == cellYes {
		o, detail, evidence = o2, detail2, other.evidence
	}
	other.lists = lists
	other.release()
	return o, detail, evidence
}

// decideSome decides cells until one is refuted, and records their orders.
func (k *cells) decideSome(ctx context.Context, from, to int) (worst finding, open string) {
	for x := from; x < to; x++ {
		if ctx.Err() != nil {
			return cellOpen, ""
		}
		k.own = k.list[k.start[x]:k.start[x+1]]
		if len(k.own) == 0 {
			continue
		}
		o, detail := cellYes, ""
		if initial := k.c.Init[x]; k.asBit(initial) {
			o = k.decideBit(int32(x))
		} else {
			o, detail = k.decideChains(ctx, initial)
		}
		switch {
		case ctx.Err() != nil:
			return cellOpen, ""
		case o == cellNo:
			return cellNo, ""
		case o == cellYes && len(k.c.Init) > 1:
			k.enter()
		case worst == cellYes:
			worst, open = o, detail
		}
	}
	return worst, open
}

// read determines the effects of the operations; it returns false if one is not supported.
func (k *cells) read() bool {
	k.accesses = sized(k.accesses, len(k.ops))
	for i := range k.ops {
		pending := k.ops[i].Return == history.Never
		m := access{effect: other, taken: !pending}
		switch modes := k.c.Modes[k.c.First[i]:k.c.First[i+1]]; len(modes) {
		case 0:
			m.effect = wrong
		case 1:
			m.effect, m.v, m.w = read(&modes[0])
		}
		if pending && m.effect != puts && m.effect != swaps && m.effect != other {
			m.effect = vanishes
		}
		if m.effect == other {
			return false
		}
		k.accesses[i] = m
	}
	return true
}

func read(mode *model.Mode) (effect effect, v, w int32) {
	keeps := mode.Leaves == model.Keep
	switch {
	case mode.Test == model.Any && keeps:
		return idle, 0, 0
	case mode.Test == model.Any:
		return puts, -1, mode.Leaves
	case mode.Test == model.Is && (keeps || mode.Leaves == mode.V):
		return sees, mode.V, 0
	case mode.Test == model.Is:
		return swaps, mode.V, mode.Leaves
	case keeps && len(mode.Others) == 0:
		return misses, mode.V, 0
	}
	return other, 0, 0
}

// byCell lists the operations of every cell, ascending.
func (k *cells) byCell() {
	k.start = filled(k.start, len(k.c.Init)+1, 0)
	k.list = sized(k.list, len(k.ops))
	list, start := k.list, k.start
	if len(k.c.Init) == 1 {
		for i := range list {
			list[i] = history.OpID(i)
		}
		start[1] = int32(len(list))
		return
	}
	for _, x := range k.c.Object {
		start[x+1]++
	}
	for x := range k.c.Init {
		start[x+1] += start[x]
	}
	next := slices.Clone(start)
	for i, x := range k.c.Object {
		list[next[x]] = history.OpID(i)
		next[x]++
	}
}

// asBit reports whether the current cell alternates between its initial value and one other value,
// by operations that say what they found.
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
		switch m := &k.accesses[i]; m.effect {
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

// complete returns the witness of the current cell, including the operations that change nothing.
func (k *cells) complete() []history.OpID {
	if len(k.extra) == 0 {
		return k.witness
	}
	sort.Slice(k.extra, func(i, j int) bool {
		a, b := k.extra[i], k.extra[j]
		return cmp.Or(cmp.Compare(a.k, b.k), cmp.Compare(a.at, b.at)) < 0
	})
	out := make([]history.OpID, 0, len(k.witness)+len(k.extra))
	from := position(0)
	for _, x := range k.extra {
		out = append(out, k.witness[from:x.k]...)
		out = append(out, x.op)
		from = x.k
	}
	return append(out, k.witness[from:]...)
}

// enter records the order of the current cell at its moments, which are those of calls; no other
// cell has them.
func (k *cells) enter() {
	at, last := history.OpID(-1), history.OpID(-1)
	for _, i := range k.complete() {
		k.then[i] = -1
		if i > at {
			at = i
			k.starts[at] = i
		} else {
			k.then[last] = i
		}
		last = i
	}
}

// together merges the orders of all cells by moments.
func (k *cells) together() []history.OpID {
	witness := make([]history.OpID, 0, len(k.ops))
	for _, i := range k.starts {
		for ; i >= 0; i = k.then[i] {
			witness = append(witness, i)
		}
	}
	return witness
}
