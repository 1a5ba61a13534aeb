package collections

// What: the three questions that others ask: a queue, a stack, a deque. An answer that is unknown
// has a cause if the account stopped the search, and none if a search does not take the partition
// or reached limits of its own.

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// Queue decides a partition that is one queue, of theory t, without explicit order.
func Queue(b *model.Instance, t *model.CollectionTheory, account *engine.Account) engine.Answer {
	s := newFIFO(b, t, account)
	if s == nil {
		return engine.Answer{}
	}
	a, _ := answered(s, account)
	return a
}

// Stack decides a partition that is one stack, of theory t, without explicit order.
func Stack(b *model.Instance, t *model.CollectionTheory, account *engine.Account) engine.Answer {
	s := newWindowSearch(b, t, account)
	if s == nil {
		return engine.Answer{}
	}
	a, o := answered(s, account)
	if o == failed {
		a.Proof, a.Reached = s.evidence(t), s.reached
	}
	return a
}

// Deque decides a partition that is one deque. It does not decide others.
func Deque(b *model.Instance, account *engine.Account) engine.Answer {
	ops, initial, ok := dequeOps(b)
	if !ok {
		return engine.Answer{}
	}
	s := newDequeSearch(ops, initial, account)
	if s == nil {
		return engine.Answer{}
	}
	a, o := answered(s, account)
	if o == failed {
		a.Reached = s.reached()
	}
	return a
}

// answered runs a search.
func answered(s collectionSearch, account *engine.Account) (a engine.Answer, o outcome) {
	switch o = s.search(); o {
	case found:
		a.Verdict, a.Witness = engine.Linearizable, s.linearization()
	case failed:
		a.Verdict = engine.NotLinearizable
	case gaveUp:
		a.Cause = account.Cause
	}
	return a, o
}
