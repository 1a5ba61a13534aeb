package porcupine

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linsat/linsat"
)

// decided is a partition of which the verdict is known, and if there is one an order.
func decided(v linsat.Verdict, order []int) *part {
	return &part{done: true, result: linsat.OpsResult{Result: linsat.Result{Verdict: v}, Witness: order, Unplaced: -1}}
}

// textbookFits reports whether the search of the textbook answers the question: a model that says
// more than its steps is asked by the engines, which test what it says.
func (m *Model) textbookFits() bool {
	return m.As == nil && m.Pieces == nil && m.ReadOnly == nil && m.Revision == nil && m.Quasi.none()
}

// textbookAlone is whether that search is asked at all; tests of the engines ask them alone.
var textbookAlone = true

// decidePart decides one partition: by the search of the textbook while that is quick, and then by
// the engines with it beside them. Who answers first is right.
func (q *question) decidePart(ctx context.Context, ops []Operation, verbose bool) (*part, error) {
	engines := func(ctx context.Context) (*part, error) {
		now := currently(ctx)
		r, err := q.one(now, ops, verbose)
		return &part{done: true, result: r, now: now}, err
	}
	if !textbookAlone || !q.model.textbookFits() || !inOrder(ops) {
		return engines(ctx)
	}
	beside, cancel := context.WithCancel(ctx)
	defer cancel()
	late, over := make(chan struct{}), make(chan struct{}) // the search needs longer; it is over
	var answer *part                                       // when it is over; nil if it has none
	stopped := make(chan *textbook, 1)
	go func() {
		defer close(over)
		defer func() { _ = recover() }() // the engines name what panics
		s := newTextbook(ctx, &q.model, ops)
		stopped <- s
		end := s.run(aloneSteps + aloneEach*len(ops))
		if end == gaveUp && !s.doubtful && !s.stop.Load() {
			close(late)
			end = s.run(math.MaxInt)
		}
		if ctx.Err() != nil {
			return // what a step answers that is cut off means nothing
		}
		switch end {
		case ordered:
			answer = decided(linsat.Linearizable, s.order())
		case refuted:
			answer = decided(linsat.NotLinearizable, nil)
		default:
			return
		}
		answer.quick = true
		cancel()
	}()
	defer context.AfterFunc(ctx, func() { stop(stopped) })()
	defer func() { stop(stopped) }()
	select {
	case <-over:
	case <-late:
	case <-ctx.Done():
	}
	if isOver(over) && answer != nil {
		return answer, nil
	}
	found, err := engines(beside)
	if isOver(over) && answer != nil {
		return answer, nil
	}
	if err == nil && found.result.Verdict == linsat.Unknown {
		select { // they have no answer, and the search may have one
		case <-over:
			if answer != nil {
				return answer, nil
			}
		case <-ctx.Done():
		}
	}
	return found, err
}

// stop stops a search that has begun.
func stop(begun chan *textbook) {
	select {
	case s := <-begun:
		s.stop.Store(true)
	default:
	}
}

func isOver(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// inOrder reports whether no operation returns before it is called, of which the engines say more.
func inOrder(ops []Operation) bool {
	for i := range ops {
		if ops[i].unknown() == nil && ops[i].Return < ops[i].Call {
			return false
		}
	}
	return true
}

// explained returns a partition as the engines know it, with what pages, reasons and certificates
// need. If they have no answer in the time that the check had, the verdict alone is left.
func (q *question) explained(p int, found *part) *part {
	found.asked.Do(func() {
		if !found.quick {
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		if q.timeout > 0 {
			ctx, cancel = context.WithTimeout(context.Background(), q.timeout)
		}
		defer cancel()
		found.now = currently(ctx)
		start := time.Now()
		r, err := q.one(found.now, q.parts[p], true)
		switch {
		case err != nil && ctx.Err() == nil:
			panic(err)
		case err == nil && r.Verdict != linsat.Unknown && r.Verdict != found.result.Verdict:
			panic(fmt.Errorf("porcupine: partition %d is %v to one search and %v to another; please report this", p,
				found.result.Verdict, r.Verdict))
		case err != nil || r.Verdict == linsat.Unknown:
			r.Verdict, r.Witness = found.result.Verdict, found.result.Witness
			if r.Verdict == linsat.NotLinearizable {
				r.Explanation = fmt.Sprintf("not linearizable: every order was tried; no reason was found in %v",
					time.Since(start).Round(time.Millisecond))
			}
		}
		found.result = r
	})
	return found
}
