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
	if open, kinds := unsettled(r); open > 0 {
		why = append(why,
			fmt.Sprintf("%s never returned, so each took effect or not: %s, and each at any time since its call",
				strings.Join(kinds, " and "), cases(r, open)))
		helps = append(helps,
			"record what became of operations of unknown outcome: ask the object, or let each write a value of its "+
				"own that later reads can tell")
	}
	if most := overlapping(p); most >= manyOpen {
		why = append(why, fmt.Sprintf("%d operations are open at once on one object", most))
		helps = append(helps, "use fewer clients for each object, or more objects")
	}
	if len(p.Ops) >= manyOperations && r.Partitions == 1 {
		why = append(why, fmt.Sprintf("all %d operations are on one object", len(p.Ops)))
		helps = append(helps, "name the object of each operation as its key, so that objects are checked separately")
	}
	if _, shipped := specs.Lookup(r.Spec.Info().Name); !shipped && r.Bound != nil && r.Bound.Axiomatic() == nil {
		why = append(why, "nothing is known of the specification "+r.Spec.Info().Name+" but its steps")
		helps = append(helps, "check against a shipped specification, if one fits (linsat specs)")
	}
	return why, helps
}

// unsettled counts the operations that never returned and can change the state, as far as that is
// known, and says how many there are by their names.
func unsettled(r *result.Result) (open int, kinds []string) {
	p := r.Partition
	count := map[string]int{}
	for i := range p.Ops {
		if o := &p.Ops[i]; o.Pending() && !(r.Bound != nil && r.Bound.ReadOnly[i]) {
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

// cases says how many sets of so many unsettled operations there are. Of those that are known to do
// the same, only how many took effect counts.
func cases(r *result.Result, open int) string {
	if r.Bound == nil {
		return fmt.Sprintf("2^%d cases", open)
	}
	alike, digits := map[int32]int{}, 0.0
	for i := range r.Bound.Partition.Ops {
		if r.Bound.Partition.Ops[i].Pending() && !r.Bound.ReadOnly[i] {
			alike[r.Bound.EquivID[i]]++
		}
	}
	if len(alike) == open {
		return fmt.Sprintf("2^%d cases", open)
	}
	var counts []int
	for _, n := range alike {
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

// overlapping returns how many completed operations of a partition are open at once.
func overlapping(p *model.Partition) (most int) {
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
		called++
		most = max(most, called-returned)
	}
	return most
}
