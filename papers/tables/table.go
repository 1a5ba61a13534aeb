// Package tables has the tables of the five papers: what a paper prints, and beside it what running
// our objects gives. Tables of linsat-papers for one object have the same columns.
package tables

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Table is a table of a paper. The figures of the paper are facts; ours come from Row.Run.
type Table struct {
	Paper   string   // its key: "round-up"
	Name    string   // in the paper: "Table II"
	About   string   // what it shows
	Labels  []string // heads of the cells that name a row
	Columns []Column
	Rows    []Row
}

// Column is one quantity.
type Column struct {
	Paper, Ours string // heads; "" if that side has no such column
	// Equal reports whether two cells agree; nil: they can't be compared
	Equal func(paper, ours string) bool
	Aside bool // times, which vary, and long texts: not in the documents
}

// Row is a row of a table.
type Row struct {
	Labels []string
	Object string   // that runs, "" for none
	Paper  []string // by column; nil: the paper has no such row
	// Run returns our cells, by column; nil: there is no such object
	Run func(ctx context.Context, full bool) ([]string, error)
}

// Line is a row after its object ran.
type Line struct {
	*Row
	Ours    []string
	Over    time.Duration // the limit, if it was reached
	Differs []string      // heads of the columns that differ
}

// Options of a run.
type Options struct {
	Timeout time.Duration // of each row, 0: none
	Full    bool          // more repetitions where figures vary
}

// All returns every table that is made by running something.
func All() []*Table {
	return slices.Concat(lineUpTables(), roundUpTables(), []*Table{fgvtTable(), setsTable()}, cdsSpec())
}

// Select returns the tables of a paper, or the rows of an object; all for "".
func Select(name string) []*Table {
	var out []*Table
	for _, t := range All() {
		if name == "" || strings.EqualFold(name, t.Paper) {
			out = append(out, t)
			continue
		}
		t.Rows = slices.DeleteFunc(t.Rows, func(r Row) bool { return !strings.EqualFold(r.Object, name) })
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// Names returns what Select knows: the papers, and the objects that have a row.
func Names() []string {
	var papers, objects []string
	for _, t := range All() {
		papers = append(papers, t.Paper)
		for _, r := range t.Rows {
			if r.Object != "" && !slices.Contains(objects, r.Object) {
				objects = append(objects, r.Object)
			}
		}
	}
	return append(slices.Compact(papers), objects...)
}

// Run runs a row and compares it with the paper's.
func (t *Table) Run(ctx context.Context, r *Row, o Options) (Line, error) {
	if r.Run == nil {
		return Line{Row: r}, nil
	}
	limited := ctx
	if o.Timeout > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, o.Timeout)
		defer stop()
	}
	ours, err := r.Run(limited, o.Full)
	switch {
	case ctx.Err() != nil:
		return Line{}, ctx.Err()
	case limited.Err() != nil:
		return Line{Row: r, Over: o.Timeout}, nil
	case err != nil:
		return Line{}, err
	}
	return t.line(r, ours), nil
}

// line compares our cells of a row with the paper's.
func (t *Table) line(r *Row, ours []string) Line {
	l := Line{Row: r, Ours: ours}
	for i, c := range t.Columns {
		if c.Equal != nil && r.Paper != nil && r.Paper[i] != "" && !c.Equal(r.Paper[i], ours[i]) {
			l.Differs = append(l.Differs, c.head())
		}
	}
	return l
}

// Each runs all rows, and hands on each as soon as it is there.
func (t *Table) Each(ctx context.Context, o Options, f func(*Line) error) error {
	for i := range t.Rows {
		line, err := t.Run(ctx, &t.Rows[i], o)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", t.Name, t.Rows[i].name(), err)
		}
		if err := f(&line); err != nil {
			return err
		}
	}
	return nil
}

// Lines runs all rows.
func (t *Table) Lines(ctx context.Context, o Options) ([]Line, error) {
	var lines []Line
	err := t.Each(ctx, o, func(l *Line) error {
		lines = append(lines, *l)
		return nil
	})
	return lines, err
}

// name is what the labels say.
func (r *Row) name() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(r.Labels), func(l string) bool { return l == "" }), ", ")
}

// head names the column in a line, without its unit.
func (c *Column) head() string {
	head, _, _ := strings.Cut(cmp.Or(c.Ours, c.Paper), " (")
	return head
}

// same is Column.Equal of figures and words.
func same(paper, ours string) bool { return strings.EqualFold(paper, ours) }
