package cds

import (
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

type mutex struct{ held bool }

var mcsSpec = cdsspec.Structure[mutex]{Name: "MCS lock", HappensBefore: []string{"Unlock -> Lock"}}

var mcsLock = cdsspec.Method[mutex, none, none]{
	Of: &mcsSpec, Name: "Lock", Points: []string{"node", "tail", "gate"},
	PreCondition: func(s *mutex, _, _ none) bool { return !s.held },
	SideEffect:   func(s *mutex, _, _ none) { s.held = true },
}

var mcsUnlock = cdsspec.Method[mutex, none, none]{
	Of: &mcsSpec, Name: "Unlock", Points: []string{"node", "tail", "gate"},
	PreCondition: func(s *mutex, _, _ none) bool { return s.held },
	SideEffect:   func(s *mutex, _, _ none) { s.held = false },
}

// mcs is the queue lock of Mellor-Crummey and Scott (ASPLOS 1991) with the orders of Bloom's C++
// version, which the benchmarks of CDSChecker use. Each holder has a node of its own.
type mcs struct {
	x    *c11.Exec
	tail *c11.Atomic[*mcsNode]
}

type mcsNode struct {
	name string
	next *c11.Atomic[*mcsNode]
	gate *c11.Int[int] // 1: wait
}

func newMCS(x *c11.Exec) *mcs { return &mcs{x, c11.NewAtomic(x, "tail", (*mcsNode)(nil))} }

func (n *mcsNode) String() string {
	if n == nil {
		return "null"
	}
	return n.name
}

func newMCSNode(x *c11.Exec, name string) *mcsNode {
	return &mcsNode{name, c11.NewAtomic(x, name+".next", (*mcsNode)(nil)), c11.NewInt(x, name+".gate", 0)}
}

func (l *mcs) lock(me *mcsNode) {
	call := mcsLock.Begin(l.x, l, none{})
	me.next.Store(nil, c11.Relaxed)
	cdsspec.Point(l.x, true, "node")
	me.gate.Store(1, c11.Relaxed)
	pred := l.tail.Swap(me, c11.AcqRel)
	cdsspec.Point(l.x, true, "tail")
	if pred != nil {
		pred.next.Store(me, c11.Release)
		me.gate.Await(func(g int) bool { return g == 0 }, c11.Acquire)
		cdsspec.Point(l.x, true, "gate")
	}
	call.End(none{})
}

func (l *mcs) unlock(me *mcsNode) {
	call := mcsUnlock.Begin(l.x, l, none{})
	next := me.next.Load(c11.Acquire)
	cdsspec.Point(l.x, true, "node")
	if next == nil {
		_, last := l.tail.CompareAndSwap(me, nil, c11.AcqRel, c11.Relaxed)
		cdsspec.Point(l.x, last, "tail")
		if last {
			call.End(none{})
			return
		}
		next = me.next.Await(func(n *mcsNode) bool { return n != nil }, c11.Acquire)
	}
	next.gate.Store(0, c11.Release)
	cdsspec.Point(l.x, true, "gate")
	call.End(none{})
}
