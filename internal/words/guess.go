package words

import (
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
)

// Guess returns the remark that follows the name of a guessed specification: from which operations
// it was guessed, and what else would fit. It is "" if the specification was named.
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
