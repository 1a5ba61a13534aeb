package subhistory

// What: under a factor, operations that are left out leave other places to the rest, so what is
// refuted of a part need not be refuted of the whole. But a part can be a violation of its own, and
// a small one shows more than a long one. It keeps all operations on a value or none, so that
// nothing is removed in it that was not put in, unless the whole has that, too.
//
// How: from the values of the core, if these alone are a violation, else from all of them, groups
// of values are left out as long as the rest is a violation: halves, then ever smaller ones.
//
// Invariant: what ShrinkWithin returns is a violation under the factor, and unless checks ran out
// or were undecided, none without any one of its values.
//
// Cost: at most mostAsked checks.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/result"
)

// ShrinkWithin returns a history of some operations of h that is a violation under the factor of r,
// the result about h; nil if h is none, or is not about a collection.
func ShrinkWithin(h *history.History, r *result.Result, ask Ask) (*history.History, error) {
	if r.Verdict != engine.NotLinearizable || r.Instance() == nil || r.Instance().Items.Delta == nil {
		return nil, nil
	}
	s := &shrinker{h: h, ask: ask}
	groups, core := s.byValue(r), map[history.OpID]bool{}
	if r.Core != nil {
		for _, f := range r.Core.Facts {
			for _, i := range f.Operations {
				core[r.Partition.Global(i)] = true
			}
		}
	}
	some := slices.DeleteFunc(slices.Clone(groups), func(g []history.OpID) bool {
		return !slices.ContainsFunc(g, func(i history.OpID) bool { return core[i] })
	})
	if refuted, err := s.is(engine.NotLinearizable, slices.Concat(some...), nil); err != nil {
		return nil, err
	} else if refuted {
		groups = some
	}
	groups, err := s.fewer(groups)
	if err != nil {
		return nil, err
	}
	return Of(h, slices.Concat(groups...))
}

// byValue lists the operations of the refuted partition by what they put in or took out; one of
// which that is not known, or that found nothing, is a group of its own.
func (s *shrinker) byValue(r *result.Result) (groups [][]history.OpID) {
	at := map[history.Value]int{}
	for i := range r.Partition.Ops {
		g := r.Partition.Global(history.OpID(i))
		if g < 0 { // a drain
			continue
		}
		v := s.h.Ops[g].Arg
		if v == history.Nil {
			v = s.h.Ops[g].Result
		}
		k, known := at[v]
		if known && v != history.Nil {
			groups[k] = append(groups[k], g)
			continue
		}
		at[v] = len(groups)
		groups = append(groups, []history.OpID{g})
	}
	return groups
}

// fewer leaves out groups as long as the rest is a violation.
func (s *shrinker) fewer(groups [][]history.OpID) ([][]history.OpID, error) {
	asked := 0
	for size := (len(groups) + 1) / 2; size > 0; {
		dropped := false
		for at := 0; at < len(groups) && len(groups) > 1 && asked < mostAsked; asked++ {
			less := slices.Delete(slices.Clone(groups), at, min(at+size, len(groups)))
			refuted := false
			if len(less) > 0 {
				var err error
				if refuted, err = s.is(engine.NotLinearizable, slices.Concat(less...), nil); err != nil {
					return nil, err
				}
			}
			if refuted {
				groups, dropped = less, true
			} else {
				at += size
			}
		}
		switch {
		case size > 1:
			size /= 2
		case !dropped:
			return groups, nil
		}
		if asked >= mostAsked {
			break
		}
	}
	return groups, nil
}
