package words

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/words"
)

// Sentence says in a sentence why the answer is no, given a core that a verifier accepts.
func Sentence(h *stale.History, q stale.Question, core *stale.Core) string {
	if core.Lemmas != nil {
		return refuted(h, q, core)
	}
	s := newSpeaker(h, q, core)
	if s == nil {
		return ""
	}
	for _, say := range []func() string{s.unwritten, s.early, s.overwritten, s.inTurn} {
		if text := say(); text != "" {
			return text
		}
	}
	return s.disorder()
}

// refuted is what is said of a core that clauses refute: its operations, and what is stated of
// their order.
func refuted(h *stale.History, q stale.Question, core *stale.Core) string {
	s := &speaker{h: h, q: q, part: model.Whole(h.From)}
	for k := range h.Objects {
		for i := range h.Objects[k].Ops {
			if slices.Contains(core.Operations, h.Objects[k].Ops[i].ID) {
				s.ops = append(s.ops, &h.Objects[k].Ops[i])
			}
		}
	}
	sort.Slice(s.ops, func(i, j int) bool { return s.ops[i].Call < s.ops[j].Call })
	text := s.disorder()
	var tied []string
	for _, e := range h.From.Edges {
		if slices.Contains(core.Operations, e.Before) && slices.Contains(core.Operations, e.After) {
			tied = append(tied, words.Numbered(s.part, e.Before)+" before "+words.Numbered(s.part, e.After))
		}
	}
	if len(tied) > mostNamed+1 {
		tied = append(tied[:mostNamed], fmt.Sprintf("and %d pairs more", len(tied)-mostNamed))
	}
	if len(tied) > 0 {
		text += " The history states " + strings.Join(tied, ", ") + "."
	}
	return text
}

// speaker speaks of a core.
type speaker struct {
	h    *stale.History
	q    stale.Question
	o    *stale.Object
	part *model.Partition
	ops  []*stale.Op // of the core, by call
}

func newSpeaker(h *stale.History, q stale.Question, core *stale.Core) *speaker {
	k := slices.IndexFunc(h.Objects, func(o stale.Object) bool { return o.Name == core.Object })
	if k < 0 {
		return nil
	}
	s := &speaker{h: h, q: q, o: &h.Objects[k], part: model.Whole(h.From)}
	for i := range s.o.Ops {
		if slices.Contains(core.Operations, s.o.Ops[i].ID) {
			s.ops = append(s.ops, &s.o.Ops[i])
		}
	}
	return s
}

func (s *speaker) name(o *stale.Op) string { return words.Numbered(s.part, o.ID) }

// by is name with the process.
func (s *speaker) by(o *stale.Op) string {
	return s.name(o) + " of process " + s.h.From.Processes[s.h.From.Ops[o.ID].Process]
}

func (s *speaker) list(ops []*stale.Op) string {
	var names []string
	for k, o := range ops {
		if k == mostNamed && len(ops) > mostNamed+1 {
			names = append(names, fmt.Sprintf("and %d more", len(ops)-k))
			break
		}
		names = append(names, s.name(o))
	}
	return strings.Join(names, ", ")
}

// regular reports whether reads are in no order with each other.
func (s *speaker) regular() bool { return s.q.Kind > stale.Moved }

// precedes reports whether a comes before b whatever the order.
func (s *speaker) precedes(a, b *stale.Op) bool {
	switch {
	case a.Return >= b.Call, s.regular() && a.Read && b.Read:
		return false
	case s.q.Kind == stale.Moved && s.q.Bound > 0 && b.Read:
		from, to := s.h.From.Origins[a.ID].ReturnTime, s.h.From.Origins[b.ID].CallTime
		return from < to && uint64(to)-uint64(from) > uint64(s.q.Bound)
	}
	return true
}

// plain reports whether an operation leaves a value behind if it takes effect, always the same.
func plain(o *stale.Op) bool { return !o.Read && len(o.Modes) == 1 && o.Modes[0].Leaves != model.Keep }

// writer returns the only operation of the core that can leave what a read returned; nil, true for
// what is there at the start.
func (s *speaker) writer(read *stale.Op) (w *stale.Op, only bool) {
	v := read.Modes[0].V
	number := 0
	if v == s.o.Initial {
		number++
	}
	for _, o := range s.ops {
		for _, m := range o.Modes {
			if m.Leaves == v {
				w = o
				number++
			}
		}
	}
	return w, number == 1
}

// unwritten is about a read of what nobody wrote.
func (s *speaker) unwritten() string {
	for _, r := range s.ops {
		if w, _ := s.writer(r); r.Read && w == nil && r.Modes[0].V != s.o.Initial {
			return fmt.Sprintf("%s returned what nothing wrote.", s.by(r))
		}
	}
	return ""
}

// early is about a read that returned before all writes of its value were called.
func (s *speaker) early() string {
	for _, r := range s.ops {
		if !r.Read || len(s.writers(r)) > 0 {
			continue
		}
		var later []*stale.Op
		for _, o := range s.ops {
			if slices.ContainsFunc(o.Modes, func(m model.Mode) bool { return m.Leaves == r.Modes[0].V }) {
				later = append(later, o)
			}
		}
		return fmt.Sprintf("%s returned before %s was called, and nothing else leaves that value.", s.by(r), s.list(later))
	}
	return ""
}

// overwritten is about a read of what more writes than the bound allows had overwritten.
func (s *speaker) overwritten() string {
	bound := int64(0)
	if s.q.Kind == stale.Late {
		bound = s.q.Bound
	}
	for _, r := range s.ops {
		if !r.Read {
			continue
		}
		writers := s.writers(r)
		var over, seen []*stale.Op
		for _, x := range s.ops {
			before, by := s.ahead(x, r)
			if !before || !plain(x) || x.Modes[0].Leaves == r.Modes[0].V {
				continue
			}
			shown := []*stale.Op{by}
			for _, w := range writers {
				behind, by := s.after(w, x)
				before = before && behind
				shown = append(shown, by)
			}
			if before {
				over, seen = append(over, x), append(seen, shown...)
			}
		}
		if int64(len(over)) > bound {
			return s.overwrittenBy(r, writers, over, seen)
		}
	}
	return ""
}

// writers returns the operations of the core that can leave what a read returned, nil for what is
// there at the start; not those that the read precedes.
func (s *speaker) writers(read *stale.Op) (list []*stale.Op) {
	v := read.Modes[0].V
	if v == s.o.Initial {
		list = append(list, nil)
	}
	for _, o := range s.ops {
		if slices.ContainsFunc(o.Modes, func(m model.Mode) bool { return m.Leaves == v }) && !s.precedes(read, o) {
			list = append(list, o)
		}
	}
	return list
}

// after reports whether write x comes after w, nil for the start, whatever the order, and the read
// of w that shows it; nil where w itself does.
func (s *speaker) after(w, x *stale.Op) (is bool, by *stale.Op) {
	if w == nil || s.precedes(w, x) {
		return true, nil
	}
	for _, y := range s.ops {
		if from, only := s.writer(y); y.Read && only && from == w && s.precedes(y, x) {
			return true, y
		}
	}
	return false, nil
}

// ahead reports whether write x comes before read r whatever the order, and the read of x that
// shows it; nil where x itself does.
func (s *speaker) ahead(x, r *stale.Op) (is bool, by *stale.Op) {
	if s.precedes(x, r) {
		return true, nil
	}
	for _, y := range s.ops {
		if from, only := s.writer(y); !s.regular() && y.Read && only && from == x && s.precedes(y, r) {
			return true, y
		}
	}
	return false, nil
}

func (s *speaker) overwrittenBy(r *stale.Op, writers, over, seen []*stale.Op) string {
	sort.Slice(over, func(i, j int) bool { return over[i].Call < over[j].Call })
	before := "before it was called"
	if s.q.Kind == stale.Moved && s.q.Bound > 0 {
		before = fmt.Sprintf("more than %s before it was called", s.q.Amount())
	}
	what := "a value that"
	if len(writers) == 1 && writers[0] == nil {
		what = "the value at the start, which"
	}
	text := fmt.Sprintf("%s returned %s %s had overwritten %s: %s", s.by(r), what, words.Count(len(over), "write"),
		before, s.list(over))
	chain := len(over) > 1
	for k := range over[1:] {
		chain = chain && s.precedes(over[k], over[k+1])
	}
	if chain {
		text += ", each after the other"
	}
	seen = slices.DeleteFunc(seen, func(o *stale.Op) bool { return o == nil })
	sort.Slice(seen, func(i, j int) bool { return seen[i].ID < seen[j].ID })
	if seen = slices.Compact(seen); len(seen) > 0 {
		text += "; " + s.list(seen) + " had seen that"
	}
	return text + "."
}

// inTurn is about two values of which each is found after the other.
func (s *speaker) inTurn() string {
	type group struct {
		write *stale.Op // nil for the start
		reads []*stale.Op
	}
	if s.q.Kind == stale.Late && s.q.Bound > 0 {
		return ""
	}
	groups := map[int32]*group{}
	var values []int32
	for _, o := range s.ops {
		if !o.Read {
			if !plain(o) {
				return ""
			}
			continue
		}
		w, only := s.writer(o)
		if !only {
			return ""
		}
		v := o.Modes[0].V
		if groups[v] == nil {
			groups[v] = &group{write: w}
			values = append(values, v)
		}
		groups[v].reads = append(groups[v].reads, o)
	}
	if len(values) != 2 {
		return ""
	}
	// found returns a read of b that is called after a, or a read of it, returned.
	found := func(a, b *group) (first, read *stale.Op) {
		shows := append([]*stale.Op{}, a.reads...)
		if a.write != nil {
			shows = append([]*stale.Op{a.write}, shows...)
		}
		for _, r := range b.reads {
			for _, o := range shows {
				if s.precedes(o, r) {
					return o, r
				}
			}
		}
		return nil, nil
	}
	a, b := groups[values[0]], groups[values[1]]
	first, r := found(a, b)
	second, t := found(b, a)
	if first == nil || second == nil {
		return ""
	}
	return fmt.Sprintf("Each of two values was read after the other: %s was called after %s returned, and %s after %s.",
		s.by(r), s.name(first), s.by(t), s.name(second))
}

// disorder is what is said of other cores.
func (s *speaker) disorder() string {
	what := "in which every read returns the last value"
	switch {
	case s.q.Kind == stale.Late && s.q.Bound == stale.Unbounded:
		what = "in which every read returns the last value or one before it, and all else finds the last one"
	case s.q.Kind == stale.Late && s.q.Bound > 0:
		what = fmt.Sprintf("in which every read returns one of the last %d values", s.q.Bound+1)
	case s.q.Kind == stale.Moved && s.q.Amount() == "inf":
		what += ", however early reads are called"
	case s.q.Kind == stale.Moved && s.q.Bound > 0:
		what += ", even if reads are called earlier by " + s.q.Amount()
	case s.regular():
		what = "of the writes in which every read has a place behind what it returned"
	}
	return fmt.Sprintf("These operations have no order %s: %s.", what, s.list(s.ops))
}
