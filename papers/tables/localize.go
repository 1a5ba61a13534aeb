package tables

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects/fgvt"
	"github.com/linsat/linsat/spec"
)

// fgvtFacts are the rows of the paper's Table 2.
var fgvtFacts = map[string][]string{
	"lockfreelist":    {"{1}", "remove(1) | remove(1)", "WgG", "curr.next.get(), attemptMark()"},
	"optimisticqueue": {"{1,2}", "poll() | poll()", "G", "head.getItem(), casHead()"},
	"pairsnapshot": {"⟨1,1⟩", "write(0,2) write(1,2) write(1,1) write(0,1) | read()", "Wg{5}G",
		"d[i]=v, x=d[0], y=d[1], if(x==d[0])"},
	"snark": {"{1}", "popRight() | pushRight(2) popLeft()", "WgWgG",
		"rh=RightHat, DCAS(&RightHat,…), DCAS(&LeftHat,…), if(rh.R==rh)"},
	"simplelist": {"{1}", "add(3) | add(4)", "Bg or BgG", "pred.next=node, curr.val<v"},
	"linkedlist": {"{1,5}", "remove(1) add(9) | size()", "WgWgG", "node.next==tail, synchronized(){}"},
}

// FGVT is Table 2 without rows.
func FGVT() *Table {
	return &Table{Paper: "fgvt", Name: "Table 2", Labels: []string{"object"},
		About: "faults and the races that decide; a paper's sequence is that of one trace",
		Columns: []Column{
			{Paper: "initial", Ours: "initial", Aside: true},
			{Paper: "operations", Ours: "test", Aside: true},
			{Paper: "sequence", Ours: "races of the trace shown", Equal: func(paper, ours string) bool {
				for _, one := range strings.Split(paper, " or ") {
					if one == ours {
						return true
					}
				}
				return false
			}},
			{Paper: "races", Aside: true},
			{Ours: "all its critical nodes"},
			{Ours: "failing traces"},
			{Ours: "nodes, merged"},
			{Ours: "executions"},
			{Ours: "sequences of races, with the failing traces that have them"},
		}}
}

// FGVTRow is the row of an entry of the catalogue.
func FGVTRow(e *catalogue.Entry, s spec.Spec, o localize.Options) Row {
	name := e.Case.Object.Name
	return Row{Labels: []string{name}, Object: name, Paper: fgvtPaper(name),
		Run: func(ctx context.Context, _ bool) ([]string, error) {
			r, err := localize.Find(ctx, e.Case, s, o)
			if err != nil {
				return nil, err
			}
			return fgvtCells(r), nil
		}}
}

func fgvtPaper(name string) []string {
	if f, known := fgvtFacts[name]; known {
		return append(append([]string{}, f...), "", "", "", "", "")
	}
	return nil
}

func fgvtCells(r *localize.Result) []string {
	var list []string
	for _, p := range r.Patterns(true) {
		if len(p.Sequence) > 0 {
			list = append(list, fmt.Sprintf("%s %s", p.Sequence, traces(p.Traces)))
		}
	}
	races, sequence, initial := "", "", ""
	if r.Trace != nil {
		races, sequence = r.Trace.Races.String(), r.Trace.Sequence.String()
	}
	if r.Case.Object.Initial != nil {
		initial = fmt.Sprint(r.Case.Object.Initial)
	}
	return []string{initial, r.Case.String(), races, "", sequence,
		traces(r.Failing) + " of " + traces(r.Traces), fmt.Sprint(r.States), fmt.Sprint(r.Runs),
		strings.Join(list, ", ")}
}

// traces writes a number of traces; math.MaxUint64 stands for that many or more.
func traces(n uint64) string {
	if n == math.MaxUint64 {
		return "more than 10¹⁹"
	}
	return fmt.Sprint(n)
}

func fgvtTable() *Table {
	t := FGVT()
	for _, e := range fgvt.Entries() {
		if e.Pattern != "" {
			t.Rows = append(t.Rows, FGVTRow(&e, spec.MustLookup(e.Case.Object.Spec), localize.Options{}))
		}
	}
	return t
}
