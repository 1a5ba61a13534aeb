package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/words"
)

// Sizes of the static picture, in pixels.
const (
	svgChar   = 7.25 // advance of a 12 px monospaced character, rounded up
	svgUnit   = 4    // one column
	svgLane   = 34
	svgBar    = 22
	svgTop    = 52 // room above the lanes for the title
	svgNote   = 18
	svgMargin = 16
)

// SVG writes a small static picture for papers and bug reports: the core with its edges, or the
// operation that cannot be placed, and what happened around it; without either, the beginning of
// the history. It has a light background, no scripts and no embedded fonts.
func SVG(out io.Writer, p *picture.Picture) error {
	columns := func(text string, extra float64) int {
		return int((float64(utf8.RuneCountInString(text))*svgChar+extra)/svgUnit) + 1
	}
	lay := func(most int) *picture.Window {
		return p.Lay(most, picture.Sizes{
			Bar: func(b *picture.Bar) int {
				if b.Pending {
					return columns(barLabel(b), 44)
				}
				return columns(barLabel(b), 14)
			},
			Fold: func(n int) int { return columns(picture.Omitted(n), 12) },
			Gap:  2,
		})
	}
	w := lay(svgMost)
	gutter, width := svgWidth(p, w)
	for most := svgMost - 1; width > svgWidest && most >= 1; most-- {
		w = lay(most) // never less than what is highlighted
		gutter, width = svgWidth(p, w)
	}
	noteRows := 0
	if len(w.Notes) > 0 {
		noteRows = 1
	}
	top := float64(svgTop + noteRows*svgNote)
	legend := svgLegend(p, w)
	width = max(width, 360,
		svgMargin*2+float64(max(utf8.RuneCountInString(p.Verdict), utf8.RuneCountInString(legend)))*svgChar)
	height := top + float64(len(w.Lanes)*svgLane) + 34

	d := &svg{x0: svgMargin + gutter, top: top, p: p, w: w, row: map[int32]int{}}
	for k, lane := range w.Lanes {
		d.row[lane] = k
	}
	scale := min(1, svgWidest/width) // what is wider still is shown smaller
	d.printf(
		`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12">`+"\n", width*scale, height*scale, width, height)
	d.printf("<title>%s</title>\n", xmlText(filepath.Base(p.Source)+": "+p.Verdict))
	d.printf(`<rect width="100%%" height="100%%" fill="#ffffff"/>` + "\n")
	d.printf(`<text x="%d" y="24" font-size="14" font-weight="600" fill="#1c2430">%s</text>`+"\n", svgMargin,
		xmlText(p.Verdict))
	d.printf(`<text x="%d" y="41" font-size="11" fill="#6b7684">%s</text>`+"\n", svgMargin,
		xmlText(filepath.Base(p.Source)))
	d.lanes(width)
	d.marks()
	for _, i := range w.Bars {
		d.bar(i)
	}
	for _, e := range p.Highlight.Edges {
		d.edge(e[0], e[1])
	}
	d.printf(`<text x="%d" y="%.0f" font-size="11" fill="#6b7684">%s</text>`+"\n", svgMargin, height-12,
		xmlText(legend))
	d.printf("</svg>\n")
	_, err := out.Write(d.Bytes())
	return err
}

// svgWidth is the room for the names of lanes, and the whole width.
func svgWidth(p *picture.Picture, w *picture.Window) (gutter, width float64) {
	for _, lane := range w.Lanes {
		gutter = max(gutter, float64(utf8.RuneCountInString(laneLabel(p, lane)))*svgChar+12)
	}
	return gutter, svgMargin*2 + gutter + float64(w.Width*svgUnit)
}

// svg is a picture in progress.
type svg struct {
	bytes.Buffer
	p       *picture.Picture
	w       *picture.Window
	x0, top float64
	row     map[int32]int // of every lane shown
}

func (d *svg) printf(format string, args ...any) { fmt.Fprintf(&d.Buffer, format, args...) }

func (d *svg) x(column int) float64 { return d.x0 + float64(column*svgUnit) }

// middle is the y of a lane.
func (d *svg) middle(lane int32) float64 { return d.top + (float64(d.row[lane])+0.5)*svgLane }

func (d *svg) lanes(width float64) {
	for _, lane := range d.w.Lanes {
		y := d.middle(lane)
		d.printf(`<text x="%d" y="%.1f" fill="#6b7684">%s</text>`+"\n", svgMargin, y+4, xmlText(laneLabel(d.p, lane)))
		d.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#e6e9ed"/>`+"\n", d.x0-4, y, width-svgMargin, y)
	}
}

// marks draws notes above the lanes, and folds as gaps through them.
func (d *svg) marks() {
	bottom := d.top + float64(len(d.w.Lanes)*svgLane)
	for _, f := range d.w.Folds {
		x, width := d.x(f.At)+4, float64(f.Width*svgUnit)-4
		d.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#f4f5f7"/>`+"\n", x, d.top,
			width, bottom-d.top)
		d.printf(`<text x="%.1f" y="%.1f" font-size="11" fill="#8a94a1" text-anchor="middle">%s</text>`+"\n", x+width/2,
			bottom+10, xmlText(picture.Omitted(f.Count)))
	}
	end := -1.0
	for _, n := range d.w.Notes {
		x := d.x(n.At) - 3
		d.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#b08000" stroke-dasharray="2 3"/>`+"\n", x,
			d.top-4, x, bottom)
		if x < end {
			continue // its text would overlap the previous one
		}
		d.printf(`<text x="%.1f" y="%.1f" font-size="11" fill="#8a6500">%s</text>`+"\n", x, d.top-8, xmlText(n.Text))
		end = x + float64(utf8.RuneCountInString(n.Text))*svgChar
	}
}

func (d *svg) bar(i history.OpID) {
	b := &d.p.Bars[i]
	fill, stroke, ink, weight := "#e9edf2", "#9aa5b1", "#3b4552", "400"
	switch {
	case b.Fails:
		fill, stroke, ink, weight = "#fbd5d2", "#c3271b", "#7a130b", "600"
	case b.Highlighted:
		fill, stroke, ink, weight = "#fdeceb", "#d0473c", "#7a130b", "600"
	case !d.p.Highlight.Empty():
		fill, stroke, ink = "#f4f6f8", "#ccd2d9", "#8a94a1"
	}
	x, y := d.x(d.w.From[i]), d.middle(b.Lane)-svgBar/2
	width := d.x(d.w.To[i]) - x
	if b.Pending {
		d.printf(
			`<path d="M%.1f %.1f H%.1f q-3 0 -3 3 v%d q0 3 3 3 H%.1f" fill="%s" stroke="%s" stroke-dasharray="5 3"/>`+
				"\n",
			x+width, y, x+3, svgBar-6, x+width, fill, stroke)
		d.printf(`<text x="%.1f" y="%.1f" fill="%s">⋯</text>`+"\n", x+width+2, y+svgBar/2+4, stroke)
	} else {
		d.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="3" fill="%s" stroke="%s"/>`+"\n", x, y, width,
			svgBar, fill, stroke)
	}
	d.printf(`<text x="%.1f" y="%.1f" font-weight="%s" fill="%s">%s</text>`+"\n", x+6, y+svgBar/2+4, weight, ink,
		xmlText(barLabel(b)))
}

// edge draws an arrow from the return of a to the call of b.
func (d *svg) edge(a, b history.OpID) {
	right, okA := d.w.To[a]
	left, okB := d.w.From[b]
	if !okA || !okB {
		return
	}
	x1, x2 := d.x(right), d.x(left)
	y1, y2 := d.middle(d.p.Bars[a].Lane), d.middle(d.p.Bars[b].Lane)
	bend := max(12, (x2-x1)/2)
	d.printf(`<path d="M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f" fill="none" stroke="#c3271b" stroke-width="1.5"/>`+
		"\n", x1, y1, x1+bend, y1, x2-bend, y2, x2-5, y2)
	d.printf(`<path d="M%.1f %.1f l-6 -3.5 v7 z" fill="#c3271b"/>`+"\n", x2, y2)
}

// svgLegend is the line below the picture.
func svgLegend(p *picture.Picture, w *picture.Window) string {
	parts := []string{"time runs to the right, not to scale"}
	if !p.Highlight.Empty() {
		parts = append(parts, "red: what the argument is about")
	}
	if len(p.Highlight.Edges) > 0 {
		parts = append(parts, "arrow: returned before the other was called")
	}
	if n := w.Before + w.After; n > 0 {
		parts = append(parts, words.Count(n, "operation")+" before and after left out")
	}
	return strings.Join(parts, "; ")
}

func barLabel(b *picture.Bar) string { return b.Shown() + " #" + b.ID }

func laneLabel(p *picture.Picture, lane int32) string { return "process " + p.Lanes[lane] }

// xmlText escapes text for XML.
func xmlText(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // writes to a strings.Builder do not fail
	}
	return b.String()
}
