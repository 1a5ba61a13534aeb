package picture

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/words"
)

// Timeline configures how a picture is drawn in a terminal.
type Timeline struct {
	Width int  // columns of the screen
	Color bool // without colours the core is marked with *
	Most  int  // operations shown, 0 for 40, or 16 where a core is highlighted
}

// Draw writes one row per process, with time running to the right, folded around the core and
// wrapped into bands of the screen's width.
func (t Timeline) Draw(w io.Writer, p *Picture) {
	most := t.Most
	if most == 0 {
		most = 40
		if !p.Highlight.Empty() {
			most = 16
		}
	}
	d := &drawing{Timeline: t, p: p}
	d.window = p.Lay(most, Sizes{
		Bar: func(b *Bar) int {
			extra := 3
			if b.Pending {
				extra = 5
			}
			return utf8.RuneCountInString(d.text(b)) + extra
		},
		Fold: func(n int) int { return utf8.RuneCountInString(Omitted(n)) + 2 },
		Gap:  1,
	})
	if len(d.window.Bars) == 0 {
		fmt.Fprintln(w, "no operations")
		return
	}
	for _, lane := range d.window.Lanes {
		d.gutter = max(d.gutter, min(widestLane, utf8.RuneCountInString(p.Lanes[lane])))
	}
	d.gutter += len("process ") + 1
	d.band = max(leastBand, t.Width-d.gutter)
	for _, i := range d.window.Bars {
		d.total = max(d.total, d.end(i)+1)
	}
	for from := 0; from < d.total; {
		to := d.cut(from)
		d.draw(w, from, to)
		if from = to; from < d.total {
			fmt.Fprintln(w)
		}
	}
	d.legend(w)
}

// drawing is a timeline in progress.
type drawing struct {
	Timeline
	p      *Picture
	window *Window
	gutter int // columns of the lanes' names
	band   int // columns left for bars
	total  int // columns to draw, without the tails of pending operations
}

// text is the label of a bar: the operation and its number.
func (d *drawing) text(b *Bar) string {
	text := b.Shown() + " #" + b.ID
	if b.Highlighted && !d.Color {
		text = "*" + text
	}
	return text
}

// Omitted stands in a drawing for n operations that it leaves out.
func Omitted(n int) string { return fmt.Sprintf("… %d …", n) }

// cut chooses where the band that starts at from ends: in the last third of the available room,
// where the fewest bars are cut.
func (d *drawing) cut(from int) int {
	end := from + d.band
	if end >= d.window.Width {
		return d.window.Width
	}
	best, fewest := end, len(d.window.Bars)+1
	for x := end; x > end-d.band/3; x-- {
		n := 0
		for _, i := range d.window.Bars {
			if !d.p.Bars[i].Pending && d.window.From[i] < x && d.window.To[i] >= x {
				n++
			}
		}
		for _, f := range d.window.Folds {
			if f.At < x && f.At+f.Width > x {
				n++
			}
		}
		if n < fewest {
			best, fewest = x, n
		}
	}
	return best
}

// cell is one character of a row with its colour.
type cell struct {
	r     rune
	color string
}

// row is a line in progress.
type row []cell

func newRow(width int) row {
	r := make(row, width)
	for k := range r {
		r[k].r = ' '
	}
	return r
}

// put writes text at column x, as much as fits.
func (r row) put(x int, text, color string) {
	for _, c := range text {
		if x >= 0 && x < len(r) {
			r[x] = cell{c, color}
		}
		x++
	}
}

// free reports whether columns from to to-1 are empty.
func (r row) free(from, to int) bool {
	return !slices.ContainsFunc(r[max(0, from):min(to, len(r))], func(c cell) bool { return c.r != ' ' })
}

// text returns the row without trailing blanks, with as few switches of colour as possible.
func (r row) text() escape.Safe {
	end := len(r)
	for end > 0 && r[end-1].r == ' ' {
		end--
	}
	var b strings.Builder
	color := ""
	for _, c := range r[:end] {
		if c.color != color && c.r != ' ' {
			if color != "" {
				b.WriteString(words.Plain)
			}
			b.WriteString(c.color)
			color = c.color
		}
		b.WriteRune(c.r)
	}
	if color != "" {
		b.WriteString(words.Plain)
	}
	return escape.Safe(b.String())
}

// draw writes the band of columns from up to, not including, to.
func (d *drawing) draw(w io.Writer, from, to int) {
	for _, line := range d.remarks(from, to) {
		escape.Fprintf(w, "%*s%s\n", d.gutter, "", line.text())
	}
	for _, lane := range d.window.Lanes {
		line := newRow(to - from)
		for _, i := range d.window.Bars {
			if d.p.Bars[i].Lane == lane && d.window.From[i] < to && d.end(i) >= from {
				d.bar(line, i, from, to)
			}
		}
		if line.free(0, len(line)) {
			continue
		}
		name := []rune(d.p.Lanes[lane])
		if len(name) > widestLane {
			name = append(name[:widestLane-1], '…')
		}
		label := fmt.Sprintf("process %s", string(name))
		escape.Fprintf(w, "%s%*s%s\n", words.Style{Color: d.Color}.Paint(words.Faint, label),
			d.gutter-utf8.RuneCountInString(label), "", line.text())
	}
}

// end is the last column of operation i. A pending one that is not highlighted is drawn only in the
// band of its call.
func (d *drawing) end(i history.OpID) int {
	if b := &d.p.Bars[i]; b.Pending && !b.Highlighted {
		return d.window.From[i]
	}
	return d.window.To[i]
}

// bar draws the piece of operation i that lies between columns from and to.
func (d *drawing) bar(line row, i history.OpID, from, to int) {
	b := &d.p.Bars[i]
	left, right := d.window.From[i], d.window.To[i]
	color := d.color(b)
	start, end := max(left, from)-from, min(right, to-1)-from
	for x := start; x <= end; x++ {
		line.put(x, "─", color)
	}
	text := []rune(d.text(b))
	room := end - start + 1
	at := start
	if left >= from {
		line.put(start, "├", color)
		at, room = at+2, room-2
	} else {
		line.put(start, "┄", color)
		at, room = at+1, room-1
	}
	switch {
	case b.Pending && (right < to || !b.Highlighted):
		line.put(end, "⋯", color)
		room -= 2
	case right < to:
		line.put(end, "┤", color)
		room--
	default:
		line.put(end, "┄", color)
		room--
	}
	if room < len(text) {
		if room < 4 {
			return
		}
		text = append(text[:room-1], '…')
	}
	line.put(at, string(text), color)
}

func (d *drawing) color(b *Bar) string {
	switch {
	case !d.Color:
		return ""
	case b.Fails:
		return words.Bold + words.Red
	case b.Highlighted:
		return words.Red
	case !d.p.Highlight.Empty():
		return words.Faint
	}
	return ""
}

// remarks are the lines above a band: notes, and how much is left out. A text goes to the lowest
// line that has room for it.
func (d *drawing) remarks(from, to int) []row {
	dim := ""
	if d.Color {
		dim = words.Faint
	}
	var lines []row
	put := func(x int, text string) {
		width := utf8.RuneCountInString(text)
		x = max(0, min(x, d.band-width))
		k := 0
		for k < len(lines) && !lines[k].free(x-1, x+width+1) {
			k++
		}
		if k == len(lines) {
			lines = append(lines, newRow(d.band))
		}
		lines[k].put(x, text, dim)
	}
	if from == 0 && d.window.Before > 0 {
		put(0, "… "+words.Count(d.window.Before, "operation")+" before")
	}
	for _, f := range d.window.Folds {
		if f.At >= from && f.At < to {
			put(f.At-from+1, Omitted(f.Count))
		}
	}
	if to >= d.total && d.window.After > 0 {
		text := words.Count(d.window.After, "operation") + " after …"
		put(to-from-utf8.RuneCountInString(text), text)
	}
	for _, n := range d.window.Notes {
		if n.At >= from && (n.At < to || to >= d.total) {
			put(n.At-from, "▾ "+n.Text)
		}
	}
	slices.Reverse(lines)
	return lines
}

// legend explains the symbols of the drawing, and names the edges of the core.
func (d *drawing) legend(w io.Writer) {
	for _, e := range d.p.Highlight.Edges {
		a, b := &d.p.Bars[e[0]], &d.p.Bars[e[1]]
		escape.Fprintf(w, "%s #%s returned before %s #%s was called\n", a.Shown(), a.ID, b.Shown(), b.ID)
	}
	for _, e := range d.p.Highlight.Given {
		a, b := &d.p.Bars[e[0]], &d.p.Bars[e[1]]
		escape.Fprintf(w, "the history puts %s #%s before %s #%s\n", a.Shown(), a.ID, b.Shown(), b.ID)
	}
	signs := []string{"time runs to the right, not to scale"}
	if !d.Color && !d.p.Highlight.Empty() {
		signs = append(signs, "* what the argument is about")
	}
	if slices.ContainsFunc(d.window.Bars, func(i history.OpID) bool { return d.p.Bars[i].Pending }) {
		signs = append(signs, "⋯ never returned")
	}
	if len(d.window.Folds) > 0 {
		signs = append(signs, "… n … operations left out")
	}
	text := strings.Join(signs, "; ")
	fmt.Fprintln(w, words.Style{Color: d.Color}.Paint(words.Faint, text))
}
