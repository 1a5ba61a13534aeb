package collections

// What: when operations of a part of a deque (deque_contents.go) may take effect. In recordings
// nearly all operations are short, and those that last do so because their goroutine was stopped:
// before it did its work, or after that. So nearly all take effect near their call or near their
// return. In a recording of 100,000 operations of 8 goroutines some 1,500 lasted for hundreds of
// returns, ten of which took effect in between. The search lets few operations take effect at other
// moments, except where the linearization already has them.
//
// Source: ours. It is limited discrepancy search (Harvey and Ginsberg, IJCAI'95).
//
// Invariant: what was called before the window may take effect at any time before its return.
//
// Cost: linear.

import (
	"cmp"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
)

// dequeMoments are the layers in which each operation may take effect; nil allows all.
type dequeMoments struct {
	early, late []int32    // up to the one, and from the other on
	kept        [][2]int32 // and from the first to the second
}

// anytime is the layer up to which what was called before the window takes effect early.
const anytime = math.MaxInt32

// newDequeMoments allows so many returns at the same end after a call and before a return. The
// window begins after a rank.
func newDequeMoments(l *lane, near int, begins history.Rank) *dequeMoments {
	m := &dequeMoments{early: make([]int32, len(l.ops)), late: make([]int32, len(l.ops))}
	of := layersOfEnds(l)
	for i := range l.ops {
		o := &l.ops[i]
		layers := of[o.end]
		if o.ret == history.Never || o.call <= begins {
			m.early[i] = anytime
			continue
		}
		m.early[i] = layers[min(len(layers)-1, l.firstAfter(layers, o.call)+near-1)]
		m.late[i] = layers[max(0, l.firstAfter(layers, o.ret)-near)]
	}
	return m
}

// keep allows one return at the same end before and after the moments that operations have, 0 for
// none.
func (m *dequeMoments) keep(l *lane, moments []history.Rank) {
	m.kept = make([][2]int32, len(l.ops))
	of := layersOfEnds(l)
	for i := range l.ops {
		layers := of[l.ops[i].end]
		at := moments[l.ops[i].op]
		if at == 0 || len(layers) == 0 {
			m.kept[i] = [2]int32{0, -1}
			continue
		}
		k := l.firstAfter(layers, at)
		m.kept[i] = [2]int32{layers[min(max(0, k-1), len(layers)-1)], layers[min(k+1, len(layers)-1)]}
	}
}

// layersOfEnds returns the layers that end with a return at either end.
func layersOfEnds(l *lane) (of [2][]int32) {
	for layer, r := range l.returns {
		e := l.ops[r].end
		of[e] = append(of[e], int32(layer))
	}
	return of
}

// firstAfter returns the first of some layers that does not end before a rank.
func (l *lane) firstAfter(layers []int32, at history.Rank) int {
	k, _ := slices.BinarySearchFunc(layers, at, func(layer int32, at history.Rank) int {
		return cmp.Compare(l.ops[l.returns[layer]].ret, at)
	})
	return k
}

// called reports whether operation i was called so recently that it takes effect at its call.
func (m *dequeMoments) called(i opIndex, layer int32) bool {
	return m != nil && layer <= m.early[i] && m.early[i] != anytime
}

// odd reports whether operation i would take effect at another moment.
func (m *dequeMoments) odd(i opIndex, layer int32) bool {
	return m != nil && layer > m.early[i] && layer < m.late[i] && (m.kept == nil || layer < m.kept[i][0] ||
		layer > m.kept[i][1])
}
