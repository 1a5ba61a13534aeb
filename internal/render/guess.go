package render

import (
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
)

// Guess says, behind the name of a specification, that it was guessed, from what, and what else
// would fit; "" if it was named.
func Guess(h *history.History) string {
	if len(h.Guessed) == 0 {
		return ""
	}
	text := " (guessed from " + escape.Text(strings.Join(h.Guessed, ", "))
	if len(h.AlsoFits) > 0 {
		text += "; " + strings.Join(h.AlsoFits, ", ")
		if len(h.AlsoFits) == 1 {
			text += " fits as well: --spec"
		} else {
			text += " fit as well: --spec"
		}
	}
	return text + ")"
}
