package charts

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
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
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255},
	color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
}

// tile writes pictures one below the other.
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

// times makes an axis logarithmic, over whole powers of ten that hold the given seconds, and names
// those.
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
