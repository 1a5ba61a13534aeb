// Package words says why the answer to a question of consistency is no.
package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency/check"
	"github.com/linsat/linsat/internal/inorder"
	levels "github.com/linsat/linsat/internal/isolation/check"
	named "github.com/linsat/linsat/internal/isolation/words"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/words"
)

// Text says in a sentence or two what an answer no rests on, or how far from linearizable a history
// is that is sequential; "" of other answers, or if that is not known.
func Text(h *history.History, a *check.Answer) string {
	p := model.Whole(h)
	switch {
	case a.Verdict == levels.Holds && a.From == a.Question && len(a.Against) > 0:
		return against(h, p, a)
	case a.Verdict != levels.Fails:
		return ""
	case a.Says != "":
		return a.Says
	case a.Pattern == check.ThinAirRead:
		return string(a.Pattern) + ": nobody wrote what " + words.Numbered(p, a.Results[0]) + " shows."
	case len(a.Cases) > 0:
		return cases(h, p, a)
	case len(a.Steps) > 0:
		return steps(h, p, a)
	case a.Certificate != nil && a.Certificate.Causes != nil:
		return impossible(p, a)
	case len(a.Results) == 0:
		return ""
	}
	text := "No order gives these results: " + listed(p, a.Results)
	if a.Question.Name == "buffered-durable" {
		text = "Whatever crashes lose, no order gives these results: " + listed(p, a.Results)
	}
	var order []string
	for _, e := range a.Pairs {
		if len(order) == named.MaxSaid {
			order = append(order, fmt.Sprintf("%d more", len(a.Pairs)-named.MaxSaid))
			break
		}
		order = append(order, pair(h, p, e))
	}
	if len(order) > 0 {
		text += "; since " + strings.Join(order, "; ")
	}
	return text + "."
}

// against says which pairs an order has to put against time.
func against(h *history.History, p *model.Partition, a *check.Answer) string {
	var order []string
	for _, e := range a.Against {
		order = append(order, pair(h, p, e))
	}
	return fmt.Sprintf("It is not linearizable: an order has to put %s against time, and these suffice: %s.",
		words.Count(len(a.Against), "pair"), strings.Join(order, "; "))
}

// steps says a contradiction step by step, and what follows.
func steps(h *history.History, p *model.Partition, a *check.Answer) string {
	var all []string
	for k, s := range a.Steps {
		if k == named.MaxSaid {
			all = append(all, fmt.Sprintf("and %d steps more", len(a.Steps)-named.MaxSaid))
			break
		}
		all = append(all, step(h, p, s))
	}
	text := strings.Join(all, "; ")
	switch {
	case a.ByProcess:
		text = fmt.Sprintf("%s, for process %s: %s", a.Pattern, h.Processes[a.Process], text)
	case a.Pattern != "":
		text = string(a.Pattern) + ": " + text
	}
	switch last := a.Steps[len(a.Steps)-1].After; {
	case a.Initial >= 0:
		return fmt.Sprintf("%s. So %s shows the value at the start although a write comes before it.", text,
			words.Numbered(p, a.Initial))
	case a.Closed:
		return fmt.Sprintf("%s. So %s comes before itself.", text, words.Numbered(p, last))
	}
	return text + ". This goes round in a circle."
}

// cases says for some choices of what reads are from how each contradicts itself.
func cases(h *history.History, p *model.Partition, a *check.Answer) string {
	var all []string
	for k := range a.Cases {
		c := &a.Cases[k]
		why := Text(h, &c.Answer)
		var chosen []string
		for _, x := range c.Chosen {
			from := "the value at the start"
			if x.Write >= 0 {
				from = "what " + words.Numbered(p, x.Write) + " wrote"
			}
			chosen = append(chosen, fmt.Sprintf("%s shows %s", words.Numbered(p, x.Read), from))
		}
		if len(chosen) == 0 { // it needs no choice
			return why
		}
		if 4*k == named.MaxSaid { // each is as long as several
			all = append(all, fmt.Sprintf("There are %d such cases more.", len(a.Cases)-k))
			break
		}
		all = append(all, fmt.Sprintf("If %s: %s", strings.Join(chosen, ", and "), why))
	}
	return "Some values were written more than once, and no choice of writes explains what is read. " +
		strings.Join(all, " ")
}

// impossible says under which causes operations are impossible.
func impossible(p *model.Partition, a *check.Answer) string {
	var all []string
	cases := a.Certificate.Causes.Cases
	for k, x := range cases {
		if 2*k == named.MaxSaid {
			all = append(all, fmt.Sprintf("there are %d such cases more", len(cases)-k))
			break
		}
		text := words.Numbered(p, x.Op) + " is impossible"
		if len(x.With) > 0 {
			text += " with " + listed(p, x.With)
		}
		if len(x.Without) > 0 {
			text += " without " + listed(p, x.Without)
		}
		if len(x.With)+len(x.Without) == 0 {
			text += ", whatever its causes are"
		} else {
			text += " among its causes"
		}
		for n, e := range x.Order {
			if n == named.MaxSaid {
				text += fmt.Sprintf(", and %d orders more", len(x.Order)-n)
				break
			}
			text += fmt.Sprintf(", if %s comes before %s", words.Numbered(p, e.Before), words.Numbered(p, e.After))
		}
		all = append(all, text)
	}
	each := map[string]string{"causal": ", each with those before it in its process",
		"causal-convergence": ", in one order of all"}
	return "No choice of causes explains all results" + each[a.Question.Name] + ": " + strings.Join(all, "; ") + "."
}

// step says why one operation comes before another.
func step(h *history.History, p *model.Partition, s check.Step) string {
	before, after := words.Numbered(p, s.Before), words.Numbered(p, s.After)
	switch s.Kind {
	case check.Reads:
		return fmt.Sprintf("%s shows what %s wrote", after, before)
	case check.Overwritten:
		return fmt.Sprintf("%s shows what %s overwrote", before, after)
	case check.Overwrites:
		return fmt.Sprintf("%s comes before %s, since it comes before %s, which shows what that wrote", before, after,
			words.Numbered(p, s.Read))
	}
	return pair(h, p, history.Edge{Before: s.Before, After: s.After})
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
		if len(names) == named.MaxSaid {
			names = append(names, fmt.Sprintf("%d more", len(ops)-named.MaxSaid))
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
	for _, s := range a.Steps {
		ops = append(ops, s.Before, s.After)
		if s.Kind == check.Overwrites {
			ops = append(ops, s.Read)
		}
	}
	if c := a.Certificate; c != nil && c.Causes != nil {
		for _, x := range c.Causes.Cases {
			ops = slices.Concat(ops, x.With, x.Without)
		}
	}
	for k := range a.Cases {
		ops = append(ops, RestsOn(&a.Cases[k].Answer)...)
		for _, x := range a.Cases[k].Chosen {
			if ops = append(ops, x.Read); x.Write >= 0 {
				ops = append(ops, x.Write)
			}
		}
	}
	return inorder.Distinct(ops)
}
