package bench

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The size of one picture, and the room for its legend, to the right.
const (
	width  = 9.5 * vg.Inch
	height = 4.5 * vg.Inch
	legend = 3.3 * vg.Inch
)

// colors that the colour-blind tell apart (Okabe and Ito).
var colors = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
	color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
}

// SVG draws the pictures of a benchmark, one below the other, as one file that needs nothing else.
func SVG(w io.Writer, rows []Row) error {
	pictures, err := pictures(rows)
	if err != nil {
		return err
	}
	return tile(w, pictures)
}

// HTML draws the pictures and the table as one page that needs nothing else.
func HTML(w io.Writer, rows []Row) error {
	var table strings.Builder
	if err := NewReport(rows).Text(&table); err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := SVG(&picture, rows); err != nil {
		return err
	}
	_, svg, _ := strings.Cut(picture.String(), "<svg") // what comes before is for files only
	_, err := fmt.Fprintf(w, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>linsat bench</title></head>\n<body>\n<h1>linsat bench</h1>\n<pre>%s</pre>\n<svg%s</body></html>\n",
		html.EscapeString(table.String()), svg)
	return err
}

// tile draws pictures one below the other.
func tile(w io.Writer, pictures []*plot.Plot) error {
	total := height * vg.Length(len(pictures))
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, total))
	for i, p := range pictures {
		below := height * vg.Length(len(pictures)-1-i)
		p.Draw(draw.Crop(draw.New(canvas), 10, -legend, below+10, below+height-total-10))
	}
	_, err := canvas.WriteTo(w)
	return err
}

func pictures(rows []Row) ([]*plot.Plot, error) {
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

// seconds is never 0, so that it has a logarithm.
func seconds(d time.Duration) float64 { return max(d, time.Nanosecond).Seconds() }

// frame is an empty picture with a grid.
func frame(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Add(plotter.NewGrid())
	p.Legend.Top, p.Legend.XOffs, p.Legend.Padding = true, legend-10, vg.Points(2)
	p.Legend.TextStyle.Font.Size = vg.Points(10)
	return p
}

// times makes an axis logarithmic, over whole powers of ten that hold the given seconds, and names those.
func times(a *plot.Axis, seconds []float64) {
	low, high := -6.0, 0.0
	if len(seconds) > 0 {
		low, high = math.Floor(math.Log10(slices.Min(seconds))), math.Ceil(math.Log10(slices.Max(seconds)))
	}
	high = max(high, low+1)
	var ticks []plot.Tick
	for e := low; e <= high; e++ {
		at := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: at, Label: tickName(at)})
	}
	a.Min, a.Max = math.Pow(10, low), math.Pow(10, high)
	a.Scale, a.Tick.Marker = plot.LogScale{}, plot.ConstantTicks(ticks)
}

// tickName names a time of a power of ten, in seconds.
func tickName(s float64) string {
	for _, unit := range []struct {
		name string
		size float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if s > 0.9*unit.size {
			return fmt.Sprintf("%.0f%s", s/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.0fns", s*1e9)
}

// cactus draws, for each contender, the times of the histories that it decided in ascending order: a line that
// reaches farther right decided more, a lower one was faster.
func cactus(rows []Row) (*plot.Plot, error) {
	p := frame("Cactus: time of the n-th easiest history", "histories decided", "time of one history")
	var all []float64
	most := 1
	for i, mine := range byContender(rows) {
		var took []float64
		for k := range mine {
			if mine[k].decided() {
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

// addLine adds a line with marks and its name in the legend; without points only the name.
func addLine(p *plot.Plot, name string, color int, points plotter.XYs) error {
	style := draw.LineStyle{Color: colors[color%len(colors)], Width: vg.Points(1.5)}
	if color >= len(colors) {
		style.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	if len(points) == 0 {
		p.Legend.Add(name, &plotter.Line{LineStyle: style})
		return nil
	}
	line, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.LineStyle = style
	marks.GlyphStyle = draw.GlyphStyle{Color: style.Color, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
	p.Add(line, marks)
	p.Legend.Add(name, line, marks)
	return nil
}

// scatter draws each history that both took as a point: its time by one against its time by the other. Hollow points
// were not decided by one of the two.
func scatter(rows []Row, xName, yName string) (*plot.Plot, error) {
	var points, hollow plotter.XYs
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
		at := plotter.XY{X: seconds(x.Median()), Y: seconds(y.Median())}
		all = append(all, at.X, at.Y)
		if x.decided() && y.decided() {
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
