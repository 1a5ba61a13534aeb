// Package words says why the answer to a question of consistency is no.
package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency/check"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/words"
)

// Text says in a sentence or two what an answer no rests on; "" of other answers, or if that is not
// known.
func Text(h *history.History, a *check.Answer) string {
	if a.Verdict != levels.Fails || len(a.Results) == 0 || a.Says != "" {
		return a.Says
	}
	p := model.Whole(h)
	text := "No order gives these results: " + listed(p, a.Results)
	if a.Question.Name == "buffered-durable" {
		text = "Whatever crashes lose, no order gives these results: " + listed(p, a.Results)
	}
	var order []string
	for _, e := range a.Pairs {
		if len(order) == mostSaid {
			order = append(order, fmt.Sprintf("%d more", len(a.Pairs)-mostSaid))
			break
		}
		order = append(order, pair(h, p, e))
	}
	if len(order) > 0 {
		text += "; since " + strings.Join(order, "; ")
	}
	return text + "."
}

// pair says why one operation comes before another.
func pair(h *history.History, p *model.Partition, e history.Edge) string {
	before, after := words.Numbered(p, e.Before), words.Numbered(p, e.After)
	if h.Ops[e.Before].Process == h.Ops[e.After].Process {
		return fmt.Sprintf("%s is before %s in process %s", before, after, h.Processes[h.Ops[e.Before].Process])
	}
	if h.Ops[e.Before].Pending() {
		return fmt.Sprintf("%s was open at a crash, after which %s was called", before, after)
	}
	return fmt.Sprintf("%s returned before %s was called", before, after)
}

// listed lists operations.
func listed(p *model.Partition, ops []history.OpID) string {
	var names []string
	for _, i := range ops {
		if len(names) == mostSaid {
			names = append(names, fmt.Sprintf("%d more", len(ops)-mostSaid))
			break
		}
		names = append(names, words.Numbered(p, i))
	}
	return strings.Join(names, ", ")
}

// RestsOn lists the operations of Text, ascending.
func RestsOn(a *check.Answer) []history.OpID {
	ops := slices.Clone(a.Results)
	for _, e := range a.Pairs {
		ops = append(ops, e.Before, e.After)
	}
	slices.Sort(ops)
	return slices.Compact(ops)
}
