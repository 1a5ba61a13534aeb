package verify

import (
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/verify/base"
)

// Views.
//
// What: the view of a process lists its reads, and writes; each read shows the last write of its
// object before it in the list. With a write or a read, the list has all writes before it that the
// rules put before it, also through reads of others.
//
// Why it is right: what is not listed can follow in an order that the rules allow, since these have
// no cycle among what is not listed. For a cycle has a read, by some process, since the operations
// of a process are in order. In the view of that process the read is listed, and with it what is on
// the cycle, each before itself.
//
// Cost: linear in the operations for each view.

// never is the place of what is not listed.
const never = math.MaxInt32

// views checks that each process with a read has a view.
func (j *judge) views(all []consistency.View) error {
	of := make([]*consistency.View, len(j.History.Processes))
	for k := range all {
		v := &all[k]
		if v.Process < 0 || int(v.Process) >= len(of) || of[v.Process] != nil {
			return base.Faultf("", "view %d is of process %d, of which there is none, or another view", k, v.Process)
		}
		of[v.Process] = v
	}
	place := make([]int32, len(j.Ops))
	for i := range j.Ops {
		x := &j.Ops[i]
		if x.Reads && of[x.Process] == nil {
			return base.Faultf(j.History.ID(history.OpID(i)), "its process has no view")
		}
	}
	for p, v := range of {
		if v != nil {
			if err := j.view(int32(p), v.Order, place); err != nil {
				return base.Under(j.History.Processes[p], err)
			}
		}
	}
	return nil
}

// view checks one.
func (j *judge) view(p int32, order []history.OpID, place []int32) error {
	for i := range place {
		place[i] = never
	}
	now := make([]int32, len(j.Initial)) // by object: its value
	copy(now, j.Initial)
	for k, i := range order {
		if err := j.named(i); err != nil {
			return err
		}
		x := &j.Ops[i]
		switch {
		case place[i] != never:
			return base.Faultf(j.History.ID(i), "it is listed twice")
		case x.Writes:
			now[x.Object] = x.Left
		case !x.Reads || x.Process != p:
			return base.Faultf(j.History.ID(i), "it is neither a write nor a read of the process")
		case now[x.Object] != x.Found:
			return base.Faultf(j.History.ID(i), "it reads something else than the last write of its object")
		}
		place[i] = int32(k)
	}
	for i := range j.Ops {
		if x := &j.Ops[i]; x.Process == p && x.Reads && place[i] == never {
			return base.Faultf(j.History.ID(history.OpID(i)), "it is a read of the process, and not listed")
		}
	}
	return j.ordered(p, place)
}

// ordered checks that what comes before something listed is listed before it.
func (j *judge) ordered(p int32, place []int32) error {
	type latest struct {
		place int32
		op    history.OpID
	}
	// by process: the last place so far of its reads and of what they are from, and of its writes
	reads, writes := make([]latest, len(j.History.Processes)), make([]latest, len(j.History.Processes))
	for k := range reads {
		reads[k].place, writes[k].place = -1, -1
	}
	for i := range history.OpID(len(j.Ops)) {
		x := &j.Ops[i]
		own := x.Process == p
		if !x.Reads && !j.takesEffect(i) || x.Reads && !own && !j.q.Reads() {
			continue
		}
		if at := place[i]; at != never {
			for _, before := range [2]struct {
				latest
				read bool
			}{{reads[x.Process], true}, {writes[x.Process], false}} {
				if before.place >= at && j.q.Before(own, before.read, x.Reads) {
					return base.Faultf(j.History.ID(before.op)+", "+j.History.ID(i),
						"the first comes before the second, but is not listed before it")
				}
			}
		}
		last, at := &writes[x.Process], place[i]
		if x.Reads {
			last = &reads[x.Process]
			if !own {
				at = -1
			}
			if w := j.source(i); w >= 0 {
				at = max(at, place[w])
			}
		}
		if at > last.place {
			last.place, last.op = at, i
		}
	}
	return nil
}
