package tables

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// differs is the head of the column that says where a row differs.
const differs = "differs"

// matrix returns heads and cells. Without the figures of a paper its columns are left out.
func (t *Table) matrix(lines []Line, aside bool) (heads []string, cells [][]string) {
	theirs := slices.ContainsFunc(lines, func(l Line) bool { return l.Paper != nil })
	cells = make([][]string, len(lines))
	add := func(head string, cell func(l *Line) string) {
		heads = append(heads, head)
		for i := range lines {
			cells[i] = append(cells[i], cell(&lines[i]))
		}
	}
	for i, label := range t.Labels {
		if slices.ContainsFunc(lines, func(l Line) bool { return l.Labels[i] != "" }) {
			add(label, func(l *Line) string { return l.Labels[i] })
		}
	}
	for i, c := range t.Columns {
		if c.Aside && !aside {
			continue
		}
		if c.Paper != "" && theirs {
			add("paper: "+c.Paper, func(l *Line) string {
				if l.Paper == nil {
					return ""
				}
				return l.Paper[i]
			})
		}
		if c.Ours != "" {
			add(c.Ours, func(l *Line) string {
				switch {
				case l.Over > 0:
					return over(l.Over)
				case l.Ours == nil:
					return ""
				}
				return l.Ours[i]
			})
		}
	}
	if theirs {
		add(differs, func(l *Line) string { return strings.Join(l.Differs, ", ") })
	}
	return heads, cells
}

// over says that a row took longer than its limit.
func over(limit time.Duration) string {
	if limit%time.Minute == 0 {
		return fmt.Sprintf("> %d min", limit/time.Minute)
	}
	return "> " + limit.String()
}

// WriteText writes a table for a terminal, each row as soon as it is there. Columns are as wide as
// the figures of the paper and the heads.
func (t *Table) WriteText(ctx context.Context, w io.Writer, o Options) error {
	fmt.Fprintf(w, "%s, %s: %s\n", t.Paper, t.Name, t.About)
	all := make([]Line, len(t.Rows))
	for i := range t.Rows {
		all[i].Row = &t.Rows[i]
		if r := all[i].Row; r.Run != nil {
			all[i].Ours = r.Paper // about as wide
		}
	}
	heads, cells := t.matrix(all, true)
	widths := make([]int, len(heads))
	for _, row := range append([][]string{heads}, cells...) {
		for k, cell := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	write := func(row []string) error {
		var b strings.Builder
		for k, cell := range row {
			cell = cmp.Or(cell, "-")
			if k < len(row)-1 {
				cell = fmt.Sprintf("%-*s  ", widths[k], cell)
			}
			b.WriteString(cell)
		}
		_, err := fmt.Fprintln(w, b.String())
		return err
	}
	if err := write(heads); err != nil {
		return err
	}
	done := 0
	return t.Each(ctx, o, func(l *Line) error {
		all[done] = *l
		_, cells := t.matrix(all, true)
		done++
		return write(cells[done-1])
	})
}

// Markdown writes the columns that stay the same from run to run.
func (t *Table) Markdown(lines []Line) string {
	heads, cells := t.matrix(lines, false)
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(heads, " | "), strings.Repeat("---|", len(heads)))
	for _, row := range cells {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}

// Object is a row for JSON.
type Object struct {
	Paper   string   `json:"paper"`
	Table   string   `json:"table"`
	Row     []string `json:"row"`
	Object  string   `json:"object,omitempty"`
	Columns []Cell   `json:"columns"`
	Unknown bool     `json:"unknown,omitempty"`
	Differs []string `json:"differs,omitempty"`
}

// Cell is a quantity for JSON, with the names that it has in the paper and here.
type Cell struct {
	Name  string `json:"name"`            // in the paper, or here if it has none
	Paper string `json:"paper,omitempty"` // its figure
	As    string `json:"as,omitempty"`    // our name, if it is another one
	Ours  string `json:"ours,omitempty"`
}

// JSON returns a line as an object.
func (t *Table) JSON(l *Line) Object {
	o := Object{Paper: t.Paper, Table: t.Name, Row: l.Labels, Object: l.Object, Unknown: l.Over > 0, Differs: l.Differs}
	for i, c := range t.Columns {
		cell := Cell{Name: c.Paper, As: c.Ours}
		if c.Paper == "" {
			cell.Name = c.Ours
		}
		if cell.As == cell.Name {
			cell.As = ""
		}
		if l.Paper != nil {
			cell.Paper = l.Paper[i]
		}
		if l.Ours != nil {
			cell.Ours = l.Ours[i]
		}
		if cell.Paper != "" || cell.Ours != "" {
			o.Columns = append(o.Columns, cell)
		}
	}
	return o
}
