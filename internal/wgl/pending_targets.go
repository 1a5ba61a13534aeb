package wgl

import "github.com/linsat/linsat/internal/model"

// What: which states pending operations should bring about at a node, where the specification has
// few states (space.go). It replaces trying every class in every label: labels are made in wanted
// states only.
//
// A state is a target if an open operation acts otherwise there than in the node's own state; to
// keep either state does not count, for then the operation can come first. Wanted are the targets,
// and the states from which a class leads to a wanted state that it does not lead to from the
// node's own.
//
// Why that is enough: take a way from the node to success that uses least. If no operation acted
// otherwise at the end of its pending operations than at the node, they could all be left out; if
// one of the classes led to the same state from the node as from a later label, what comes between
// could be left out. So its labels are wanted. The proof in pending.go is about such ways.
//
// Cost: states in which an open operation is legal, and the pending steps into wanted states, per
// node that is expanded.

// want fills in the wanted states of the frame on top.
func (r *run) want(f *frame) {
	f.wanted = int32(len(r.wanted))
	for range r.space.SetWords() {
		r.wanted = append(r.wanted, 0)
	}
	r.queue = r.space.Targets(r.labels[f.labels].state, r.cands[f.cands:], r.active, r.wanted[f.wanted:], r.queue[:0])
}

func (r *run) wants(f *frame, t model.State) bool {
	return r.wanted[f.wanted+int32(t>>6)]>>(t&63)&1 == 1
}

// expandWanted makes the steps of one more label to wanted states.
func (r *run) expandWanted(f *frame, from int32) bool {
	if f.wanted < 0 {
		r.want(f)
	}
	s := r.labels[from].state
	for _, e := range r.space.Out[s] {
		c := e.Class
		if c >= r.active {
			break
		}
		if !r.wants(f, e.State) {
			continue
		}
		need, open, ever := r.payable(c, r.Members.Of(c)[0])
		if !ever {
			continue
		}
		if !r.Step() {
			return false
		}
		r.spent[c]++
		if !r.covered(f, e.State) && (r.bounds == nil || !r.dearer(f, from, c, e.State)) {
			if open {
				r.labels = append(r.labels, label{state: e.State, parent: from, class: c})
			} else {
				r.blocked = append(r.blocked, block{parent: from, class: c, state: e.State, need: need})
			}
		}
		r.spent[c]--
		if !r.Toil(int64(len(r.labels)) - int64(f.labels)) {
			return false
		}
	}
	return true
}

// leadsOn says whether a pending operation leads from state t, reached with what is spent, to a
// wanted one that neither labels nor blocked steps cover.
func (r *run) leadsOn(f *frame, t model.State) attempt {
	if f.wanted < 0 { // it was expanded without
		r.want(f)
	}
	for _, e := range r.space.Out[t] {
		c := e.Class
		if c >= r.active {
			break
		}
		if !r.wants(f, e.State) {
			continue
		}
		if _, _, ever := r.payable(c, r.Members.Of(c)[0]); !ever {
			continue
		}
		r.spent[c]++
		leads := !r.covered(f, e.State) && !r.coveredByBlock(f, e.State)
		r.spent[c]--
		if !r.Toil(int64(len(r.labels)) - int64(f.labels) + int64(len(r.blocked)) - int64(f.blocked)) {
			return stopped
		}
		if leads {
			return taken
		}
	}
	return refused
}
