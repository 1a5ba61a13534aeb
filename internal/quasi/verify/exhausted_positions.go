package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// exhausted checks that slots and places from..to cannot all be filled. The windows must place
// everything else wholly before or wholly after these positions, and no more than that is assumed
// of it: what comes before may have its partner anywhere.
func (j *displacementChecker) exhausted(from, to int32) error {
	if from < 1 || to < from || to > j.m {
		return base.Faultf(positions(from, to), "they are out of range: there are %d", j.m)
	}
	s := &positionSearch{j: j, to: to, seen: map[string]bool{}, laterRet: 1 << 62}
	add := func(op history.OpID, place bool) error {
		window := &j.slot
		if place {
			window = &j.place
		}
		lo, hi := window[0][op], window[1][op]
		switch {
		case hi < from:
			if place {
				s.calls = max(s.calls, j.call(op))
			}
			return nil
		case lo < from:
			return base.Faultf(j.of(op), "its window, %d to %d, overlaps position %d", lo, hi, from)
		case lo > to:
			if !place && !j.empty(op) {
				s.laterRet = min(s.laterRet, j.ret(op))
			}
		}
		s.vars = append(s.vars, unknownPosition{op: op, place: place, lo: lo, hi: hi, other: -1})
		return nil
	}
	for _, i := range j.insertions {
		if err := add(i, false); err != nil {
			return err
		}
	}
	for _, e := range j.empties {
		if err := add(e, false); err != nil {
			return err
		}
	}
	for _, r := range j.removals {
		if err := add(r, true); err != nil {
			return err
		}
	}
	s.link()
	possible, err := s.try(from, s.calls)
	if err == nil && possible {
		err = base.Faultf(positions(from, to), "they can be filled")
	}
	return err
}

// unknownPosition is a slot or a place to be found.
type unknownPosition struct {
	op     history.OpID
	place  bool
	lo, hi int32
	other  int32 // the variable of the other position of the same content, or -1
	at     int32 // its position, 0 while it has none
}

type positionSearch struct {
	j        *displacementChecker
	vars     []unknownPosition
	to       int32
	calls    int64 // the latest call of the removals before
	laterRet int64 // the least return of the insertions whose slots come later
	seen     map[string]bool
	nodes    int
}

// link finds partners, and drops what cannot matter up to position to.
func (s *positionSearch) link() {
	j := s.j
	slots := map[history.OpID]int32{} // operation whose content it is → variable
	find := func() {
		clear(slots)
		for v := range s.vars {
			if !s.vars[v].place {
				slots[s.vars[v].op] = int32(v)
			}
		}
		for v := range s.vars {
			if x := &s.vars[v]; x.place {
				content := x.op
				if !j.empty(x.op) {
					content = j.insertion[j.c.Value[x.op]]
				}
				if o, ok := slots[content]; ok {
					x.other, s.vars[o].other = o, int32(v)
				}
			}
		}
	}
	find()
	kept := s.vars[:0:0]
	for _, x := range s.vars {
		if x.lo <= s.to || x.other >= 0 && s.vars[x.other].lo <= s.to {
			x.other = -1
			kept = append(kept, x)
		}
	}
	for v := range s.vars {
		s.vars[v].other = -1
	}
	s.vars = slices.Clone(kept)
	find()
}

// due returns the last position at which v can be placed.
func (s *positionSearch) due(v int) int32 {
	x := &s.vars[v]
	if x.other >= 0 && s.vars[x.other].at != 0 {
		return min(x.hi, s.vars[x.other].at+s.j.bound)
	}
	return x.hi
}

// try reports whether positions t..to can be filled; calls is the latest call of a removal placed
// before t.
func (s *positionSearch) try(t int32, calls int64) (bool, error) {
	if !s.open(t) {
		return false, nil
	}
	if t > s.to {
		return true, nil
	}
	key := s.key(t)
	if s.seen[key] {
		return false, nil
	}
	if s.nodes++; s.nodes > searchNodes {
		return false, base.Faultf(positions(t, s.to), "%w", base.ErrTooLarge)
	}
	if err := context.Cause(s.j.ctx); err != nil {
		return false, err
	}
	last := t > int32(len(s.j.removals)) // no removal is left to place
	remRet := s.leastRet(true)
	for r := range s.vars {
		x := &s.vars[r]
		if last {
			if ok, err := s.fill(t, calls, remRet); ok || err != nil {
				return ok, err
			}
			break
		}
		if !x.place || x.at != 0 || t < x.lo || t > s.due(r) || s.j.call(x.op) > remRet {
			continue
		}
		x.at = t
		ok, err := s.fill(t, max(calls, s.j.call(x.op)), remRet)
		x.at = 0
		if ok || err != nil {
			return ok, err
		}
	}
	s.seen[key] = true
	return false, nil
}

// fill tries the contents that slot t can have; remRet is the least return of the removals without
// a place before t.
func (s *positionSearch) fill(t int32, calls, remRet int64) (bool, error) {
	insRet := min(s.laterRet, s.leastRet(false))
	if t > int32(len(s.j.removals)) && s.j.drains > 0 {
		calls = 1 << 62 // drains follow every insertion
	}
	for v := range s.vars {
		x := &s.vars[v]
		if x.place || x.at != 0 || t < x.lo || t > s.due(v) {
			continue
		}
		if s.j.empty(x.op) {
			if s.keeps() && calls > insRet {
				continue
			}
		} else if call := s.j.call(x.op); call > insRet || s.keeps() && call > remRet {
			continue
		}
		x.at = t
		ok, err := s.try(t+1, calls)
		x.at = 0
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func (s *positionSearch) keeps() bool { return s.j.r.Meaning == quasi.Slots }

// leastRet returns the least return of the removals without a place, or of the insertions without a
// slot.
func (s *positionSearch) leastRet(place bool) int64 {
	least := int64(1) << 62
	for v := range s.vars {
		x := &s.vars[v]
		if x.place == place && x.at == 0 && (place || !s.j.empty(x.op)) {
			least = min(least, s.j.ret(x.op))
		}
	}
	return least
}

// open reports whether enough positions from t on are left for the variables that are due.
func (s *positionSearch) open(t int32) bool {
	for _, place := range [...]bool{false, true} {
		var due []int32
		for v := range s.vars {
			if s.vars[v].place == place && s.vars[v].at == 0 {
				due = append(due, s.due(v))
			}
		}
		slices.Sort(due)
		for k, d := range due {
			if d < t+int32(k) {
				return false
			}
		}
	}
	return true
}

// key returns what the rest of the search depends on.
func (s *positionSearch) key(t int32) string {
	key := fmt.Appendf(nil, "%d:", t)
	for v := range s.vars {
		switch x := &s.vars[v]; {
		case x.at != 0:
			key = append(key, 'x', ' ')
		case s.due(v) == x.hi:
			key = append(key, '-', ' ')
		default:
			key = fmt.Appendf(key, "%d ", s.due(v))
		}
	}
	return string(key)
}
