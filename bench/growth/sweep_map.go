//go:build unix

package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linsat/linsat/bench/internal/charts"
	"github.com/linsat/linsat/internal/gen"
)

// drawMaps draws a picture of each specification that has rows into the folder.
func drawMaps(folder string, rows []row) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range gen.Specs() {
		mine := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Spec != name })
		if len(mine) == 0 {
			continue
		}
		f, err := os.Create(filepath.Join(folder, "sweep-"+name+".svg"))
		if err != nil {
			return err
		}
		if err := mapOf(name, mine).SVG(f); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// mapOf arranges the rows of one specification: below each other what is asked, what was injected
// and what is pending; beside each other lengths, values, empties and processes.
func mapOf(name string, rows []row) *charts.Map {
	var l levels
	at := map[shape]outcome{}
	for _, r := range rows {
		at[r.shape] = r.outcome
		l.operations, l.processes, l.values = append(l.operations, r.Operations), append(l.processes, r.Processes),
			append(l.values, r.Values)
		l.empties, l.pending, l.quasi = append(l.empties, r.Empties), append(l.pending, r.Pending),
			append(l.quasi, r.Quasi)
		l.violations = append(l.violations, r.Violation)
	}
	l.operations, l.processes, l.quasi = once(l.operations, order), once(l.processes, order), once(l.quasi, order)
	// distinct values, which are 0, come last
	l.values = once(l.values, func(a, b int) int { return cmp.Compare(uint(a-1), uint(b-1)) })
	l.empties, l.pending = once(l.empties, order), once(l.pending, order)
	l.violations = once(l.violations, func(a, b gen.Violation) int {
		all := allLevels().violations
		return slices.Index(all, a) - slices.Index(all, b)
	})
	m := &charts.Map{Title: name, Names: []string{"operations", "values", "removals that find nothing", "processes"}}
	for _, quasi := range l.quasi {
		for _, violation := range l.violations {
			for _, pending := range l.pending {
				m.Rows = append(m.Rows, []string{asked(quasi), injected(violation), percents(pending) + " pending"})
				var marks []charts.Mark
				for _, operations := range l.operations {
					for _, values := range l.values {
						for _, empties := range l.empties {
							for _, processes := range l.processes {
								if len(m.Rows) == 1 {
									m.Columns = append(m.Columns, []string{thousands(operations), valuesText(values),
										percents(empties), strconv.Itoa(processes)})
								}
								marks = append(marks, mark(at, shape{name, operations, processes, values, empties,
									pending, violation, quasi}, l.operations))
							}
						}
					}
				}
				m.Marks = append(m.Marks, marks)
			}
		}
	}
	return m
}

func order[T cmp.Ordered](a, b T) int { return cmp.Compare(a, b) }

// once sorts the list and keeps one of each.
func once[T comparable](list []T, compare func(a, b T) int) []T {
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}

// mark is what the map shows of a cell.
func mark(at map[shape]outcome, s shape, operations []int) charts.Mark {
	o, ran := at[s]
	switch {
	case ran && o.Absent != "":
		return charts.Mark{State: charts.LeftOut}
	case ran && o.unknown():
		return charts.Mark{State: charts.Undecided}
	case ran:
		return charts.Mark{State: charts.Decided, Took: time.Duration(o.User * 1e9), Flawed: o.Uncertified != ""}
	}
	for _, s.Operations = range operations {
		if o, ran := at[s]; ran && o.Absent != "" {
			return charts.Mark{State: charts.LeftOut}
		} else if ran && o.unknown() {
			return charts.Mark{State: charts.Skipped}
		}
	}
	return charts.Mark{}
}

func asked(quasi int) string {
	if quasi == 0 {
		return "linearizable?"
	}
	return fmt.Sprintf("quasi, %d?", quasi)
}

func injected(v gen.Violation) string {
	if v == gen.NoViolation {
		return "correct"
	}
	return string(v)
}

func percents(share float64) string { return percent(100*share) + " %" }

func valuesText(values int) string {
	if values == 0 {
		return "distinct"
	}
	return strconv.Itoa(values)
}

func thousands(n int) string {
	if n%1000 == 0 {
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.Itoa(n)
}

// printSummary prints a Markdown table: of each specification and question how many cells of each
// length were run, stayed unknown and were not certified, and the slowest in processor time; then
// every group of cells of at most 10,000 operations that stayed unknown, with a command that shows
// one.
func printSummary(w io.Writer, rows []row) {
	type group struct {
		spec  string
		quasi int
	}
	groups := map[group][]row{}
	var names []group
	for _, r := range rows {
		g := group{r.Spec, r.Quasi}
		if groups[g] == nil {
			names = append(names, g)
		}
		groups[g] = append(groups[g], r)
	}
	slices.SortFunc(names, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.spec, b.spec), cmp.Compare(a.quasi, b.quasi))
	})
	lengths := allLevels().operations
	head, rule := "| specification | question |", "|---|---|"
	for _, n := range lengths {
		head, rule = head+" "+thousands(n)+": cells, unknown, uncertified, slowest |", rule+"--:|"
	}
	fmt.Fprintf(w, "%s most memory |\n%s--:|\n", head, rule)
	for _, g := range names {
		line, most := fmt.Sprintf("| %s | %s |", g.spec, asked(g.quasi)), int64(0)
		for _, n := range lengths {
			cells, unknown, uncertified, slowest := 0, 0, 0, 0.0
			for _, r := range groups[g] {
				if r.Operations != n || r.Absent != "" {
					continue
				}
				cells++
				most = max(most, r.MB)
				switch {
				case r.unknown():
					unknown++
				case r.Uncertified != "":
					uncertified++
					fallthrough
				default:
					slowest = max(slowest, r.User)
				}
			}
			line += fmt.Sprintf(" %d, %d, %d, %s |", cells, unknown, uncertified, figures(time.Duration(slowest*1e9)))
		}
		fmt.Fprintf(w, "%s %d MB |\n", line, most)
	}
	printUnknown(w, rows)
}

// printUnknown lists the unknown cells of at most 10,000 operations. Those of one specification,
// question, and kind of values, violation and pending operations are one line.
func printUnknown(w io.Writer, rows []row) {
	type kind struct {
		spec                         string
		quasi                        int
		distinct, violation, pending bool
	}
	first, unknown, ran := map[kind]row{}, map[kind]int{}, map[kind]int{}
	var kinds []kind
	for _, r := range rows {
		if r.Operations > 10_000 || r.Absent != "" {
			continue
		}
		k := kind{r.Spec, r.Quasi, r.Values == 0, r.Violation != gen.NoViolation, r.Pending > 0}
		ran[k]++
		if !r.unknown() {
			continue
		}
		if unknown[k]++; unknown[k] == 1 {
			kinds = append(kinds, k)
			first[k] = r
		} else if x := first[k]; cmp.Or(cmp.Compare(r.Operations, x.Operations),
			cmp.Compare(r.Processes, x.Processes)) < 0 {
			first[k] = r
		}
	}
	if len(kinds) == 0 {
		return
	}
	slices.SortFunc(kinds, func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.spec, b.spec), cmp.Compare(a.quasi, b.quasi), cmp.Compare(unknown[b], unknown[a]))
	})
	fmt.Fprintln(w, "\n| unknown, at most 10k operations | of | the smallest | cause |\n|---|--:|---|---|")
	for _, k := range kinds {
		r := first[k]
		name := k.spec + ", " + asked(k.quasi)
		for _, part := range []struct {
			yes     bool
			is, not string
		}{{k.distinct, "distinct or default values", "few values"}, {k.violation, "violation", "correct"},
			{k.pending, "pending", "all returned"}} {
			if part.yes {
				name += ", " + part.is
			} else {
				name += ", " + part.not
			}
		}
		fmt.Fprintf(w, "| %s | %d of %d | `%s` | %s, %d MB |\n", name, unknown[k], ran[k],
			strings.ReplaceAll(r.command(), "|", `\|`), r.Cause, r.MB)
	}
}
