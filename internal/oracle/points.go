package oracle

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Points reports whether the operations of a history take effect at points in time that explain its
// results: each that returned between its call and its return, both included; each other one at any
// time after its call, up to its deadline, or never. What never returned and was called before a
// crash takes effect before it or never. With lossy, a crash leaves of what took effect since the
// crash before only a prefix, any one.
//
// It walks through the times of the input, with what took effect so far, so it knows of no order
// between operations. crashes ascend; deadline returns whether an operation has one.
func Points(b *model.Instance, crashes []int64, lossy bool, deadline func(i int) (int64, bool)) bool {
	p, m := b.Partition, b.NewMachine()
	var times []int64
	call := func(i int) int64 { return p.History.Origins[p.Global(history.OpID(i))].CallTime }
	ret := func(i int) int64 { return p.History.Origins[p.Global(history.OpID(i))].ReturnTime }
	for i := range p.Ops {
		times = append(times, call(i))
		if !p.Ops[i].Pending() {
			times = append(times, ret(i))
		} else if at, ok := deadline(i); ok {
			times = append(times, at)
		}
	}
	times = append(times, crashes...)
	slices.Sort(times)
	times = slices.Compact(times)
	// mayAt reports whether an operation that did not take effect may do so at a time, before or
	// after a crash then
	mayAt := func(i int, at int64, afterCrash bool) bool {
		if call(i) > at || !p.Ops[i].Pending() && ret(i) < at {
			return false
		}
		if !p.Ops[i].Pending() {
			return true
		}
		if end, ok := deadline(i); ok && at > end {
			return false
		}
		for _, c := range crashes {
			if call(i) < c && (c < at || c == at && afterCrash) {
				return false
			}
		}
		return true
	}
	// states are those since the last crash, the present one at the end
	var walk func(k int, afterCrash bool, done []bool, states []model.State) bool
	walk = func(k int, afterCrash bool, done []bool, states []model.State) bool {
		if k == len(times) {
			return true
		}
		at := times[k]
		for i := range p.Ops {
			if done[i] || !mayAt(i, at, afterCrash) {
				continue
			}
			for _, s := range m.Step(states[len(states)-1], history.OpID(i), nil) {
				now := slices.Clone(done)
				now[i] = true
				if walk(k, afterCrash, now, append(slices.Clone(states), s)) {
					return true
				}
			}
		}
		if _, crash := slices.BinarySearch(crashes, at); crash && !afterCrash {
			kept := states[len(states)-1:]
			if lossy {
				kept = states
			}
			for _, s := range kept {
				if walk(k, true, done, []model.State{s}) {
					return true
				}
			}
			return false
		}
		for i := range p.Ops {
			if !done[i] && !p.Ops[i].Pending() && ret(i) == at {
				return false
			}
		}
		return walk(k+1, false, done, states)
	}
	return walk(0, false, make([]bool, len(p.Ops)), []model.State{m.Init()})
}
