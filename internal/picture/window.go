package picture

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
)

// Window is what a drawing of fixed size shows of a picture: some of the operations, in columns.
// Columns are not to scale. Consecutive calls, or consecutive returns, without a note in between
// share a column, which keeps the interval order. A bar is as wide as its text. Where operations
// are left out between two columns, a fold shows how many.
type Window struct {
	Bars          []history.OpID       // positions in Picture.Bars, by call
	Lanes         []int32              // lanes that have a bar, in their order
	Before, After int                  // operations left out on either side
	From, To      map[history.OpID]int // columns of a bar
	Folds         []Fold
	Notes         []Noted
	Width         int
}

// Fold stands for Count operations left out in the middle; At is its first column.
type Fold struct{ At, Count, Width int }

// Noted is a note just before column At.
type Noted struct {
	At   int
	Text string
}

// Sizes are the widths of things, in columns.
type Sizes struct {
	Bar  func(b *Bar) int // a bar with its text, both ends included
	Fold func(count int) int
	Gap  int // between a return and the next call
}

// choose picks at most limit operations: the highlighted ones and what was called before the last
// of them returned, the closest first; or, without a highlight, the first ones. Operations of other
// partitions are left out.
func (p *Picture) choose(limit int) []history.OpID {
	var all, core []history.OpID
	for i := range p.Bars {
		switch b := &p.Bars[i]; {
		case b.Highlighted:
			core = append(core, history.OpID(i))
			all = append(all, history.OpID(i))
		case !b.Outside:
			all = append(all, history.OpID(i))
		}
	}
	if len(core) == 0 {
		return all[:min(limit, len(all))]
	}
	end := int32(0)
	for _, i := range core {
		if b := &p.Bars[i]; b.Pending {
			end = max(end, b.From)
		} else {
			end = max(end, b.To)
		}
	}
	if p.Highlight.HasFails {
		end = p.Bars[p.Highlight.Fails].To
	}
	all = slices.DeleteFunc(all, func(i history.OpID) bool { return p.Bars[i].From > end && !p.Bars[i].Highlighted })
	if len(all) <= limit {
		return all
	}
	distance := p.distances(core)
	near := slices.Clone(all)
	slices.SortStableFunc(near, func(a, b history.OpID) int { return cmp.Compare(distance[a], distance[b]) })
	near = near[:max(limit, len(core))]
	slices.Sort(near)
	return withoutSlits(all, near)
}

// withoutSlits adds to chosen the operations of all (both sorted) that would leave gaps of at most
// slit.
func withoutSlits(all, chosen []history.OpID) []history.OpID {
	var out []history.OpID
	for k, i := range chosen {
		if k > 0 {
			from, _ := slices.BinarySearch(all, out[len(out)-1])
			to, _ := slices.BinarySearch(all, i)
			if gap := all[from+1 : to]; len(gap) <= slit {
				out = append(out, gap...)
			}
		}
		out = append(out, i)
	}
	return out
}

// distances returns, for every operation, how many places its call or return is away from the
// nearest call or return of the core, or of the window of the explanation; 0 for the core itself.
func (p *Picture) distances(core []history.OpID) []int32 {
	var marks []int32
	for _, i := range core {
		b := &p.Bars[i]
		marks = append(marks, b.From)
		if !b.Pending {
			marks = append(marks, b.To)
		}
	}
	slices.Sort(marks)
	away := func(place int32) int32 {
		k, _ := slices.BinarySearch(marks, place)
		best := int32(len(p.Times))
		if k < len(marks) {
			best = min(best, marks[k]-place)
		}
		if k > 0 {
			best = min(best, place-marks[k-1])
		}
		return best
	}
	from, to := p.Extent()
	out := make([]int32, len(p.Bars))
	for i := range p.Bars {
		b := &p.Bars[i]
		if b.Highlighted {
			continue
		}
		out[i] = 1 + away(b.From)
		if !b.Pending {
			out[i] = min(out[i], 1+away(b.To))
		}
		if to > from && (b.From > to || b.To < from || b.Pending && b.From < from) {
			out[i] += int32(len(p.Times)) // outside the window of the explanation
		}
	}
	return out
}

// Extent turns the ranks of Highlight.From and To into places; 0, 0 where there are none.
func (p *Picture) Extent() (from, to int32) { return p.ExtentOf(&p.Highlight) }

// ExtentOf is Extent of the highlight of another partition.
func (p *Picture) ExtentOf(hl *Highlight) (from, to int32) {
	if hl.From >= hl.To {
		return 0, 0
	}
	from, to = int32(len(p.Times)), -1
	for i := range p.Bars {
		b := &p.Bars[i]
		if b.callRank >= hl.From && b.callRank <= hl.To {
			from, to = min(from, b.From), max(to, b.From)
		}
		if !b.Pending && b.returningRank >= hl.From && b.returningRank <= hl.To {
			from, to = min(from, b.To), max(to, b.To)
		}
	}
	if from > to {
		return 0, 0
	}
	return from, to
}

// column is a run of calls, or of returns, that nothing separates.
type column struct {
	bars    []history.OpID
	returns bool
	hidden  int // operations left out just before it
	x       int
}

// Lay chooses what is shown and lays it out.
func (p *Picture) Lay(limit int, s Sizes) *Window {
	w := &Window{Bars: p.choose(limit), From: map[history.OpID]int{}, To: map[history.OpID]int{}}
	columns, places := p.columns(w)
	w.solve(p, columns, s)
	seen := make([]bool, len(p.Lanes))
	for _, i := range w.Bars {
		seen[p.Bars[i].Lane] = true
	}
	for lane, ok := range seen {
		if ok {
			w.Lanes = append(w.Lanes, int32(lane))
		}
	}
	for i := range p.Notes {
		n := &p.Notes[i]
		if len(places) == 0 || w.Before > 0 && n.At < places[0] || w.After > 0 && n.At > places[len(places)-1] {
			continue
		}
		k, _ := slices.BinarySearch(places, n.At) // the first column that starts no earlier
		x := w.Width
		if k < len(columns) {
			x = columns[k].x
		}
		w.Notes = append(w.Notes, Noted{x, n.Label()})
	}
	return w
}

// columns groups the shown calls and returns, and counts what is left out. places[i] is the first
// place of column i.
func (p *Picture) columns(w *Window) (columns []column, places []int32) {
	type event struct {
		place   int32
		bar     history.OpID
		returns bool
	}
	shown := make([]bool, len(p.Bars))
	var events []event
	for _, i := range w.Bars {
		shown[i] = true
		b := &p.Bars[i]
		events = append(events, event{b.From, i, false})
		if !b.Pending {
			events = append(events, event{b.To, i, true})
		}
	}
	sort.Slice(events, func(a, b int) bool { return events[a].place < events[b].place })
	lastCall := int32(-1)
	for _, i := range w.Bars {
		lastCall = max(lastCall, p.Bars[i].From)
	}
	var hidden []int32 // places of the calls left out
	for i := range p.Bars {
		switch b := &p.Bars[i]; {
		case shown[i] || b.Outside:
		case b.From > lastCall:
			w.After++
		default:
			hidden = append(hidden, b.From)
		}
	}
	slices.Sort(hidden)
	for k, e := range events {
		n, _ := slices.BinarySearch(hidden, e.place)
		hidden = hidden[n:]
		if k == 0 {
			w.Before, n = n, 0
		}
		if last := len(columns) - 1; last >= 0 && columns[last].returns == e.returns && n == 0 &&
			!p.noted(events[k-1].place, e.place) {
			columns[last].bars = append(columns[last].bars, e.bar)
			continue
		}
		columns = append(columns, column{bars: []history.OpID{e.bar}, returns: e.returns, hidden: n})
		places = append(places, e.place)
	}
	return columns, places
}

// noted reports whether a note stands between two places.
func (p *Picture) noted(a, b int32) bool {
	k, _ := slices.BinarySearchFunc(p.Notes, a+1, func(n Mark, at int32) int { return cmp.Compare(n.At, at) })
	return k < len(p.Notes) && p.Notes[k].At <= b
}

// solve gives every column the smallest x at which all bars that end there fit.
func (w *Window) solve(p *Picture, columns []column, s Sizes) {
	x := 0
	for k := range columns {
		c := &columns[k]
		if k > 0 {
			x++
			if !c.returns {
				x += s.Gap
			}
		}
		if c.hidden > 0 {
			width := s.Fold(c.hidden)
			w.Folds = append(w.Folds, Fold{x, c.hidden, width})
			x += width
		}
		if c.returns {
			for _, i := range c.bars {
				x = max(x, w.From[i]+s.Bar(&p.Bars[i])-1)
			}
		}
		c.x = x
		for _, i := range c.bars {
			if c.returns {
				w.To[i] = x
			} else {
				w.From[i] = x
			}
		}
	}
	w.Width = x + 1
	for _, i := range w.Bars {
		if b := &p.Bars[i]; b.Pending {
			w.Width = max(w.Width, w.From[i]+s.Bar(b))
		}
	}
	for _, i := range w.Bars {
		if p.Bars[i].Pending {
			w.To[i] = w.Width - 1
		}
	}
}
