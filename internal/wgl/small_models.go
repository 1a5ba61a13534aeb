package wgl

// What: deques, quickly, if one or two values refute them. A legal sequence stays legal without all
// operations on a value. So a linearizable history stays linearizable when restricted to some of
// its values. Each value is tried alone, then together with each of the next ones that may be
// present at the same time.
//
// Source: small models, as for queues and stacks with distinct values (Abdulla et al., TACAS'13;
// Henzinger et al., CONCUR'13).
//
// What we changed: for deques two values are not always enough, so this refutes or does not decide.
// An operation of unknown result may have taken any value. It is tried with all of them, as one
// that need not take effect: at each end as many as there are items to take, the first ones called.
// Operations that found nothing, or saw an unknown value, are omitted.
//
// Invariant: whatever is omitted or added only makes a linearization easier to find.
//
// Cost: a few steps for each value and each of maxBeside later ones.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// smallModels tries some values of a deque without the others.
type smallModels struct {
	*engine.Account
	initial []int32
	lives   []life
	wild    []laneOp // removals of unknown result

	ops  []laneOp // those that are tried
	left int      // steps of the try
}

// life is a value with its operations, from the first call to the last return; it lasts for ever if
// the value may stay.
type life struct {
	value       int32
	first, last history.Rank
	ops         []laneOp
}

// newSmallModels sorts the operations of a deque by value; initial lists its values from the front.
func newSmallModels(ops []laneOp, initial []int32, b *engine.Account) *smallModels {
	s := &smallModels{Account: b, initial: initial}
	at := map[int32]int{}
	for i := range ops {
		o := ops[i]
		switch {
		case o.does == model.Remove && o.wild():
			o.ret = history.Never
			s.wild = append(s.wild, o)
		case o.value >= 0:
			k, known := at[o.value]
			if !known {
				k = len(s.lives)
				at[o.value] = k
				s.lives = append(s.lives, life{value: o.value, first: o.call})
			}
			s.lives[k].ops = append(s.lives[k].ops, o)
		}
	}
	for k := range s.lives {
		l := &s.lives[k]
		removed := 0
		for _, o := range l.ops {
			l.first, l.last = min(l.first, o.call), max(l.last, o.ret)
			switch o.does {
			case model.Insert:
				removed--
			case model.Remove:
				removed++
			}
		}
		if slices.Contains(initial, l.value) {
			l.first, removed = -1, removed-1
		}
		if removed < 0 {
			l.last = history.Never
		}
	}
	slices.SortFunc(s.wild, func(x, y laneOp) int { return cmp.Compare(x.call, y.call) })
	sort.Slice(s.lives, func(i, j int) bool {
		x, y := &s.lives[i], &s.lives[j]
		return x.first < y.first || x.first == y.first && x.value < y.value
	})
	return s
}

// search returns failed if the operations on some one or two values have no legal order, else
// undecided.
func (s *smallModels) search() outcome {
	for k := range s.lives {
		if !s.possible(s.lives[k : k+1]...) {
			return failed
		}
	}
	for k := range s.lives {
		x := &s.lives[k]
		for n := k + 1; n < min(k+1+maxBeside, len(s.lives)) && s.lives[n].first <= x.last; n++ {
			if s.Cause != engine.NoCause {
				return undecided
			}
			if !s.possible(*x, s.lives[n]) {
				return failed
			}
		}
	}
	return undecided
}

// linearization returns nil: this search finds none.
func (s *smallModels) linearization() []history.OpID { return nil }

// possible reports whether the operations on some values have a legal order by themselves; it
// returns true if that takes too long.
func (s *smallModels) possible(lives ...life) bool {
	s.ops = s.ops[:0]
	var contents []int32
	for _, l := range lives {
		if len(s.ops)+len(l.ops) > maxAlone {
			return true
		}
		s.ops = append(s.ops, l.ops...)
	}
	last := history.Rank(-1)
	for i := range s.ops {
		if s.ops[i].ret < history.Never {
			last = max(last, s.ops[i].ret)
		}
	}
	for _, v := range s.initial {
		if slices.ContainsFunc(lives, func(l life) bool { return l.value == v }) {
			contents = append(contents, v)
		}
	}
	items := len(contents)
	for i := range s.ops {
		if s.ops[i].does == model.Insert {
			items++
		}
	}
	var wild [2]int
	for _, o := range s.wild {
		// more have nothing to take, and the first called can do what later ones can
		if wild[o.end] < items && o.call < last {
			s.ops = append(s.ops, o)
			wild[o.end]++
		}
	}
	if len(s.ops) > maxAlone {
		return true
	}
	s.left = maxOrders
	yes := s.place(0, contents)
	return !s.Spend(int64(maxOrders-s.left)) || yes || s.left <= 0
}

// place reports whether the remaining operations can follow.
func (s *smallModels) place(done uint32, contents []int32) bool {
	if s.left--; s.left <= 0 {
		return true
	}
	limit := history.Never
	for i := range s.ops {
		if done&(1<<i) == 0 {
			limit = min(limit, s.ops[i].ret)
		}
	}
	if limit == history.Never { // the rest never returned
		return true
	}
	for i := range s.ops {
		o := &s.ops[i]
		if done&(1<<i) != 0 || o.call > limit {
			continue
		}
		if next, legal := onContents(o, contents); legal && s.place(done|1<<i, next) {
			return true
		}
	}
	return false
}

// onContents returns the contents of a deque, front first, after one operation.
func onContents(o *laneOp, contents []int32) (next []int32, legal bool) {
	n := len(contents)
	if o.does == model.Insert {
		if o.end == 0 {
			return append([]int32{o.value}, contents...), true
		}
		return append(contents[:n:n], o.value), true
	}
	if n == 0 {
		return nil, false
	}
	at, rest := contents[n-1], contents[:n-1]
	if o.end == 0 {
		at, rest = contents[0], contents[1:]
	}
	switch {
	case o.value != model.Anything && o.value != at:
		return nil, false
	case o.does == model.Peek:
		return contents, true
	}
	return rest, true
}
