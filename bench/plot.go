package bench

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// The size of one picture and of its margins, in pixels.
const (
	width, height = 640, 440
	left, bottom  = 70, 50
	top, right    = 40, 150
)

var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// SVG draws both pictures, one below the other, as one file that needs nothing else.
func SVG(w io.Writer, rows []Row) error {
	pictures := pictures(rows)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", width, height*len(pictures))
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	for i, p := range pictures {
		fmt.Fprintf(&b, `<g transform="translate(0,%d)">`+"\n%s</g>\n", i*height, p)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// HTML draws both pictures and the table as one page that needs nothing else.
func HTML(w io.Writer, rows []Row) error {
	var table strings.Builder
	if err := NewReport(rows).Text(&table); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>linsat bench</title></head>\n<body>\n<h1>linsat bench</h1>\n")
	fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(table.String()))
	if err := SVG(&b, rows); err != nil {
		return err
	}
	b.WriteString("</body></html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func pictures(rows []Row) []string {
	all := []string{cactus(rows)}
	if x, y, ok := rivals(rows); ok {
		all = append(all, scatter(rows, x, y))
	}
	return all
}

// rivals chooses whom to compare point by point: the search and the first SAT contender, or else the first two.
func rivals(rows []Row) (x, y string, ok bool) {
	var names []string
	for _, mine := range byContender(rows) {
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

// axis maps numbers to pixels.
type axis struct {
	low, high float64 // numbers; logarithms of base 10 where log
	from, to  float64 // pixels
	log       bool
}

func (a axis) at(v float64) float64 {
	if a.log {
		v = math.Log10(v)
	}
	return a.from + (v-a.low)/(a.high-a.low)*(a.to-a.from)
}

// timeAxis spans the times, in seconds, in whole powers of ten.
func timeAxis(seconds []float64, from, to float64) axis {
	a := axis{low: -6, high: 0, from: from, to: to, log: true}
	if len(seconds) > 0 {
		a.low, a.high = math.Floor(math.Log10(slices.Min(seconds))), math.Ceil(math.Log10(slices.Max(seconds)))
	}
	a.high = max(a.high, a.low+1)
	return a
}

// seconds is never 0, so that it has a logarithm.
func seconds(d time.Duration) float64 { return max(d, time.Nanosecond).Seconds() }

func tick(exponent int) string {
	names := []string{"1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"}
	if k := exponent + 9; k >= 0 && k < len(names) {
		return names[k]
	}
	return fmt.Sprintf("1e%d s", exponent)
}

// frame draws the title, the box and the grid of times.
func frame(b *strings.Builder, title, xLabel, yLabel string, x, y axis) {
	fmt.Fprintf(b, `<text x="%d" y="%d" font-size="15">%s</text>`+"\n", left, top-16, html.EscapeString(title))
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#333"/>`+"\n", left, top, width-left-right, height-top-bottom)
	for e := y.low; e <= y.high; e++ {
		at := y.at(math.Pow(10, e))
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left, at, width-right, left-6, at+4, tick(int(e)))
	}
	if x.log {
		for e := x.low; e <= x.high; e++ {
			at := x.at(math.Pow(10, e))
			fmt.Fprintf(b, `<path d="M%.1f %dV%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", at, top, height-bottom, at, height-bottom+16, tick(int(e)))
		}
	} else {
		for _, v := range []float64{x.low, math.Round((x.low + x.high) / 2), x.high} {
			fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%g</text>`+"\n", x.at(v), height-bottom+16, v)
		}
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (left+width-right)/2, height-bottom+36, html.EscapeString(xLabel))
	fmt.Fprintf(b, `<text transform="translate(14,%d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", (top+height-bottom)/2, html.EscapeString(yLabel))
}

// cactus draws, for each contender, the times of the histories that it decided in ascending order: a line that
// reaches farther right decided more, a lower one was faster.
func cactus(rows []Row) string {
	var b strings.Builder
	var all []float64
	groups := byContender(rows)
	times := make([][]float64, len(groups))
	most := 1
	for i, mine := range groups {
		for k := range mine {
			if mine[k].decided() {
				times[i] = append(times[i], seconds(mine[k].Median()))
			}
		}
		slices.Sort(times[i])
		all = append(all, times[i]...)
		most = max(most, len(times[i]))
	}
	x := axis{low: 0, high: float64(most), from: left, to: width - right}
	y := timeAxis(all, height-bottom, top)
	frame(&b, "Cactus: time of the n-th easiest history", "histories decided", "time of one history", x, y)
	for i, mine := range groups {
		color := colors[i%len(colors)]
		var points strings.Builder
		for k, t := range times[i] {
			fmt.Fprintf(&points, "%.1f,%.1f ", x.at(float64(k+1)), y.at(t))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.TrimSpace(points.String()), color)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s (%d)</text>`+"\n", width-right+10, top+14+18*i, color, html.EscapeString(mine[0].Name()), len(times[i]))
	}
	return b.String()
}

// scatter draws each history that both took as a point: its time by one against its time by the other. Hollow points
// were not decided by one of the two.
func scatter(rows []Row, xName, yName string) string {
	type point struct {
		file   string
		x, y   float64
		hollow bool
	}
	var points []point
	var all []float64
	for _, group := range byFile(rows) {
		var x, y *Row
		for i := range group {
			switch group[i].Name() {
			case xName:
				x = &group[i]
			case yName:
				y = &group[i]
			}
		}
		if x == nil || y == nil || x.notMine() || y.notMine() {
			continue
		}
		p := point{x.File, seconds(x.Median()), seconds(y.Median()), !x.decided() || !y.decided()}
		points, all = append(points, p), append(all, p.x, p.y)
	}
	x, y := timeAxis(all, left, width-right), timeAxis(all, height-bottom, top)
	var b strings.Builder
	frame(&b, yName+" against "+xName, "time of "+xName, "time of "+yName, x, y)
	fmt.Fprintf(&b, `<path d="M%d %dL%d %d" stroke="#999" stroke-dasharray="4"/>`+"\n", left, height-bottom, width-right, top)
	for _, p := range points {
		fill := colors[0]
		if p.hollow {
			fill = "white"
		}
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s" stroke="%s"><title>%s</title></circle>`+"\n", x.at(p.x), y.at(p.y), fill, colors[0], html.EscapeString(p.file))
	}
	return b.String()
}
