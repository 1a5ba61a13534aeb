// Package solve decides, for reads and writes whose values tell the write that a read is from,
// whether each process can see the writes in an order that a question asks for. Of other objects it
// looks for orders: of the causes of an operation (causes.go), and of a queue (queue_order.go).
//
// The way: whom each read is from (sources.go); for each process what it sees, in an order that
// grows until no write stands between a read and its source (view.go); read your writes apart,
// whose reads have no order (own.go), and weak causal consistency, where each read may have an
// order of its own (weak.go); of a contradiction the fewest operations (minimal.go).
package solve

import (
	"context"

	"github.com/linsat/linsat/internal/consistency"
)

// Answer is what is known of a question by views.
type Answer struct {
	// Holds and Fails are both false if it is not decided; Unclear says why.
	Holds, Fails bool
	Unclear      string
	Certificate  *consistency.Certificate
}

// Decide decides a question by views.
func Decide(ctx context.Context, a *consistency.Accesses, q *consistency.Question) Answer {
	s, unclear := newSources(a)
	switch {
	case unclear != "":
		return Answer{Unclear: unclear}
	case s.thinAir >= 0:
		return no(&consistency.Conflict{Process: a.Ops[s.thinAir].Process, Path: path(s.thinAir)})
	case q.Name == "weakly-causal":
		return s.decideWeakly(ctx)
	}
	var views []consistency.View
	for _, p := range s.readers {
		if q.Name == "read-your-writes" {
			order, wrong := s.ownOrder(p)
			if wrong != nil {
				return no(wrong)
			}
			views = append(views, consistency.View{Process: p, Order: order})
			continue
		}
		v := newView(s, q, p, nil)
		ok, err := v.extend(ctx)
		switch {
		case err != nil:
			return Answer{Unclear: err.Error()}
		case !ok:
			return no(s.minimal(ctx, q, v.conflict()))
		}
		views = append(views, consistency.View{Process: p, Order: v.order()})
	}
	return Answer{Holds: true, Certificate: &consistency.Certificate{Views: views}}
}

func no(c *consistency.Conflict) Answer {
	return Answer{Fails: true, Certificate: &consistency.Certificate{Conflict: c}}
}
