package mem

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/linsat/linsat/internal/schedule"
)

// Parallel makes a memory for ordinary goroutines, any number of which may use its variables at
// once: for stress tests of the same code that package explore runs under every schedule. Each
// operation holds a lock of its variable, so all of them, plain ones too, are atomic and
// sequentially consistent; one that has to wait lets other goroutines run. Choose is random. Now
// and then an operation yields first, so that operations of an object overlap even on one
// processor.
func Parallel() *Memory { return &Memory{par: &parallel{}} }

type parallel struct {
	locs  atomic.Int32
	locks [stripes]stripe // location l has lock l mod stripes
}

// stripe is a lock alone on its cache line.
type stripe struct {
	sync.Mutex
	_ [56]byte
}

// begin locks the locations, once gate is open.
func (p *parallel) begin(loc, loc2 int32, gate schedule.Gate) {
	if rand.Uint32N(yieldOneIn) == 0 {
		runtime.Gosched()
	}
	for {
		first, second := p.of(loc, loc2)
		first.Lock()
		if second != nil {
			second.Lock()
		}
		if gate == nil || gate.Open() {
			return
		}
		p.end(loc, loc2)
		runtime.Gosched()
	}
}

func (p *parallel) end(loc, loc2 int32) {
	first, second := p.of(loc, loc2)
	if second != nil {
		second.Unlock()
	}
	first.Unlock()
}

// of returns the locks of two locations in the order in which every goroutine takes them, the
// second nil if it is not needed.
func (p *parallel) of(loc, loc2 int32) (first, second *stripe) {
	a := loc % stripes
	if loc2 == schedule.NoLocation || loc2%stripes == a {
		return &p.locks[a], nil
	}
	b := loc2 % stripes
	return &p.locks[min(a, b)], &p.locks[max(a, b)]
}
