//go:build unix

package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
)

// shape is a kind of generated history and the question that is asked about it: a cell of the
// sweep.
type shape struct {
	Spec       string        `json:"spec"`
	Operations int           `json:"operations"`
	Processes  int           `json:"processes"`
	Values     int           `json:"values"` // 0: every value once
	Empties    float64       `json:"empties"`
	Pending    float64       `json:"pending"`
	Violation  gen.Violation `json:"violation,omitempty"`
	Quasi      int           `json:"quasi"` // 0: linearizability
}

// levels are what each dimension of the sweep takes.
type levels struct {
	operations, processes, values []int
	empties, pending              []float64
	violations                    []gen.Violation
	quasi                         []int
	pairs                         bool // only so many cells that any two levels meet
}

// allLevels are those of the sweep in full.
func allLevels() levels {
	return levels{
		operations: []int{1000, 10_000, 100_000},
		processes:  []int{2, 4, 16, 64, 256},
		values:     []int{2, 4, 16, 0},
		empties:    []float64{0, 0.1},
		pending:    []float64{0, 0.01, 0.05},
		violations: append([]gen.Violation{gen.NoViolation}, gen.Violations()...),
		quasi:      []int{0, 2},
	}
}

// valued are the specifications whose histories have a number of values to choose.
var valued = []string{
	"register", "cas-register", "multi-register", "kv", "set", "log",
	"queue", "stack", "deque", "unordered-queue", "bounded-queue", "priority-queue",
}

// emptied are those with removals that may find nothing.
var emptied = []string{"queue", "stack", "deque", "unordered-queue", "bounded-queue", "priority-queue"}

// displaced are those whose removals gen can displace; other relaxable ones get a linearizable
// history under the same factor.
var displaced = []string{"queue", "stack", "priority-queue", "unordered-queue"}

// relaxable reports whether a specification has classes that a quasi factor relaxes.
func relaxable(sp model.Spec) bool {
	return slices.ContainsFunc(sp.Info().Classes, func(c model.Class) bool { return c.Relaxable })
}

// coordinates are the shapes of a specification but for their length. A dimension that means
// nothing to the specification has one level.
func (l levels) coordinates(spec string) []shape {
	if !slices.Contains(valued, spec) {
		l.values = []int{0}
	}
	if !slices.Contains(emptied, spec) {
		l.empties = []float64{0}
	}
	if sp, ok := specs.Lookup(spec); !ok || !relaxable(sp) {
		l.quasi = []int{0}
	}
	var all []shape
	for _, k := range l.quasi {
		for _, violation := range l.violations {
			for _, pending := range l.pending {
				for _, empties := range l.empties {
					for _, values := range l.values {
						for _, processes := range l.processes {
							all = append(all, shape{Spec: spec, Processes: processes, Values: values, Empties: empties,
								Pending: pending, Violation: violation, Quasi: k})
						}
					}
				}
			}
		}
	}
	return all
}

// order returns the coordinates of all the specifications in the order of the sweep: one of each
// specification in turn, those of one in an arbitrary but fixed order. So what a time limit
// leaves of a sweep is a sample of all of it.
func (l levels) order(names []string) []shape {
	var rows [][]shape
	longest := 0
	for _, name := range names {
		row := l.coordinates(name)
		slices.SortFunc(row, func(a, b shape) int { return cmp.Compare(a.hash(), b.hash()) })
		if l.pairs {
			row = pairwise(row)
		}
		rows, longest = append(rows, row), max(longest, len(row))
	}
	var all []shape
	for i := range longest {
		for _, row := range rows {
			if i < len(row) {
				all = append(all, row[i])
			}
		}
	}
	return all
}

func (s shape) hash() uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", s)
	// FNV alone sorts texts that end alike next to each other.
	x := h.Sum64()
	x = (x ^ x>>32) * 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// options are those that generate the history.
func (s shape) options() gen.Options {
	o := gen.Options{
		Spec: s.Spec, Operations: s.Operations, Processes: s.Processes, Values: s.Values,
		EmptyRate: s.Empties, PendingRate: s.Pending, Violation: s.Violation, Seed: 1,
	}
	if slices.Contains(displaced, s.Spec) {
		o.Relax = s.Quasi
	}
	return o
}

// command says how to decide the cell by hand.
func (s shape) command() string {
	o := s.options()
	text := fmt.Sprintf("linsat gen %s --operations %d --processes %d", o.Spec, o.Operations, o.Processes)
	for _, flag := range []struct {
		name, value string
		zero        bool
	}{
		{"values", strconv.Itoa(o.Values), o.Values == 0},
		{"empty", percent(o.EmptyRate), o.EmptyRate == 0},
		{"pending", percent(o.PendingRate), o.PendingRate == 0},
		{"relax", strconv.Itoa(o.Relax), o.Relax == 0},
		{"violation", string(o.Violation), o.Violation == gen.NoViolation},
	} {
		if !flag.zero {
			text += " --" + flag.name + " " + strings.TrimSpace(flag.value)
		}
	}
	text += " | linsat solve --timeout 5s"
	if s.Quasi > 0 {
		text += " --quasi " + strconv.Itoa(s.Quasi)
	}
	return text + " -"
}

func percent(share float64) string { return strconv.FormatFloat(share, 'g', -1, 64) }
