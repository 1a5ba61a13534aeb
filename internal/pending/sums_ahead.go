package pending

// What: pruning where reads tell sums, as those of a bank tell all balances: no operation is taken
// after which the next read cannot find what it found.
//
// Each operation adds a vector to the state, and a read finds a vector. Of the operations that are
// called by the return of the first read to return, and have not taken effect, some must add up to
// what that read still lacks. The sums of all subsets are formed; vectors are taken as one number
// each, a sum with random factors modulo 2^64, so that equal vectors have equal numbers.
//
// Source: ours; that balances refute is the idea of internal/monitor/sums.go.
//
// Why: which of the open transfers come before a read is a choice among all subsets, and without
// this the search visits a configuration for each.
//
// Invariant: whatever is pruned has no linearization, whatever has been used. So nogoods of nodes
// without these children are as before, and need nothing to have been used on their account.
//
// Cost: for every change of state that is tried 2^k additions, for k open operations that add
// something; nothing is looked at where k is more than aheadOperations.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wgl"
)

// sumsAhead knows what operations add, and what reads find.
type sumsAhead struct {
	r      *wgl.Run
	delta  []uint64 // by operation: what it adds
	reads  []bool   // by operation: it completed, and found what target says
	target []uint64
	sum    []uint64 // by state, where it is known
	known  []bool
	// operations that never returned and add something, by call
	pending []history.OpID
	sums    []uint64 // scratch: what is lacking after each subset
	terms   []uint64 // scratch
}

// lookAhead starts pruning, if the partition has sums. So it is none of the registers
// of which pending operations may take effect again and again (approximated.go), and each
// adds what it adds once.
func lookAhead(r *wgl.Run) {
	b := r.Instance
	bank := model.As[*model.BankTheory](b)
	if bank == nil {
		return
	}
	n := len(r.Ops)
	a := &sumsAhead{r: r, delta: make([]uint64, n), reads: make([]bool, n), target: make([]uint64, n)}
	start, factor, known := uint64(0), uint64(0x9E3779B97F4A7C15), true
	for i := range a.reads {
		a.reads[i] = r.Completed(history.OpID(i))
	}
	for _, number := range bank.Sums() {
		view := b.View(number)
		c, ok := view.Theory.(*model.CountingTheory)
		if !ok {
			return
		}
		known = known && !view.NoStart
		factor = factor*0xD1342543DE82EF95 + 2 // any odd number
		start += factor * uint64(c.Init[0])
		for i := range n {
			a.delta[i] += factor * uint64(c.Delta[i])
			if c.Observes[i] {
				a.target[i] += factor * uint64(c.Observed[i])
			} else {
				a.reads[i] = false // only what all sums observe is comparable
			}
		}
	}
	if !slices.Contains(a.reads, true) {
		return
	}
	for i := range n {
		if a.delta[i] != 0 && !r.Completed(history.OpID(i)) {
			a.pending = append(a.pending, history.OpID(i))
		}
	}
	if known { // else the first read tells
		a.know(r.Machine.Init(), start)
	}
	r.Prune(wgl.Rule{Bytes: a.bytes, MayLead: a.mayAddUp, Renumber: a.renumber})
}

// bytes says what it takes.
func (a *sumsAhead) bytes() int64 {
	return int64(cap(a.delta)+cap(a.target)+cap(a.sum)+cap(a.sums)+cap(a.terms))*8 + int64(cap(a.reads)+cap(a.known)) +
		int64(cap(a.pending))*4
}

// know notes the sum of a state.
func (a *sumsAhead) know(s model.State, sum uint64) {
	for int(s) >= len(a.sum) {
		a.sum, a.known = append(a.sum, 0), append(a.known, false)
	}
	a.sum[s], a.known[s] = sum, true
}

// renumber notes the sums of states that get new numbers, and forgets those of all others.
func (a *sumsAhead) renumber(states []*model.State, numbers []model.State) {
	sum, known := a.sum, a.known
	a.sum, a.known = nil, nil
	for i, s := range states {
		if int(*s) < len(known) && known[*s] {
			a.know(numbers[i], sum[*s])
		}
	}
}

// mayAddUp reports whether the next read can still find what it found once an operation has led
// from state s to state t.
func (a *sumsAhead) mayAddUp(s model.State, by history.OpID, t model.State) bool {
	r := a.r
	switch {
	case s == t:
		return true
	case a.reads[by]:
		a.know(t, a.target[by])
	case int(s) >= len(a.known) || !a.known[s]:
		return true
	default:
		a.know(t, a.sum[s]+a.delta[by])
	}
	n := history.OpID(len(r.Ops))
	read := r.NextOpen[n]
	for ; read != n && (read == by || !a.reads[read] || r.In(read)); read = r.NextOpen[read] {
	}
	if read == n {
		return true
	}
	lacks := a.target[read] - a.sum[t]
	return lacks == 0 || !a.addends(read, by) || a.subset(lacks)
}

// addends lists what the operations add that may take effect before a read, besides one. It reports
// whether these are few.
func (a *sumsAhead) addends(read, but history.OpID) bool {
	r := a.r
	until, n := r.Ops[read].Return, history.OpID(len(r.Ops))
	a.terms = a.terms[:0]
	for _, x := range a.pending {
		if r.Ops[x].Call > until {
			break
		}
		if a.terms = append(a.terms, a.delta[x]); len(a.terms) > aheadOperations {
			return false
		}
	}
	for x := r.NextOpen[n]; x != n; x = r.NextOpen[x] {
		if x != but && a.delta[x] != 0 && !r.In(x) {
			a.terms = append(a.terms, a.delta[x])
		}
	}
	called := sort.Search(int(n), func(i int) bool { return r.Ops[i].Call > until })
	for x := history.OpID(called) - 1; x >= 0 && r.From[x] > r.Depth && len(a.terms) <= aheadOperations; x-- {
		if a.delta[x] != 0 && r.Completed(x) {
			a.terms = append(a.terms, a.delta[x])
		}
	}
	return len(a.terms) <= aheadOperations
}

// subset reports whether some of the terms add up to a number.
func (a *sumsAhead) subset(lacks uint64) bool {
	a.sums = append(a.sums[:0], lacks)
	for _, term := range a.terms {
		for _, left := range a.sums {
			if left == term {
				return true
			}
			a.sums = append(a.sums, left-term)
		}
	}
	return false
}
