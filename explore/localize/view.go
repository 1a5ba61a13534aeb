package localize

import (
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/linsat/linsat/internal/schedule"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/words"
)

// row is one step of the trace as it is shown.
type row struct {
	Number      int
	Thread      int    // -1: a data choice
	Op          string // the operation that the step belongs to
	First, Last bool   // whether it calls it, returns from it
	Result      string // of the operation, if Last
	Access      string // "read rightHat"
	Value       string // "#1", "#1 → #2"
	Source      string // "fgvt/snark.go:67"
	Label       Label
	Critical    bool
	Race        Race
	On          string
	Symbol      string       // of a critical step
	Fails       string       // "51 of 900 traces fail"
	Branches    []branchView // of a critical step
}

// branchView is one of the decisions that were possible at a critical step, the one taken first.
type branchView struct {
	Taken  bool
	Who    string // "thread 1", "the choice 2"
	Does   string // "update rightHat, R(1)"
	Source string
	Code   string // the line of source, "" if it cannot be read
	Op     string
	Label  Label
	Fails  string
	Race   Race // with the one taken
}

// rows lays out the steps of a trace.
func (t *Trace) rows(src *sources) []row {
	rows := make([]row, len(t.Steps))
	for i := range t.Steps {
		s := &t.Steps[i]
		b := &s.Branches[s.Taken]
		r := &rows[i]
		*r = row{Number: i + 1, Thread: b.Thread, Label: s.Label, Critical: s.Critical, Race: s.Race, On: s.On}
		if e := b.Event; e != nil {
			r.Access, r.Value, r.Source = does(e), values(e), src.place(e)
			if e.Op >= 0 {
				o := &t.Execution.Ops[e.Op]
				r.Op = explore.Call{F: o.F, Arg: o.Arg}.String()
				a := schedule.Inside(&e.Access)
				r.First, r.Last = a.First, a.Last
				if a.Last {
					_, r.Result, _ = strings.Cut(o.String(), " → ")
				}
			}
		} else {
			r.Access = fmt.Sprintf("choose %d", b.Choice)
		}
		if s.Critical {
			r.Symbol = s.Label.Symbol()
			r.Branches = append(r.Branches, b.view(true, src))
			for k := range s.Branches {
				if k != s.Taken {
					r.Branches = append(r.Branches, s.Branches[k].view(false, src))
				}
			}
		}
	}
	return rows
}

func (b *Branch) view(taken bool, src *sources) branchView {
	v := branchView{Taken: taken, Who: fmt.Sprintf("thread %d", b.Thread), Label: b.Label,
		Fails: failing(b.Failing, b.Traces, b.Open), Race: b.Race}
	if b.Thread < 0 {
		v.Who = fmt.Sprintf("the choice %d", b.Choice)
	}
	if b.Event != nil {
		v.Does, v.Source, v.Code = does(b.Event), src.place(b.Event), src.line(b.Event)
	}
	return v
}

func does(e *explore.Event) string {
	if e.Name == "" {
		return schedule.Inside(&e.Access).Kind.String()
	}
	return schedule.Inside(&e.Access).Kind.String() + " " + e.Name
}

func values(e *explore.Event) string {
	if !schedule.Inside(&e.Access).Kind.Writes() {
		return e.Before
	}
	return e.Before + " → " + e.After
}

// failing describes how many of the traces through a node fail; open means that there are more.
func failing(failed, traces uint64, open bool) string {
	text := ""
	switch {
	case traces == 0:
		return "not explored"
	case failed == 0 && traces == 1:
		text = "the only trace is linearizable"
	case failed == 0:
		text = all(traces) + " traces are linearizable"
	case failed == traces && traces == 1:
		text = "the only trace fails"
	case failed == traces:
		text = all(traces) + " traces fail"
	default:
		text = fmt.Sprintf("%s of %s traces fail", number(failed), number(traces))
	}
	if open {
		text += " of those explored"
	}
	return text
}

func all(traces uint64) string {
	if traces == 2 {
		return "both"
	}
	return "all " + number(traces)
}

// digits writes a number of traces.
func digits(n uint64) string {
	if n == math.MaxUint64 {
		return "more than 10¹⁹"
	}
	return fmt.Sprint(n)
}

// number writes a number of traces with separated thousands.
func number(n uint64) string {
	s := digits(n)
	if n == math.MaxUint64 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// explain describes the meaning of a race; on is the variable of a Data race.
func (r Race) explain(on string) string {
	switch r {
	case Data:
		if array, ok := strings.CutSuffix(on, "[]"); ok {
			return "they touch the array " + array + ", and one writes"
		}
		return "they touch " + on + ", and one writes"
	case Order:
		return "one returns from its operation, the other calls one: their order decides whether the first operation " +
			"comes before the second"
	case Coin:
		return "a data choice of the object"
	}
	return "the accesses commute: the outcome is excluded because this thread goes ahead, before the accesses that " +
		"conflict are reached"
}

// summary describes in one line what was explored.
func (r *Result) summary() string {
	bound := ""
	if r.opSteps > 0 {
		bound = fmt.Sprintf(" with at most %s an operation", count(r.opSteps, "access"))
	}
	return fmt.Sprintf("%s of %d threads%s; the tree merged into %s, %s, %s of histories, %s",
		number(r.Traces)+plural(r.Traces, " trace"), len(r.Case.Threads), bound,
		count(r.States, "node"), count(r.Runs, "execution"), count(r.Histories, "class"), words.Duration(r.Took))
}

func count(n int, what string) string { return number(uint64(n)) + plural(uint64(n), " "+what) }

func plural(n uint64, what string) string {
	switch {
	case n == 1:
		return what
	case strings.HasSuffix(what, "s"):
		return what + "es"
	}
	return what + "s"
}

// verdict is the first line.
func (r *Result) verdict() string {
	switch {
	case r.Traces == 0:
		return "no interleaving was explored to its end"
	case r.Failing > 0 && r.Complete:
		return fmt.Sprintf("not linearizable in %s of %s%s", number(r.Failing), number(r.Traces),
			plural(r.Traces, " interleaving"))
	case r.Failing > 0:
		return fmt.Sprintf("not linearizable in %s of the %s%s explored", number(r.Failing), number(r.Traces),
			plural(r.Traces, " interleaving"))
	case r.Complete && r.Traces == 1:
		return "linearizable in the only interleaving"
	case r.Complete && r.Traces == 2:
		return "linearizable in both interleavings"
	case r.Complete:
		return fmt.Sprintf("linearizable in all %s interleavings", number(r.Traces))
	}
	return fmt.Sprintf("no failure in the %s%s explored", number(r.Traces), plural(r.Traces, " interleaving"))
}

// limits describes which limits were reached, or "".
func (r *Result) limits() string {
	if r.Complete {
		return ""
	}
	what := map[string]string{"runs": "the bound on executions was reached", "time": "the time was up",
		"states": "the bound on states was reached", "cancelled": "it was cancelled",
		"steps": "some executions reached the bound on steps"}[r.Stopped]
	return "not every interleaving was explored, " + what + ": labels and counts hold for the part that was"
}

// program writes the test: what the threads do.
func program(c *explore.Case) string {
	list := func(calls []explore.Call) string {
		words := make([]string, len(calls))
		for i, call := range calls {
			words[i] = call.String()
		}
		return strings.Join(words, " ")
	}
	threads := make([]string, len(c.Threads))
	for i, calls := range c.Threads {
		threads[i] = list(calls)
	}
	text := strings.Join(threads, " | ")
	if len(c.Before) > 0 {
		text = list(c.Before) + " ; " + text
	}
	if len(c.After) > 0 {
		text += " ; " + list(c.After)
	}
	return text
}

// sources reads the lines of source files that events name.
type sources struct{ files map[string][]string }

// place is the file, with the folder that it is in, and the line.
func (s *sources) place(e *explore.Event) string {
	if e.File == "" {
		return ""
	}
	file := filepath.ToSlash(e.File)
	return fmt.Sprintf("%s/%s:%d", path.Base(path.Dir(file)), path.Base(file), e.Line)
}

// line returns the line of source of an access, without indentation.
func (s *sources) line(e *explore.Event) string {
	lines, ok := s.files[e.File]
	if !ok {
		if text, err := os.ReadFile(sourceFile(e.File)); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		if s.files == nil {
			s.files = map[string][]string{}
		}
		s.files[e.File] = lines
	}
	if e.Line < 1 || e.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[e.Line-1])
}

// sourceFile is where the file of an event lies. A program built with -trimpath names it by its
// import path; it is then looked for in the module of the working directory.
func sourceFile(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	dir, err := os.Getwd()
	if err != nil {
		return name
	}
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			for line := range strings.Lines(string(text)) {
				module, is := strings.CutPrefix(strings.TrimSpace(line), "module ")
				if rest, in := strings.CutPrefix(filepath.ToSlash(name), strings.TrimSpace(module)+"/"); is && in {
					return filepath.Join(dir, filepath.FromSlash(rest))
				}
			}
			return name
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return name
		}
		dir = parent
	}
}
