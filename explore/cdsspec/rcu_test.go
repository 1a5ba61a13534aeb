package cdsspec_test

import (
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

type none = struct{}

// rcu is the structure of Figures 2 and 5 of the paper.
type rcu struct{ node *c11.Atomic[*rcuNode] }

type rcuNode struct{ data, version *c11.Cell[int] }

func newRCUNode(x *c11.Exec) *rcuNode {
	return &rcuNode{c11.NewCell(x, "data", 0), c11.NewCell(x, "version", 0)}
}

func newRCU(x *c11.Exec, name string) *rcu {
	return &rcu{c11.NewAtomic(x, name, newRCUNode(x))}
}

type snapshot struct{ data, version int }

var rcuSpec = cdsspec.Structure[snapshot]{Name: "RCU", HappensBefore: []string{"Update -> Read", "Update -> Update"}}

var rcuRead = cdsspec.Method[snapshot, none, snapshot]{
	Of: &rcuSpec, Name: "Read", Points: []string{"read"},
	PostCondition: func(s *snapshot, _ none, got snapshot) bool { return *s == got },
}

var rcuUpdate = cdsspec.Method[snapshot, int, none]{
	Of: &rcuSpec, Name: "Update", Points: []string{"update"},
	SideEffect: func(s *snapshot, data int, _ none) { s.data = data; s.version++ },
}

func (r *rcu) read(x *c11.Exec) snapshot {
	call := rcuRead.Begin(x, r, none{})
	n := r.node.Load(c11.Acquire)
	cdsspec.Point(x, true, "read")
	got := snapshot{n.data.Load(), n.version.Load()}
	call.End(got)
	return got
}

func (r *rcu) update(x *c11.Exec, data int) {
	call := rcuUpdate.Begin(x, r, data)
	next := newRCUNode(x)
	for prev, ok := r.node.Load(c11.Acquire), false; !ok; {
		next.data.Store(data)
		next.version.Store(prev.version.Load() + 1)
		prev, ok = r.node.CompareAndSwap(prev, next, c11.AcqRel, c11.Acquire)
		cdsspec.Point(x, ok, "update")
	}
	call.End(none{})
}
