package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	claimed "github.com/linsat/linsat/internal/consistency/words"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/stale"
	old "github.com/linsat/linsat/internal/stale/check"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/words"
)

// The pages about a question of consistency and about old reads: what a no rests on, with the
// reasons why one operation comes before another, or the orders that show a yes.

// drawn returns the answer that a page is about: of several the weakest that fails, or else the
// strongest.
func (r *ladderReport) drawn() *check.Answer {
	for k := len(r.answers) - 1; k > 0; k-- {
		if r.answers[k].Verdict == levels.Fails {
			return &r.answers[k]
		}
	}
	return &r.answers[0]
}

// picture returns the history with an answer.
func (r *ladderReport) picture() *picture.Picture {
	a := r.drawn()
	hl := picture.Highlight{}
	if a.Verdict == levels.Fails {
		hl.Operations = claimed.RestsOn(a)
		for _, s := range a.Steps {
			hl.Links = append(hl.Links, picture.Link{From: s.Before, To: s.After, Why: linkWhy[s.Kind]})
		}
		for _, e := range a.Pairs {
			switch {
			case r.h.Ops[e.Before].Process == r.h.Ops[e.After].Process:
				hl.Links = append(hl.Links, picture.Link{From: e.Before, To: e.After, Why: "session"})
			case !r.h.Ops[e.Before].Pending():
				hl.Links = append(hl.Links, picture.Link{From: e.Before, To: e.After, Why: "time"})
			}
		}
	}
	if text := claimed.Text(r.h, a); text != "" {
		hl.Sentences = []string{text}
	}
	var orders []picture.Order
	if a.Verdict == levels.Holds && a.Certificate != nil {
		orders = ordersOf(r.h, a.Certificate)
	}
	verdict := map[levels.Verdict]engine.Verdict{levels.Holds: engine.Linearizable,
		levels.Fails: engine.NotLinearizable}[a.Verdict]
	return pictured(r.file, r.h, r.spec, hl, verdict, a.Question.Name, a.Unclear, a.Certified(), orders)
}

// linkWhy names the reasons of a step as the links of a page do.
var linkWhy = map[check.StepKind]string{check.Process: "session", check.Reads: "wr", check.Overwrites: "ww",
	check.Overwritten: "rw"}

// pictured is a history with an answer to another question than linearizability.
func pictured(file string, h *history.History, spec string, hl picture.Highlight, answer engine.Verdict,
	name, unclear string, certified bool, orders []picture.Order) *picture.Picture {
	p := picture.New(&words.Run{File: file, History: h}, hl)
	p.Answer, p.Orders = answer, orders
	p.Verdict = map[engine.Verdict]string{engine.Linearizable: "", engine.NotLinearizable: "not ",
		engine.Unknown: "unknown whether "}[answer] + escape.Text(name)
	p.Facts = []picture.Fact{{Name: "specification", Text: escape.Text(spec)},
		{Name: "operations", Text: fmt.Sprint(len(h.Ops))},
		{Name: "certified", Text: map[bool]string{true: "yes", false: "no"}[certified]}}
	if unclear != "" {
		p.Facts = append(p.Facts, picture.Fact{Name: "stopped by", Text: escape.Text(unclear)})
	}
	return p
}

// ordersOf returns the orders of a certificate of a yes.
func ordersOf(h *history.History, c *consistency.Certificate) (orders []picture.Order) {
	view := func(p int) string { return "view of process " + escape.Text(h.Processes[p]) }
	switch {
	case c.Reads != nil:
		about := &stale.Certificate{}
		if json.Unmarshal(c.Reads, about) != nil {
			return nil
		}
		return objectOrders(about)
	case c.Order != nil:
		return linearizations(h, c.Order, "order", "an order as the question asks for")
	}
	for _, v := range c.Views {
		name, title := view(int(v.Process)), "what the process sees, up to its last read"
		if c.Question == "weakly-causal" {
			name, title = "order", "causes come first"
		}
		orders = append(orders, sequence(name, title, v.Order))
	}
	if c.Causes != nil {
		for i, order := range c.Causes.Orders {
			if len(order) > 0 {
				name := "causes of #" + escape.Text(h.ID(history.OpID(i)))
				orders = append(orders, sequence(name, "an order that explains it", order))
			}
		}
	}
	for p, text := range c.Hidden {
		orders = append(orders, linearizations(h, text, view(p), "the results of others are left out")...)
	}
	if c.Commits != nil && c.Commits.Witness != nil {
		var ops []history.OpID
		for _, e := range c.Commits.Witness.Events {
			if e >= 0 {
				ops = append(ops, history.OpID(e))
			}
		}
		orders = append(orders, sequence("order", "an order as the question asks for", ops))
	}
	return orders
}

// linearizations returns the orders of a certificate of linearizability about operations of h.
func linearizations(h *history.History, text []byte, name, title string) (orders []picture.Order) {
	c, err := verify.ReadCertificate(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	ids := make(map[string]history.OpID, len(h.Ops))
	for i := range history.OpID(len(h.Ops)) {
		ids[h.ID(i)] = i
	}
	for k := range c.Partitions {
		p := &c.Partitions[k]
		var ops []history.OpID
		for _, i := range p.Witness {
			if op, ok := ids[p.Operations[i]]; ok { // all but what was added for crashes
				ops = append(ops, op)
			}
		}
		title := title
		if len(c.Partitions) > 1 {
			title = fmt.Sprintf("%s, of object %d", title, k+1)
		}
		orders = append(orders, sequence(name, title, ops))
	}
	return orders
}

// objectOrders returns the orders of a certificate about reads.
func objectOrders(c *stale.Certificate) (orders []picture.Order) {
	for k := range c.Orders {
		title := "an order as the question asks for"
		if name := c.Orders[k].Object; name != "" {
			title += ", of " + escape.Text(name)
		}
		orders = append(orders, sequence("order", title, c.Orders[k].Operations))
	}
	return orders
}

// sequence is an order of some operations.
func sequence(name, title string, ops []history.OpID) picture.Order {
	o := picture.Order{Name: name, Title: title}
	for _, i := range ops {
		o.Steps = append(o.Steps, picture.Place{Op: i})
	}
	return o
}

// picture returns the history with an answer about old reads.
func (r *staleReport) picture() *picture.Picture {
	hl := picture.Highlight{}
	if core := r.core(); core != nil {
		hl.Operations = core.Operations
		hl.Sentences = []string{r.notAt(r.sentence())}
	}
	var orders []picture.Order
	if r.Verdict == old.Holds && r.Certificate != nil {
		orders = objectOrders(r.Certificate)
		if late := r.late(); late != "" {
			hl.Sentences = append(hl.Sentences, late)
		}
	}
	verdict := map[old.Verdict]engine.Verdict{old.Holds: engine.Linearizable,
		old.Fails: engine.NotLinearizable}[r.Verdict]
	p := pictured(r.file, r.h.From, r.h.Info.Name, hl, verdict, "", r.Unclear, r.Certified, orders)
	p.Verdict = escape.Text(r.verdict())
	return p
}
