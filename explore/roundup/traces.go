package roundup

import (
	"encoding/binary"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// tracing is a strategy that counts the traces among the executions of another one: executions
// whose conflicting accesses (to the same location, one of them a write) come in the same order are
// one trace. Partial-order reduction that ignores calls and returns, like Inspect's, needs one
// execution for each trace. explore.DPOR distinguishes more, since executions of one trace may have
// different interval orders.
type tracing struct {
	schedule.Strategy
	counts bool            // traces are counted
	buggy  map[string]bool // by trace: whether some execution of it violates the property
	// of the last execution
	key    []byte
	abrupt bool // the bound on the steps of an execution ended it
}

func newTracing(s explore.Strategy, counts bool) *tracing {
	return &tracing{Strategy: schedule.Full(s), counts: counts, buggy: map[string]bool{}}
}

// End computes the trace of an execution.
func (t *tracing) End(f *schedule.Finished) {
	t.abrupt = f.Abrupt
	if t.counts && !f.Pruned {
		t.key = t.trace(f.Accesses, t.key[:0])
	}
	t.Strategy.End(f)
}

// add records the trace of the last execution.
func (t *tracing) add(buggy bool) {
	if t.counts {
		t.buggy[string(t.key)] = t.buggy[string(t.key)] || buggy
	}
}

// count returns how many traces there are, and how many of them are buggy.
func (t *tracing) count() (all, buggy int) {
	for _, b := range t.buggy {
		if b {
			buggy++
		}
	}
	return len(t.buggy), buggy
}

// trace writes a key: for each access, by thread, what it touches and the last access of every
// thread that conflicts with it and came before.
func (t *tracing) trace(accesses []schedule.Access, dst []byte) []byte {
	threads := int32(0)
	for i := range accesses {
		threads = max(threads, accesses[i].Thread+1)
	}
	numbers := make([]int, len(accesses))
	counts := make([]int, threads)
	for i := range accesses {
		numbers[i] = counts[accesses[i].Thread]
		counts[accesses[i].Thread]++
	}
	for thread := range threads {
		dst = append(dst, 0xff)
		for i := range accesses {
			a := &accesses[i]
			if a.Thread != thread {
				continue
			}
			dst = append(dst, byte(a.Kind))
			dst = binary.AppendVarint(dst, int64(a.Loc))
			for other := range threads {
				last := 0
				for j := i - 1; j >= 0 && last == 0; j-- {
					if accesses[j].Thread == other && other != thread && a.Conflicts(&accesses[j]) {
						last = numbers[j] + 1
					}
				}
				dst = binary.AppendUvarint(dst, uint64(last))
			}
		}
	}
	return dst
}
