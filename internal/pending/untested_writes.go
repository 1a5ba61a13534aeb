package pending

// What: completed writes of values for which nothing tests, taken along with the next write.
//
// Source: ours.
//
// Where a lenient machine has the last word (approximated.go), such a write only takes away
// what others could have used: leave it out of a linearization, and as much is legal up to the next
// operation that writes whatever it finds. So when one of those takes effect, every open write of
// this kind takes effect right before it, at no cost. It moves there from a later place of the
// linearization, which stays one.
//
// Invariant: where the lenient machine has a linearization, it has one that this search finds.
//
// Cost: a visit of the open operations for each write.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wgl"
)

// What a completed operation is, as far as untested writes are concerned.
const (
	noWrite       uint8 = iota
	writes              // it leaves a value whatever it finds
	writesForNone       // and nothing tests for that
)

// listWrites finds the writes of the instance; tests counts by value what tests for it.
func listWrites(l *layout.Layout, t *model.RegisterTheory, tests []int32) []uint8 {
	all := make([]uint8, len(l.Ops))
	for _, i := range l.Returns {
		if modes := t.Of(i); len(modes) == 1 && modes[0].Test == model.Any && modes[0].Leaves != model.Keep {
			if all[i] = writes; tests[modes[0].Leaves] == 0 {
				all[i] = writesForNone
			}
		}
	}
	return all
}

// takeUntested takes the open writes for which nothing tests, before operation v if that writes.
func takeUntested(r *wgl.Run, writes []uint8, v history.OpID) {
	if writes[v] == noWrite {
		return
	}
	n := history.OpID(len(r.Ops))
	for x := r.NextOpen[n]; x != n; x = r.NextOpen[x] {
		if x == v || writes[x] != writesForNone || r.In(x) {
			continue
		}
		if s, ok := r.Table.Next(r.Lookup(r.State, x), 0); ok {
			r.Take(x, s)
		}
	}
}
