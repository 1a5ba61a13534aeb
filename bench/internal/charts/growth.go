package charts

import (
	"fmt"
	"io"
	"slices"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Curve is the time of one engine against the length of histories of one kind.
type Curve struct {
	Kind, Engine string
	Slope        string // in words, "" if unknown
	Lengths      []int  // operations
	Times        []time.Duration
}

// Growth writes, as one SVG file, a chart for each engine with a line for each kind of history.
// Both axes are logarithmic: a straight line is a power of the length.
func Growth(w io.Writer, curves []Curve) error {
	var engines []string
	var all []float64
	low, high := 1000, 10_000
	for _, c := range curves {
		if !slices.Contains(engines, c.Engine) {
			engines = append(engines, c.Engine)
		}
		for i, t := range c.Times {
			all = append(all, seconds(t))
			low, high = min(low, c.Lengths[i]), max(high, c.Lengths[i])
		}
	}
	var pictures []*plot.Plot
	for _, engine := range engines {
		p := frame(engine+": time against length", "operations", "user time of one check")
		times(&p.Y, all)
		p.X.Min, p.X.Max = float64(low), float64(high)
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		i := 0
		for _, c := range curves {
			if c.Engine != engine || len(c.Times) == 0 {
				continue
			}
			points := make(plotter.XYs, len(c.Times))
			for k, t := range c.Times {
				points[k] = plotter.XY{X: float64(c.Lengths[k]), Y: seconds(t)}
			}
			name := c.Kind
			if c.Slope != "" {
				name = fmt.Sprintf("%s (slope %s)", c.Kind, c.Slope)
			}
			if err := addLine(p, name, i, points); err != nil {
				return err
			}
			i++
		}
		pictures = append(pictures, p)
	}
	return tile(w, pictures)
}
