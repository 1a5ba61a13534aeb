package localize

import (
	"fmt"
	"html"
	"strings"
)

// Sizes of the drawing, in pixels. rowHeight is that of the table beside it, which page.css sets.
const (
	rowHeight = 43
	treeWidth = 298
	pathX     = 18
	aside     = 62
	radius    = 13
	small     = 8
	siblings  = 2 // that are drawn at one node
)

// tree draws the path of the trace through the interleaving tree, one node next to each step, and
// the outcomes of other decisions. head is the number of rows before the first step.
func (t *Trace) tree(head, rows int) markup {
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="Path through the interleaving tree">`,
		treeWidth, rows*rowHeight, treeWidth, rows*rowHeight)
	y := func(step int) int { return (head+step)*rowHeight + rowHeight/2 }
	for i := range t.Steps {
		to := y(i + 1)
		if i == len(t.Steps)-1 {
			to = rows*rowHeight - rowHeight/2
		}
		fmt.Fprintf(&b, `<path class="edge on" d="M%d %dV%d"/>`, pathX, y(i), to)
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		drawn := 0
		for k := range s.Branches {
			if k == s.Taken || drawn == siblings {
				continue
			}
			c := &s.Branches[k]
			cy := y(i) + rowHeight/2
			if others := len(s.Branches) - 2; others > 0 {
				cy += (2*drawn - 1) * (small + 2)
			}
			drawn++
			fmt.Fprintf(&b, `<path class="edge" d="M%d %dL%d %d"/>`, pathX, y(i), aside, cy)
			disc(&b, aside, cy, small, c.Label, false)
			text := fate(c)
			if drawn == siblings && len(s.Branches)-1 > siblings {
				text += fmt.Sprintf(", and %d more", len(s.Branches)-1-siblings)
			}
			class := "soft"
			switch c.Label {
			case White:
				class = "good"
			case Black:
				class = "bad"
			}
			fmt.Fprintf(&b, `<text class="%s" x="%d" y="%d">%s</text>`, class, aside+small+6, cy+4,
				html.EscapeString(text))
		}
	}
	for i := range t.Steps {
		disc(&b, pathX, y(i), radius, t.Steps[i].Label, t.Steps[i].Critical)
		name(&b, y(i), t.Steps[i].Label)
	}
	end := rows*rowHeight - rowHeight/2
	disc(&b, pathX, end, radius, Black, false)
	fmt.Fprintf(&b, `<text class="bad" x="%d" y="%d">the history fails</text>`, pathX+radius+8, end+4)
	b.WriteString(`</svg>`)
	return markup(b.String())
}

// fate describes in a few words what another decision leads to.
func fate(c *Branch) string {
	who := fmt.Sprintf("thread %d: ", c.Thread)
	if c.Thread < 0 {
		who = fmt.Sprintf("choice %d: ", c.Choice)
	}
	switch {
	case c.Traces == 0:
		return who + "not explored"
	case c.Traces == 1 && c.Failing == 0:
		return who + "the only one is linearizable"
	case c.Traces == 1:
		return who + "the only one fails"
	case c.Failing == 0:
		return who + all(c.Traces) + " linearizable"
	case c.Failing == c.Traces:
		return who + all(c.Traces) + " fail"
	}
	return who + number(c.Failing) + " of " + number(c.Traces) + " fail"
}

// disc draws a node in the colours of its label.
func disc(b *strings.Builder, x, y, r int, l Label, critical bool) {
	left, right := "none", "none"
	switch l {
	case White:
		left, right = "white", "white"
	case Black:
		left, right = "black", "black"
	case Grey:
		left, right = "white", "black"
	case WhiteGrey:
		left, right = "white", "grey"
	case BlackGrey:
		left, right = "black", "grey"
	case GreyGrey:
		left, right = "grey", "grey"
	}
	fmt.Fprintf(b, `<path class="%s" d="M%d %da%d %d 0 0 0 0 %dz"/>`, left, x, y-r, r, r, 2*r)
	fmt.Fprintf(b, `<path class="%s" d="M%d %da%d %d 0 0 1 0 %dz"/>`, right, x, y-r, r, r, 2*r)
	ring := "ring"
	if critical {
		ring += " critical"
	}
	fmt.Fprintf(b, `<circle class="%s" cx="%d" cy="%d" r="%d"/>`, ring, x, y, r)
}

// name writes the label of a node of the path next to it.
func name(b *strings.Builder, y int, l Label) {
	fmt.Fprintf(b, `<text class="name" x="%d" y="%d">%s</text>`, pathX+radius+12, y-6, l)
}
