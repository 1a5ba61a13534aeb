package explored

import (
	"sync/atomic"
	"testing"

	"github.com/alitto/pond/v2"
	"github.com/gammazero/workerpool"
	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/spec"
)

// counted has a pool count in tasks that are waited for, while another goroutine reads.
func counted(t *testing.T, tasks int, newPool func() (wait func(task func()), stop func())) {
	linsattest.Check(t, spec.MustLookup("counter"), func(r *linsattest.Run) {
		r.SetInitial(0)
		var n atomic.Int64
		r.Go(func(p *linsattest.Process) {
			wait, stop := newPool()
			for range tasks {
				p.Do("inc", nil, func() any { wait(func() { n.Add(1) }); return nil })
			}
			stop()
		})
		r.Go(func(p *linsattest.Process) {
			p.Do("get", nil, func() any { return int(n.Load()) })
		})
	})
}

func TestPond(t *testing.T) {
	counted(t, 2, func() (func(func()), func()) {
		pool := pond.NewPool(2)
		return func(task func()) {
			if err := pool.Submit(task).Wait(); err != nil {
				panic(err)
			}
		}, pool.StopAndWait
	})
}

func TestWorkerpool(t *testing.T) {
	counted(t, 1, func() (func(func()), func()) {
		pool := workerpool.New(2)
		return pool.SubmitWait, pool.StopWait
	})
}
