package charts

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"time"
)

// Map is a table of cells coloured by time, with several lines of heads above and beside it.
type Map struct {
	Title string
	Names []string // of the lines of heads above, or nil
	// heads of each column and of each row, the outermost first; equal ones side by side are joined
	Columns, Rows [][]string
	Marks         [][]Mark // by row and column
}

// Mark is a cell of a map. The zero value is one that was not run.
type Mark struct {
	State  State
	Took   time.Duration // of a decided one
	Flawed bool          // decided, but without what belongs to it
}

// State is what became of a cell.
type State uint8

// The states.
const (
	NotRun State = iota
	Decided
	Undecided
	Skipped // not run, since an easier one stayed undecided
	LeftOut // there is no such cell
)

// bands are the colours of decided cells, by time: a cell takes the first band that holds it.
// They run from pale to dark, so they read without colour too.
var bands = []struct {
	under time.Duration
	name  string
	color string
}{
	{time.Millisecond, "< 1 ms", "#eff6fb"},
	{10 * time.Millisecond, "< 10 ms", "#c9e0f0"},
	{100 * time.Millisecond, "< 0.1 s", "#86bbdd"},
	{time.Second, "< 1 s", "#3a86bf"},
	{1 << 62, "longer", "#0b3c6d"},
}

// Sizes of a map, in pixels.
const (
	cellSize  = 13
	cellGap   = 1
	letter    = 6.2 // width of one in a head
	headLine  = 16
	groupGap  = 5 // after a group of columns or rows of the outermost head
	mapMargin = 10
)

// SVG writes the map as an SVG file that loads nothing else. Cells of one colour are one path.
func (m *Map) SVG(w io.Writer) error {
	left := float64(mapMargin)
	var lefts []float64 // of each line of row heads
	if len(m.Rows) > 0 {
		for level := range m.Rows[0] {
			longest := 0
			for _, heads := range m.Rows {
				longest = max(longest, len([]rune(heads[level])))
			}
			lefts = append(lefts, left)
			left += float64(longest)*letter + 8
		}
	}
	for _, name := range m.Names {
		left = max(left, mapMargin+float64(len([]rune(name)))*letter+8)
	}
	x, right := places(m.Columns, left)
	top := float64(mapMargin + 2*headLine)
	var tops []float64
	if len(m.Columns) > 0 {
		for range m.Columns[0] {
			tops = append(tops, top)
			top += headLine
		}
	}
	y, bottom := places(m.Rows, top+4)
	width, height := max(right, legendWidth())+mapMargin, bottom+3*headLine
	var b strings.Builder
	fmt.Fprintf(&b,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "+
			"font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"10\">\n", width, height, width, height)
	fmt.Fprintf(&b,
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"%d\" font-size=\"14\" "+
			"font-weight=\"bold\">%s</text>\n", mapMargin, mapMargin+headLine, html.EscapeString(m.Title))
	for level, at := range tops {
		if level < len(m.Names) {
			text(&b, left-8, at+headLine-6, "end", m.Names[level])
		}
		joined(m.Columns, level, func(from, to int, head string) {
			if to > from {
				fmt.Fprintf(&b, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#999\"/>\n", x[from], at+headLine-3,
					x[to]+cellSize)
			}
			mid := (x[from] + x[to] + cellSize) / 2
			text(&b, mid, at+headLine-6, "middle", fitted(head, x[to]+cellSize-x[from]))
		})
	}
	for level, at := range lefts {
		joined(m.Rows, level, func(from, to int, head string) {
			text(&b, at, (y[from]+y[to]+cellSize)/2+3.5, "start", head)
		})
	}
	m.cells(&b, x, y)
	drawLegend(&b, bottom+headLine)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// places are where columns, or rows, begin; end is behind the last.
func places(heads [][]string, from float64) (at []float64, end float64) {
	for i := range heads {
		if i > 0 && heads[i][0] != heads[i-1][0] {
			from += groupGap
		}
		at = append(at, from)
		from += cellSize + cellGap
	}
	return at, from
}

// joined calls draw for each run of equal heads of a level, within the same outer heads.
func joined(heads [][]string, level int, draw func(from, to int, head string)) {
	for from := 0; from < len(heads); {
		to := from
		for to+1 < len(heads) && slices.Equal(heads[to+1][:level+1], heads[from][:level+1]) {
			to++
		}
		draw(from, to, heads[from][level])
		from = to + 1
	}
}

// fitted shortens a head that is wider than its columns to its first word.
func fitted(head string, width float64) string {
	if float64(len([]rune(head)))*letter <= width+4 {
		return head
	}
	first, _, _ := strings.Cut(head, " ")
	return first
}

func text(b *strings.Builder, x, y float64, anchor, s string) {
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, html.EscapeString(s))
}

// band is the number of the colour of a time.
func band(d time.Duration) int {
	return slices.IndexFunc(bands, func(x struct {
		under time.Duration
		name  string
		color string
	}) bool {
		return d < x.under
	})
}

// kinds of cells as they are drawn: the bands, then these.
const (
	asUndecided = iota + 100
	asSkipped
	asNotRun
	asFlaw
)

// cells draws the cells, all of one kind together.
func (m *Map) cells(b *strings.Builder, x, y []float64) {
	at := map[int][][2]float64{}
	for i, line := range m.Marks {
		for k, mark := range line {
			p := [2]float64{x[k], y[i]}
			switch mark.State {
			case NotRun:
				at[asNotRun] = append(at[asNotRun], p)
			case Undecided:
				at[asUndecided] = append(at[asUndecided], p)
			case Skipped:
				at[asSkipped] = append(at[asSkipped], p)
			case Decided:
				at[band(mark.Took)] = append(at[band(mark.Took)], p)
				if mark.Flawed {
					at[asFlaw] = append(at[asFlaw], p)
				}
			}
		}
	}
	for k := range bands {
		drawCells(b, k, at[k])
	}
	for _, k := range []int{asNotRun, asSkipped, asUndecided, asFlaw} {
		drawCells(b, k, at[k])
	}
}

// drawCells draws cells of one kind.
func drawCells(b *strings.Builder, kind int, at [][2]float64) {
	if len(at) == 0 {
		return
	}
	var square, cross, dot strings.Builder
	for _, p := range at {
		fmt.Fprintf(&square, "M%.0f %.0fh%dv%dh-%dz", p[0], p[1], cellSize, cellSize, cellSize)
		fmt.Fprintf(&cross, "M%.0f %.0fl%d %dm0-%dl-%d %d", p[0]+3, p[1]+3, cellSize-6, cellSize-6, cellSize-6,
			cellSize-6, cellSize-6)
		fmt.Fprintf(&dot, "M%.0f %.0fh3v3h-3z", p[0]+5, p[1]+5)
	}
	switch kind {
	case asUndecided:
		fmt.Fprintf(b,
			"<path d=\"%s\" fill=\"#d55e00\"/>\n<path d=\"%s\" stroke=\"#fff\" stroke-width=\"2\" fill=\"none\"/>\n",
			square.String(), cross.String())
	case asSkipped:
		fmt.Fprintf(b, "<path d=\"%s\" fill=\"#f6d5bd\"/>\n", square.String())
	case asNotRun:
		fmt.Fprintf(b, "<path d=\"%s\" fill=\"#ddd\"/>\n", dot.String())
	case asFlaw:
		fmt.Fprintf(b, "<path d=\"%s\" fill=\"#e69f00\"/>\n", dot.String())
	default:
		fmt.Fprintf(b, "<path d=\"%s\" fill=\"%s\" stroke=\"#bcd\" stroke-width=\"0.5\"/>\n", square.String(),
			bands[kind].color)
	}
}

// legendKinds are the cells of the legend with their names.
func legendKinds() (kinds []int, names []string) {
	for k, x := range bands {
		kinds, names = append(kinds, k), append(names, x.name)
	}
	return append(kinds, asUndecided, asSkipped, asFlaw, asNotRun),
		append(names, "unknown", "longer than an unknown one", "not certified", "not run")
}

// legendWidth is where the legend ends.
func legendWidth() float64 {
	end := float64(mapMargin)
	_, names := legendKinds()
	for _, name := range names {
		end += cellSize + 5 + float64(len([]rune(name)))*letter + 12
	}
	return end
}

func drawLegend(b *strings.Builder, y float64) {
	x := float64(mapMargin)
	kinds, names := legendKinds()
	for i, kind := range kinds {
		drawCells(b, kind, [][2]float64{{x, y}})
		x += cellSize + 5
		text(b, x, y+10, "start", names[i])
		x += float64(len([]rune(names[i])))*letter + 12
	}
}
