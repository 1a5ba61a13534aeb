package words

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
)

// Hard says what makes the partition that a limit left undecided hard, and what would help; nothing
// if it is not known which one that is, or no engine supports the question.
func Hard(r *result.Result) (why, helps []string) {
	p := r.Partition
	if r.Verdict != engine.Unknown || r.Cause == engine.Unsupported || p == nil {
		return nil, nil
	}
	b := r.Instance()
	if open, kinds := unsettled(p, b); open > 0 {
		sums := totals(p, b)
		why = append(why,
			fmt.Sprintf("%s never returned, so each took effect or not: %s, and each at any time since its call%s",
				strings.Join(kinds, " and "), cases(b, open), sums))
		if sums != "" {
			helps = append(helps, "use few different amounts, since of equal ones only the number that took effect counts")
		}
		helps = append(helps,
			"record what became of operations of unknown outcome: ask the object, or let each write a value of its "+
				"own that later reads can tell")
	}
	pairs, most := overlaps(p)
	if most >= manyOpen {
		why = append(why, fmt.Sprintf("%d operations are open at once on one object%s", most, subsets(p, b)))
		helps = append(helps, "use fewer clients for each object, or more objects")
	}
	if len(p.Ops) >= manyOperations && r.Partitions == 1 {
		why = append(why, fmt.Sprintf("all %d operations are on one object", len(p.Ops)))
		helps = append(helps, "name the object of each operation as its key, so that objects are checked separately")
	}
	if _, shipped := specs.Lookup(r.Spec.Info().Name); !shipped && b != nil && b.Axiomatic() == nil {
		why = append(why, fmt.Sprintf("nothing is known of the specification %s but its steps, and %s overlap: an order "+
			"of two that only a much later result refutes is found wrong only there", r.Spec.Info().Name,
			Count(pairs, "pair")+" of operations"))
		helps = append(helps, "check against a shipped specification, if one fits (linsat specs)",
			"let operations return what tells their order soon: a position, a version, a length")
	}
	return why, helps
}

// unsettled counts the operations that never returned and can change the state, as far as that is
// known (b is nil if nothing is), and says how many there are by their names.
func unsettled(p *model.Partition, b *model.Instance) (open int, kinds []string) {
	count := map[string]int{}
	for i := range p.Ops {
		if o := &p.Ops[i]; o.Pending() && !(b != nil && b.ReadOnly[i]) {
			open++
			count[Value(p.History.Values, o.F)]++
		}
	}
	var names []string
	for name := range count {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := names[i], names[j]
		return count[a] > count[b] || count[a] == count[b] && a < b
	})
	for _, name := range names {
		kinds = append(kinds, fmt.Sprintf("%d %s", count[name], name))
	}
	return open, kinds
}

// alike counts the unsettled operations of each kind: those that are known to do the same.
func alike(b *model.Instance) map[int32]int {
	counts := map[int32]int{}
	for i := range b.Partition.Ops {
		if b.Partition.Ops[i].Pending() && !b.ReadOnly[i] {
			counts[b.EquivID[i]]++
		}
	}
	return counts
}

// cases says how many sets of so many unsettled operations there are. Of those of one kind, only
// how many took effect counts.
func cases(b *model.Instance, open int) string {
	if b == nil {
		return fmt.Sprintf("2^%d cases", open)
	}
	kinds, digits := alike(b), 0.0
	if len(kinds) == open {
		return fmt.Sprintf("2^%d cases", open)
	}
	var counts []int
	for _, n := range kinds {
		counts = append(counts, n)
	}
	sort.Ints(counts) // sums of floating-point numbers depend on their order
	number := 1
	for _, n := range counts {
		if digits += math.Log10(float64(n + 1)); digits < 6 {
			number *= n + 1
		}
	}
	if digits < 6 {
		return fmt.Sprintf("%d cases, as those of one kind are alike", number)
	}
	return fmt.Sprintf("some 10^%.0f cases, as those of one kind are alike", digits)
}

// totals says, of a counter or a bank, what its reads make of unsettled operations.
func totals(p *model.Partition, b *model.Instance) string {
	if b == nil {
		return ""
	}
	what, least, most := "amounts", int64(math.MaxInt64), int64(math.MinInt64)
	c, counts := b.Theory.(*model.CountingTheory)
	switch {
	case counts:
	case b.Spec.Info().Name == "bank":
		what = "transfers"
	default:
		return ""
	}
	first, reads := history.Never, 0
	for i := range p.Ops {
		if o := &p.Ops[i]; o.Pending() && !b.ReadOnly[i] {
			first = min(first, o.Call)
			if counts {
				least, most = min(least, c.Delta[i]), max(most, c.Delta[i])
			}
		}
	}
	for i := range p.Ops {
		if o := &p.Ops[i]; !o.Pending() && !o.Unknown && o.Return > first && (counts && c.Observes[i] ||
			!counts && b.ReadOnly[i]) {
			reads++
		}
	}
	text := fmt.Sprintf("; they are of %d different %s", len(alike(b)), what)
	if counts {
		text += fmt.Sprintf(" (%d to %d)", least, most)
	}
	return text + fmt.Sprintf(", and with those that took effect %s must find exactly what it found",
		Count(reads, "later read"))
}

// subsets says, of a counter, from how many overlapping additions an observation chooses a sum.
func subsets(p *model.Partition, b *model.Instance) string {
	if b == nil {
		return ""
	}
	c, counts := b.Theory.(*model.CountingTheory)
	if !counts {
		return ""
	}
	var calls, returns []history.Rank // of additions
	for i := range p.Ops {
		if c.Delta[i] != 0 {
			calls, returns = append(calls, p.Ops[i].Call), append(returns, p.Ops[i].Return)
		}
	}
	slices.Sort(calls)
	slices.Sort(returns)
	most := 0
	for i := range p.Ops {
		if o := &p.Ops[i]; c.Observes[i] && c.Delta[i] == 0 && !o.Pending() {
			called, _ := slices.BinarySearch(calls, o.Return)
			returned, _ := slices.BinarySearch(returns, o.Call)
			most = max(most, called-returned)
		}
	}
	if most < manyOpen {
		return ""
	}
	return fmt.Sprintf("; what one of them finds is the sum of some of %d that overlap it, up to 2^%[1]d cases", most)
}

// overlaps counts the pairs of completed operations of a partition that overlap, and how many are
// open at once.
func overlaps(p *model.Partition) (pairs, most int) {
	var returns []history.Rank
	for i := range p.Ops {
		if !p.Ops[i].Pending() {
			returns = append(returns, p.Ops[i].Return)
		}
	}
	slices.Sort(returns)
	called, returned := 0, 0
	for i := range p.Ops { // by call
		if p.Ops[i].Pending() {
			continue
		}
		for returns[returned] < p.Ops[i].Call {
			returned++
		}
		pairs += called - returned
		called++
		most = max(most, called-returned)
	}
	return pairs, most
}
