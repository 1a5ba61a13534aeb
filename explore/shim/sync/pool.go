package sync

import (
	real "sync"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Pool is a set of temporary objects. In an execution, Get chooses between what was put last and a
// new object: either may happen at any time.
type Pool struct {
	// New makes an object; without it Get may return nil.
	New func() any

	once real.Once
	real real.Pool
	kept core.Cell[[]*pooled]
}

// pooled is an object that was put into a pool.
type pooled struct{ v any }

func (p *Pool) outside() *real.Pool {
	p.once.Do(func() { p.real.New = p.New })
	return &p.real
}

func (p *Pool) in(x *schedule.Running) int32 {
	return p.kept.In(x, nil, "pool", func() []*pooled { return nil })
}

// Put adds an object, which nil is not.
func (p *Pool) Put(v any) {
	x := core.Running()
	switch {
	case x == nil:
		p.outside().Put(v)
	case v != nil && x.Point(schedule.Signal, p.in(x), schedule.NoLocation, nil):
		x.Traced(len(p.kept.V), len(p.kept.V)+1)
		in := &pooled{v}
		core.ReleaseMerge(unsafe.Pointer(in))
		p.kept.V = append(p.kept.V, in)
	}
}

// Get takes an object out, or makes one.
func (p *Pool) Get() any {
	x := core.Running()
	if x == nil {
		return p.outside().Get()
	}
	x.Point(schedule.Update, p.in(x), schedule.NoLocation, nil)
	n := len(p.kept.V)
	if n > 0 && x.Choose(2) == 0 {
		out := p.kept.V[n-1]
		core.Acquire(unsafe.Pointer(out))
		x.Traced(n, n-1)
		p.kept.V = p.kept.V[:n-1]
		return out.v
	}
	x.Traced(n, n)
	if p.New != nil {
		return p.New()
	}
	return nil
}
