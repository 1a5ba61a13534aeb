package localize

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/linsat/linsat/internal/result"

	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/words"
)

// Text writes the result for a terminal: the trace with its critical steps marked, the source lines
// of the races, and what each of the possible orders leads to.
func (r *Result) Text(w io.Writer) error {
	if r.Case == nil {
		return nil // nothing was explored
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %s\n", r.Case.Object.Name, r.verdict())
	fmt.Fprintf(&b, "  %s\n  %s\n", program(r.Case), r.summary())
	if text := r.limits(); text != "" {
		fmt.Fprintf(&b, "  %s\n", text)
	}
	if r.Trace != nil {
		r.Trace.text(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (t *Trace) text(w io.Writer) {
	rows := t.rows(&sources{})
	races := t.Races.String()
	if len(t.Races) == 0 {
		races = "none"
	}
	fmt.Fprintf(w, "\ncritical data race sequence %s", races)
	if len(t.Races) != len(t.Sequence) {
		fmt.Fprintf(w, " (%s with the nodes at which the accesses commute)", t.Sequence)
	}
	if len(rows) == 0 {
		fmt.Fprintln(w, "\nno schedule: it fails before the threads make any access")
	} else {
		fmt.Fprintf(w, "\nschedule %s\n\n", t.Schedule)
		steps := make([][]string, 0, len(rows))
		for i := range rows {
			steps = append(steps, rows[i].columns())
		}
		table(w, append([][]string{{"", "step", "node", "thread", "operation", "access", "", "at"}}, steps...))
	}
	n := 0
	for i := range rows {
		if s := &rows[i]; s.Critical && s.Race != Commuting {
			n++
			fmt.Fprintf(w, "\nrace %d, %s, at step %d (%s)\n", n, s.Symbol, s.Number, s.Race.explain(s.On))
			for _, b := range s.Branches {
				here := ""
				if b.Taken {
					here = ", as here"
				}
				fmt.Fprintf(w, "  %s first%s: %s\n", b.Who, here, b.Fails)
				if b.Does != "" {
					fmt.Fprintf(w, "      %s   %s   %s\n", b.Does, b.Source, b.Code)
				}
			}
		}
	}
	fmt.Fprintln(w)
	if repair := t.repairText(); repair != "" {
		fmt.Fprintln(w, repair)
	}
	run := &words.Run{File: "history", History: t.History, Result: *result.Of(t.Check)}
	if t.Why != "" {
		fmt.Fprintf(w, "history: %s\n", t.Why)
	} else {
		words.Text(w, run, words.Style{Witness: 24})
	}
	if t.History == nil {
		return
	}
	picture.Timeline{Width: 100}.Draw(w, picture.New(run, picture.CoreHighlight(result.Of(t.Check))))
}

func (s *row) columns() []string {
	mark := ""
	switch {
	case s.Critical && s.Race != Commuting:
		mark = "►"
	case s.Critical:
		mark = "·"
	}
	thread := "choice"
	if s.Thread >= 0 {
		thread = fmt.Sprint(s.Thread)
	}
	op := ""
	switch {
	case s.First && s.Last:
		op = "╶ " + s.Op + " → " + s.Result
	case s.First:
		op = "┌ " + s.Op
	case s.Last:
		op = "└ " + s.Op + " → " + s.Result
	case s.Op != "":
		op = "│ " + s.Op
	}
	return []string{mark, fmt.Sprint(s.Number), s.Label.String(), thread, op, s.Access, s.Value, s.Source}
}

// table writes rows in columns.
func table(w io.Writer, rows [][]string) {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		for i, cell := range r {
			b.WriteString(cell)
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}
