package bench

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/linsat/linsat/internal/escape"
)

// The charts: a cactus plot of all contenders, and the times of two against each other, with
// logarithmic axes of time. They load nothing and run nothing.
const (
	chartWidth  = 900
	chartHeight = 420
	chartLeft   = 70
	chartRight  = 260 // the legend
	chartTop    = 40
	chartBottom = 50
)

// colors that the colour-blind tell apart (Okabe and Ito).
var colors = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// SVG writes the charts of rows, one below the other, as one picture.
func SVG(w io.Writer, rows []Row) error {
	charts := []string{cactus(rows)}
	if x, y, ok := rivals(rows); ok {
		charts = append(charts, scatter(rows, x, y))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %d" `+
		`font-family="sans-serif" font-size="13"><rect width="100%%" height="100%%" fill="#fff"/>`+"\n",
		chartWidth, chartHeight*len(charts), chartHeight*len(charts))
	for i, c := range charts {
		fmt.Fprintf(&b, "<g transform=\"translate(0 %d)\">\n%s</g>\n", i*chartHeight, c)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// HTML writes the report and the charts of its rows as one page.
func (r Report) HTML(w io.Writer, rows []Row) error {
	var table, picture strings.Builder
	if err := r.Text(&table); err != nil {
		return err
	}
	if err := SVG(&picture, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"+
		"<title>linsat bench</title></head>\n<body>\n<h1>linsat bench</h1>\n<pre>%s</pre>\n%s</body></html>\n",
		html.EscapeString(table.String()), picture.String())
	return err
}

// rivals chooses the two contenders to be drawn against each other: the search and the first SAT
// contender, or else the first two. ok is false if there are fewer than two.
func rivals(rows []Row) (x, y string, ok bool) {
	var names []string
	for _, mine := range ByContender(rows) {
		names = append(names, mine[0].Name())
		switch {
		case mine[0].Engine == "search":
			x = mine[0].Name()
		case mine[0].Engine == "sat" && y == "":
			y = mine[0].Name()
		}
	}
	if len(names) < 2 {
		return "", "", false
	}
	if x == "" || y == "" {
		x, y = names[0], names[1]
	}
	return x, y, true
}

// times maps seconds to a logarithmic axis of whole powers of ten.
type times struct{ low, high float64 }

func timesOf(all []float64) times {
	t := times{-6, 0}
	if len(all) > 0 {
		t = times{math.Floor(math.Log10(slices.Min(all))), math.Ceil(math.Log10(slices.Max(all)))}
	}
	t.high = max(t.high, t.low+1)
	return t
}

// at is the share of the axis below s.
func (t times) at(s float64) float64 { return (math.Log10(s) - t.low) / (t.high - t.low) }

// seconds is never 0, so that it has a logarithm.
func seconds(d time.Duration) float64 { return max(d, time.Nanosecond).Seconds() }

// The place of a point by its shares of the axes.
func across(share float64) float64 { return chartLeft + share*(chartWidth-chartLeft-chartRight) }
func down(share float64) float64 {
	return chartHeight - chartBottom - share*(chartHeight-chartTop-chartBottom)
}

// frame draws a title, the names of the axes, and the ticks of an axis of time.
func frame(b *strings.Builder, title, x, y string, up times) {
	fmt.Fprintf(b, `<text x="%d" y="24" font-size="16">%s</text>`+"\n", chartLeft, html.EscapeString(title))
	fmt.Fprintf(b, `<text x="%.0f" y="%d" text-anchor="middle">%s</text>`+"\n", across(0.5), chartHeight-12,
		html.EscapeString(x))
	fmt.Fprintf(b, `<text transform="translate(16 %.0f) rotate(-90)" text-anchor="middle">%s</text>`+"\n", down(0.5),
		html.EscapeString(y))
	for e := up.low; e <= up.high; e++ {
		at := down(up.at(math.Pow(10, e)))
		fmt.Fprintf(b, `<path d="M%.1f %.1fH%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+
			"\n",
			across(0), at, across(1), chartLeft-6, at+4, tick(e))
	}
	fmt.Fprintf(b, `<path d="M%.1f %.1fV%.1fH%.1f" fill="none" stroke="#000"/>`+"\n", across(0), down(1), down(0),
		across(1))
}

// tick names a power of ten seconds.
func tick(exponent float64) string {
	for _, unit := range []struct {
		name string
		from float64
	}{{"s", 0}, {"ms", -3}, {"µs", -6}} {
		if exponent >= unit.from {
			return fmt.Sprintf("%.0f %s", math.Pow(10, exponent-unit.from), unit.name)
		}
	}
	return fmt.Sprintf("%.0f ns", math.Pow(10, exponent+9))
}

// legend draws the k-th entry of the legend, with its mark before it.
func legend(b *strings.Builder, k int, mark, name string) {
	fmt.Fprintf(b, `<g transform="translate(%.0f %d)">%s<text x="26" y="4">%s</text></g>`+"\n", across(1)+16,
		chartTop+8+20*k, mark, html.EscapeString(escape.Text(name)))
}

// cactus draws, for each contender, the times of the questions that it decided in ascending order:
// a line that reaches farther right decided more, a lower one was faster.
func cactus(rows []Row) string {
	var all []float64
	most := 1
	var lines [][]float64
	contenders := ByContender(rows)
	for _, mine := range contenders {
		var took []float64
		for k := range mine {
			if mine[k].Decided() {
				took = append(took, seconds(mine[k].Median()))
			}
		}
		sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
		lines = append(lines, took)
		all, most = append(all, took...), max(most, len(took))
	}
	up := timesOf(all)
	var b strings.Builder
	frame(&b, "Cactus: time of the n-th easiest question", "questions decided", "time of one question", up)
	fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="end">%d</text>`+"\n", across(1), down(0)+18, most)
	for i, took := range lines {
		color := colors[i%len(colors)]
		legend(&b, i, fmt.Sprintf(`<path d="M0 0h20" stroke="%s" stroke-width="2"/>`, color),
			fmt.Sprintf("%s (%d)", contenders[i][0].Name(), len(took)))
		if len(took) == 0 {
			continue
		}
		var path, marks strings.Builder
		for k, t := range took {
			x, y := across(float64(k+1)/float64(most)), down(up.at(t))
			fmt.Fprintf(&path, "%.1f %.1f ", x, y)
			fmt.Fprintf(&marks, `<circle cx="%.1f" cy="%.1f" r="2"/>`, x, y)
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/><g fill="%[2]s">%s</g>`+
			"\n", path.String(),
			color, marks.String())
	}
	return b.String()
}

// scatter draws each question that both took as a point: its time by one against its time by the
// other. Hollow points were not decided by one of the two.
func scatter(rows []Row, xName, yName string) string {
	type point struct {
		x, y   float64
		hollow bool
	}
	var points []point
	var xs, ys []float64
	count := [2]int{}
	for _, group := range ByQuestion(rows) {
		var x, y *Row
		for i := range group {
			switch group[i].Name() {
			case xName:
				x = &group[i]
			case yName:
				y = &group[i]
			}
		}
		if x == nil || y == nil || x.Unsupported() || y.Unsupported() {
			continue
		}
		p := point{seconds(x.Median()), seconds(y.Median()), !x.Decided() || !y.Decided()}
		points, xs, ys = append(points, p), append(xs, p.x), append(ys, p.y)
		if p.hollow {
			count[1]++
		} else {
			count[0]++
		}
	}
	right, up := timesOf(xs), timesOf(ys)
	var b strings.Builder
	frame(&b, yName+" against "+xName, "time of "+xName, "time of "+yName, up)
	for e := right.low; e <= right.high; e++ {
		at := across(right.at(math.Pow(10, e)))
		fmt.Fprintf(&b,
			`<path d="M%.1f %.1fV%.1f" stroke="#ddd"/><text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n",
			at, down(0), down(1), at, down(0)+18, tick(e))
	}
	if low, high := max(right.low, up.low), min(right.high, up.high); low < high {
		from, to := math.Pow(10, low), math.Pow(10, high)
		fmt.Fprintf(&b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="#999" stroke-dasharray="4"/>`+"\n",
			across(right.at(from)),
			down(up.at(from)), across(right.at(to)), down(up.at(to)))
		legend(&b, 0, `<path d="M0 0h20" stroke="#999" stroke-dasharray="4"/>`, "equal")
	}
	styles := [2]string{fmt.Sprintf(`fill="%s"`, colors[0]), fmt.Sprintf(`fill="none" stroke="%s"`, colors[0])}
	for k, name := range [2]string{"both decided", "one gave up"} {
		if count[k] > 0 {
			legend(&b, k+1, fmt.Sprintf(`<circle cx="10" cy="0" r="3" %s/>`, styles[k]),
				fmt.Sprintf("%s (%d)", name, count[k]))
		}
	}
	for _, p := range points {
		style := styles[0]
		if p.hollow {
			style = styles[1]
		}
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" %s/>`+"\n", across(right.at(p.x)), down(up.at(p.y)), style)
	}
	return b.String()
}
