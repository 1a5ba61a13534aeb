package words

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
)

// rearranged prints ρ′ and ρ″ one above the other, place by place. Operations at another place in
// the other sequence are marked by *. Long runs of equal places are left out.
func (s Style) rearranged(w io.Writer, p *model.Partition, first, second []history.OpID) {
	type column struct{ up, down string }
	var columns []column
	displaced := 0
	shown := s.places(first, second)
	for k := 0; k < len(first); k++ {
		if !shown[k] {
			gap, word := k, "alike"
			for ; k < len(first) && !shown[k]; k++ {
				if first[k] != second[k] {
					word = "more"
				}
			}
			dots := fmt.Sprintf("… %d %s …", k-gap, word)
			k--
			columns = append(columns, column{dots, dots})
			continue
		}
		up, down := escape.Text(Numbered(p, first[k])), escape.Text(Numbered(p, second[k]))
		if first[k] != second[k] {
			up, down = up+" *", down+" *"
			displaced++
		}
		columns = append(columns, column{up, down})
	}
	for len(columns) > 0 {
		var up, down strings.Builder
		width := 0
		n := 0
		for _, c := range columns {
			most := max(utf8.RuneCountInString(c.up), utf8.RuneCountInString(c.down))
			if n > 0 && width+most+3 > lineWidth {
				break
			}
			up.WriteString(s.cell(c.up, most))
			down.WriteString(s.cell(c.down, most))
			width += most + 3
			n++
		}
		columns = columns[n:]
		escape.Fprintf(w, "  ρ′  %s\n  ρ″  %s\n", escape.Safe(strings.TrimRight(up.String(), " ")),
			escape.Safe(strings.TrimRight(down.String(), " ")))
		if len(columns) > 0 {
			fmt.Fprintln(w)
		}
	}
	if displaced > 0 {
		escape.Fprintf(w, "  * at a different place in the other sequence\n")
	}
}

// cell pads text, which is escaped, to width, painted if it is displaced.
func (s Style) cell(text string, width int) string {
	pad := strings.Repeat(" ", width-utf8.RuneCountInString(text)+3)
	if strings.HasSuffix(text, "*") {
		return string(s.Paint(Yellow, text)) + pad
	}
	return text + pad
}

// places chooses what to show: all of a short sequence; of a long one the displaced operations and
// a place before and after each, as many as s.Witness allows.
func (s Style) places(first, second []history.OpID) []bool {
	shown := make([]bool, len(first))
	if s.Witness < 0 || len(first) <= s.Witness {
		for k := range shown {
			shown[k] = true
		}
		return shown
	}
	left := s.Witness
	show := func(k int) {
		if k >= 0 && k < len(shown) && !shown[k] && left > 0 {
			shown[k] = true
			left--
		}
	}
	for k := range first {
		if first[k] != second[k] {
			show(k - 1)
			show(k)
			show(k + 1)
		}
	}
	for k := range first {
		show(k)
	}
	return shown
}
