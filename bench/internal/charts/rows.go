package charts

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/bench"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SVG writes the charts of rows, one below the other, as one SVG file that loads nothing else.
func SVG(w io.Writer, rows []bench.Row) error {
	charts, err := of(rows)
	if err != nil {
		return err
	}
	return tile(w, charts)
}

// HTML writes the table and the charts of rows as one page that loads nothing else.
func HTML(w io.Writer, rows []bench.Row) error {
	var table strings.Builder
	if err := bench.NewReport(rows).Text(&table); err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := SVG(&picture, rows); err != nil {
		return err
	}
	_, svg, _ := strings.Cut(picture.String(), "<svg") // without the XML declaration
	_, err := fmt.Fprintf(w,
		"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>linsat "+
			"bench</title></head>\n<body>\n<h1>linsat bench</h1>\n<pre>%s</pre>\n<svg%s</body></html>\n",
		html.EscapeString(table.String()), svg)
	return err
}

// of returns the charts of rows: the cactus plot, and the scatter plot where there are two
// contenders.
func of(rows []bench.Row) ([]*plot.Plot, error) {
	first, err := cactus(rows)
	if err != nil {
		return nil, err
	}
	all := []*plot.Plot{first}
	if x, y, ok := rivals(rows); ok {
		second, err := scatter(rows, x, y)
		if err != nil {
			return nil, err
		}
		all = append(all, second)
	}
	return all, nil
}

// rivals chooses the two contenders of the scatter plot: the search and the first SAT contender, or
// else the first two. ok is false if there are fewer than two.
func rivals(rows []bench.Row) (x, y string, ok bool) {
	var names []string
	for _, mine := range bench.ByContender(rows) {
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

// cactus draws, for each contender, the times of the histories that it decided in ascending order:
// a line that reaches farther right decided more, a lower one was faster.
func cactus(rows []bench.Row) (*plot.Plot, error) {
	p := frame("Cactus: time of the n-th easiest history", "histories decided", "time of one history")
	var all []float64
	most := 1
	for i, mine := range bench.ByContender(rows) {
		var took []float64
		for k := range mine {
			if mine[k].Decided() {
				took = append(took, seconds(mine[k].Median()))
			}
		}
		slices.Sort(took)
		all, most = append(all, took...), max(most, len(took))
		points := make(plotter.XYs, len(took))
		for k, t := range took {
			points[k] = plotter.XY{X: float64(k + 1), Y: t}
		}
		if err := addLine(p, fmt.Sprintf("%s (%d)", mine[0].Name(), len(took)), i, points); err != nil {
			return nil, err
		}
	}
	p.X.Min, p.X.Max = 0, float64(most)
	times(&p.Y, all)
	return p, nil
}

// scatter draws each history that both took as a point: its time by one against its time by the
// other. Hollow points were not decided by one of the two.
func scatter(rows []bench.Row, xName, yName string) (*plot.Plot, error) {
	var points, hollow plotter.XYs
	var all []float64
	for _, group := range bench.ByFile(rows) {
		var x, y *bench.Row
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
		at := plotter.XY{X: seconds(x.Median()), Y: seconds(y.Median())}
		all = append(all, at.X, at.Y)
		if x.Decided() && y.Decided() {
			points = append(points, at)
		} else {
			hollow = append(hollow, at)
		}
	}
	p := frame(yName+" against "+xName, "time of "+xName, "time of "+yName)
	times(&p.X, all)
	times(&p.Y, all)
	equal := plotter.NewFunction(func(x float64) float64 { return x })
	equal.XMin, equal.XMax = p.X.Min, p.X.Max
	equal.Color, equal.Dashes = color.Gray{150}, []vg.Length{vg.Points(4)}
	p.Add(equal)
	p.Legend.Add("equal", equal)
	for _, kind := range []struct {
		name  string
		at    plotter.XYs
		shape draw.GlyphDrawer
	}{{"both decided", points, draw.CircleGlyph{}}, {"one gave up", hollow, draw.RingGlyph{}}} {
		if len(kind.at) == 0 {
			continue
		}
		marks, err := plotter.NewScatter(kind.at)
		if err != nil {
			return nil, err
		}
		marks.GlyphStyle = draw.GlyphStyle{Color: colors[0], Radius: vg.Points(2.5), Shape: kind.shape}
		p.Add(marks)
		p.Legend.Add(fmt.Sprintf("%s (%d)", kind.name, len(kind.at)), marks)
	}
	return p, nil
}
