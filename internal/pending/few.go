package pending

// What: a search that uses few pending operations at a time, those that were called last first, and
// mends the place where it stops. It only finds linearizations.
//
// Source: ours. Limited discrepancy search (Harvey and Ginsberg, IJCAI 1995) for the budgets, large
// neighbourhood search (Shaw, CP 1998) for the windows.
//
// Why: the search of wgl/dfs.go tries every combination of pending operations at each configuration
// that fails. Where each leaves another state (logs, queues, accounts, any model of which nothing
// is known but its steps), it does not get past the first choice that was wrong. But most such
// operations took effect soon after their calls, or never, and where something is missing it is
// mostly one.
//
// What we changed. The search goes on without pending operations until it stops. The place around
// that return is a window: it is searched again, from some returns before, with as many pending
// operations as the path had there and a few more, until some returns beyond. The attempts
// (fewAttempts) take more and older operations, and longer windows, one after the other. What is
// found becomes the path, and the search goes on without pending operations from its end.
//
// A configuration (layer, mask, state) is visited once for each number of pending operations that
// may still be used, whichever were used before. An operation that is legal and keeps the state is
// taken at once, if its kind was never seen to change one. Both may lose linearizations, as the
// budgets do. So failing decides nothing.
//
// Explicit order is looked at in the end: revisions mostly say what the states say already.
//
// Invariants: the trail is a legal sequence of operations in an order that respects times;
// its first common moves are those of the path; the path ends in the deepest layer.
//
// Cost: the steps of the attempts for each place where the search stops, and one for each operation
// and open one elsewhere.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/internal/wgl"
)

// few is the state of this search.
type few struct {
	wgl.Walk
	r       *wgl.Run
	most    int64          // steps of the run at which this search stops
	unknown []history.OpID // pending operations by call
	changes []bool         // by kind: it was seen to change a state
	path    []wgl.Move     // to the deepest layer that was reached
	common  int            // so many moves of the trail are the path's
	reached layout.LayerID // the layer in which the path ends

	// the current attempt
	fewAttempt
	left   int32            // so many more pending operations may be used
	seen   map[uint64]int32 // hash of a configuration → one more than was left there
	frames []fewFrame
	cands  []history.OpID // of the frames
}

// fewFrame is a node whose children are being tried.
type fewFrame struct {
	mark    int   // length of the trail
	cands   int   // length of few.cands below
	cand    int   // the next candidate
	unknown int32 // the next pending operation in few.unknown, downwards, after the candidates
	tried   int32 // so many classes of them have been tried
	succ    int32 // the next of the states that the operation may leave
	left    int32
}

// Few looks for a linearization that uses few pending operations at each place. It reports
// found or undecided, or gaveUp where the search has to stop.
func Few(r *wgl.Run) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	need := int64(len(r.Ops))*fewBytes + fewSeen*fewBytes
	if r.Classes == 0 || !r.Grow(need) {
		return d
	}
	defer r.Grow(-need)
	f := &few{Walk: wgl.NewWalk(r.Layout, r.Table.Machine.Init()), r: r, most: r.Steps + fewLeast +
		fewEach*int64(len(r.Ops)), changes: make([]bool, r.Kinds)}
	for i := range f.Ops {
		if f.Class[i] >= 0 {
			f.unknown = append(f.unknown, history.OpID(i))
		}
	}
	slices.SortFunc(f.unknown, func(x, y history.OpID) int {
		return cmp.Or(cmp.Compare(f.From[x], f.From[y]), cmp.Compare(f.Ops[x].Call, f.Ops[y].Call))
	})
	f.Open()
	if d.Outcome = f.decide(); d.Outcome == wgl.Found {
		if d.Witness = f.Linearization(); len(r.Instance.Partition.Edges) > 0 && !r.Legal(d.Witness) {
			d.Outcome, d.Witness = wgl.Undecided, nil
		}
	}
	return d
}

// decide mends one place after the other.
func (f *few) decide() wgl.Outcome {
	o := f.goOn()
	for k := 0; o == wgl.Undecided && k < len(fewAttempts); k++ {
		f.fewAttempt = fewAttempts[k]
		f.restore(max(0, f.reached-f.back))
		f.left = f.more
		for _, m := range f.path[f.common:] {
			if m.Op >= 0 && !f.Completed(m.Op) {
				f.left++
			}
		}
		if o = f.search(min(f.reached+f.ahead, layout.LayerID(len(f.Returns))),
			min(f.most, f.r.Steps+f.steps)); o == wgl.Opened {
			f.keep()
			o, k = f.goOn(), -1
		}
	}
	return o
}

// goOn searches on without pending operations. It reports undecided where that stops.
func (f *few) goOn() wgl.Outcome {
	f.left = 0
	for o := wgl.Opened; ; f.keep() {
		if o = f.search(f.reached+1, min(f.most, f.r.Steps+fewPatience)); o != wgl.Opened {
			return o
		}
	}
}

// search looks for a configuration of layer goal, within a limit of steps. It reports opened there,
// found after the last return, undecided where it stops, gaveUp where the whole search has to.
func (f *few) search(goal layout.LayerID, limit int64) wgl.Outcome {
	f.frames, f.cands = f.frames[:0], f.cands[:0]
	if len(f.seen) > fewKept || f.seen == nil {
		f.seen = map[uint64]int32{}
	} else {
		clear(f.seen)
	}
	o := f.enter()
	for o == wgl.Opened || o == wgl.Failed && len(f.frames) > 0 {
		if o == wgl.Opened && f.Depth >= goal {
			return wgl.Opened
		}
		if f.r.Steps >= limit || len(f.seen) >= fewSeen {
			return wgl.Undecided
		}
		o = f.proceed()
	}
	if o == wgl.Failed {
		return wgl.Undecided
	}
	return o
}

// keep makes the trail the path.
func (f *few) keep() {
	f.path = append(f.path[:f.common], f.Trail[f.common:]...)
	f.common, f.reached = len(f.path), f.Depth
}

// restore goes to where the path enters a layer.
func (f *few) restore(layer layout.LayerID) {
	f.backTo(f.common)
	for f.Depth > layer || len(f.Trail) > 0 && f.Trail[len(f.Trail)-1].Op >= 0 {
		f.backTo(len(f.Trail) - 1)
	}
	for f.Depth < layer {
		if m := f.path[f.common]; m.Op < 0 {
			f.Advance()
		} else {
			f.Take(m.Op, f.path[f.common+1].State)
		}
		f.common++
	}
}

// backTo undoes moves until the trail has the given length.
func (f *few) backTo(mark int) {
	f.Undo(mark)
	f.common = min(f.common, mark)
}

// enter settles the walk and visits its configuration.
func (f *few) enter() wgl.Outcome {
	if f.settle() == wgl.Stopped {
		return wgl.GaveUp
	}
	if f.Final() {
		return wgl.Found
	}
	key := uint64(layout.Hash(f.Depth, f.State, f.Mask))<<32 ^ scatter(uint64(f.State)<<32|uint64(f.Depth))
	if f.seen[key] > f.left {
		return wgl.Failed
	}
	f.seen[key] = f.left + 1
	called, _ := slices.BinarySearchFunc(f.unknown, f.Depth+1, func(i history.OpID, layer layout.LayerID) int {
		return cmp.Compare(f.From[i], layer)
	})
	x := fewFrame{mark: len(f.Trail), cands: len(f.cands), cand: len(f.cands), unknown: int32(called) - 1, left: f.left}
	n := history.OpID(len(f.Ops))
	for v := f.NextOpen[n]; v != n; v = f.NextOpen[v] {
		if !f.In(v) && f.near(v) {
			f.cands = append(f.cands, v)
		}
	}
	f.frames = append(f.frames, x)
	return wgl.Opened
}

// near reports whether an operation concerns the component of the next return.
func (f *few) near(v history.OpID) bool {
	return f.Component == nil || f.Component[v] == f.Component[f.Returns[f.Depth]]
}

// settle takes what is legal and keeps the state, and passes every return that it can.
func (f *few) settle() wgl.Attempt {
	n := history.OpID(len(f.Ops))
	for v := f.NextOpen[n]; v != n; v = f.NextOpen[v] {
		if !f.In(v) && f.takeKeeping(v) == wgl.Stopped {
			return wgl.Stopped
		}
	}
	for !f.Final() && f.In(f.Returns[f.Depth]) {
		f.Advance()
		for _, v := range f.Opened.Of(f.Depth) {
			if f.Completed(v) && f.takeKeeping(v) == wgl.Stopped {
				return wgl.Stopped
			}
		}
	}
	return wgl.Refused
}

// takeKeeping takes a completed operation that is legal and keeps the state, if its kind was never
// seen to change one.
func (f *few) takeKeeping(v history.OpID) wgl.Attempt {
	code := f.apply(v)
	switch {
	case code == 0:
		return wgl.Stopped
	case code != transition.Single(f.State) || f.changes[f.r.Kind[v]]:
		return wgl.Refused
	}
	f.Take(v, f.State)
	return wgl.Taken
}

// apply is run.apply in the current state; it notes which kinds change a state.
func (f *few) apply(v history.OpID) int32 {
	code := f.r.Apply(f.State, v)
	if code != 0 && code != transition.None && code != transition.Single(f.State) {
		f.changes[f.r.Kind[v]] = true
	}
	return code
}

// proceed enters the next child of the frame on top, or ends the frame.
func (f *few) proceed() wgl.Outcome {
	x := &f.frames[len(f.frames)-1]
	f.backTo(x.mark)
	f.left = x.left
	for ; x.cand < len(f.cands); x.cand, x.succ = x.cand+1, 0 {
		v := f.cands[x.cand]
		switch t, a := f.next1(v, x); a {
		case wgl.Stopped:
			return wgl.GaveUp
		case wgl.Taken:
			f.Take(v, t)
			return f.enter()
		}
	}
	for ; f.left > 0 && x.unknown >= 0 && x.tried < f.last; x.unknown, x.succ = x.unknown-1, 0 {
		v, ok := f.member(x.unknown)
		if !ok {
			continue
		}
		if x.succ == 0 {
			x.tried++
		}
		switch t, a := f.next1(v, x); a {
		case wgl.Stopped:
			return wgl.GaveUp
		case wgl.Taken:
			f.left--
			f.Take(v, t)
			return f.enter()
		}
	}
	f.cands = f.cands[:x.cands]
	f.frames = f.frames[:len(f.frames)-1]
	return wgl.Failed
}

// next1 returns the next state that an operation may leave, pending ones only if it is another.
func (f *few) next1(v history.OpID, x *fewFrame) (t model.State, a wgl.Attempt) {
	code := f.apply(v)
	if code == 0 {
		return 0, wgl.Stopped
	}
	for {
		t, ok := f.r.Next(code, x.succ)
		if !ok {
			return 0, wgl.Refused
		}
		if x.succ++; f.Completed(v) || t != f.State {
			return t, wgl.Taken
		}
	}
}

// member returns the member of a class that is used next, if pending operation k is the last of its
// class that was called.
func (f *few) member(k int32) (v history.OpID, ok bool) {
	c := f.Class[f.unknown[k]]
	members := f.Members.Of(c)
	if f.unknown[k] != members[f.Avail[c]-1] || f.Used[c] >= f.Avail[c] || !f.near(members[0]) {
		return 0, false
	}
	return members[f.Used[c]], true
}

// scatter spreads the bits of a number (the finalizer of SplitMix64, Steele, Lea and Flood,
// OOPSLA'14).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
