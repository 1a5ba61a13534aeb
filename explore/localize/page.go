package localize

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/linsat/linsat/internal/result"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/words"
)

//go:embed page.css
var pageCSS string

type pageData struct {
	Object, Verdict, Answer, Program string
	Limits                           string
	Facts                            []picture.Fact
	Threads, Lanes                   []string
	Rows                             []pageRow
	Tree                             markup
	Width, Lane                      int // of the table, at least; of a lane
	Races                            []pageRace
	Commuting                        string
	History                          string
	Patterns                         []pagePatterns
}

// pageRow is a step, an operation before or after the threads, or the end.
type pageRow struct {
	Number string
	Class  string
	Anchor string
	Cells  []*pageCell // by thread
	Lanes  []pageLane  // by process
}

type pageCell struct{ Access, Value, Op, Source string }

type pageLane struct{ Class, Text string }

type pageRace struct {
	Anchor, Symbol, Title, Why string
	Number                     string
	Sides                      []pageSide
}

type pageSide struct {
	branchView
	Class string
}

type pagePatterns struct {
	Name string
	List []pagePattern
}

type pagePattern struct{ Sequence, Traces string }

// HTML writes one self-contained page: the failing trace by thread, its path in the interleaving
// tree and the history side by side, then the races with their lines of source. It needs no network
// and no script.
func (r *Result) HTML(w io.Writer) error {
	if r.Case == nil {
		return nil // nothing was explored
	}
	d := &pageData{Object: r.Case.Object.Name, Verdict: r.verdict(), Answer: "no", Program: program(r.Case),
		Limits: r.limits()}
	switch {
	case r.Linearizable() && r.Complete:
		d.Answer = "yes"
	case r.Linearizable():
		d.Answer = "unknown"
	}
	t := r.Trace
	if t != nil {
		sequence := t.Races.String()
		if len(t.Races) != len(t.Sequence) {
			sequence += " (with commuting accesses " + t.Sequence.String() + ")"
		}
		d.Facts = append(d.Facts, picture.Fact{Name: "critical data race sequence", Text: sequence},
			picture.Fact{Name: "schedule", Text: t.Schedule.String()})
	}
	d.Facts = append(d.Facts, picture.Fact{Name: "specification", Text: r.Spec.Info().Name},
		picture.Fact{Name: "explored", Text: r.summary()})
	if t != nil {
		for _, p := range t.Repairs {
			d.Facts = append(d.Facts, picture.Fact{Name: "what to repair",
				Text: fmt.Sprintf("made one atomic event, %s (%s) and %s (%s) remove all failing traces", p.From,
					p.FromWhat, p.To, p.ToWhat)})
		}
		r.trace(d)
	}
	var page markupWriter
	page.page(d)
	_, err := page.WriteTo(w)
	return err
}

func (r *Result) trace(d *pageData) {
	t := r.Trace
	rows := t.rows(&sources{})
	for i := range r.Case.Threads {
		d.Threads = append(d.Threads, fmt.Sprintf("thread %d", i))
	}
	for i := range r.Case.Object.Background {
		d.Threads = append(d.Threads, fmt.Sprintf("background thread %d", len(r.Case.Threads)+i))
	}
	before, after := t.outside()
	lanes := newLanes(t, len(before))
	d.Lanes = lanes.names
	for _, o := range before {
		d.Rows = append(d.Rows, r.outsideRow(o, lanes, len(d.Rows)))
	}
	for i := range rows {
		s := &rows[i]
		p := pageRow{Number: fmt.Sprint(s.Number), Cells: make([]*pageCell, len(d.Threads)),
			Lanes: lanes.row(len(d.Rows))}
		switch {
		case s.Critical && s.Race != Commuting:
			p.Class, p.Anchor = "race", fmt.Sprintf("race-%d", s.Number)
			d.Races = append(d.Races, s.page(p.Anchor))
		case s.Critical:
			p.Class = "near"
		}
		cell := &pageCell{Access: s.Access, Value: s.Value, Op: s.Op}
		if s.Source != "" {
			cell.Source = path.Base(s.Source)
		}
		p.Cells[max(s.Thread, 0)] = cell
		d.Rows = append(d.Rows, p)
	}
	for _, o := range after {
		d.Rows = append(d.Rows, r.outsideRow(o, lanes, len(d.Rows)))
	}
	d.Rows = append(d.Rows, pageRow{Cells: make([]*pageCell, len(d.Threads)), Lanes: lanes.row(len(d.Rows))})
	d.Lane = 102
	if len(d.Lanes) > 3 {
		d.Lane = 84
	}
	d.Width = 46 + 310 + 145*len(d.Threads) + d.Lane*len(d.Lanes) // as in page.css
	d.Tree = t.tree(len(before), len(d.Rows))
	if n := len(t.Sequence) - len(t.Races); n > 0 {
		d.Commuting = "Slightly tinted above: " + count(n, "step") +
			" at which an outcome is excluded, too, though the accesses commute, " +
			"because a thread goes ahead before the accesses that conflict are reached."
	}
	d.History = t.verdictText()
	for _, p := range []struct {
		name  string
		races bool
	}{{"Nodes at which the accesses race, with the number of traces:", true}, {"All critical nodes:", false}} {
		list := pagePatterns{Name: p.name}
		for i, x := range r.Patterns(p.races) {
			if i == maxListed {
				list.List = append(list.List, pagePattern{Traces: "and more"})
				break
			}
			text := x.Sequence.String()
			if text == "" {
				text = "none"
			}
			list.List = append(list.List, pagePattern{text, number(x.Traces)})
		}
		if list.List != nil {
			d.Patterns = append(d.Patterns, list)
		}
	}
}

func (s *row) page(anchor string) pageRace {
	race := pageRace{Anchor: anchor, Symbol: s.Symbol, Number: fmt.Sprint(s.Number), Why: s.Race.explain(s.On)}
	var who []string
	for _, b := range s.Branches {
		side := pageSide{branchView: b}
		switch b.Label {
		case White:
			side.Class = "good"
		case Black:
			side.Class = "bad"
		}
		race.Sides = append(race.Sides, side)
		if b.Does != "" {
			who = append(who, b.Does)
		}
	}
	race.Title = strings.Join(who, " against ")
	return race
}

// outside returns the operations of process main before and after the threads.
func (t *Trace) outside() (before, after []*explore.Op) {
	for i := range t.Execution.Ops {
		o := &t.Execution.Ops[i]
		switch {
		case o.Thread != schedule.Main:
		case i < t.firstOp():
			before = append(before, o)
		default:
			after = append(after, o)
		}
	}
	return before, after
}

// firstOp is the position of the first operation of a thread.
func (t *Trace) firstOp() int {
	for i := range t.Execution.Ops {
		if t.Execution.Ops[i].Thread != schedule.Main {
			return i
		}
	}
	return len(t.Execution.Ops)
}

func (r *Result) outsideRow(o *explore.Op, lanes *lanes, at int) pageRow {
	p := pageRow{Class: "outside", Cells: make([]*pageCell, len(r.Case.Threads)), Lanes: lanes.row(at)}
	if len(p.Cells) > 0 {
		p.Cells[0] = &pageCell{Access: o.String(), Op: "serially, by main"}
	}
	return p
}

// lanes places operations, one process a lane, on the rows of the page.
type lanes struct {
	names      []string
	of         map[int]int // thread → lane
	t          *Trace
	call, back map[int]int // operation → row
}

// newLanes finds the rows on which operations are called and return; head is the number of rows
// before the first step.
func newLanes(t *Trace, head int) *lanes {
	l := &lanes{t: t, of: map[int]int{}, call: map[int]int{}, back: map[int]int{}}
	at := head - 1
	for i := range t.Steps {
		at++
		e := t.Steps[i].Branches[t.Steps[i].Taken].Event
		if e == nil || e.Op < 0 {
			continue
		}
		a := schedule.Inside(&e.Access)
		if a.First {
			l.call[e.Op] = at
		}
		if a.Last {
			l.back[e.Op] = at
		}
	}
	early, late := 0, at+1
	for i := range t.Execution.Ops {
		o := &t.Execution.Ops[i]
		if o.Thread == schedule.Main {
			row := &late
			if i < t.firstOp() {
				row = &early
			}
			l.call[i], l.back[i] = *row, *row
			*row++
		}
		if _, called := l.call[i]; !called { // blocked before its first access
			l.call[i] = at
		}
		if _, ok := l.of[o.Thread]; !ok {
			l.of[o.Thread] = -1
		}
	}
	for thread := schedule.Main; thread < schedule.MaxThreads; thread++ {
		if _, ok := l.of[thread]; ok {
			l.of[thread] = len(l.names)
			name := fmt.Sprintf("process %d", thread)
			if thread == schedule.Main {
				name = "main"
			}
			l.names = append(l.names, name)
		}
	}
	return l
}

// row returns what stands in the lanes at a row.
func (l *lanes) row(at int) []pageLane {
	row := make([]pageLane, len(l.names))
	for i := range l.t.Execution.Ops {
		o := &l.t.Execution.Ops[i]
		back, returned := l.back[i]
		if at < l.call[i] || returned && at > back {
			continue
		}
		cell := &row[l.of[o.Thread]]
		cell.Class = "in"
		call := explore.Call{F: o.F, Arg: o.Arg}.String()
		if at == l.call[i] {
			cell.Class += " call"
			cell.Text = call
		}
		if returned && at == back {
			cell.Class += " return"
			_, result, _ := strings.Cut(o.String(), " → ")
			if cell.Text != "" {
				cell.Text += " "
			}
			cell.Text += "→ " + result
		}
	}
	return row
}

// verdictText is linsat's answer about the history, as in a terminal.
func (t *Trace) verdictText() string {
	if t.Why != "" {
		return t.Why
	}
	var b bytes.Buffer
	words.Text(&b, &words.Run{File: "history", History: t.History, Result: *result.Of(t.Check)},
		words.Style{Witness: 24})
	return b.String()
}
