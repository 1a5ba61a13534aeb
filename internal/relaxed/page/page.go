package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strings"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/internal/escape"
)

//go:embed page.css
var pageCSS string

// Page is what is said about one execution.
type Page struct {
	Title   string // the program
	Verdict string // one line
	OK      bool   // whether the verdict is good news
	Graph   *c11.Graph
	Text    string // more, below the picture
}

// HTML writes one self-contained page, without scripts. The error is that of w.
func HTML(w io.Writer, p Page) error {
	d := lay(p.Graph)
	class := "no"
	if p.OK {
		class = "yes"
	}
	var out bytes.Buffer
	fmt.Fprintf(&out,
		"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "+
			"content=\"width=device-width, initial-scale=1\">\n<title>%s: "+
			"%s</title>\n<style>%s</style>\n</head>\n<body>\n",
		markup(p.Title), markup(p.Verdict), pageCSS)
	fmt.Fprintf(&out, "<header>\n<h1 class=\"%s\">%s</h1>\n<p>%s</p>\n</header>\n", class, markup(p.Verdict),
		markup(p.Title))
	for _, r := range d.shown() {
		checked := ""
		if r.Shown {
			checked = " checked"
		}
		fmt.Fprintf(&out,
			"<input type=\"checkbox\" id=\"show-%s\"%s><label for=\"show-%s\" class=\"%s\"><b>%s</b> %s</label>\n",
			r.Name, checked, r.Name, r.Name, r.Name, r.About)
	}
	out.WriteString("<main>\n")
	if initial := d.initial(); initial != "" {
		fmt.Fprintf(&out, "<p class=\"initial\">At the start: %s</p>\n", markup(initial))
	}
	fmt.Fprintf(&out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"execution graph\">%s</div>\n",
		d.svg())
	if p.Text != "" {
		fmt.Fprintf(&out, "<pre>%s</pre>\n", markup(p.Text))
	}
	out.WriteString("</main>\n</body>\n</html>\n")
	_, err := w.Write(out.Bytes())
	return err
}

// markup escapes text for a page: control characters, and what HTML would read as markup.
func markup(text string) string { return html.EscapeString(escapeLines(text)) }

func escapeLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = escape.Text(lines[i])
	}
	return strings.Join(lines, "\n")
}

// relation is an entry of the legend.
type relation struct {
	Name, About string
	Shown       bool
}

// relations are all that are drawn, with those that are shown at first.
var relations = []relation{
	{"rf", "reads from", true},
	{"mo", "modification order of one location", true},
	{"sw", "synchronises with", true},
	{"sc", "order that sequential consistency demands", false},
	{"race", "data race", true},
}

// shown returns the relations of which the graph has arrows.
func (d *drawing) shown() (out []relation) {
	for _, r := range relations {
		for _, e := range d.edges {
			if e.relation == r.Name {
				out = append(out, r)
				break
			}
		}
	}
	return out
}

// initial lists the values at the start.
func (d *drawing) initial() string {
	var out []string
	for i := range d.g.Events {
		if e := &d.g.Events[i]; e.Kind == c11.InitEvent {
			out = append(out, fmt.Sprintf("%s = %v", e.Loc, e.Wrote))
		}
	}
	return strings.Join(out, ", ")
}

// Measures of the picture, in pixels.
const (
	columnWidth = 250
	rowHeight   = 64
	boxWidth    = 188
	boxHeight   = 40
	margin      = 24
	headHeight  = 40
	mostLabel   = 23 // characters of a label in a box
)

// svg draws the events and the arrows.
func (d *drawing) svg() string {
	var b strings.Builder
	width, height := 2*margin+max(1, len(d.columns))*columnWidth, 2*margin+headHeight+max(1, d.rows)*rowHeight
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="execution graph">`, width, height, width, height)
	b.WriteString("<defs>")
	for _, r := range relations {
		fmt.Fprintf(&b,
			`<marker id="end-%s" class="%s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker>`, r.Name, r.Name)
	}
	b.WriteString("</defs>")
	for c, thread := range d.columns {
		name := "main"
		if thread > 0 {
			name = fmt.Sprintf("thread %d", thread)
		}
		fmt.Fprintf(&b, `<text class="head" x="%d" y="%d">%s</text>`, margin+c*columnWidth+columnWidth/2,
			margin+12, name)
	}
	for _, e := range d.edges {
		d.arrow(&b, e)
	}
	for i := range d.g.Events {
		if d.g.Events[i].Thread >= 0 {
			d.box(&b, i)
		}
	}
	b.WriteString("</svg>")
	return b.String()
}

func (d *drawing) center(i int) (x, y int) {
	return margin + d.column[d.g.Events[i].Thread]*columnWidth + columnWidth/2, margin + headHeight +
		d.row[i]*rowHeight + boxHeight/2
}

func (d *drawing) box(b *strings.Builder, i int) {
	e := &d.g.Events[i]
	x, y := d.center(i)
	class := "event"
	if (d.g.Outcome == c11.Race || d.g.Outcome == c11.Uninitialized) && (i == d.g.A || i == d.g.B) {
		class += " bad"
	}
	what, order := label(e)
	full := what
	if r := []rune(what); len(r) > mostLabel {
		what = string(r[:mostLabel-1]) + "…"
	}
	from := ""
	if e.RF >= 0 && d.g.Events[e.RF].Thread < 0 {
		from = " · initial value"
	}
	fmt.Fprintf(b, `<g class="%s"><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="5"/>`, class,
		markup(d.title(i, full, order)), x-boxWidth/2, y-boxHeight/2, boxWidth, boxHeight)
	fmt.Fprintf(b, `<text class="what" x="%d" y="%d">%s</text><text class="order" x="%d" y="%d">%s</text></g>`,
		x-boxWidth/2+10, y-2, markup(what), x-boxWidth/2+10, y+13, markup(d.g.Name(i)+" "+order+from))
}

// title is what a pointer over the event shows.
func (d *drawing) title(i int, what, order string) string {
	e := &d.g.Events[i]
	text := d.g.Name(i) + " " + what + " " + order
	if e.File != "" {
		text += fmt.Sprintf("\n%s:%d %s", filepath.Base(e.File), e.Line, e.Func[strings.LastIndexByte(e.Func, '.')+1:])
	}
	return text
}

// arrow draws an edge as a curve between the sides of two boxes that face each other.
func (d *drawing) arrow(b *strings.Builder, e edge) {
	x1, y1 := d.center(e.from)
	x2, y2 := d.center(e.to)
	// Arrows of different relations leave and arrive at different heights.
	shift := map[string]int{"rf": -9, "mo": 9, "sw": 0, "sc": 14, "race": -14}[e.relation]
	switch {
	case e.relation == "sb":
		fmt.Fprintf(b, `<path class="sb" d="M%d %d L%d %d"/>`, x1, y1+boxHeight/2, x2, y2-boxHeight/2)
		return
	case x1 == x2: // around the boxes of one thread
		side := x1 + boxWidth/2
		fmt.Fprintf(b, `<path class="%s inside" d="M%d %d C%d %d %d %d %d %d"/>`, e.relation, side, y1+shift, side+30,
			y1+shift, side+30, y2+shift, side, y2+shift)
		return
	case x1 < x2:
		x1, x2 = x1+boxWidth/2, x2-boxWidth/2
	default:
		x1, x2 = x1-boxWidth/2, x2+boxWidth/2
	}
	bend := (x2 - x1) / 2
	fmt.Fprintf(b, `<path class="%s" marker-end="url(#end-%s)" d="M%d %d C%d %d %d %d %d %d"/>`, e.relation, e.relation,
		x1, y1+shift, x1+bend, y1+shift, x2-bend, y2+shift, x2, y2+shift)
}
