package explored

import (
	"testing"

	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/spec"
	"github.com/puzpuzpuz/xsync/v4"
)

func TestMPMCQueue(t *testing.T) {
	linsattest.Check(t, spec.MustLookup("queue"), func(r *linsattest.Run) {
		q := xsync.NewMPMCQueue[int](4)
		for range 2 {
			r.Go(func(p *linsattest.Process) {
				p.Do("enq", p.ID(), func() any {
					if !q.TryEnqueue(p.ID()) {
						panic("full")
					}
					return nil
				})
				p.Do("deq", nil, func() any { return found(q.TryDequeue()) })
			})
		}
	})
}

func TestSPSCQueue(t *testing.T) {
	linsattest.Check(t, spec.MustLookup("queue"), func(r *linsattest.Run) {
		q := xsync.NewSPSCQueue[int](4)
		r.Go(func(p *linsattest.Process) {
			for i := range 2 {
				p.Do("enq", i, func() any {
					if !q.TryEnqueue(i) {
						panic("full")
					}
					return nil
				})
			}
		})
		r.Go(func(p *linsattest.Process) {
			for range 3 {
				p.Do("deq", nil, func() any { return found(q.TryDequeue()) })
			}
		})
	})
}

func TestUMPSCQueue(t *testing.T) {
	linsattest.Check(t, spec.MustLookup("queue"), func(r *linsattest.Run) {
		q := xsync.NewUMPSCQueue[int]()
		r.MayBlock()
		for range 2 {
			r.Go(func(p *linsattest.Process) {
				p.Do("enq", p.ID(), func() any { q.Enqueue(p.ID()); return nil })
			})
		}
		r.Go(func(p *linsattest.Process) {
			for range 2 {
				p.Do("deq", nil, func() any { return q.Dequeue() })
			}
		})
	})
}
