package main

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/check"
	anomaly "github.com/linsat/linsat/internal/isolation/words"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/words"
)

// The page about a level of isolation: the transactions of the anomaly with the reasons why each
// comes before the next, over the history in time; or the commit order.

// drawn returns the answer that a page is about: the one that was asked, or of all levels the
// weakest that fails, or the strongest that holds.
func (r *isolationReport) drawn() *check.Answer {
	for k := range r.answers {
		if r.answers[k].Verdict == check.Fails {
			return &r.answers[k]
		}
	}
	return &r.answers[len(r.answers)-1]
}

// picture returns a history of transactions with an answer about a level.
func (r *isolationReport) picture() *picture.Picture {
	h := r.from
	a := r.drawn()
	hl := picture.Highlight{}
	note := func(t int32) history.OpID {
		if t == isolation.Initial || r.h.Txns[t].Status == isolation.Aborted {
			return -1
		}
		hl.Operations = append(hl.Operations, r.h.Txns[t].Op)
		return r.h.Txns[t].Op
	}
	if a.Verdict == check.Fails && a.Certificate != nil {
		if found := anomaly.Find(r.h, a.Certificate); found == nil || len(found.Cycle.Edges)+len(found.Places) == 0 {
			for _, t := range anomaly.Named(a.Certificate.Refutation) {
				note(t)
			}
		} else {
			for _, e := range found.Cycle.Edges {
				link := picture.Link{From: note(e.From), To: note(e.To), Why: e.Kind.String()}
				if e.Kind < isolation.Session {
					note(e.Place.Txn)
					link.On = escape.Text(r.h.Objects[e.Object].Name)
				}
				hl.Links = append(hl.Links, link)
			}
			for _, p := range found.Places {
				note(p.Txn)
			}
		}
		hl.Sentences = anomaly.Sentences(r.h, a.Certificate, func(t int32) string {
			if r.h.Txns[t].Status == isolation.Aborted {
				return "one that aborted"
			}
			return "#" + h.ID(r.h.Txns[t].Op)
		})
	}
	p := picture.New(&words.Run{File: r.file, History: h}, hl)
	p.Verdict, p.Answer = a.Level.String(), engine.Linearizable
	switch a.Verdict {
	case check.Fails:
		p.Verdict, p.Answer = "not "+p.Verdict, engine.NotLinearizable
	case check.Unknown:
		p.Verdict, p.Answer = "unknown whether "+p.Verdict, engine.Unknown
	}
	certified := "no"
	if a.Certified() {
		certified = "yes"
	}
	p.Facts = []picture.Fact{{Name: "transactions", Text: fmt.Sprint(len(r.h.Txns))},
		{Name: "objects", Text: fmt.Sprint(len(r.h.Objects))}, {Name: "certified", Text: certified}}
	if a.Unclear != "" {
		p.Facts = append(p.Facts, picture.Fact{Name: "stopped by", Text: escape.Text(a.Unclear)})
	}
	for t := range r.h.Txns {
		if x := &r.h.Txns[t]; x.Status != isolation.Aborted {
			p.Bars[x.Op].Short = escape.Text(anomaly.Accesses(r.h, int32(t)))
		}
	}
	if a.Verdict == check.Holds && a.Certificate != nil && a.Certificate.Witness != nil {
		o := picture.Order{Name: "commit order", Title: "an order of commits that the level allows"}
		for _, e := range a.Certificate.Witness.Events {
			if e >= 0 {
				o.Steps = append(o.Steps, picture.Place{Op: r.h.Txns[e].Op})
			}
		}
		p.Orders = []picture.Order{o}
	}
	return p
}
