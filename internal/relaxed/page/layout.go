package page

import (
	"fmt"

	"github.com/linsat/linsat/explore/c11"
)

// drawing is a graph laid out: one column for each thread that has events, one row for each step.
type drawing struct {
	g       *c11.Graph
	columns []int // thread of each column
	column  map[int]int
	row     []int // by event, from 0; that of an initial write is -1
	rows    int
	edges   []edge
}

// edge is an arrow of a relation.
type edge struct {
	relation string // "sb", "rf", "mo", "sw", "sc" or "race"
	from, to int
}

// lay gives every event a row below all that are before it in sb or rf, whose union the model keeps
// free of circles, and collects the arrows.
func lay(g *c11.Graph) *drawing {
	d := &drawing{g: g, column: map[int]int{}, row: make([]int, len(g.Events))}
	for i := range g.Events {
		e := &g.Events[i]
		if _, known := d.column[e.Thread]; !known && e.Thread >= 0 {
			d.column[e.Thread] = len(d.columns)
			d.columns = append(d.columns, e.Thread)
		}
		d.row[i] = -1
	}
	for changed := true; changed; {
		changed = false
		last := map[int]int{} // by thread: the row of the event before
		for i := range g.Events {
			e := &g.Events[i]
			if e.Thread < 0 {
				continue
			}
			at := 0
			if before, ok := last[e.Thread]; ok {
				at = before + 1
			}
			if e.RF >= 0 && g.Events[e.RF].Thread >= 0 {
				at = max(at, d.row[e.RF]+1)
			}
			if at > d.row[i] {
				d.row[i], changed = at, true
			}
			last[e.Thread] = d.row[i]
			d.rows = max(d.rows, d.row[i]+1)
		}
	}
	d.relate()
	return d
}

// relate collects the arrows: sb between neighbours, mo between neighbours, rf from all writes but
// the initial ones, and sw and sc between threads, without those that follow from others.
func (d *drawing) relate() {
	g := d.g
	for i := range g.Events {
		e := &g.Events[i]
		if i+1 < len(g.Events) && g.SB(i, i+1) {
			d.edges = append(d.edges, edge{"sb", i, i + 1})
		}
		if e.RF >= 0 && g.Events[e.RF].Thread >= 0 {
			d.edges = append(d.edges, edge{"rf", e.RF, i})
		}
	}
	for _, of := range g.MO {
		for k := 1; k < len(of); k++ {
			if g.Events[of[k-1]].Thread >= 0 {
				d.edges = append(d.edges, edge{"mo", of[k-1], of[k]})
			}
		}
	}
	d.edges = append(d.edges, d.reduced("sw", g.SW)...)
	d.edges = append(d.edges, d.reduced("sc", g.SC)...)
	if g.Outcome == c11.Race {
		d.edges = append(d.edges, edge{"race", g.A, g.B})
	}
}

// reduced returns the pairs of a relation that follow neither from sb nor from two others of it.
func (d *drawing) reduced(name string, holds func(a, b int) bool) (out []edge) {
	n := len(d.g.Events)
	in := make([][]bool, n)
	for a := range in {
		in[a] = make([]bool, n)
		for b := range in[a] {
			in[a][b] = a != b && holds(a, b)
		}
	}
	for a := range in {
		for b := range in[a] {
			implied := !in[a][b] || d.g.SB(a, b)
			for c := 0; c < n && !implied; c++ {
				implied = in[a][c] && in[c][b]
			}
			if !implied {
				out = append(out, edge{name, a, b})
			}
		}
	}
	return out
}

// label is the text of an event: what it does, where, and its memory order.
func label(e *c11.Event) (what, order string) {
	order = e.Order.String()
	if e.Order == c11.NotAtomic {
		order = "not atomic"
	}
	switch e.Kind {
	case c11.ReadEvent:
		what = fmt.Sprintf("R %s = %v", e.Loc, e.Read)
		if e.Failed {
			what += " ✗" // a compare-and-swap that failed
		}
	case c11.WriteEvent:
		what = fmt.Sprintf("W %s = %v", e.Loc, e.Wrote)
	case c11.UpdateEvent:
		what = fmt.Sprintf("U %s: %v → %v", e.Loc, e.Read, e.Wrote)
	case c11.FenceEvent:
		what = "fence"
	case c11.JoinEvent:
		return fmt.Sprintf("join thread %d", e.Arg), ""
	case c11.ChoiceEvent:
		return fmt.Sprintf("choose %d", e.Arg), ""
	}
	return what, order
}
