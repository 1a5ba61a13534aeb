package words

import (
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
)

// Guess returns the remark that follows the name of a guessed specification: from which operations
// it was guessed, and what else would fit. It is "" if the specification was named.
func Guess(h *history.History) string { return GuessedFrom(h.Guessed, h.AlsoFits) }

// otherwise is what follows the verdict where a guess decides it.
func (run *Run) otherwise() string {
	if run.Otherwise == "" {
		return ""
	}
	name := run.Result.Spec.Info().Name
	if name == "queue" {
		name = "FIFO queue"
	}
	return " as a " + name + "; linearizable as " + run.Otherwise
}

// GuessedFrom is Guess for a specification that was guessed from functions, where others fit as
// well.
func GuessedFrom(guessed, alsoFits []string) string {
	if len(guessed) == 0 {
		return ""
	}
	text := " (guessed from " + escape.Text(strings.Join(guessed, ", "))
	if len(alsoFits) > 0 {
		text += "; " + strings.Join(alsoFits, ", ")
		if len(alsoFits) == 1 {
			text += " fits as well: --spec"
		} else {
			text += " fit as well: --spec"
		}
	}
	return text + ")"
}
