package cds

import (
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

// none is no arguments, or no results.
type none = struct{}

// snapshot is the sequential structure: what a reader gets.
type snapshot struct{ data, version int }

var rcuSpec = cdsspec.Structure[snapshot]{Name: "RCU", HappensBefore: []string{"Update -> Read", "Update -> Update"}}

var rcuRead = cdsspec.Method[snapshot, none, snapshot]{Of: &rcuSpec, Name: "Read", Points: []string{"read"},
	PostCondition: func(s *snapshot, _ none, got snapshot) bool { return *s == got }}

var rcuUpdate = cdsspec.Method[snapshot, int, none]{Of: &rcuSpec, Name: "Update", Points: []string{"update"},
	SideEffect: func(s *snapshot, data int, _ none) { s.data = data; s.version++ }}

// rcu is the read-copy-update of the paper's Figure 2: readers follow a pointer to a version that
// is never changed, updaters replace it.
type rcu struct {
	x    *c11.Exec
	node *c11.Atomic[*rcuNode]
}

type rcuNode struct {
	name          string
	data, version *c11.Cell[int]
}

func (n *rcuNode) String() string { return n.name }

func newRCUNode(x *c11.Exec, name string) *rcuNode {
	return &rcuNode{name, c11.NewCell(x, name+".data", 0), c11.NewCell(x, name+".version", 0)}
}

func newRCU(x *c11.Exec) *rcu {
	return &rcu{x, c11.NewAtomic(x, "node", newRCUNode(x, nodeName(x, 0)))}
}

func (r *rcu) read() snapshot {
	call := rcuRead.Begin(r.x, r, none{})
	n := r.node.Load(c11.Acquire)
	cdsspec.Point(r.x, true, "read")
	got := snapshot{n.data.Load(), n.version.Load()}
	call.End(got)
	return got
}

func (r *rcu) update(data int) {
	call := rcuUpdate.Begin(r.x, r, data)
	n := newRCUNode(r.x, nodeName(r.x, r.x.Thread()))
	prev := r.node.Load(c11.Acquire)
	for done := false; !done; {
		n.data.Store(data)
		n.version.Store(prev.version.Load() + 1)
		prev, done = r.node.CompareAndSwap(prev, n, c11.AcqRel, c11.Acquire)
		cdsspec.Point(r.x, done, "update")
	}
	call.End(none{})
}
