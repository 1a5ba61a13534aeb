package localize

import (
	"fmt"
	"strings"
)

// Header is the head of a Markdown table of results, with the columns of the paper's Table 2 and
// the sizes of the trees.
const Header = `| object | paper | races of the trace shown | all its critical nodes | failing traces | nodes, merged | executions | sequences of races, with the failing traces that have them |
|---|---|---|---|---|---|---|---|
`

// Row writes a result as a row under Header. paper is what the paper's column says.
func (r *Result) Row(paper string) string {
	if r.Case == nil {
		return "" // nothing was explored
	}
	var list []string
	for _, p := range r.Patterns(true) {
		if len(p.Sequence) > 0 {
			list = append(list, fmt.Sprintf("%s %s", p.Sequence, digits(p.Traces)))
		}
	}
	races, sequence := "-", "-"
	if r.Trace != nil {
		races, sequence = r.Trace.Races.String(), r.Trace.Sequence.String()
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s of %s | %d | %d | %s |\n", r.Case.Object.Name, paper, races, sequence,
		digits(r.Failing), digits(r.Traces), r.States, r.Runs, strings.Join(list, ", "))
}
