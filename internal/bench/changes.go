package bench

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"time"

	"github.com/linsat/linsat/internal/escape"
)

// Change is a question that one contender answered otherwise, or in another time, than before.
type Change struct {
	File   string        `json:"file"` // with the flags of the question
	Engine string        `json:"engine"`
	Was    string        `json:"was,omitempty"` // the verdict before, and now, where they differ
	Is     string        `json:"is,omitempty"`
	Before time.Duration `json:"before_ns"`
	After  time.Duration `json:"after_ns"`
}

// Changes compare rows with earlier ones about the same bytes.
type Changes struct {
	Compared int      `json:"compared"`
	Median   float64  `json:"median"`   // of the times now by the times before
	Verdicts []Change `json:"verdicts"` // that differ
	Slower   []Change `json:"slower"`   // at the same verdict, the worst first
	Faster   []Change `json:"faster"`
}

// Since compares rows with earlier ones, contender by contender.
func Since(earlier, rows []Row) *Changes {
	type key struct {
		sum, by string
		Question
	}
	before := map[key]*Row{}
	for i := range earlier {
		r := &earlier[i]
		before[key{r.SHA256, r.Name(), r.Question}] = r
	}
	c := &Changes{}
	var ratios []int64 // in thousandths
	for i := range rows {
		now := &rows[i]
		was := before[key{now.SHA256, now.Name(), now.Question}]
		if was == nil || was.Unsupported() && now.Unsupported() {
			continue
		}
		c.Compared++
		change := Change{File: now.File + now.flags(), Engine: now.Name(), Before: was.Median(), After: now.Median()}
		if was.Verdict != now.Verdict {
			change.Was, change.Is = was.Verdict, now.Verdict
			c.Verdicts = append(c.Verdicts, change)
			continue
		}
		ratio := change.ratio()
		ratios = append(ratios, int64(1000*ratio))
		switch differ := (change.After - change.Before).Abs() >= leastChange; {
		case differ && ratio > worthTelling:
			c.Slower = append(c.Slower, change)
		case differ && ratio < 1/worthTelling:
			c.Faster = append(c.Faster, change)
		}
	}
	slices.Sort(ratios)
	c.Median = float64(quantile(ratios, 0.5)) / 1000
	sort.SliceStable(c.Slower, func(i, j int) bool { return c.Slower[i].ratio() > c.Slower[j].ratio() })
	sort.SliceStable(c.Faster, func(i, j int) bool { return c.Faster[i].ratio() < c.Faster[j].ratio() })
	return c
}

func (c *Change) ratio() float64 { return float64(c.After) / float64(max(c.Before, 1)) }

// Text lists the changes.
func (c *Changes) Text(w io.Writer) error {
	fmt.Fprintf(w, "\n%d answers compared with earlier ones: median %.2f× the time, %d verdicts differ, %d slower, %d "+
		"faster\n", c.Compared, c.Median, len(c.Verdicts), len(c.Slower), len(c.Faster))
	for _, d := range c.Verdicts {
		fmt.Fprintf(w, "  verdict  %s  %s: was %s, is %s\n", escape.Text(d.File), d.Engine, d.Was, d.Is)
	}
	for _, some := range []struct {
		word string
		all  []Change
	}{{"slower", c.Slower}, {"faster", c.Faster}} {
		for i, d := range some.all {
			if i == mostChanges {
				fmt.Fprintf(w, "  … and %d more\n", len(some.all)-i)
				break
			}
			fmt.Fprintf(w, "  %s  %s  %s: %s, was %s (%.1f×)\n", some.word, escape.Text(d.File), d.Engine,
				short(d.After),
				short(d.Before), d.ratio())
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}
